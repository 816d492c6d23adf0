"""A label as the browser writes it: a row [x, y, index, code]."""

from __future__ import annotations

import math
from typing import Any

from lapviz.labels import Label


def row_of(label: Label) -> list[float]:
    """The row of a label that has a place; index -1 where it is free."""
    return [float(label.x), float(label.y), int(label.index), int(label.code)]


def label_of(row: Any) -> Label | None:
    """The label of a row, or None when the row is broken: nothing from outside is trusted."""
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
    """A finite float, or None; truth values are not numbers here."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None
