"""Random directions, augmentations, moves of images: definitions, closed forms, ``operator=``."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from lapviz import GalerkinEmbedding, kernels, operators
from lapviz.bilinear import galerkin_svd
from lapviz.operators import ImageMoves
from lapviz.operators.invariances import (
    AugmentationDifferences,
    RandomDirections,
    UniformDirections,
    generator,
)
from lapviz.spaces import KernelSpace


def jitter(X, rng):
    return X + 0.2 * rng.normal(size=X.shape)


def drawn(X, rng):
    return rng.normal(size=(len(X), 1, X.shape[1]))


def problem(n=40, d=2, constant=True):
    X = np.random.default_rng(d).normal(size=(n, d))
    return KernelSpace(kernels.get("matern52", 1.2 * d**0.5), X[:9], constant), X


@pytest.mark.parametrize("q", [1, 4])
def test_random_directions_are_averaged(q):
    """(19): the mean over samples and draws of ⟨∇φ_i, u⟩⟨∇φ_j, u⟩."""
    space, X = problem()
    U = np.random.default_rng(3).normal(size=(len(X), q, 2))
    S = operators.assemble(space, X, RandomDirections(lambda X, rng: U)).stiffness
    slopes = np.einsum("nql,nlp->nqp", U, space.gradient(X))
    expected = np.mean([np.outer(s, s) for row in slopes for s in row], axis=0)
    np.testing.assert_allclose(S, expected, atol=1e-12)


@pytest.mark.parametrize("d", [1, 2, 3, 6])
@pytest.mark.parametrize("groups", [1, 2])
def test_complete_groups_of_uniform_directions_give_the_laplacian_over_d(groups, d):
    space, X = problem(d=d)
    S = operators.assemble(space, X, UniformDirections(groups * d)).stiffness
    laplacian = operators.assemble(space, X).stiffness
    np.testing.assert_allclose(S, laplacian / d, rtol=0, atol=1e-10 * laplacian.max())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("anchored", [False, True])
@pytest.mark.parametrize("n_pairs", [1, 3])
def test_differences_of_augmentations_match_their_definition(n_pairs, anchored, weighted):
    """(20), with the same draws by hand; rows of weight 0 do not count."""
    space, X = problem()
    operator = AugmentationDifferences(jitter, n_pairs, anchored, random_state=4)
    weights = np.arange(len(X)) % 4 if weighted else np.ones(len(X))
    sample_weight = weights if weighted else None
    S = operators.assemble(space, X, operator, sample_weight=sample_weight).stiffness
    rng, expected, positive = generator(4), np.zeros_like(S), weights > 0
    for _ in range(n_pairs):
        first = jitter(X[positive], rng)
        second = X[positive] if anchored else jitter(X[positive], rng)
        jumps = space.phi(first) - space.phi(second)
        for jump, weight in zip(jumps, weights[positive], strict=True):
            expected += weight * np.outer(jump, jump) / (n_pairs * weights.sum())
    np.testing.assert_allclose(S, expected, atol=1e-12)
    np.testing.assert_array_equal(S, S.T)
    assert not S[0].any()  # the constant does not change
    assert np.linalg.eigvalsh(S).min() > -1e-13


@pytest.mark.slow
@pytest.mark.parametrize(("anchored", "power"), [(False, 2), (True, 1)])
def test_normal_augmentations_of_normal_data_have_hermite_eigenvalues(anchored, power):
    """ξ = ρx + √(1 − ρ²)z over N(0, 1): 2(1 − ρ²ᵏ), or 2(1 − ρᵏ) against x itself."""
    rho = 0.8
    X = np.random.default_rng(0).normal(size=(30_000, 1))
    operator = AugmentationDifferences(
        lambda X, rng: rho * X + np.sqrt(1 - rho**2) * rng.normal(size=X.shape), 2, anchored
    )
    space = KernelSpace(kernels.get("polynomial", 1.0, degree=3), X[:20])
    result = galerkin_svd(operator, space, None, X)
    truth = 2 * (1 - rho ** (power * np.arange(4)))
    np.testing.assert_allclose(result.values, truth, rtol=0.05, atol=1e-6)


@pytest.mark.parametrize(
    "operator",
    [
        UniformDirections(1, random_state=3),
        AugmentationDifferences(jitter, random_state=3),
        RandomDirections(drawn, random_state=3),
    ],
    ids=lambda op: op.name,
)
def test_a_seed_determines_the_draws_of_pickles_and_estimators(operator):
    space, X = problem()
    copies = operator, pickle.loads(pickle.dumps(operator)), replace(operator, random_state=4)
    first, repeated, other = (operators.assemble(space, X, op).stiffness for op in copies)
    np.testing.assert_array_equal(first, repeated)
    assert not np.allclose(first, other)
    model = GalerkinEmbedding(operator=operator, n_components=4, n_landmarks=20, random_state=0)
    assert np.isfinite(clone(model).fit(X).transform(X)).all()


def test_draws_are_not_those_of_data_with_the_same_seed():
    X = np.random.default_rng(0).normal(size=(500, 1))
    drawn = []
    AugmentationDifferences(lambda X, rng: drawn.append(rng.normal(size=X.shape)) or X).stiffness(
        problem(d=1)[0], X
    )
    assert abs(np.corrcoef(X[:, 0], drawn[0][:, 0])[0, 1]) < 0.15


rng = np.random.default_rng(0)
IMAGES = rng.uniform(size=(5, 7, 7))
X = IMAGES.reshape(5, 49)
MOVES = ImageMoves(1.0, 10.0, 7, 7)


def moved(shift, angle):
    n = len(X)
    out = MOVES.moved(X, np.tile(np.asarray(shift, float), (n, 1)), np.full(n, np.deg2rad(angle)))
    return out.reshape(IMAGES.shape)


def test_whole_pixels_move_exactly():
    expected = np.zeros_like(IMAGES)
    expected[:, 2:, :-1] = IMAGES[:, :-2, 1:]
    np.testing.assert_allclose(moved((2, -1), 0), expected, atol=1e-12)
    np.testing.assert_allclose(moved((0, 0), 0), IMAGES, atol=1e-12)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_quarter_turns_are_exact(quarters):
    turned = moved((0, 0), 90 * quarters)
    rotations = [np.rot90(IMAGES, s * quarters, axes=(1, 2)) for s in (1, -1)]
    assert min(np.abs(turned - expected).max() for expected in rotations) < 1e-10


def test_the_shift_may_be_a_narrow_integer():
    narrow, plain = (
        ImageMoves(s, 0.0, 7, 7)(X, np.random.default_rng(0)) for s in (np.uint8(3), 3)
    )
    np.testing.assert_array_equal(narrow, plain)


def test_draws_keep_their_range_and_follow_the_generator():
    ramp = np.tile(np.arange(7.0), (400, 7, 1)).reshape(400, 49)  # value = column
    shifted = ImageMoves(0.4, 0.0, 7, 7)(ramp, np.random.default_rng(3)).reshape(400, 7, 7)
    distance = 3 - shifted[:, 3, 3]
    assert np.abs(distance).max() <= 0.4
    assert distance.std() == pytest.approx(0.4 / 3**0.5, rel=0.1)
    repeated = ImageMoves(0.4, 0.0, 7, 7)(ramp, np.random.default_rng(3)).reshape(400, 7, 7)
    np.testing.assert_array_equal(shifted, repeated)
