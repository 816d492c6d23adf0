"""Labels as text in a link, and what is said of a text that is not taken."""

from __future__ import annotations

from collections.abc import Callable

from lapviz.checks import Refused
from lapviz.labels import DIGITS, Label
from lapviz.parameters import integer

MAX_URL_LABELS = 400


def refusal(label: str, text: str, error: Exception) -> str:
    """What is said of a link's value that a reader did not take."""
    shown = text if len(text) <= 40 else text[:37] + "…"
    why = error if isinstance(error, Refused) else "is not a value it can take"
    return f"The link's “{label}” ({shown}) {why}. Ignored; previous value kept."


def number(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = float(text)
        if not low <= value <= high:  # NaN is refused too
            raise Refused(f"must be from {low:g} to {high:g}")
        return value

    return read


def whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = integer(text)
        if not low <= value <= high:
            raise Refused(f"must be a whole number from {low} to {high}")
        return value

    return read


def read_labels(text: str) -> tuple[Label, ...]:
    """Labels from ``12c1~1.5,-2c0.3``: row or coordinates, and classes, joined by ~.

    Several classes, joined by a full stop, are candidates.
    """
    labels = []
    for part in filter(None, text.split("~")):
        where, _, classes = part.rpartition("c")
        code, *others = (whole(0, 99)(text) for text in classes.split("."))
        if "," in where:
            x, y = (number(-1e9, 1e9)(v) for v in where.split(","))
            labels.append(Label(-1, code, (x, y), tuple(others)))
        else:
            labels.append(Label(whole(0, 10**9)(where), code, None, tuple(others)))
    if len(labels) > MAX_URL_LABELS:
        raise Refused(f"holds more than {MAX_URL_LABELS} labels")
    return tuple(labels)


def write_labels(labels: tuple[Label, ...] | None) -> str:
    """Inverse of :func:`read_labels`; coordinates are rounded to six digits."""

    def where(label: Label) -> str:
        return f"{label.x:.{DIGITS}g},{label.y:.{DIGITS}g}" if label.free else str(label.index)

    return "~".join(
        f"{where(label)}c{'.'.join(map(str, label.candidates))}" for label in labels or ()
    )
