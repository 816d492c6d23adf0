"""Linear functions, and sums of trial spaces."""

import pickle

import numpy as np

from lapviz import kernels, operators
from lapviz.spaces import DirectSum, KernelSpace, LinearSpace

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
LINEAR = LinearSpace(np.array([1.0, 2.0, 3.0]), 2.0)
CURVED = KernelSpace(kernels.get("gaussian", 1.0), X[:5], constant=False)
SUM = DirectSum((LINEAR, CURVED))


def test_linear_functions_are_the_constant_and_the_coordinates():
    np.testing.assert_allclose(LINEAR.phi(X)[:, 0], 1)
    np.testing.assert_allclose(LINEAR.phi(X)[:, 1:], (X - [1, 2, 3]) / 2)
    np.testing.assert_array_equal(LINEAR.gram, np.diag([0, 1, 1, 1]))


def test_a_sum_has_the_functions_side_by_side():
    assert (SUM.n_functions, SUM.n_features, SUM.constant) == (9, 3, True)
    np.testing.assert_array_equal(SUM.phi(X), np.hstack([LINEAR.phi(X), CURVED.phi(X)]))
    np.testing.assert_array_equal(SUM.gram[4:, 4:], CURVED.gram)
    assert not SUM.gram[:4, 4:].any()
    c = RNG.normal(size=(9, 2))
    both = LINEAR.evaluate(X, c[:4]) + CURVED.evaluate(X, c[4:])
    np.testing.assert_allclose(SUM.evaluate(X, c), both)
    again = pickle.loads(pickle.dumps(SUM))
    np.testing.assert_array_equal(again.evaluate(X, c), SUM.evaluate(X, c))


def test_gradients_are_finite_differences_and_forms_follow():
    step, gradient = 1e-6, SUM.gradient(X)
    for l in range(3):
        e = step * np.eye(3)[l]
        difference = (SUM.phi(X + e) - SUM.phi(X - e)) / (2 * step)
        np.testing.assert_allclose(gradient[:, l], difference, atol=1e-8)
    S = operators.assemble(SUM, X).stiffness
    np.testing.assert_allclose(S, np.einsum("ilj,ilk->jk", gradient, gradient) / 40, atol=1e-12)
