"""Graphs against closed forms, brute force, exact rational arithmetic and scikit-learn."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence

from lapviz import graphs, memory
from lapviz.graphs import laplacians
from lapviz.graphs.laplacians import _dense_components

KINDS = graphs.KINDS
as_dense = np.asarray


@pytest.fixture
def points():
    return np.random.default_rng(0).normal(size=(60, 3))


def ring(n):
    i = np.arange(n)
    return sp.csr_matrix((np.ones(2 * n), (np.r_[i, i], np.r_[(i + 1) % n, (i - 1) % n])))


def wide_graph(n=1600, seed=0):
    """A k-NN graph of dimension 8, for which the sparse solvers iterate."""
    return graphs.knn_weights(np.random.default_rng(seed).normal(size=(n, 8)), 8)


def brute_harmonic(W, labelled, values):
    W = W.toarray() if sp.issparse(W) else W
    unlabelled = np.setdiff1d(np.arange(len(W)), labelled)
    L = np.diag(W.sum(axis=1)) - W
    F = np.empty((len(W), *values.shape[1:]))
    F[labelled] = values
    A = L[np.ix_(unlabelled, unlabelled)]
    F[unlabelled] = np.linalg.solve(A, W[np.ix_(unlabelled, labelled)] @ values)
    return F


# --- weights ---


@pytest.mark.parametrize("symmetry", ["mean", "max"])
@pytest.mark.parametrize("rule", graphs.WEIGHTS)
def test_knn_weights_against_loops(points, rule, symmetry, monkeypatch):
    monkeypatch.setattr("lapviz.graphs.weights._BLOCK", 7)
    k, n = 4, len(points)
    directed = np.zeros((n, n))
    for i in range(n):
        r = np.linalg.norm(points - points[i], axis=1)
        near = [j for j in np.argsort(r) if j != i][:k]
        for j in near:
            directed[i, j] = {
                "self-tuning": np.exp(-4 * r[j] ** 2 / r[near[-1]] ** 2),
                "shared": np.exp(-4 * r[j] ** 2 / r[near[-1]] ** 2),
                "gaussian": np.exp(-(r[j] ** 2) / (2 * 0.6**2)),
                "binary": 1.0,
            }[rule]
    truth = np.maximum(directed, directed.T) if symmetry == "max" else (directed + directed.T) / 2
    if rule == "shared":
        neighbourhoods = [{i} | set(np.flatnonzero(row)) for i, row in enumerate(truth)]
        truth *= [[len(a & b) / len(a | b) for b in neighbourhoods] for a in neighbourhoods]
    W = graphs.knn_weights(points, k, weights=rule, bandwidth=0.6, symmetry=symmetry)
    np.testing.assert_allclose(W.toarray(), truth, rtol=1e-12)
    assert abs(W - W.T).max() == 0


@pytest.mark.parametrize("dim", [2, 30])
def test_coincident_points_are_joined_with_weight_one(dim):
    X = 1e3 + np.random.default_rng(1).normal(size=(20, dim))
    X[10:] = X[:10]  # each point twice
    W = graphs.knn_weights(X, 3)
    assert np.array_equal(as_dense(W[np.arange(10), np.arange(10, 20)]).ravel(), np.ones(10))
    assert np.array_equal(graphs.knn_weights(np.ones((7, dim)), 3).data.max(), 1.0)


def test_a_dense_graph_that_cannot_fit_is_refused():
    with pytest.raises(MemoryError, match="2400000000000000 bytes"):
        graphs.check_dense_size(10**7)
    with pytest.raises(MemoryError, match=r"takes 2400 bytes .* 2399 bytes"):
        graphs.dense_weights(np.zeros((10, 2)), 1.0, max_bytes=2399)
    graphs.dense_weights(np.zeros((10, 2)), 1.0, max_bytes=2400)
    assert memory.memory_limit() > 10**8


# --- Laplacians and spectra ---


@pytest.mark.parametrize("n", [3, 40, 701, 1701])
def test_spectrum_of_the_ring(n):
    k = min(n, 15)
    truth = np.sort(2 - 2 * np.cos(2 * np.pi * np.arange(n) / n))[:k]
    spectrum = graphs.graph_spectrum(ring(n), k)
    np.testing.assert_allclose(spectrum.gamma, truth, rtol=1e-7, atol=0)
    np.testing.assert_allclose(
        graphs.graph_spectrum(ring(n), k, "normalised").gamma, truth / 2, rtol=1e-7, atol=0
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [60, 700, 1600])
def test_eigenpairs_satisfy_their_equation(kind, n):
    X = np.random.default_rng(3).normal(size=(n, 2))
    W = graphs.knn_weights(X, 12)
    W = W if n > 100 else W.toarray()
    spectrum = graphs.graph_spectrum(W, 10, kind)
    V, gamma = spectrum.vectors, spectrum.gamma
    np.testing.assert_allclose(graphs.laplacian(W, kind) @ V, V * gamma, atol=1e-8)
    np.testing.assert_allclose(np.mean(V**2, axis=0), 1)
    assert gamma[0] == 0
    assert np.all(np.diff(gamma) >= 0)
    if kind != "normalised":
        np.testing.assert_allclose(np.abs(V[:, 0]), 1, rtol=1e-12)
    if kind != "random-walk":
        np.testing.assert_allclose(V.T @ V / n, np.eye(10), atol=1e-9)


@pytest.mark.parametrize("sparse", [False, True])
def test_weights_may_be_whole_numbers_but_not_negative_or_nan(sparse):
    form = sp.csr_matrix if sparse else np.asarray
    W = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    for kind, gamma in (("normalised", [0, 1, 2]), ("unnormalised", [0, 1, 3])):
        found = graphs.graph_spectrum(form(W), 3, kind).gamma
        np.testing.assert_allclose(found, gamma, atol=1e-12)
    f = graphs.spreading(form(W), [0], [1.0])
    np.testing.assert_allclose(f, graphs.spreading(W.astype(float), [0], [1.0]))
    directed = sp.csr_matrix(np.eye(4, k=1))
    for directed_graph in (directed, directed.toarray()):
        for solve in (graphs.harmonic, graphs.spreading):
            with pytest.raises(ValueError, match="W must be symmetric"):
                solve(directed_graph, [0], [1.0])
    for bad in (-W, W * np.nan, W * np.inf, W[:2]):
        for call in (graphs.laplacian, lambda W: graphs.graph_spectrum(W, 2),
                     lambda W: graphs.harmonic(W, [0], [1.0])):  # fmt: skip
            with pytest.raises(ValueError, match="square matrix of weights, finite and at least 0"):
                call(form(bad))
    with pytest.raises(ValueError, match="beyond the 3"):
        graphs.harmonic(form(W), [0, 3], [0.0, 1.0])
    for fraction in (0.9, np.nan):
        with pytest.raises(ValueError, match="whole numbers of nodes"):
            graphs.harmonic(form(W), [0, fraction], [0.0, 1.0])
    np.testing.assert_array_equal(graphs.harmonic(form(W), [0.0, 2.0], [0.0, 1.0]), [0, 0.5, 1])


def test_narrow_integers_count_neighbours():
    X = np.random.default_rng(0).normal(size=(300, 3))
    for k in (np.uint8(255), np.int8(127)):
        assert (graphs.knn_weights(X, k) != graphs.knn_weights(X, int(k))).nnz == 0


def test_components_are_counted_and_each_has_its_zero():
    W = sp.block_diag([ring(9), ring(5), sp.csr_matrix((1, 1)), ring(12)], format="csr")
    truth = np.sort(np.concatenate([[0.0], *(2 - 2 * np.cos(2 * np.pi * np.arange(n) / n)
                                             for n in (9, 5, 12))]))  # fmt: skip
    order = np.random.default_rng(4).permutation(27)
    for M in (W, W.toarray(), W[order][:, order]):
        spectrum = graphs.graph_spectrum(M, 50)
        assert spectrum.n_components == 4
        assert np.count_nonzero(spectrum.gamma) == 23
        np.testing.assert_allclose(spectrum.gamma, truth, rtol=1e-10, atol=0)
        assert np.isfinite(spectrum.vectors).all()
        assert np.count_nonzero(spectrum.vectors[:, 0]) == 12  # the largest component comes first


def test_barely_joined_components_keep_an_exact_constant():
    """An eigensolver alone would return any mixture of the two components for γ ≈ 0."""
    W = sp.block_diag([ring(9), ring(12)]).toarray()
    W[0, 9] = W[9, 0] = 1e-25
    spectrum = graphs.graph_spectrum(W, 3)
    np.testing.assert_allclose(spectrum.vectors[:, 0], 1, rtol=1e-14)
    assert 0 <= spectrum.gamma[1] < 1e-14
    assert abs(np.mean(spectrum.vectors[:, 1])) < 1e-12
    assert np.ptp(spectrum.vectors[:9, 1]) < 1e-7


def test_weights_of_too_many_orders_of_magnitude(monkeypatch):
    """Most are 0 beside the largest, and Lanczos does not converge. A dense solver still does."""
    X = np.random.default_rng(0).normal(size=(700, 3))
    W = graphs.knn_weights(X, 10, weights="gaussian", bandwidth=0.03)
    W = sp.csr_matrix(W + 1e-30 * graphs.knn_weights(X, 10, weights="binary"))  # one component
    truth = np.linalg.eigvalsh(graphs.laplacian(W).toarray())[:10]
    monkeypatch.setattr(laplacians, "SMALL", 0)
    monkeypatch.setattr(laplacians, "RESTARTS", 3)
    np.testing.assert_allclose(graphs.graph_spectrum(W, 10).gamma, truth, atol=1e-14)

    def fails(*_):
        raise ArpackNoConvergence("No convergence.", np.zeros(0), np.zeros((0, 0)))

    monkeypatch.setattr(laplacians, "_lanczos", fails)
    monkeypatch.setattr(laplacians, "MOST_DENSE", 100)
    with pytest.raises(ValueError, match="do not converge: its weights differ by too many orders"):
        graphs.graph_spectrum(W, 10)


def test_match_scale():
    ours = np.array([0.0, 1.0, 3.0, 8.0, 100.0])
    c = graphs.match_scale([0.0, 0.5, 1.0, 2.5], ours)
    assert c == pytest.approx(3.0)  # 12 / 4, over the four that both have


# --- harmonic functions ---


@pytest.fixture(params=["dense", "knn", "factors", "iterations"])
def labelled_graph(request, points):
    """W, labelled nodes and one-hot labels, for every solver."""
    W = {
        "dense": lambda: graphs.dense_weights(np.tile(points, (3, 1)) * 1.01, 0.8),
        "knn": lambda: graphs.knn_weights(points, 6),
        "factors": lambda: graphs.knn_weights(np.random.default_rng(7).random((1600, 1)), 8),
        "iterations": wide_graph,
    }[request.param]()
    labelled = np.array([50, 3, 11, 40, 20, 7])
    return W, labelled, np.eye(3)[[0, 1, 2, 0, 1, 2]]


@pytest.mark.slow
def test_harmonic_is_the_brute_force_solution(labelled_graph):
    W, labelled, values = labelled_graph
    truth = brute_harmonic(W, labelled, values)
    np.testing.assert_allclose(graphs.harmonic(W, labelled, values), truth, atol=2e-10)


def test_harmonic_takes_any_values_masks_and_orders(points):
    W = graphs.dense_weights(points, 0.8)
    labelled, signs = np.array([2, 9, 30]), np.array([1.0, -1.0, 1.0])
    one_hot = graphs.harmonic(W, labelled, np.column_stack([signs < 0, signs > 0]))
    f = graphs.harmonic(W, labelled, signs)
    assert f.shape == (60,)
    np.testing.assert_allclose(f, one_hot[:, 1] - one_hot[:, 0], atol=1e-13)
    mask = np.isin(np.arange(60), labelled)
    np.testing.assert_allclose(graphs.harmonic(W, mask, signs), f)
    from_the_end = np.asarray(labelled) - W.shape[0]
    np.testing.assert_allclose(graphs.harmonic(W, from_the_end, signs), f)
    np.testing.assert_allclose(graphs.harmonic(W, labelled[::-1], signs[::-1]), f, atol=1e-13)


@pytest.mark.parametrize("make", [as_dense, sp.csr_matrix])
@pytest.mark.parametrize("seed", [0, 1])
def test_harmonic_keeps_every_digit_over_150_orders_of_magnitude(make, seed):
    """A chain of resistors in series: f = R_left / R_total, in exact arithmetic."""
    rng = np.random.default_rng(seed)
    w = 10.0 ** -rng.uniform(0, 150, 149)
    left = np.cumsum([Fraction(0)] + [1 / Fraction(x) for x in w])
    truth = np.array([[float(1 - r / left[-1]), float(r / left[-1])] for r in left])
    order = rng.permutation(150)
    W = (np.diag(w, 1) + np.diag(w, -1))[np.ix_(order, order)]
    ends = [np.flatnonzero(order == 0)[0], np.flatnonzero(order == 149)[0]]
    F = graphs.harmonic(make(W), ends, np.eye(2))
    np.testing.assert_allclose(F, truth[order], rtol=1e-12, atol=0)


@pytest.mark.parametrize("link", [1e-6, 1e-30, 1e-200])
@pytest.mark.parametrize("shape", ["strip", "chain"])
def test_a_weakly_connected_part_takes_the_value_of_its_link(shape, link):
    """Two equal parts, one labelled; too large for the dense elimination.

    On the chain, eliminating the second part leaves a pivot that rounds to 0 exactly.
    """
    if shape == "strip":
        part = graphs.knn_weights(np.random.default_rng(8).random((900, 1)), 8)
    else:
        part = sp.diags([1.0, 1.0], [-1, 1], shape=(900, 900))
    W = sp.block_diag([part, part], format="lil")
    W[5, 905] = W[905, 5] = link
    F = graphs.harmonic(W, [10, 500], np.eye(2))
    np.testing.assert_allclose(F[900:], np.tile(F[5], (900, 1)), atol=1e-6)


# --- spreading ---


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.2, 0.9, 0.99])
def test_spreading_solves_its_system(labelled_graph, alpha):
    W, labelled, values = labelled_graph
    F = graphs.spreading(W, labelled, values, alpha)
    root = as_dense(W.sum(axis=1)).ravel() ** -0.5
    S = root[:, None] * (W.toarray() if sp.issparse(W) else W) * root
    Y = np.zeros_like(F)
    Y[labelled] = values
    truth = np.linalg.solve(np.eye(len(F)) - alpha * S, (1 - alpha) * Y)
    np.testing.assert_allclose(F, truth, atol=1e-11)
    assert F.min() >= 0


def test_spreading_keeps_the_digits_of_far_nodes():
    """On a long chain F decays by a constant factor t per hop: t + 1/t = 2/α."""
    n, alpha = 1700, 0.2
    F = graphs.spreading(ring(n), [0], np.ones(1), alpha)
    t = (1 - np.sqrt(1 - alpha**2)) / alpha
    np.testing.assert_allclose(F[1:200] / F[:199], t, rtol=1e-10)


# --- new points ---


def test_extensions_are_weighted_averages(points, monkeypatch):
    monkeypatch.setattr("lapviz.graphs.space._BLOCK", 3)
    rng = np.random.default_rng(9)
    f, new = rng.normal(size=(60, 2)), rng.normal(size=(5, 3))
    dense = graphs.extend_dense(points, f, new, 0.6)
    mass = rng.uniform(0.5, 2.0, size=60)
    tuned, shared, with_mass = (
        graphs.extend_knn(points, f, new, 7, weights=rule, mass=weights)
        for rule, weights in (("self-tuning", None), ("shared", None), ("shared", mass))
    )
    edges = graphs.knn_weights(points, 7, weights="binary").toarray()
    neighbourhoods = [{i} | set(np.flatnonzero(row)) for i, row in enumerate(edges)]
    for i, x in enumerate(new):
        r = np.linalg.norm(points - x, axis=1)
        w = np.exp(-(r**2) / (2 * 0.6**2))
        np.testing.assert_allclose(dense[i], w @ f / w.sum(), rtol=1e-10)
        near = np.argsort(r)[:7]
        w = np.exp(-4 * r[near] ** 2 / r[near[-1]] ** 2)
        np.testing.assert_allclose(tuned[i], w @ f[near] / w.sum(), rtol=1e-10)
        w *= [len({*near} & neighbourhoods[j]) / len({*near} | neighbourhoods[j]) for j in near]
        np.testing.assert_allclose(shared[i], w @ f[near] / w.sum(), rtol=1e-10)
        w *= mass[near]
        np.testing.assert_allclose(with_mass[i], w @ f[near] / w.sum(), rtol=1e-10)
    W = graphs.with_mass(
        graphs.knn_weights(points, 7, weights="shared"), 1 + np.arange(len(points))
    )
    with_graph = graphs.extend_knn(points, f, new, 7, weights="shared", graph=W)
    assert np.array_equal(with_graph, graphs.extend_knn(points, f, new, 7, weights="shared"))
    assert graphs.extend_knn(points, f[:, 0], new, 7).shape == (5,)


@pytest.mark.parametrize("offset", [0.0, 1e3])
def test_extensions_return_the_nodes_own_values(offset):
    rng = np.random.default_rng(10)
    X = offset + rng.normal(size=(50, 20))
    X[1] = X[0]
    f = rng.normal(size=50)
    truth = np.r_[[(f[0] + f[1]) / 2] * 2, f[2:]]
    np.testing.assert_allclose(graphs.extend_dense(X, f, X, 0.5), truth, rtol=1e-14)
    for rule in graphs.WEIGHTS:
        extended = graphs.extend_knn(X, f, X, 6, weights=rule, bandwidth=0.5)
        np.testing.assert_allclose(extended, truth, rtol=1e-14)


def test_where_all_weights_underflow_the_nearest_node_counts(points):
    f = np.arange(60.0)
    new = np.random.default_rng(11).normal(size=(30, 3)) * 50
    nearest = np.array([np.linalg.norm(points - x, axis=1).argmin() for x in new])
    for sigma in (1e-9, 1e-320):
        assert np.array_equal(graphs.extend_dense(points, f, new, sigma), f[nearest])
        extended = graphs.extend_knn(points, f, new, 5, weights="gaussian", bandwidth=sigma)
        assert np.array_equal(extended, f[nearest])
    np.testing.assert_allclose(graphs.extend_dense(points, f, new, 1e9), f.mean())
    assert graphs.extend_knn(points, f, new[:0]).shape == (0,)


@pytest.mark.slow
def test_components_of_a_dense_graph_take_little_memory():
    """A dense graph is limited to 24 n² bytes, W and L included; SciPy would copy W three times."""
    W = 1.0 + np.random.default_rng(12).random((1200, 1200))
    W[:700, 700:] = W[700:, :700] = 0
    peaks = []
    for components in (_dense_components, connected_components):
        tracemalloc.start()
        n, component = components(W)
        peaks.append(tracemalloc.get_traced_memory()[1] / W.nbytes)
        tracemalloc.stop()
        assert n == 2
        assert np.array_equal(component == component[0], np.arange(1200) < 700)
    assert peaks[0] < 1 < 2 < peaks[1]


@pytest.mark.parametrize("make", [as_dense, sp.csr_matrix])
def test_nodes_that_no_label_reaches_get_the_mean_of_the_labels(make):
    W = make(sp.block_diag([ring(6), ring(5), np.zeros((2, 2))]).toarray())
    values = np.eye(2)[[0, 0, 1]]
    F = graphs.harmonic(W, [0, 2, 4], values)
    np.testing.assert_allclose(F[6:], np.tile([2 / 3, 1 / 3], (7, 1)))
    assert np.isfinite(F).all()
    F = graphs.harmonic(W, [0, 2, 4], values, label_weights=np.array([1.0, 2.0, 5.0]))
    np.testing.assert_allclose(F[6:], np.tile([3 / 8, 5 / 8], (7, 1)))
    assert np.array_equal(graphs.spreading(W, [0, 2, 4], values)[6:], np.zeros((7, 2)))
