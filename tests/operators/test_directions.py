"""Directions, known and learnt: true tangents, symmetries, and what "auto" must find."""

from itertools import product

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, datasets, operators
from lapviz.operators.base import at_rows
from lapviz.operators.tangents import learn_tangents


def projections(frames):
    """U Uᵀ, which does not depend on signs or on the basis of the tangent space."""
    return np.einsum("nqi,nqj->nij", frames, frames)


def check_orthonormal(frames):
    gram = np.einsum("nqi,nri->nqr", frames, frames)
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(gram.shape[1]), gram.shape), atol=1e-12)


def circle(n, noise, seed=0):
    rng = np.random.default_rng(seed)
    theta = rng.uniform(0, 2 * np.pi, n)
    X = np.column_stack([np.cos(theta), np.sin(theta)]) + noise * rng.standard_normal((n, 2))
    return X, np.column_stack([-np.sin(theta), np.cos(theta)])


def alignment(frames, tangent):
    """Mean cos² of the angle between a learnt direction and the true one."""
    return float((np.einsum("nd,nd->n", frames[:, 0], tangent) ** 2).mean())


@pytest.mark.parametrize(("noise", "least"), [(0.0, 0.9999), (0.05, 0.97), (0.1, 0.95)])
def test_circle_tangents(noise, least):
    X, tangent = circle(1000, noise)
    learnt = learn_tangents(X)
    assert learnt.n_directions == 1
    assert alignment(learnt.frames, tangent) > least
    if noise == 0.1:  # also for rounded rows, and on several circles
        for step in (0.1, 0.2):
            assert alignment(learn_tangents(np.round(X / step) * step).frames, tangent) > 0.9
        X = datasets.load("four_circles", noise=noise).X
        tangent = np.column_stack([-X[:, 1], X[:, 0]]) / np.linalg.norm(X, axis=1, keepdims=True)
        assert alignment(learn_tangents(X).frames, tangent) > 0.85


@pytest.mark.parametrize("noise", [0.1, 0.8])  # a curve, and a sample that fills the plane
def test_a_constant_column_or_a_rotation_into_more_dimensions_changes_nothing(noise):
    X, _ = circle(1000, noise)
    expected = learn_tangents(X)
    assert expected.n_directions == (1 if noise == 0.1 else 2)
    turn, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(20, 20)))
    for basis in (np.eye(3)[:2], turn[:2]):
        learnt = learn_tangents(X @ basis + 1.0)
        found = (learnt.n_neighbors, learnt.n_directions)
        assert found == (expected.n_neighbors, expected.n_directions)
        assert learnt.effective_dimension == pytest.approx(expected.effective_dimension)
        np.testing.assert_allclose(
            projections(learnt.frames), basis.T @ projections(expected.frames) @ basis, atol=1e-9
        )


@pytest.mark.slow
@pytest.mark.parametrize("copies", [2, 12, 40])
def test_repeated_rows_do_not_change_the_tangents(copies):
    X, _ = circle(1000, 0.1)
    expected = learn_tangents(X)
    for rows in (np.tile(X, (copies, 1)), np.repeat(X, copies, 0)):
        learnt = learn_tangents(rows)
        assert (learnt.n_neighbors, learnt.n_directions) == (expected.n_neighbors, 1)
        assert learnt.n_references == 1000
    np.testing.assert_allclose(
        projections(learnt.frames), np.repeat(projections(expected.frames), copies, 0), atol=1e-9
    )


def test_copies_may_differ_in_the_sign_of_0():
    X = np.random.default_rng(0).normal(size=(200, 3))
    X[:, 2] = 0.0
    learnt, expected = (learn_tangents(np.vstack([X, X * [1, 1, sign]])) for sign in (-1, 1))
    assert learnt.n_references == expected.n_references == 200
    np.testing.assert_array_equal(learnt.frames, expected.frames)


def test_as_many_distinct_rows_are_searched_as_are_wanted(monkeypatch):
    """Where rows repeat, or have weights, None used to mean 50 000."""
    monkeypatch.setattr("lapviz.operators.neighborhoods._POOL", 100)
    X, _ = circle(300, 0.1)
    for rows, weights in ((np.vstack([X, X]), None), (X, np.ones(300))):
        for wanted, found in ((None, 300), (50, 50)):
            learnt = learn_tangents(rows, 10, max_references=wanted, sample_weight=weights)
            assert learnt.n_references == found


@pytest.mark.parametrize(
    ("name", "settings", "directions"),
    [
        ("four_circles", {"noise": 0.0}, 1),
        ("four_circles", {"noise": 0.05}, 1),
        ("four_circles", {"noise": 0.1}, 1),
        ("four_circles", {"noise": 0.15}, 1),
        ("half_moons", {"n_samples": 300, "noise": 0.05}, 1),
        ("half_moons", {"n_samples": 1000, "noise": 0.1}, 1),
        ("half_moons", {"n_samples": 10_000, "noise": 0.05}, 1),
        ("circle", {}, 1),
        ("torus", {}, 2),
        ("sphere", {}, 2),
        ("sphere", {"noise": 0.1}, 2),
        ("sphere", {"dimension": 4}, 3),
        ("sphere", {"dimension": 5}, 4),
        ("swiss_roll", {}, 2),
        ("swiss_roll", {"noise": 0.5}, 2),
        ("square", {}, 2),
        ("gaussian", {}, 2),
        ("blobs", {}, 2),
        ("two_gaussians", {}, 10),
    ],
)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_auto_finds_the_dimension(name, settings, directions, seed):
    X = datasets.load(name, random_state=seed, **settings).X
    assert learn_tangents(X).n_directions == directions


@pytest.mark.parametrize("shape", [(200, 2, 1), (200, 3, 2), (60, 40, 5), (20, 30, 25)])
def test_frames_are_orthonormal_and_match_brute_force(shape):
    n, d, q = shape
    X = np.random.default_rng(3).standard_normal((n, d)) * np.linspace(1, 3, d)
    k = 12
    frames = learn_tangents(X, n_neighbors=k, n_directions=q).frames
    check_orthonormal(frames)
    if q > k:  # the neighbours span only k directions: the others are any orthogonal completion
        return
    learnt = projections(frames)
    for i in range(0, n, 7):
        nearest = np.argsort(np.linalg.norm(X - X[i], axis=1))[: k + 1]
        _, _, rows = np.linalg.svd(X[nearest] - X[nearest].mean(axis=0))
        np.testing.assert_allclose(learnt[i], rows[:q].T @ rows[:q], atol=1e-7)


def test_rotation_scaling_and_translation():
    X = datasets.load("swiss_roll", n_samples=400, noise=0.3).X
    Q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))
    plain, moved = learn_tangents(X), learn_tangents(1e3 * X @ Q.T + 5.0)
    assert (plain.n_neighbors, plain.n_directions) == (moved.n_neighbors, moved.n_directions)
    turned = Q @ projections(plain.frames) @ Q.T
    np.testing.assert_allclose(projections(moved.frames), turned, atol=1e-6)


@pytest.mark.slow
def test_large_samples_use_references():
    X, tangent = circle(30_000, 0.1)
    learnt = learn_tangents(X)
    assert learnt.frames.shape == (30_000, 1, 2)
    assert learnt.n_references == 5000
    assert alignment(learnt.frames, tangent) > 0.95


def test_full_dimension_is_the_coordinate_axes():
    X = np.random.default_rng(0).standard_normal((300, 3))
    learnt = learn_tangents(X)
    assert learnt.n_directions == 3
    np.testing.assert_array_equal(projections(learnt.frames)[17], np.eye(3))


DEGENERATE = {
    **{f"{n} distinct": np.repeat(np.random.default_rng(0).normal(size=(n, 4)), 30, axis=0)
       for n in (1, 2, 3)},
    "one sample": np.array([[1.0, 2.0]]),
    "two samples": np.array([[1.0, 2.0], [3.0, 5.0]]),
    "heaps": np.repeat(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), 30, axis=0),
    "one feature": np.linspace(0, 1, 40)[:, None],
    "constant feature": np.column_stack([np.linspace(0, 1, 40), np.ones(40)]),
    "more features than samples": np.random.default_rng(0).standard_normal((8, 40)),
    "tiny units": 1e-200 * np.random.default_rng(0).standard_normal((60, 4)),
    "huge units": 1e200 * np.random.default_rng(0).standard_normal((60, 4)),
}  # fmt: skip


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_data_give_orthonormal_frames(case):
    X = DEGENERATE[case]
    for settings in product(("auto", 1, 500), ("auto", 1)):
        learnt = learn_tangents(X, *settings)
        assert learnt.frames.shape == (len(X), learnt.n_directions, X.shape[1]), settings
        check_orthonormal(learnt.frames)
        assert 0 <= learnt.explained <= 1 + 1e-12
        assert 0 <= learnt.effective_dimension <= X.shape[1]


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


def test_spheres_have_a_center_at_which_directions_are_defined():
    X = rng.normal(size=(20, 3)) + 5.0
    moved = operators.SphereTangent(center=(5.0, 5.0, 5.0)).directions(X)
    np.testing.assert_allclose(
        projections(moved), projections(operators.SphereTangent().directions(X - 5.0)), atol=1e-12
    )
    check_orthonormal(operators.SphereTangent().directions(np.zeros((1, 3))))
    with pytest.raises(ValueError, match=r"center must have shape \(3,\), got \(1,\)"):
        operators.SphereTangent(center=(5.0,)).directions(X)


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


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_a_weight_must_be_positive_semidefinite_in_any_unit(unit):
    X = rng.normal(size=(5, 2))
    for values, allowed in (((-1, -1), False), ((1, -1e-7), False), ((1, -1e-9), True),
                            ((0, 0), True)):  # fmt: skip
        A = np.broadcast_to(unit * np.diag(values), (5, 2, 2))
        operator = operators.WeightedLaplacian(lambda _, A=A: A)
        if allowed:
            assert operator.directions(X).shape == (5, 2, 2)
            continue
        with pytest.raises(ValueError, match="positive semi-definite"):
            operator.directions(X)


def test_tangents_at_a_subset_of_rows_use_their_weights():
    X, _ = circle(120, 0.1)
    counts, subset = rng.integers(1, 4, 60), slice(0, None, 2)
    frames = at_rows("tangent", X, np.arange(0, 120, 2), counts.astype(float)).directions(X[subset])
    expected = learn_tangents(np.repeat(X[subset], counts, axis=0)).frames
    np.testing.assert_allclose(
        np.repeat(projections(frames), counts, axis=0), projections(expected), atol=1e-9
    )


def test_narrow_integers_count_neighbours():
    X, _ = circle(50, 0.1)
    narrow, plain = (learn_tangents(X, k, 1).frames for k in (np.uint8(3), 3))
    np.testing.assert_array_equal(narrow, plain)


def test_directions_that_are_not_finite_are_named():
    X, tangent = circle(50, 0.0)
    tangent[7] = np.nan
    with pytest.raises(ValueError, match="directions at row 7 of X are not finite"):
        GalerkinEmbedding(operator=operators.GivenDirections(tangent[:, None])).fit(X)
