"""Parameter selection: the table against refits, and scikit-learn's searches on few labels."""

from dataclasses import replace

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from lapviz import (
    GraphLaplacianClassifier,
    LabelledKFold,
    LaplacianClassifier,
    LaplacianRegressor,
    datasets,
    fit,
    kernels,
    select_parameters,
)
from lapviz.estimates.leave_one_out import label_folds
from lapviz.estimators.tuning_candidates import Labels, hidden_scores
from tests.estimators.kinds import plain_classifier


def moons(labels_per_class=6, n_samples=200, seed=0):
    data = datasets.load(
        "half_moons", n_samples=n_samples, labels_per_class=labels_per_class, random_state=seed
    )
    return data.X, data.semi_supervised_target(), data.y


def curve(n=150, n_labelled=30, outputs=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    y = np.column_stack([np.sin(4 * X[:, 0]) + 3, X[:, 1] ** 2])[:, :outputs]
    y = y + 0.1 * rng.normal(size=y.shape)
    y[n_labelled:] = np.nan
    return X, y[:, 0] if outputs == 1 else y


# ------------------------------------------------------------------------------------ the table


def three_classes():
    X, y, _ = moons(3, 60)
    y[np.flatnonzero(y == 1)[:2]] = 2
    y[np.flatnonzero(y == -1)[0]] = 1
    return X, y


SOLVED = {"bandwidth": [0.5, "auto"], "mu": [1e-4, "auto"], "lam": [1e-3, 1.0]}  # without refits
REFITS = [  # model, data, grid, folds (None: leave-one-out)
    *((LaplacianRegressor(data_term=term, fit_intercept=constant), curve(50, 5, outputs), SOLVED,
       None) for outputs, term, constant in
      [(1, "labelled", False), (2, "labelled", True), (2, "all", False), (1, "all", True)]),
    (plain_classifier(), moons(3, 60)[:2], {"lam": [1e-3, 10.0], "n_landmarks": [15, 30]}, None),
    (plain_classifier(), three_classes(), {"lam": [1e-3, 10.0]}, None),
    (plain_classifier(), moons(3, 60)[:2], {"lam": ["auto", 10.0]}, None),
    *((LaplacianClassifier(operator="laplacian", bandwidth=0.2, balance="scale",
                           class_prior=(0.1, 0.9), n_passes=passes),
       moons(3, 60)[:2], {"lam": [1e-3, 10.0]}, 6) for passes in (0, 3)),
    (LaplacianRegressor(filter="heat"), curve(60, 11), {"lam": [0.01, 1.0]}, 4),
    (LaplacianRegressor(filter="cutoff", data_term="all"), curve(60, 11), {"lam": [0.1]}, 4),
    (LaplacianRegressor(), curve(60, 11), {"lam": [0.01, 1.0]}, 4),
    (LaplacianRegressor(data_term="poisson"), curve(60, 11, 2), {"mu": [0.01, 1.0]}, 4),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("model", "data", "grid", "n_splits"), REFITS)
def test_the_table_agrees_with_refits(model, data, grid, n_splits):
    (X, y), classes = data, isinstance(model, LaplacianClassifier)
    model = clone(model).set_params(n_landmarks=20, random_state=0)
    table = select_parameters(model, X, y, **grid, n_splits=n_splits, random_state=3)
    assert table.method == ("leave-one-out" if n_splits is None else "k-fold")
    assert len(table.rows) == np.prod([len(values) for values in grid.values()])
    rows = np.flatnonzero(y >= 0 if classes else ~np.isnan(y.reshape(len(y), -1)).any(axis=1))
    folds = [[k] for k in range(len(rows))]
    codes = y[rows] if classes else None
    folds = folds if n_splits is None else label_folds(len(rows), n_splits, codes, 3)
    for row in table.rows:
        predictions = np.empty_like(y[rows])
        for fold in folds:
            hidden = y.copy()
            hidden[rows[fold]] = -1 if classes else np.nan
            fitted = clone(model).set_params(**row.parameters).fit(X, hidden)
            predictions[fold] = fitted.predict(X[rows[fold]])
            if grid is SOLVED:
                assert (fitted.bandwidth_, fitted.mu_) == (row.bandwidth, row.mu)
        if classes:
            assert row.error == pytest.approx(np.mean(predictions != y[rows]))
        else:
            error = np.mean((predictions - y[rows]) ** 2)
            assert row.squared_error == pytest.approx(error, rel=1e-8, abs=1e-8)
            assert np.isnan(row.error)
        assert row.n_landmarks == len(fitted.landmarks_)
    if not classes:
        assert table.best == min(table.rows, key=lambda row: row.squared_error)


@pytest.mark.parametrize("grid", [{"mu": ["auto", 0.1]}, {"n_landmarks": ["auto"]},
                                  {"lam": ["auto", 10.0]}], ids=str)  # fmt: skip
@pytest.mark.parametrize(
    ("model", "data"),
    [(LaplacianClassifier(operator="laplacian"), three_classes()),
     (LaplacianRegressor(), curve(60, 11))],
)  # fmt: skip
def test_rows_of_auto_name_what_was_scored(model, data, grid):
    (X, y), model = data, clone(model).set_params(random_state=0)
    labelled = np.flatnonzero(y >= 0 if isinstance(model, LaplacianClassifier) else ~np.isnan(y))
    for row in select_parameters(model, X, y, **grid).rows:
        fitted, errors = clone(model).set_params(**row.parameters), []
        for i in labelled:
            hidden = y.copy()
            hidden[i] = -1 if isinstance(model, LaplacianClassifier) else np.nan
            given = fitted.fit(X, hidden).predict(X[[i]])[0]
            is_class = isinstance(model, LaplacianClassifier)
            errors.append(given != y[i] if is_class else (given - y[i]) ** 2)
        expected = row.error if isinstance(model, LaplacianClassifier) else row.squared_error
        assert np.mean(errors) == pytest.approx(expected, rel=1e-6)
        assert (fitted.mu_, fitted.n_landmarks_) == (row.mu, row.n_landmarks)


def test_kernel_objects_get_the_widths_of_a_grid_or_keep_their_own():
    X, y = curve(60, 8)
    model = LaplacianRegressor(kernel=kernels.get("matern52", 0.7), random_state=0)
    table = select_parameters(model, X, y, bandwidth=[0.4, 0.9])
    assert [row.bandwidth for row in table.rows] == [0.4, 0.9]
    fitted = clone(model).set_params(**table.rows[1].parameters).fit(X, y)
    assert fitted.kernel_ == kernels.get("matern52", 0.9)
    assert select_parameters(model, X, y, lam=[1.0]).best.bandwidth == 0.7
    with pytest.raises(ValueError, match="bandwidth of its own"):
        select_parameters(model, X, y, bandwidth=["auto"])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_and_stop_and_no_change_of_the_estimator(n_jobs):
    X, y = curve(60, 8)
    model = LaplacianRegressor(random_state=0)
    before = model.get_params()
    states = []
    table = select_parameters(model, X, y, lam=[0.1, 1.0], mu=[1e-3, 1e-2], callback=states.append)
    assert [(s.done, s.total) for s in states] == [(k, 4) for k in range(1, 5)]
    assert tuple(s.candidate for s in states) == table.rows
    assert table.complete
    with parallel_config(backend="threading", n_jobs=n_jobs):
        stopped = select_parameters(
            model, X, y, lam=[0.1, 1.0], mu=[1e-3, 1e-2], callback=lambda s: s.done == 3
        )
    assert repr(stopped.rows) == repr(table.rows[:3])  # repr: the errors of a regression are nan
    assert not stopped.complete
    assert model.get_params() == before
    assert not hasattr(model, "coefficients_")


@pytest.mark.parametrize(
    "options",
    [{}, {"mu": 0.3, "lam": 7.0}, {"data_term": "poisson"},
     {"data_term": "poisson", "balance": "scale", "n_passes": 2}],
    ids=str,
)  # fmt: skip
def test_default_grids_of_mu_and_lam_are_in_units_of_the_width(options):
    X, y, _ = moons()
    model = plain_classifier(n_landmarks=30, random_state=0, **options)
    table, scaled = (select_parameters(model, c * X, y) for c in (1.0, 64.0))
    mus, lams = (
        list(dict.fromkeys(getattr(r, name) for r in table.rows)) for name in ("mu", "lam")
    )
    sigma = model.fit(X, y).bandwidth_
    for power in range(-3, 1):
        assert any(mu * sigma**2 == pytest.approx(10.0**power) for mu in mus)
    assert any(mu * sigma**2 == pytest.approx(2e-5) for mu in mus)
    if model.data_term != "poisson" or model.n_passes == 2:  # else there is no λ
        for power in range(-3, 2):
            assert any(lam / sigma**2 == pytest.approx(10.0**power) for lam in lams)
        np.testing.assert_allclose(
            [row.mu * row.bandwidth**2 for row in scaled.rows if row.mu != 0.3],
            [row.mu * row.bandwidth**2 for row in table.rows if row.mu != 0.3],
        )
    first = table.rows[0]
    assert (first.mu, first.lam) == (model.mu_, model.lam_), "the estimator's own"
    mu_values = {str(row.parameters.get("mu")) for row in table.rows}  # some may be equal
    assert len(table.rows) == len(mu_values) * len(lams)
    assert table.best.squared_error <= first.squared_error or not table.best.error


def test_in_a_pipeline_the_last_step_is_tuned():
    X, y, _ = moons()
    X = X * [1000.0, 1.0]
    last = plain_classifier(n_landmarks=30, random_state=0)
    model = make_pipeline(StandardScaler(), make_pipeline(PCA(1), last))
    table = select_parameters(model, X, y, mu=[1e-3, 0.1], lam=[0.1, 1.0])
    Z = make_pipeline(StandardScaler(), PCA(1)).fit_transform(X)
    expected_table = select_parameters(last, Z, y, mu=[1e-3, 0.1], lam=[0.1, 1.0])
    prefix = "pipeline__laplacianclassifier__"
    for row, expected_row in zip(table.rows, expected_table.rows, strict=True):
        assert row.parameters == {prefix + name: v for name, v in expected_row.parameters.items()}
        assert replace(row, parameters={}) == replace(expected_row, parameters={})
    model.set_params(**table.best.parameters).fit(X, y)
    expected = last.set_params(**expected_table.best.parameters).fit(Z, y).predict(Z)
    np.testing.assert_array_equal(model.predict(X), expected)
    only = Pipeline([("only", last)])
    assert select_parameters(only, Z, y, lam=[1.0]).best.parameters == {"only__lam": 1.0}


def select(model, y=None, **options):
    X, targets = curve(60, 8)
    return lambda: select_parameters(model, X, targets if y is None else y, **options)


Y_MARKED = moons(6, 60)[1]
WITH_SELECTION = make_pipeline(SelectKBest(k=1), plain_classifier()), Y_MARKED


def split(n_splits=3, y=Y_MARKED, **options):
    return lambda: list(LabelledKFold(n_splits, **options).split(Y_MARKED, y))


REFUSED = [
    (select(GraphLaplacianClassifier()), "LabelledKFold"),
    (select(LaplacianRegressor(), lam=[]), "grid of lam is empty"),
    (select(LaplacianRegressor(), bandwidth=[-1.0]), "bandwidth"),
    (select(LaplacianRegressor(), lam=[-1.0]), "lam"),
    (select(LaplacianRegressor(), criterion="error"), "criterion must be one of"),
    (select(LaplacianRegressor(), n_splits=20), "only 8 points are labelled"),
    (select(LaplacianRegressor(), lam=["auto", None]), "'lam' parameter"),
    (select(LaplacianRegressor(), np.full(60, np.nan)), "at least two are needed"),
    (select(*WITH_SELECTION), r"on the points alone \(.*\).*LabelledKFold"),
    (select(make_pipeline(StandardScaler(), GraphLaplacianClassifier())), "a Pipeline that ends"),
    (split(20), "only 12 points are labelled"),
    (split(1), "n_splits must be"),
    (split(y=None), "needs y"),
    (split(mark=0), "mark must be one of"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED, ids=[words for _, words in REFUSED])
def test_invalid_input_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_rows_with_some_targets_are_announced():
    X, y = curve(outputs=2)
    y[np.flatnonzero(~np.isnan(y).any(axis=1))[:2], 1] = np.nan
    with pytest.warns(UserWarning, match=f"^2 of {len(y)} rows of y have some of the 2 targets"):
        select_parameters(LaplacianRegressor(random_state=0), X, y, lam=[1e-3, 1e-2])


# --------------------------------------------------------------------------- inside scikit-learn


def test_test_folds_hold_each_labelled_point_once_and_no_other():
    for y in (moons()[1], moons()[1].astype(float), moons()[1].astype(str), curve(outputs=2)[1]):
        labelled = ~np.isnan(y).any(axis=1) if y.ndim == 2 else y.astype(float) >= 0
        tests = []
        for train, test in LabelledKFold(4).split(np.zeros((len(y), 1)), y):
            assert labelled[test].all()
            assert set(np.flatnonzero(~labelled)) <= set(train)
            np.testing.assert_array_equal(np.sort([*train, *test]), np.arange(len(y)))
            tests.extend(test)
        np.testing.assert_array_equal(np.sort(tests), np.flatnonzero(labelled))


def test_classes_are_spread_and_targets_of_minus_one_are_targets():
    y = np.repeat([0, 1, -1], [8, 4, 50])
    for _, test in LabelledKFold(4).split(y, y):
        assert np.bincount(y[test]).tolist() == [2, 1]
    targets = np.array([-1.0, 0.5, 2.0, -1.0, 3.3])
    assert sum(len(test) for _, test in LabelledKFold(2).split(targets, targets)) == 5
    integers = np.array([-1.0, 0.0, 2.0, -1.0, 3.0])
    assert sum(len(test) for _, test in LabelledKFold(2).split(integers, integers)) == 3
    whole = np.arange(20).reshape(10, 2)  # targets of several outputs, none missing
    assert sorted(np.concatenate([t for _, t in LabelledKFold(3).split(whole, whole)])) == [
        *range(10)
    ]
    with pytest.raises(ValueError, match="mark=-1 marks one column of classes"):
        next(LabelledKFold(3, mark=-1).split(whole, whole))
    candidates = np.eye(3, dtype=bool)[[0, 1, 2, 0, 1]]
    candidates[3] = True  # any class: unlabelled
    tests = [t for _, t in LabelledKFold(2).split(candidates, candidates)]
    assert sorted(np.concatenate(tests)) == [0, 1, 2, 4]
    by_nan = LabelledKFold(2, mark="nan").split(integers, integers)
    assert sum(len(test) for _, test in by_nan) == 5


@pytest.mark.slow
def test_plans_are_compared_by_the_criterion():
    X, y, _ = moons(3, 80)
    model = LaplacianClassifier(random_state=0)
    by_error = select_parameters(model, X, y)
    table = select_parameters(model, X, y, criterion="squared_error")
    assert table.rows == by_error.rows
    assert by_error.best.parameters == {}
    assert table.best == min(table.rows, key=lambda row: row.squared_error)
    assert table.best != by_error.best


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "builds"),
    [
        ({}, 2),  # the automatic plan, and the energy along the axes
        ({"landmarks": "given"}, 7),
        ({"random_state": np.random.RandomState(0)}, 7),
    ],
)
def test_plans_share_their_forms_and_agree_with_separate_fits(monkeypatch, options, builds):
    X, y, _ = moons(3, 80)
    if "landmarks" in options:
        options = {"landmarks": X[::3]}
    calls, assemble = [], fit.galerkin.assemble
    monkeypatch.setattr(
        fit.galerkin, "assemble", lambda *args: calls.append(args) or assemble(*args)
    )
    model = LaplacianClassifier(**({"random_state": 0} | options))
    selection = select_parameters(model, X, y, n_splits=3)
    assert len(calls) == builds
    if builds == 7 and "random_state" in options:
        return  # every plan draws its own landmarks
    labels = Labels.of_classes(y, None)
    folds = label_folds(len(labels.codes), 3, labels.codes, 0)
    for row in selection.rows:
        trial = clone(model).set_params(**row.parameters)
        scores, lam = hidden_scores(trial, fit.Sample.of(X), labels.mask, labels.codes, folds)
        assert (trial.mu_, lam) == (row.mu, row.lam)
        assert labels.squared_error(scores) == pytest.approx(row.squared_error, rel=1e-9)
