"""Operators: directions against known tangents, and the energies they give."""

import numpy as np
import pytest
from frames import check_orthonormal, projections

from lapviz import operators

rng = np.random.default_rng(0)


def test_names():
    assert set(operators.names()) >= {"laplacian", "tangent", "sphere", "torus"}
    for name in operators.names():
        assert operators.get(name).name == name
        assert operators.get(name).title
    assert operators.get(tangent := operators.Tangent(5, 1)) is tangent
    assert operators.get("laplacian").directions(np.zeros((3, 2))) is None  # coordinate axes


@pytest.mark.parametrize("d", [2, 3, 7])
def test_sphere_directions_project_on_the_tangent_space(d):
    X = rng.normal(size=(50, d))
    X[0] = -np.eye(d)[0]
    frames = operators.SphereTangent().directions(X)
    assert frames.shape == (50, d - 1, d)
    check_orthonormal(frames)
    nu = X / np.linalg.norm(X, axis=1, keepdims=True)
    expected = np.eye(d) - nu[:, :, None] * nu[:, None, :]
    np.testing.assert_allclose(projections(frames), expected, atol=1e-12)


def test_spheres_have_a_center_and_the_center_itself_has_an_answer():
    X = rng.normal(size=(20, 3)) + 5.0
    moved = operators.SphereTangent(center=(5.0, 5.0, 5.0)).directions(X)
    np.testing.assert_allclose(
        projections(moved), projections(operators.SphereTangent().directions(X - 5.0)), atol=1e-12
    )
    check_orthonormal(operators.SphereTangent().directions(np.zeros((1, 3))))


def test_torus_directions_turn_each_circle():
    angles = rng.uniform(0, 2 * np.pi, size=(30, 2))
    X = np.column_stack([f(angles[:, l]) for l in range(2) for f in (np.cos, np.sin)])
    frames = operators.TorusTangent().directions(X)
    check_orthonormal(frames)
    assert frames.shape == (30, 2, 4)
    step = 1e-6
    for l in range(2):  # the derivative of the embedding by the l-th angle
        turned = angles.copy()
        turned[:, l] += step
        Y = np.column_stack([f(turned[:, j]) for j in range(2) for f in (np.cos, np.sin)])
        np.testing.assert_allclose(frames[:, l], (Y - X) / step, atol=2e-6)
    assert np.all(np.isfinite(operators.TorusTangent().directions(np.zeros((1, 4)))))


def test_a_weight_is_recovered_from_its_directions():
    B = rng.normal(size=(25, 3, 3))
    A = B @ B.swapaxes(1, 2)
    frames = operators.WeightedLaplacian(lambda _: A).directions(rng.normal(size=(25, 3)))
    np.testing.assert_allclose(projections(frames), A, atol=1e-12)
