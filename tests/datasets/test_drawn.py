"""Drawn data as a data set."""

import numpy as np
import pytest

from lapviz import datasets
from lapviz.datasets.drawings import SHEET, Drawing, decode, encode


def drawn(n=200, seed=0, flags=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, n)
    X = rng.normal(size=(n, 2)) * 0.08 + np.column_stack([0.5 * codes, 0 * codes])
    labelled = np.zeros(n, bool)
    labelled[np.flatnonzero(codes >= 0)[:flags]] = True
    return encode(Drawing.of(X, codes, labelled, SHEET))


def test_neither_seed_nor_sample_moves_a_point():
    code = drawn()
    data = datasets.load("drawn", source=code, random_state=0)
    assert np.array_equal(data.X, decode(code).X)
    assert np.array_equal(data.X, datasets.load("drawn", source=code, random_state=7).X)
    assert data.class_names == ("class 1", "class 2", "class 3")
    assert set(data.y) == {-1, 0, 1, 2}


def test_labels_are_drawn_of_known_classes_and_nested():
    code, before = drawn(), np.zeros(200, bool)
    for count in range(1, 6):
        data = datasets.load("drawn", source=code, labels_per_class=count, random_state=3)
        assert np.bincount(data.y[data.labelled]).tolist() == [count] * 3
        assert (data.labelled >= before).all()
        again = datasets.relabel(datasets.load("drawn", source=code), count, 3)
        assert np.array_equal(again.labelled, data.labelled)
        before = data.labelled
    assert not np.array_equal(datasets.relabel(data, 5, 4).labelled, before)


def test_painted_labels_count_and_others_are_then_not_drawn():
    data = datasets.load("drawn", source=drawn(flags=5))
    assert data.labelled.sum() == 5
    assert datasets.info("drawn", source=drawn(flags=5)).labels_per_class is None
    assert datasets.info("drawn", source=drawn()).labels_per_class == 2
    assert datasets.load("drawn", source=drawn()).labelled.sum() == 6


@pytest.mark.slow
def test_a_point_more_or_less_leaves_most_labels_where_they_are():
    drawing = decode(drawn())
    places = []
    for left_out in range(40):
        keep = np.arange(200) != left_out * 5
        code = encode(Drawing.of(drawing.X[keep], drawing.codes[keep], sheet=SHEET))
        data = datasets.load("drawn", source=code, random_state=1)
        places.append(set(map(tuple, data.X[data.labelled])))
    moved = [len(a ^ places[0]) for a in places]
    assert np.mean(moved) < 0.6  # of 6 labels; drawn anew, nearly all would move
    assert len(places[0]) == 6
