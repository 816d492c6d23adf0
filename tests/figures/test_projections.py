"""Principal components against the covariance, and input that has none."""

import numpy as np
import pytest

from lapviz.figures.fitted_scenes import principal_components


@pytest.mark.parametrize("n", [40, 7000])  # either solver
def test_scores_are_the_covariance_in_its_own_axes(n):
    X = np.random.default_rng(0).normal(size=(n, 12)) * np.arange(1, 13) + 5
    scores = principal_components(X, 10)
    largest = np.linalg.eigvalsh(np.cov(X.T))[::-1][:10]
    np.testing.assert_allclose(np.cov(scores.T), np.diag(largest), atol=1e-10 * largest[0])


def test_the_largest_loading_is_positive():
    X = np.random.default_rng(1).normal(size=(50, 4))
    scores = principal_components(X, 4)
    loadings = np.linalg.lstsq(scores, X - X.mean(axis=0), rcond=None)[0]
    assert (loadings[np.arange(4), np.abs(loadings).argmax(axis=1)] > 0).all()


@pytest.mark.parametrize("X", [np.ones((1, 3)), np.ones((2, 3)), np.full((6000, 3), 2.0)])
def test_equal_samples_have_no_component(X):
    scores = principal_components(X, 10)
    assert scores.shape == (len(X), min(X.shape))
    assert not scores.any()
