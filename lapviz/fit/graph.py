"""The steps of the graph baseline: weights, class shares at the nodes, out-of-sample extension."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz import graphs, operators
from lapviz.checks import row_shares
from lapviz.estimates import codes
from lapviz.estimates.passes import Nodes
from lapviz.fit import few_labels, guard
from lapviz.fit.few_labels import Proportions
from lapviz.fit.problems import Solution
from lapviz.fit.specs import EstimateSpec, GraphSpec
from lapviz.fit.supervised import Supervised
from lapviz.spaces import auto_bandwidth

Array = np.ndarray

MAX_MEASURE = 2_000_000  # entries of the solution for each label, from which all folds follow
# Relative residuals of the start of the passes: from all labels, and without those of a fold.
START, ROUGH = 1e-5, 1e-4
EXACT = 1e-13


def resolve(X: Array, spec: GraphSpec) -> GraphSpec:
    """The specification with σ as a number if it is used; "auto" depends on X (n, d)."""
    if not spec.needs_bandwidth or spec.bandwidth != "auto":
        return spec
    return replace(spec, bandwidth=float(auto_bandwidth(X)))


def weights(nodes: Array, spec: GraphSpec, mass: Array | None = None):
    """Weights (n, n) over the nodes (n, d): sparse for a k-NN graph, else an array.

    Masses (n,) of the nodes multiply them (:func:`lapviz.graphs.with_mass`).
    """
    graph = operators.Graph(spec.n_neighbors, spec.weights, spec.graph, bandwidth=spec.bandwidth)
    return graphs.with_mass(graph.weights_of(nodes), mass)


def shares(
    W,
    labelled: Array,
    one_hot: Array,
    spec: GraphSpec,
    mass: Array | None = None,
    rtol: float = EXACT,
    grounded: graphs.GroundedLaplacian | None = None,
) -> Array:
    """Class shares (n_nodes, K), rows of sum 1, from labels.

    Parameters
    ----------
    W : weights over the nodes
    labelled : int array (n_labelled,) or boolean array (n_nodes,)
    one_hot : array (n_labelled, K)
    spec : GraphSpec
    mass : array (n_nodes,), optional
        Masses of the nodes, already in W (:func:`lapviz.graphs.with_mass`).
    rtol, grounded
        As in :func:`lapviz.graphs.harmonic`.

    Notes
    -----
    A node that is not connected to a label gets the labels' class frequencies.
    """
    label_mass = None if mass is None else mass[labelled]
    if spec.method == "harmonic":
        values = graphs.harmonic(
            W, labelled, one_hot, label_weights=label_mass, rtol=rtol, grounded=grounded
        )
    elif mass is None:
        values = graphs.spreading(W, labelled, one_hot, spec.alpha)
    else:  # copies of a node have equal values f: √s f is spread from √s y
        root = np.sqrt(mass)[:, None]
        values = graphs.spreading(W, labelled, root[labelled] * one_hot, spec.alpha) / root
    return codes.normalised(values, np.average(one_hot, axis=0, weights=label_mass))


def _solves_each_label(W, classes: Array, spec: GraphSpec) -> bool:
    """Whether to solve for each label separately; all folds then follow from this."""
    m, counts = len(classes), np.bincount(classes)
    few = W.shape[0] * m <= MAX_MEASURE or m <= min(guard.FOLDS, counts.max()) * len(counts)
    return spec.method == "harmonic" and few and bool(counts.max() > 1)


def classify(
    W,
    labelled: Array,
    classes: Array,
    spec: GraphSpec,
    estimate: EstimateSpec,
    proportions: Proportions | None = None,
    mass: Array | None = None,
    supervised: Supervised | None = None,
    overlap: float | None = None,
    nodes: Nodes | None = None,
    grounded: graphs.GroundedLaplacian | None = None,
) -> Solution:
    """Scores at the nodes, balance and passes of thresholding (MBO iterations).

    Parameters
    ----------
    W : weights over the nodes
    labelled : boolean array (n_nodes,)
    classes : int array (n_labelled,)
        Codes 0, …, K − 1.
    spec : GraphSpec
    estimate : EstimateSpec
        Of it ``balance``, ``n_passes`` and their λ are used, for a Laplacian of mean degree 1, and
        ``class_prior``.
    proportions : Proportions, optional
        Class proportions, by default those that the estimate states, or from the labels
        (:func:`lapviz.fit.few_labels.proportions`).
    mass : array (n_nodes,), optional
        Masses of the nodes, already in W (:func:`lapviz.graphs.with_mass`).
    supervised : Supervised, optional
        Regressions on the same labels, to be combined with the graph.
    overlap : float, optional
        Mean overlap of the graph's neighbourhoods, by default that of W.
    nodes : Nodes, optional
        Those of W, if already computed.
    grounded : GroundedLaplacian, optional
        That of W, as in :func:`lapviz.graphs.harmonic`.

    Returns
    -------
    Solution
        Its coefficients are the scores at the nodes (n_nodes, k).

    Raises
    ------
    ValueError
        If passes are requested without a balance.
    """
    K = int(classes.max()) + 1
    proportions = proportions or few_labels.given_proportions(estimate.class_prior, K)
    one_hot, weights = np.eye(K)[classes], np.ones(W.shape[0]) if mass is None else mass
    if estimate.n_passes and estimate.balance is None:
        raise ValueError('n_passes needs class proportions: set balance="scale", or n_passes=0.')
    positions, measure = np.flatnonzero(labelled), None
    if overlap is None:
        overlap = graphs.mean_overlap(W) if estimate.n_passes else 1.0
    trust = few_labels.trust(overlap)

    def equalised(parts: Array) -> Array:
        """Codes of labels, scaled so that the part of each in the sample is in proportion to its
        weight, as far as the graph is reliable.

        The part of a label is the mean of its harmonic measure. It depends on how well its node is
        connected to others, which carries no information on its class.
        """
        factors = np.divide(weights[positions], parts, out=np.zeros_like(parts), where=parts > 0)
        factors = factors**trust
        return one_hot * (factors / factors.max())[:, None]

    if K > 1 and estimate.n_passes and _solves_each_label(W, classes, spec):
        measure = graphs.harmonic(
            W, positions, np.eye(len(positions)),
            label_weights=None if mass is None else mass[positions], rtol=START, grounded=grounded,
        )  # fmt: skip
        parts = codes.means(measure, weights)
        start = codes.normalised(measure @ equalised(parts), 1 / K)
    else:
        rtol = START if estimate.n_passes else EXACT
        start = shares(W, labelled, one_hot, spec, mass, rtol, grounded)
    scores = codes.class_scores(start) if K > 1 else np.zeros_like(start)
    if K < 2 or estimate.balance is None:
        return Solution(scores)
    if proportions is None:
        counts = len(classes) * row_shares(weights[labelled], len(classes))[:, None] * one_hot
        proportions = few_labels.proportions(counts, overlap=overlap)
    if not estimate.n_passes:
        rule, prior = estimate.balance, proportions.shares
        return Solution(scores, codes.balance(scores, prior, rule, weights=weights))
    nodes = Nodes.of(W, mass) if nodes is None else nodes
    # By the shares of the labels' neighbours: those of the labels themselves are all alike.
    folds = guard.folds(classes, W[positions] @ start)
    if measure is None:
        without_folds = [
            shares(
                W, np.delete(positions, fold), np.delete(one_hot, fold, axis=0), spec, mass, ROUGH,
                grounded,
            )
            for fold in folds
        ]  # fmt: skip
    else:
        without_folds = [
            codes.normalised(measure @ (transfer @ equalised(parts @ transfer)), 1 / K)
            for transfer in graphs.without_labels(W, positions, measure, folds)
        ]
    before = [scores, *map(codes.class_scores, without_folds)]
    return guard.guarded_passes(
        nodes, before, folds, positions, classes, proportions, estimate, scores, W, supervised
    )


def extend(
    nodes: Array, values: Array, X: Array, spec: GraphSpec, mass: Array | None = None, W=None
) -> Array:
    """Values (m, k) at any points X (m, d): a weighted mean over nearby nodes.

    If the weights W of the nodes are given, "shared" weights are not computed again.
    """
    if spec.graph == "dense":
        return graphs.extend_dense(nodes, values, X, spec.bandwidth, mass=mass)
    return graphs.extend_knn(nodes, values, X, **_extension_options(spec, mass, W))


def extension(
    nodes: Array, X: Array, spec: GraphSpec, mass: Array | None = None
) -> tuple[Array, Array]:
    """The nodes of a k-NN graph nearest to points X (m, d), and their weights, both (m, k)."""
    return graphs.knn_extension(nodes, X, **_extension_options(spec, mass))[:2]


def _extension_options(spec: GraphSpec, mass: Array | None, W=None) -> dict:
    """Arguments of :func:`lapviz.graphs.extend_knn` from a specification."""
    width = spec.bandwidth if spec.needs_bandwidth else None
    return {"n_neighbors": spec.n_neighbors, "weights": spec.weights, "bandwidth": width,
            "mass": mass, "graph": W}  # fmt: skip
