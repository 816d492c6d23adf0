"""Closed-form spectra against brute force, quadrature and finite differences."""

from itertools import product
from math import comb, pi

import numpy as np
import pytest
from scipy.linalg import eigh_tridiagonal

from lapviz.datasets import truths


@pytest.mark.parametrize("d", [1, 2, 3])
def test_cube_and_torus_against_brute_force(d):
    side = range(12)
    squares = sorted(sum(j * j for j in index) for index in product(side, repeat=d))
    k = min(60, len(side))  # in one dimension only 12 frequencies were listed
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
    both = np.sort(np.concatenate([arc, arc]))
    np.testing.assert_allclose(truths.half_moons_spectrum(12), both, atol=1e-3)


def test_circles_against_finite_differences():
    n, values = 400, []
    for radius in (1.0, 2.0, 3.0, 4.0):
        shift = np.roll(np.eye(n), 1, axis=0)
        h = 2 * pi * radius / n
        values.append(np.linalg.eigvalsh((2 * np.eye(n) - shift - shift.T) / h**2)[:24])
    found = np.sort(np.concatenate(values))[:24]
    np.testing.assert_allclose(
        truths.circles_spectrum((1.0, 2.0, 3.0, 4.0), 24), found, rtol=2e-3, atol=1e-9
    )


def tensor_grid(nodes, weights, d):
    return np.array(list(product(nodes, repeat=d))), np.prod(list(product(weights, repeat=d)), 1)


def on_circles(theta):
    return np.stack([np.cos(theta), np.sin(theta)], axis=2).reshape(len(theta), -1)


HERMITE = np.polynomial.hermite_e.hermegauss(24)
LEGENDRE = np.polynomial.legendre.leggauss(40)
EXACT = {  # eigenfunctions, eigenvalues, how many, nodes and weights of a quadrature
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
