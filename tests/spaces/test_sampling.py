"""The sample of rows: the same however they are split, uniform, and without repetition."""

import numpy as np
import pytest

from lapviz.spaces import sampling


@pytest.mark.parametrize(("start", "stop"), [(0, 1), (3, 77), (4, 9), (501, 1000), (7, 7)])
def test_priorities_belong_to_rows(start, stop):
    whole = sampling.priorities(0, 1000, seed=5)
    np.testing.assert_array_equal(sampling.priorities(start, stop, seed=5), whole[start:stop])


@pytest.mark.parametrize("cuts", [[1000], [1, 999], [333, 667], list(range(7, 1000, 7))])
def test_the_split_does_not_matter(cuts):
    X, kept, start = np.arange(1000) ** 2, sampling.Reservoir(60, seed=3), 0
    for stop in [*cuts, 1000]:
        kept.update(start, stop, None, X[start:stop])
        start = stop
    order = np.argsort(sampling.priorities(0, 1000, seed=3))
    np.testing.assert_array_equal(kept.index, np.sort(order[:60]))
    np.testing.assert_array_equal(kept.columns[0], X[kept.index])
    np.testing.assert_array_equal(sampling.rows(1000, 60, seed=3), kept.index)


def test_a_smaller_sample_is_a_part_of_a_larger_one():
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


def test_rows_can_be_left_out():
    out = np.arange(0, 3000, 2)
    found = sampling.rows(3000, 100, without=out)
    assert len(found) == 100
    assert not set(found) & set(out)
    every_odd = sampling.rows(3000, 1500, without=out)
    np.testing.assert_array_equal(every_odd, np.arange(1, 3000, 2))
    first = np.argsort(sampling.priorities(0, 3000))
    np.testing.assert_array_equal(found, np.sort(first[first % 2 == 1][:100]))
