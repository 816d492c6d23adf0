"""Classification on the nodes of a graph: brute force, the graph baseline, and units."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from lapviz import GraphLaplacianClassifier, LaplacianClassifier, datasets, fit, graphs
from lapviz.fit import few_labels, plans
from lapviz.fit.classes import NodeProblem

MOONS = datasets.load("half_moons", n_samples=300, labels_per_class=3, random_state=0)
X, Y = MOONS.X, MOONS.semi_supervised_target()
WEIGHTS = np.random.default_rng(0).integers(1, 4, len(X)) / 2.0


def make_problem(X=X, y=Y, weights=None, space=None, energy=None, **estimate):
    specs = (
        space or fit.SpaceSpec(),
        energy or fit.EnergySpec("auto", "auto"),
        fit.EstimateSpec(**{"lam": "auto", "balance": "auto", "n_passes": "auto"} | estimate),
    )
    return fit.problem(fit.Sample.of(X, weights), np.flatnonzero(y >= 0), *specs)


def labels(X=X, y=Y, n_classes=2):
    return fit.Labels.of_codes(X, y, n_classes)


# ---- the energy ----


def edge_sum(problem, g, mass=None):
    """½ Σ_ij s_i s_j w_ij (g_i − g_j)², over all pairs."""
    mass = np.ones(len(g)) if mass is None else mass
    W = problem.weights.toarray() * np.outer(mass, mass)
    return 0.5 * np.sum(W[:, :, None] * (g[:, None] - g[None]) ** 2)


@pytest.mark.parametrize("mass", [None, WEIGHTS, 3 * WEIGHTS], ids=["equal", "masses", "scaled"])
def test_the_energy_is_the_sum_over_the_edges_in_units_of_the_coordinates(mass):
    problem = make_problem(weights=mass)
    assert isinstance(problem, NodeProblem)
    g = np.random.default_rng(1).normal(size=(len(X), 2))
    assert problem.energy(g) == pytest.approx(
        edge_sum(problem, g, mass) / edge_sum(problem, X, mass), rel=1e-9
    )
    assert problem.energy(np.ones_like(g)) < 1e-12


# ---- the estimate ----


def circles(seed=0, n=400, per_class=2):
    """Four classes, a circle each, in connected components that all have labels."""
    X = datasets.load("four_circles", n_samples=n, noise=0.05, random_state=seed).X
    y = np.clip(np.rint(np.hypot(*X.T)).astype(int) - 1, 0, 3)
    y_partial = np.where(datasets.draw_labels(y, per_class, seed), y, -1)
    W = graphs.knn_weights(X, 10, weights="shared")
    assert graphs.bridged(W, X, y_partial >= 0) is W
    return X, y, y_partial


@pytest.fixture(scope="module")
def fitted_circles():
    """Circles, labels, and the classifier with default settings fitted to them."""
    X, _, y_partial = circles()
    return X, y_partial, LaplacianClassifier().fit(X, y_partial)


def baseline():
    return GraphLaplacianClassifier(n_neighbors=6, weights="shared", balance="scale", n_passes=10)


@pytest.mark.slow
@pytest.mark.parametrize("masses", [False, True])
def test_with_labels_in_every_component_it_is_the_graph_baseline(masses):
    X, _, y_partial = circles(1)
    mass = np.random.default_rng(0).uniform(0.5, 2.0, len(X)) if masses else None
    ours, peer = (
        LaplacianClassifier(linear=False).fit(X, y_partial, mass),
        baseline().fit(X, y_partial, mass),
    )
    assert ours.operator_.n_neighbors == 6
    np.testing.assert_array_equal(ours.predict(X), peer.transduction_)
    np.testing.assert_allclose(ours.predict_proba(X), peer.label_distributions_, atol=1e-9)
    new = 1.1 * X[::7] + 0.02
    near = ours._reach.share(new) == 1
    assert near.sum() > 20
    np.testing.assert_array_equal(ours.predict(new[near]), peer.predict(new[near]))


@pytest.mark.slow
def test_a_given_lambda_is_in_units_of_the_energy(fitted_circles):
    """The baseline has 5 over the unit; a given number is used unchanged."""
    X, y_partial, automatic = fitted_circles
    same = LaplacianClassifier(lam=automatic.lam_).fit(X, y_partial)
    np.testing.assert_array_equal(same.coefficients_, automatic.coefficients_)
    other = LaplacianClassifier(lam=10 * automatic.lam_).fit(X, y_partial)
    assert other.dirichlet_energy_ < 0.9 * automatic.dirichlet_energy_


@pytest.mark.slow
def test_an_off_sample_label_is_one_more_node():
    X, _, y_partial = circles()
    problem, far_point = make_problem(X, y_partial), np.array([[9.0, -8.0]])
    labelled = np.flatnonzero(y_partial >= 0)
    rows, classes = np.vstack([far_point, X[labelled]]), np.r_[2, y_partial[labelled]]
    off_sample = fit.Labels(rows, np.eye(4)[classes], np.r_[-1, labelled])
    solution = problem.solve(off_sample, replace(problem.plan.estimate, linear=False))
    assert solution.coefficients.shape == (len(X) + 1, 4)
    peer = baseline().fit(np.vstack([X, far_point]), np.r_[y_partial, 2])
    classes = np.argmax(solution.balance(solution.coefficients), axis=1)
    np.testing.assert_array_equal(classes, peer.transduction_)
    np.testing.assert_allclose(solution.temperature, peer.temperature_, rtol=1e-9)
    assert problem.scores(far_point, solution).argmax() == 2, "its class at its position"
    np.testing.assert_allclose(
        problem.scores(X, solution), solution.balance(solution.coefficients)[:-1]
    )
    assert problem.energy(solution.coefficients) == problem.energy(solution.coefficients[:-1])


def test_with_labels_of_one_class_all_points_have_that_class():
    problem, y_partial = make_problem(), np.where(np.arange(len(X)) == 7, 0, -1)
    solution = problem.solve(labels(y=y_partial))
    np.testing.assert_array_equal(problem.scores(X, solution), -1)
    assert "only one class" in str(solution.verdict.reported(problem.plan.report)["n_passes"])


@pytest.mark.slow
def test_a_class_without_a_label_is_never_predicted_and_does_not_affect_the_others():
    X, _, y_partial = circles()
    problem, three_classes = make_problem(X, y_partial), np.where(y_partial == 1, -1, y_partial)
    estimate = replace(problem.plan.estimate, linear=False)
    proportions = [few_labels.Proportions(np.full(k, 1 / k)) for k in (3, 4)]  # of equal strength
    four = problem.solve(replace(labels(X, three_classes, 4), proportions=proportions[1]), estimate)
    assert set(problem.scores(X, four).argmax(axis=1)) == {0, 2, 3}
    recoded = labels(X, np.where(three_classes > 1, three_classes - 1, three_classes), 3)
    without = problem.solve(replace(recoded, proportions=proportions[0]), estimate)
    expected = np.array([0, 2, 3])[problem.scores(X, without).argmax(axis=1)]
    np.testing.assert_array_equal(problem.scores(X, four).argmax(axis=1), expected)
    assert four.temperature == pytest.approx(without.temperature, rel=0.05)


@pytest.mark.slow
def test_a_class_without_a_label_beside_classes_of_different_sizes():
    """Far from the data their proportions are predicted only if all classes have labels."""
    X = circles()[0]
    y = np.clip(np.rint(np.hypot(*X.T)).astype(int) - 1, 0, 3)
    y_partial = np.full(len(X), -1)
    y_partial[np.flatnonzero(y == 3)[:30]] = 3
    y_partial[np.flatnonzero(y == 0)[:2]] = 0
    y_partial[np.flatnonzero(y == 2)[:2]] = 2
    problem = make_problem(X, y_partial)
    solution = problem.solve(labels(X, y_partial, 4))
    scores = problem.scores(np.array([[99.0, 99.0], X[y == 0][0]]), solution)
    np.testing.assert_allclose(scores[0], np.zeros(4), atol=1e-9)
    assert scores[1].argmax() == 0


def test_a_label_of_two_classes_is_refused():
    problem, one_hot = make_problem(), labels()
    half = fit.Labels(one_hot.X, np.full_like(one_hot.shares, 0.5), one_hot.index)
    with pytest.raises(ValueError, match="one class each"):
        problem.solve(half)


# ---- when the trial space is that of the nodes ----


@pytest.mark.parametrize(
    ("n", "overlap", "reliable"),
    [
        (199, 1.0, False), (200, 0.4, True), (200, 0.39, False), (1000, 0.41, True),
        (1000, 0.39, False), (1500, 0.39, False), (1500, 0.4, True), (4000, 0.2, True),
        (20_000, 0.21, True), (20_000, 0.19, False), (10**7, 0.19, False),
        # halfway between 1500 and 4000 on a logarithmic scale
        (2449, 0.301, True), (2449, 0.299, False),
    ],
)  # fmt: skip
def test_a_graph_is_reliable_from_an_overlap_on(n, overlap, reliable):
    assert few_labels.uses_nodes(n, overlap) == reliable


@pytest.mark.parametrize(
    ("d", "limit"), [(1, 200_000), (300, 200_000), (784, 76_530), (6000, 10_000), (10**6, 10_000)]
)
def test_wide_rows_are_fewer_nodes(d, limit):
    assert few_labels.most_nodes(d) == limit


def test_nodes_of_curves_have_fewer_neighbours():
    cases = (800, 0.47), (300, 0.47), (799, 0.48), (800, 0.48)
    operators = [few_labels.node_operator(n, overlap) for n, overlap in cases]
    assert [operator.n_neighbors for operator in operators] == [10, 10, 6, 8]
    assert {operator.weights for operator in operators} == {"shared"}


AUTOMATIC = [{}, {"lam": 1.0}, {"n_passes": 3}, {"balance": "scale"}, {"random_state": 4}]
WITHOUT_PASSES = [{"filter": "heat"}, {"data_term": "all"}, {"data_term": "poisson"},
                  {"fit_intercept": True}, {"balance": None}]  # fmt: skip
KERNEL_FUNCTIONS = [
    {"n_landmarks": 50}, {"bandwidth": 0.3}, {"mu": 0.1}, {"mu": "floor"},
    {"kernel": "exponential"}, {"kernel_params": {"degree": 2}}, {"landmarks": "uniform"},
    {"landmarks": X[:9]}, {"landmarks": "fourier"}, {"balance": "shift"}, {"n_passes": 0},
    {"operator": "graph"}, *WITHOUT_PASSES, *({"n_passes": 3} | o for o in WITHOUT_PASSES),
]  # fmt: skip


def test_only_parameters_of_kernel_functions_select_them():
    for options in (*AUTOMATIC, *KERNEL_FUNCTIONS):
        model = LaplacianClassifier(**options)
        assert plans.is_fully_automatic(*model._specs()) == (options in AUTOMATIC), options


@pytest.mark.slow
def test_of_too_many_rows_the_labelled_ones_and_a_sample_are_nodes(monkeypatch):
    for name, value in (("MOST_NODES", 220), ("ALL_NODES", 250), ("NODE_NUMBERS", 500)):
        monkeypatch.setattr(few_labels, name, value)
    data = datasets.load("half_moons", n_samples=600, labels_per_class=20, random_state=0)
    X, Y = data.X, data.semi_supervised_target()
    problem = make_problem(X, Y)
    assert isinstance(problem, NodeProblem)
    assert len(problem.rows) == problem.space.n_functions == few_labels.most_nodes(2) == 250
    assert set(np.flatnonzero(Y >= 0)) <= set(problem.plan.rows.tolist())
    np.testing.assert_array_equal(problem.rows, X[problem.plan.rows])
    np.testing.assert_array_equal(
        problem.rows[problem.positions(np.flatnonzero(Y >= 0))], X[Y >= 0]
    )
    model = LaplacianClassifier().fit(X, Y)
    assert "6-NN graph over 250 of 600 points" in str(model.report_)
    assert np.mean(model.predict(X) == data.y) > 0.98


def test_slightly_more_rows_than_a_graph_has_are_all_nodes(monkeypatch):
    monkeypatch.setattr(few_labels, "MOST_NODES", 220)
    problem = make_problem()
    assert len(problem.rows) == len(X)
    assert "all 300 points" in problem.plan.report["operator"].reason


def test_a_component_without_labels_gets_their_weighted_mean_with_a_factor_and_without():
    rng, n = np.random.default_rng(0), 150
    t = (np.arange(n) + rng.uniform(0.0, 0.9, (2, n))) / n
    curves = [np.column_stack([x, 0.1 * np.sin(9 * x)]) for x in t]
    parts = [graphs.knn_weights(X, 4, weights="shared") for X in curves]
    mass = rng.uniform(0.2, 3.0, 2 * n)
    mass[5] = 9.0  # a label's
    W = graphs.with_mass(sp.csr_matrix(sp.block_diag(parts)), mass)
    labelled = np.isin(np.arange(2 * n), [5, 20, 100, 140])  # all on the first curve
    estimate = fit.EstimateSpec(lam=5.0, balance="scale", n_passes=1)
    grounded = graphs.GroundedLaplacian.of(W)
    assert grounded is not None
    iterative, direct = (
        fit.graph.classify(
            W, labelled, np.array([0, 0, 1, 1]), fit.GraphSpec(), estimate, mass=mass, grounded=g
        ).coefficients
        for g in (None, grounded)
    )
    np.testing.assert_allclose(direct, iterative, atol=1e-6)
