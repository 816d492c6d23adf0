"""GraphLaplacianClassifier against scikit-learn's contract, its peer, and hopeless input."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, make_blobs
from sklearn.semi_supervised import LabelSpreading
from sklearn.utils.estimator_checks import parametrize_with_checks

from lapviz.estimators.graph_classifier import GraphLaplacianClassifier

VARIANTS = [
    GraphLaplacianClassifier(),
    GraphLaplacianClassifier(method="spreading"),
    GraphLaplacianClassifier(graph="dense", bandwidth=1.0),
    GraphLaplacianClassifier(graph="dense", method="spreading", bandwidth=1.0),
    GraphLaplacianClassifier(weights="gaussian", bandwidth=1.0),
]

EXPECTED = {
    "check_classifiers_classes": "its classes {-1, 1} include -1, which means unlabelled here; "
    "scikit-learn lets its own LabelSpreading off by name"
}

COPIES = {
    "check_sample_weight_equivalence_on_dense_data": "copies of a row are neighbours of each other "
    "in a k-NN graph, and spread to each other; a node of mass 2 has no edge to itself"
}


def expected(estimator):
    exact = estimator.graph == "dense" and estimator.method == "harmonic"
    return EXPECTED | ({} if exact else COPIES)


@pytest.mark.slow
@parametrize_with_checks([VARIANTS[k] for k in (1, 2, 4)], expected_failed_checks=expected)
def test_scikit_learn_contract(estimator, check):
    """Every method, graph and weight; the first variant is in test_contract.py."""
    check(estimator)


@pytest.fixture
def blobs():
    X, y = make_blobs(150, centers=3, cluster_std=0.6, random_state=0)
    partial = np.full(150, -1)
    shown = [np.flatnonzero(y == c)[:2] for c in range(3)]
    partial[np.concatenate(shown)] = y[np.concatenate(shown)]
    return X, y, partial


@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
def test_training_points_keep_what_fit_gave_them(estimator, blobs):
    X, y, partial = blobs
    model = clone(estimator).fit(X, partial)
    assert np.array_equal(model.predict(X), model.transduction_)
    np.testing.assert_allclose(model.predict_proba(X), model.label_distributions_, atol=1e-14)
    assert np.mean(model.transduction_ == y) > 0.85
    if model.method == "harmonic":
        assert np.array_equal(model.transduction_[partial >= 0], partial[partial >= 0])


@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
def test_scores_agree_with_probabilities_and_classes(estimator, blobs):
    X, _, partial = blobs
    new = np.random.default_rng(1).uniform(-10, 10, size=(40, 2))
    model = clone(estimator).fit(X, partial)
    P = model.predict_proba(new)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert P.min() >= 0
    np.testing.assert_allclose(model.decision_function(new), P - 1 / 3)
    two = clone(estimator).fit(X, np.minimum(partial, 1))
    scores = two.decision_function(new)
    assert np.array_equal(two.predict(new), (scores > 0).astype(int))


def test_dense_spreading_agrees_with_scikit_learn(blobs):
    X, _, partial = blobs
    sigma, alpha = 0.9, 0.8
    ours = GraphLaplacianClassifier(
        method="spreading", graph="dense", bandwidth=sigma, alpha=alpha
    ).fit(X, partial)
    peer = LabelSpreading(kernel="rbf", gamma=0.5 / sigma**2, alpha=alpha, max_iter=500, tol=1e-13)
    peer.fit(X, partial)
    np.testing.assert_allclose(ours.label_distributions_, peer.label_distributions_, atol=1e-9)
    new = np.random.default_rng(2).uniform(-3, 5, size=(40, 2))
    np.testing.assert_allclose(ours.predict_proba(new), peer.predict_proba(new), atol=1e-9)


@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
def test_order_of_samples_and_names_of_classes_do_not_matter(estimator, blobs):
    X, _, partial = blobs
    base = clone(estimator).fit(X, partial)
    mix = np.random.default_rng(3).permutation(len(X))
    mixed = clone(estimator).fit(X[mix], partial[mix])
    np.testing.assert_allclose(
        mixed.label_distributions_, base.label_distributions_[mix], atol=1e-10
    )
    names = np.array(["ant", "bee", "cat"])
    as_text = np.where(partial < 0, "-1", names[partial])
    as_objects = np.array([-1 if c < 0 else names[c] for c in partial], dtype=object)
    for y in (as_text, as_objects):
        named = clone(estimator).fit(X, y)
        assert named.classes_.tolist() == names.tolist()
        assert np.array_equal(named.transduction_, names[base.transduction_])


def test_bandwidth_auto_is_the_rule_of_the_library(blobs):
    from lapviz.spaces.bandwidth import auto_bandwidth

    X, _, partial = blobs
    model = GraphLaplacianClassifier(graph="dense").fit(X, partial)
    assert model.bandwidth_ == auto_bandwidth(X, kernel="gaussian")
    assert GraphLaplacianClassifier().fit(X, partial).bandwidth_ is None


HOPELESS = {
    "all points equal": np.ones((30, 2)),
    "one feature": np.arange(30.0)[:, None],
    "two points": np.array([[0.0, 0.0], [1.0, 1.0]]),
    "one point": np.zeros((1, 2)),
    "a far point": np.r_[np.random.default_rng(4).normal(size=(29, 2)), [[1e8, 1e8]]],
    "tiny": 1e-200 * np.random.default_rng(5).normal(size=(30, 2)),
    "huge": 1e200 * np.random.default_rng(6).normal(size=(30, 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
@pytest.mark.parametrize("data", list(HOPELESS))
def test_never_nan(data, estimator, sigma):
    X = HOPELESS[data]
    y = np.full(len(X), -1)
    y[: len(X) // 2 or 1] = np.arange(len(X) // 2 or 1) % 3
    model = clone(estimator).set_params(bandwidth=sigma).fit(X, y)
    for P in (model.label_distributions_, model.predict_proba(X + 0.1), model.predict_proba(-X)):
        assert np.isfinite(P).all()
        np.testing.assert_allclose(P.sum(axis=1), 1)


@pytest.mark.parametrize("method", ["harmonic", "spreading"])
def test_points_without_a_way_to_a_label_get_the_class_frequencies(method):
    X = np.r_[np.arange(8.0), 1000 + np.arange(8.0)][:, None]
    y = np.full(16, -1)
    y[:4] = [0, 0, 0, 1]
    for graph in ("dense", "knn"):
        model = GraphLaplacianClassifier(method=method, graph=graph, n_neighbors=2, bandwidth=1.0)
        model.fit(X, y)
        np.testing.assert_allclose(model.label_distributions_[8:], [[0.75, 0.25]] * 8)
        np.testing.assert_allclose(model.predict_proba([[2000.0]]), [[0.75, 0.25]])


@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
def test_one_class_and_no_class(estimator, blobs):
    X, _, partial = blobs
    with pytest.warns(UserWarning, match="one class, 7"):
        model = clone(estimator).fit(X, np.where(partial == 2, 7, -1))
    assert np.all(model.predict(X) == 7)
    assert not model.decision_function(X).any()
    with pytest.raises(ValueError, match="label at least one"):
        clone(estimator).fit(X, np.full(len(X), -1))


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "poisson"},
        {"graph": "ring"},
        {"n_neighbors": 0},
        {"weights": "cosine"},
        {"bandwidth": 0.0},
        {"bandwidth": "wide"},
        {"alpha": 1.0},
    ],
)
def test_wrong_parameters_are_named(wrong, blobs):
    X, _, partial = blobs
    with pytest.raises(ValueError, match=next(iter(wrong))):
        GraphLaplacianClassifier(**wrong).fit(X, partial)


def test_a_dense_graph_too_large_is_refused_with_its_bytes(blobs, monkeypatch):
    X, _, partial = blobs
    monkeypatch.setattr("lapviz.memory.memory_limit", lambda: 500_000)
    with pytest.raises(MemoryError, match="takes 540000 bytes"):
        GraphLaplacianClassifier(graph="dense", bandwidth=1.0).fit(X, partial)


@pytest.mark.slow
@pytest.mark.parametrize("n_labels", [1, 5])
def test_self_tuning_harmonic_on_digits(n_labels):
    """Beside scikit-learn's spreading: ``python -m lapviz.experiments.digits``."""
    X, y = load_digits(return_X_y=True)
    X = X / 16
    ours = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        shown = [rng.choice(np.flatnonzero(y == c), n_labels, replace=False) for c in range(10)]
        partial = np.full(len(y), -1)
        partial[np.concatenate(shown)] = y[np.concatenate(shown)]
        rest = partial < 0
        fit = GraphLaplacianClassifier().fit(X, partial)
        ours.append(np.mean(fit.transduction_[rest] == y[rest]))
    assert np.mean(ours) > {1: 0.78, 5: 0.94}[n_labels]
