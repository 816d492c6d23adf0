"""The graph Laplacian as a baseline: weights, spectrum, label propagation; cached steps."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from lapviz import fit, graphs
from lapviz.estimates import class_scores
from lapviz.explorer.compute.cache import step
from lapviz.explorer.compute.steps import Labelled, Sites, kernel, labelled, sample, timed
from lapviz.explorer.host.limits import MAX_DENSE_GRAPH_SAMPLES, MAX_GRAPH_SAMPLES
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec, LabelSpec
from lapviz.fit import GraphSpec

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Nodes:
    """Graph weights over the nodes X (m, d): rows of the data, then points added by free labels."""

    W: object
    rows: Array
    X: Array
    seconds: float


def spec_of(settings: Settings) -> GraphSpec:
    """The specification of the baseline; a dense graph takes the kernel's σ."""
    spec = settings.baseline
    if spec.needs_bandwidth:
        width = kernel(settings.data, settings.space.relevant()).bandwidth
        spec = replace(spec, bandwidth=width)
    return spec.relevant()


def _weights_alone(spec: GraphSpec) -> GraphSpec:
    """The specification of the weights alone: the cached graph does not depend on the method."""
    return replace(spec, method=GraphSpec.method, alpha=GraphSpec.alpha)


def sampled_rows(data: DataSpec, spec: GraphSpec) -> int | None:
    """How many samples the graph is built on; None for all of them."""
    limit = MAX_DENSE_GRAPH_SAMPLES if spec.graph == "dense" else MAX_GRAPH_SAMPLES
    return limit if len(sample(data).X) > limit else None


@step
def _nodes(data: DataSpec, spec: GraphSpec, must: tuple[int, ...], added: tuple) -> Nodes:
    """Graph weights over the samples, or over a seeded subsample of a large data set.

    ``must`` are rows that the subsample has to include, ``added`` coordinates of extra nodes.
    """
    X = sample(data).X
    rows, limit = np.arange(len(X)), sampled_rows(data, spec)
    if limit is not None:
        picked = np.random.default_rng(data.random_state).choice(len(X), limit, replace=False)
        rows = np.union1d(picked, np.array(must, dtype=int))
    points = np.vstack([X[rows], np.array(added).reshape(-1, X.shape[1])])
    weights = timed(fit.graph.weights, points, spec)
    return Nodes(weights.value, rows, points, weights.seconds)


def nodes(data: DataSpec, spec: GraphSpec, given: Labelled | None = None) -> Nodes:
    """The graph of a specification, with every labelled point among its nodes."""
    must: tuple[int, ...] = ()
    added: tuple = ()
    if given is not None:
        free = given.index < 0
        if len(sample(data).X) > min(MAX_GRAPH_SAMPLES, MAX_DENSE_GRAPH_SAMPLES):
            must = tuple(given.index[~free].tolist())
        added = tuple(map(tuple, given.X[free].tolist()))
    return _nodes(data, _weights_alone(spec), must, added)


@dataclass(frozen=True, eq=False)
class NodeShares:
    """The graph method's class shares (m, K) at its nodes, and the seconds of a fit."""

    nodes: Nodes
    shares: Array
    seconds: float


def masses(data: DataSpec, graph: Nodes) -> Array | None:
    """Masses of the nodes: weights of the rows, the mean for free labels; None if all are equal."""
    weights = sample(data).weights
    if weights is None:
        return None
    return np.r_[weights[graph.rows], np.full(len(graph.X) - len(graph.rows), weights.mean())]


def node_shares(data: DataSpec, spec: GraphSpec, given: Labelled) -> NodeShares:
    """Class shares at the nodes by the graph method."""
    graph = nodes(data, spec, given)
    free = given.index < 0
    at = np.empty(len(given.codes), dtype=int)
    at[~free] = np.searchsorted(graph.rows, given.index[~free])
    at[free] = len(graph.rows) + np.arange(free.sum())
    one_hot = np.zeros((len(graph.X), sample(data).n_classes))
    one_hot[at] = given.shares(one_hot.shape[1])
    is_labelled = one_hot.any(axis=1)
    mass = masses(data, graph)
    W = graphs.with_mass(graph.W, mass)
    solved = timed(fit.graph.shares, W, is_labelled, one_hot[is_labelled], spec, mass)
    return NodeShares(graph, solved.value, graph.seconds + solved.seconds)


@step
def scores(
    data: DataSpec, spec: GraphSpec, labels: LabelSpec, sites: Sites | None
) -> tuple[Array, Array | None, float]:
    """The graph's scores at all samples (n, k) and at the sites, and the seconds of a fit."""
    X = sample(data).X
    at_nodes = node_shares(data, spec, labelled(data, labels))
    graph, shares = at_nodes.nodes, at_nodes.shares
    start = time.perf_counter()
    at = np.empty((len(X), shares.shape[1]))
    at[graph.rows] = shares[: len(graph.rows)]  # at the nodes nothing is extended
    others = np.setdiff1d(np.arange(len(X)), graph.rows)
    if len(others):
        at[others] = fit.graph.extend(graph.X, shares, X[others], spec, masses(data, graph))
    seconds = at_nodes.seconds + time.perf_counter() - start
    there = None
    if sites is not None:
        values = fit.graph.extend(graph.X, shares, sites.X, spec, masses(data, graph))
        there = class_scores(values)
    return class_scores(at), there, seconds


@step
def _spectrum(data: DataSpec, weights: GraphSpec, n_modes: int) -> graphs.GraphSpectrum:
    return graphs.graph_spectrum(nodes(data, weights).W, n_modes)


def modes(data: DataSpec, spec: GraphSpec, n_modes: int) -> tuple[Nodes, graphs.GraphSpectrum]:
    """The graph and the smallest eigenpairs of its unnormalised Laplacian."""
    weights = _weights_alone(spec)
    return nodes(data, weights), _spectrum(data, weights, n_modes)
