"""What cannot work gets a sentence: one table for all estimates."""

import numpy as np
import pytest

from lapviz import kernels, operators
from lapviz.estimates import (
    conjugate_gradient,
    disentangling,
    exact,
    factorise,
    filters,
    hermite,
    kernel_filters,
    labelled_estimate,
    leave_one_out,
    partial,
    queries,
    stopping,
)
from lapviz.spaces import KernelSpace, RepresenterSpace

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 2)), RNG.normal(size=(20, 2))
SPACE = KernelSpace(kernels.get("gaussian", 0.8), X[:8], False)
FORM, PHI = operators.assemble(SPACE, X), SPACE.phi(X)
FACTOR = factorise(FORM, 1e-2, False)
K, RESPONSE = SPACE.kernel(X, X), Y[:, 0]
PATH = conjugate_gradient.krylov_path(K, RESPONSE, 3)
WHOLE, SOME = RepresenterSpace(SPACE.kernel, X), np.arange(20) < 6
SLOPES = RNG.normal(size=(20, 2, 2))
HERMITE = hermite.assemble(SPACE, X, Y, SLOPES)
TWO, THREE = np.array([[-1.0], [1.0]]), np.eye(3) - 1 / 3
SETS = RNG.permuted(np.tile([True, True, False], (20, 1)), axis=1)


def changed(values, place, value):
    """A copy with another value at a place."""
    values = values.copy()
    values[place] = value
    return values


def rank(**wrong):
    given = {"rows": [1], "classes": [0], "lam": 0.1} | wrong
    return queries.rank_candidates(FACTOR.whiten(PHI), codes=TWO, **given)


def exact_estimate(y=Y[:6], labelled=SOME, lam=0.1, mu=1e-2, **options):
    return exact.exact_estimate(WHOLE, y, labelled, lam, mu, **options)


def candidates(given):
    return partial.candidate_matrix(given, 3)


def filtered(method="ridge", parameters=(1.0,), K=K, y=RESPONSE):
    return kernel_filters.kernel_filters(K, y, method, parameters)


def path(K=K, y=RESPONSE, m=3, **options):
    return conjugate_gradient.krylov_path(K, y, m, **options)


CASES = [
    (lambda: factorise(FORM, -1.0, False), "mu must be a finite number of at least 0"),
    (lambda: labelled_estimate(FACTOR, PHI, Y, np.nan), "lam must be a finite number of at least"),
    (lambda: labelled_estimate(FACTOR, PHI, Y, 1.0, "none"), "Unknown filter"),
    (lambda: filters.get("lowpass"), "Unknown filter 'lowpass'.*tikhonov, cutoff"),
    *((lambda lam=lam: filters.get("heat")(np.ones(2), lam), "lam must be a finite number of at")
      for lam in (-1.0, np.nan, np.inf, "1")),
    # the whole RKHS
    (lambda: RepresenterSpace(kernels.get("exponential", 1.0), X), "no second derivative"),
    (lambda: exact_estimate(mu=0.0), "mu must be above 0"),
    (lambda: exact_estimate(lam=-1.0), "lam must be a finite number"),
    (lambda: exact_estimate(solver="inverse"), "solver must be one of 'direct', 'block'"),
    (lambda: exact_estimate(labelled=np.zeros(20, bool)), "No sample is labelled"),
    (lambda: exact_estimate(labelled=SOME[:3]), r"labelled must have shape \(20,\)"),
    (lambda: exact_estimate(y=Y[:3]), "one row for each of the 6 labelled points, got 3"),
    (lambda: WHOLE.phi(np.zeros((1, 3))), "X has 3 features"),
    # slopes
    (lambda: hermite.assemble(SPACE, X, Y, np.zeros((20, 3))),
     r"gradients must have shape \(20, 2, 2\), got \(20, 3\)"),
    (lambda: hermite.check_gradients(np.zeros((19, 2)), (20, 2), 1),
     r"gradients must have shape \(20, 2\), got \(19, 2\)"),
    (lambda: hermite.assemble(SPACE, X, Y, changed(SLOPES, (7, 1, 0), np.nan)),
     "Row 7 of gradients is NaN in part"),
    (lambda: hermite.assemble(SPACE, X, Y, SLOPES * np.inf), "gradients holds infinite values"),
    (lambda: hermite.assemble(SPACE, X, Y * np.nan), "Neither a value nor a slope"),
    (lambda: hermite.assemble(SPACE, X, Y[:4]), "one entry for each row of X"),
    (lambda: hermite.hermite_estimate(HERMITE, -1.0), "weight must be a finite number"),
    (lambda: hermite.hermite_estimate(HERMITE, 1.0, np.nan), "ridge must be a finite number"),
    (lambda: hermite.hermite_estimate(HERMITE, 1.0, 0.0, "l2"), "ridge_norm must be one of"),
    # conjugate gradients, their rules, and other filters of a kernel matrix
    (lambda: path(K[:5]), r"K must have shape \(20, 20\)"),
    (lambda: path(y=Y), "y must have shape"),
    (lambda: path(y=RESPONSE * np.nan), "NaN"),
    (lambda: path(K * np.inf), "K holds NaN or infinite"),
    (lambda: path(-K), "not positive semi-definite"),
    (lambda: path(m=-1), "n_iterations"),
    (lambda: path(norm="other"), "norm must be one of"),
    (lambda: conjugate_gradient.semi_supervised_response(RESPONSE, np.zeros(20)), "No sample is"),
    (lambda: stopping.stop_by_discrepancy(PATH, 1.0, 1.0, risk=1.5), "probability"),
    (lambda: stopping.stop_by_discrepancy(PATH, 1.0, 1.0, tau=0.0), "tau must be positive"),
    (lambda: stopping.stop_by_discrepancy(PATH, 1.0, -1.0), "bound"),
    (lambda: stopping.stop_by_discrepancy(PATH, 1.0, 1.0, step_back="yes"), "step_back"),
    (lambda: stopping.stop_by_threshold(PATH, 1.0, 1.0, r=0.0, s=0.0), "cannot both be 0"),
    (lambda: filtered("lasso"), "method must be one of"),
    (lambda: filtered(y=RESPONSE[:5]), "y must have shape"),
    (lambda: filtered(K=K[:5]), "square kernel matrix"),
    (lambda: filtered(parameters=[0.0]), "λ must be positive"),
    (lambda: filtered("cg", [1.5]), "whole numbers"),
    (lambda: filtered("pcr", []), "list of finite numbers"),
    (lambda: filtered("pcr", [1], y=RESPONSE * np.nan), "NaN"),
    (lambda: kernel_filters.effective_dimension(K, [-1.0]), "λ must be positive"),
    (lambda: disentangling.disentangle(SPACE, X, method="ica"), "method must be one of"),
    # hidden labels
    (lambda: leave_one_out.leave_one_out(FACTOR, PHI, Y[:3], [1.0]), "one row for each of the 20"),
    (lambda: leave_one_out.leave_one_out(FACTOR, PHI[:1], Y[:1], [1.0]), "Only one point"),
    (lambda: leave_one_out.leave_one_out(FACTOR, PHI, Y, [-1.0]), "lam must be"),
    (lambda: leave_one_out.label_folds(3, 5), "only 3 points are labelled"),
    (lambda: leave_one_out.label_folds(3, 1), "n_splits must be"),
    # the next label
    (lambda: rank(rows=range(20), classes=np.zeros(20)), "Every point is labelled"),
    (lambda: rank(rows=[], classes=[], constant=True), "Label at least one point first"),
    (lambda: rank(rows=[1, 1], classes=[0, 1]), "a point twice"),
    (lambda: rank(rows=[20], classes=[0]), "between 0 and 19"),
    (lambda: rank(rows=[1], classes=[2]), "codes from 0 to 1"),
    (lambda: rank(rows=[1, 2], classes=[0]), "the same length"),
    (lambda: rank(lam=-1.0), "lam must be"),
    (lambda: rank(criterion="best"), "criterion must be one of 'energy', 'change'"),
    # candidate classes
    (lambda: candidates(np.array([[1, 0], [0, 0], [0, 0]], bool)), r"row 1 is empty \(2 in all\)"),
    (lambda: candidates([None] * 3), "No candidate set rules out any class"),
    (lambda: candidates(np.array([[0.2, 0.8]] * 3)), "must be boolean"),
    (lambda: candidates([{0}, {"a"}, {1}]), "of one type"),
    (lambda: partial.disambiguate(FACTOR, PHI, SETS, THREE, 0), "lam must be above 0"),
    (lambda: partial.disambiguate(FACTOR, PHI, changed(SETS, 2, False), THREE, 1.0),
     "row 2 is empty"),
    (lambda: partial.disambiguate(FACTOR, PHI, SETS[:, :2], THREE, 1.0),
     r"candidates must have shape \(20, 3\)"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), CASES, ids=[sentence for _, sentence in CASES])
def test_what_cannot_work_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
