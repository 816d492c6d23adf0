"""Specifications with every "auto" replaced, step by step, and the reasons.

plan(sample, labelled, …)  the energy and its rows, p, σ, the balance, the passes (MBO iterations)
  └─ with_mu               μ, from the forms
       └─ with_lam         λ, from the factor of S + μK
            └─ for_labels  λ for the number of labels

On the nodes of a graph, μ and λ follow from one number instead (with_unit).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from lapviz import graphs, kernels
from lapviz.estimates import passes
from lapviz.fit import auto, few_labels
from lapviz.fit.galerkin import Galerkin
from lapviz.fit.reports import Report
from lapviz.fit.rows import StreamedRows
from lapviz.fit.sample import Sample
from lapviz.fit.specs import EnergySpec, EstimateSpec, SpaceSpec
from lapviz.graphs.points import coincide
from lapviz.kernels import Kernel
from lapviz.spaces import auto_bandwidth, sampling

Array = np.ndarray

# Values of "auto" where an operator is named: the papers' estimator.
PAPERS = {"n_landmarks": 200, "lam": 1.0, "balance": None, "n_passes": 0, "mu": "floor"}
_NO_CHOICE = Report()
_NAMED = "as in the papers, since the energy is given"
LINE = 6.0  # factor of σ for eigenfunctions of one variable
WIDTH_ROWS = 2500  # rows from which the distances between 1200 of them are estimated
MAX_DUPLICATES = 0.5  # share of rows: a graph over copies of few rows carries no shape
RIDGE = 1e-4  # λμ on nodes: the penalty of kernel ridge, for k(x, x) about 1
EQUAL_ROWS = (
    "All rows are equal, so no class can be told from another: give features in which they differ."
)


def is_auto(value: object) -> bool:
    """Whether a value is the string "auto"; arrays and objects are not."""
    return isinstance(value, str) and value == "auto"


def papers(spec: object) -> dict[str, object]:
    """The papers' values for those attributes of a specification that are "auto"."""
    return {name: value for name, value in PAPERS.items() if is_auto(getattr(spec, name))}


@dataclass(frozen=True, eq=False)
class Plan:
    """Specifications as far as they are resolved, and the choices made.

    Attributes
    ----------
    space, energy, estimate : SpaceSpec, EnergySpec, EstimateSpec
        If given as "auto", μ stays so until :meth:`with_mu` and λ until :meth:`with_lam`.
    rows : int array or slice
        Rows of the graph over which the energy is taken; otherwise a sample over which scores are
        balanced. A slice, without a copy, where all rows are used.
    required : tuple of int or None
        The labelled rows, where the graph is over these and a sample of the others; None: over all.
    automatic : bool
        Whether the operator is automatic: the rules are then those of few labels.
    overlap : float
        Mean overlap of the neighbourhoods in the automatic graph.
    nodes : bool
        Whether the trial space is that of the graph's nodes, without kernel functions.
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

    def with_choice(self, name: str, value: object, reason: str, **changes: object) -> Plan:
        """The plan with changes, and with the choice added to its report."""
        return replace(self, report=self.report.choose(name, value, reason), **changes)

    def with_unit(self, unit: float) -> Plan:
        """The plan with λ and μ on nodes; ``unit`` is the energy of a change of 1 on every edge."""
        plan, lam = self, float(passes.PASS_ENERGY / unit)
        if is_auto(plan.estimate.lam):
            reason = f"{passes.PASS_ENERGY:g} over the energy of a change of 1 along every edge"
            plan = plan.with_choice("lam", lam, reason, estimate=replace(plan.estimate, lam=lam))
        mu = RIDGE / lam
        reason = f"{RIDGE:g} over the automatic λ, for kernel ridge: nodes have no RKHS norm"
        return plan.with_choice("mu", mu, reason, energy=replace(plan.energy, mu=mu))

    def with_mu(self, method: Galerkin) -> Plan:
        """The plan with μ, from the forms over its rows; a ValueError if these are all equal."""
        mu, kernel = self.energy.mu, method.kernel
        if not isinstance(mu, str):
            return replace(self, energy=replace(self.energy, mu=float(mu)))
        if self.automatic and mu == "auto":
            X, n = method.sample.X, len(method.sample.X)
            value = few_labels.mu(method.assembled(self.estimate.fit_intercept).forms, n)
            if value == 0 and np.ptp(X, axis=0).max() == 0:
                raise ValueError(EQUAL_ROWS)
            reason = (
                f"{value * kernel.bandwidth**2:.2g}/σ², from the traces of energy and RKHS norm at "
                f"n = {n}"
            )
        else:
            value, reason = auto.stated_mu("floor", kernel)
            reason += f", {_NAMED}" if mu == "auto" else ""
        return self.with_choice("mu", value, reason, energy=replace(self.energy, mu=value))

    def with_lam(self, method: Galerkin) -> Plan:
        """The plan with λ, from the factor of S + μK."""
        estimate = self.estimate
        if not is_auto(estimate.lam):
            return self
        if "lam" in dict(estimate.unused()):
            return replace(self, estimate=replace(estimate, lam=EstimateSpec.lam))
        if self.automatic:
            constant = estimate.fit_intercept
            lam = few_labels.lam(method.solver(constant=constant), method.assembled(constant).forms)
            reason = "labels nearly interpolated: 1/100 of the mean of G(x, x), at most two modes"
        else:
            lam, reason = PAPERS["lam"], _NAMED
        return self.with_choice("lam", lam, reason, estimate=replace(estimate, lam=lam))

    def for_labels(self, n_labels: int, n_classes: int) -> Plan:
        """The plan with λ, if it is automatic, adapted to the number of labels."""
        if self.nodes or not self.automatic or "lam" not in self.report.names:
            return self
        # Between copies neighbours say nothing, but the label of a row is that of its copies.
        overlap = self.overlap or few_labels.RELIABLE_OVERLAP
        factor = few_labels.lam_factor(n_labels / max(n_classes, 1), overlap)
        if factor == 1:
            return self
        lam = self.estimate.lam * factor
        graph = f"on a graph in which neighbours share {self.overlap:.0%} of theirs"
        reason = (
            f"{self.report['lam'].reason}, times {factor:.2g} for {n_labels / n_classes:.3g} "
            f"labels per class {graph if self.overlap else 'of rows that mostly have copies'}"
        )
        return self.with_choice("lam", lam, reason, estimate=replace(self.estimate, lam=lam))


def nodes(sample: Sample, required: tuple[int, ...] | None, max_nodes: int | None = None) -> Sample:
    """The rows of a graph: all, or of a large sample the required rows and a random sample.

    ``required`` are the labelled rows, ascending; None: all rows. ``max_nodes`` is as in
    :func:`lapviz.fit.few_labels.nodes`.
    """
    if required is not None:
        name, index = (required, max_nodes), np.array(required, dtype=int)
        return sample.part(name, lambda: few_labels.nodes(len(sample.X), index, max_nodes))
    if isinstance(sample.X, StreamedRows):  # all of them are in memory
        return sample.part("in memory", lambda: slice(None))
    return sample


def plan(
    sample: Sample,
    labelled: Array,
    space: SpaceSpec,
    energy: EnergySpec,
    estimate: EstimateSpec,
) -> tuple[Plan, Sample]:
    """Resolve all that depends only on the points and on which of them are labelled.

    Parameters
    ----------
    sample : Sample
        All points.
    labelled : boolean array (n,), or int array, ascending
        The labelled rows. Of more than 10 000 rows, the graph is over these and a random sample.
    space, energy, estimate : SpaceSpec, EnergySpec, EstimateSpec
        With "auto" for values to be chosen from the data.

    Returns
    -------
    Plan
        μ and λ are still to be chosen, from the forms.
    Sample
        The rows over which the energy is taken.

    Raises
    ------
    ValueError
        If the operator is automatic and there is a single point.
    """
    X, automatic = sample.X, is_auto(energy.operator)
    resolved, graph_sample = Plan(space, energy, estimate, slice(None)), sample
    if automatic:
        resolved, graph_sample = _with_graph(sample, labelled, resolved)
        resolved = with_space(resolved, graph_sample)
    else:
        resolved = with_space(resolved, sample)
        p = auto.n_landmarks(resolved.space, len(X))
        resolved = replace(resolved, rows=sampling.rows(len(X), sampling.size(p, X.shape[1])))
    estimate, report = with_balance(estimate, automatic, resolved.report)
    return replace(resolved, estimate=estimate, report=report), graph_sample


def _with_graph(sample: Sample, labelled: Array, plan: Plan) -> tuple[Plan, Sample]:
    """The plan with the energy of a graph, and the rows of that graph.

    If the plan is fully automatic and the graph over (a sample of) the rows is reliable, the trial
    space is that of its nodes; this does not depend on the labels.
    """
    n, d = sample.X.shape
    if n < 2:
        raise ValueError("Found n_samples = 1, but a graph has at least two nodes: give more.")
    few = n <= few_labels.MOST_NODES
    operator, max_nodes, on_nodes = few_labels.GRAPH, None, False
    required = None if few else tuple(few_labels.row_numbers(labelled).tolist())
    graph_sample = nodes(sample, required)
    overlap = _overlap(graph_sample) if few else 0.0
    if is_fully_automatic(plan.space, plan.energy, plan.estimate):
        if not few:  # overlap of a graph over a sample of the rows, which is not kept
            sampled_rows = few_labels.nodes(n, np.empty(0, dtype=int))
            overlap = sample.keep(("overlap",), lambda: _overlap(Sample.of(sample.X[sampled_rows])))
        on_nodes = few_labels.uses_nodes(n, overlap)
    if on_nodes:
        operator, max_nodes = few_labels.node_operator(n, overlap), few_labels.most_nodes(d)
        required = None if n <= max_nodes else required
        graph_sample = nodes(sample, required, max_nodes)
    elif not few:
        overlap = _overlap(graph_sample)
    rows = slice(None)
    if required is not None:
        rows = few_labels.nodes(n, np.array(required, dtype=int), max_nodes)
    energy = replace(plan.energy, operator=operator)
    plan = Plan(plan.space, energy, plan.estimate, rows, required, True, overlap, on_nodes)
    of = f"all {n} points" if required is None else f"{len(graph_sample.X)} of {n} points"
    k = min(operator.n_neighbors, n - 1)
    reason = f"the {k}-NN graph over {of}, as an energy of functions"
    return plan.with_choice("operator", operator.name, reason), graph_sample


def is_fully_automatic(space: SpaceSpec, energy: EnergySpec, estimate: EstimateSpec) -> bool:
    """Whether the operator is automatic and no parameter requests kernel functions: the trial space
    may then be that of the nodes of a graph."""
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


def _overlap(sample: Sample) -> float:
    """Mean overlap of the graph over these rows; 0 if most have only duplicates as neighbours."""

    def compute() -> float:
        X, neighbours = sample.X, sample.neighbours(few_labels.NEIGHBORS)
        if coincide(X, neighbours[:, -1]).mean() > MAX_DUPLICATES:
            return 0.0
        W = graphs.knn_weights(X, neighbours.shape[1], weights="binary", near=neighbours)
        return graphs.mean_overlap(W)

    return sample.keep(("overlap",), compute)


def with_space(plan: Plan, sample: Sample, papers: bool = True) -> Plan:
    """The plan with p and σ as numbers for the rows of the sample, and the reasons.

    By the rules of few labels if the operator is automatic; otherwise by those of
    :mod:`lapviz.fit.auto`, or with the papers' p.
    """
    X, space = sample.X, plan.space
    n, drawn = len(X), isinstance(space.landmarks, str)
    if is_auto(space.n_landmarks) and drawn:
        if plan.nodes:
            p, reason = n, f"one at each node: neighbours share {plan.overlap:.0%} of theirs"
        elif plan.automatic:
            p = few_labels.landmarks(n, plan.overlap)
            if p == n:
                reason = f"one at each of {n} rows: at least {few_labels.FEWEST} are taken"
            else:
                shared = f"neighbours share {plan.overlap:.0%} of theirs"
                if plan.overlap == 0:
                    shared = "most rows have only copies of themselves as neighbours"
                reason = (
                    f"{few_labels.share(plan.overlap):.0%} of {n} rows, from {few_labels.FEWEST} "
                    f"to {few_labels.MOST}: {shared}"
                )
        elif papers:
            p, reason = min(PAPERS["n_landmarks"], n), _NAMED
        else:
            p, reason = auto.landmarks(n), f"a third of {n} samples, from 20 to 300"
            reason = f"all of {n} samples: at least 20 are taken" if p == n else reason
        space = replace(space, n_landmarks=p)
        plan = plan.with_choice("n_landmarks", p, reason, space=space)
    if not is_auto(space.bandwidth) or isinstance(space.kernel, Kernel):
        return plan
    if plan.automatic:  # σ for all landmarks: the graph needs no smoother functions
        p = min(space.n_landmarks, n) if drawn else len(space.landmarks)
        reason = f"functions at {p} points overlap, no wider than the data"
        if drawn and space.landmarks == "fourier":
            reason = f"as if functions at {p} points were to overlap, no wider than the data"
        if not kernels.get(space.kernel).shift_invariant:
            reason = auto.reason_for_bandwidth(space, n)
        if plan.nodes:
            p, X = few_labels.landmarks(n, plan.overlap), X[sampling.rows(n, WIDTH_ROWS)]
            reason = "the distance from the nodes within which classes are predicted"
        key = "bandwidth", space.kernel, p, plan.nodes
        width = sample.keep(key, lambda: float(auto_bandwidth(X, space.kernel, p)))
    else:
        width, reason = auto.bandwidth(X, space), auto.reason_for_bandwidth(space, n)
    return plan.with_choice("bandwidth", width, reason, space=replace(space, bandwidth=width))


def with_balance(
    estimate: EstimateSpec, automatic: bool, report: Report = _NO_CHOICE
) -> tuple[EstimateSpec, Report]:
    """The estimate with its balance and number of passes, and the reasons; no data are needed.

    ``automatic`` is True if the operator is automatic.
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
            reason = (
                "they need the Tikhonov filter on the labelled points, balanced by scale, without "
                "an unpenalised constant"
            )
        estimate = replace(estimate, n_passes=count)
        report = report.choose("n_passes", count, reason)
    return estimate, report


def _can_pass(estimate: EstimateSpec) -> bool:
    """Whether automatic passes are possible after such an estimate."""
    is_tikhonov = getattr(estimate.filter, "name", estimate.filter) == "tikhonov"
    default = estimate.data_term == "labelled" and is_tikhonov
    return default and estimate.balance == "scale" and not estimate.fit_intercept


def of_space(X: Array, space: SpaceSpec, modes: bool = False) -> tuple[SpaceSpec, Report]:
    """p and σ as numbers by the rules of :mod:`lapviz.fit.auto`, and a report of the choices.

    ``modes``: for eigenfunctions alone. Of one variable σ is then larger: the mean distance is that
    of the densest parts, and functions in the tails, which are many such distances apart, would
    make eigenvalues too large, N(0, 1) has 1.5 for 1 without that.
    """
    plan = with_space(
        Plan(space, EnergySpec(), EstimateSpec(), slice(None)), Sample.of(X), papers=False
    )
    if not (modes and X.shape[1] == 1 and "bandwidth" in [c.name for c in plan.report]):
        return plan.space, plan.report
    choice, rows = plan.report["bandwidth"], X[sampling.rows(len(X), WIDTH_ROWS)]
    width = min(LINE * plan.space.bandwidth, max(plan.space.bandwidth, float(np.std(rows))))
    reason = f"{choice.reason}; {LINE:g} times wider on a line, for the tails"
    plan = plan.with_choice("bandwidth", width, reason, space=replace(plan.space, bandwidth=width))
    return plan.space, plan.report
