"""BLAS and LAPACK without the interpreter's lock, against SciPy's and NumPy's functions."""

import sys
import time
from threading import Thread

import numpy as np
import pytest
import scipy.linalg

from lapviz import linalg

RNG = np.random.default_rng(0)


def symmetric(p):
    A = RNG.normal(size=(p, p))
    return np.asfortranarray(A + A.T)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("n", [0, 1, 300])
def test_squares_are_added_to_one_triangle(n, lower, single):
    p, dtype = 200, np.float32 if single else float
    G, total = RNG.normal(size=(n, p)).astype(dtype), symmetric(p)
    expected = total + G.T.astype(float) @ G
    triangle = np.tril if lower else np.triu
    work = np.zeros((p, p), np.float32, "F") if single else None
    for order in "CF":  # one of the two is copied
        result = total.copy("F")
        assert linalg.add_squares(np.asarray(G, order=order), result, work, lower) is result
        tolerance = 1e-4 if single else 1e-12
        np.testing.assert_allclose(triangle(result), triangle(expected), tolerance, tolerance)
        if not single:
            strictly = {"k": 1} if lower else {"k": -1}
            other = np.triu if lower else np.tril
            np.testing.assert_array_equal(other(result, **strictly), other(total, **strictly))


@pytest.mark.parametrize("lower", [False, True])
def test_what_the_other_triangle_held_is_forgotten(lower):
    triangle, expected = np.tril if lower else np.triu, symmetric(200)
    total = triangle(expected) + 1e20 * (1 - triangle(np.ones((200, 200))))
    result = linalg.mirror(np.asfortranarray(total), lower)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("single", [False, True])
def test_products_are_added(single):
    dtype = np.float32 if single else float
    A, B = RNG.normal(size=(50, 7)).astype(dtype), RNG.normal(size=(50, 4)).astype(dtype)
    total = np.asfortranarray(RNG.normal(size=(7, 4)))
    work = np.zeros((7, 4), np.float32, "F") if single else None
    expected = total + A.T.astype(float) @ B
    linalg.add_product(A, B, total, work)
    np.testing.assert_allclose(total, expected, atol=1e-5 if single else 1e-13)


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("p", [1, 2, 9, 120])
def test_eigenpairs_are_those_of_scipy(p, overwrite):
    A = symmetric(p)
    before = A.copy()
    for subset in [None, (0, 0), (p // 3, p - 1)]:
        values, vectors = linalg.eigh(A.copy("F") if overwrite else A, subset, overwrite)
        expected = scipy.linalg.eigh(before, subset_by_index=subset)
        np.testing.assert_allclose(values, expected[0], atol=1e-12)
        np.testing.assert_allclose(abs(vectors), abs(expected[1]), atol=1e-9)
        np.testing.assert_allclose(before @ vectors, vectors * values, atol=1e-12)
    np.testing.assert_array_equal(A, before)


def test_memory_of_another_layout_is_refused():
    with pytest.raises(ValueError, match="dsyrk takes arrays of float64 in Fortran order"):
        linalg.add_squares(np.ones((5, 3)), np.zeros((6, 6))[::2, ::2])
    with pytest.raises(ValueError, match="dsyrk takes arrays of float64 in Fortran order"):
        linalg.add_squares(np.ones((5, 3)), np.zeros((3, 3), np.int32, order="F"))


@pytest.mark.parametrize("compute", [
    lambda: linalg.add_squares(np.ones((3, 4)), np.zeros((2, 2), order="F")),
    lambda: linalg.add_product(np.ones((5, 2)), np.ones((3, 2)), np.zeros((2, 2), order="F")),
    lambda: linalg.add_product(np.ones((5, 2)), np.ones((5, 2)), np.zeros((2, 1), order="F")),
    lambda: linalg.solve_lower(np.eye(4), np.ones((6, 1))),
    lambda: linalg.pivoted_cholesky(np.ones((8, 2)), 0.0),
    lambda: linalg.eigh(np.ones((8, 2))),
    lambda: linalg.eigh(np.ones((2, 8)), (0, 0)),
], ids=["squares", "rows", "product", "solve", "Cholesky", "tall", "wide"])  # fmt: skip
def test_other_shapes_are_refused(compute):
    with pytest.raises(ValueError, match="A matrix has shape"):
        compute()


@pytest.mark.parametrize("subset", [(2, 1), (-1, 2), (0, 5), (5, 6)])
def test_indices_without_eigenvalues_are_refused_as_by_scipy(subset):
    with pytest.raises(ValueError, match="0 <= first <= last < 5, got"):
        linalg.eigh(np.eye(5), subset)
    with pytest.raises(ValueError, match="not valid"):
        scipy.linalg.eigh(np.eye(5), subset_by_index=subset)


def test_empty_matrices_and_other_numbers():
    values, vectors = linalg.eigh(np.zeros((0, 0)))
    assert values.shape == (0,)
    assert vectors.shape == (0, 0)
    A = RNG.integers(-9, 9, size=(5, 5))
    A += A.T
    values, _ = linalg.eigh(A, (np.int64(1), np.int64(2)))
    np.testing.assert_allclose(values, np.linalg.eigvalsh(A)[1:3])
    np.testing.assert_allclose(
        linalg.solve_lower(2 * np.eye(3, dtype=int), np.eye(3)), np.eye(3) / 2
    )


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("order", ["C", "F", "rows of another"])
def test_triangular_systems_are_solved(order, transposed, overwrite):
    whole = RNG.normal(size=(40, 20)) + 9.0 * np.eye(40, 20)
    L = whole[:20] if order == "C" else np.asfortranarray(whole)[:20]
    if order == "F":
        L = np.asfortranarray(L)
    B = RNG.normal(size=(20, 3))
    before = B.copy()
    triangle = np.tril(L).T if transposed else np.tril(L)
    X = linalg.solve_lower(L, np.asfortranarray(B) if overwrite else B, transposed, overwrite)
    np.testing.assert_allclose(triangle @ X, before, atol=1e-12)
    np.testing.assert_array_equal(B, before)


def test_a_pivoted_factor_stops_at_the_rank():
    F = RNG.normal(size=(30, 6))
    A = F @ F.T
    L, pivots, rank = linalg.pivoted_cholesky(A.copy("F"), 1e-9)
    for other in (A.copy("C"), np.asfortranarray(A)):  # copied if it is not in F order
        np.testing.assert_array_equal(linalg.pivoted_cholesky(other, 1e-9)[1], pivots)
    assert rank == 6
    assert pivots[0] == np.argmax(A.diagonal())
    L = np.tril(L)[:, :rank]
    np.testing.assert_allclose(L[:rank] @ L[:rank].T, A[np.ix_(pivots, pivots)][:rank, :rank])


@pytest.mark.parametrize("compute", [
    lambda A, B: linalg.eigh(A, overwrite=True),
    lambda A, B: linalg.eigh(A, (0, 4), overwrite=True),
    lambda A, B: linalg.add_squares(A, B),
    lambda A, B: linalg.add_product(A, A, B),
    lambda A, B: linalg.solve_lower(A, B, overwrite=True),
    lambda A, B: linalg.pivoted_cholesky(A, 0.0),
], ids=["all pairs", "few pairs", "squares", "products", "solve", "Cholesky"])  # fmt: skip
def test_other_threads_run_meanwhile(compute):
    """Threads take turns only where one gives up the lock, as the interval between turns is long.

    So the other thread counts much during the call only if that has released the lock; NumPy's
    copies and tests around it release it for a moment.
    """
    A = symmetric(1500) + 3000 * np.eye(1500)
    B, interval = np.array(A, order="F"), sys.getswitchinterval()
    counts, running = [0], [True]

    def count():
        while running:
            counts[0] += 1
            time.sleep(0)

    thread = Thread(target=count, daemon=True)
    sys.setswitchinterval(100.0)
    try:
        thread.start()
        time.sleep(0.01)
        before = counts[0]
        compute(A, B)
        after = counts[0]
    finally:
        running.clear()
        sys.setswitchinterval(interval)
    thread.join()
    assert after > before + 300
