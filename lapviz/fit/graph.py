"""The steps of the graph baseline: weights, class shares at the nodes, values elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from lapviz import graphs
from lapviz.estimates import codes, passes
from lapviz.estimates.nodes import PASS_ENERGY, Nodes
from lapviz.fit import few_labels, guard
from lapviz.fit.few_labels import Proportions
from lapviz.fit.report import Report
from lapviz.fit.specs import EstimateSpec, GraphSpec
from lapviz.spaces import auto_bandwidth

Array = np.ndarray

ROUGH = 1e-6  # relative residual of what passes without some of the labels begin with


def resolve(X: Array, spec: GraphSpec) -> GraphSpec:
    """The specification with σ as a number if it is used; "auto" depends on X (n, d)."""
    if not spec.needs_bandwidth or spec.bandwidth != "auto":
        return spec
    return replace(spec, bandwidth=float(auto_bandwidth(X)))


def weights(nodes: Array, spec: GraphSpec, mass: Array | None = None):
    """Weights (n, n) over the nodes (n, d): sparse for a k-NN graph, else an array.

    Masses (n,) of the nodes multiply them (:func:`lapviz.graphs.with_mass`).
    """
    if spec.graph == "dense":
        return graphs.with_mass(graphs.dense_weights(nodes, spec.bandwidth), mass)
    width = spec.bandwidth if spec.needs_bandwidth else None
    W = graphs.knn_weights(nodes, spec.n_neighbors, weights=spec.weights, bandwidth=width)
    return graphs.with_mass(W, mass)


def shares(
    W,
    labelled: Array,
    one_hot: Array,
    spec: GraphSpec,
    mass: Array | None = None,
    rtol: float = 1e-13,
) -> Array:
    """Class shares (n_nodes, K), rows of sum 1, from labels.

    Parameters
    ----------
    W : weights over the nodes
    labelled : boolean array (n_nodes,)
    one_hot : array (n_labelled, K)
    spec : GraphSpec
    mass : array (n_nodes,), optional
        Masses of the nodes, with which W was made.
    rtol : float
        Of :func:`lapviz.graphs.harmonic`.

    Notes
    -----
    A node that is not connected to a label gets the labels' class frequencies.
    """
    of_labels = None if mass is None else mass[labelled]
    if spec.method == "harmonic":
        values = graphs.harmonic(W, labelled, one_hot, label_weights=of_labels, rtol=rtol)
    elif mass is None:
        values = graphs.spreading(W, labelled, one_hot, spec.alpha)
    else:  # copies of a node have equal values f: √s f is spread from √s y
        root = np.sqrt(mass)[:, None]
        values = graphs.spreading(W, labelled, root[labelled] * one_hot, spec.alpha) / root
    return codes.normalised(values, np.average(one_hot, axis=0, weights=of_labels))


@dataclass(frozen=True, eq=False)
class NodeClasses:
    """Classes at the nodes.

    Attributes
    ----------
    shares : array (n_nodes, K), after balance and passes
    temperature : float or None, T of probabilities ∝ exp(share/T); None: the shares are those
    report : Report, what became of the passes
    """

    shares: Array
    temperature: float | None = None
    report: Report = field(default_factory=Report)


def classify(
    W,
    labelled: Array,
    classes: Array,
    spec: GraphSpec,
    estimate: EstimateSpec,
    proportions: Proportions | None = None,
    mass: Array | None = None,
) -> NodeClasses:
    """Class shares at the nodes by :func:`shares`, balanced, and after passes of thresholding.

    Parameters
    ----------
    W : weights over the nodes
    labelled : boolean array (n_nodes,)
    classes : int array (n_labelled,)
        Codes 0, …, K − 1, each class at least once.
    spec : GraphSpec
    estimate : EstimateSpec
        Of which ``balance`` and ``n_passes`` count.
    proportions : Proportions, optional
        Of the classes, by default from the labels (:func:`lapviz.fit.few_labels.proportions`).
    mass : array (n_nodes,), optional
        Masses of the nodes, with which W was made.

    Raises
    ------
    ValueError
        If there are to be passes without a balance.

    Notes
    -----
    Passes are guarded as those of a classifier that chooses its energy (:mod:`lapviz.fit.guard`).
    """
    one_hot = np.eye(classes.max() + 1)[classes]
    n_classes, weights = one_hot.shape[1], np.ones(W.shape[0]) if mass is None else mass
    start = shares(W, labelled, one_hot, spec, mass)
    if estimate.n_passes and estimate.balance is None:
        raise ValueError('n_passes needs class proportions: set balance="scale", or n_passes=0.')
    if n_classes < 2 or estimate.balance is None:
        return NodeClasses(start)
    if proportions is None:
        counts = np.average(one_hot, axis=0, weights=weights[labelled]) * len(classes)
        overlap = graphs.mean_overlap(W) if estimate.n_passes else 1.0
        proportions = few_labels.proportions(counts, overlap=overlap)
    prior, rule = proportions.shares, estimate.balance
    scores = codes.class_scores(start)
    if not estimate.n_passes:
        balanced = codes.balance(scores, prior, rule, weights=weights)(scores)
        return NodeClasses(codes.normalised(codes.class_shares(balanced, n_classes), prior))

    places, nodes = np.flatnonzero(labelled), Nodes.of(W, mass)
    held = guard.folds(classes, W[places] @ start)  # the labels' own shares are all alike
    before = [scores]
    for fold in held:
        rest = np.delete(np.arange(len(classes)), fold)
        some = np.zeros(len(labelled), dtype=bool)
        some[places[rest]] = True
        before.append(codes.class_scores(shares(W, some, one_hot[rest], spec, mass, ROUGH)))
    runs = passes.threshold_passes(
        nodes, guard.known(places, classes, held, len(start)), before, PASS_ENERGY, prior,
        estimate.n_passes, proportions.strength,
    )  # fmt: skip
    verdict, balance = guard.judge_passes(before, runs, rule, prior, held, places, classes, weights)
    report = verdict.reported(Report().choose("n_passes", estimate.n_passes, "as asked for"))
    after = codes.class_shares(balance(scores), n_classes) if verdict.undone else runs[0].shares
    return NodeClasses(after, verdict.temperature, report)


def extend(
    nodes: Array, values: Array, X: Array, spec: GraphSpec, mass: Array | None = None, W=None
) -> Array:
    """Values (m, k) at any points X (m, d): a weighted mean over nearby nodes.

    With the weights W of the nodes at hand, "shared" ones need not be found again.
    """
    if spec.graph == "dense":
        return graphs.extend_dense(nodes, values, X, spec.bandwidth, mass=mass)
    width = spec.bandwidth if spec.needs_bandwidth else None
    return graphs.extend_knn(
        nodes,
        values,
        X,
        spec.n_neighbors,
        weights=spec.weights,
        bandwidth=width,
        mass=mass,
        graph=W,
    )
