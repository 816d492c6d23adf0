"""Specifications with every "auto" replaced, in steps, and the reasons.

    plan(X, labelled, …)     the energy and its rows, p, σ, the balance, the passes
      └─ with_mu             μ, once the forms are there
           └─ with_lam       λ, once S + μK is factorised
                └─ for_labels  the same for their number

Estimators and the explorer take the same four steps, the explorer under a cache.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

import numpy as np

from lapviz import graphs
from lapviz.estimates import data_terms, passes
from lapviz.estimates.labelled import EnergyFactor
from lapviz.fit import auto, few_labels, parameters
from lapviz.fit.report import Choice, Report
from lapviz.fit.specs import EnergySpec, EstimateSpec, SpaceSpec, Spec
from lapviz.kernels import Kernel
from lapviz.operators import WeightedGraph
from lapviz.spaces import auto_bandwidth, sampling

Array = np.ndarray
SomeSpec = TypeVar("SomeSpec", bound=Spec)

# What "auto" stands for where an operator is named: the papers' estimator.
PAPERS = {"n_landmarks": 200, "lam": 1.0, "balance": None, "n_passes": 0, "mu": "floor"}
_NAMED = "as in the papers, since the energy is given"


def is_auto(value: object) -> bool:
    """Whether a value is the word "auto"; arrays and objects are not."""
    return isinstance(value, str) and value == "auto"


def papers(asked: object) -> dict[str, object]:
    """The papers' values of those attributes that are "auto"."""
    return {name: value for name, value in PAPERS.items() if is_auto(getattr(asked, name))}


def given(spec: SomeSpec) -> SomeSpec:
    """The specification with its defaults where it says "auto": for what was set by hand."""
    return replace(
        spec, **{f.name: f.default for f in fields(spec) if is_auto(getattr(spec, f.name))}
    )


@dataclass(frozen=True, eq=False)
class Plan:
    """Specifications as far as they are known, and what was chosen.

    Attributes
    ----------
    space, energy, estimate : SpaceSpec, EnergySpec, EstimateSpec
        μ is "auto" before :meth:`with_mu`, λ before :meth:`with_lam`, if they were.
    rows : int array or slice
        Of a graph, over which the energy is taken; otherwise a sample, over which scores are
        balanced. A slice where all are used, and nothing is copied.
    n_rows : int
    free : bool
        Whether the energy was chosen: the rules are then those of few labels.
    graph : WeightedGraph or None
        The energy that was chosen, with its weights over the rows.
    overlap : float
        The mean overlap of that graph's neighbourhoods.
    lam_chosen : bool
        Whether λ was chosen from the data.
    report : Report
    """

    space: SpaceSpec
    energy: EnergySpec
    estimate: EstimateSpec
    rows: Array | slice
    n_rows: int
    free: bool
    graph: WeightedGraph | None = None
    overlap: float = 1.0
    lam_chosen: bool = False
    report: Report = field(default_factory=Report)

    def chose(self, name: str, value: object, reason: str) -> Plan:
        """The plan with one more choice in its report."""
        return replace(self, report=self.report.and_then(Choice(name, value, reason)))

    def with_mu(self, assembled) -> Plan:
        """μ from the forms over the plan's rows."""
        mu, kernel = self.energy.mu, assembled.basis.kernel
        if not isinstance(mu, str):
            return replace(self, energy=replace(self.energy, mu=float(mu)))
        if self.free and mu == "auto":
            value = few_labels.mu(assembled.forms, self.n_rows)
            reason = (
                f"{value * kernel.bandwidth**2:.2g}/σ², from the traces of energy and RKHS norm at "
                f"n = {self.n_rows}"
            )
        else:
            value, reason = auto.least_mu(kernel), "2e-5/σ²"
            reason += f", {_NAMED}" if mu == "auto" else ""
        return replace(self, energy=replace(self.energy, mu=value)).chose("mu", value, reason)

    def with_lam(self, assembled, factor: EnergyFactor | None) -> Plan:
        """λ from the factor of S + μK, which may be left out unless it is needed."""
        if not is_auto(self.estimate.lam):
            return self
        if "lam" in data_terms.get(self.estimate.data_term).unused:
            return replace(self, estimate=replace(self.estimate, lam=parameters.LAM.default))
        if self.free:
            assert factor is not None  # needs_factor says so
            lam = few_labels.lam(factor, assembled.forms)
            reason = "labels nearly interpolated: 1/100 of the mean of G(x, x), at most two modes"
        else:
            lam, reason = PAPERS["lam"], _NAMED
        made = replace(self, estimate=replace(self.estimate, lam=lam), lam_chosen=self.free)
        return made.chose("lam", lam, reason)

    def for_labels(self, n_labels: int, n_classes: int) -> Plan:
        """The plan with λ for so many labels, where it was chosen for one of each class."""
        factor = few_labels.lam_factor(n_labels / max(n_classes, 1), self.overlap)
        if not self.lam_chosen or factor == 1:
            return self
        lam = self.estimate.lam * factor
        reason = (
            f"{self.report['lam'].reason}, times {factor:.2g} for {n_labels / n_classes:.3g} "
            f"labels per class on a graph in which neighbours share {self.overlap:.0%} of theirs"
        )
        return replace(
            self, estimate=replace(self.estimate, lam=lam), lam_chosen=False,
            report=self.report.instead(Choice("lam", lam, reason)),
        )  # fmt: skip

    @property
    def needs_factor(self) -> bool:
        """Whether λ is to be chosen from the factor."""
        unused = "lam" in data_terms.get(self.estimate.data_term).unused
        return self.free and is_auto(self.estimate.lam) and not unused


def plan(
    X: Array,
    labelled: Array,
    space: SpaceSpec,
    energy: EnergySpec,
    estimate: EstimateSpec,
    graph: WeightedGraph | None = None,
) -> Plan:
    """What the points and the places of the labels decide.

    Parameters
    ----------
    X : array (n, d)
        All points.
    labelled : boolean array (n,), or int array, ascending
        The labelled rows. Of more than 10 000 rows the graph sees these and others at random.
    space, energy, estimate : SpaceSpec, EnergySpec, EstimateSpec
        With "auto" where the data decide.
    graph : WeightedGraph, optional
        :func:`lapviz.fit.few_labels.energy` over the rows that the energy sees, if it is known.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        If the energy is to be chosen and there is a single point.
    """
    n, everything = len(X), slice(None)
    if not is_auto(energy.operator):
        rows = sampling.rows(n, sampling.size(_most_landmarks(space, n), X.shape[1]))
        made = Plan(space, energy, estimate, rows, n, free=False)
        return volumes(_space(made, X))
    if n < 2:
        raise ValueError("Found n_samples = 1, but a graph has at least two nodes: give more.")
    many = n > few_labels.MOST_NODES
    rows = few_labels.nodes(n, labelled) if many else everything
    n_rows, operator = (n if isinstance(rows, slice) else len(rows)), few_labels.energy()
    graph = operator.over(X[rows]) if graph is None else graph
    made = Plan(
        space, replace(energy, operator=operator), estimate, rows, n_rows, free=True,
        graph=graph, overlap=graphs.mean_overlap(graph.weights),
    )  # fmt: skip
    of = f"{n_rows} of {n} points" if many else f"all {n} points"
    reason = f"a {operator.n_neighbors}-NN graph over {of}, as an energy of functions"
    return volumes(_space(made.chose("operator", operator.name, reason), X))


def _most_landmarks(space: SpaceSpec, n: int) -> int:
    if not isinstance(space.landmarks, str):
        return len(space.landmarks)
    return min(PAPERS["n_landmarks"] if is_auto(space.n_landmarks) else space.n_landmarks, n)


def _space(made: Plan, X: Array) -> Plan:
    """p and σ."""
    space, n = made.space, made.n_rows
    drawn = isinstance(space.landmarks, str)
    if is_auto(space.n_landmarks) and drawn:
        p, reason = PAPERS["n_landmarks"], _NAMED
        if made.free:
            p = few_labels.landmarks(n, made.overlap)
            reason = (
                f"{few_labels.share(made.overlap):.0%} of {n} rows, from {few_labels.FEWEST} to "
                f"{few_labels.MOST}: neighbours share {made.overlap:.0%} of theirs"
            )
        space = replace(space, n_landmarks=p)
        made = replace(made, space=space).chose("n_landmarks", p, reason)
    if not is_auto(space.bandwidth) or isinstance(space.kernel, Kernel):
        return made
    if made.free:  # for all landmarks: the graph asks for no smoother functions
        p = space.n_landmarks if drawn else len(space.landmarks)
        width = auto_bandwidth(X[made.rows], space.kernel, p)
        reason = f"functions at {p} points overlap, no wider than the data"
    else:
        width = auto.bandwidth(X, space)
        reason = auto.reason_for_bandwidth(space, n)
    width = float(width)
    return replace(made, space=replace(space, bandwidth=width)).chose("bandwidth", width, reason)


def volumes(made: Plan) -> Plan:
    """The plan with its balance and its number of passes; neither depends on the points."""
    estimate = made.estimate
    if is_auto(estimate.balance):
        rule = "scale" if made.free else PAPERS["balance"]
        reason = "few labels leave one class nearly everywhere" if made.free else _NAMED
        estimate = replace(estimate, balance=rule)
        made = replace(made, estimate=estimate).chose("balance", rule, reason)
    if is_auto(estimate.n_passes):
        usual = estimate.data_term == "labelled" and estimate.filter == "tikhonov"
        able = usual and estimate.balance == "scale" and not estimate.fit_intercept
        count = passes.N_PASSES if made.free and able else PAPERS["n_passes"]
        if not made.free:
            reason = _NAMED
        elif able:
            reason = "boundaries move to where little of the data is"
        else:
            reason = "they are for the Tikhonov filter on the labelled points, balanced by scale"
        estimate = replace(estimate, n_passes=count)
        made = replace(made, estimate=estimate).chose("n_passes", count, reason)
    return made


def of_space(X: Array, space: SpaceSpec) -> tuple[SpaceSpec, Report]:
    """p and σ as numbers by the rules of :mod:`lapviz.fit.auto`, and what was chosen."""
    n, said = len(X), Report()
    if is_auto(space.n_landmarks) and isinstance(space.landmarks, str):
        space = replace(space, n_landmarks=auto.landmarks(n))
        reason = auto.reason_for_landmarks(n)
        said = said.and_then(Choice("n_landmarks", space.n_landmarks, reason))
    if auto.chooses_bandwidth(space):
        width = auto.bandwidth(X, space)
        reason = auto.reason_for_bandwidth(space, n)
        space = replace(space, bandwidth=width)
        said = said.and_then(Choice("bandwidth", width, reason))
    return space, said
