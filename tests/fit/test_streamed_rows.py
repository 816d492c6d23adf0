"""Fits of Dask chunks or batches are those of NumPy arrays, however the rows are split."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone, is_classifier

from lapviz import (
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    LabelledScorer,
    LaplacianClassifier,
    LaplacianRegressor,
    datasets,
    fit,
    operators,
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
WEIGHTS = RNG.integers(0, 4, 600) + 1.0 * MOONS.labelled  # those of labels differ, too
EVEN, UNEVEN, ONE = 100, (1, 299, 0, 300), 600


def lazy(*arrays, chunks):
    return tuple(
        da.from_array(a, chunks=(chunks, *a.shape[1:])) if a is not None else None for a in arrays
    )


def cut(*columns, step):
    """A function that yields batches of ``step`` rows."""

    def batches():
        for start in range(0, len(columns[0]), step):
            part = tuple(c[start : start + step] if c is not None else None for c in columns)
            yield part if len(part) > 1 else part[0]

    return batches


def embedding(**more):
    return GalerkinEmbedding(n_components=6, random_state=0, **more)


def classifier(**more):
    return LaplacianClassifier(random_state=0, **more)


# Gaussian functions are nearly dependent here, and rounding would be visible.
SAFE = {"kernel": "exponential"}
TANGENTS = operators.Sum(("tangent",), (0.3,))
SUM = operators.Sum(("laplacian", "sphere", TANGENTS), (0.1, 2.0, 1.0))
NAMED = SAFE | {"operator": "laplacian", "balance": "scale", "n_passes": 2}
REGRESSOR = LaplacianRegressor(random_state=0, lam=1e-2, **SAFE)
CHUNKS = [  # estimator, targets (not chunked if they are no numbers), weights, chunks
    (embedding(), None, None, EVEN),
    (embedding(), None, WEIGHTS, UNEVEN),
    (embedding(operator="tangent", **SAFE), None, WEIGHTS, EVEN),
    (embedding(operator="tangent", **SAFE), None, None, ONE),
    (embedding(operator="tangent", n_landmarks=20, **SAFE), None, None, EVEN),
    (embedding(operator=SUM, **SAFE), None, WEIGHTS, EVEN),
    (embedding(landmarks="fourier", n_landmarks=20), None, WEIGHTS, UNEVEN),
    (embedding(landmarks="leverage", kernel="matern52"), None, None, UNEVEN),
    (embedding(landmarks=X[:30], bandwidth=0.5, mu=1e-3, operator="sphere"), None, WEIGHTS, ONE),
    *((model, *how) for model in (classifier(), classifier(**NAMED))
      for how in ((NAMES, WEIGHTS, UNEVEN), (Y, None, EVEN), (Y, WEIGHTS, ONE))),
    (REGRESSOR, VALUES, None, UNEVEN),
    (REGRESSOR, np.column_stack([VALUES, -VALUES]), None, ONE),
    *((LaplacianRegressor(random_state=0), VALUES, w, UNEVEN) for w in (None, WEIGHTS)),
]  # fmt: skip
BATCHES = [  # estimator, targets, weights, rows of a batch
    (embedding(operator="laplacian", **SAFE), None, None, 17),
    (embedding(operator="tangent", **SAFE), None, None, 450),
    (embedding(operator="tangent", n_landmarks=20, **SAFE), None, None, 100),
    (embedding(operator=replace(SUM, match=True), **SAFE), None, None, 100),
    (classifier(**SAFE), Y, None, 70),
    (classifier(operator="laplacian", **SAFE), Y, None, 70),
    (classifier(operator="laplacian", **SAFE), Y, WEIGHTS, 70),
    (REGRESSOR, VALUES, None, 100),
    *((LaplacianRegressor(random_state=0), VALUES, w, 70) for w in (None, WEIGHTS)),
]


def predictions(model, X):
    if isinstance(model, GalerkinEmbedding):
        return [model.transform(X)]
    if is_classifier(model):
        return [model.predict_proba(X), model.decision_function(X)]
    if hasattr(model, "noise_"):
        return model.predict(X, return_std=True)
    return [model.predict(X)]


def assert_close(actual, expected):
    scale = np.abs(expected).max()
    np.testing.assert_allclose(actual, expected, rtol=1e-10, atol=1e-10 * scale)


def assert_same_fit(fitted, reference, points):
    """Compare a fit to streamed rows, evaluated at points, with that of NumPy."""
    if hasattr(fitted, "eigenvalues_"):
        assert_close(fitted.eigenvalues_, reference.eigenvalues_)
        assert isinstance(fitted.coefficients_, np.ndarray)
    atol = 1e-10 if isinstance(fitted, LaplacianRegressor) else 1e-7
    pairs = zip(predictions(fitted, points), predictions(reference, X), strict=True)
    for values, expected_values in pairs:
        if isinstance(points, da.Array):
            assert isinstance(values, da.Array)
            assert values.chunks[0] == points.chunks[0]
            values = values.compute()
        np.testing.assert_allclose(values, expected_values, atol=atol)
    if is_classifier(fitted):
        np.testing.assert_array_equal(np.asarray(fitted.predict(points)), reference.predict(X))
        assert (MOONS.y == (reference.predict(X) == reference.classes_[1])).mean() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("model", "y", "weights", "chunks"), CHUNKS, ids=lambda v: str(v)[:30])
@pytest.mark.usefixtures("few_rows_in_memory")
def test_chunks_give_the_fit_of_numpy(model, y, weights, chunks):
    expected = clone(model).fit(X, y, sample_weight=weights)
    points, w, lazy_y = lazy(X, weights, None if y is NAMES else y, chunks=chunks)
    fitted = clone(model).fit(points, y if y is NAMES else lazy_y, sample_weight=w)
    assert_same_fit(fitted, expected, points)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "y", "weights", "step"), BATCHES, ids=lambda v: str(v)[:30])
@pytest.mark.usefixtures("few_rows_in_memory")
def test_batches_give_the_fit_of_numpy(model, y, weights, step):
    expected, fitted = clone(model).fit(X, y, sample_weight=weights), clone(model)
    read = cut(X, step=step) if y is None else cut(X, y, weights, step=step)
    assert fit.stream(fitted, read if weights is None else list(read())) is fitted
    assert_same_fit(fitted, expected, X)


@pytest.mark.slow
@pytest.mark.usefixtures("few_rows_in_memory")
def test_memory_does_not_grow_with_the_batches():
    def peak(count):
        def batches():
            rng = np.random.default_rng(0)
            for _ in range(count):
                yield rng.normal(size=(500, 10))

        sampling._draw_cached.cache_clear()  # a cached sample would take no memory
        tracemalloc.start()
        fit.stream(GalerkinEmbedding(n_components=3, n_landmarks=20, random_state=0), batches)
        peak_bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak_bytes

    peak(3)  # imports at the first call do not count
    assert peak(300) < peak(150) + 1e6  # of 6 MB more; the sample is full by then


@pytest.mark.slow
def test_tables_of_unknown_lengths_keep_their_names():
    frame = pd.DataFrame(X, columns=["width", "height"]).assign(label=Y)
    table = dd.from_pandas(frame, npartitions=5)
    table = table[table.width > -5]  # lengths are now unknown
    model, columns = LaplacianClassifier(random_state=0), ["width", "height"]
    expected = model.fit(frame[columns], frame.label).predict_proba(frame[columns])
    fitted = model.fit(table[columns], table.label)
    assert list(fitted.feature_names_in_) == columns
    np.testing.assert_allclose(fitted.predict_proba(table[columns]).compute(), expected, atol=1e-9)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(table[columns[::-1]])
    streamed = fit.stream(
        clone(model), [(frame[columns][:300], Y[:300]), (frame[columns][300:], Y[300:])]
    )
    assert list(streamed.feature_names_in_) == columns
    with pytest.raises(ValueError, match="'width' in the first batch and 'height' in a later one"):
        fit.stream(clone(model), [(frame[columns], Y), (frame[columns[::-1]], Y)])


def test_labels_in_batches_are_those_of_all_rows():
    """All labelled; booleans with gaps; nullable; texts in one batch and numbers in another."""

    def streamed(y):
        parts = [(X[:300], y[:300]), (X[300:], y[300:])]
        return fit.stream(classifier(), parts).classes_.tolist()

    assert streamed(MOONS.y) == [0, 1]
    fit.stream(LaplacianRegressor(), [(X[:, :1], X[:, 1])])
    flags = np.array([None if label < 0 else label > 0 for label in Y], dtype=object)
    assert streamed(flags) == classifier().fit(X, flags).classes_.tolist() == [0, 1]
    assert classifier().fit(da.from_array(X), flags).classes_.tolist() == [0, 1]
    nullable = pd.Series(Y).astype("Int64").mask(Y < 0)
    assert streamed(nullable) == [0, 1]
    assert classifier().fit(da.from_array(X), nullable).classes_.tolist() == [0, 1]
    texts = np.where(MOONS.labelled[300:], "a", "")
    with pytest.raises(ValueError, match="must be of one type"):
        fit.stream(classifier(), [(X[:300], Y[:300]), (X[300:], texts)])


def test_parts_without_targets_get_the_sentences_of_arrays():
    lazy_rows = da.from_array(X, chunks=(100, 2))
    model, nothing = LaplacianRegressor(random_state=0, operator="laplacian"), VALUES * np.nan
    for y, sentence in (
        (nothing, "only NaN"),
        (np.column_stack([nothing, VALUES]), "all 2 targets"),
    ):
        with pytest.raises(ValueError, match=sentence):
            model.fit(lazy_rows, da.from_array(y, chunks=100))


def test_parts_of_texts_that_are_all_blank_may_be_floats():
    """As pandas reads them from a file."""
    texts = np.where(np.arange(300) < 9, MOONS.y[:300].astype(str), "").astype(object)
    blank = np.full(300, np.nan)
    fitted = fit.stream(classifier(), [(X[:300], texts), (X[300:], blank)])
    expected = classifier().fit(X, np.concatenate([texts, blank.astype(object)]))
    np.testing.assert_array_equal(fitted.predict(X), expected.predict(X))
    chunks = [da.from_delayed(dask.delayed(y), (300,), object) for y in (texts, blank)]
    fitted = classifier().fit(da.from_array(X, chunks=(300, 2)), da.concatenate(chunks))
    np.testing.assert_array_equal(fitted.predict(X), expected.predict(X))


def test_booleans_and_nullable_numbers_are_numbers():
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(whole=Y * 3, flag=X[:, 0] > 0)
    expected = embedding().fit(frame).eigenvalues_
    table = dd.from_pandas(frame.astype({"whole": "Int64", "flag": "boolean"}), npartitions=3)
    np.testing.assert_allclose(embedding().fit(table).eigenvalues_, expected, rtol=1e-6)
    with pytest.raises(ValueError, match="must hold numbers"):
        embedding().fit(table.assign(text="a"))


def test_shared_inputs_of_chunks_are_computed_once_in_the_graph():
    """Centred rows, split again: neither the mean nor a chunk is computed repeatedly."""
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
def test_few_tasks_merge_in_pairs_and_can_be_pickled():
    rows = da.from_array(X, chunks=(10, 2))
    graph, key = fit.dask_reduce._graph([rows + 1], Sum, 4)
    unpickled = cloudpickle.loads(cloudpickle.dumps(graph))
    np.testing.assert_allclose(dask.get(unpickled, key).values, (X + 1).sum(axis=0))
    task_keys = [key for key in graph if str(key).startswith("lapviz-rows")]
    assert len(task_keys) == 4 + 3


@pytest.mark.slow
def test_single_precision_is_kept_in_chunks():
    rows = RNG.normal(size=(600, 5)).astype(np.float32)
    model = GalerkinEmbedding(kernel="exponential", n_components=4, random_state=0)
    expected = model.fit(rows).eigenvalues_
    eigenvalues = model.fit(da.from_array(rows, chunks=(150, 5))).eigenvalues_
    np.testing.assert_allclose(eigenvalues, expected, rtol=1e-4, atol=1e-8)


IN_MEMORY = da.from_array(X, chunks=(250, 2))
NEEDS_ALL_ROWS = "needs all rows at once"
WITH_GRAPH = operators.Sum(("laplacian", "graph"), (1, 1))
REFUSED = [  # estimator, rows, targets, weights, sentence
    (embedding(), da.zeros(5), None, None, r"shape \(n, d\)"),
    (embedding(), da.zeros((5, 2), dtype=object, chunks=5), None, None, "must hold numbers"),
    (embedding(), da.zeros((0, 2)), None, None, "no rows"),
    (embedding(), da.full((50, 2), np.nan), None, None, "NaN"),
    (embedding(operator="graph"), da.ones((50, 2)), None, None, NEEDS_ALL_ROWS),
    (embedding(operator=WITH_GRAPH), da.ones((50, 2)), None, None, "'graph' needs all"),
    (embedding(operator=UniformDirections()), da.ones((50, 2)), None, None, NEEDS_ALL_ROWS),
    (embedding(operator=GivenDirections(np.ones((5, 1, 2)))), da.ones((5, 2)), None, None, "all"),
    (embedding(), IN_MEMORY, None, -da.ones(600), "negative"),
    (classifier(), IN_MEMORY, Y[:7], None, "7 entries and X has 600 rows"),
    (classifier(), IN_MEMORY, np.full(600, -1), None, "no class"),
    (classifier(), IN_MEMORY, np.full(600, np.nan), None, "NaN"),
    (classifier(), IN_MEMORY, None, None, "requires y"),
    (embedding(), iter([X]), None, None, "read twice"),
    (embedding(), [], None, None, "no row"),
    (embedding(), [X, X[:, :1]], None, None, "first batch has 2 columns, and a later one 1"),
    (classifier(), [X], None, None, "requires y"),
    (classifier(), [(X, Y[:3])], None, None, "3 labels for 600 rows"),
    (GraphLaplacianClassifier(), [X], None, None, "cannot be fitted to batches"),
    (embedding(operator="graph"), [X], None, None, NEEDS_ALL_ROWS),
]


@pytest.mark.parametrize(("model", "rows", "y", "weights", "words"), REFUSED)
def test_invalid_input_gets_a_clear_message(model, rows, y, weights, words):
    chunked = isinstance(rows, da.Array)
    arguments = (rows, y, weights) if chunked else (clone(model), rows)
    with pytest.raises(ValueError, match=words):
        (clone(model).fit if chunked else fit.stream)(*arguments)


@pytest.mark.slow
def test_chunks_with_other_columns_are_refused():
    model = embedding().fit(IN_MEMORY)
    with pytest.raises(ValueError, match="3 features"):
        model.transform(da.ones((5, 3)))


@pytest.mark.parametrize("again", [slice(0), slice(100), slice(400)])
def test_batches_that_differ_when_read_again_are_refused(again):
    reads = []

    def read():
        reads.append(1)
        yield X[:200] if len(reads) == 1 else X[again]

    with pytest.raises(ValueError, match=r"200 rows of positive weight .* must begin"):
        fit.stream(GalerkinEmbedding(random_state=0), read)


@pytest.mark.parametrize("cls", [LaplacianClassifier, LaplacianRegressor])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_numbers_in_chunks_are_refused_with_a_cure(cls, bad):
    spoilt = X.copy()
    spoilt[5, 0] = bad
    with pytest.raises(ValueError, match="X holds NaN or infinite values"):
        cls().fit(
            da.from_array(spoilt, chunks=(100, 2)), VALUES if cls is LaplacianRegressor else Y
        )


@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.parametrize("named", [False, True])
def test_chunks_are_scored_and_tables_know_what_is_far(named):
    """Data frames have chunks of unknown lengths, and no rows to select."""
    chunks = da.from_array(X, chunks=(100, 2))
    lazy_rows = chunks.to_dask_dataframe(columns=["a", "b"]) if named else chunks
    for cls, y in ((LaplacianClassifier, Y), (LaplacianRegressor, VALUES)):
        model = cls(random_state=0).fit(lazy_rows, y)
        rows = pd.DataFrame(X, columns=["a", "b"]) if named else X
        assert model.score(lazy_rows, y, WEIGHTS) == pytest.approx(model.score(rows, y, WEIGHTS))
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            model.score(lazy_rows, y[:50])
    model = LaplacianClassifier(random_state=0).fit(lazy_rows, Y)
    np.testing.assert_array_equal(model.far_from_data(lazy_rows), model.far_from_data(rows))
    if named:
        with pytest.raises(ValueError, match=r"pass X.to_dask_array\(lengths=True\)"):
            LabelledScorer()(model, lazy_rows, Y)


def test_what_is_no_client_is_refused():
    with pytest.raises(ValueError, match=r"client must be a distributed\.Client, .*; got 3"):
        embedding().fit(IN_MEMORY, client=3)


def test_sparse_rows_chunks_and_batches_are_refused_with_the_cure():
    sparse = da.from_array(np.eye(6), chunks=(3, 6)).map_blocks(scipy.sparse.csr_matrix)
    model, y = LaplacianClassifier(operator="laplacian"), [0, 1, 0, 1, -1, -1]
    cure = r"by X.map_blocks\(lambda part: part.toarray\(\), dtype=X.dtype\)"
    with pytest.raises(ValueError, match=cure) as error:
        model.fit(sparse, y)
    dense = eval(str(error.value).partition("dense by ")[2].rstrip("."), {"X": sparse})
    np.testing.assert_array_equal(dense.compute(), np.eye(6))
    assert model.fit(dense, y).classes_.tolist() == [0, 1]
    rows = scipy.sparse.eye_array(2).tocsr()
    for call in (lambda: embedding().fit(rows), lambda: LaplacianClassifier().fit(rows, [0, 1])):
        with pytest.raises(ValueError, match=r"X is a sparse matrix, .* pass X.toarray\(\)"):
            call()
    with pytest.raises(ValueError, match=r"pass X.toarray\(\)"):
        fit.stream(LaplacianClassifier(), [(scipy.sparse.eye_array(2).tocsr(), [0, 1])])
