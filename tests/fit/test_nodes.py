"""Classes on the nodes of a graph: against brute force, the graph baseline, and units."""

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


def problem(X=X, y=Y, weights=None, space=None, energy=None, **estimate):
    specs = (
        space or fit.SpaceSpec(),
        energy or fit.EnergySpec("auto", "auto"),
        fit.EstimateSpec(**{"lam": "auto", "balance": "auto", "n_passes": "auto"} | estimate),
    )
    return fit.problem(fit.Sample.of(X, weights), np.flatnonzero(y >= 0), *specs)


def labels(X=X, y=Y, n_classes=2):
    return fit.Labels.of_codes(X, y, n_classes)


# ---- the energy ----


def edge_sum(at, g, mass=None):
    """½ Σ_ij s_i s_j w_ij (g_i − g_j)², over all pairs."""
    mass = np.ones(len(g)) if mass is None else mass
    W = at.weights.toarray() * np.outer(mass, mass)
    return 0.5 * np.sum(W[:, :, None] * (g[:, None] - g[None]) ** 2)


@pytest.mark.parametrize("mass", [None, WEIGHTS, 3 * WEIGHTS], ids=["equal", "masses", "scaled"])
def test_the_energy_is_the_sum_over_the_edges_in_units_of_the_coordinates(mass):
    at = problem(weights=mass)
    assert isinstance(at, NodeProblem)
    g = np.random.default_rng(1).normal(size=(len(X), 2))
    assert at.energy(g) == pytest.approx(edge_sum(at, g, mass) / edge_sum(at, X, mass), rel=1e-9)
    assert at.energy(np.ones_like(g)) < 1e-12


@pytest.mark.slow
def test_the_scale_of_the_masses_does_not_matter():
    """Also of a given λ; 3 is no power of two, which the estimators take out."""
    for lam in (1e-3, "auto"):
        one, other = (LaplacianClassifier(lam=lam).fit(X, Y, f * WEIGHTS) for f in (1, 3))
        np.testing.assert_allclose(other.coefficients_, one.coefficients_, rtol=1e-9)
        assert other.dirichlet_energy_ == pytest.approx(one.dirichlet_energy_, rel=1e-9)
        assert other.lam_ == pytest.approx(one.lam_, rel=1e-9)


# ---- the estimate ----


def circles(seed=0, n=400, per_class=2):
    """Four classes, a circle each, in pieces that all have labels."""
    X = datasets.load("four_circles", n_samples=n, noise=0.05, random_state=seed).X
    y = np.clip(np.rint(np.hypot(*X.T)).astype(int) - 1, 0, 3)
    given = np.where(datasets.draw_labels(y, per_class, seed), y, -1)
    W = graphs.knn_weights(X, 10, weights="shared")
    assert graphs.bridged(W, X, given >= 0) is W
    return X, y, given


@pytest.fixture(scope="module")
def usual():
    """Circles and labels, and the classifier as it comes on them."""
    X, _, given = circles()
    return X, given, LaplacianClassifier().fit(X, given)


def baseline():
    return GraphLaplacianClassifier(n_neighbors=6, weights="shared", balance="scale", n_passes=10)


@pytest.mark.slow
@pytest.mark.parametrize("masses", [False, True])
def test_with_labels_in_every_piece_it_is_the_graph_baseline(masses):
    X, _, given = circles(1)
    mass = np.random.default_rng(0).uniform(0.5, 2.0, len(X)) if masses else None
    ours, peer = (
        LaplacianClassifier(linear=False).fit(X, given, mass),
        baseline().fit(X, given, mass),
    )
    assert ours.operator_.n_neighbors == 6
    np.testing.assert_array_equal(ours.predict(X), peer.transduction_)
    np.testing.assert_allclose(ours.predict_proba(X), peer.label_distributions_, atol=1e-9)
    new = 1.1 * X[::7] + 0.02
    near = ours._reach.share(new) == 1
    assert near.sum() > 20
    np.testing.assert_array_equal(ours.predict(new[near]), peer.predict(new[near]))


@pytest.mark.slow
def test_a_given_lambda_is_in_units_of_the_energy(usual):
    """5 over the unit is that of the baseline; a given number is taken as it is."""
    X, given, auto = usual
    same = LaplacianClassifier(lam=auto.lam_).fit(X, given)
    np.testing.assert_array_equal(same.coefficients_, auto.coefficients_)
    other = LaplacianClassifier(lam=10 * auto.lam_).fit(X, given)
    assert other.dirichlet_energy_ < 0.9 * auto.dirichlet_energy_


@pytest.mark.slow
def test_a_free_label_is_one_more_node():
    X, _, given = circles()
    at, far = problem(X, given), np.array([[9.0, -8.0]])
    known = np.flatnonzero(given >= 0)
    free = fit.Labels(
        np.vstack([far, X[known]]), np.eye(4)[np.r_[2, given[known]]], np.r_[-1, known]
    )
    solved = at.solve(free, replace(at.plan.estimate, linear=False))
    assert solved.coefficients.shape == (len(X) + 1, 4)
    peer = baseline().fit(np.vstack([X, far]), np.r_[given, 2])
    classes = np.argmax(solved.balance(solved.coefficients), axis=1)
    np.testing.assert_array_equal(classes, peer.transduction_)
    np.testing.assert_allclose(solved.temperature, peer.temperature_, rtol=1e-9)
    assert at.scores(far, solved).argmax() == 2, "its own class at its own place"
    np.testing.assert_allclose(at.scores(X, solved), solved.balance(solved.coefficients)[:-1])
    assert at.energy(solved.coefficients) == at.energy(solved.coefficients[:-1])


def test_labels_of_one_class_make_all_points_of_it():
    at, given = problem(), np.where(np.arange(len(X)) == 7, 0, -1)
    solved = at.solve(labels(y=given))
    np.testing.assert_array_equal(at.scores(X, solved), -1)
    assert "only one class" in str(solved.verdict.reported(at.plan.report)["n_passes"])


@pytest.mark.slow
def test_a_class_without_a_label_is_nowhere_and_the_others_are_as_without_it():
    X, _, given = circles()
    at, known = problem(X, given), np.where(given == 1, -1, given)
    alone = replace(at.plan.estimate, linear=False)
    even = [few_labels.Proportions(np.full(k, 1 / k)) for k in (3, 4)]  # of one strength
    some = at.solve(replace(labels(X, known, 4), proportions=even[1]), alone)
    assert set(at.scores(X, some).argmax(axis=1)) == {0, 2, 3}
    fewer = labels(X, np.where(known > 1, known - 1, known), 3)
    three = at.solve(replace(fewer, proportions=even[0]), alone)
    wanted = np.array([0, 2, 3])[at.scores(X, three).argmax(axis=1)]
    np.testing.assert_array_equal(at.scores(X, some).argmax(axis=1), wanted)
    assert some.temperature == pytest.approx(three.temperature, rel=0.05)


@pytest.mark.slow
def test_a_class_without_a_label_beside_classes_of_unlike_sizes():
    """Whose proportions are told far from the data where all classes have labels."""
    X = circles()[0]
    y = np.clip(np.rint(np.hypot(*X.T)).astype(int) - 1, 0, 3)
    known = np.full(len(X), -1)
    known[np.flatnonzero(y == 3)[:30]] = 3
    known[np.flatnonzero(y == 0)[:2]] = 0
    known[np.flatnonzero(y == 2)[:2]] = 2
    at = problem(X, known)
    solved = at.solve(labels(X, known, 4))
    scores = at.scores(np.array([[99.0, 99.0], X[y == 0][0]]), solved)
    np.testing.assert_allclose(scores[0], np.zeros(4), atol=1e-9)
    assert scores[1].argmax() == 0


def test_a_label_of_two_classes_gets_a_sentence():
    at, known = problem(), labels()
    half = fit.Labels(known.X, np.full_like(known.shares, 0.5), known.index)
    with pytest.raises(ValueError, match="one class each"):
        at.solve(half)


# ---- when nodes are the functions ----


@pytest.mark.parametrize(
    ("n", "overlap", "trusted"),
    [
        (199, 1.0, False), (200, 0.4, True), (200, 0.39, False), (1000, 0.41, True),
        (1000, 0.39, False), (2000, 0.39, False), (2000, 0.4, True), (10_000, 0.2, True),
        (20_000, 0.21, True), (20_000, 0.19, False), (10**7, 0.19, False),
        # halfway between 2000 and 10 000 as numbers are multiplied
        (4472, 0.301, True), (4472, 0.299, False),
    ],
)  # fmt: skip
def test_a_graph_is_trusted_from_an_overlap_on(n, overlap, trusted):
    assert few_labels.uses_nodes(n, overlap) == trusted


@pytest.mark.parametrize(
    ("d", "most"), [(1, 200_000), (300, 200_000), (784, 76_530), (6000, 10_000), (10**6, 10_000)]
)
def test_wide_rows_are_fewer_nodes(d, most):
    assert few_labels.most_nodes(d) == most


def test_curves_of_many_points_have_more_neighbours():
    found = [few_labels.node_operator(*its) for its in ((800, 0.39), (799, 0.4), (800, 0.4))]
    assert [energy.n_neighbors for energy in found] == [few_labels.NEIGHBORS] * 2 + [8]
    assert {energy.weights for energy in found} == {"shared"}


OPEN = [{}, {"lam": 1.0}, {"n_passes": 3}, {"balance": "scale"}, {"random_state": 4}]
OF_PASSES = [{"filter": "heat"}, {"data_term": "all"}, {"data_term": "poisson"},
             {"fit_intercept": True}, {"balance": None}]  # fmt: skip
OF_KERNELS = [
    {"n_landmarks": 50}, {"bandwidth": 0.3}, {"mu": 0.1}, {"mu": "floor"},
    {"kernel": "exponential"}, {"kernel_params": {"degree": 2}}, {"landmarks": "uniform"},
    {"landmarks": X[:9]}, {"landmarks": "fourier"}, {"balance": "shift"}, {"n_passes": 0},
    {"operator": "graph"}, *OF_PASSES, *({"n_passes": 3} | asked for asked in OF_PASSES),
]  # fmt: skip


def test_what_only_kernel_functions_have_asks_for_them_else_the_graph_decides():
    for asked in (*OPEN, *OF_KERNELS):
        made = LaplacianClassifier(**asked)
        assert plans.is_fully_automatic(*made._specs()) == (asked in OPEN), asked


@pytest.mark.slow
def test_of_too_many_rows_a_sample_with_every_label_is_nodes(monkeypatch):
    for name, value in (("MOST_NODES", 220), ("ALL_NODES", 250), ("NODE_NUMBERS", 500)):
        monkeypatch.setattr(few_labels, name, value)
    data = datasets.load("half_moons", n_samples=600, labels_per_class=20, random_state=0)
    X, Y = data.X, data.semi_supervised_target()
    at = problem(X, Y)
    assert isinstance(at, NodeProblem)
    assert len(at.rows) == at.space.n_functions == few_labels.most_nodes(2) == 250
    assert set(np.flatnonzero(Y >= 0)) <= set(at.plan.rows.tolist())
    np.testing.assert_array_equal(at.rows, X[at.plan.rows])
    np.testing.assert_array_equal(at.rows[at.positions(np.flatnonzero(Y >= 0))], X[Y >= 0])
    model = LaplacianClassifier().fit(X, Y)
    assert "6-NN graph over 250 of 600 points" in str(model.report_)
    assert np.mean(model.predict(X) == data.y) > 0.98


def test_a_few_rows_beyond_what_a_graph_sees_are_all_nodes(monkeypatch):
    monkeypatch.setattr(few_labels, "MOST_NODES", 220)
    at = problem()
    assert len(at.rows) == len(X)
    assert "all 300 points" in at.plan.report["operator"].reason


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
    plain, by_factor = (
        fit.graph.classify(
            W, labelled, np.array([0, 0, 1, 1]), fit.GraphSpec(), estimate, mass=mass, grounded=g
        ).coefficients
        for g in (None, grounded)
    )
    np.testing.assert_allclose(by_factor, plain, atol=1e-6)
