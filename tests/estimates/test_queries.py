"""Scores of the next point to label: closed forms against refits, candidate by candidate."""

import numpy as np
import pytest

from lapviz import estimates
from lapviz.estimates import queries as active
from tests.estimates.brute_force import galerkin, refit

CASES = [(2, False), (2, True), (3, False), (3, True)]


def problem(constant, n=40, p=25, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    space, forms, factor = galerkin(X, X[:p], "gaussian", 0.8, constant)
    return space.phi(X), forms, factor


def labels(n_classes, m=6, n=40):
    rows = np.array([3, 8, 21, 30, 36, 11, 5, 17])[:m]
    return rows, np.arange(m) % n_classes, estimates.class_codes(np.arange(n_classes), n_classes)


def fitted(phi, forms, factor, rows, y, lam):
    """Values at all points and J, the objective divided by λ, from a fit's coefficients."""
    c, misfit, energy = refit(factor, forms.penalty(1e-2), phi[rows], y, lam)
    return phi @ c, (misfit / lam if lam else 0.0) + energy


@pytest.mark.parametrize(("n_classes", "constant"), CASES)
@pytest.mark.parametrize("lam", [0.3, 1e-3])
def test_both_scores_equal_the_explicit_refit_of_every_candidate(n_classes, constant, lam):
    phi, forms, factor = problem(constant)
    rows, classes, codes = labels(n_classes)
    ranking = active.rank_candidates(
        factor.whiten(phi), rows, classes, codes, lam, constant=constant
    )
    values, _ = fitted(phi, forms, factor, rows, codes[classes], lam)
    np.testing.assert_allclose(ranking.values, values, atol=1e-9)
    for x in np.setdiff1d(np.arange(len(phi)), rows):
        fits = [
            fitted(phi, forms, factor, np.append(rows, x), codes[np.append(classes, t)], lam)
            for t in range(n_classes)
        ]
        best = int(np.argmin([energy for _, energy in fits]))
        assert ranking.likeliest[x] == best
        assert ranking.energy[x] == pytest.approx(fits[best][1], rel=1e-8)
        change = np.mean(((fits[best][0] - values) ** 2).sum(axis=1))
        assert ranking.change[x] == pytest.approx(change, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("constant", [False, True])
def test_at_lambda_zero_the_score_is_the_energy_of_the_interpolant(constant):
    phi, forms, factor = problem(constant)
    rows, classes, codes = labels(2, m=3)
    ranking = active.rank_candidates(factor.whiten(phi), rows, classes, codes, 0, constant=constant)
    for x in (0, 15, 33):
        energies = []
        for t in (0, 1):
            labelled, y = np.append(rows, x), codes[np.append(classes, t)]
            values, energy = fitted(phi, forms, factor, labelled, y, 0)
            np.testing.assert_allclose(values[labelled], y, atol=1e-6)
            energies.append(energy)
        assert ranking.energy[x] == pytest.approx(min(energies), rel=1e-5)


@pytest.mark.parametrize("criterion", active.CRITERIA)
def test_the_order_lists_the_unlabelled_points_best_first(criterion):
    phi, _, factor = problem(False)
    rows, classes, codes = labels(2)
    ranking = active.rank_candidates(
        factor.whiten(phi), rows, classes, codes, 0.1, criterion=criterion
    )
    assert sorted([*ranking.order, *rows]) == list(range(40))
    assert np.all(np.diff(ranking.score[ranking.order]) <= 0)
    assert ranking.next == ranking.order[0]
    assert ranking.score[ranking.next] == getattr(ranking, criterion)[ranking.order].max()
    assert np.array_equal(ranking.score[rows], np.zeros(len(rows)))


def test_the_loop_ranks_queries_and_fits():
    phi, _, factor = problem(False)
    W, truth = factor.whiten(phi), (np.arange(40) % 3 == 0).astype(int)
    codes = estimates.class_codes(np.arange(2), 2)
    calls = []
    path = active.query(
        W, truth.__getitem__, codes, 0.1, 5, rows=[2, 3], criterion="change", callback=calls.append
    )
    rows = [2, 3]
    for k in range(5):
        ranking = active.rank_candidates(W, rows, truth[rows], codes, 0.1, criterion="change")
        assert path.rows[k + 2] == ranking.next
        assert path.scores[k] == pytest.approx(ranking.score[ranking.next])
        rows.append(ranking.next)
        assert calls[k].rows.tolist() == rows
        np.testing.assert_array_equal(calls[k].classes, truth[rows])
    expected = phi @ estimates.labelled_estimate(factor, phi[rows], codes[truth[rows]], 0.1)
    np.testing.assert_allclose(path.values, expected, atol=1e-9)
    assert (path.n_start, path.stopped) == (2, "finished")


def test_the_loop_stops_by_the_callback_and_when_points_run_out():
    phi, _, factor = problem(False)
    W, codes = factor.whiten(phi), estimates.class_codes(np.arange(2), 2)
    path = active.query(
        W, lambda row: row % 2, codes, 0.1, 9, callback=lambda report: len(report.rows) == 3
    )
    assert (len(path.rows), path.stopped) == (3, "callback")
    path = active.query(W, lambda row: row % 2, codes, 0.1, 99, criterion="random", random_state=0)
    assert sorted(path.rows) == list(range(40))
    assert np.isnan(path.scores).all()
    other = active.query(W, lambda row: row % 2, codes, 0.1, 99, criterion="random", random_state=0)
    np.testing.assert_array_equal(path.rows, other.rows)
