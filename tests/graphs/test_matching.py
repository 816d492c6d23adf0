"""Matching of eigenfunctions: order, signs, and rotations within eigenspaces alone."""

import numpy as np

from lapviz.graphs import eigenspaces, match_functions


def orthonormal(n=60, k=6, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(n, k)))[0] * np.sqrt(n)


def test_only_eigenspaces_are_rotated():
    F, gamma = orthonormal(), np.array([0.0, 1.0, 1.05, 4.0, 4.1, 4.2])
    rng = np.random.default_rng(1)
    turned = F.copy()
    for block in ((1, 2), (3, 4, 5)):
        turned[:, block] = F[:, block] @ np.linalg.qr(rng.normal(size=(len(block),) * 2))[0]
    T = match_functions(F, turned, gamma)
    np.testing.assert_allclose(turned @ T, F, atol=1e-10)
    np.testing.assert_allclose(T.T @ T, np.eye(6), atol=1e-12)
    across = np.abs(T[:3, 3:]).max(), np.abs(T[3:, :3]).max(), np.abs(T[0, 1:]).max()
    assert max(across) == 0, "between eigenspaces nothing is mixed"
    alone = match_functions(F, turned)  # without eigenvalues each keeps its own direction
    assert np.abs(turned @ alone - F).max() > 0.1


def test_the_rotation_is_the_best_one():
    """Against every rotation and reflection of the plane, on a fine grid."""
    rng = np.random.default_rng(2)
    F, G = orthonormal(k=2), orthonormal(k=2, seed=5) + 0.4 * rng.normal(size=(60, 2))
    G /= np.linalg.norm(G, axis=0) / np.sqrt(60)
    found = np.sum((G @ match_functions(F, G, np.ones(2)) - F) ** 2)
    for a in np.linspace(0, 2 * np.pi, 721):
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        for Q in (turn, turn * [1, -1]):
            assert found <= np.sum((G @ Q - F) ** 2) + 1e-9


def test_eigenspaces_are_groups_of_nearly_equal_values():
    groups = [g.tolist() for g in eigenspaces(np.array([0, 1e-9, 1, 1.1, 1.2, 4, 9, 9.5]))]
    assert groups == [[0, 1], [2, 3], [4], [5], [6, 7]]
    assert len(eigenspaces(np.array([0.0, 1.0, 1.0001]), rtol=0)) == 3
