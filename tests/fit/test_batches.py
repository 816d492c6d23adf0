"""Rows that come bit by bit give the fit of all rows at once."""

import tracemalloc
from itertools import islice

import numpy as np
import pytest

from lapviz import (
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    LaplacianClassifier,
    LaplacianRegressor,
    datasets,
    fit,
)
from lapviz.spaces import sampling

MOONS = datasets.load("half_moons", n_samples=900, labels_per_class=5, random_state=0)
Y = MOONS.semi_supervised_target()
pytestmark = pytest.mark.usefixtures("few_rows_in_memory")
WEIGHTS = np.random.default_rng(1).integers(0, 3, 900) + (MOONS.labelled * 1.0)


def cut(*columns, step):
    """A function that gives batches of ``step`` rows."""

    def batches():
        for start in range(0, len(columns[0]), step):
            part = tuple(c[start : start + step] if c is not None else None for c in columns)
            yield part if len(part) > 1 else part[0]

    return batches


@pytest.mark.slow
@pytest.mark.parametrize(("operator", "step"), [("laplacian", 17), ("tangent", 450)])
def test_eigenfunctions_from_a_file_read_bit_by_bit(tmp_path, operator, step):
    file = tmp_path / "rows.csv"
    np.savetxt(file, MOONS.X, delimiter=",", fmt="%.17g")

    def batches():
        with open(file) as lines:
            while part := list(islice(lines, step)):
                yield np.loadtxt(part, delimiter=",", ndmin=2)

    options = {"kernel": "exponential", "operator": operator, "random_state": 0}
    model = GalerkinEmbedding(n_components=6, **options)
    expected = model.fit(MOONS.X).eigenvalues_
    assert fit.stream(model, batches) is model
    np.testing.assert_allclose(model.eigenvalues_, expected, rtol=0, atol=1e-10 * expected[-1])


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["", "weights"])
@pytest.mark.parametrize("operator", ["auto", "laplacian"])
def test_classes(operator, weights):
    model = LaplacianClassifier(operator=operator, kernel="exponential", random_state=0)
    if weights is None or operator == "laplacian":
        expected = model.fit(MOONS.X, Y, sample_weight=weights).predict_proba(MOONS.X)
        found = fit.stream(model, cut(MOONS.X, Y, weights, step=70)).predict_proba(MOONS.X)
        np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.slow
def test_values():
    y = np.where(MOONS.labelled, MOONS.X[:, 0], np.nan)
    model = LaplacianRegressor(kernel="exponential", lam=1e-2, random_state=0)
    expected = model.fit(MOONS.X, y).predict(MOONS.X)
    found = fit.stream(model, list(cut(MOONS.X, y, step=100)())).predict(MOONS.X)
    np.testing.assert_allclose(found, expected, atol=1e-10)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows():
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


@pytest.mark.parametrize(
    ("model", "batches", "words"),
    [
        (GalerkinEmbedding(), iter([MOONS.X]), "read twice"),
        (GalerkinEmbedding(), [], "no row"),
        (GalerkinEmbedding(), [MOONS.X, MOONS.X[:, :1]], "all need 2 columns"),
        (LaplacianClassifier(), [MOONS.X], "requires y"),
        (LaplacianClassifier(), [(MOONS.X, Y[:3])], "3 labels for 900 rows"),
        (GraphLaplacianClassifier(), [MOONS.X], "cannot be fitted to batches"),
        (GalerkinEmbedding(operator="graph"), [MOONS.X], "needs all rows at once"),
    ],
)
def test_what_cannot_work_gets_a_sentence(model, batches, words):
    with pytest.raises(ValueError, match=words):
        fit.stream(model, batches)
