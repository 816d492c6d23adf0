"""Rows in Dask chunks or in batches give the fits of NumPy's rows, whatever the cuts."""

import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone, is_classifier

from lapviz import (
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    LaplacianClassifier,
    LaplacianRegressor,
    datasets,
    fit,
)
from lapviz.operators import GivenDirections, UniformDirections
from lapviz.spaces import sampling

dask = pytest.importorskip("dask", reason='install the extra: pip install -e ".[dask]"')
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
cloudpickle = pytest.importorskip("cloudpickle")
pd = pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
MOONS = datasets.load("half_moons", n_samples=600, labels_per_class=5, random_state=0)
X, Y = MOONS.X, MOONS.semi_supervised_target()
NAMES = np.where(Y < 0, -1, np.array(["one", "two"], dtype=object)[np.maximum(Y, 0)])
VALUES = np.where(MOONS.labelled, np.sin(X[:, 0]), np.nan)
WEIGHTS = RNG.integers(0, 4, 600) + 1.0 * MOONS.labelled  # of labels they differ, too
EVEN, UNEVEN, ONE = 100, (1, 299, 0, 300), 600


def lazy(*arrays, chunks):
    return tuple(
        da.from_array(a, chunks=(chunks, *a.shape[1:])) if a is not None else None for a in arrays
    )


def cut(*columns, step):
    """A function that gives batches of ``step`` rows."""

    def batches():
        for start in range(0, len(columns[0]), step):
            part = tuple(c[start : start + step] if c is not None else None for c in columns)
            yield part if len(part) > 1 else part[0]

    return batches


def embedding(**more):
    return GalerkinEmbedding(n_components=6, random_state=0, **more)


def classifier(**more):
    return LaplacianClassifier(random_state=0, **more)


# A Gaussian's functions are nearly dependent here, and rounding would show.
SAFE = {"kernel": "exponential"}
NAMED = SAFE | {"operator": "laplacian", "balance": "scale", "n_passes": 2}
VALUED = LaplacianRegressor(random_state=0, lam=1e-2, **SAFE)
CHUNKS = [  # estimator, targets (those that are no numbers as they are), weights, chunks
    (embedding(), None, None, EVEN),
    (embedding(), None, WEIGHTS, UNEVEN),
    (embedding(operator="tangent", **SAFE), None, WEIGHTS, EVEN),
    (embedding(operator="tangent", **SAFE), None, None, ONE),
    (embedding(landmarks="fourier", n_landmarks=20), None, WEIGHTS, UNEVEN),
    (embedding(landmarks="leverage", kernel="matern52"), None, None, UNEVEN),
    (embedding(landmarks=X[:30], bandwidth=0.5, mu=1e-3, operator="sphere"), None, WEIGHTS, ONE),
    *((model, *how) for model in (classifier(), classifier(**NAMED))
      for how in ((NAMES, WEIGHTS, UNEVEN), (Y, None, EVEN), (Y, WEIGHTS, ONE))),
    (VALUED, VALUES, None, UNEVEN),
    (VALUED, np.column_stack([VALUES, -VALUES]), None, ONE),
]  # fmt: skip
BATCHES = [  # estimator, targets, weights, rows of a batch
    (embedding(operator="laplacian", **SAFE), None, None, 17),
    (embedding(operator="tangent", **SAFE), None, None, 450),
    (classifier(**SAFE), Y, None, 70),
    (classifier(operator="laplacian", **SAFE), Y, None, 70),
    (classifier(operator="laplacian", **SAFE), Y, WEIGHTS, 70),
    (VALUED, VALUES, None, 100),
]


def answers(model, X):
    if isinstance(model, GalerkinEmbedding):
        return [model.transform(X)]
    if is_classifier(model):
        return [model.predict_proba(X), model.decision_function(X)]
    return [model.predict(X)]


def same(found, expected):
    scale = np.abs(expected).max()
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10 * scale)


def compare(found, expected, points):
    """A fit to rows elsewhere, asked at points, with NumPy's."""
    if hasattr(found, "eigenvalues_"):
        same(found.eigenvalues_, expected.eigenvalues_)
        assert isinstance(found.coefficients_, np.ndarray)
    exact = 1e-10 if isinstance(found, LaplacianRegressor) else 1e-7
    for one, other in zip(answers(found, points), answers(expected, X), strict=True):
        if isinstance(points, da.Array):
            assert isinstance(one, da.Array)
            assert one.chunks[0] == points.chunks[0]
            one = one.compute()
        np.testing.assert_allclose(one, other, atol=exact)
    if is_classifier(found):
        np.testing.assert_array_equal(np.asarray(found.predict(points)), expected.predict(X))
        assert (MOONS.y == (expected.predict(X) == expected.classes_[1])).mean() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("model", "y", "weights", "chunks"), CHUNKS, ids=lambda v: str(v)[:30])
@pytest.mark.usefixtures("few_rows_in_memory")
def test_chunks_give_the_fit_of_numpy(model, y, weights, chunks):
    expected = clone(model).fit(X, y, sample_weight=weights)
    points, w, lazy_y = lazy(X, weights, None if y is NAMES else y, chunks=chunks)
    found = clone(model).fit(points, y if y is NAMES else lazy_y, sample_weight=w)
    compare(found, expected, points)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "y", "weights", "step"), BATCHES, ids=lambda v: str(v)[:30])
@pytest.mark.usefixtures("few_rows_in_memory")
def test_batches_give_the_fit_of_numpy(model, y, weights, step):
    expected, found = clone(model).fit(X, y, sample_weight=weights), clone(model)
    read = cut(X, step=step) if y is None else cut(X, y, weights, step=step)
    assert fit.stream(found, read if weights is None else list(read())) is found
    compare(found, expected, X)


@pytest.mark.slow
@pytest.mark.usefixtures("few_rows_in_memory")
def test_memory_does_not_grow_with_the_batches():
    def peak(count):
        def batches():
            rng = np.random.default_rng(0)
            for _ in range(count):
                yield rng.normal(size=(500, 10))

        sampling._kept.cache_clear()  # a sample that is known already takes nothing
        tracemalloc.start()
        fit.stream(GalerkinEmbedding(n_components=3, n_landmarks=20, random_state=0), batches)
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(3)  # what is imported at the first call does not count
    assert peak(300) < peak(150) + 1e6  # of 6 MB more; the sample is full by then


@pytest.mark.slow
def test_tables_of_unknown_lengths_keep_their_names():
    frame = pd.DataFrame(X, columns=["width", "height"]).assign(label=Y)
    table = dd.from_pandas(frame, npartitions=5)
    table = table[table.width > -5]  # lengths are no longer known
    model, columns = LaplacianClassifier(random_state=0), ["width", "height"]
    expected = model.fit(frame[columns], frame.label).predict_proba(frame[columns])
    found = model.fit(table[columns], table.label)
    assert list(found.feature_names_in_) == columns
    np.testing.assert_allclose(found.predict_proba(table[columns]).compute(), expected, atol=1e-9)
    with pytest.raises(ValueError, match="feature names"):
        found.predict(table[columns[::-1]])


def test_what_chunks_share_is_computed_once_in_the_graph():
    """Rows minus their mean, split again: neither the mean nor a chunk is loaded over and over."""
    loads = []

    def load(block):
        loads.append(len(block))
        return block

    rows = da.from_array(X, chunks=(200, 2)).map_blocks(load, dtype=float, meta=np.empty((0, 2)))
    centred = (rows - rows.mean(axis=0)).rechunk({0: 50})
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


@pytest.mark.slow
def test_there_are_few_tasks_that_merge_in_pairs_and_can_be_sent_to_processes():
    rows = da.from_array(X, chunks=(10, 2))
    graph, key = fit.dask_reduce._graph([rows + 1], Sum, 4)
    sent = cloudpickle.loads(cloudpickle.dumps(graph))
    np.testing.assert_allclose(dask.get(sent, key).values, (X + 1).sum(axis=0))
    ours = [key for key in graph if str(key).startswith("lapviz-rows")]
    assert len(ours) == 4 + 3


@pytest.mark.slow
def test_single_precision_stays_so_in_the_chunks():
    rows = RNG.normal(size=(600, 5)).astype(np.float32)
    model = GalerkinEmbedding(kernel="exponential", n_components=4, random_state=0)
    expected = model.fit(rows).eigenvalues_
    found = model.fit(da.from_array(rows, chunks=(150, 5))).eigenvalues_
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-8)


HERE = da.from_array(X, chunks=(250, 2))
LOCAL = "needs all rows at once"
REFUSED = [  # estimator, rows, targets, weights, sentence
    (embedding(), da.zeros(5), None, None, r"shape \(n, d\)"),
    (embedding(), da.zeros((5, 2), dtype=object, chunks=5), None, None, "must hold numbers"),
    (embedding(), da.zeros((0, 2)), None, None, "no rows"),
    (embedding(), da.full((50, 2), np.nan), None, None, "NaN"),
    (embedding(operator="graph"), da.ones((50, 2)), None, None, LOCAL),
    (embedding(operator=UniformDirections()), da.ones((50, 2)), None, None, LOCAL),
    (embedding(operator=GivenDirections(np.ones((5, 1, 2)))), da.ones((5, 2)), None, None, "all"),
    (embedding(), HERE, None, -da.ones(600), "negative"),
    (classifier(), HERE, Y[:7], None, "7 entries and X has 600 rows"),
    (classifier(), HERE, np.full(600, -1), None, "no class"),
    (classifier(), HERE, np.full(600, np.nan), None, "NaN"),
    (classifier(), HERE, None, None, "requires y"),
    (embedding(), iter([X]), None, None, "read twice"),
    (embedding(), [], None, None, "no row"),
    (embedding(), [X, X[:, :1]], None, None, "all need 2 columns"),
    (classifier(), [X], None, None, "requires y"),
    (classifier(), [(X, Y[:3])], None, None, "3 labels for 600 rows"),
    (GraphLaplacianClassifier(), [X], None, None, "cannot be fitted to batches"),
    (embedding(operator="graph"), [X], None, None, LOCAL),
]


@pytest.mark.parametrize(("model", "rows", "y", "weights", "words"), REFUSED)
def test_what_cannot_work_gets_a_sentence(model, rows, y, weights, words):
    chunked = isinstance(rows, da.Array)
    given = (rows, y, weights) if chunked else (clone(model), rows)
    with pytest.raises(ValueError, match=words):
        (clone(model).fit if chunked else fit.stream)(*given)


@pytest.mark.slow
def test_chunks_with_other_columns_than_the_fit_get_a_sentence():
    model = embedding().fit(HERE)
    with pytest.raises(ValueError, match="3 features"):
        model.transform(da.ones((5, 3)))
