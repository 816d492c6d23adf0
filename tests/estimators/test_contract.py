"""The public contract: names, keyword-only parameters, defaults, scikit-learn's own checks."""

import inspect
import pickle
import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.semi_supervised import LabelSpreading
from sklearn.utils.estimator_checks import parametrize_with_checks

import lapviz
from lapviz import (
    ExactLaplacianClassifier,
    ExactLaplacianRegressor,
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    HermiteRegressor,
    KernelCGRegressor,
    LaplacianClassifier,
    LaplacianRegressor,
    PartialLabelClassifier,
    kernels,
    operators,
)

TRIAL_SPACE = {
    "kernel": "gaussian",
    "bandwidth": "auto",
    "n_landmarks": "auto",
    "landmarks": "stratified",
    "mu": "auto",
    "operator": "laplacian",
    "random_state": None,
}
ESTIMATE = TRIAL_SPACE | {
    "lam": 1.0,
    "filter": "tikhonov",
    "data_term": "labelled",
    "fit_intercept": False,
}
PROMISED = {
    GalerkinEmbedding: TRIAL_SPACE | {"n_components": 16},
    LaplacianClassifier: ESTIMATE
    | dict.fromkeys(("n_landmarks", "lam", "operator", "balance", "n_passes"), "auto"),
    LaplacianRegressor: ESTIMATE,
    GraphLaplacianClassifier: {"method": "harmonic", "graph": "knn"},
}
CLASSIFIERS = (LaplacianClassifier, GraphLaplacianClassifier)
ROWS = (ExactLaplacianClassifier, ExactLaplacianRegressor, KernelCGRegressor)
# scikit-learn lets its own LabelSpreading off the first by name.
EXPECTED = {
    "check_classifiers_classes": "fits the classes {-1, 1}, but -1 is the mark for unlabelled"
}
DRAWN = {
    "check_sample_weight_equivalence_on_dense_data": "landmarks, σ, μ and neighbours are found "
    "from rows, however much they weigh: repeated rows are other rows to draw from"
}  # where anything is


def expected_failures(estimator):
    given = getattr(estimator, "bandwidth", "auto") != "auto"
    undrawn = getattr(estimator, "landmarks", None) == "fourier" or isinstance(estimator, ROWS)
    fixed = given and undrawn
    return ({} if fixed else DRAWN) | (EXPECTED if is_classifier(estimator) else {})


@parametrize_with_checks([cls() for cls in PROMISED], expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [
        LaplacianClassifier(data_term="all"),
        LaplacianRegressor(data_term="all", fit_intercept=True),
        LaplacianClassifier(operator="graph", balance="scale"),
        LaplacianClassifier(landmarks="fourier", data_term="poisson", balance="shift"),
        LaplacianRegressor(landmarks="leverage", data_term="poisson"),
        GalerkinEmbedding(landmarks="fourier", operator="graph"),
        LaplacianRegressor(landmarks="fourier", n_landmarks=50, bandwidth=2.0, mu=1e-3, lam=1e-3),
        LaplacianClassifier(
            landmarks="fourier", n_landmarks=20, bandwidth=2.0, mu=0.1, operator="laplacian"
        ),
        GraphLaplacianClassifier(method="spreading"),
        GraphLaplacianClassifier(graph="dense", method="spreading", bandwidth=1.0),
        GraphLaplacianClassifier(weights="gaussian", bandwidth=1.0),
        ExactLaplacianRegressor(),
        ExactLaplacianRegressor(solver="block", fit_intercept=True),
        ExactLaplacianRegressor(bandwidth=2.0, mu=1e-3, lam=1e-3),
        ExactLaplacianClassifier(),
        ExactLaplacianClassifier(bandwidth=1.0, mu=0.1),
        HermiteRegressor(),
        HermiteRegressor(fit_intercept=True),
        KernelCGRegressor(),
        KernelCGRegressor(stopping="fixed", unlabelled="response", norm="plain", kernel="matern32"),
        KernelCGRegressor(stopping="threshold", tau=0.01, dimension="auto"),
        KernelCGRegressor(stopping="fixed", n_iterations=5, bandwidth=1.0),
        PartialLabelClassifier(),
        PartialLabelClassifier(fit_intercept=True),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks_with_other_settings(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("cls", [LabelSpreading, *CLASSIFIERS])
def test_minus_one_is_no_class(cls):
    """In scikit-learn's own semi-supervised classifier neither."""
    X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([-1, -1, 1, 1])
    assert cls().fit(X, y).classes_.tolist() == [1]


@pytest.mark.parametrize("cls", PROMISED)
def test_parameters_are_keyword_only_with_the_promised_names_and_defaults(cls):
    parameters = dict(list(inspect.signature(cls.__init__).parameters.items())[1:])
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters.values())
    for name, default in PROMISED[cls].items():
        assert parameters[name].default == default, name
    with pytest.raises(TypeError):
        cls(3)


# ------------------------------------------------------------------- nonsense, on all of them


def toy(n=40, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    y = np.where(np.arange(n) < 10, np.arange(n) % 2, -1)
    return X, y


def target_for(cls, y):
    return np.where(y < 0, np.nan, y.astype(float)) if cls is LaplacianRegressor else y


CHOOSE_LAM = (GalerkinEmbedding, LaplacianClassifier)  # or have none
KERNEL_BASED = (GalerkinEmbedding, LaplacianClassifier, LaplacianRegressor)
NONSENSE = [
    ({"bandwidth": 0}, "bandwidth"),
    ({"bandwidth": -1.0}, "bandwidth"),
    ({"bandwidth": np.nan}, "bandwidth"),
    ({"bandwidth": np.inf}, "bandwidth"),
    ({"bandwidth": "wide"}, "bandwidth"),
    ({"kernel": "box"}, "kernel"),
    ({"kernel": "polynomial", "degree": 0}, "degree"),
    ({"n_landmarks": 0}, "n_landmarks"),
    ({"n_landmarks": 2.5}, "n_landmarks"),
    ({"landmarks": "grid"}, "landmarks"),
    ({"landmarks": np.zeros((3, 5))}, "landmarks have 5 features and X has 2"),
    ({"mu": -1e-3}, "mu"),
    ({"mu": np.nan}, "mu"),
    ({"operator": "nabla"}, "Unknown operator 'nabla'"),
    ({"operator": 3}, "operator must be a name or have a method"),
    ({"random_state": "seed"}, "random_state"),
]


@pytest.mark.parametrize(("wrong", "sentence"), NONSENSE, ids=lambda v: str(v)[:30])
@pytest.mark.parametrize("cls", KERNEL_BASED)
def test_nonsense_gets_a_sentence_that_names_it(cls, wrong, sentence):
    X, y = toy()
    with pytest.raises(ValueError, match=sentence):
        cls(**wrong).fit(X, target_for(cls, y))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"lam": -1.0}, "lam"),
        ({"lam": np.nan}, "lam"),
        ({"filter": "lowpass"}, "filter"),
        ({"data_term": "some"}, "data_term"),
        ({"fit_intercept": "yes"}, "fit_intercept"),
        ({"operator": "graf"}, "Unknown operator 'graf'"),
    ],
    ids=str,
)
@pytest.mark.parametrize("cls", [LaplacianClassifier, LaplacianRegressor])
def test_nonsense_of_the_estimate_gets_a_sentence_too(cls, wrong, sentence):
    X, y = toy()
    with pytest.raises(ValueError, match=sentence):
        cls(**wrong).fit(X, target_for(cls, y))


def outputs(model, X):
    if isinstance(model, GalerkinEmbedding):
        return model.transform(X)
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


HARD = {
    "one sample": np.zeros((1, 2)),
    "two samples": np.array([[0.0, 0.0], [1.0, 2.0]]),
    "all points equal": np.ones((20, 2)),
    "one feature": np.linspace(0, 1, 20)[:, None],
    "a constant feature": np.column_stack([np.linspace(0, 1, 20), np.ones(20)]),
    "far away": np.random.default_rng(0).normal(size=(20, 2)) + 1e6,
    "a far point": np.vstack([np.random.default_rng(0).normal(size=(19, 2)), [[1e8, 1e8]]]),
}


@pytest.mark.parametrize("bandwidth", ["auto", 1e-9, 1.0, 1e9])
@pytest.mark.parametrize("data", HARD)
@pytest.mark.parametrize("operator", ["laplacian", "tangent", "graph"])
@pytest.mark.parametrize("cls", KERNEL_BASED)
def test_hard_data_get_finite_answers(cls, operator, data, bandwidth):
    """n = 1, p > n, σ = 1e-9 and 1e9, all points equal: an answer, never a NaN."""
    X = HARD[data]
    y = np.where(np.arange(len(X)) < max(1, len(X) // 2), np.arange(len(X)) % 2, -1)
    model = cls(bandwidth=bandwidth, operator=operator, random_state=0)
    with np.errstate(all="ignore"):
        model.fit(X, target_for(cls, y))
        for points in (X, X + 0.1):
            values = outputs(model, points)
            assert np.isfinite(values).all()
    if cls is GalerkinEmbedding:
        assert np.all(model.eigenvalues_ >= 0)
        assert np.isfinite(model.eigenvalues_).all()


@pytest.mark.parametrize("data_term", ["labelled", "all"])
@pytest.mark.parametrize("filter", lapviz.filters.names())
def test_lambda_zero_works(filter, data_term):
    X, y = toy()
    model = LaplacianClassifier(lam=0, filter=filter, data_term=data_term, random_state=0)
    assert np.isfinite(model.fit(X, y).decision_function(X)).all()
    if data_term == "labelled":
        np.testing.assert_array_equal(model.predict(X[:10]), y[:10])  # it interpolates


# -------------------------------------------------------------- what all kernel estimators share


@pytest.mark.parametrize("cls", KERNEL_BASED)
def test_a_seed_decides_and_clones_and_pickles_agree(cls):
    X, y = toy(300)
    y = target_for(cls, y)
    model = cls(n_landmarks=30, random_state=5).fit(X, y)
    base = outputs(model, X)
    np.testing.assert_array_equal(outputs(clone(model).fit(X, y), X), base)
    np.testing.assert_array_equal(outputs(pickle.loads(pickle.dumps(model)), X), base)
    other = cls(n_landmarks=30, random_state=6).fit(X, y)
    assert not np.array_equal(other.landmarks_, model.landmarks_)


@pytest.mark.parametrize("cls", KERNEL_BASED)
@pytest.mark.parametrize("dtype", [np.float32, pytest.param(np.float64, marks=pytest.mark.slow)])
def test_no_copy_of_the_samples_is_made(cls, dtype):
    X = np.random.default_rng(0).standard_normal((50_000, 200), dtype=np.float32)
    X = X.astype(dtype, copy=False)
    y = target_for(cls, np.where(np.arange(50_000) < 4, np.arange(50_000) % 2, -1))
    tracemalloc.start()
    # A graph would hold the points among which it looks for neighbours.
    more = {"operator": "laplacian"} if cls is LaplacianClassifier else {}
    outputs(cls(n_landmarks=20, random_state=0, **more).fit(X, y), X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.size * 4


@pytest.mark.parametrize("cls", KERNEL_BASED)
def test_kernel_objects_and_names_mean_the_same(cls):
    X, y = toy(100)
    y = target_for(cls, y)
    for name, bandwidth, options in (
        ("matern32", 1.5, {}),
        ("exponential", 3.0, {}),
        ("polynomial", 1.0, {"degree": 4}),
    ):
        named = cls(kernel=name, bandwidth=bandwidth, random_state=0, **options).fit(X, y)
        given = cls(kernel=kernels.get(name, bandwidth, **options), random_state=0).fit(X, y)
        np.testing.assert_array_equal(outputs(given, X), outputs(named, X))
        assert given.bandwidth_ == bandwidth
        assert given.kernel_ == named.kernel_


@pytest.mark.parametrize("cls", KERNEL_BASED)
def test_landmarks_may_be_given_and_may_exceed_the_samples(cls):
    X, y = toy(30)
    y = target_for(cls, y)
    C = np.random.default_rng(1).normal(size=(12, 2))
    model = cls(landmarks=C).fit(X, y)
    np.testing.assert_array_equal(model.landmarks_, C)
    again = cls(landmarks=C.tolist(), random_state=9).fit(X, y)
    np.testing.assert_allclose(outputs(again, X), outputs(model, X))
    many = cls(n_landmarks=10_000).fit(X, y)
    np.testing.assert_array_equal(np.sort(many.landmarks_, axis=0), np.sort(X, axis=0))


@pytest.mark.parametrize("cls", KERNEL_BASED)
def test_operator_objects_and_names_mean_the_same(cls):
    X, y = toy(60)
    y = target_for(cls, y)
    named = cls(operator="sphere", random_state=0).fit(X, y)
    given = cls(operator=operators.SphereTangent(), random_state=0).fit(X, y)
    ambient = cls(random_state=0).fit(X, y)
    np.testing.assert_array_equal(outputs(given, X), outputs(named, X))
    assert not np.allclose(outputs(ambient, X), outputs(named, X))


@pytest.mark.parametrize("cls", KERNEL_BASED)
@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_automatic_settings_follow_the_units(cls, kernel):
    """Metres or millimetres: the same answer; energies in 1/length². λ is in length²."""
    X, y = toy(200)
    y = target_for(cls, y)
    options = {"kernel": kernel, "n_landmarks": 40, "random_state": 0}
    small = cls(**options).fit(X, y)
    scaled = options if cls in CHOOSE_LAM else options | {"lam": 1e6}
    large = cls(**scaled).fit(1000 * X, y)
    assert large.bandwidth_ == pytest.approx(1000 * small.bandwidth_, rel=1e-9)
    assert large.mu_ == pytest.approx(small.mu_ / 1e6, rel=1e-9)
    np.testing.assert_allclose(outputs(large, 1000 * X), outputs(small, X), atol=2e-3)


@pytest.mark.parametrize("cls", KERNEL_BASED)
def test_a_table_with_other_columns_gets_a_sentence(cls):
    X, y = toy()
    model = cls().fit(X, target_for(cls, y))
    with pytest.raises(ValueError, match="3 features"):
        outputs(model, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="NaN"):
        cls().fit(np.where(X > 2, np.nan, X), target_for(cls, y))
