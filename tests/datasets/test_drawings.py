"""Drawings: codes, exact, and refused when broken; drawn points as a data set."""

import base64
import zlib

import numpy as np
import pytest

from lapviz import datasets
from lapviz.datasets.drawings import BROKEN, CELLS, SHEET, Drawing, decode, empty, encode


def random_drawing(seed, n=None):
    """Points in clusters, some of them coincident, of any classes, on any sheet."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 2, 3, 17, 128, 500])) if n is None else n
    centres = rng.uniform(0, CELLS, (rng.integers(1, 5), 2))
    cells = centres[rng.integers(len(centres), size=n)] + rng.normal(size=(n, 2)) * 10 ** (
        rng.uniform(0, 3)
    )
    n_classes = rng.integers(1, 11)
    codes = rng.integers(-1, n_classes, n)
    custom = rng.random() < 0.5
    x0, y0 = rng.normal(size=2) * 10 ** rng.uniform(-3, 3)
    dx, dy = 10 ** rng.uniform(-3, 3, 2) / CELLS
    sheet = (x0, y0, dx, dy) if custom else SHEET
    sheet = np.float32(sheet).astype(float)
    X = sheet[:2] + sheet[2:] * np.rint(cells)
    return Drawing.of(X, codes, rng.random(n) < 0.1, tuple(sheet))


def same(a, b):
    attributes = ("cells", "codes", "labelled", "X")
    return a.sheet == b.sheet and all(
        np.array_equal(getattr(a, name), getattr(b, name)) for name in attributes
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_drawing_has_one_code_that_restores_every_point_exactly(seed):
    """So do its numbers; the order of points does not matter."""
    drawing = random_drawing(seed)
    assert same(decode(encode(drawing)), drawing)
    assert same(Drawing.of_numbers(drawing.numbers[::-1], drawing.sheet), drawing)
    order = np.random.default_rng(seed).permutation(len(drawing.cells))
    again = Drawing.of(drawing.X[order], drawing.codes[order], drawing.labelled[order],
                       drawing.sheet)  # fmt: skip
    assert encode(again) == encode(drawing)


def test_a_code_written_by_hand():
    # One point without a class in cell (1, 1), whose number is 0b11. The shortest k is 1: 3 >> 1 is
    # 1 in unary, 10, then the bit 1; with k = 1 in five bits before it, 00001 10 1.
    body = bytes([1, 2, 1, 0, 0, 0, 0, 0b00001101])
    raw = body + zlib.crc32(body).to_bytes(4, "little")[:3]
    code = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    drawing = decode(code)
    assert drawing.cells.tolist() == [[1, 1]]
    assert drawing.codes.tolist() == [-1]
    assert drawing.X.tolist() == [[-1 + 2 / CELLS, -1 + 2 / CELLS]]
    assert encode(drawing) == code


@pytest.mark.parametrize("seed", range(8))
def test_a_link_has_room_for_five_hundred_points_anywhere(seed):
    rng = np.random.default_rng(seed)
    X, codes = rng.uniform(-1, 1, (500, 2)), rng.integers(-1, 10, 500)
    assert len(encode(Drawing.of(X, codes, rng.random(500) < 0.5))) < 1900


@pytest.mark.parametrize("seed", range(6))
def test_every_changed_letter_is_detected(seed):
    code, rng = encode(random_drawing(seed, 30)), np.random.default_rng(seed)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for position in range(len(code)):
        other = rng.choice([letter for letter in letters if letter != code[position]])
        with pytest.raises(ValueError, match="drawing"):
            decode(code[:position] + other + code[position + 1 :])
    for cut in range(len(code)):
        with pytest.raises(ValueError, match="drawing"):
            decode(code[:cut])


def with_checksum(body):
    raw = bytes(body) + zlib.crc32(bytes(body)).to_bytes(4, "little")[:3]
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ([2, 2, 0, 0, 0, 0, 0], "another version"),
        ([1, 0, 0], BROKEN),
        ([1, 1, 0, 0, 0], BROKEN),
        ([1, 11, *[0] * 23], BROKEN),
        ([1, 2, 0, 0, 0, 0], BROKEN),  # a size is missing
        ([1, 2, 0, 0, 0, 0, 0, 0], BROKEN),  # more points than the stream has
        ([1, 3, *[0] * 7], BROKEN),  # a third class without points
        ([1, 18, *[0] * 9], BROKEN),  # half a sheet
        ([1, 18, *[0] * 16, *[0] * 5], "sheet"),  # steps of 0
        ([1, 18, 0, 0, 192, 127, *[0] * 12, *[0] * 5], "sheet"),  # not a number
        ([1, 2, 255, 127, 0, 0, 0, 0], "at most 5000"),
        ([1, 2, 255, 255, 255, 255, 1, 0, 0, 0, 0], BROKEN),
        ([1, 2, 1, 0, 0, 0, 0, 0b00001101, 0], BROKEN),  # one byte too many
        ([1, 2, 1, 0, 0, 0, 0, 0b00010011], BROKEN),  # not the shortest k: 2
        ([1, 2, 1, 0, 0, 0, 0, 0b11111111, 255, 255], BROKEN),  # an unterminated unary number
        ([1, 2, 1, 0, 0, 0, 0, 0b11110111, 255, 255, 240, 0, 0, 0, 0], BROKEN),  # off the sheet
    ],
    ids=str,
)
def test_invalid_bodies_with_a_valid_checksum_are_refused(body, reason):
    with pytest.raises(ValueError, match=reason):
        decode(with_checksum(body))


@pytest.mark.parametrize("code", ["", " ", "x", "=", "AQI=", "ÄÖ", "A" * 100_000, None, 3, b"AQ"])
def test_invalid_codes_are_refused(code):
    with pytest.raises(ValueError, match="drawing"):
        decode(code)


def test_points_are_drawn_in_the_nearest_cell():
    X = np.random.default_rng(0).normal(size=(300, 2)) * [3, 0.5] + [100, -7]
    drawing = Drawing.of(X)
    _, _, dx, dy = drawing.sheet
    gaps = np.abs(X[:, None] - drawing.X[None]) / [dx, dy]
    assert gaps.max(axis=2).min(axis=1).max() <= 0.501
    x0, x1, y0, y1 = drawing.view
    assert x0 < X[:, 0].min() < X[:, 0].max() < x1
    assert y0 < X[:, 1].min() < X[:, 1].max() < y1


def test_an_empty_sheet_and_points_without_a_class():
    assert decode(encode(empty())).cells.shape == (0, 2)
    drawing = Drawing.of([[0.0, 0.0]], [-1], [True], SHEET)
    assert drawing.n_classes == 2
    assert not drawing.labelled.any()  # a point without a class cannot be a label


# ---- drawn data ----------------------------------------------------------------------------------


def drawn(n=200, seed=0, flags=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, n)
    X = rng.normal(size=(n, 2)) * 0.08 + np.column_stack([0.5 * codes, 0 * codes])
    labelled = np.zeros(n, bool)
    labelled[np.flatnonzero(codes >= 0)[:flags]] = True
    return encode(Drawing.of(X, codes, labelled, SHEET))


def test_the_seed_does_not_move_points():
    code = drawn()
    data = datasets.load("drawn", source=code, random_state=0)
    assert np.array_equal(data.X, decode(code).X)
    assert np.array_equal(data.X, datasets.load("drawn", source=code, random_state=7).X)
    assert data.class_names == ("class 1", "class 2", "class 3")
    assert set(data.y) == {-1, 0, 1, 2}


def test_labels_are_drawn_from_known_classes_and_nested():
    code, previous = drawn(), np.zeros(200, bool)
    for count in range(1, 6):
        data = datasets.load("drawn", source=code, labels_per_class=count, random_state=3)
        assert np.bincount(data.y[data.labelled]).tolist() == [count] * 3
        assert (data.labelled >= previous).all()
        relabelled = datasets.relabel(datasets.load("drawn", source=code), count, 3)
        assert np.array_equal(relabelled.labelled, data.labelled)
        previous = data.labelled
    assert not np.array_equal(datasets.relabel(data, 5, 4).labelled, previous)


def test_with_painted_labels_no_others_are_drawn():
    data = datasets.load("drawn", source=drawn(flags=5))
    assert data.labelled.sum() == 5
    assert datasets.info("drawn", source=drawn(flags=5)).labels_per_class is None
    assert datasets.info("drawn", source=drawn()).labels_per_class == 2
    assert datasets.load("drawn", source=drawn()).labelled.sum() == 6


@pytest.mark.slow
def test_removing_a_point_keeps_most_labels():
    drawing = decode(drawn())
    labelled = []
    for removed in range(40):
        keep = np.arange(200) != removed * 5
        code = encode(Drawing.of(drawing.X[keep], drawing.codes[keep], sheet=SHEET))
        data = datasets.load("drawn", source=code, random_state=1)
        labelled.append(set(map(tuple, data.X[data.labelled])))
    changes = [len(a ^ labelled[0]) for a in labelled]
    assert np.mean(changes) < 0.6  # of 6 labels; if drawn anew, nearly all would move
    assert len(labelled[0]) == 6
