"""Functions on a sphere: a closed surface with the values, or points."""

from collections import Counter

import numpy as np
import pytest

from lapviz import figures


def on_sphere(n, radius=1.0):
    X = np.random.default_rng(0).standard_normal((n, 3))
    return radius * X / np.linalg.norm(X, axis=1)[:, None]


def test_a_surface_is_closed_turned_outwards_and_carries_the_values():
    X = on_sphere(300, radius=4.0)
    values = 3 * X[:, 0]
    mesh, points = figures.sphere(X, values, name="e₁").data
    triangles = np.column_stack([mesh.i, mesh.j, mesh.k])
    assert set(triangles.ravel()) == set(range(300))
    sides = Counter((t[a], t[(a + 1) % 3]) for t in triangles.tolist() for a in range(3))
    assert set(sides.values()) == {1}
    assert all((b, a) in sides for a, b in sides)  # each edge once in either direction
    assert 300 - len(sides) // 2 + len(triangles) == 2  # Euler's number of the sphere
    a, b, c = (X[triangles[:, k]] for k in range(3))
    assert (np.einsum("td,td->t", np.cross(b - a, c - a), a + b + c) > 0).all()
    np.testing.assert_allclose(mesh.intensity, values, atol=1e-6)
    np.testing.assert_array_equal(np.column_stack([mesh.x, mesh.y, mesh.z]), X)
    assert mesh.cmax == -mesh.cmin == pytest.approx(np.abs(values).max())
    assert (mesh.colorbar.title.text, points.type) == ("e₁", "scatter3d")
    assert len(figures.sphere(X, values, points=False).data) == 1


@pytest.mark.parametrize(
    "X",
    [
        np.random.default_rng(0).standard_normal((50, 3)),  # no sphere
        np.column_stack([*(f(np.arange(50)) for f in (np.cos, np.sin)), np.zeros(50)]),  # a circle
        np.eye(3),
    ],
)
def test_points_on_no_sphere_are_points(X):
    values = np.arange(len(X)) - 1.0
    (points,) = figures.sphere(X, values).data
    assert points.type == "scatter3d"
    np.testing.assert_allclose(points.marker.color, values, atol=1e-6)
    assert points.marker.cmax == -points.marker.cmin == np.abs(values).max()


def test_constant_and_missing_values():
    X = on_sphere(20)
    assert figures.sphere(X, np.zeros(20)).data[0].cmax > 0
    values = np.where(np.arange(20) < 3, np.nan, 1.0)
    assert np.isnan(figures.sphere(X, values).data[0].intensity).sum() == 3
