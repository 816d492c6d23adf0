"""Values as texts in a URL or a text field: readers that refuse with a sentence, and writers."""

from __future__ import annotations

import re
from collections.abc import Callable

from lapviz.checks import Refused
from lapviz.labels import DIGITS, Label

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


def integer(text: str) -> int:
    """A whole number in any usual notation: 2000, 2,000, 2 000, 2'000 or 2e3."""
    text = text.strip()
    if re.fullmatch(r"\d{1,3}(([,'’_ \u00a0\u2009\u202f])\d{3})(\2\d{3})*", text):
        text = re.sub(r"\D", "", text)
    if re.fullmatch(r"\d(\.\d+)?[eE]\d{1,2}", text) and float(text) == int(float(text)):
        return int(float(text))
    return int(text)


def whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = integer(text)
        if not low <= value <= high:
            raise Refused(f"must be a whole number from {low} to {high}")
        return value

    return read


def one_of(names: Callable[[], tuple[str, ...]]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names():
            raise Refused(f"must be one of {', '.join(names())}")
        return text

    return read


def short(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


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
