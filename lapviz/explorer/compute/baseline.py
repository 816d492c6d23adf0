"""The graph Laplacian as a baseline: its nodes, spectrum and class scores, under the cache."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz import fit, graphs
from lapviz.estimates import class_scores
from lapviz.explorer.compute import fits
from lapviz.explorer.compute.cache import Timed, memo, step, timed
from lapviz.explorer.compute.points import Labelled, Sites, labelled, sample
from lapviz.explorer.host.limits import MAX_DENSE_GRAPH_SAMPLES, MAX_GRAPH_SAMPLES
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec, LabelSpec
from lapviz.fit import GraphSpec

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Nodes:
    """Graph weights over the nodes X (m, d): rows of the data, then labels off the sample.

    ``key`` names them in the memo, ``asked`` tells whether labels were among what they depend on.
    """

    W: object
    rows: Array
    X: Array
    key: tuple
    asked: bool


def spec_of(settings: Settings) -> GraphSpec:
    """The specification of the baseline; a dense graph takes the kernel's σ."""
    spec = settings.baseline
    if spec.needs_bandwidth:
        spec = replace(spec, bandwidth=fits.method(settings).kernel.bandwidth)
    return spec.relevant()


def _weights_alone(spec: GraphSpec) -> GraphSpec:
    """The specification of the weights alone: the cached graph does not depend on the method."""
    return replace(spec, method=GraphSpec.method, alpha=GraphSpec.alpha)


def sampled_rows(data: DataSpec, spec: GraphSpec) -> int | None:
    """How many samples the graph is built on; None for all of them."""
    limit = MAX_DENSE_GRAPH_SAMPLES if spec.graph == "dense" else MAX_GRAPH_SAMPLES
    return limit if len(sample(data).X) > limit else None


def nodes(data: DataSpec, spec: GraphSpec, given: Labelled | None = None) -> Nodes:
    """The graph over the samples, or of a large data set over a seeded subsample of them; with
    every labelled point among its nodes."""
    spec, limit, X = _weights_alone(spec), sampled_rows(data, spec), sample(data).X
    required, added = (), ()  # rows of a subsample, coordinates of further nodes
    if given is not None:
        off = given.index < 0
        required = () if limit is None else tuple(given.index[~off].tolist())
        added = tuple(map(tuple, given.X[off].tolist()))

    def build() -> Nodes:
        rows = np.arange(len(X))
        if limit is not None:
            picked = np.random.default_rng(data.random_state).choice(len(X), limit, replace=False)
            rows = np.union1d(picked, np.array(required, dtype=int))
        points = np.vstack([X[rows], np.array(added).reshape(-1, X.shape[1])])
        W = fit.graph.weights(points, spec)
        return Nodes(W, rows, points, key, bool(required or added))

    key = data, spec, required, added
    return memo(("nodes", *key), build)


def _masses(data: DataSpec, graph: Nodes) -> Array | None:
    """Masses of the nodes: weights of the rows, their mean off them; None if all are equal."""
    weights = sample(data).weights
    if weights is None:
        return None
    return np.r_[weights[graph.rows], np.full(len(graph.X) - len(graph.rows), weights.mean())]


@step
def scores(data: DataSpec, spec: GraphSpec, labels: LabelSpec, sites: Sites | None) -> Timed:
    """The graph's scores at all samples (n, k) and at the sites, and the seconds of a fit."""
    return timed(lambda: _scores(data, spec, labelled(data, labels), sites))


def _scores(
    data: DataSpec, spec: GraphSpec, given: Labelled, sites: Sites | None
) -> tuple[Array, Array | None]:
    X, graph, off = sample(data).X, nodes(data, spec, given), given.index < 0
    mass = _masses(data, graph)
    at = np.empty(len(given.index), dtype=int)
    at[~off] = np.searchsorted(graph.rows, given.index[~off])
    at[off] = len(graph.rows) + np.arange(off.sum())
    one_hot = np.zeros((len(graph.X), sample(data).n_classes))
    one_hot[at] = given.shares(one_hot.shape[1])
    is_labelled = one_hot.any(axis=1)
    W, grounded = graphs.with_mass(graph.W, mass), None
    if spec.method == "harmonic" and not graph.asked:  # else it would be new for every label
        find = lambda: graphs.GroundedLaplacian.of(W)  # noqa: E731
        grounded = memo(("grounded", *graph.key), find)
    shares = fit.graph.shares(W, is_labelled, one_hot[is_labelled], spec, mass, grounded=grounded)

    found = np.empty((len(X), shares.shape[1]))
    found[graph.rows] = shares[: len(graph.rows)]  # at the nodes nothing is extended
    others = np.setdiff1d(np.arange(len(X)), graph.rows)
    if len(others):
        found[others] = fit.graph.extend(graph.X, shares, X[others], spec, mass)
    if sites is None:
        return class_scores(found), None
    if spec.graph == "dense":
        there = fit.graph.extend(graph.X, shares, sites.X, spec, mass)
    else:
        search = lambda: fit.graph.extension(graph.X, sites.X, spec, mass)  # noqa: E731
        near, w = memo(("extension", *graph.key, sites), search)
        there = np.einsum("ij,ijk->ik", w, shares[near])
    return class_scores(found), class_scores(there)


def modes(data: DataSpec, spec: GraphSpec, n_modes: int) -> tuple[Nodes, graphs.GraphSpectrum]:
    """The graph and the smallest eigenpairs of its unnormalised Laplacian."""
    spec, graph = _weights_alone(spec), nodes(data, spec)
    find = lambda: graphs.graph_spectrum(graph.W, n_modes)  # noqa: E731
    return graph, memo(("graph spectrum", data, spec, n_modes), find)
