"""A label as the browser writes it: a row [x, y, index, code, further candidate classes …]."""

from __future__ import annotations

import math
from typing import Any

from lapviz.labels import Label

MAX_NUMBERS = 3 + 100  # no data set has more classes


def row_of(label: Label) -> list[float]:
    """The row of a label with a place; the index of an off-sample label is -1."""
    return [float(label.x), float(label.y), int(label.index), *map(int, label.candidates)]


def label_of(row: Any) -> Label | None:
    """The label of a row, or None if the row is invalid; the browser's input is not trusted."""
    if not isinstance(row, list) or not 4 <= len(row) <= MAX_NUMBERS:
        return None
    numbers = [number(value) for value in row]
    finite = [value for value in numbers if value is not None]
    if len(finite) < len(numbers):
        return None
    x, y, index, *codes = finite
    if any(value != int(value) for value in (index, *codes)):
        return None
    code, *further = (int(code) for code in codes)
    return Label(max(int(index), -1), code, (x, y), tuple(further))


def number(value: Any) -> float | None:
    """A finite float, or None; a bool is not accepted as a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        finite = float(value)
    except OverflowError:
        return None
    return finite if math.isfinite(finite) else None
