"""``sample_weight`` in every estimator: weights count like repeated rows."""

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from lapviz import (
    ExactLaplacianClassifier,
    ExactLaplacianRegressor,
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    HermiteRegressor,
    KernelCGRegressor,
    LabelledKFold,
    LaplacianClassifier,
    LaplacianRegressor,
    PartialLabelClassifier,
    fit,
    graphs,
    operators,
    select_parameters,
)
from lapviz.figures.live_scenes import live_scene

RNG = np.random.default_rng(3)
N = 60
ANGLES = RNG.uniform(0, 2 * np.pi, N)
X = np.c_[np.cos(ANGLES), np.sin(ANGLES)] + 0.1 * RNG.normal(size=(N, 2))
NEW = 0.7 * RNG.normal(size=(25, 2))
CLASSES = np.where(np.arange(N) < 24, np.arange(N) % 3, -1)
VALUES = np.where(CLASSES < 0, np.nan, np.sin(2 * ANGLES) + 0.1 * RNG.normal(size=N))
COUNTS = RNG.integers(0, 4, N)
COUNTS[:6] = (1, 2, 3, 1, 2, 0)
REPEATED = np.repeat(np.arange(N), COUNTS)
KEPT = np.flatnonzero(COUNTS)
# Well conditioned: a permutation of the rows changes results by rounding only.
SPACE = {"landmarks": X[24:36], "bandwidth": 0.35}
DENSE = operators.Graph(graph="dense", bandwidth=0.4)
SETS = np.eye(3, dtype=bool)[np.maximum(CLASSES, 0)] | (RNG.random((N, 3)) < 0.3)
SETS[CLASSES < 0] = True
SLOPES = np.where(np.arange(N)[:, None] < 40, RNG.normal(size=(N, 2)), np.nan)

EXACT = {
    "embedding": GalerkinEmbedding(**SPACE, mu=0.1, n_components=6),
    "embedding, tangents": GalerkinEmbedding(**SPACE, mu=0.1, operator="tangent"),
    "embedding, graph": GalerkinEmbedding(**SPACE, mu=0.1, operator=DENSE),
    "embedding, waves": GalerkinEmbedding(
        landmarks="fourier", n_landmarks=30, bandwidth=0.7, mu=1e-3, random_state=0
    ),
    "cg": KernelCGRegressor(bandwidth=0.7, stopping="fixed", n_iterations=6),
    "cg, unlabelled": KernelCGRegressor(
        bandwidth=0.7, stopping="fixed", n_iterations=4, unlabelled="response", norm="plain"
    ),
    "exact regression": ExactLaplacianRegressor(bandwidth=0.7, mu=1e-2),
    "exact by blocks": ExactLaplacianRegressor(
        bandwidth=0.7, mu=1e-2, solver="block", fit_intercept=True, lam=0.1
    ),
    "exact classes": ExactLaplacianClassifier(bandwidth=0.7, mu=1e-2, lam=0.1),
    "hermite": HermiteRegressor(**SPACE, trial_space="landmarks", ridge=1e-6),
    "partial": PartialLabelClassifier(**SPACE, mu=0.1, lam=0.1),
    "partial, constant": PartialLabelClassifier(**SPACE, mu=0.1, fit_intercept=True, lam=0.1),
    "harmonic": GraphLaplacianClassifier(graph="dense", bandwidth=0.4),
}
for term, operator in (
    ("labelled", "laplacian"), ("labelled", "tangent"), ("labelled", DENSE), ("all", "laplacian"),
    ("all", DENSE), ("poisson", "laplacian"),
):  # fmt: skip
    name = f"{term}, {getattr(operator, 'name', operator)}"
    settings = {**SPACE, "data_term": term, "operator": operator, "mu": 0.1, "lam": 0.1}
    EXACT[f"classes, {name}"] = LaplacianClassifier(**settings, balance="scale")
    EXACT[f"regression, {name}"] = LaplacianRegressor(**settings)
    EXACT[f"with a constant, {name}"] = LaplacianRegressor(**settings, fit_intercept=True)
for operator in (
    "sphere",
    operators.Tangent(12, 1),
    operators.Sum(("tangent", operators.Laplacian()), (1.0, 0.5)),
    operators.Sum(("laplacian", DENSE), (1.0, 0.5), match=True),
):
    EXACT[f"embedding, {operator}"] = GalerkinEmbedding(**SPACE, mu=0.1, operator=operator)
EXACT["shifted"] = LaplacianClassifier(
    **SPACE, operator="laplacian", balance="shift", filter="heat", lam=0.1
)
# These depend on numbers of rows, or draw rows: weights do not count like repeated rows.
AUTOMATIC = {
    "classes, automatic": LaplacianClassifier(random_state=0),
    "classes, passes": LaplacianClassifier(
        **SPACE, operator="laplacian", balance="scale", n_passes=5, lam=0.1
    ),
    "embedding, automatic": GalerkinEmbedding(random_state=0),
    "embedding, k-NN": GalerkinEmbedding(operator="graph", random_state=0),
    "regression, automatic": LaplacianRegressor(random_state=0),
    "spreading": GraphLaplacianClassifier(method="spreading"),
    "spreading, dense": GraphLaplacianClassifier(method="spreading", graph="dense"),
    "harmonic, k-NN": GraphLaplacianClassifier(),
    "hermite, exact": HermiteRegressor(bandwidth=0.3, ridge=1e-2),
    "cg, hold-out": KernelCGRegressor(random_state=0),
    "cg, discrepancy": KernelCGRegressor(stopping="discrepancy", tau=0.05),
    "cg, threshold": KernelCGRegressor(stopping="threshold", dimension="auto", tau=0.05),
}
for operator in (
    operators.Graph(weights="binary"),
    operators.Graph(kind="normalised"),
    operators.Graph(graph="dense"),
):
    AUTOMATIC[f"embedding, {operator}"] = GalerkinEmbedding(**SPACE, mu=0.1, operator=operator)

pytestmark = pytest.mark.filterwarnings("ignore")


def fitted(model, rows=slice(None), weights=None):
    options = {} if weights is None else {"sample_weight": weights}
    if isinstance(model, PartialLabelClassifier):
        return clone(model).fit(X[rows], SETS[rows], **options)
    if isinstance(model, HermiteRegressor):
        return clone(model).fit(X[rows], VALUES[rows], gradients=SLOPES[rows], **options)
    if is_classifier(model):
        return clone(model).fit(X[rows], CLASSES[rows], **options)
    return clone(model).fit(X[rows], VALUES[rows], **options)


def outputs(model):
    if isinstance(model, GalerkinEmbedding):
        # up to the signs of eigenfunctions
        return np.vstack([model.eigenvalues_, np.abs(model.transform(NEW))])
    if hasattr(model, "decision_function"):
        columns = [model.predict_proba(NEW)] if hasattr(model, "predict_proba") else []
        return np.column_stack([model.decision_function(NEW), *columns])
    return model._scores(NEW) if hasattr(model, "_scores") else model.predict(NEW)


def assert_close(a, b, tolerance=1e-10):
    a, b = outputs(a), outputs(b)
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize("model", EXACT.values(), ids=EXACT)
def test_weights_count_like_repeated_rows(model):
    weighted = fitted(model, weights=COUNTS)
    assert_close(weighted, fitted(model, REPEATED))
    assert not np.allclose(outputs(weighted), outputs(fitted(model)), atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("model", [*EXACT.values(), *AUTOMATIC.values()], ids=[*EXACT, *AUTOMATIC])
def test_rows_of_weight_0_and_the_scale_of_weights_do_not_matter(model):
    weights = RNG.uniform(0.5, 3.0, N) * (COUNTS > 0)
    reference = fitted(model, KEPT, weights[KEPT])
    assert_close(fitted(model, weights=weights), reference)
    assert_close(fitted(model, weights=2.0**40 * weights), reference)
    assert_close(fitted(model, KEPT, np.full(len(KEPT), 0.37)), fitted(model, KEPT))


def test_directions_of_left_out_rows_are_left_out():
    frames = RNG.normal(size=(N, 1, 2))
    weighted = GalerkinEmbedding(**SPACE, mu=0.1, operator=operators.GivenDirections(frames))
    repeated = clone(weighted).set_params(operator=operators.GivenDirections(frames[REPEATED]))
    assert_close(weighted.fit(X, sample_weight=COUNTS), repeated.fit(X[REPEATED]))


def test_every_row_keeps_its_transduction():
    for name in ("harmonic", "partial"):
        model = fitted(EXACT[name], weights=COUNTS)
        assert len(model.transduction_) == N
        left_out = np.flatnonzero(COUNTS == 0)
        np.testing.assert_array_equal(model.transduction_[left_out], model.predict(X[left_out]))


def test_spreading_from_nodes_of_mass_is_spreading_among_unjoined_copies():
    """Brute force: repeat the nodes, without edges between copies of the same node."""
    spec = fit.GraphSpec(method="spreading", graph="dense", bandwidth=0.4)
    W, mass = graphs.dense_weights(X, 0.4), COUNTS[KEPT].astype(float)
    labelled = CLASSES >= 0
    one_hot = np.eye(3)[CLASSES[labelled & (COUNTS > 0)]]
    small = W[np.ix_(KEPT, KEPT)]
    actual = fit.graph.shares(graphs.with_mass(small, mass), labelled[KEPT], one_hot, spec, mass)
    large = W[np.ix_(REPEATED, REPEATED)]  # 0 among the copies of one node
    codes = CLASSES[REPEATED]
    expected = fit.graph.shares(large, codes >= 0, np.eye(3)[codes[codes >= 0]], spec)
    np.testing.assert_allclose(np.repeat(actual, COUNTS[KEPT], axis=0), expected, atol=1e-10)


@pytest.mark.parametrize("data_term", ["labelled", "all"])
def test_selection_hides_labels_of_a_weighted_fit(data_term):
    model = LaplacianRegressor(**SPACE, data_term=data_term, random_state=0)
    weights = np.where(COUNTS > 0, COUNTS, 0.5)
    selection = select_parameters(
        model, X, VALUES, mu=[1e-3], lam=[1e-2, 1.0], n_splits=4, sample_weight=weights
    )
    assert selection.method == "k-fold"
    for row in selection.rows:
        total = 0.0
        for _, test in LabelledKFold(4, mark="nan").split(X, VALUES):
            hidden = VALUES.copy()
            hidden[test] = np.nan
            trial = clone(model).set_params(mu=1e-3, lam=row.lam)
            trial.fit(X, hidden, sample_weight=weights)
            total += weights[test] @ (trial.predict(X[test]) - VALUES[test]) ** 2
        labelled = ~np.isnan(VALUES)
        assert row.squared_error == pytest.approx(total / weights[labelled].sum(), rel=1e-8)


def test_selection_never_sees_masked_values():
    """Also where a row of weight 0 is left out."""
    model = LaplacianRegressor(**SPACE, random_state=0)
    masked = np.ma.masked_array(np.where(np.isnan(VALUES), 1e3, VALUES), np.isnan(VALUES))
    chosen = [select_parameters(model, X, y, sample_weight=COUNTS) for y in (VALUES, masked)]
    assert chosen[0].best == chosen[1].best


@pytest.mark.parametrize("model", [LaplacianClassifier, LaplacianRegressor])
def test_the_live_picture_of_a_weighted_fit_is_static(model):
    """The browser would apply λ and labels without the weights."""
    y = CLASSES if model is LaplacianClassifier else VALUES
    estimator = model(operator="laplacian", random_state=0)
    weighted = live_scene(clone(estimator).fit(X, y, sample_weight=COUNTS), X, y)
    plain = live_scene(clone(estimator).fit(X, y), X, y)
    assert any(panel.model is not None for panel in plain.panels)
    assert all(panel.model is None for panel in weighted.panels)
