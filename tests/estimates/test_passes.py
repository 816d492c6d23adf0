"""Passes of thresholding, over kernel functions and on nodes: their objective, dense algebra."""

from dataclasses import replace

import numpy as np
import pytest

from lapviz import estimates, fit, graphs
from lapviz.estimates import codes, passes
from lapviz.estimates.codes import class_codes
from lapviz.estimates.passes import PASS_ENERGY, Nodes


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


def graph(seed=0, n=60):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(n // 2, 2)), rng.normal(size=(n // 2, 2)) + 3])
    return graphs.knn_weights(X, 5)


def labels(n=60):
    known = np.full(n, -1)
    known[[2, 7, n - 5]] = [0, 2, 1]
    return known


def test_a_system_is_the_minimiser_of_its_objective():
    W, known, rng = graph(), labels(), np.random.default_rng(1)
    weights = rng.uniform(0.5, 2, size=len(known))
    nodes, lab = replace(Nodes.of(W, weights), rtol=1e-10), known >= 0
    y, u = codes.class_codes(known[lab], 3), rng.normal(size=(len(known), 3))
    share = passes.GUESSES / weights.sum()
    found = nodes.systems([(lab, y)], share, 2.0)(nodes.load(u))

    # of the mean over the labels, that over all nodes, and Σ w_ij (g_i − g_j)²/2 over the degrees
    L = graphs.laplacian(W).toarray() * weights.sum() / W.sum()
    given = (1 - passes.GUESSES) * np.where(lab, weights, 0.0) / weights[lab].sum()
    A = np.diag(given + share * weights) + 2.0 * L / weights.sum()
    right = share * weights[:, None] * u
    right[lab] += given[lab, None] * y
    np.testing.assert_allclose(found, np.linalg.solve(A, right), atol=1e-8)


def test_passes_are_those_of_dense_algebra():
    """Delta functions as test functions, their energy inverted by Cholesky factors."""
    W, known, prior = graph(), labels(), np.array([0.4, 0.4, 0.2])
    start = codes.class_scores(graphs.harmonic(W, known >= 0, np.eye(3)[known[known >= 0]]))
    nodes, n = replace(Nodes.of(W), rtol=1e-8), len(known)
    root = np.linalg.cholesky((nodes.laplacian.toarray() + 1e-9 * np.eye(n)) / n)
    V = np.linalg.solve(root, np.eye(n))
    dense = passes.Whitened(V, V @ V.T, np.ones(n))
    (one,), (other,) = (
        passes.threshold_passes(sample, [known], [start], PASS_ENERGY, prior)
        for sample in (nodes, dense)
    )
    np.testing.assert_allclose(one.shares, other.shares, atol=1e-3)
    np.testing.assert_allclose(one.balance.factor, other.balance.factor, rtol=1e-3)
    assert one.moved == other.moved


def test_a_node_of_mass_two_is_two_nodes():
    W, known, prior = graph(), labels(), np.full(3, 1 / 3)
    twice = np.r_[np.arange(60), 10, 20, 59]
    mass = np.bincount(twice).astype(float)
    start = np.random.default_rng(0).normal(size=(60, 3))
    heavy = replace(Nodes.of(graphs.with_mass(W, mass), mass), rtol=1e-8)
    copied = replace(Nodes.of(W[twice][:, twice]), rtol=1e-8)
    (one,) = passes.threshold_passes(heavy, [known], [start], PASS_ENERGY, prior)
    (other,) = passes.threshold_passes(copied, [known[twice]], [start[twice]], PASS_ENERGY, prior)
    np.testing.assert_allclose(one.shares[twice], other.shares, atol=1e-3)
    assert one.temperature == pytest.approx(other.temperature, rel=1e-3)


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_the_usual_temperature_gives_a_guess_four_fifths_in_an_even_sample(n_classes):
    shares = np.tile(0.1 + 0.3 * np.eye(n_classes), (5, 1))
    T = passes.usual_temperature(n_classes) * passes.spread(shares)
    np.testing.assert_allclose(codes.softmax(shares, T).max(axis=1), 0.8, rtol=1e-12)
