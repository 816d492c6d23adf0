"""The infimum loss against brute force over all assignments; sets in every form."""

from itertools import product

import numpy as np
import pytest
from brute_force import galerkin, refit
from scipy.optimize import minimize

from lapviz import estimates
from lapviz.estimates import partial as partial_labels

MU = 1e-2


def problem(n=7, K=3, constant=False, seed=0, width=2):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(30, 2)), rng.normal(size=(n, 2))])
    space, found, factor = galerkin(X, X[:20], "gaussian", 0.8, constant, MU)
    candidates = rng.permuted(np.tile(np.arange(K) < width, (n, 1)), axis=1)
    return space.phi(X[-n:]), found, factor, candidates


def level(phi, found, factor, targets, lam):
    """The objective at the minimising g, from plain coefficients."""
    _, misfit, energy = refit(factor, found.penalty(MU), phi, targets, lam)
    return misfit + lam * energy


def all_levels(phi, found, factor, candidates, codes, lam):
    sets = [np.flatnonzero(row) for row in candidates]
    return {y: level(phi, found, factor, codes[list(y)], lam) for y in product(*sets)}


@pytest.mark.slow
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_against_all_assignments(seed, constant):
    """Objective and estimate are those of its own choice, g is nearest to the classes chosen, and
    the convex stage lies below the best of all assignments, as a relaxation must."""
    phi, found, factor, candidates = problem(seed=seed, constant=constant)
    codes = estimates.class_codes(np.arange(3), 3)
    result = partial_labels.disambiguate(
        factor, phi, candidates, codes, 0.05, tol=1e-12, max_iter=5000
    )
    levels = all_levels(phi, found, factor, candidates, codes, 0.05)
    chosen = tuple(result.chosen.tolist())
    assert result.objective[-1] == pytest.approx(levels[chosen], rel=1e-8, abs=1e-15)
    best = min(levels.values())
    # A constant that is in all sets costs nothing: best is then 0, and approached only.
    assert result.hull_objective[-1] <= best * (1 + 1e-9) + 1e-9
    assert best <= result.objective[-1] * (1 + 1e-9) + 1e-15
    assert result.converged
    values = phi @ result.coefficients
    plain = estimates.labelled_estimate(factor, phi, codes[result.chosen], 0.05)
    np.testing.assert_allclose(values, phi @ plain, atol=1e-8)
    gaps = ((values[:, None] - codes[None]) ** 2).sum(axis=2)
    own = gaps[np.arange(len(phi)), result.chosen]
    assert (own <= np.where(candidates, gaps, np.inf).min(axis=1) + 1e-12).all()


@pytest.mark.slow
def test_the_convex_stage_reaches_the_minimum_over_the_hulls():
    """A general solver over the weights of the candidates finds nothing lower."""
    phi, found, factor, candidates = problem(n=6)
    codes, lam = estimates.class_codes(np.arange(3), 3), 0.1
    result = partial_labels.disambiguate(
        factor, phi, candidates, codes, lam, tol=1e-13, max_iter=5000
    )
    sets = [np.flatnonzero(row) for row in candidates]

    def of(shares):  # two candidates a row: t = s·first + (1 − s)·second
        pairs = zip(shares, sets, strict=True)
        targets = np.array([s * codes[a] + (1 - s) * codes[b] for s, (a, b) in pairs])
        return level(phi, found, factor, targets, lam)

    found_by_solver = minimize(of, np.full(6, 0.5), bounds=[(0, 1)] * 6, tol=1e-12)
    assert result.hull_objective[-1] == pytest.approx(found_by_solver.fun, rel=1e-6)


def test_the_callback_sees_every_step_and_may_stop():
    phi, _, factor, candidates = problem(n=60, K=5, seed=3, width=3)
    codes, seen = estimates.class_codes(np.arange(5), 5), []
    result = partial_labels.disambiguate(factor, phi, candidates, codes, 1e-3, callback=seen.append)
    hull = [now.objective for now in seen if now.stage == "hull"]
    classes = [now.objective for now in seen if now.stage == "classes"]
    assert hull == result.hull_objective.tolist()
    assert classes == result.objective.tolist()
    early = partial_labels.disambiguate(
        factor, phi, candidates, codes, 1e-3, callback=lambda now: now.step == 2
    )
    assert len(early.hull_objective) == 3
    assert candidates[np.arange(60), early.chosen].all(), "a stop still leaves a consistent answer"


SETS = [{0, 2}, None, {1}, {0, 1, 2}, [2, 1]]
MATRIX = np.array([[1, 0, 1], [1, 1, 1], [0, 1, 0], [1, 1, 1], [0, 1, 1]], bool)


@pytest.mark.parametrize("given", [SETS, MATRIX, MATRIX.astype(int), MATRIX.tolist()], ids=str)
def test_sets_and_matrices_mean_the_same(given):
    classes, told, allowed = partial_labels.candidate_matrix(given, 5)
    assert classes.tolist() == [0, 1, 2]
    assert told.tolist() == [True, False, True, False, True]
    np.testing.assert_array_equal(allowed, MATRIX[told])
