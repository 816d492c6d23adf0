"""Embeddings: known spectra, brute force, exact extension; functions matched by rotations."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from lapviz import graphs
from lapviz.datasets import load
from lapviz.graphs import eigenspaces, match_functions
from lapviz.graphs.eigenmaps import diffusion_maps, laplacian_eigenmaps

CIRCLE = load("circle", n_samples=800, random_state=0).X


def test_eigenmaps_are_random_walk_eigenvectors():
    eigenmaps = laplacian_eigenmaps(CIRCLE, 4, 8)
    spectrum = graphs.graph_spectrum(graphs.knn_weights(CIRCLE, 8), 5, "random-walk")
    np.testing.assert_allclose(np.mean(eigenmaps**2, axis=0), 1.0)
    for pair in (slice(0, 2), slice(2, 4)):
        assert subspace_angles(eigenmaps[:, pair], spectrum.vectors[:, 1:][:, pair]).max() < 1e-3


def test_eigenmaps_of_two_components_are_orthogonal_to_the_constant():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(40, 2)), rng.normal(size=(70, 2)) + 100])
    degrees = np.asarray(graphs.knn_weights(X, 8).sum(axis=1)).ravel()
    values = laplacian_eigenmaps(X, 4, 8)
    np.testing.assert_allclose(np.average(values, axis=0, weights=degrees), 0, atol=1e-10)
    np.testing.assert_allclose(np.mean(values**2, axis=0), 1)


def test_transition_matrix_by_brute_force():
    X = np.random.default_rng(0).normal(size=(40, 2))
    for alpha in (0.0, 0.5, 1.0):
        W = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2) / 0.7**2)
        q = W.sum(axis=1)
        P = W / np.outer(q, q) ** alpha
        stationary = P.sum(axis=1)
        P /= stationary[:, None]
        maps = diffusion_maps(X, 10, 0.7, alpha)
        np.testing.assert_allclose(P @ maps.values, maps.theta * maps.values, atol=1e-10)
        np.testing.assert_allclose(maps.values[:, 0], maps.values[0, 0])
        gram = maps.values.T @ (stationary[:, None] * maps.values) / stationary.sum()
        np.testing.assert_allclose(gram, np.eye(10), atol=1e-10)
        np.testing.assert_allclose(
            maps.coordinates(3), maps.theta[1:] ** 3 * maps.values[:, 1:], atol=1e-12
        )


@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_spectrum_of_the_circle(alpha):
    gamma = diffusion_maps(CIRCLE, 5, 0.15, alpha).gamma
    assert gamma[0] < 1e-9
    np.testing.assert_allclose(gamma[1:], [1, 1, 4, 4], rtol=0.18)


@pytest.mark.slow
def test_alpha_one_half_gives_the_operator_of_the_density():
    """On N(0, 1) ℒ = ∇*∇ has eigenvalues 0, 1, 2 (Hermite), unlike Laplace–Beltrami on R."""
    quantiles = (np.arange(900) + 0.5) / 900
    from scipy.stats import norm

    X = norm.ppf(quantiles)[:, None]
    gamma = diffusion_maps(X, 3, 0.25, 0.5).gamma
    np.testing.assert_allclose(gamma[1:], [1.0, 2.0], rtol=0.12)
    assert diffusion_maps(X, 3, 0.25, 1.0).gamma[1] < 0.6


def test_the_extension_is_exact_at_the_samples_and_finite_far_away():
    maps = diffusion_maps(CIRCLE, 6, 0.2)
    np.testing.assert_allclose(maps.transform(CIRCLE), maps.values, atol=1e-10)
    between = 0.5 * (CIRCLE[:1] + CIRCLE[1:2])
    assert np.isfinite(maps.transform(np.vstack([between, [[1e6, 0.0]]]))).all()


def test_coincident_points_and_small_samples():
    maps = diffusion_maps(np.ones((5, 2)), 3)
    assert np.isfinite(maps.transform(np.zeros((2, 2)))).all()
    assert diffusion_maps(CIRCLE[:3], 10).values.shape == (3, 3)
    assert laplacian_eigenmaps(CIRCLE[:5], 10, 2).shape == (5, 3)
    with pytest.raises(ValueError, match="at least 3 points"):
        laplacian_eigenmaps(CIRCLE[:2], 10)
    for options, sentence in (({"alpha": "a"}, "alpha"), ({"bandwidth": 1e-200}, "too small")):
        with pytest.raises(ValueError, match=sentence):
            diffusion_maps(CIRCLE, 3, **options)


def orthonormal(n=60, k=6, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(n, k)))[0] * np.sqrt(n)


def test_only_eigenspaces_are_rotated():
    F, gamma = orthonormal(), np.array([0.0, 1.0, 1.05, 4.0, 4.1, 4.2])
    rng = np.random.default_rng(1)
    rotated = F.copy()
    for block in ((1, 2), (3, 4, 5)):
        rotated[:, block] = F[:, block] @ np.linalg.qr(rng.normal(size=(len(block),) * 2))[0]
    T = match_functions(F, rotated, gamma)
    np.testing.assert_allclose(rotated @ T, F, atol=1e-10)
    np.testing.assert_allclose(T.T @ T, np.eye(6), atol=1e-12)
    mixing = np.abs(T[:3, 3:]).max(), np.abs(T[3:, :3]).max(), np.abs(T[0, 1:]).max()
    assert max(mixing) == 0, "between eigenspaces nothing is mixed"
    unrotated = match_functions(F, rotated)  # without eigenvalues nothing is rotated
    assert np.abs(rotated @ unrotated - F).max() > 0.1


def test_the_zeros_of_a_graph_of_components_have_no_basis_of_their_own():
    """Learnt eigenvalues apart, and indicators of components: these alone are rotated."""
    F, gamma = orthonormal(), np.array([0.0, 0.1, 1.0, 4.0, 9.0, 16.0])
    zeros = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    G, other = F.copy(), np.array([0.0, 1e-17, 1e-13, 3.0, 8.0, 15.0])
    G[:, :3] = F[:, :3] @ zeros
    assert np.abs(G @ match_functions(F, G, gamma) - F).max() > 0.1
    T = match_functions(F, G, gamma, other_gamma=other)
    np.testing.assert_allclose(G @ T, F, atol=1e-10)
    np.testing.assert_allclose(T.T @ T, np.eye(6), atol=1e-12)
    T = match_functions(F[:, :2], G, gamma[:2], other_gamma=other)  # fewer than there are zeros
    np.testing.assert_allclose(G @ T, F[:, :2], atol=1e-10)
    uneven = G @ np.array(np.bmat([[np.eye(3) + 0.4, np.zeros((3, 3))],
                                   [np.zeros((3, 3)), np.eye(3)]]))  # fmt: skip
    uneven /= np.sqrt(np.mean(uneven**2, axis=0))  # as a graph's, orthonormal by its degrees only
    matched = uneven @ match_functions(F, uneven, gamma, other_gamma=other)
    np.testing.assert_allclose(matched, F, atol=1e-10)
    G[:, 3:] *= np.where(np.arange(3) == 1, -1, 1)
    np.testing.assert_allclose(G @ match_functions(F, G, gamma, other_gamma=other), F, atol=1e-10)


def test_eigenspaces_are_groups_of_nearly_equal_values():
    groups = [g.tolist() for g in eigenspaces(np.array([0, 1e-9, 1, 1.1, 1.2, 4, 9, 9.5]))]
    assert groups == [[0, 1], [2, 3], [4], [5], [6, 7]]
    assert len(eigenspaces(np.array([0.0, 1.0, 1.0001]), rtol=0)) == 3
    with np.errstate(all="raise"):
        assert eigenspaces(np.array([])) == []
