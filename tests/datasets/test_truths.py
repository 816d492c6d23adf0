"""Closed-form spectra and true eigenfunctions: brute force, quadrature, finite differences."""

from itertools import product
from math import comb, pi

import numpy as np
import pytest
from scipy.linalg import eigh_tridiagonal

from lapviz import datasets, metrics
from lapviz.datasets import truths

# ---- closed forms --------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3])
def test_cube_and_torus_against_brute_force(d):
    side = range(12)
    squares = sorted(sum(j * j for j in index) for index in product(side, repeat=d))
    k = min(60, len(side))  # in one dimension there are only 12 frequencies
    np.testing.assert_allclose(truths.cube_spectrum(d, k), pi**2 * np.array(squares[:k]))
    signed = range(-8, 9)
    squares = sorted(sum(j * j for j in index) for index in product(signed, repeat=d))
    k = min(60, len(signed))
    np.testing.assert_allclose(truths.torus_spectrum(d, k), squares[:k])


def test_rectangle_against_brute_force():
    a, b = 2.5, 0.7
    energies = sorted((pi * i / a) ** 2 + (pi * j / b) ** 2 for i in range(40) for j in range(40))
    np.testing.assert_allclose(truths.rectangle_spectrum((a, b), 40), energies[:40])
    np.testing.assert_allclose(
        truths.rectangle_spectrum((1.0, 1.0), 30), truths.cube_spectrum(2, 30)
    )


def test_sphere_multiplicities_are_dimensions_of_harmonic_polynomials():
    assert [truths.sphere_multiplicity(3, s) for s in range(8)] == [2 * s + 1 for s in range(8)]
    assert [truths.sphere_multiplicity(2, s) for s in range(5)] == [1, 2, 2, 2, 2]
    for d, s in product(range(2, 12), range(2, 9)):
        # homogeneous polynomials of degree s, less r^2 times those of degree s - 2
        harmonic = comb(d + s - 1, s) - comb(d + s - 3, s - 2)
        assert truths.sphere_multiplicity(d, s) == harmonic


def neumann_chain(length, n):
    """Eigenvalues of -d^2/ds^2 on [0, length], n cells with reflecting ends."""
    h = length / n
    diagonal = np.full(n, 2.0)
    diagonal[[0, -1]] = 1.0
    return eigh_tridiagonal(
        diagonal / h**2, np.full(n - 1, -1 / h**2), select="i", select_range=(0, 5)
    )[0]


def test_half_moons_are_two_arcs_of_length_pi():
    arc = neumann_chain(pi, 1000)
    expected = np.sort(np.concatenate([arc, arc]))
    np.testing.assert_allclose(truths.half_moons_spectrum(12), expected, atol=1e-3)


def test_circles_against_finite_differences():
    n, values = 400, []
    for radius in (1.0, 2.0, 3.0, 4.0):
        shift = np.roll(np.eye(n), 1, axis=0)
        h = 2 * pi * radius / n
        values.append(np.linalg.eigvalsh((2 * np.eye(n) - shift - shift.T) / h**2)[:24])
    expected = np.sort(np.concatenate(values))[:24]
    np.testing.assert_allclose(
        truths.circles_spectrum((1.0, 2.0, 3.0, 4.0), 24), expected, rtol=2e-3, atol=1e-9
    )


def tensor_grid(nodes, weights, d):
    return np.array(list(product(nodes, repeat=d))), np.prod(list(product(weights, repeat=d)), 1)


def on_circles(theta):
    return np.stack([np.cos(theta), np.sin(theta)], axis=2).reshape(len(theta), -1)


HERMITE = np.polynomial.hermite_e.hermegauss(24)
LEGENDRE = np.polynomial.legendre.leggauss(40)
EXACT = {  # eigenfunctions, eigenvalues, their number, nodes and weights of a quadrature
    "gaussian": (truths.gaussian_eigenfunctions, truths.gaussian_spectrum, 10,
                 HERMITE[0], HERMITE[1] / HERMITE[1].sum()),
    "cube": (truths.cube_eigenfunctions, truths.cube_spectrum, 9,
             (LEGENDRE[0] + 1) / 2, LEGENDRE[1] / 2),
    "torus": (lambda theta, k: truths.torus_eigenfunctions(on_circles(theta), k),
              truths.torus_spectrum, 13, 2 * pi * np.arange(24) / 24, np.full(24, 1 / 24)),
}  # fmt: skip


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("name", EXACT)
def test_eigenfunctions_have_mass_one_and_the_energies_by_quadrature(name, d):
    functions, spectrum, k, nodes, weights = EXACT[name]
    X, w = tensor_grid(nodes, weights, d)
    shifts = 1e-4 * np.eye(d)
    slopes = [(functions(X + e, k) - functions(X - e, k)) / 2e-4 for e in shifts]
    F, gamma = functions(X, k), spectrum(d, k)
    np.testing.assert_allclose(F.T @ (w[:, None] * F), np.eye(k), atol=1e-8)
    energies = sum(G.T @ (w[:, None] * G) for G in slopes)
    np.testing.assert_allclose(energies, np.diag(gamma), atol=1e-5 * max(gamma))


# ---- of the data sets ----------------------------------------------------------------------------


NAMES = {"gaussian": 9, "square": 11, "circle": 9, "torus": 13, "sphere": 16, "half_moons": 8,
         "four_circles": 12, "swiss_roll": 10}  # fmt: skip
for_each = pytest.mark.parametrize(("name", "k"), NAMES.items())


def noise_free(name, n):
    return datasets.load(name, n_samples=n, noise=0.0, random_state=0)


@for_each
def test_eigenfunctions_are_orthonormal(name, k):
    data = noise_free(name, 60_000)
    F = data.truth.functions(data.X, k)
    assert F.shape == (len(data.X), k)
    np.testing.assert_allclose(F[:, 0], 1.0)
    atol = 0.15 if name == "gaussian" else 0.04  # moments of degree 6 and 8 of normal numbers
    np.testing.assert_allclose(F.T @ F / len(F), np.eye(k), atol=atol)


@for_each
def test_energies_are_the_eigenvalues(name, k):
    """Central differences along the axes, or along the tangents of the roll."""
    data, h = noise_free(name, 20_000), 1e-5
    X, d = data.X, data.X.shape[1]
    axes = np.broadcast_to(np.eye(d), (len(X), d, d))
    if name == "swiss_roll":
        t = np.hypot(X[:, 0], X[:, 2])
        along = np.column_stack([X[:, 0] / t - X[:, 2], 0 * t, X[:, 2] / t + X[:, 0]])
        up = np.tile([0.0, 1.0, 0.0], (len(X), 1))
        axes = np.stack([along / np.linalg.norm(along, axis=1, keepdims=True), up], axis=1)
    f = data.truth.functions
    slopes = np.stack([(f(X + h * axes[:, l], k) - f(X - h * axes[:, l], k)) / (2 * h)
                       for l in range(axes.shape[1])], axis=1)  # fmt: skip
    energy = metrics.dirichlet_energy(slopes)
    np.testing.assert_allclose(energy, data.truth.eigenvalues[:k], rtol=0.15, atol=1e-6)


def test_noise_scales_hermite_polynomials():
    data = datasets.load("gaussian", n_samples=50_000, noise=0.5, random_state=0)
    F = data.truth.functions(data.X, 6)
    np.testing.assert_allclose(F.T @ F / len(F), np.eye(6), atol=0.1)
