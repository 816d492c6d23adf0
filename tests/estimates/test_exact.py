"""The exact estimate: derivatives by differences, both solvers against brute force, Galerkin."""

import tracemalloc

import numpy as np
import pytest

from lapviz import kernels, operators
from lapviz.estimates.exact import exact_estimate
from lapviz.estimates.labelled import factorise, labelled_estimate
from lapviz.spaces import RepresenterSpace
from lapviz.spaces.representer import required_bytes
from tests.estimates.brute_force import minimiser

SMOOTH = [name for name in kernels.names() if kernels.get(name, 1.0).has_curvature]
LAM, MU = 0.3, 0.05


def spread(n, d, seed=0):
    """Points far from each other, so that Gram matrices are well conditioned."""
    rng = np.random.default_rng([seed, d])
    pool, points = rng.uniform(-2, 2, size=(60 * n, d)), []
    while len(points) < n:
        gaps = [np.linalg.norm(pool - x, axis=1) for x in points] or [np.full(len(pool), 9.0)]
        points.append(pool[np.min(gaps, axis=0).argmax()])
    return np.array(points)


def problem(name, d=2, n=14, n_labelled=6, constant=False, outputs=2, bandwidth=None):
    X = spread(n, d)
    rng = np.random.default_rng(1)
    default = 2.5 if name == "polynomial" else 0.9 * d**0.5
    kernel = kernels.get(
        name, bandwidth or default, **({"degree": 5} if name == "polynomial" else {})
    )
    labelled = np.zeros(n, bool)
    labelled[rng.permutation(n)[:n_labelled]] = True
    y = rng.normal(size=(n_labelled, outputs)) + 1.0
    return RepresenterSpace(kernel, X, constant), y, labelled


def objective(phi, gradient, gram, y, c, lam, mu):
    loss = np.sum((phi @ c - y) ** 2, axis=0) / len(y)
    energy = np.sum((gradient @ c) ** 2, axis=(0, 1)) / len(gradient)
    return loss + lam * (energy + mu * np.einsum("ik,ij,jk->k", c, gram, c))


# ------------------------------------------------------------------------------ the trial space


@pytest.mark.parametrize("d", [1, 2, 4])
@pytest.mark.parametrize("name", SMOOTH)
def test_the_slope_functions_are_derivatives_in_the_second_argument(name, d):
    space, *_ = problem(name, d, n=5, n_labelled=2)
    X, step = np.random.default_rng(2).normal(size=(7, d)), 1e-5
    values = space.phi(X)
    np.testing.assert_allclose(values[:, :5], space.kernel(X, space.points), rtol=1e-12)
    for l in range(d):
        e = step * np.eye(d)[l]
        k = space.kernel
        difference = (k(X, space.points + e) - k(X, space.points - e)) / (2 * step)
        np.testing.assert_allclose(
            values[:, 5 * (l + 1) : 5 * (l + 2)], difference, rtol=1e-5, atol=1e-7
        )


@pytest.mark.parametrize("name", [name for name in SMOOTH if name != "matern32"])
def test_second_derivatives_are_continuous_where_points_coincide(name):
    """Matérn 3/2, whose third derivatives have a cusp, approaches its limit like r."""
    space, *_ = problem(name, 2, n=4, n_labelled=2)
    at_points, nearby = (space.gradient(space.points + s) for s in (0.0, 1e-4))
    np.testing.assert_allclose(at_points, nearby, rtol=0, atol=5e-4 * np.abs(at_points).max())
    assert np.isfinite(at_points).all()


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("name", SMOOTH)
def test_the_gram_matrix_reproduces_values_and_slopes(name, d, constant):
    """⟨k_x, g⟩ = g(x) and ⟨∂_l k_x, g⟩ = ∂_l g(x), without the constant."""
    space, *_ = problem(name, d, n=6, n_labelled=2, constant=constant)
    gram, first = space.gram, int(constant)
    np.testing.assert_array_equal(gram, gram.T)
    assert not gram[:first].any()
    c = np.random.default_rng(0).normal(size=space.n_functions)
    c[:first] = 0.0
    X = space.points
    expected = np.concatenate([space.phi(X) @ c, (space.gradient(X) @ c).T.ravel()])
    np.testing.assert_allclose((gram @ c)[first:], expected, rtol=1e-9, atol=1e-9)
    assert np.linalg.eigvalsh(gram).min() > -1e-12 * np.trace(gram)


# ---------------------------------------------------------------------------------- the estimate


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("n_labelled", [1, 6, 14])
@pytest.mark.parametrize("name", SMOOTH)
def test_direct_block_and_brute_force_agree(name, n_labelled, constant):
    """Values to 1e-6, and the objective to 1e-8."""
    space, y, labelled = problem(name, n_labelled=n_labelled, constant=constant)
    X, new = space.points, np.random.default_rng(4).uniform(-2, 2, size=(30, 2))
    phi, gradient, points = space.phi(X[labelled]), space.gradient(X), np.vstack([X, new])
    slopes = gradient.reshape(-1, space.n_functions)
    zeros, atol = np.zeros((len(slopes), y.shape[1])), 1e-6 * np.abs(y).max()
    for lam in (1e-3, LAM, 30.0):
        c = minimiser(lam * MU * space.gram, (1 / len(y), phi, y), (lam / len(X), slopes, zeros))
        minimum = objective(phi, gradient, space.gram, y, c, lam, MU)
        for solver in ("direct", "block"):
            estimate = exact_estimate(space, y, labelled, lam, MU, solver)
            values = space.evaluate(points, estimate.coefficients)
            np.testing.assert_allclose(values, space.phi(points) @ c, rtol=0, atol=atol)
            np.testing.assert_allclose(estimate.objective, minimum, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("constant", [False, True])
def test_galerkin_on_the_representer_space_is_exact(name, constant):
    space, y, labelled = problem(name, constant=constant)
    X, new = space.points, np.random.default_rng(4).uniform(-2, 2, size=(30, 2))
    exact = exact_estimate(space, y, labelled, LAM, MU)
    form = operators.assemble(space, X)
    c = labelled_estimate(factorise(form, MU, constant), space.phi(X[labelled]), y, LAM)
    np.testing.assert_allclose(
        space.evaluate(new, c), space.evaluate(new, exact.coefficients), rtol=0, atol=1e-6
    )


# ---------------------------------------------------------------------------------------- memory


@pytest.mark.parametrize("solver", ["direct", "block"])
@pytest.mark.parametrize("d", [1, 4])
def test_the_required_bytes_match_the_peak_memory(solver, d):
    X = np.random.default_rng(0).normal(size=(1200 // (d + 1), d))
    labelled = np.arange(len(X)) % 2 == 0
    y = np.ones((labelled.sum(), 1))
    tracemalloc.start()
    exact_estimate(RepresenterSpace(kernels.get("gaussian", 1.0), X), y, labelled, 1.0, MU, solver)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    required = required_bytes(len(X), d)
    assert 0.4 * required < peak < 1.3 * required
