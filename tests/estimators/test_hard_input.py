"""Invalid input is refused with a helpful error, hard data get finite results, everywhere."""

import itertools
import warnings

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.neighbors import KNeighborsClassifier

from lapviz import (
    ExactLaplacianRegressor,
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    HermiteRegressor,
    KernelCGRegressor,
    LaplacianClassifier,
    PartialLabelClassifier,
)
from lapviz.datasets import draw_labels
from tests.estimators.kinds import ESTIMATORS, EVERY, create, having, target

LAPLACIAN, EXACT, KERNELS = having("data_term"), having("solver"), having("kernel")
SPACES = [cls for cls in having("operator") if cls in KERNELS]
REGRESSORS = [cls for cls in KERNELS if is_regressor(cls())]
CLASSIFIERS = [cls for cls in ESTIMATORS.values()
               if is_classifier(cls()) and cls is not PartialLabelClassifier]  # fmt: skip
X = np.random.default_rng(0).normal(size=(40, 2))
CODES = np.where(np.arange(40) < 10, np.arange(40) % 2, -1)

VALUES = {  # invalid values of a parameter, in any estimator that has it
    "bandwidth": [0, -1.0, np.nan, np.inf, "wide"],
    "kernel": ["box"],
    "n_landmarks": [0, 2.5],
    "landmarks": ["grid"],
    "mu": [-1e-3, np.nan],
    "random_state": ["seed"],
    "lam": [-1.0, np.nan],
    "fit_intercept": ["yes"],
    "filter": ["lowpass"],
    "data_term": ["some"],
    "solver": ["inverse"],
    "n_components": [0, -1, 2.5, "all"],
    "max_iter": [-1],
    "tol": [-1],
    "callback": [-1],
    "weight": [-1.0],
    "ridge": [np.nan],
    "ridge_norm": ["l2"],
    "trial_space": ["wide"],
    "stopping": ["soon"],
    "n_iterations": [-1],
    "risk": [1.0],
    "tau": [0],
    "method": ["poisson"],
    "graph": ["ring"],
    "n_neighbors": [0],
    "weights": ["cosine"],
    "alpha": [1.0],
    "balance": ["both"],
    "n_passes": [-1],
    "verbose": ["much"],
    "cutoff": [-1],
    "learning_rate": [-1],
    "batch_size": [-1],
    "disentangle": ["ica"],
}
SETTINGS = [  # invalid for some estimators, in combination, or for the data
    (EXACT, {"mu": 0.0}, "mu"),
    ([PartialLabelClassifier], {"lam": 0}, "lam"),
    (SPACES, {"kernel": "polynomial", "degree": 0}, "degree"),
    (having("landmarks"), {"landmarks": np.zeros((3, 5))}, "landmarks have 5 features"),
    (SPACES, {"operator": "nabla"}, "Unknown operator 'nabla'"),
    (SPACES, {"operator": 3}, "operator must be a name or have a method"),
    (EXACT, {"kernel": "exponential"}, "no second derivative"),
    ((KernelCGRegressor,), {"stopping": "threshold", "dimension": (1.0,)}, r"\(s, D\)"),
    ((KernelCGRegressor,), {"stopping": "discrepancy", "norm": "plain"}, "rule for norm='kernel'"),
    (having("landmarks"), {"landmarks": np.array(1.0)}, "landmarks must be .* not a single number"),
    (having("kernel_params"), {"kernel_params": (1, 2)}, "kernel_params must be a dict"),
    (having("kernel_params"), {"kernel_params": {1: 2}}, "kernel_params must be a dict"),
    (
        having("class_prior"),
        {"balance": "scale", "class_prior": np.array(0.5)},
        "2 positive numbers",
    ),
    (having("class_prior"), {"balance": "scale", "class_prior": [1.0, 0.0]}, "2 positive numbers"),
]
INVALID = [
    ({name: v}, name, cls) for name in VALUES for v in VALUES[name] for cls in having(name, EVERY)
]
INVALID += [(params, sentence, cls) for classes, params, sentence in SETTINGS for cls in classes]


@pytest.mark.parametrize(("parameters", "sentence", "cls"), INVALID, ids=lambda v: str(v)[:30])
def test_invalid_parameters_are_refused_by_name(cls, parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        cls(**parameters).fit(X, target(cls(), CODES))


@pytest.mark.parametrize("cls", [*CLASSIFIERS, *REGRESSORS])
def test_a_failed_refit_changes_nothing(cls):
    model = cls().fit(X, target(cls(), CODES))
    before, expected = dict(vars(model)), model.predict(X)
    with pytest.raises(ValueError, match=r"only|requires|labelled"):
        model.fit(np.ones((40, 5)), target(cls(), np.full(40, -1)))
    assert vars(model) == before
    np.testing.assert_array_equal(model.predict(X), expected)


TARGETS = [
    (CLASSIFIERS, np.full(40, -1), "only unlabelled points: label at least one"),
    (CLASSIFIERS, np.linspace(0, 1, 40), "Unknown label type: continuous"),
    (CLASSIFIERS, np.array(["a", 1] * 20, dtype=object), "one type"),
    (REGRESSORS, np.full(40, np.nan), "only NaN"),
    (REGRESSORS, np.full(40, 1 + 1j), "complex numbers"),
    (
        REGRESSORS,
        ["a"] * 40,
        "y must be a dense array of numbers, NaN where unlabelled; for",
    ),
    (REGRESSORS, np.full(40, np.inf), "infinite values: only NaN may mark"),
    (REGRESSORS, np.zeros(5), r"y must have shape \(40,\)"),
    (REGRESSORS, np.empty((40, 0)), r"got \(40, 0\)"),
    (
        [cls for cls in REGRESSORS if cls is not KernelCGRegressor],
        np.tile([[1.0, np.nan], [np.nan, 1.0]], (20, 1)),
        "No row of y holds all 2 targets",
    ),
    ((*CLASSIFIERS, *REGRESSORS), None, "requires y"),
    ((KernelCGRegressor,), np.where(CODES == 1, np.nan, 1.0)[:2], "y must have shape"),
    ((KernelCGRegressor,), np.r_[1.0, np.full(39, np.nan)], "at least two labelled points"),
    ((PartialLabelClassifier,), [{0}] * 39 + [set()], "row 39 is empty"),
    ((PartialLabelClassifier,), [{0}, {np.nan}] * 20, "holds NaN: give None"),
    ((PartialLabelClassifier,), [{0}, {1}, {-1}, None] * 10, "holds -1, which marks unlabelled"),
    ((PartialLabelClassifier,), np.ones((40, 3), bool), "rules out any class"),
    ((PartialLabelClassifier,), np.ones((5, 3), bool), "5 candidate sets for 40 samples"),
    ((PartialLabelClassifier,), np.full(40, -1), "only unlabelled"),
    ((PartialLabelClassifier,), None, "candidate classes of every point"),
]
TARGETS = [(cls, y, sentence) for classes, y, sentence in TARGETS for cls in classes]


@pytest.mark.parametrize(("cls", "y", "sentence"), TARGETS, ids=lambda v: str(v)[:30])
def test_invalid_targets_are_refused(cls, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        cls().fit(X, y)


@pytest.mark.parametrize("cls", [cls for cls in REGRESSORS if cls is not KernelCGRegressor])
def test_rows_with_some_targets_are_announced(cls):
    y = np.column_stack([X[:, 0], X[:, 1]])
    y[:3, 0], y[:5, 1] = np.nan, np.nan
    with pytest.warns(UserWarning, match="2 of 40 rows of y have some of the 2 targets, but not"):
        model = cls().fit(X, y)
    y[:5] = np.nan
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=r"\d+ of 40 rows")
        np.testing.assert_array_equal(model.predict(X), cls().fit(X, y).predict(X))


WEIGHTS = [
    (-np.ones(40), "negative"),
    (np.where(np.arange(40) == 3, np.nan, 1.0), r"NaN .* \(1 of 40\)"),
    (np.ones(39), r"shape \(40,\)"),
    (np.zeros(40), "All weights"),
    (["heavy"] * 40, "must hold numbers"),
    (np.ones(40) + 1j, "Complex data not supported: give real numbers for sample_weight"),
    (np.where(CODES < 0, 1.0, 0.0), "y holds no"),
]
WEIGHTS = [(cls, *case) for case in WEIGHTS for cls in ESTIMATORS.values()
           if not (cls is GalerkinEmbedding and case[1] == "y holds no")]  # fmt: skip


@pytest.mark.parametrize(("cls", "weights", "sentence"), WEIGHTS, ids=lambda v: str(v)[:30])
def test_invalid_weights_are_refused(cls, weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        cls().fit(X, target(cls(), CODES), sample_weight=weights)


POINTS = np.random.default_rng(0).normal(size=(20, 2))
HARD = {
    "one sample": np.zeros((1, 2)),
    "two samples": np.array([[0.0, 0.0], [1.0, 2.0]]),
    "all points equal": np.ones((20, 2)),
    "one feature": np.linspace(0, 1, 20)[:, None],
    "a constant feature": np.column_stack([np.linspace(0, 1, 20), np.ones(20)]),
    "far away": POINTS + 1e6,
    "a far point": np.vstack([POINTS[:19], [[1e8, 1e8]]]),
}
MODELS = [
    *(cls(operator=operator, random_state=0)
      for cls in (GalerkinEmbedding, *LAPLACIAN) for operator in ("laplacian", "tangent", "graph")),
    *(cls(solver=solver) for cls in EXACT for solver in ("direct", "block")),
    HermiteRegressor(trial_space="representer"),
    HermiteRegressor(trial_space="landmarks"),
    *(KernelCGRegressor(stopping=rule, tau=1e-3, dimension="auto", random_state=0)
      for rule in ("fixed", "discrepancy", "threshold", "holdout")),
    *(GraphLaplacianClassifier(method=method, graph=graph, weights="gaussian")
      for method in ("harmonic", "spreading") for graph in ("dense", "knn")),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("data", HARD)
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_hard_data_give_finite_results(model, data):
    """n = 1, p > n, σ = 1e-9 and 1e9, all points equal: numbers, never NaN."""
    points, n = HARD[data], len(HARD[data])
    if n == 1 and getattr(model, "stopping", "") == "holdout":
        pytest.skip("nothing can be held out")
    y = np.where(np.arange(n) < max(2, n // 2), np.arange(n) % 2, -1)
    for bandwidth in ("auto", 1e-9, 1e9):
        trial = clone(model).set_params(bandwidth=bandwidth)
        options = {"gradients": np.ones_like(points)} if isinstance(trial, HermiteRegressor) else {}
        with np.errstate(all="ignore"):
            trial.fit(points, target(trial, y), **options)
            for new in (points, points + 0.1):
                for method in ("transform", "predict_proba", "decision_function", "predict"):
                    if hasattr(trial, method):
                        assert np.isfinite(getattr(trial, method)(new)).all()
                if hasattr(trial, "predict_proba"):
                    np.testing.assert_allclose(trial.predict_proba(new).sum(axis=1), 1)
                if hasattr(trial, "predict_gradient"):
                    assert np.isfinite(trial.predict_gradient(new)).all()
        if isinstance(trial, GalerkinEmbedding):
            assert np.all(trial.eigenvalues_ >= 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "n"),
    [*itertools.product([(2,), (3, 2), (10,), (3, 3, 3)], [300]), ((2,), 2200), ((10,), 2200),
     *(pytest.param(sizes, n, marks=pytest.mark.long)  # as accurate: the others cover the choice
       for sizes, n in (((3, 2), 2200), ((3, 3, 3), 2200), ((10,), 12_000)))],
)  # fmt: skip
def test_a_table_of_few_different_rows_is_no_worse_for_the_graph(sizes, n):
    """Most rows have only duplicates as neighbours: a graph over them connects nothing."""
    gaps = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rows = np.column_stack([rng.integers(size, size=n) for size in sizes]).astype(float)
        y = (rows.sum(axis=1) > rows.mean(axis=0).sum()) ^ (rng.random(n) < 0.1)
        y_partial = np.where(draw_labels(y.astype(int), 5, seed), y, -1)
        model, labelled = LaplacianClassifier(random_state=0).fit(rows, y_partial), y_partial >= 0
        assert model.report_["n_landmarks"].value < n, "functions, not nodes"
        peer = KNeighborsClassifier(1).fit(rows[labelled], y[labelled])
        gaps.append(np.mean(model.predict(rows) == y) - np.mean(peer.predict(rows) == y))
    assert np.mean(gaps) > -0.03


@pytest.mark.parametrize("kernel", ["exponential", "matern32", "gaussian"])
@pytest.mark.parametrize("scale", [1e-9, 1e-5, 1e6, 1e10])
def test_single_precision_at_any_scale(kernel, scale):
    rows = scale * np.random.default_rng(0).normal(size=(300, 6))
    model = GalerkinEmbedding(n_components=4, n_landmarks=60, kernel=kernel, random_state=0)
    exact = model.fit(rows).eigenvalues_ * scale**2
    single = model.fit(rows.astype(np.float32)).eigenvalues_ * scale**2
    np.testing.assert_allclose(single, exact, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_masked_classes_are_unlabelled(cls):
    masked = np.ma.masked_array(np.arange(40) % 2, mask=CODES < 0)
    plain, model = create(cls).fit(X, CODES), create(cls).fit(X, masked)
    np.testing.assert_array_equal(model.predict(X), plain.predict(X))


def test_masked_slopes_are_unknown_and_masked_weights_refused():
    slopes, mask = np.ones((40, 2)), np.repeat(CODES < 0, 2).reshape(40, 2)
    masked = np.ma.masked_array(np.where(mask, -999.0, slopes), mask=mask)
    model = HermiteRegressor()
    plain = clone(model).fit(X, X.sum(axis=1), gradients=np.where(mask, np.nan, slopes))
    fitted = clone(model).fit(X, X.sum(axis=1), gradients=masked)
    np.testing.assert_array_equal(fitted.predict(X), plain.predict(X))
    weights = np.ma.masked_array(np.ones(40), mask=CODES < 0)
    with pytest.raises(ValueError, match="sample_weight has masked entries"):
        LaplacianClassifier().fit(X, CODES, sample_weight=weights)


@pytest.mark.parametrize("cls", [GalerkinEmbedding, *REGRESSORS, *CLASSIFIERS])
def test_masked_entries_of_rows_are_refused(cls):
    model, rows = create(cls), np.ma.masked_array(X, mask=X > 1)
    with pytest.raises(ValueError, match="X has masked entries"):
        model.fit(rows, target(model, CODES))
    model.fit(np.ma.masked_array(X), target(model, CODES))  # nothing is masked


@pytest.mark.parametrize("prior", [["a", "b"], [[1], [1, 2]], [1j, 2]])
def test_proportions_that_are_no_numbers_are_refused(prior):
    with pytest.raises(ValueError, match="class_prior must be 2 positive numbers"):
        LaplacianClassifier(class_prior=prior).fit(X, CODES)


def test_equal_rows_have_a_kernel_matrix():
    """Its products with responses of mean 0 are rounding errors of either sign."""
    for seed in range(20):
        y = np.random.default_rng(seed).normal(size=10)
        model = KernelCGRegressor(stopping="fixed").fit(np.ones((10, 2)), y)
        np.testing.assert_allclose(model.predict(np.ones((1, 2))), y.mean(), atol=1e-6)


def test_a_kernel_matrix_beyond_the_precision_gets_a_sentence():
    rows = np.random.default_rng(0).normal(size=(150, 3))
    rows[:75] += 1000
    y = np.where(np.arange(150) % 3 == 0, rows[:, 0], np.nan)
    model = ExactLaplacianRegressor(kernel="polynomial", bandwidth=1.0)
    with pytest.raises(ValueError, match="scale or centre the columns"):
        model.fit(rows, y)


@pytest.mark.parametrize("scale", [1e80, 1e-23])
def test_the_automatic_lam_follows_the_units(scale):
    unit = LaplacianClassifier(random_state=0).fit(X, CODES).lam_
    dtype = np.float32 if scale < 1 else float  # whose squares underflow
    scaled = LaplacianClassifier(random_state=0).fit((X * scale).astype(dtype), CODES)
    assert scaled.lam_ / scale**2 == pytest.approx(unit, rel=1e-4)
