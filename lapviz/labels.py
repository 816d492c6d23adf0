"""The record of one label, common to pictures, settings, links, tables and estimates."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lapviz.checks import Refused
from lapviz.contract import CONTRACT
from lapviz.parameters import NUMBER, integer, within

DIGITS = CONTRACT["labels"]["digits"]  # of an off-sample label's coordinates, in links and browser
ZERO = CONTRACT["labels"]["zero"]  # share of a picture's span below which a coordinate is 0
MOST_IN_LINK = 400
FARTHEST = 1e9  # coordinate of a label off the sample
_LABEL = re.compile(rf"\s*(?:\+?\d+|{NUMBER}\s*,\s*{NUMBER})c\d+(?:\.\d+)*\s*")


@dataclass(frozen=True)
class Label:
    """One labelled point.

    Attributes
    ----------
    index : int
        Row of the data set, or -1 for an *off-sample* label: a point outside the data set.
    code : int
        Class code.
    place : (x, y) or None
        Coordinates in the plane of a picture. An off-sample label always has them, since they
        identify it; the label of a row has them only as part of a picture.
    others : tuple of int
        Further candidate classes, ascending: the point belongs to one of these or to ``code``,
        and which one is unknown. Empty for an ordinary label.

    Raises
    ------
    ValueError
        If the index is below -1, or an off-sample label has no place.
    """

    index: int
    code: int
    place: tuple[float, float] | None = None
    others: tuple[int, ...] = ()

    def __post_init__(self):
        if self.index < -1:
            raise ValueError(f"A label's row must be at least -1, got {self.index}.")
        if self.off_sample and self.place is None:
            raise ValueError("An off-sample label (index -1) needs a place.")
        object.__setattr__(self, "others", tuple(sorted({*self.others} - {self.code})))

    @property
    def off_sample(self) -> bool:
        """Whether the point is outside the data set."""
        return self.index < 0

    @property
    def candidates(self) -> tuple[int, ...]:
        """All classes that the point may have."""
        return (self.code, *self.others)

    @property
    def _placed(self) -> tuple[float, float]:
        if self.place is None:
            raise ValueError(f"The label of row {self.index} has no place: use at(x, y).")
        return self.place

    @property
    def x(self) -> float:
        return self._placed[0]

    @property
    def y(self) -> float:
        return self._placed[1]

    @property
    def key(self) -> int | tuple[float, float]:
        """What identifies the labelled point: the row, or the place of an off-sample label."""
        return self._placed if self.off_sample else self.index

    def at(self, x: float, y: float) -> Label:
        """The same label with a place in a picture."""
        return replace(self, place=(float(x), float(y)))

    def snapped(self, wide: float, high: float) -> Label:
        """The same label in a picture of this size, with coordinates close to 0 set to 0.

        A click at the origin arrives as 7.3e-8: rounding, which nobody wants to read.
        """
        x, y = self._placed
        return self.at(0.0 if abs(x) < ZERO * wide else x, 0.0 if abs(y) < ZERO * high else y)

    def lasting(self) -> Label:
        """The label independent of a picture: a row without place, or a place rounded as in links.

        A row is the same point in every plane.
        """
        if not self.off_sample:
            return replace(self, place=None)
        return self.at(*(float(f"{v:.{DIGITS}g}") for v in self._placed))


def read_labels(text: str) -> tuple[Label, ...]:
    """Labels from ``12c1~1.5,-2c0.3``: row or coordinates, and classes, joined by ~.

    Several classes, joined by full stops, are candidates.
    """
    labels = []
    for part in filter(None, text.split("~")):
        if not _LABEL.fullmatch(part):
            raise Refused("must be labels like 12c1~1.5,-2c0: a row or a point, and a class")
        place, _, classes = part.rpartition("c")
        code, *others = (within(integer(text), 0, 99) for text in classes.split("."))
        if "," in place:
            x, y = (within(float(v), -FARTHEST, FARTHEST) for v in place.split(","))
            labels.append(Label(-1, code, (x, y), tuple(others)))
        else:
            labels.append(Label(within(integer(place), 0, 10**9), code, None, tuple(others)))
    if len(labels) > MOST_IN_LINK:
        raise Refused(f"holds more than {MOST_IN_LINK} labels")
    return tuple(labels)


def write_labels(labels: tuple[Label, ...] | None) -> str:
    """Inverse of :func:`read_labels`; coordinates are rounded to six digits."""
    parts = []
    for label in labels or ():
        place = f"{label.x:.{DIGITS}g},{label.y:.{DIGITS}g}" if label.off_sample else label.index
        parts.append(f"{place}c{'.'.join(map(str, label.candidates))}")
    return "~".join(parts)
