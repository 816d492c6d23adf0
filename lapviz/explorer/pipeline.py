"""The cached steps from settings to numbers: data, trial space, spectrum, estimates.

Each step is cached under the settings that it depends on and no others, in one store with one
budget of bytes, so that what people move most (λ, the filter, a label) repeats only the cheapest.
Nothing here knows Streamlit.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace

import cachetools
import numpy as np

from lapviz import (
    bandwidths,
    datasets,
    estimates,
    forms,
    graphs,
    kernels,
    landmarks,
    operators,
    spectra,
    tangents,
)
from lapviz.estimators.base import resolve_mu
from lapviz.explorer.hosting import (
    CACHE_BYTES,
    LOCAL_MODES,
    MAX_DENSE_GRAPH_SAMPLES,
    MAX_GRAPH_SAMPLES,
)
from lapviz.explorer.settings import KNOWN_TANGENTS, Settings, dataset_options
from lapviz.trial_spaces import KernelSpace

Array = np.ndarray

_DATA = ("data", "n", "noise", "seed", "options")
_TANGENTS = (*_DATA, "neighbors", "directions")
_TRIAL = (*_TANGENTS, "kernel", "sigma", "degree", "p", "landmarks", "operator")
_PENALTY = (*_TRIAL, "mu", "intercept")
_GRAPH = (*_TRIAL, "graph", "graph_neighbors")
_LABELS = ("marks", "per_class")


def size_of(value: object) -> int:
    """Bytes of the arrays in a value, for the cache's budget."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if is_dataclass(value):
        inner = (getattr(value, f.name) for f in fields(value))
        return 512 + sum(size_of(v) for v in inner) + size_of(vars(value).get("gram"))
    if isinstance(value, tuple | list):
        return 64 + sum(size_of(v) for v in value)
    parts = (getattr(value, name, None) for name in ("data", "indices", "indptr"))  # sparse
    return 64 + sum(v.nbytes for v in parts if isinstance(v, np.ndarray))


CACHE: cachetools.LRUCache = cachetools.LRUCache(maxsize=CACHE_BYTES, getsizeof=size_of)
_LOCK = threading.RLock()


def step(*names: str) -> Callable:
    """Cache a function of settings under the named ones, and any further hashable arguments."""

    def wrap(function: Callable) -> Callable:
        def key(settings: Settings, *more: object) -> tuple:
            return function.__name__, *(getattr(settings, n) for n in names), *more

        cached = cachetools.cached(CACHE, key=key, lock=_LOCK)(function)
        return functools.wraps(function)(cached)

    return wrap


@dataclass(frozen=True, eq=False)
class Trial:
    """Trial space with the constant, its forms, and how long they took."""

    space: KernelSpace
    forms: forms.Forms
    seconds: float

    def without_constant(self) -> Trial:
        """The same test functions alone: the estimates' trial space."""
        f = self.forms
        inner = forms.Forms(f.mass[1:, 1:], f.stiffness[1:, 1:], f.gram[1:, 1:], f.n_samples)
        return Trial(replace(self.space, constant=False), inner, self.seconds)


@dataclass(frozen=True)
class Places:
    """Points X (m, d) to evaluate at, known to the cache by their key."""

    key: str
    X: Array = field(compare=False, hash=False)


@dataclass(frozen=True, eq=False)
class Labels:
    """The labelled points: X (m, d), rows of the data or -1, codes (m,)."""

    X: Array
    index: Array
    codes: Array


@step(*_DATA, "per_class")
def sample(settings: Settings) -> datasets.Dataset:
    """The data set, with its own labels."""
    return datasets.load(
        settings.data,
        n_samples=settings.n,
        noise=settings.noise,
        random_state=settings.seed,
        labels_per_class=settings.per_class,
        **dataset_options(settings),
    )


@step(*_TANGENTS)
def learnt_tangents(settings: Settings) -> tangents.Tangents:
    """Local PCA at every sample: it does not depend on the kernel."""
    return tangents.learn_tangents(
        sample(settings).X, settings.neighbors or "auto", settings.directions or "auto"
    )


def operator_of(settings: Settings):
    """The operator object that the settings name."""
    if settings.operator == "known":
        return operators.get(KNOWN_TANGENTS[settings.data])
    if settings.operator == "tangent":
        found = learnt_tangents(settings)
        if found.n_directions < found.frames.shape[2]:
            return operators.GivenDirections(found.frames)
    return operators.Laplacian()


@step(*_DATA, "p", "landmarks")
def centres(settings: Settings) -> Array:
    """Landmarks c_1, …, c_p."""
    return landmarks.choose(sample(settings).X, settings.p, settings.landmarks, settings.seed)


@step(*_DATA, "kernel", "sigma", "p", "landmarks")
def bandwidth(settings: Settings) -> float:
    """σ as a number."""
    if settings.sigma is not None:
        return settings.sigma
    return bandwidths.auto_bandwidth(
        sample(settings).X,
        kernel=settings.kernel,
        n_landmarks=len(centres(settings)),
        random_state=0,
    )


def mu(settings: Settings) -> float:
    """μ as a number."""
    return resolve_mu("auto" if settings.mu is None else settings.mu, bandwidth(settings))


def kernel_of(settings: Settings) -> kernels.Kernel:
    """The kernel object that the settings name."""
    options = {"degree": settings.degree} if settings.kernel == "polynomial" else {}
    return kernels.get(settings.kernel, bandwidth(settings), **options)


@step(*_TRIAL)
def trial(settings: Settings) -> Trial:
    """Trial space and forms: one streaming pass over the data."""
    start = time.perf_counter()
    space = KernelSpace(kernel_of(settings), centres(settings), constant=True)
    found = forms.assemble(space, sample(settings).X, operator_of(settings))
    return Trial(space, found, time.perf_counter() - start)


@step(*_TRIAL, "mu")
def eigenfunctions(settings: Settings, n_modes: int) -> tuple[Trial, spectra.Spectrum]:
    """Leading eigenpairs with the constant in the space, signs fixed."""
    basis = trial(settings)
    found = spectra.spectrum(basis.forms, mu(settings), n_modes)
    return basis, spectra.orient(found, basis.space)


@step(*_TRIAL, "mu")
def halved(settings: Settings, n_modes: int) -> Array:
    """Eigenvalues with every second test function left out: is p enough?"""
    f = trial(settings).forms
    keep = np.r_[0, np.arange(1, len(f.mass), 2)]
    half = forms.Forms(*(m[np.ix_(keep, keep)] for m in (f.mass, f.stiffness, f.gram)), f.n_samples)
    return spectra.spectrum(half, mu(settings), n_modes).gamma


def estimate_basis(settings: Settings) -> Trial:
    """Trial space of the estimates: with the constant only if it is asked for."""
    basis = trial(settings)
    return basis if settings.intercept else basis.without_constant()


@dataclass(frozen=True, eq=False)
class Timed:
    """A result and the seconds that it took when it was computed."""

    value: object
    seconds: float


def _timed(function: Callable, *args: object) -> Timed:
    start = time.perf_counter()
    value = function(*args)
    return Timed(value, time.perf_counter() - start)


@step(*_PENALTY)
def penalty(settings: Settings) -> Timed:
    """Factor of S + μK."""
    basis = estimate_basis(settings)
    return _timed(estimates.penalty, basis.forms, mu(settings), settings.intercept)


@step(*_PENALTY)
def estimate_modes(settings: Settings, n_modes: int | None = LOCAL_MODES) -> Timed:
    """Eigenpairs in the estimates' trial space; all of them for ``n_modes=None``."""
    return _timed(spectra.spectrum, estimate_basis(settings).forms, mu(settings), n_modes)


def labels(settings: Settings) -> Labels:
    """The labelled points: people's own marks, or else the data set's labels."""
    data = sample(settings)
    if settings.marks is None:
        index = np.flatnonzero(data.labelled)
        return Labels(data.X[index], index, data.y[index])
    marks = [m for m in settings.marks if m.index < len(data.X) and (m.place or m.index >= 0)]
    X = [data.X[m.index] if m.place is None else np.array(m.place) for m in marks]
    return Labels(
        np.array(X, dtype=float).reshape(len(marks), -1) if marks else data.X[:0],
        np.array([m.index for m in marks], dtype=int),
        np.array([m.code for m in marks], dtype=int),
    )


def coefficients(settings: Settings, given: Labels, lam: float | None = None) -> Timed:
    """The kernel Laplacian's estimate: coefficients (n_functions, k), and the time of a fit."""
    basis = estimate_basis(settings)
    targets = estimates.class_codes(given.codes, sample(settings).n_classes)
    lam = settings.lam if lam is None else lam
    if settings.term == "labelled":
        before = penalty(settings)
        solved = _timed(
            lambda: estimates.labelled_estimate(
                before.value, basis.space.phi(given.X), targets, lam, settings.filter
            )
        )
    else:
        before = estimate_modes(settings, None)
        solved = _timed(
            lambda: estimates.spectral_estimate(
                before.value, forms.load(basis.space, given.X, targets), lam, settings.filter
            )
        )
    return Timed(solved.value, basis.seconds + before.seconds + solved.seconds)


def ridge(settings: Settings, given: Labels) -> Timed:
    """Kernel ridge on the labels alone: weights (m, k) of k(·, x_j), ridge λμ."""
    targets = estimates.class_codes(given.codes, sample(settings).n_classes)
    weight = settings.lam * mu(settings)
    return _timed(estimates.ridge_on_labels, kernel_of(settings), given.X, targets, weight)


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


@step(*_GRAPH)
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


def graph_shares(settings: Settings, given: Labels) -> NodeValues:
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
        raw = np.maximum(raw, 0.0)
        total = raw.sum(axis=1, keepdims=True)
        shares = np.where(total > 0, raw / np.where(total > 0, total, 1.0),
                          values[labelled].mean(axis=0))  # fmt: skip
    return NodeValues(found, shares, found.seconds + time.perf_counter() - start)


def graph_extension(settings: Settings, nodes: Array, values: Array, X: Array) -> Array:
    """Values (n, k) at any points: a weighted mean over the nodes nearby."""
    if settings.graph == "dense":
        return graphs.extend_dense(nodes, values, X, bandwidth(settings))
    return graphs.extend_knn(nodes, values, X, settings.graph_neighbors)


def share_scores(shares: Array) -> Array:
    """Scores as the estimates have them: one column for two classes, else centred shares."""
    if shares.shape[1] == 2:
        return shares[:, 1:] - shares[:, :1]
    return shares - 1.0 / shares.shape[1]


@step(*_GRAPH, *_LABELS, "method", "alpha")
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
        there = share_scores(graph_extension(settings, nodes, found.shares, sites.X))
    return share_scores(at), there, seconds


@step(*_PENALTY, *_LABELS)
def label_columns(settings: Settings, sites: Places) -> tuple[Array, Array]:
    """Representers G(·, x_j) of the labels at the sites (n_sites, m), and their Gram matrix."""
    factor, space = penalty(settings).value, estimate_basis(settings).space
    W = factor.whiten(space.phi(labels(settings).X))
    c = factor.coefficients(W, np.zeros(W.shape[1]))
    return space.evaluate(sites.X, c), W.T @ W


@step(*_GRAPH)
def graph_modes(settings: Settings, n_modes: int) -> tuple[Graph, graphs.GraphSpectrum]:
    """Smallest eigenpairs of the unnormalised graph Laplacian."""
    found = graph(settings)
    return found, graphs.graph_spectrum(found.W, n_modes)


def clear() -> None:
    """Forget every cached step."""
    with _LOCK:
        CACHE.clear()
