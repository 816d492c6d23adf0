"""Passes (MBO iterations) over kernel functions and on nodes: objective, dense algebra."""

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
    """The clusters with one label each: forms, factor, values, labels (-1: none) and truth."""
    X = points(seed, n_classes, distance)
    truth = np.repeat(np.arange(n_classes), (60, 40, 20)[:n_classes])
    space = fit.SpaceSpec(bandwidth=1.5, n_landmarks=30, random_state=0)
    method = fit.Galerkin(fit.Sample.of(X), space, fit.EnergySpec(mu=0.01))
    assembled = method.assembled(False)
    y = np.full(len(truth), -1)
    for k in range(n_classes):
        y[np.flatnonzero(truth == k)[3]] = k
    return assembled, method.solver(), assembled.space.phi(X), y, truth


def coefficients(factor, result):
    return factor.coefficients(result.theta, np.zeros(result.theta.shape[1]))


def start(factor, phi, y, n_classes, lam):
    rows = y >= 0
    return estimates.labelled_estimate(factor, phi[rows], class_codes(y[rows], n_classes), lam)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_pass_minimises_its_objective(n_classes):
    assembled, factor, phi, y, _ = problem(n_classes=n_classes)
    lam, rows, n = 0.05, y >= 0, len(y)
    c = start(factor, phi, y, n_classes, lam)
    prior = np.full(n_classes, 1 / n_classes)
    sample = passes.whitened(factor, assembled.space, points(n_classes=n_classes))
    (result,) = passes.threshold_passes(sample, [y], [phi @ c], lam, prior, n_passes=1)
    balance = estimates.balance(phi @ c, prior, "scale")
    shares = codes.class_shares(balance(phi @ c), n_classes)
    guess = np.exp(shares / (passes.FIRST * shares.std(axis=0).mean()))
    guess /= guess.sum(axis=1, keepdims=True)
    guess[rows] = np.eye(n_classes)[y[rows]]
    b = passes.GUESSES
    left = (
        (1 - b) / rows.sum() * phi[rows].T @ phi[rows]
        + b / n * phi.T @ phi
        + lam * assembled.forms.penalty(0.01)
    )
    right = (1 - b) / rows.sum() * phi[rows].T @ class_codes(y[rows], n_classes)
    right += b / n * phi.T @ codes.class_scores(guess)
    expected = np.linalg.solve(left, right)
    np.testing.assert_allclose(phi @ coefficients(factor, result), phi @ expected, atol=1e-8)


@pytest.mark.slow
def test_passes_classify_clusters_of_different_sizes_better_than_balance_alone():
    accuracy = []
    for seed in range(12):
        assembled, factor, phi, y, truth = problem(seed, distance=2.0)
        prior = np.bincount(truth) / len(truth)
        c = start(factor, phi, y, 3, 1.0)
        balanced = estimates.balance(phi @ c, prior, "scale")(phi @ c)
        sample = passes.whitened(factor, assembled.space, points(seed, distance=2.0))
        (result,) = passes.threshold_passes(sample, [y], [phi @ c], 1.0, prior)
        scores = phi @ c, balanced, result.balance(phi @ coefficients(factor, result))
        accuracy.append([np.mean(estimates.decode(s) == truth) for s in scores])
        assert result.moved[-1] <= 1  # it has settled
        assert len(result.moved) == passes.N_PASSES
    without, with_balance, with_passes = np.mean(accuracy, axis=0)  # .879, .899, .928
    assert with_passes > with_balance + 0.02 > without + 0.03


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_imposed_proportions_are_the_mean_probabilities(n_classes, weighted):
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(n_classes), 50)
    weights = rng.uniform(0.1, 2.0, 50) if weighted else None
    prior = np.arange(1.0, n_classes + 1) / np.arange(1.0, n_classes + 1).sum()
    shifts = []
    for start in (None, np.linspace(-1, 1, n_classes)):
        shift = codes.imposing_shifts(shares, prior, 0.1, weights, start)
        probabilities = codes.softmax(shares + shift, 0.1)
        mean = np.average(probabilities, axis=0, weights=weights)
        np.testing.assert_allclose(mean, prior, atol=codes.EXACT * prior.min())
        shifts.append(shift - shift[0])
    np.testing.assert_allclose(*shifts, atol=1e-6)


@pytest.mark.parametrize("temperature", [1e-309, 0.2])
def test_of_equal_shares_the_imposed_proportions_are_the_probabilities(temperature):
    """exp((s_k − s_j)/T) is then the ratio of the proportions."""
    prior = np.array([0.6, 0.3, 0.1])
    shift = codes.imposing_shifts(np.full((20, 3), 1 / 3), prior, temperature)
    np.testing.assert_allclose(np.diff(shift / temperature), np.diff(np.log(prior)), rtol=1e-5)


def test_proportions_are_imposed_on_sure_guesses():
    """At first the curvature is 0: every probability is 0 or 1."""
    for seed in range(40):
        shares = np.random.default_rng(seed).dirichlet(np.full(3, 0.3), 1)
        prior = np.array([1e-6, 0.5, 0.5]) / (1 + 1e-6)
        shift = codes.imposing_shifts(shares, prior, 1e-3)
        np.testing.assert_allclose(codes.softmax(shares + shift, 1e-3)[0], prior, atol=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_points_are_whitened_in_blocks(monkeypatch, weighted):
    assembled, factor, phi, _, truth = problem()
    weights = np.linspace(0.5, 2, len(truth)) if weighted else None
    full = passes.whitened(factor, assembled.space, points(), weights)
    np.testing.assert_allclose(
        full.values.T @ full.values,
        phi @ np.linalg.pinv(assembled.forms.penalty(0.01), rcond=1e-12) @ phi.T,
        atol=1e-6 * np.abs(full.gram).max(),
    )
    monkeypatch.setattr(passes, "_ROWS", 50)
    blocked = passes.whitened(factor, assembled.space, points(), weights)
    for name in ("values", "gram", "weights"):
        np.testing.assert_allclose(getattr(blocked, name), getattr(full, name), atol=1e-10)


def graph(seed=0, n=60):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(n // 2, 2)), rng.normal(size=(n // 2, 2)) + 3])
    return graphs.knn_weights(X, 5)


def labels(n=60):
    y = np.full(n, -1)
    y[[2, 7, n - 5]] = [0, 2, 1]
    return y


def test_a_system_is_the_minimiser_of_its_objective():
    W, y, rng = graph(), labels(), np.random.default_rng(1)
    weights = rng.uniform(0.5, 2, size=len(y))
    nodes, labelled = replace(Nodes.of(W, weights), rtol=1e-10), y >= 0
    targets, u = codes.class_codes(y[labelled], 3), rng.normal(size=(len(y), 3))
    share = passes.GUESSES / weights.sum()
    solution = nodes.systems([(labelled, targets)], share, 2.0)(nodes.load(u))

    # mean over the labels, mean over all nodes, and Σ w_ij (g_i − g_j)²/2 over the degrees
    L = graphs.laplacian(W).toarray() * weights.sum() / W.sum()
    shares = (1 - passes.GUESSES) * np.where(labelled, weights, 0.0) / weights[labelled].sum()
    A = np.diag(shares + share * weights) + 2.0 * L / weights.sum()
    right = share * weights[:, None] * u
    right[labelled] += shares[labelled, None] * targets
    np.testing.assert_allclose(solution, np.linalg.solve(A, right), atol=1e-8)


def test_passes_on_nodes_match_dense_algebra():
    """Delta functions as test functions, with the energy inverted by a Cholesky factor."""
    W, y, prior = graph(), labels(), np.array([0.4, 0.4, 0.2])
    start = codes.class_scores(graphs.harmonic(W, y >= 0, np.eye(3)[y[y >= 0]]))
    nodes, n = replace(Nodes.of(W), rtol=1e-8), len(y)
    root = np.linalg.cholesky((nodes.laplacian.toarray() + 1e-9 * np.eye(n)) / n)
    V = np.linalg.solve(root, np.eye(n))
    dense = passes.Whitened(V, V @ V.T, np.ones(n))
    (result,), (expected,) = (
        passes.threshold_passes(sample, [y], [start], PASS_ENERGY, prior)
        for sample in (nodes, dense)
    )
    np.testing.assert_allclose(result.shares, expected.shares, atol=1e-3)
    np.testing.assert_allclose(result.balance.factor, expected.balance.factor, rtol=1e-3)
    assert result.moved == expected.moved


def test_a_node_of_mass_two_is_two_nodes():
    W, y, prior = graph(), labels(), np.full(3, 1 / 3)
    rows = np.r_[np.arange(60), 10, 20, 59]
    mass = np.bincount(rows).astype(float)
    start = np.random.default_rng(0).normal(size=(60, 3))
    heavy = replace(Nodes.of(graphs.with_mass(W, mass), mass), rtol=1e-8)
    copied = replace(Nodes.of(W[rows][:, rows]), rtol=1e-8)
    (result,) = passes.threshold_passes(heavy, [y], [start], PASS_ENERGY, prior)
    (expected,) = passes.threshold_passes(copied, [y[rows]], [start[rows]], PASS_ENERGY, prior)
    np.testing.assert_allclose(result.shares[rows], expected.shares, atol=1e-3)
    assert result.temperature == pytest.approx(expected.temperature, rel=1e-3)


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_the_usual_temperature_gives_a_guess_probability_0_8_for_equal_classes(n_classes):
    shares = np.tile(0.1 + 0.3 * np.eye(n_classes), (5, 1))
    T = passes.usual_temperature(n_classes) * passes.spread(shares)
    np.testing.assert_allclose(codes.softmax(shares, T).max(axis=1), 0.8, rtol=1e-12)
