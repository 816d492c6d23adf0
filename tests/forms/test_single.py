"""float32 rows: products in float32 where that is enough, and the eigenvalues stay."""

import numpy as np
import pytest

from lapviz import auto_bandwidth, forms, kernels, operators, spectra
from lapviz.spaces import KernelSpace

RNG = np.random.default_rng(3)


def both(name, X, p, operator="laplacian", weights=None):
    width = float(auto_bandwidth(X, name))
    space = KernelSpace(kernels.get(name, width), X[:p])
    for rows in (X.astype(np.float64), X):
        yield operators.assemble(space, rows, operator, sample_weight=weights)
    yield 1e-3 / width**2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "operator", "weighted"),
    [("gaussian", "laplacian", True), ("exponential", "sphere", False),
     ("matern32", "laplacian", False), ("matern52", "sphere", True)],
)  # fmt: skip
def test_eigenvalues_stay(name, operator, weighted):
    weights = RNG.uniform(0, 2, 6000) if weighted else None
    X = (RNG.normal(size=(6000, 10)) + 5).astype(np.float32)
    double, single, mu = both(name, X, 200, operator, weights)
    assert np.abs(single.mass - double.mass).max() > 0  # not the same arithmetic
    gamma, found = (spectra.spectrum(f, mu, 16).gamma for f in (double, single))
    np.testing.assert_allclose(found[1:], gamma[1:], rtol=1e-4)
    np.testing.assert_allclose(single.mass, double.mass, atol=1e-6)


def test_blocks_are_single_and_sums_double():
    X = RNG.normal(size=(600, 8)).astype(np.float32)
    running = forms.accumulator(KernelSpace(kernels.get("exponential", 5.0), X[:50])).update(X)
    assert {buffer.dtype for buffer in running._buffers} == {np.dtype(np.float32)}
    assert {total.dtype for total in running.sums.values()} == {np.dtype(np.float64)}


@pytest.mark.parametrize(("name", "d"), [("gaussian", 2), ("polynomial", 10)])
def test_where_single_is_not_enough_products_are_double(name, d):
    X = RNG.normal(size=(2000, d)).astype(np.float32)
    double, single, _ = both(name, X, 100)
    np.testing.assert_allclose(single.mass, double.mass, rtol=1e-13)
    np.testing.assert_allclose(single.stiffness, double.stiffness, rtol=1e-9, atol=1e-12)


def test_numbers_whose_squares_overflow_are_handled_in_double():
    X = (1e25 * RNG.normal(size=(500, 6))).astype(np.float32)
    double, single, _ = both("exponential", X, 40)
    np.testing.assert_allclose(single.mass, double.mass, rtol=1e-12)


def test_parts_merge():
    X = RNG.normal(size=(900, 8)).astype(np.float32)
    space = KernelSpace(kernels.get("exponential", 5.0), X[:50])
    whole = forms.accumulator(space).update(X).forms()
    left, right = forms.accumulator(space), forms.accumulator(space)
    merged = left.update(X[:300]).merge(right.update(X[300:].astype(np.float64))).forms()
    np.testing.assert_allclose(merged.mass, whole.mass, atol=1e-7)
