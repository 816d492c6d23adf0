"""Strokes: painted pixels against brute force, and their text form."""

import itertools

import numpy as np
import pytest

from lapviz import pictures
from lapviz.pictures import ERASER, Stroke, paint, read_strokes, write_strokes


def brute(strokes, shape):
    codes = np.full(shape, -1)
    for s in strokes:
        path = list(s.points) if len(s.points) > 1 else [s.points[0], s.points[0]]
        for row in range(shape[0]):
            for column in range(shape[1]):
                for (x0, y0), (x1, y1) in itertools.pairwise(path):
                    d = np.array([x1 - x0, y1 - y0], float)
                    p = np.array([column - x0, row - y0], float)
                    t = np.clip(p @ d / (d @ d), 0, 1) if d.any() else 0.0
                    if ((p - t * d) ** 2).sum() <= max(s.radius, 0.5) ** 2:
                        codes[row, column] = s.code
    return codes


def random_strokes(seed, n=6):
    rng = np.random.default_rng(seed)
    return tuple(
        Stroke(
            int(rng.integers(-1, 4)),
            int(rng.integers(0, 5)),
            tuple((int(x), int(y)) for x, y in rng.integers(-4, 30, (rng.integers(1, 5), 2))),
        )
        for _ in range(n)
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_paint_covers_all_pixels_within_the_radius(seed):
    strokes = random_strokes(seed)
    np.testing.assert_array_equal(paint(strokes, (19, 24)), brute(strokes, (19, 24)))


def test_later_strokes_paint_over_and_the_eraser_removes():
    line = ((0, 3), (9, 3))
    codes = paint([Stroke(0, 1, line), Stroke(1, 0, line), Stroke(ERASER, 0, ((4, 3),))], (7, 10))
    assert (codes[3] == 1).sum() == 9
    assert codes[3, 4] == -1
    assert (codes[2] == 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_text_is_read_back_to_the_same_strokes(seed):
    strokes = random_strokes(seed, 20)
    text = write_strokes(strokes)
    assert read_strokes(text) == strokes
    assert text.replace(".", "").isalnum()


@pytest.mark.parametrize(
    "text",
    ["x", "1r3", "1r3p1", "1r3p1p2p3", "9r3p1p2", "1p3p4", "1r3p1p2 ", "1r9999p1p2", "-1r3p1p2",
     "1r3" + "p99999" * 4, "1r3p1p2.zz", "1r1" + "p1m1" * 20_001, "1r٣p1p2"],
)  # fmt: skip
def test_malformed_texts_are_refused_with_a_predicate(text):
    with pytest.raises(ValueError, match=r"^holds "):
        read_strokes(text)


@pytest.mark.parametrize("fields", [(9, 3, ((0, 0),)), (-2, 3, ((0, 0),)), (0, -1, ((0, 0),)),
                                    (0, 999, ((0, 0),)), (0, 3, ())])  # fmt: skip
def test_an_impossible_stroke_is_refused(fields):
    with pytest.raises(ValueError, match="stroke"):
        pictures.Stroke(*fields)
