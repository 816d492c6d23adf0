"""Brush strokes: the pixels that they paint, and their compact text form.

A stroke is a path through pixel centres with a radius; all pixels whose centre is within the radius
of the path get its class. Later strokes paint over earlier ones; an eraser removes them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lapviz.checks import Refused

Array = np.ndarray

ERASER = -1  # code of a stroke that removes others
MOST_CLASSES = 9
MOST_POINTS = 20_000  # of all strokes together
MOST_RADIUS = 200
_STEP = re.compile(r"[pm][0-9]+")
_STROKE = re.compile(r"([0-9]|e)r([0-9]{1,3})((?:[pm][0-9]{1,5}){2,})")


@dataclass(frozen=True)
class Stroke:
    """One stroke of the brush.

    Attributes
    ----------
    code : int
        Class, from 0 to 8, or :data:`ERASER`.
    radius : int
        In pixels; 0 paints only the pixels of the path.
    points : tuple of (int, int)
        Column and row of the path's corners.
    """

    code: int
    radius: int
    points: tuple[tuple[int, int], ...]

    def __post_init__(self):
        if not -1 <= self.code < MOST_CLASSES:
            raise ValueError(f"A stroke's class is from 0 to {MOST_CLASSES - 1}, not {self.code}.")
        if not 0 <= self.radius <= MOST_RADIUS:
            raise ValueError(f"A stroke's radius is from 0 to {MOST_RADIUS}, not {self.radius}.")
        if not self.points:
            raise ValueError("A stroke has at least one point.")


def paint(strokes: Sequence[Stroke], shape: tuple[int, int]) -> Array:
    """Paint strokes in their order and return the classes of the pixels.

    Parameters
    ----------
    strokes : sequence of Stroke
        In the order in which they were painted.
    shape : (int, int)
        Rows and columns of the picture.

    Returns
    -------
    int8 array (h, w)
        Class codes, -1 where nothing is painted.
    """
    codes = np.full(shape, -1, dtype=np.int8)
    for stroke in strokes:
        path = [*stroke.points, stroke.points[-1]] if len(stroke.points) == 1 else stroke.points
        for start, end in pairwise(path):
            _segment(codes, start, end, stroke.radius, stroke.code)
    return codes


def _segment(codes: Array, start, end, radius: int, code: int) -> None:
    """Set the code of all pixels within the radius of a segment, searching only its box."""
    (h, w), reach = codes.shape, max(radius, 1)
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    rows = slice(max(top - reach, 0), min(bottom + reach + 1, h))
    columns = slice(max(left - reach, 0), min(right + reach + 1, w))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return
    y = np.arange(rows.start, rows.stop)[:, None] - start[1]
    x = np.arange(columns.start, columns.stop) - start[0]
    dx, dy = end[0] - start[0], end[1] - start[1]
    t = np.clip((x * dx + y * dy) / max(dx * dx + dy * dy, 1), 0.0, 1.0)
    near = (x - t * dx) ** 2 + (y - t * dy) ** 2 <= max(radius, 0.5) ** 2
    codes[rows, columns][near] = code


def write_strokes(strokes: Sequence[Stroke]) -> str:
    """Encode strokes: ``1r6p120p80p5m2`` is class 1, radius 6, start (120, 80), step (5, −2).

    Parameters
    ----------
    strokes : sequence of Stroke
        In the order in which they were painted.

    Returns
    -------
    str
        All of them, joined by full stops.
    """
    return ".".join(map(_encoded, strokes))


def _encoded(stroke: Stroke) -> str:
    moves = np.diff(stroke.points, axis=0, prepend=[(0, 0)]).ravel()
    steps = "".join(f"{'m' if move < 0 else 'p'}{abs(move)}" for move in moves)
    code = "e" if stroke.code == ERASER else str(stroke.code)
    return f"{code}r{stroke.radius}{steps}"


def read_strokes(text: str) -> tuple[Stroke, ...]:
    """Read strokes from text; the inverse of :func:`write_strokes`.

    Parameters
    ----------
    text : str
        Text from :func:`write_strokes`.

    Returns
    -------
    tuple of Stroke
        The strokes, in their order.

    Raises
    ------
    ValueError
        If the text has another form, or too many points.
    """
    strokes, count = [], 0
    for part in filter(None, text.split(".")):
        match = _STROKE.fullmatch(part)
        steps = _STEP.findall(match[3]) if match else []
        if match is None or not steps or len(steps) % 2:
            raise Refused("holds no strokes of the form 1r6p120p80p5m2")
        count += len(steps) // 2
        if count > MOST_POINTS:
            raise Refused(f"holds strokes of more than {MOST_POINTS} points")
        moves = [int(step[1:]) * (-1 if step[0] == "m" else 1) for step in steps]
        corners = np.cumsum(np.reshape(moves, (-1, 2)), axis=0)
        if np.abs(corners).max() > 99_999:
            raise Refused("holds strokes far outside any picture")
        code = ERASER if match[1] == "e" else int(match[1])
        if code >= MOST_CLASSES:
            raise Refused(f"holds a class above {MOST_CLASSES - 1}")
        path = tuple((int(x), int(y)) for x, y in corners)
        strokes.append(Stroke(code, min(int(match[2]), MOST_RADIUS), path))
    return tuple(strokes)
