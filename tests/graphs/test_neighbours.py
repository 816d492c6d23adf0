"""The neighbour search against all distances by differences; overlaps by hand."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from lapviz import _threads, graphs, progress
from lapviz.graphs import index, neighbours
from lapviz.graphs.neighbours import choose, search
from lapviz.graphs.points import Products, row_distances, without_self
from tests.helpers import needs

needs_faiss = needs("faiss", extra="large")


@pytest.fixture
def several_strips(monkeypatch):
    """Several strips for small samples too."""
    monkeypatch.setattr("lapviz.graphs.points._STRIP", 48)


def noise(n=500, d=40, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def brute(X, k, X_new=None):
    """Neighbours by distance, ties by the lower index."""
    r = cdist(X if X_new is None else X_new, X)
    if X_new is None:
        np.fill_diagonal(r, np.inf)
    return np.argsort(r, axis=1, kind="stable")[:, :k]


def answered_by_products(index, k, X_new=None):
    """Whether products suffice, without scikit-learn as a fallback."""
    products = index._algorithm
    new = None if X_new is None else index.unit(X_new)
    return (products.query_all(k) if new is None else products.query(new, k)) is not None


@pytest.mark.parametrize(
    ("n", "d", "k", "method", "kind"),
    [
        (10**6, 15, 10, "auto", "scikit-learn"),
        (1797, 64, 10, "auto", "products"),
        (10_000, 784, 10, "auto", "products"),
        (20_000, 784, 10, "auto", "products"),
        (40_000, 64, 10, "auto", "products"),
        (70_000, 784, 10, "auto", "index"),
        (70_000, 784, 10, "exact", "products"),
        (10_000, 784, 200, "exact", "scikit-learn"),
        (100, 2, 10, "approximate", "index"),
    ],
)
def test_rows_columns_and_k_choose_the_search(monkeypatch, n, d, k, method, kind):
    monkeypatch.setattr(neighbours._extras, "find_spec", lambda name: object())
    assert choose(n, d, k, method) == kind


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 7, 64])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_products_agree_with_differences(several_strips, k, offset):
    X, new = noise() + offset, noise(70, seed=1) + offset
    searcher = search(X, k)
    assert searcher.kind == "products"
    assert answered_by_products(searcher, k)
    assert answered_by_products(searcher, k, new)
    assert np.array_equal(searcher.neighbours(), brute(X, k))
    assert np.array_equal(searcher.neighbours(new), brute(X, k, new))
    assert np.array_equal(searcher.neighbours(X, 1).ravel(), np.arange(len(X)))


def test_ties_go_to_the_lower_index(several_strips):
    """Integers: squares are exact, and many distances are equal."""
    X = np.random.default_rng(0).integers(0, 3, size=(300, 16)).astype(float)
    X -= 1.0  # already in [−1, 1], so that nothing is rounded
    searcher = search(X, 9)
    assert answered_by_products(searcher, 9)
    assert np.array_equal(searcher.neighbours(), brute(X, 9))


@pytest.mark.slow
@pytest.mark.parametrize("copies", [3, 100])
def test_copies_are_the_nearest(several_strips, copies):
    X = np.repeat(noise(1000 // copies), copies, axis=0)
    k = 6
    near = search(X, k).neighbours()
    r = row_distances(X, X, near)
    truth = np.sort(cdist(X, X), axis=1)[:, 1 : k + 1]
    np.testing.assert_allclose(r, truth, rtol=1e-12)
    assert (near != np.arange(len(X))[:, None]).all()
    assert (np.diff(np.sort(near, axis=1)) > 0).all()
    assert (r[:, : copies - 1] == 0).all()


@pytest.mark.slow
def test_the_fallback_is_right_if_products_cannot_decide(several_strips):
    """Two dense clumps far apart: distances within them are below the rounding of a product."""
    X = 1e-6 * noise(600) + np.repeat([[0.0], [1.0]], 300, axis=0)
    searcher = search(X, 5)
    assert not answered_by_products(searcher, 5)
    r = row_distances(X, X, searcher.neighbours())
    np.testing.assert_allclose(r, np.sort(cdist(X, X), axis=1)[:, 1:6], rtol=1e-3)
    far = np.vstack([noise(3), np.full((1, 40), 1e300)])
    assert search(noise(), 5).neighbours(far).shape == (4, 5)


@pytest.mark.parametrize("d", [2, 20])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_points_that_are_not_finite_or_no_matrix_are_refused(d, bad):
    X = noise(30, d)
    X[3, 1] = bad
    with pytest.raises(ValueError, match="X holds NaN or infinite values"):
        graphs.knn_weights(X, 3)
    with pytest.raises(ValueError, match="X must have shape"):
        search(X[:, 0])


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 40])
@pytest.mark.parametrize("method", ["exact", pytest.param("approximate", marks=needs_faiss)])
def test_few_points_have_few_neighbours(several_strips, d, method):
    X = noise(5, d)
    searcher = search(X, 10, method)
    assert np.array_equal(searcher.neighbours(), brute(X, 4))
    assert np.array_equal(searcher.neighbours(X[:2]), brute(X, 5, X[:2]))
    single = search(X[:1], 3, method)
    assert single.neighbours().shape == (1, 0)
    assert np.array_equal(single.neighbours(X), np.zeros((5, 1)))
    assert searcher.neighbours(X[:0]).shape == (0, 5)


def test_little_memory_means_smaller_blocks(several_strips, monkeypatch):
    X, blocks = noise(), []
    product = Products._products
    monkeypatch.setattr("lapviz.memory.available_memory", lambda: 64 * 500 * 30)
    monkeypatch.setattr(Products, "_products", lambda *a: blocks.append(product(*a)) or blocks[-1])
    assert np.array_equal(search(X, 5).neighbours(), brute(X, 5))
    assert max(len(c) for c in blocks) == 30


@pytest.mark.slow
def test_recall_counts_true_neighbours():
    X = noise()
    near = brute(X, 4)
    assert graphs.recall(X, near) == 1.0
    assert search(X, 4).recall == 1.0
    near[:, 3] = brute(X, 400)[:, -1]
    assert graphs.recall(X, near, 200) == 0.75


@pytest.mark.slow
@needs_faiss
@pytest.mark.parametrize("copies", [1, 50])
def test_the_index_has_the_recall_that_it_reports(copies):
    X = np.repeat(noise(3000 // copies, 30) @ np.diag(0.8 ** np.arange(30)), copies, axis=0)
    searcher = search(X, 10, "approximate")
    near = searcher.neighbours()
    assert searcher.recall >= index.TARGET
    assert graphs.recall(X, near) >= index.TARGET - 0.01
    assert (near != np.arange(len(X))[:, None]).all()
    assert (np.diff(np.sort(near, axis=1)) > 0).all()
    nearest = searcher.neighbours(X[:100], 1).ravel()
    assert np.array_equal(X[nearest], X[:100])
    assert np.array_equal(search(X, 10, "approximate").neighbours(), near)


@pytest.mark.slow
@needs_faiss
@pytest.mark.parametrize("n_cores", [1, 2, 5])
def test_threads_agree_with_a_single_one(monkeypatch, n_cores):
    """In many blocks, against one single-threaded call of faiss; a listener can cancel it."""
    import faiss

    monkeypatch.setattr(_threads, "cores", lambda: n_cores)
    monkeypatch.setattr(index, "_ROWS_PER_CALL", 30)
    searcher = search(noise(2000, 20), 6, "approximate")
    points, graph = searcher.points, searcher._algorithm.graph
    graph.hnsw.efSearch = searcher._algorithm.effort
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    single_threaded = graph.search(points.astype(np.float32), 7)[1]
    faiss.omp_set_num_threads(threads)
    assert np.array_equal(searcher._algorithm.query(points, 7), single_threaded)
    assert np.array_equal(searcher.neighbours(), without_self(single_threaded, np.arange(2000)))
    reported = []

    def end(report):
        reported.append(report.done)
        if report.done >= 300:
            raise progress.Cancelled

    with progress.listening(end), pytest.raises(progress.Cancelled):
        searcher.neighbours()
    assert reported == list(range(0, 301, 30))
    assert faiss.omp_get_max_threads() == threads


@needs_faiss
def test_points_that_the_index_does_not_reach_are_searched_exactly():
    X = noise(200)
    searcher = search(X, 5, "approximate")

    class Short:
        hnsw = searcher._algorithm.graph.hnsw

        def search(self, rows, k, params):
            r, near = searcher._algorithm.graph.search(rows, k, params=params)
            near[::3, -2:] = -1
            return r, near

    short = replace(searcher, _algorithm=replace(searcher._algorithm, graph=Short()))
    assert np.array_equal(short.neighbours(), brute(X, 5))


@pytest.mark.slow
@needs_faiss
def test_a_graph_and_its_extension_use_the_index():
    X, f = noise(1500, 20), noise(1500, 2)
    exact = graphs.knn_weights(X, 8, weights="binary")
    W = graphs.knn_weights(X, 8, weights="binary", method="approximate")
    assert abs(W - exact).sum() < 0.04 * exact.sum()
    searcher = search(X, 8, "approximate")
    new = noise(50, 20, seed=2)
    extended = graphs.extend_knn(X, f, new, 8, weights="binary", search=searcher)
    np.testing.assert_allclose(extended, f[searcher.neighbours(new)].mean(axis=1), rtol=1e-12)
    exact = graphs.extend_knn(X, f, new, 8, search=search(X, 8))
    assert np.array_equal(exact, graphs.extend_knn(X, f, new, 8))


def test_without_faiss_there_is_a_warning_and_the_search_is_exact(monkeypatch):
    monkeypatch.setattr(neighbours._extras, "find_spec", lambda name: None)
    monkeypatch.setattr(neighbours, "EXACT_PRODUCTS", 10.0)
    X = noise(300)
    with pytest.warns(UserWarning, match=r"All pairs of 300 rows.*faiss.*explorer\[large]"):
        searcher = search(X, 5)
    assert np.array_equal(searcher.neighbours(), brute(X, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search(X, 5, "exact")


@pytest.mark.parametrize(("sizes", "k"), [((2,), 6), ((20,), 6), ((3, 2), 5), ((2, 2, 3), 10)])
def test_points_with_many_copies_are_joined_to_other_points(sizes, k):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(size, size=400) for size in sizes]).astype(float)
    near = graphs.past_copies(X, search(X, k).neighbours())
    r = row_distances(X, X, near)
    assert (near != np.arange(400)[:, None]).all()
    assert (r[:, -1] == 0).all()
    to_other_points = np.where(cdist(X, X) > 0, cdist(X, X), np.inf).min(axis=1)
    np.testing.assert_allclose(r[:, k % 2], to_other_points)  # the nearest distinct point
    assert connected_components(graphs.knn_weights(X, k))[0] == 1


def test_neighbours_are_unchanged_if_they_join_distinct_points_or_there_is_one():
    X = noise(50, 2)
    X[:3] = X[3]
    for points in (X, np.ones((20, 2))):
        near = search(points, 5).neighbours()
        assert graphs.past_copies(points, near) is near


def test_overlap_depends_on_the_pattern_not_on_weights():
    W = sp.csr_matrix(np.array([[0, 5.0, 1e-9], [5.0, 0, 0], [1e-9, 0, 0]]))
    np.testing.assert_allclose(
        graphs.overlap(W).toarray(), [[0, 2 / 3, 2 / 3], [2 / 3, 0, 0], [2 / 3, 0, 0]]
    )
    W[0, 2] = W[2, 0] = 0  # an explicit zero is no edge
    assert graphs.overlap(W).toarray()[0].tolist() == [0, 1, 0]


def test_overlap_of_cliques_bridges_and_no_edges():
    clique = np.ones((4, 4)) - np.eye(4)
    W = np.kron(np.eye(2), clique)
    W[3, 4] = W[4, 3] = 1.0  # two cliques and a bridge
    overlap = graphs.overlap(sp.csr_matrix(W)).toarray()
    assert overlap[0, 1] == 1.0
    assert overlap[3, 4] == pytest.approx(2 / 8)
    assert overlap[2, 3] == pytest.approx(4 / 5)
    edges = [2 / 8] * 2 + [4 / 5] * 12 + [1.0] * 12
    assert graphs.mean_overlap(sp.csr_matrix(W)) == pytest.approx(np.mean(edges))
    assert graphs.mean_overlap(sp.csr_matrix((3, 3))) == 1.0
    assert graphs.overlap(sp.csr_matrix((0, 0))).shape == (0, 0)


def test_a_single_point_has_no_neighbour_to_miss():
    X = np.zeros((1, 2))
    assert graphs.recall(X, graphs.search(X).neighbours()) == 1.0
