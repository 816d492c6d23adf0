"""The graph Laplacian as a baseline: its nodes, spectrum and class scores, under the cache."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz import fit, graphs
from lapviz.estimates import class_scores
from lapviz.explorer.compute import fits
from lapviz.explorer.compute.cache import Timed, memo, step, timed
from lapviz.explorer.compute.points import Labelled, Sites, labelled, sample, weights_at
from lapviz.explorer.host.limits import MAX_DENSE_GRAPH_SAMPLES, MAX_GRAPH_SAMPLES
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec, LabelSpec
from lapviz.fit import GraphSpec

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Nodes:
    """Graph weights W over the nodes X (m, d): rows of the data, then off-sample labels.

    ``key`` identifies them in the memo; ``by_labels``: whether they depend on the labels.
    """

    W: object
    rows: Array
    X: Array
    key: tuple
    by_labels: bool


def spec_of(settings: Settings) -> GraphSpec:
    """Specification of the baseline; a dense graph takes the kernel's σ."""
    spec = settings.baseline
    if spec.needs_bandwidth:
        spec = replace(spec, bandwidth=fits.method(settings).kernel.bandwidth)
    return spec.relevant()


def _weights_alone(spec: GraphSpec) -> GraphSpec:
    """Specification of the weights alone, so that the cached graph is shared by all methods."""
    return replace(spec, method=GraphSpec.method, alpha=GraphSpec.alpha)


def sampled_rows(data: DataSpec, spec: GraphSpec) -> int | None:
    """Size of the subsample on which the graph is built; None for all samples."""
    limit = MAX_DENSE_GRAPH_SAMPLES if spec.graph == "dense" else MAX_GRAPH_SAMPLES
    return limit if len(sample(data).X) > limit else None


def node_rows(data: DataSpec, spec: GraphSpec, required: tuple[int, ...] = ()) -> Array:
    """Rows on which the graph is built: all, or a seeded subsample and the required ones."""
    n, limit = len(sample(data).X), sampled_rows(data, spec)
    if limit is None:
        return np.arange(n)
    picked = np.random.default_rng(data.random_state).choice(n, limit, replace=False)
    return np.union1d(picked, np.array(required, dtype=int))


def nodes(data: DataSpec, spec: GraphSpec, labels: Labelled | None = None) -> Nodes:
    """Graph over the samples (a seeded subsample of large data) and all labelled points."""
    spec, limit, X = _weights_alone(spec), sampled_rows(data, spec), sample(data).X
    required, added = (), ()  # rows that a subsample must contain, coordinates of further nodes
    if labels is not None:
        off = labels.index < 0
        required = () if limit is None else tuple(labels.index[~off].tolist())
        added = tuple(map(tuple, labels.X[off].tolist()))

    def build() -> Nodes:
        rows = node_rows(data, spec, required)
        points = np.vstack([X[rows], np.array(added).reshape(-1, X.shape[1])])
        W = fit.graph.weights(points, spec)
        return Nodes(W, rows, points, key, bool(required or added))

    key = data, spec, required, added
    return memo(("nodes", *key), build)


@step
def scores(data: DataSpec, spec: GraphSpec, labels: LabelSpec, sites: Sites | None) -> Timed:
    """Scores of the graph at all samples (n, k) and at the sites, with the time of a fit."""
    return timed(lambda: _scores(data, spec, labelled(data, labels), sites))


def _scores(
    data: DataSpec, spec: GraphSpec, labels: Labelled, sites: Sites | None
) -> tuple[Array, Array | None]:
    X, graph = sample(data).X, nodes(data, spec, labels)
    mass = weights_at(data, np.r_[graph.rows, np.full(len(graph.X) - len(graph.rows), -1)])
    one_hot = np.zeros((len(graph.X), sample(data).n_classes))
    one_hot[labels.positions(graph.rows)] = labels.shares(one_hot.shape[1])
    is_labelled = one_hot.any(axis=1)
    W, grounded = graphs.with_mass(graph.W, mass), None
    if spec.method == "harmonic" and not graph.by_labels:  # else each label needs a new one
        grounded = memo(("grounded", *graph.key), lambda: graphs.GroundedLaplacian.of(W))
    shares = fit.graph.shares(W, is_labelled, one_hot[is_labelled], spec, mass, grounded=grounded)

    at_samples = np.empty((len(X), shares.shape[1]))
    at_samples[graph.rows] = shares[: len(graph.rows)]  # nodes need no extension
    unsampled = np.setdiff1d(np.arange(len(X)), graph.rows)
    if len(unsampled):
        at_samples[unsampled] = fit.graph.extend(graph.X, shares, X[unsampled], spec, mass)
    if sites is None:
        return class_scores(at_samples), None
    if spec.graph == "dense":
        at_sites = fit.graph.extend(graph.X, shares, sites.X, spec, mass)
    else:
        neighbours, w = memo(
            ("extension", *graph.key, sites),
            lambda: fit.graph.extension(graph.X, sites.X, spec, mass),
        )
        at_sites = np.einsum("ij,ijk->ik", w, shares[neighbours])
    return class_scores(at_samples), class_scores(at_sites)


def modes(data: DataSpec, spec: GraphSpec, n_modes: int) -> tuple[Nodes, graphs.GraphSpectrum]:
    """Graph over the samples, and the smallest eigenpairs of its unnormalised Laplacian."""
    spec, graph = _weights_alone(spec), nodes(data, spec)
    key = "graph spectrum", data, spec, n_modes
    return graph, memo(key, lambda: graphs.graph_spectrum(graph.W, n_modes))
