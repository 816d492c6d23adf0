"""A label as the browser writes it: a row [x, y, index, code]."""

from __future__ import annotations

import math
from typing import Any

from lapviz.labels import Label


def row_of(label: Label) -> list[float]:
    """The row of a label with a place; index -1 for a free label."""
    return [float(label.x), float(label.y), int(label.index), int(label.code)]


def label_of(row: Any) -> Label | None:
    """The label of a row, or None if the row is invalid: nothing from outside is trusted."""
    if not isinstance(row, list) or len(row) != 4:
        return None
    numbers = [number(value) for value in row]
    if any(value is None for value in numbers):
        return None
    x, y, index, code = numbers
    if index != int(index) or code != int(code):
        return None
    return Label(max(int(index), -1), int(code), (x, y))


def number(value: Any) -> float | None:
    """A finite float, or None; a bool is not accepted as a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        finite = float(value)
    except OverflowError:
        return None
    return finite if math.isfinite(finite) else None
