"""Dask collections give NumPy's fits, whatever the chunks and the scheduler."""

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, LaplacianClassifier, LaplacianRegressor, datasets, fit
from lapviz.operators import GivenDirections, UniformDirections

dask = pytest.importorskip("dask", reason='install the extra: pip install -e ".[dask]"')
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
cloudpickle = pytest.importorskip("cloudpickle")
pd = pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
MOONS = datasets.load("half_moons", n_samples=600, labels_per_class=5, random_state=0)
EVEN, UNEVEN, ONE = 100, (1, 299, 0, 300), 600
Y = MOONS.semi_supervised_target()
VALUES = np.where(MOONS.labelled, np.sin(MOONS.X[:, 0]), np.nan)
WEIGHTS = RNG.integers(0, 4, 600).astype(float)
WEIGHTS[MOONS.labelled] = 1.0


def lazy(*arrays, chunks):
    return tuple(
        da.from_array(a, chunks=(chunks, *a.shape[1:])) if a is not None else None for a in arrays
    )


def same(found, expected):
    scale = np.abs(expected).max()
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10 * scale)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "weights", "chunks"),
    [
        ({}, None, EVEN),
        ({}, WEIGHTS, UNEVEN),
        ({"operator": "tangent", "kernel": "exponential"}, WEIGHTS, EVEN),
        ({"operator": "tangent", "kernel": "exponential"}, None, ONE),
        ({"landmarks": "fourier", "n_landmarks": 20}, WEIGHTS, UNEVEN),
        ({"landmarks": "leverage", "kernel": "matern52"}, None, UNEVEN),
        ({"landmarks": MOONS.X[:30], "bandwidth": 0.5, "mu": 1e-3, "operator": "sphere"}, WEIGHTS,
         ONE),
    ],
    ids=lambda v: str(v)[:30],
)  # fmt: skip
@pytest.mark.usefixtures("few_rows_in_memory")
def test_eigenfunctions_are_those_of_numpy(options, weights, chunks):
    model = GalerkinEmbedding(n_components=6, random_state=0, **options)
    expected = model.fit(MOONS.X, sample_weight=weights)
    gamma, modes = expected.eigenvalues_, expected.transform(MOONS.X)
    X, w = lazy(MOONS.X, weights, chunks=chunks)
    found = model.fit(X, sample_weight=w)
    assert all(
        isinstance(value, np.ndarray)
        for value in (found.eigenvalues_, found.coefficients_, found.space_.gram)
    )
    same(found.eigenvalues_, gamma)
    lazily = found.transform(X)
    assert isinstance(lazily, da.Array)
    assert lazily.chunks[0] == X.chunks[0]
    np.testing.assert_allclose(lazily.compute(), modes, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "weights", "chunks"),
    [("numpy", WEIGHTS, UNEVEN), ("dask", None, EVEN), ("dask", WEIGHTS, ONE)],
    ids=["numpy", "dask", "weights"],
)
@pytest.mark.parametrize("operator", ["auto", "laplacian"])
@pytest.mark.usefixtures("few_rows_in_memory")
def test_classes_are_those_of_numpy(operator, weights, kind, chunks):
    names = np.array(["one", "two"], dtype=object)
    y = np.where(Y < 0, -1, names[np.maximum(Y, 0)]) if kind == "numpy" else Y
    # a Gaussian's functions are nearly dependent here, and rounding would show
    named = {"balance": "scale", "n_passes": 2, "kernel": "exponential"}
    balance = {} if operator == "auto" else named
    model = LaplacianClassifier(operator=operator, random_state=0, **balance)
    model.fit(MOONS.X, y, sample_weight=weights)
    chances, classes = model.predict_proba(MOONS.X), model.predict(MOONS.X)
    scores = model.decision_function(MOONS.X)
    X, w, lazy_y = lazy(MOONS.X, weights, Y, chunks=chunks)
    found = model.fit(X, y if kind == "numpy" else lazy_y, sample_weight=w)
    np.testing.assert_allclose(found.predict_proba(X).compute(), chances, atol=1e-7)
    np.testing.assert_allclose(found.decision_function(X).compute(), scores, atol=1e-7)
    predicted = found.predict(X)
    assert isinstance(predicted, da.Array)
    np.testing.assert_array_equal(predicted.compute(), classes)
    assert (MOONS.y == (classes == found.classes_[1])).mean() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("chunks", [UNEVEN, ONE], ids=["uneven", "one"])
@pytest.mark.usefixtures("few_rows_in_memory")
def test_values_are_those_of_numpy(chunks):
    model = LaplacianRegressor(random_state=0, lam=1e-2, kernel="exponential")
    for y in (VALUES, np.column_stack([VALUES, -VALUES])):
        expected = model.fit(MOONS.X, y).predict(MOONS.X)
        X, lazy_y = lazy(MOONS.X, y, chunks=chunks)
        found = model.fit(X, lazy_y).predict(X)
        assert found.shape == expected.shape
        same(found.compute(), expected)


@pytest.mark.slow
def test_tables_of_unknown_lengths_keep_their_names():
    frame = pd.DataFrame(MOONS.X, columns=["width", "height"]).assign(label=Y)
    table = dd.from_pandas(frame, npartitions=5)
    table = table[table.width > -5]  # lengths are no longer known
    model = LaplacianClassifier(random_state=0)
    expected = model.fit(frame[["width", "height"]], frame.label).predict_proba(
        frame[["width", "height"]]
    )
    found = model.fit(table[["width", "height"]], table.label)
    assert list(found.feature_names_in_) == ["width", "height"]
    np.testing.assert_allclose(
        found.predict_proba(table[["width", "height"]]).compute(), expected, atol=1e-9
    )
    with pytest.raises(ValueError, match="feature names"):
        found.predict(table[["height", "width"]])


def test_what_chunks_share_is_computed_once_in_the_graph():
    """Rows minus their mean, split again: neither the mean nor a chunk is loaded over and over."""
    loads = []

    def load(block):
        loads.append(len(block))
        return block

    X = da.from_array(MOONS.X, chunks=(200, 2)).map_blocks(load, dtype=float, meta=np.empty((0, 2)))
    centred = (X - X.mean(axis=0)).rechunk({0: 50})
    total = fit.dask_reduce.total([centred], Sum)
    assert total.n == 600
    np.testing.assert_allclose(total.values, 0, atol=1e-9)
    assert sum(loads) <= 2 * 600


class Sum:
    """A sum of rows that counts its updates."""

    def __init__(self):
        self.values, self.n = np.zeros(2), 0

    def update(self, X):
        self.values, self.n = self.values + X.sum(axis=0), self.n + len(X)

    def merge(self, other):
        self.values, self.n = self.values + other.values, self.n + other.n


def test_there_are_few_tasks_that_merge_in_pairs_and_can_be_sent_to_processes():
    X = da.from_array(MOONS.X, chunks=(10, 2))
    graph, key = fit.dask_reduce._graph([X + 1], Sum, 4)
    sent = cloudpickle.loads(cloudpickle.dumps(graph))
    np.testing.assert_allclose(dask.get(sent, key).values, (MOONS.X + 1).sum(axis=0))
    ours = [key for key in graph if str(key).startswith("lapviz-rows")]
    assert len(ours) == 4 + 3


@pytest.mark.parametrize(
    "scheduler",
    ["synchronous", "threads", pytest.param("processes", marks=pytest.mark.long)],
)
def test_any_scheduler(scheduler):
    model = GalerkinEmbedding(n_components=4, random_state=0)
    expected = model.fit(MOONS.X).eigenvalues_
    with dask.config.set(scheduler=scheduler, num_workers=2):
        same(model.fit(da.from_array(MOONS.X, chunks=(300, 2))).eigenvalues_, expected)


@pytest.mark.slow
def test_single_precision_stays_so_in_the_chunks():
    X = RNG.normal(size=(600, 5)).astype(np.float32)
    model = GalerkinEmbedding(kernel="exponential", n_components=4, random_state=0)
    expected = model.fit(X).eigenvalues_
    found = model.fit(da.from_array(X, chunks=(150, 5))).eigenvalues_
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-8)


@pytest.mark.parametrize(
    ("X", "y", "options", "words"),
    [
        (da.zeros(5), None, {}, r"shape \(n, d\)"),
        (da.zeros((5, 2), dtype=object, chunks=5), None, {}, "must hold numbers"),
        (da.zeros((0, 2)), None, {}, "no rows"),
        (da.full((50, 2), np.nan), None, {}, "NaN"),
        (da.ones((50, 2)), None, {"operator": "graph"}, "needs all rows at once"),
        (da.ones((50, 2)), None, {"operator": UniformDirections()}, "needs all rows at once"),
        (da.ones((5, 2)), None, {"operator": GivenDirections(np.ones((5, 1, 2)))}, "all rows"),
    ],
)  # fmt: skip
def test_what_cannot_work_gets_a_sentence(X, y, options, words):
    with pytest.raises(ValueError, match=words):
        GalerkinEmbedding(**options).fit(X, y)


def test_labels_that_do_not_fit_get_a_sentence():
    X = da.from_array(MOONS.X, chunks=(250, 2))
    for y, words in (
        (Y[:7], "7 entries and X has 600 rows"),
        (np.full(600, -1), "no class"),
        (np.full(600, np.nan), "NaN"),
        (None, "requires y"),
    ):
        with pytest.raises(ValueError, match=words):
            LaplacianClassifier().fit(X, y)
    with pytest.raises(ValueError, match="negative"):
        GalerkinEmbedding().fit(X, sample_weight=-da.ones(600))
    model = GalerkinEmbedding(n_components=2).fit(X)
    with pytest.raises(ValueError, match="3 features"):
        model.transform(da.ones((5, 3)))
