"""The graph Laplacian beside the kernel Laplacian: weights, spectrum, labels; cached steps."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from lapviz import graphs
from lapviz.estimates.codes import class_scores, normalised
from lapviz.explorer.cache import step
from lapviz.explorer.hosting import MAX_DENSE_GRAPH_SAMPLES, MAX_GRAPH_SAMPLES
from lapviz.explorer.pipeline import LABELS, TRIAL, Labelled, Places, bandwidth, labels, sample
from lapviz.explorer.settings import Settings

Array = np.ndarray

GRAPH = (*TRIAL, "graph", "graph_neighbors")


@dataclass(frozen=True, eq=False)
class Graph:
    """Weights over the nodes: rows of the data, then points that people added."""

    W: object
    rows: Array
    nodes: Array
    seconds: float


def graph_settings(settings: Settings) -> Settings:
    """The same settings with what the graph does not depend on reset, so that it stays cached."""
    plain = Settings()
    reset = {"neighbors", "directions", "operator", "lam", "mu", "filter", "term", "intercept"}
    if settings.graph == "knn":
        reset |= {"kernel", "sigma", "degree", "p", "landmarks"}
    else:
        reset |= {"graph_neighbors"}
        if settings.sigma is not None:
            reset |= {"kernel", "degree", "p", "landmarks"}
    if settings.method == "harmonic":
        reset |= {"alpha"}
    return replace(settings, **{name: getattr(plain, name) for name in reset})


@step(*GRAPH)
def graph(settings: Settings, must: tuple[int, ...] = (), added: tuple = ()) -> Graph:
    """Graph weights over the samples, or over a seeded subsample of very many.

    ``must`` are rows that a subsample has to hold, ``added`` places of extra nodes.
    """
    X = sample(settings).X
    dense = settings.graph == "dense"
    limit = MAX_DENSE_GRAPH_SAMPLES if dense else MAX_GRAPH_SAMPLES
    rows = np.arange(len(X))
    if len(X) > limit:
        picked = np.random.default_rng(settings.seed).choice(len(X), limit, replace=False)
        rows = np.union1d(picked, np.array(must, dtype=int))
    nodes = np.vstack([X[rows], np.array(added).reshape(-1, X.shape[1])])
    start = time.perf_counter()
    if dense:
        W = graphs.dense_weights(nodes, bandwidth(settings))
    else:
        W = graphs.knn_weights(nodes, settings.graph_neighbors)
    return Graph(W, rows, nodes, time.perf_counter() - start)


@dataclass(frozen=True, eq=False)
class NodeValues:
    """The graph method's class shares at its nodes, and how to read them elsewhere."""

    graph: Graph
    shares: Array
    seconds: float


def graph_shares(settings: Settings, given: Labelled) -> NodeValues:
    """Class shares (n_nodes, K) by the graph method that the settings name."""
    fresh = given.index < 0
    large = len(sample(settings).X) > min(MAX_GRAPH_SAMPLES, MAX_DENSE_GRAPH_SAMPLES)
    found = graph(
        settings,
        tuple(given.index[~fresh].tolist()) if large else (),
        tuple(map(tuple, given.X[fresh].tolist())),
    )
    n_rows = len(found.rows)
    at = np.empty(len(given.codes), dtype=int)
    at[~fresh] = np.searchsorted(found.rows, given.index[~fresh])
    at[fresh] = n_rows + np.arange(fresh.sum())
    labelled = np.zeros(len(found.nodes), dtype=bool)
    labelled[at] = True
    values = np.zeros((len(found.nodes), sample(settings).n_classes))
    values[at, given.codes] = 1.0
    start = time.perf_counter()
    if settings.method == "harmonic":
        shares = graphs.harmonic(found.W, labelled, values[labelled])
    else:
        raw = graphs.spreading(found.W, labelled, values[labelled], settings.alpha)
        shares = normalised(raw, values[labelled].mean(axis=0))
    return NodeValues(found, shares, found.seconds + time.perf_counter() - start)


def graph_extension(settings: Settings, nodes: Array, values: Array, X: Array) -> Array:
    """Values (n, k) at any points: a weighted mean over the nodes nearby."""
    if settings.graph == "dense":
        return graphs.extend_dense(nodes, values, X, bandwidth(settings))
    return graphs.extend_knn(nodes, values, X, settings.graph_neighbors)


@step(*GRAPH, *LABELS, "method", "alpha")
def graph_scores(settings: Settings, sites: Places | None) -> tuple[Array, Array | None, float]:
    """The graph's scores at all samples (n, k) and at the sites, and the seconds of a fit."""
    X = sample(settings).X
    found = graph_shares(settings, labels(settings))
    nodes, rows = found.graph.nodes, found.graph.rows
    start = time.perf_counter()
    at = np.empty((len(X), found.shares.shape[1]))
    at[rows] = found.shares[: len(rows)]  # nodes have values of their own
    others = np.setdiff1d(np.arange(len(X)), rows)
    if len(others):
        at[others] = graph_extension(settings, nodes, found.shares, X[others])
    seconds = found.seconds + time.perf_counter() - start
    there = None
    if sites is not None:
        there = class_scores(graph_extension(settings, nodes, found.shares, sites.X))
    return class_scores(at), there, seconds


@step(*GRAPH)
def graph_modes(settings: Settings, n_modes: int) -> tuple[Graph, graphs.GraphSpectrum]:
    """Smallest eigenpairs of the unnormalised graph Laplacian."""
    found = graph(settings)
    return found, graphs.graph_spectrum(found.W, n_modes)
