"""LaplacianClassifier() with default settings: few labels on tables and curves; its report."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from lapviz import GalerkinEmbedding, LaplacianClassifier, datasets, filters, fit, graphs
from lapviz.estimators.advice import DataWarning
from lapviz.estimators.tuning import clearly_best
from lapviz.fit import few_labels, guard


def partly_labelled(y, per_class, seed):
    """Labels drawn at random, the same number of each class; -1 elsewhere."""
    rng, labels = np.random.default_rng([seed, per_class]), np.full(len(y), -1)
    for k in np.unique(y):
        rows = rng.choice(np.flatnonzero(y == k), per_class, replace=False)
        labels[rows] = k
    return labels


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wine", "half_moons"])  # kernel functions, nodes
def test_it_follows_the_units(name):
    data = datasets.load(name, random_state=0)
    X, labels = data.X, partly_labelled(data.y, 1, 0)
    small, large = (LaplacianClassifier(random_state=0).fit(c * X + c, labels) for c in (1, 1000))
    np.testing.assert_allclose(
        large.predict_proba(1000 * X + 1000), small.predict_proba(X + 1), atol=1e-6
    )
    assert large.lam_ == pytest.approx(1e6 * small.lam_, rel=1e-6)
    assert large.mu_ == pytest.approx(1e-6 * small.mu_, rel=1e-6)
    assert large.dirichlet_energy_ == pytest.approx(1e-6 * small.dirichlet_energy_, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "functions"),
    [("wine", ": 67% of 178 rows"), ("half_moons", "the 8-NN graph over all 2000 points")],
)
def test_the_report_lists_the_choices(name, functions):
    data = datasets.load(name, random_state=0)
    X, labels = data.X, partly_labelled(data.y, 1, 0)
    model = LaplacianClassifier(random_state=0).fit(X, labels)
    with_gap = {"class_prior"} if name == "half_moons" else set()
    assert set(model.report_.names) == with_gap | {
        "operator", "n_landmarks", "bandwidth", "balance", "n_passes", "mu", "lam"
    }  # fmt: skip
    for choice in ("n_landmarks", "mu", "lam"):
        assert model.report_[choice].value == getattr(model, f"{choice}_")
    assert functions in str(model.report_)
    settings = {"operator": "laplacian", "bandwidth": 1.0, "mu": 0.1}
    named = LaplacianClassifier(**settings).fit(X, labels)
    assert (named.lam_, named.n_passes_, named.balance_) == (1.0, 0, None)
    by_object = clone(model).set_params(filter=filters.get("tikhonov")).fit(X, labels)
    np.testing.assert_array_equal(by_object.predict_proba(X), model.predict_proba(X))
    free = clone(model).set_params(fit_intercept=True).fit(X, labels)
    assert "without an unpenalised constant" in str(free.report_["n_passes"])


@pytest.mark.slow
def test_the_rules_against_their_definitions():
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    model = LaplacianClassifier(random_state=0).fit(X, partly_labelled(y, 2, 0))
    problem = model._prepare(fit.Sample.of(X), y >= 0, model._specs())
    S, K = problem.assembled.forms.stiffness, problem.assembled.forms.gram
    c = min(0.5, (112 / 150) ** 2)
    assert model.mu_ == pytest.approx(c * np.trace(S) / np.trace(K))
    phi = model.space_.phi(X)
    G = phi @ np.linalg.pinv(S + model.mu_ * K) @ phi.T
    overlap = graphs.mean_overlap(problem.weights)
    assert 0.4 < overlap < 0.6
    assert model.n_landmarks_ == round((1 - overlap) * 150)
    # Two labels per class, on a reliable graph; without the constant.
    modes = np.linalg.eigvalsh(G / 150)[:-1]
    assert modes.sum() / 100 < 2 * np.sum(modes**2) / modes.sum()
    assert model.lam_ == pytest.approx(modes.sum() / 100 / 2**0.75, rel=1e-3)
    assert model.report_["lam"].value == model.lam_
    assert "0.59 for 2 labels per class" in str(model.report_)


@pytest.mark.slow
def test_rounding_does_not_move_it():
    """Over 300 kernel functions on 600 normal points: many are nearly dependent."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    y = np.where(rng.random(600) < 0.2, X[:, 0] + X[:, 1] ** 2 > 1, -1)
    weights = rng.random(600)
    first, second = (
        LaplacianClassifier(random_state=0).fit(x, y, weights) for x in (X, X[:, ::-1])
    )
    assert second.lam_ == pytest.approx(first.lam_, rel=1e-4)  # by 2 % without `INDEPENDENT`
    probabilities = second.predict_proba(X[:, ::-1])
    np.testing.assert_allclose(probabilities, first.predict_proba(X), atol=1e-3)


@pytest.mark.slow
def test_names_of_the_classes_do_not_move_it():
    X, y = load_iris(return_X_y=True)
    prior, labels = np.array([0.2, 0.3, 0.5]), np.full(150, -1)
    labels[np.r_[:7, 50:56, 100:108]] = y[np.r_[:7, 50:56, 100:108]]
    new = np.array([1, 2, 0])  # names
    for given in (None, prior):
        model = LaplacianClassifier(random_state=0, class_prior=given).fit(X, labels)
        renamed = None if given is None else given[np.argsort(new)]
        again = LaplacianClassifier(random_state=0, class_prior=renamed)
        again.fit(X, np.where(labels < 0, -1, new[labels]))
        probabilities = again.predict_proba(X)[:, new]
        np.testing.assert_allclose(probabilities, model.predict_proba(X), atol=1e-4)


def test_the_number_of_landmarks_is_that_of_the_rows_and_the_overlap():
    assert [few_labels.landmarks(n) for n in (5, 90, 1500, 10**6)] == [5, 60, 1000, 1200]
    assert [few_labels.landmarks(900, j) for j in (0.0, 0.4, 0.5, 0.9)] == [600, 540, 450, 300]


@pytest.mark.parametrize(
    ("per_class", "overlap", "factor"),
    [(1, 0.5, 1), (0.5, 0.5, 1), (16, 0.5, 1 / 8), (16, 0.35, 1 / 8), (9, 0.2, 1), (9, 0.05, 1),
     (256, 0.275, 1 / 8)],
)  # fmt: skip
def test_lambda_decreases_with_labels_where_the_graph_is_reliable(per_class, overlap, factor):
    assert few_labels.lam_factor(per_class, overlap) == pytest.approx(factor)


@pytest.mark.slow
@pytest.mark.parametrize("per_class", [1, 5])
@pytest.mark.parametrize("name", ["wine", "half_moons"])  # kernel functions, nodes
def test_far_from_the_data_classes_have_their_proportions(name, per_class):
    data = datasets.load(name, random_state=0)
    X, y = data.X, data.y
    far_points, prior = X[:3] + 1000, np.arange(2.0, 2.0 + y.max() + 1)
    labels = partly_labelled(y, per_class, 0)
    model = LaplacianClassifier(class_prior=prior, random_state=0).fit(X, labels)
    np.testing.assert_allclose(model.predict_proba(far_points), [prior / prior.sum()] * 3)
    if per_class == 1:  # which carries no information on the proportions
        model = LaplacianClassifier(random_state=0).fit(X, labels)
        np.testing.assert_allclose(model.predict_proba(far_points), 1 / (y.max() + 1))


@pytest.mark.slow
@pytest.mark.parametrize("per_class", [1, 5])
@pytest.mark.parametrize("name", ["wine", "half_moons"])  # kernel functions, nodes
def test_given_proportions_are_the_mean_probabilities(name, per_class):
    data = datasets.load(name, random_state=0)
    prior = np.arange(1.0, data.y.max() + 2) / np.arange(1.0, data.y.max() + 2).sum()
    labels = partly_labelled(data.y, per_class, 0)
    weights = np.random.default_rng(0).uniform(0.5, 1.5, len(labels))
    for sample_weight in (None, weights):
        model = LaplacianClassifier(class_prior=prior, random_state=0)
        model.fit(data.X, labels, sample_weight)
        mean = np.average(model.predict_proba(data.X), axis=0, weights=sample_weight)
        np.testing.assert_allclose(mean, prior, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("prior", [[1, 2], [1, 5], [2, 1]])
def test_predictions_have_given_proportions_although_nothing_is_sure(prior):
    """No label of a circle can be predicted from the three others, so T is large."""
    data = datasets.load("four_circles", random_state=0)
    model = LaplacianClassifier(class_prior=prior, random_state=0)
    predicted = model.fit(data.X, data.semi_supervised_target()).predict(data.X)
    np.testing.assert_allclose(
        np.bincount(predicted) / len(predicted), np.divide(prior, sum(prior)), atol=0.03
    )


@pytest.mark.parametrize(
    ("errors", "n_labelled", "best"),
    [
        ([0.2, 0.1], 10, 0),
        ([0.2, 0.1], 100, 1),
        ([0.0, 0.0], 9, 0),
        ([0.5, 0.4, 0.1], 20, 2),
        ([0.5, 0.0], 4, 0),
        ([0.5, 0.0], 6, 1),
    ],
)
def test_another_plan_must_be_ahead_by_a_standard_error_and_three_labels(errors, n_labelled, best):
    assert clearly_best(errors, n_labelled) == best


def test_one_point_is_too_few_for_a_graph():
    with pytest.raises(ValueError, match="n_samples = 1"):
        LaplacianClassifier().fit([[1.0]], [1])


def noisy_moons(n, noise_columns, seed, n_labels=50):
    """Half-moons among columns of noise; labels of rows at random, −1 elsewhere."""
    X, y = make_moons(n, noise=0.1, random_state=seed)
    rng = np.random.default_rng(seed)
    X = np.hstack([X, rng.normal(size=(n, noise_columns))])
    labels, rows = np.full(n, -1), rng.permutation(n)[:n_labels]
    labels[rows] = y[rows]
    return X, y, labels


@pytest.mark.slow
def test_lambda_does_not_follow_the_constant_as_mu_vanishes():
    """The constant dominated G as μ fell like n⁻²: λ was 87 at n = 5000, and all scores flat."""
    X, _, labels = noisy_moons(250, 8, 0)
    lams = [LaplacianClassifier(mu=mu, random_state=0).fit(X, labels).lam_ for mu in (1e-5, 1e-7)]
    assert lams[1] < 1.5 * lams[0]


@pytest.mark.slow
def test_passes_that_fail_are_undone_and_the_report_says_so(monkeypatch):
    monkeypatch.setattr(guard, "LOST_SHARE", 1.1)
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 150)
    X = rng.normal(size=(300, 2)) + 2.0 * y[:, None] * [1, 0]
    y_nodes = np.where(datasets.draw_labels(y, 2, 0), y, -1)
    assert_undone(LaplacianClassifier(random_state=0, linear=False), EqualParts(), X, y_nodes)
    X, _, labels = noisy_moons(300, 0, 0)
    functions = LaplacianClassifier(random_state=0, bandwidth=0.3, linear=False)
    one_step = clone(functions).set_params(n_passes=0)
    assert_undone(functions, one_step, X, labels)
    np.testing.assert_array_equal(functions.coefficients_, one_step.coefficients_)
    named = LaplacianClassifier(operator="laplacian", balance="scale", n_passes=3, random_state=0)
    assert named.fit(X, labels).n_passes_ == 3  # a named operator has no guard


class EqualParts:
    """Harmonic shares, with equal parts of the sample for every label, then for every class."""

    def fit(self, X, labels):
        positions = np.flatnonzero(labels >= 0)
        W = graphs.knn_weights(X, 6, weights="shared")
        W = graphs.bridged(W, X, labels >= 0)
        measure = graphs.harmonic(W, positions, np.eye(len(positions)))
        shares = (measure / measure.mean(axis=0)) @ np.eye(2)[labels[positions]]
        self.shares = shares / shares.sum(axis=1, keepdims=True)
        return self

    def predict(self, X):
        return (self.shares / self.shares.mean(axis=0)).argmax(axis=1)


def assert_undone(model, before, X, labels):
    """Fit, and check that passes are undone: predictions are those before them."""
    model.fit(X, labels)
    np.testing.assert_array_equal(model.predict(X), before.fit(X, labels).predict(X))
    assert model.n_passes_ == 0
    assert str(model.report_["n_passes"]).startswith("n_passes = 0: undone, they would leave")


# Rows, columns of noise, draws; a minute each.
REGIMES = [
    pytest.param(1000, 8, 1, marks=pytest.mark.slow),  # was .50, all of one class, and confident
    *(pytest.param(n, c, 3, marks=pytest.mark.long)
      for n in (500, 1000, 2000, 5000, 20_000, 50_000) for c in (0, 2, 8, 30)),
]  # fmt: skip


@pytest.mark.parametrize(("n", "noise_columns", "draws"), REGIMES)
def test_never_one_class_and_never_overconfident(n, noise_columns, draws):
    results = []
    for seed in range(draws):
        X, y, labels = noisy_moons(n, noise_columns, seed)
        hidden = labels < 0
        model = LaplacianClassifier(random_state=0).fit(X, labels)
        if (n, noise_columns) == (1000, 8):
            assert "of 50 held-out labels" in model.report_["n_passes"].reason
        classes = model.predict(X[hidden])
        confidence = model.predict_proba(X[hidden]).max(axis=1)
        peers = [
            peer.fit(X[~hidden], y[~hidden]).score(X[hidden], y[hidden])
            for peer in (LogisticRegression(), SVC())
        ]
        results.append([np.mean(classes == y[hidden]), confidence.mean(), np.mean(classes), *peers])
    print(n, noise_columns, *np.round(results, 3))
    accuracy, mean_confidence, share_of_ones = np.array(results).T[:3]
    assert np.all((share_of_ones > 0.05) & (share_of_ones < 0.95))
    assert np.mean(mean_confidence - accuracy) < 0.15
    if (n, noise_columns) == (1000, 8):
        assert np.all((accuracy > 0.75) & (np.abs(mean_confidence - accuracy) < 0.12))


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 5])  # on nodes; with kernel functions
def test_classes_that_a_gap_separates_may_have_any_sizes(d):
    """With one label of each; 20 of 1000 points are a class of their own, and 80 a further one."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [900, 80, 20])
    X = rng.normal(size=(1000, d)) + 20 * y[:, None]
    labels = partly_labelled(y, 1, 0)
    model = LaplacianClassifier(random_state=0).fit(X, labels)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.report_["class_prior"].value == "0.90, 0.08, 0.02"
    assert "3 parts that wide gaps separate" in model.report_["class_prior"].reason
    # Weights count in the sizes; a part without a label belongs to the nearest one with a label.
    weights = np.where(y == 1, 10.0, 1.0)
    weighted = LaplacianClassifier(random_state=0).fit(X, labels, sample_weight=weights)
    assert weighted.report_["class_prior"].value == "0.52, 0.47, 0.01"
    labels[labels == 1] = -1
    with pytest.warns(DataWarning, match="3 pieces, of which 1"):
        two = LaplacianClassifier(random_state=0).fit(X, labels)
    np.testing.assert_array_equal(two.predict(X[y != 1]), y[y != 1])
    assert two.report_["class_prior"].value in ("0.90, 0.10", "0.98, 0.02")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_reasons_are_those_of_the_case():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(120, 2)), np.where(np.arange(120) < 20, np.arange(120) % 2, -1)

    def reasons(X=X, y=labels, **parameters):
        report = LaplacianClassifier(random_state=0, **parameters).fit(X, y).report_
        return {choice.name: str(choice) for choice in report}

    assert "root mean square norm" in reasons(kernel="polynomial")["bandwidth"]
    assert "functions at 120 points overlap" in reasons(n_landmarks=500)["bandwidth"]
    assert "as if functions at" in reasons(landmarks="fourier")["bandwidth"]
    one = reasons(y=np.where(labels == 1, 1, -1))
    assert (one["balance"], one["n_passes"]) == (
        "balance = None: one class alone", "n_passes = 0: one class alone"
    )  # fmt: skip
    answers = (rng.normal(size=(300, 5)) + 1.5 * rng.integers(0, 2, (300, 1)) > 0).astype(float)
    y = np.where(np.arange(300) < 20, answers.sum(axis=1) > 2, -1).astype(int)
    assert "only copies of themselves as neighbours" in reasons(answers, y)["n_landmarks"]
    by_far = LaplacianClassifier(landmarks="kmeans++", random_state=0).fit(answers, y)
    number = by_far.report_["n_landmarks"]
    assert number.value == by_far.n_landmarks_ < 200
    assert number.reason.endswith("as neighbours; fewer, as samples coincide")
    embedding = GalerkinEmbedding(n_components=2, random_state=0).fit(X[:15])
    assert embedding.report_["n_landmarks"].reason == "all of 15 samples: at least 20 are taken"


@pytest.mark.long
def test_equally_many_labels_do_not_make_classes_equal():
    """Five labels from each of three clusters of 40, 120 and 340 points."""
    by_default, with_prior = [], []
    for seed in range(8):
        X, y = make_blobs([40, 120, 340], 10, cluster_std=5.0, random_state=seed)
        X, labels = StandardScaler().fit_transform(X), partly_labelled(y, 5, seed)
        for scores, prior in ((by_default, None), (with_prior, [1, 1, 1])):
            model = LaplacianClassifier(class_prior=prior, random_state=0).fit(X, labels)
            scores.append(np.mean(model.predict(X) == y))
    assert np.mean(by_default) > np.mean(with_prior) + 0.05


def test_copies_of_labelled_rows_have_their_label():
    """Of twelve different rows with unanimous labels each predicts its copies."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 3, 400), rng.integers(0, 4, 400)]).astype(float)
    y = X.sum(axis=1).astype(int) % 2
    known = np.where(np.arange(400) < 60, y, -1)
    model = LaplacianClassifier(random_state=0).fit(X, known)
    assert "of rows that mostly have copies" in model.report_["lam"].reason
    assert model.score(X, y) == 1


def test_a_class_of_a_single_label_is_not_lost():
    """A core of 5 % in a shell: a linear function sees the shell alone, and held-out labels too."""
    rng = np.random.default_rng(3)
    y = (rng.uniform(size=600) < 0.05).astype(int)
    X = rng.normal(size=(600, 3))
    X *= (np.where(y, 0.3, 1.0) / np.linalg.norm(X, axis=1))[:, None]
    X += 0.1 * rng.normal(size=X.shape)
    known = np.full(600, -1)
    known[np.flatnonzero(y == 0)[:59]], known[np.flatnonzero(y)[0]] = 0, 1
    model = LaplacianClassifier(random_state=0).fit(X, known)
    assert model.score(X[y == 1], y[y == 1]) > 0.8
    assert model.score(X[y == 0], y[y == 0]) > 0.95
