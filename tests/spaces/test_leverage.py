"""Leverage scores against the exact ones, and the draws made with them."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.spaces import landmarks
from lapviz.spaces.leverage import (
    draw_landmarks,
    inclusion,
    leverage_scores,
    systematic,
    tree_order,
)

rng = np.random.default_rng(0)
CROWD = np.vstack([0.2 * rng.normal(size=(380, 2)), rng.uniform(-4, 4, size=(20, 2))])


def exact(X, kernel, ridge):
    K = kernel(X, X)
    return np.diag(np.linalg.solve(K + ridge * np.eye(len(X)), K))


@pytest.mark.parametrize("name", [*kernels.names()])
def test_with_all_samples_as_the_pilot_the_scores_are_exact(name):
    X, kernel = rng.normal(size=(60, 3)), kernels.get(name, 1.0)
    scores = leverage_scores(X, kernel, np.arange(60), np.ones(60), ridge=0.5)
    np.testing.assert_allclose(scores, exact(X, kernel, 0.5), atol=1e-9)


def test_without_a_ridge_the_effective_dimension_is_half_the_pilot():
    kernel = kernels.get("gaussian", 0.1)
    scores = leverage_scores(CROWD, kernel, np.arange(400), np.ones(400))
    assert scores.sum() == pytest.approx(200, rel=1e-6)
    X = rng.normal(size=(6000, 2))  # beyond the pool on which λ is chosen
    pilot = np.arange(0, 6000, 60)
    sampled = leverage_scores(X, kernels.get("gaussian", 0.3), pilot, np.full(100, 1 / 60), rng=rng)
    assert sampled.sum() == pytest.approx(50, rel=0.05)


def test_a_pilot_comes_close_and_never_far_below():
    """Nyström residuals from a weighted pilot of 80 against exact scores of 400 samples."""
    kernel = kernels.get("gaussian", 0.5)
    truth = exact(CROWD, kernel, 2.0)
    for seed in range(5):
        pilot = np.random.default_rng(seed).choice(400, 80, replace=False)
        scores = leverage_scores(CROWD, kernel, pilot, np.full(80, 0.2), ridge=2.0)
        assert np.corrcoef(scores, truth)[0, 1] > 0.8
        assert (scores > 0.4 * truth).all()


def test_inclusion_probabilities():
    scores = np.array([0.9, 0.5, 0.01, 0.01, 0.0])
    chances = inclusion(scores, 3)
    assert chances.sum() == pytest.approx(3)
    assert chances.max() <= 1 + 1e-12
    assert chances[0] == chances[1] == 1.0  # their share would be more than 1
    assert 0 < chances[4] < 1e-3
    np.testing.assert_allclose(inclusion(np.zeros(4), 2), 0.5)
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(inclusion(scores, 5), 1.0)  # all of them


def test_systematic_draws_have_the_requested_probabilities():
    chances = np.array([1.0, 0.5, 0.25, 0.75, 0.5])
    state = np.random.RandomState(0)
    counts = np.zeros(5)
    for _ in range(4000):
        picks = systematic(chances, state, np.arange(5))
        assert len(picks) == 3
        counts[picks] += 1
    np.testing.assert_allclose(counts / 4000, chances, atol=0.03)


def test_the_order_of_the_tree_is_a_permutation_that_keeps_neighbours_together():
    order = tree_order(CROWD, np.random.RandomState(0))
    np.testing.assert_array_equal(np.sort(order), np.arange(400))
    hops = np.linalg.norm(np.diff(CROWD[order], axis=0), axis=1).mean()
    random = np.linalg.norm(np.diff(CROWD[rng.permutation(400)], axis=0), axis=1).mean()
    assert hops < 0.5 * random


def test_a_crowd_gets_few_landmarks_and_its_outskirts_many():
    kernel = kernels.get("gaussian", 0.5)
    outside = np.hypot(*CROWD.T) > 1.0
    counts = []
    for seed in range(5):
        points = landmarks.choose(CROWD, 50, "leverage", seed, kernel)
        assert len(points) == len(np.unique(points, axis=0)) == 50
        counts.append((np.hypot(*points.T) > 1.0).sum())
    assert np.mean(counts) > 0.9 * outside.sum()  # of 20 or so; a uniform draw has 2 or 3


def test_equal_points_yield_the_requested_number_of_landmarks():
    kernel = kernels.get("gaussian", 1.0)
    state = np.random.RandomState(0)
    same = np.ones((30, 2))
    assert len(draw_landmarks(same, 5, kernel, state)) == 5  # all scores equal
