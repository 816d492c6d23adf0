"""Closed-form spectra against brute force, quadrature and finite differences."""

from itertools import product
from math import comb, pi

import numpy as np
import pytest
from scipy.linalg import eigh_tridiagonal

from lapviz.datasets import truths


def eigenpairs_hold(functions, gradients, weights, gamma):
    """Mass matrix the identity and stiffness diag(gamma), by quadrature."""
    mass = np.einsum("n,ni,nj->ij", weights, functions, functions)
    stiffness = np.einsum("n,nil,njl->ij", weights, gradients, gradients)
    np.testing.assert_allclose(mass, np.eye(len(gamma)), atol=1e-8)
    np.testing.assert_allclose(stiffness, np.diag(gamma), atol=1e-5 * max(gamma))


def central_differences(function, X, step=1e-4):
    """Gradients (n, k, d) of k functions at X (n, d)."""
    shifts = step * np.eye(X.shape[1])
    return np.stack([(function(X + e) - function(X - e)) / (2 * step) for e in shifts], axis=2)


def tensor_grid(nodes, weights, d):
    X = np.array(list(product(nodes, repeat=d)))
    return X, np.prod(list(product(weights, repeat=d)), axis=1)


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


@pytest.mark.parametrize("d", [1, 2])
def test_hermite_products_are_the_gaussian_eigenfunctions(d):
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    X, w = tensor_grid(nodes, weights / weights.sum(), d)
    k = 10

    def functions(X):
        return truths.gaussian_eigenfunctions(X, k)

    eigenpairs_hold(
        functions(X),
        central_differences(functions, X),
        w,
        [*range(k)] if d == 1 else truths.gaussian_spectrum(d, k),
    )


@pytest.mark.parametrize("d", [1, 2])
def test_cosines_are_the_cube_eigenfunctions(d):
    nodes, weights = np.polynomial.legendre.leggauss(40)
    X, w = tensor_grid((nodes + 1) / 2, weights / 2, d)
    k = 9

    def functions(X):
        return truths.cube_eigenfunctions(X, k)

    eigenpairs_hold(functions(X), central_differences(functions, X), w, truths.cube_spectrum(d, k))


@pytest.mark.parametrize("dim", [1, 2])
def test_fourier_products_are_the_torus_eigenfunctions(dim):
    theta, w = tensor_grid(2 * pi * np.arange(24) / 24, np.full(24, 1 / 24), dim)
    k = 13

    def functions(theta):
        X = np.stack([np.cos(theta), np.sin(theta)], axis=2).reshape(len(theta), -1)
        return truths.torus_eigenfunctions(X, k)

    gamma = truths.torus_spectrum(dim, k)
    eigenpairs_hold(functions(theta), central_differences(functions, theta), w, gamma)


@pytest.mark.parametrize(
    "call",
    [
        lambda: truths.gaussian_spectrum(0, 3),
        lambda: truths.cube_spectrum(2, 0),
        lambda: truths.torus_spectrum(1.5, 3),
        lambda: truths.sphere_spectrum(1, 3),
        lambda: truths.sphere_multiplicity(3, -1),
        lambda: truths.half_moons_spectrum(True),
    ],
)
def test_sizes_that_make_no_sense(call):
    with pytest.raises(ValueError, match="must be a whole number, at least"):
        call()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: truths.circle_spectrum(3, radius=0), "radius must be"),
        (lambda: truths.rectangle_spectrum((1.0, -1.0), 3), "lengths must be"),
        (lambda: truths.circles_spectrum((), 3), "at least one circle"),
        (lambda: truths.torus_eigenfunctions(np.ones((4, 3)), 2), "even dimension"),
        (lambda: truths.circle_eigenfunctions(np.ones((4, 4)), 2), "2 columns"),
        (lambda: truths.gaussian_eigenfunctions(np.ones(4), 2), "shape"),
    ],
)
def test_inputs_that_make_no_sense(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
