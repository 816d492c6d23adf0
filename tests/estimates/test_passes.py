"""Passes of thresholding, against the minimiser of their objective and where they must lead."""

import numpy as np
import pytest

from lapviz import estimates, fit
from lapviz.estimates import codes, passes
from lapviz.estimates.codes import class_codes


def points(seed=0, n_classes=3, distance=4.0):
    """Clusters of different sizes, one after the other."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(n_classes), (60, 40, 20)[:n_classes])
    return rng.normal(size=(len(truth), 2)) + distance * np.c_[np.cos(2 * truth), np.sin(2 * truth)]


def problem(seed=0, n_classes=3, distance=4.0):
    """These with one label each: space, factor, values, truth."""
    X = points(seed, n_classes, distance)
    truth = np.repeat(np.arange(n_classes), (60, 40, 20)[:n_classes])
    assembled = fit.build(
        X, fit.SpaceSpec(bandwidth=1.5, n_landmarks=30, random_state=0), "laplacian", False
    )
    known = np.full(len(truth), -1)
    for k in range(n_classes):
        known[np.flatnonzero(truth == k)[3]] = k
    return assembled, fit.factor(assembled, 0.01), assembled.space.phi(X), known, truth


def coefficients(factor, done):
    return factor.coefficients(done.theta, np.zeros(done.theta.shape[1]))


def start(factor, phi, known, n_classes, lam):
    rows = known >= 0
    return estimates.labelled_estimate(factor, phi[rows], class_codes(known[rows], n_classes), lam)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_pass_minimises_its_objective(n_classes):
    assembled, factor, phi, known, _ = problem(n_classes=n_classes)
    lam, rows, n = 0.05, known >= 0, len(known)
    c = start(factor, phi, known, n_classes, lam)
    prior = np.full(n_classes, 1 / n_classes)
    sample = passes.whitened(factor, assembled.space, points(n_classes=n_classes))
    (one,) = passes.threshold_passes(sample, [known], [phi @ c], lam, prior, n_passes=1)
    balance = estimates.balance(phi @ c, prior, "scale")
    shares = codes.class_shares(balance(phi @ c), n_classes)
    guess = np.exp(shares / (passes.FIRST * shares.std(axis=0).mean()))
    guess /= guess.sum(axis=1, keepdims=True)
    guess[rows] = np.eye(n_classes)[known[rows]]
    b = passes.GUESSES
    left = (
        (1 - b) / rows.sum() * phi[rows].T @ phi[rows]
        + b / n * phi.T @ phi
        + lam * assembled.forms.penalty(0.01)
    )
    right = (1 - b) / rows.sum() * phi[rows].T @ class_codes(known[rows], n_classes)
    right += b / n * phi.T @ codes.class_scores(guess)
    exact = np.linalg.solve(left, right)
    np.testing.assert_allclose(phi @ coefficients(factor, one), phi @ exact, atol=1e-8)


@pytest.mark.slow
def test_clusters_of_unlike_sizes_are_found_better_than_by_balance_alone():
    right = []
    for seed in range(12):
        assembled, factor, phi, known, truth = problem(seed, distance=2.0)
        prior = np.bincount(truth) / len(truth)
        c = start(factor, phi, known, 3, 1.0)
        once = estimates.balance(phi @ c, prior, "scale")(phi @ c)
        sample = passes.whitened(factor, assembled.space, points(seed, distance=2.0))
        (done,) = passes.threshold_passes(sample, [known], [phi @ c], 1.0, prior)
        scores = phi @ c, once, done.balance(phi @ coefficients(factor, done))
        right.append([np.mean(estimates.decode(s) == truth) for s in scores])
        assert done.moved[-1] <= 1  # it has settled
        assert len(done.moved) == passes.N_PASSES
    plain, balanced, passed = np.mean(right, axis=0)  # .879, .899, .928
    assert passed > balanced + 0.02 > plain + 0.03


def test_labels_stay_what_they_are():
    """A label inside another class's cluster bends the estimate, but is never overwritten."""
    assembled, factor, phi, known, truth = problem()
    stray = np.flatnonzero(truth == 0)[10]
    known[stray] = 2
    c = start(factor, phi, known, 3, 1e-6)
    sample, prior = passes.whitened(factor, assembled.space, points()), np.full(3, 1 / 3)
    (done,) = passes.threshold_passes(sample, [known], [phi @ c], 1e-6, prior)
    assert estimates.decode(phi[[stray]] @ coefficients(factor, done))[0] == 2


def test_a_small_temperature_is_a_hard_threshold_and_labels_are_never_softened():
    """One pass from shares of two values: probabilities by hand."""
    shares = np.array([[0.7, 0.3], [0.4, 0.6]])
    expected = 1 / (1 + np.exp(-np.array([0.4, -0.2]) / 0.1))
    np.testing.assert_allclose(codes.softmax(shares, 0.1)[:, 0], expected, rtol=1e-12)
    np.testing.assert_allclose(codes.softmax(shares, 1e-4), np.eye(2), atol=1e-12)
    scores = codes.class_scores(shares)
    np.testing.assert_allclose(codes.probabilities(scores, 2, 0.1), codes.softmax(shares, 0.1))


@pytest.mark.parametrize("weighted", [False, True])
def test_points_are_whitened_by_blocks(monkeypatch, weighted):
    assembled, factor, phi, _, truth = problem()
    weights = np.linspace(0.5, 2, len(truth)) if weighted else None
    whole = passes.whitened(factor, assembled.space, points(), weights)
    np.testing.assert_allclose(
        whole.values.T @ whole.values,
        phi @ np.linalg.pinv(assembled.forms.penalty(0.01), rcond=1e-12) @ phi.T,
        atol=1e-6 * np.abs(whole.gram).max(),
    )
    monkeypatch.setattr(passes, "_ROWS", 50)
    parts = passes.whitened(factor, assembled.space, points(), weights)
    for name in ("values", "gram", "weights"):
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), atol=1e-10)
