"""The record of one label, common to pictures, settings, links, tables and estimates."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lapviz.contract import CONTRACT

DIGITS = CONTRACT["labels"]["digits"]  # of a free label's place, in links as in the browser
ZERO = CONTRACT["labels"]["zero"]  # share of a picture's span below which a coordinate is 0


@dataclass(frozen=True)
class Label:
    """One labelled point.

    Attributes
    ----------
    index : int
        Row of the data set, or -1 for a *free* label: a point that is not in the data set.
    code : int
        Class code.
    place : (x, y) or None
        Coordinates in the plane of a picture. A free label always has them, since they are what
        identifies it; the label of a row has them only as part of a picture.
    others : tuple of int
        Further candidate classes, ascending: the point is of one of these classes or of ``code``,
        and it is not known of which. Empty for an ordinary label.

    Raises
    ------
    ValueError
        If the index is below -1, or a free label has no place.
    """

    index: int
    code: int
    place: tuple[float, float] | None = None
    others: tuple[int, ...] = ()

    def __post_init__(self):
        if self.index < -1:
            raise ValueError(f"A label's row must be at least -1, got {self.index}.")
        if self.free and self.place is None:
            raise ValueError("A free label (index -1) needs a place.")
        object.__setattr__(self, "others", tuple(sorted({*self.others} - {self.code})))

    @property
    def free(self) -> bool:
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
        """What identifies the labelled point: the row, or the place of a free label."""
        return self._placed if self.free else self.index

    def at(self, x: float, y: float) -> Label:
        """The same label with a place in a picture."""
        return replace(self, place=(float(x), float(y)))

    def snapped(self, wide: float, high: float) -> Label:
        """The same label in a picture of that size, a coordinate that is all but 0 put to 0.

        A click at the origin comes as 7.3e-8: rounding, which nobody wants to read.
        """
        x, y = self._placed
        return self.at(0.0 if abs(x) < ZERO * wide else x, 0.0 if abs(y) < ZERO * high else y)

    def lasting(self) -> Label:
        """The label independent of a picture: a row without place, or a place rounded as in links.

        A row is the same point in every plane.
        """
        if not self.free:
            return replace(self, place=None)
        return self.at(*(float(f"{v:.{DIGITS}g}") for v in self._placed))
