"""Landmarks and samples of rows: spread, uniform, reproducible, however rows are split."""

import numpy as np
import pytest

from lapviz import HermiteRegressor, kernels
from lapviz.spaces import landmarks, sampling
from lapviz.spaces.leverage import median_cells

X = np.random.default_rng(0).normal(size=(300, 2))


def rows_of(points, X):
    """Index in X of every point; fails if a point is not in X."""
    matches = (points[:, None] == X[None]).all(axis=2)
    assert matches.any(axis=1).all(), "a landmark is not a sample"
    return matches.argmax(axis=1)


@pytest.mark.parametrize("rule", landmarks.names(with_kernel=True))
def test_landmarks_are_distinct_samples_that_a_seed_decides(rule):
    kernel = {"kernel": kernels.get("gaussian", 0.3)} if rule == "leverage" else {}
    first, repeated, other = (landmarks.choose(X, 40, rule, seed, **kernel) for seed in (3, 3, 4))
    assert len(set(rows_of(first, X))) == 40
    np.testing.assert_array_equal(first, repeated)
    assert not np.array_equal(first, other)
    for p in (300, 301, 10_000):  # n or more: all samples
        np.testing.assert_array_equal(landmarks.choose(X, p, rule, 0, **kernel), X)


@pytest.mark.parametrize("rule", landmarks.names())
def test_never_the_first_rows_of_a_sorted_file(rule):
    line = np.sort(X[:, :1], axis=0)
    points = landmarks.choose(line, 30, rule, 0)
    assert points.max() > np.quantile(line, 0.8)
    assert points.min() < np.quantile(line, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["stratified", "uniform"])
def test_every_sample_is_equally_likely_a_landmark(rule):
    """4000 draws of 3 from 10: 1200 expected for each row."""
    line = np.arange(10.0)[:, None]
    rng = np.random.RandomState(0)
    draws = np.concatenate([landmarks.choose(line, 3, rule, rng).ravel() for _ in range(4000)])
    counts = np.bincount(draws.astype(int), minlength=10)
    chi2 = ((counts - 1200) ** 2 / 1200).sum()
    assert chi2 < 27.9  # 99.9 % point of chi² with 9 degrees of freedom


def radius(X, points):
    """Distance from a sample to its nearest landmark, at worst."""
    return np.sqrt(((X[:, None] - points[None]) ** 2).sum(axis=2)).min(axis=1).max()


def circle():
    angle = np.random.default_rng(1).uniform(0, 2 * np.pi, 1000)
    return np.column_stack([np.cos(angle), np.sin(angle)])


@pytest.mark.parametrize(
    ("better", "worse", "points", "p", "share"),
    [
        ("kmeans++", "stratified", X, 30, 0.75),
        ("stratified", "uniform", circle(), 50, 0.7),  # a gap of several σ would cut the circle
    ],
)
def test_some_rules_leave_smaller_gaps(better, worse, points, p, share):
    gaps = [
        np.mean([radius(points, landmarks.choose(points, p, rule, seed)) for seed in range(10)])
        for rule in (better, worse)
    ]
    assert gaps[0] < share * gaps[1]


def test_cells_are_split_in_stable_order():
    """Otherwise landmarks would differ between processors, as NumPy's partitions do."""
    steps = np.random.default_rng(0).integers(0, 4, (5000, 1)).astype(float)
    cells = list(median_cells(steps, np.arange(5000), 7, np.random.RandomState(0)))
    np.testing.assert_array_equal(np.concatenate(cells), np.argsort(steps[:, 0], kind="stable"))


@pytest.mark.parametrize(("start", "stop"), [(0, 1), (3, 77), (4, 9), (501, 1000), (7, 7)])
def test_priorities_belong_to_rows(start, stop):
    full = sampling.priorities(0, 1000, seed=5)
    np.testing.assert_array_equal(sampling.priorities(start, stop, seed=5), full[start:stop])


@pytest.mark.parametrize("cuts", [[1000], [1, 999], [333, 667], list(range(7, 1000, 7))])
def test_the_split_does_not_matter(cuts):
    X, sample, start = np.arange(1000) ** 2, sampling.Reservoir(60, seed=3), 0
    for stop in [*cuts, 1000]:
        sample.update(start, stop, None, X[start:stop])
        start = stop
    order = np.argsort(sampling.priorities(0, 1000, seed=3))
    np.testing.assert_array_equal(sample.index, np.sort(order[:60]))
    np.testing.assert_array_equal(sample.columns[0], X[sample.index])
    np.testing.assert_array_equal(sampling.rows(1000, 60, seed=3), sample.index)


def test_a_smaller_sample_is_a_subset_of_a_larger_one():
    assert set(sampling.rows(5000, 40)) < set(sampling.rows(5000, 90))
    assert not np.array_equal(sampling.rows(5000, 40), sampling.rows(5000, 40, seed=1))
    assert sampling.rows(90, 90) == slice(None)


@pytest.mark.slow
def test_every_row_is_equally_likely():
    counts = np.zeros(50)
    for seed in range(2000):
        counts[sampling.rows(50, 10, seed)] += 1
    # 49 degrees of freedom; the variance of a count is 2000·.2·.8, that of a sum is less
    assert ((counts - 400) ** 2 / 320).sum() < 85


def test_rows_can_be_excluded():
    even = np.arange(0, 3000, 2)
    sample = sampling.rows(3000, 100, without=even)
    assert len(sample) == 100
    assert not set(sample) & set(even)
    every_odd = sampling.rows(3000, 1500, without=even)
    np.testing.assert_array_equal(every_odd, np.arange(1, 3000, 2))
    order = np.argsort(sampling.priorities(0, 3000))
    np.testing.assert_array_equal(sample, np.sort(order[order % 2 == 1][:100]))


def test_points_are_used_as_landmarks_unchanged():
    C = np.array([[0.0, 1.0], [5.0, 5.0]], dtype=np.float32)
    points = landmarks.choose(X, 40, C)
    np.testing.assert_array_equal(points, C)
    assert points.dtype == np.float64


def test_a_rule_has_a_name_of_its_own_and_returns_rows():
    rng = np.random.default_rng(0)

    def rule(X, n, rng):
        return X[:n]

    with pytest.raises(ValueError, match="There is a rule 'stratified'"):
        landmarks.register("stratified")(rule)
    try:
        landmarks.register("points")(rule)
        landmarks.register("points")(rule)  # once more, as a notebook's cell that is run again
        with pytest.raises(ValueError, match="must return the numbers of rows"):
            landmarks.choose(rng.normal(size=(30, 2)), 5, "points")
        with pytest.raises(ValueError, match="must return the numbers of rows"):
            HermiteRegressor(landmarks="points").fit(X, X[:, 0])
    finally:
        landmarks.PLAIN.pop("points")
