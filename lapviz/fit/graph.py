"""The steps of the graph baseline: weights, class shares at the nodes, values elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz import graphs
from lapviz.estimates import codes
from lapviz.fit.specs import GraphSpec
from lapviz.spaces import auto_bandwidth

Array = np.ndarray


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


def shares(W, labelled: Array, one_hot: Array, spec: GraphSpec, mass: Array | None = None) -> Array:
    """Class shares (n_nodes, K), rows of sum 1, from labels.

    Parameters
    ----------
    W : weights over the nodes
    labelled : boolean array (n_nodes,)
    one_hot : array (n_labelled, K)
    spec : GraphSpec
    mass : array (n_nodes,), optional
        Masses of the nodes, with which W was made.

    Notes
    -----
    A node that is not connected to a label gets the labels' class frequencies.
    """
    of_labels = None if mass is None else mass[labelled]
    if spec.method == "harmonic":
        values = graphs.harmonic(W, labelled, one_hot, label_weights=of_labels)
    elif mass is None:
        values = graphs.spreading(W, labelled, one_hot, spec.alpha)
    else:  # copies of a node have equal values f: √s f is spread from √s y
        root = np.sqrt(mass)[:, None]
        values = graphs.spreading(W, labelled, root[labelled] * one_hot, spec.alpha) / root
    return codes.normalised(values, np.average(one_hot, axis=0, weights=of_labels))


def extend(
    nodes: Array, values: Array, X: Array, spec: GraphSpec, mass: Array | None = None
) -> Array:
    """Values (m, k) at any points X (m, d): a weighted mean over nearby nodes."""
    if spec.graph == "dense":
        return graphs.extend_dense(nodes, values, X, spec.bandwidth, mass=mass)
    width = spec.bandwidth if spec.needs_bandwidth else None
    return graphs.extend_knn(
        nodes, values, X, spec.n_neighbors, weights=spec.weights, bandwidth=width, mass=mass
    )
