"""The infimum loss against brute force over all assignments; sets in every form."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from lapviz import estimates
from lapviz.estimates import partial as partial_labels
from tests.estimates.brute_force import galerkin, refit

MU = 1e-2


def problem(n=7, K=3, constant=False, seed=0, width=2):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(30, 2)), rng.normal(size=(n, 2))])
    space, forms, factor = galerkin(X, X[:20], "gaussian", 0.8, constant, MU)
    candidates = rng.permuted(np.tile(np.arange(K) < width, (n, 1)), axis=1)
    return space.phi(X[-n:]), forms, factor, candidates


def minimum(phi, forms, factor, targets, lam):
    """The objective at the minimising g, from its coefficients."""
    _, misfit, energy = refit(factor, forms.penalty(MU), phi, targets, lam)
    return misfit + lam * energy


def all_minima(phi, forms, factor, candidates, codes, lam):
    sets = [np.flatnonzero(row) for row in candidates]
    return {y: minimum(phi, forms, factor, codes[list(y)], lam) for y in product(*sets)}


@pytest.mark.slow
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_against_all_assignments(seed, constant):
    """Objective and estimate are those of the chosen classes, which are nearest to g, and the
    convex stage lies below the best of all assignments, as a relaxation must."""
    phi, forms, factor, candidates = problem(seed=seed, constant=constant)
    codes = estimates.class_codes(np.arange(3), 3)
    result = partial_labels.disambiguate(
        factor, phi, candidates, codes, 0.05, tol=1e-12, max_iter=5000
    )
    minima = all_minima(phi, forms, factor, candidates, codes, 0.05)
    chosen = tuple(result.chosen.tolist())
    assert result.objective[-1] == pytest.approx(minima[chosen], rel=1e-8, abs=1e-15)
    best = min(minima.values())
    # A class in all sets gives a constant of cost 0: best is then 0, which is only approached.
    assert result.hull_objective[-1] <= best * (1 + 1e-9) + 1e-9
    assert best <= result.objective[-1] * (1 + 1e-9) + 1e-15
    assert result.converged
    values = phi @ result.coefficients
    expected = estimates.labelled_estimate(factor, phi, codes[result.chosen], 0.05)
    np.testing.assert_allclose(values, phi @ expected, atol=1e-8)
    gaps = ((values[:, None] - codes[None]) ** 2).sum(axis=2)
    chosen_gaps = gaps[np.arange(len(phi)), result.chosen]
    assert (chosen_gaps <= np.where(candidates, gaps, np.inf).min(axis=1) + 1e-12).all()


@pytest.mark.slow
def test_the_convex_stage_reaches_the_minimum_over_the_hulls():
    """A general solver over the weights of the candidates finds no lower objective."""
    phi, forms, factor, candidates = problem(n=6)
    codes, lam = estimates.class_codes(np.arange(3), 3), 0.1
    result = partial_labels.disambiguate(
        factor, phi, candidates, codes, lam, tol=1e-13, max_iter=5000
    )
    sets = [np.flatnonzero(row) for row in candidates]

    def objective(shares):  # two candidates per row: t = s·first + (1 − s)·second
        pairs = zip(shares, sets, strict=True)
        targets = np.array([s * codes[a] + (1 - s) * codes[b] for s, (a, b) in pairs])
        return minimum(phi, forms, factor, targets, lam)

    solution = minimize(objective, np.full(6, 0.5), bounds=[(0, 1)] * 6, tol=1e-12)
    assert result.hull_objective[-1] == pytest.approx(solution.fun, rel=1e-6)


def test_the_callback_gets_every_step_and_may_stop():
    phi, _, factor, candidates = problem(n=60, K=5, seed=3, width=3)
    codes, steps = estimates.class_codes(np.arange(5), 5), []
    result = partial_labels.disambiguate(
        factor, phi, candidates, codes, 1e-3, callback=steps.append
    )
    hull = [step.objective for step in steps if step.stage == "hull"]
    classes = [step.objective for step in steps if step.stage == "classes"]
    assert hull == result.hull_objective.tolist()
    assert classes == result.objective.tolist()
    early = partial_labels.disambiguate(
        factor, phi, candidates, codes, 1e-3, callback=lambda report: report.step == 2
    )
    assert len(early.hull_objective) == 3
    assert candidates[np.arange(60), early.chosen].all(), "a stop still leaves a consistent answer"


SETS = [{0, 2}, None, {1}, {0, 1, 2}, [2, 1]]
MATRIX = np.array([[1, 0, 1], [1, 1, 1], [0, 1, 0], [1, 1, 1], [0, 1, 1]], bool)


@pytest.mark.parametrize("candidates", [SETS, MATRIX, MATRIX.astype(int), MATRIX.tolist()], ids=str)
def test_sets_and_matrices_are_equivalent(candidates):
    classes, informative, allowed = partial_labels.candidate_matrix(candidates, 5)
    assert classes.tolist() == [0, 1, 2]
    assert informative.tolist() == [True, False, True, False, True]
    np.testing.assert_array_equal(allowed, MATRIX[informative])
