"""Selection of σ, μ, λ and p by cross-validation over the labels."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline

from lapviz import fit, progress
from lapviz.checks import as_python, check_choice, check_points
from lapviz.estimates import data_terms
from lapviz.estimates.leave_one_out import label_folds
from lapviz.estimators.base import LaplacianEstimator
from lapviz.estimators.laplacian_regressor import LaplacianRegressor
from lapviz.estimators.targets import mark_unlabelled, regression_targets
from lapviz.estimators.tuning_candidates import (
    Candidate,
    Labels,
    by_grid,
    by_refits,
    combinations,
    default_grids,
    plans,
)
from lapviz.parameters import AUTO

Array = np.ndarray
MARGIN = 2.0  # standard errors by which another plan must beat the automatic one
MIN_AHEAD = 3  # hidden labels of lead, too: with four to six in all, errors are coarse
_LOG = logging.getLogger("lapviz")


@dataclass(frozen=True)
class Selection:
    """The full table, in the order of the grids, and its best row.

    ``method`` is "leave-one-out" or "k-fold"; ``complete`` is False if the callback stopped.
    """

    rows: tuple[Candidate, ...]
    best: Candidate
    method: str
    criterion: str
    complete: bool


@dataclass(frozen=True)
class SelectionProgress:
    """Argument of the callback after each row of the table."""

    done: int
    total: int
    candidate: Candidate


def select_parameters(
    estimator,
    X,
    y,
    *,
    bandwidth=None,
    n_landmarks=None,
    mu=None,
    lam=None,
    n_splits: int | None = None,
    criterion: str = "auto",
    sample_weight=None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    callback: Callable[[SelectionProgress], bool | None] | None = None,
) -> Selection:
    """Choose σ, p, μ and λ by cross-validation over the labels; all points stay in the sample.

    Leave-one-out in closed form (:mod:`lapviz.estimates.leave_one_out`) where it exists: the
    Tikhonov filter with ``data_term="labelled"``, every filter with ``data_term="all"``. Otherwise,
    or if ``n_splits`` is given, folds of the labelled points. Forms are assembled once for each σ
    and p and factorised once for each μ; a further λ costs little.

    In a :class:`LaplacianRegressor` with default settings, parameters without a grid take the
    papers' values: its choice by evidence needs no selection.

    A classifier with balance or passes is evaluated including these, by folds and by refits, with
    the class proportions of all labels. With the operator "auto" and without a grid the candidates
    are the automatic plan, other μ, no passes, and the energy along the coordinate axes; the
    automatic plan is kept unless another predicts more of the hidden labels by over two standard
    errors and over two labels. With ``criterion="squared_error"`` the one of least squared error is
    taken.

    Parameters
    ----------
    estimator : LaplacianClassifier or LaplacianRegressor, or a Pipeline that ends in one
        Has all parameters that are not in the grids; it is not modified. The steps of a pipeline
        before the last are fitted once on all points and without labels; the grids, and the
        numbers in the table, are those of the last step, in the units of its input.
    X : array (n, d)
        All points, labelled or not.
    y : array (n,) or (n, k)
        Classes, -1 where unlabelled, or targets, NaN where unlabelled.
    bandwidth, n_landmarks, mu, lam : list of values, optional
        Grids of the estimator's parameters; without a grid, the estimator's own value. "auto" is
        read as beside a named operator, unless the classifier's is automatic. With no grid
        at all: μ from 2·10⁻⁵/σ² to 1/σ² and λ from 10⁻³σ² to 10σ², by powers of ten, and the
        estimator's own.
    n_splits : int, optional
        Number of folds; by default 5, or the number of labels if smaller, where folds are needed.
        Candidates with passes and the operator "auto" have those of :mod:`lapviz.fit.guard`.
    criterion : {"auto", "error", "squared_error"}
        "auto" is "error" for a classifier, with ties broken by the squared error, and
        "squared_error" for a regressor.
    sample_weight : array (n,), optional
        Weights of the points, at least 0, in the fits and in the errors. If they are not all
        equal, labels are hidden in folds, since leave-one-out has no closed form with weights.
    random_state : int, RandomState or None, default 0
        Seed of the folds; also of the landmarks, if the estimator has no seed.
    n_jobs : int, optional
        Processes among which the pairs of σ and p, or the plans, are distributed; None follows
        ``joblib.parallel_config``, by default one. The table does not depend on it.
    callback : callable, optional
        Called with a :class:`SelectionProgress` after each combination, in the order of the table;
        returning True stops. Progress is reported to :mod:`lapviz.progress` as well.

    Returns
    -------
    Selection
        The table and its best row; ``estimator.set_params(**selection.best.parameters)`` applies
        it, to a pipeline too: names are then those of its steps (``laplacianclassifier__mu``).

    Raises
    ------
    ValueError
        If the estimator has another type, a grid is empty or has a value out of range, fewer than
        two points are labelled, or a step of a pipeline before the last needs labels.

    Notes
    -----
    With very few labels the error is a rough estimate: a class with a single label on its own
    connected component is always predicted wrong when that label is hidden.

    References
    ----------
    SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
    with Laplacian regularization in semi-supervised learning*; eq. 5 and 9, whose estimates these
    are.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import LaplacianRegressor, select_parameters
    >>> x = np.linspace(0, 3, 100)[:, None]
    >>> y = np.where(np.arange(100) % 8 == 0, np.sin(x[:, 0]), np.nan)
    >>> model = LaplacianRegressor(random_state=0)
    >>> chosen = select_parameters(model, x, y, lam=[1e-6, 1e-3, 10.0])
    >>> chosen.method, len(chosen.rows), chosen.best.lam < 10.0
    ('leave-one-out', 3, True)
    >>> better = model.set_params(**chosen.best.parameters)
    """
    estimator, X, prefix = _last_step(estimator, X)
    if not isinstance(estimator, LaplacianEstimator):
        raise ValueError(
            "select_parameters takes a LaplacianClassifier or a LaplacianRegressor, or a Pipeline "
            "that ends in one; for other estimators use GridSearchCV with "
            "cv=lapviz.LabelledKFold()."
        )
    classifies = is_classifier(estimator)
    check_choice("criterion", criterion, ("auto", "squared_error", *["error"] * classifies))
    if criterion == "auto":
        criterion = "error" if classifies else "squared_error"
    X = check_points(X, keep_single=True)
    seed = random_state if estimator.random_state is None else estimator.random_state
    template = clone(estimator).set_params(random_state=seed)
    papers = template._papers() if isinstance(template, LaplacianRegressor) else {}
    template.set_params(**papers)
    if classifies:
        y = mark_unlabelled(y)
        if np.shape(y) != (len(X),):
            raise ValueError(f"y must have shape ({len(X)},), got {np.shape(y)}.")
    else:
        y = regression_targets(y, len(X)).reshape(len(X), -1)
    rows, weights = template._weighted_rows(sample_weight, len(X))
    if not isinstance(rows, slice):
        energy = template._specs_for_rows(template._specs(), X, rows)[1]
        template.set_params(operator=energy.operator)
        X, y = X[rows], y[rows]
    labels = Labels.of_classes(y, weights) if classifies else Labels.of_targets(y, weights)
    space, energy, estimate = template._specs()
    automatic = classifies and fit.plans.is_fully_automatic(space, energy, estimate)
    X, (space, _, _) = template._fit_scaling(X, weights, (space, energy, estimate), automatic)
    template.set_params(landmarks=space.landmarks)
    chosen = template.scaling == "auto" and template.scaling_ is not None
    # A plan that sets a parameter is not fully automatic: its scaling has to be fixed.
    fixed = {"scaling": "standard"} if chosen else {}
    by_plans = classifies and fit.plans.is_auto(template.operator)
    if classifies and not by_plans:
        template.set_params(**fit.plans.papers(template))
        papers = fit.plans.PAPERS
    refitted = by_plans or (classifies and template.balance is not None)
    folds = _folds(template, labels, n_splits, random_state, closed_form=not refitted)
    grids = {"bandwidth": bandwidth, "n_landmarks": n_landmarks, "mu": mu, "lam": lam}
    grids = {name: _grid(name, values) for name, values in grids.items() if values is not None}
    has_grid = bool(grids)
    named: dict = {}
    if not refitted and any(map(fit.plans.is_auto, chain.from_iterable(grids.values()))):
        named = (
            {} if classifies else papers
        )  # else the regressor with default settings would be set
        grids = {name: _without_auto(grids[name], papers.get(name, AUTO)) for name in grids}
    if not has_grid and not by_plans:
        grids = default_grids(template, X)
    if refitted:
        sample = fit.Sample.of(X, weights)  # its memo keeps what all candidates share
        choices = (
            combinations(grids, tuple(grids)) if grids else plans(template, sample, labels.mask)
        )
        if not fit.parallel.is_alone(n_jobs, len(choices)):
            sample = fit.Sample.of(X, weights)  # an empty memo, to be sent to other processes
        choices = [settings and settings | fixed for settings in choices]
        calls = [(template, sample, labels, folds, settings) for settings in choices]
        evaluate, total = by_refits, len(choices)
    else:
        spaces = combinations(grids, ("bandwidth", "n_landmarks"))
        calls = [(template, X, labels, folds, grids, settings) for settings in spaces]
        evaluate, total = by_grid, int(np.prod([len(values) for values in grids.values()]))
    rows, complete = [], True
    with progress.inside("parameters tried", total) as report_progress:
        report_progress(0)
        for candidate in _candidates(evaluate, calls, n_jobs, lambda: report_progress(len(rows))):
            parameters = named | candidate.parameters
            parameters = {prefix + name: value for name, value in parameters.items()}
            rows.append(replace(candidate, parameters=parameters))
            _LOG.info("%d of %d: %s", len(rows), total, rows[-1])
            report_progress(len(rows))
            if callback is not None and callback(SelectionProgress(len(rows), total, rows[-1])):
                complete = len(rows) == total
                break
    best = min(rows, key=lambda row: (getattr(row, criterion), row.squared_error))
    if by_plans and not has_grid and criterion == "error":
        counts = np.bincount(labels.codes)
        # A class with a single label has none while that label is hidden.
        can_compare = counts.min() > 1
        best = rows[clearly_best([row.error for row in rows], counts.sum()) if can_compare else 0]
    method = "leave-one-out" if folds is None else "k-fold"
    return Selection(tuple(rows), best, method, criterion, complete)


def _folds(
    model, labels: Labels, n_splits: int | None, random_state, closed_form: bool
) -> list[Array] | None:
    """The folds; None where leave-one-out has a closed form and no number of folds is given."""
    n_labelled = int(labels.mask.sum())
    if n_labelled < 2:
        raise ValueError("To hide a label, at least two are needed: label more points.")
    term = data_terms.TERMS[model.data_term]
    closed_form = closed_form and labels.weights is None and term.has_leave_one_out(model.filter)
    if n_splits is None and closed_form:
        return None
    n_splits = min(5, n_labelled) if n_splits is None else n_splits
    return label_folds(n_labelled, n_splits, labels.codes, random_state)


def _candidates(evaluate: Callable, calls: list[tuple], n_jobs, check) -> Iterator[Candidate]:
    """Yield the rows of all calls in order; in a single process, each as soon as it is computed."""
    if fit.parallel.is_alone(n_jobs, len(calls)):
        for arguments in calls:
            yield from evaluate(*arguments)
        return
    tasks = ((evaluate, *arguments) for arguments in calls)
    for rows in fit.parallel.in_order(fit.parallel.each(_candidate_list, [*tasks], n_jobs, check)):
        yield from rows


def _candidate_list(evaluate: Callable, *arguments) -> list[Candidate]:
    return list(evaluate(*arguments))


def _grid(name: str, values) -> list:
    if isinstance(values, str | Real):
        raise ValueError(f"{name} takes a grid, a list of values: got {values!r}.")
    values = list(map(as_python, values))
    if not values:
        raise ValueError(f"The grid of {name} is empty: give a value, or leave it out.")
    return values


def _without_auto(values: list, value) -> list:
    """The grid with this value in place of "auto", each value once."""
    return list(dict.fromkeys(value if fit.plans.is_auto(v) else v for v in values))


def _last_step(estimator, X) -> tuple[object, object, str]:
    """The last step of a pipeline, its input, and the prefix of its parameters.

    An estimator that is no pipeline is returned unchanged. The steps before are fitted on all
    points, labelled or not, without labels, so that no hidden label leaks into them.

    Raises
    ------
    ValueError
        If the steps before cannot be fitted without labels.
    """
    prefix = ""
    while isinstance(estimator, Pipeline):
        preprocessing, name = estimator[:-1], estimator.steps[-1][0]
        try:
            X = clone(preprocessing).fit_transform(X) if preprocessing.steps else X
        except (TypeError, ValueError) as error:
            raise ValueError(
                "The steps of the pipeline before the last cannot be fitted on the points alone "
                f"({error}). A step that learns from labels would see those that are to be hidden: "
                "use GridSearchCV with cv=lapviz.LabelledKFold()."
            ) from error
        estimator, prefix = estimator[-1], f"{prefix}{name}__"
    return estimator, X, prefix


def clearly_best(errors: list[float], n_labelled: int) -> int:
    """The first plan, or the best one if it leads by two standard errors and by three labels."""
    first, best = errors[0], int(np.argmin(errors))
    standard_error = np.sqrt(max(first * (1 - first), 0.0) / n_labelled)
    lead = first - errors[best]
    return best if lead > MARGIN * standard_error and lead * n_labelled > MIN_AHEAD - 0.5 else 0
