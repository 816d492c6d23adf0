"""Labels and points as text in a link, and the message for a text that is refused."""

from __future__ import annotations

import re

from lapviz.checks import Refused
from lapviz.contract import CONTRACT
from lapviz.figures.curve_scenes import DIGITS as HANDLE_DIGITS
from lapviz.figures.curve_scenes import Handle
from lapviz.labels import DIGITS, Label
from lapviz.parameters import integer

MAX_URL_LABELS = 400
_HANDLES = CONTRACT["changes"]["curve"]["handles"]
MAX_HANDLES, MAX_SIZE = _HANDLES["most"], float(_HANDLES["size"])


def refusal(label: str, text: str, error: Exception) -> str:
    """Message for a value in a link that a reader has refused."""
    excerpt = text if len(text) <= 40 else text[:37] + "…"
    reason = error if isinstance(error, Refused) else "is not a value it can take"
    return f"The link's “{label}” ({excerpt}) {reason}. Ignored."


def _within(value, low: float, high: float):
    if not low <= value <= high:  # also refuses NaN
        ends = "a whole number from {} to {}" if isinstance(value, int) else "from {:g} to {:g}"
        raise Refused("must be " + ends.format(low, high))
    return value


def read_labels(text: str) -> tuple[Label, ...]:
    """Labels from ``12c1~1.5,-2c0.3``: row or coordinates, and classes, joined by ~.

    Several classes, joined by full stops, are candidates.
    """
    labels = []
    for part in filter(None, text.split("~")):
        place, _, classes = part.rpartition("c")
        code, *others = (_within(integer(text), 0, 99) for text in classes.split("."))
        if "," in place:
            x, y = (_within(float(v), -1e9, 1e9) for v in place.split(","))
            labels.append(Label(-1, code, (x, y), tuple(others)))
        else:
            labels.append(Label(_within(integer(place), 0, 10**9), code, None, tuple(others)))
    if len(labels) > MAX_URL_LABELS:
        raise Refused(f"holds more than {MAX_URL_LABELS} labels")
    return tuple(labels)


def write_labels(labels: tuple[Label, ...] | None) -> str:
    """Inverse of :func:`read_labels`; coordinates are rounded to six digits."""
    parts = []
    for label in labels or ():
        place = f"{label.x:.{DIGITS}g},{label.y:.{DIGITS}g}" if label.off_sample else label.index
        parts.append(f"{place}c{'.'.join(map(str, label.candidates))}")
    return "~".join(parts)


def read_proportions(text: str, n_classes: int = 0) -> tuple[float, ...]:
    """Class proportions from ``3,1,2``, of any number of classes if ``n_classes`` is 0."""
    try:
        values = tuple(map(float, re.split(r"[\s,:]+", text.strip())))
    except ValueError:
        values = ()
    complete = len(values) == n_classes if n_classes else bool(values)
    if not complete or not all(0 < v < 1e9 for v in values):
        count = f"{n_classes} " if n_classes else ""
        raise Refused(f"must be {count}positive numbers with commas between, one for each class")
    return values


def write_proportions(values: tuple[float, ...]) -> str:
    """Inverse of :func:`read_proportions`."""
    return ",".join(f"{v:.12g}" for v in values)


def read_handles(text: str) -> tuple[Handle, ...]:
    """Points from ``0.1,1.5,-2~0.4,1``: input, value and optionally a slope, joined by ~.

    Raises
    ------
    ValueError
        If a part is not such a point, or there are none or too many.
    """
    points = [part.split(",") for part in text.split("~")]
    if not re.fullmatch(r"[-+.,~\deE]{1,2000}", text) or {len(p) for p in points} - {2, 3}:
        raise Refused("must be points like 0.1,1.5,-2~0.4,1")
    if len(points) > MAX_HANDLES:
        raise Refused(f"must be from 1 to {MAX_HANDLES} points")
    return tuple(
        Handle(
            _within(float(x), 0, 1), *(_within(float(v), -MAX_SIZE, MAX_SIZE) for v in values)
        ).rounded()
        for x, *values in points
    )


def write_handles(handles: tuple[Handle, ...]) -> str:
    """Inverse of :func:`read_handles`."""
    parts = []
    for handle in handles:
        numbers = (handle.x, handle.value, handle.slope)
        parts.append(",".join(f"{v:.{HANDLE_DIGITS}g}" for v in numbers if v is not None))
    return "~".join(parts)
