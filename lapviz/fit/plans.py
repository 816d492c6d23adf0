"""Specifications with every "auto" replaced, in steps, and the reasons.

plan(sample, labelled, …)  the energy and its rows, p, σ, the balance, the passes
  └─ with_mu               μ, from the forms
       └─ with_lam         λ, from the factor of S + μK
            └─ for_labels  the same for their number

Over the nodes of a graph μ and λ come from one number of it instead (with_unit).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from lapviz import graphs
from lapviz.estimates import data_terms, passes
from lapviz.fit import auto, few_labels, parameters
from lapviz.fit.galerkin import Galerkin, Sample
from lapviz.fit.rows import StreamedRows
from lapviz.fit.specs import EnergySpec, EstimateSpec, Report, SpaceSpec
from lapviz.graphs.points import coincide
from lapviz.kernels import Kernel
from lapviz.spaces import auto_bandwidth, sampling

Array = np.ndarray

# What "auto" stands for where an operator is named: the papers' estimator.
PAPERS = {"n_landmarks": 200, "lam": 1.0, "balance": None, "n_passes": 0, "mu": "floor"}
_NO_CHOICE = Report()
_NAMED = "as in the papers, since the energy is given"
ENOUGH = 2500  # rows that tell how far apart 1200 of them are
HALF = 0.5  # of the rows: a graph over the copies of few rows tells no shape
RIDGE = 1e-4  # λμ beside nodes: the penalty of kernel ridge, of k(x, x) about 1


def is_auto(value: object) -> bool:
    """Whether a value is the word "auto"; arrays and objects are not."""
    return isinstance(value, str) and value == "auto"


def papers(asked: object) -> dict[str, object]:
    """The papers' values of those attributes that are "auto"."""
    return {name: value for name, value in PAPERS.items() if is_auto(getattr(asked, name))}


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
    required : tuple of int or None
        The labelled rows, where a graph sees only some others besides.
    automatic : bool
        Whether the operator was chosen: the rules are then those of few labels.
    overlap : float
        The mean overlap of the chosen graph's neighbourhoods.
    nodes : bool
        Whether the functions are those of the graph's nodes, and no kernel functions.
    report : Report
    """

    space: SpaceSpec
    energy: EnergySpec
    estimate: EstimateSpec
    rows: Array | slice
    required: tuple[int, ...] | None = None
    automatic: bool = False
    overlap: float = 1.0
    nodes: bool = False
    report: Report = field(default_factory=Report)

    def chose(self, name: str, value: object, reason: str, **changes: object) -> Plan:
        """The plan with changes, and what was chosen in its report."""
        return replace(self, report=self.report.choose(name, value, reason), **changes)

    def with_unit(self, unit: float) -> Plan:
        """λ and μ over a graph's nodes, where a change of 1 along every edge has that energy."""
        plan, own = self, float(passes.PASS_ENERGY / unit)
        if is_auto(plan.estimate.lam):
            reason = f"{passes.PASS_ENERGY:g} over the energy of a change of 1 along every edge"
            plan = plan.chose("lam", own, reason, estimate=replace(plan.estimate, lam=own))
        mu = RIDGE / own
        reason = f"{RIDGE:g} over nodes’ own λ, for kernel ridge: they have no RKHS norm"
        return plan.chose("mu", mu, reason, energy=replace(plan.energy, mu=mu))

    def with_mu(self, method: Galerkin) -> Plan:
        """μ from the forms over the plan's rows."""
        mu, kernel = self.energy.mu, method.kernel
        if not isinstance(mu, str):
            return replace(self, energy=replace(self.energy, mu=float(mu)))
        if self.automatic and mu == "auto":
            n = len(method.sample.X)
            value = few_labels.mu(method.assembled(self.estimate.fit_intercept).forms, n)
            reason = (
                f"{value * kernel.bandwidth**2:.2g}/σ², from the traces of energy and RKHS norm at "
                f"n = {n}"
            )
        else:
            value, reason = auto.least_mu(kernel), "2e-5/σ²"
            reason += f", {_NAMED}" if mu == "auto" else ""
        return self.chose("mu", value, reason, energy=replace(self.energy, mu=value))

    def with_lam(self, method: Galerkin) -> Plan:
        """λ from the factor of S + μK."""
        estimate = self.estimate
        if not is_auto(estimate.lam):
            return self
        if "lam" in data_terms.get(estimate.data_term).unused:
            return replace(self, estimate=replace(estimate, lam=parameters.LAM.default))
        if self.automatic:
            constant = estimate.fit_intercept
            lam = few_labels.lam(method.solver(constant=constant), method.assembled(constant).forms)
            reason = "labels nearly interpolated: 1/100 of the mean of G(x, x), at most two modes"
        else:
            lam, reason = PAPERS["lam"], _NAMED
        return self.chose("lam", lam, reason, estimate=replace(estimate, lam=lam))

    def for_labels(self, n_labels: int, n_classes: int) -> Plan:
        """The plan with λ, where it was chosen, for that many labels."""
        if self.nodes or not self.automatic or "lam" not in self.report.names:
            return self
        factor = few_labels.lam_factor(n_labels / max(n_classes, 1), self.overlap)
        if factor == 1:
            return self
        lam = self.estimate.lam * factor
        reason = (
            f"{self.report['lam'].reason}, times {factor:.2g} for {n_labels / n_classes:.3g} "
            f"labels per class on a graph in which neighbours share {self.overlap:.0%} of theirs"
        )
        return self.chose("lam", lam, reason, estimate=replace(self.estimate, lam=lam))


def nodes(sample: Sample, required: tuple[int, ...] | None, most: int | None = None) -> Sample:
    """The rows that a graph sees: all, or of a large sample the required ones and others at random.

    ``required`` are the labelled rows, ascending; None: all are seen. ``most`` is as of
    :func:`lapviz.fit.few_labels.nodes`.
    """
    if required is not None:
        index = np.array(required, dtype=int)
        return sample.part((required, most), lambda: few_labels.nodes(len(sample.X), index, most))
    if isinstance(sample.X, StreamedRows):  # that are all held
        return sample.part("held", lambda: slice(None))
    return sample


def plan(
    sample: Sample,
    labelled: Array,
    space: SpaceSpec,
    energy: EnergySpec,
    estimate: EstimateSpec,
) -> tuple[Plan, Sample]:
    """What the points and the places of the labels decide.

    Parameters
    ----------
    sample : Sample
        All points.
    labelled : boolean array (n,), or int array, ascending
        The labelled rows. Of more than 10 000 rows a graph sees these and others at random.
    space, energy, estimate : SpaceSpec, EnergySpec, EstimateSpec
        With "auto" where the data decide.

    Returns
    -------
    Plan
        μ and λ are still to be chosen, from the forms.
    Sample
        The rows over which the energy is taken.

    Raises
    ------
    ValueError
        If the energy is to be chosen and there is a single point.
    """
    X, automatic = sample.X, is_auto(energy.operator)
    made, seen = Plan(space, energy, estimate, slice(None)), sample
    if automatic:
        made, seen = _with_graph(sample, labelled, made)
        made = with_space(made, seen.X)
    else:
        made = with_space(made, X)
        p = auto.n_landmarks(made.space, len(X))
        made = replace(made, rows=sampling.rows(len(X), sampling.size(p, X.shape[1])))
    estimate, report = with_balance(estimate, automatic, made.report)
    return replace(made, estimate=estimate, report=report), seen


def _with_graph(sample: Sample, labelled: Array, made: Plan) -> tuple[Plan, Sample]:
    """The plan with a graph as its energy, and the rows that it sees.

    Where all may be chosen and the graph over the rows, of many over some of them, is to be
    trusted, its nodes are the functions; labels have no say in it.
    """
    n, d = sample.X.shape
    if n < 2:
        raise ValueError("Found n_samples = 1, but a graph has at least two nodes: give more.")
    few = n <= few_labels.MOST_NODES
    operator, most, on_nodes = few_labels.GRAPH, None, False
    required = None if few else tuple(few_labels.row_numbers(labelled).tolist())
    seen = nodes(sample, required)
    overlap = _overlap(seen) if few else 0.0
    if is_fully_automatic(made.space, made.energy, made.estimate):
        if not few:  # of a graph over a sample of the rows, which is not kept
            some = few_labels.nodes(n, np.empty(0, dtype=int))
            overlap = sample.keep(("overlap",), lambda: _overlap(Sample.of(sample.X[some])))
        on_nodes = few_labels.trusts_nodes(n, overlap)
    if on_nodes:
        operator, most = few_labels.node_energy(n, overlap), few_labels.most_nodes(d)
        required = None if n <= most else required
        seen = nodes(sample, required, most)
    elif not few:
        overlap = _overlap(seen)
    rows = slice(None)
    if required is not None:
        rows = few_labels.nodes(n, np.array(required, dtype=int), most)
    energy = replace(made.energy, operator=operator)
    made = Plan(made.space, energy, made.estimate, rows, required, True, overlap, on_nodes)
    of = f"all {n} points" if required is None else f"{len(seen.X)} of {n} points"
    reason = f"a {operator.n_neighbors}-NN graph over {of}, as an energy of functions"
    return made.chose("operator", operator.name, reason), seen


def is_fully_automatic(space: SpaceSpec, energy: EnergySpec, estimate: EstimateSpec) -> bool:
    """Whether the operator is automatic and no parameter requests kernel functions.

    The trial space may then consist of functions on the nodes of a graph.
    """
    defaults, estimate = SpaceSpec(), with_balance(estimate, automatic=True)[0]
    automatic = energy.operator, energy.mu, space.n_landmarks, space.bandwidth
    names = (space.kernel, defaults.kernel), (space.landmarks, defaults.landmarks)
    return (
        all(map(is_auto, automatic))
        and all(isinstance(value, str) and value == default for value, default in names)
        and space.kernel_params is None
        and _can_pass(estimate)
        and estimate.n_passes > 0
    )


def _overlap(seen: Sample) -> float:
    """The mean overlap of the graph over these rows; 0 where most have none but copies near."""
    X, near = seen.X, seen.neighbours(few_labels.NEIGHBORS)
    if coincide(X, near[:, -1]).mean() > HALF:
        return 0.0
    W = graphs.knn_weights(X, near.shape[1], weights="binary", near=near)
    return graphs.mean_overlap(W)


def with_space(made: Plan, X: Array, papers: bool = True) -> Plan:
    """The plan with p and σ as numbers, for the rows of X, and why they are so.

    By the rules of few labels where the energy was chosen; otherwise by those of
    :mod:`lapviz.fit.auto`, or with the papers' p.
    """
    space, n = made.space, len(X)
    drawn = isinstance(space.landmarks, str)
    if is_auto(space.n_landmarks) and drawn:
        if made.nodes:
            p, reason = n, f"one at each node: neighbours share {made.overlap:.0%} of theirs"
        elif made.automatic:
            p = few_labels.landmarks(n, made.overlap)
            reason = (
                f"{few_labels.share(made.overlap):.0%} of {n} rows, from {few_labels.FEWEST} to "
                f"{few_labels.MOST}: neighbours share {made.overlap:.0%} of theirs"
            )
        elif papers:
            p, reason = PAPERS["n_landmarks"], _NAMED
        else:
            p, reason = auto.landmarks(n), f"a third of {n} samples, from 20 to 300"
        space = replace(space, n_landmarks=p)
        made = made.chose("n_landmarks", p, reason, space=space)
    if not is_auto(space.bandwidth) or isinstance(space.kernel, Kernel):
        return made
    if made.automatic:  # for all landmarks: the graph asks for no smoother functions
        p = space.n_landmarks if drawn else len(space.landmarks)
        reason = f"functions at {p} points overlap, no wider than the data"
        if made.nodes:
            p, X = few_labels.landmarks(n, made.overlap), X[sampling.rows(n, ENOUGH)]
            reason = "how far from the nodes classes are given"
        width = float(auto_bandwidth(X, space.kernel, p))
    else:
        width, reason = auto.bandwidth(X, space), auto.reason_for_bandwidth(space, n)
    return made.chose("bandwidth", width, reason, space=replace(space, bandwidth=width))


def with_balance(
    estimate: EstimateSpec, automatic: bool, report: Report = _NO_CHOICE
) -> tuple[EstimateSpec, Report]:
    """The estimate with its balance and its number of passes, whatever the points, and why.

    ``automatic`` says whether the operator is chosen.
    """
    if is_auto(estimate.balance):
        rule = "scale" if automatic else PAPERS["balance"]
        reason = "few labels leave one class nearly everywhere" if automatic else _NAMED
        estimate, report = replace(estimate, balance=rule), report.choose("balance", rule, reason)
    if is_auto(estimate.n_passes):
        count, reason = PAPERS["n_passes"], _NAMED
        if automatic and _can_pass(estimate):
            count, reason = passes.N_PASSES, "boundaries move to where little of the data is"
        elif automatic:
            reason = "they are for the Tikhonov filter on the labelled points, balanced by scale"
        estimate = replace(estimate, n_passes=count)
        report = report.choose("n_passes", count, reason)
    return estimate, report


def _can_pass(estimate: EstimateSpec) -> bool:
    """Whether passes are made by themselves after such an estimate."""
    usual = estimate.data_term == "labelled" and estimate.filter == "tikhonov"
    return usual and estimate.balance == "scale" and not estimate.fit_intercept


def of_space(X: Array, space: SpaceSpec) -> tuple[SpaceSpec, Report]:
    """p and σ as numbers by the rules of :mod:`lapviz.fit.auto`, and what was chosen."""
    made = with_space(Plan(space, EnergySpec(), EstimateSpec(), slice(None)), X, papers=False)
    return made.space, made.report
