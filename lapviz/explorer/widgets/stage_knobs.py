"""A number that a hand can move on the stage or in the sidebar, as the browser gets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lapviz.figures.stage.rows import number


@dataclass(frozen=True)
class Knob:
    """A slider on a fixed scale, with its number to type.

    Attributes
    ----------
    name : str
        The setting, or a name that ``take`` understands.
    label, symbol, help : str
        Its name for people, its letter if it has one, a sentence.
    value : float
        What it is now.
    low, high, step : float
        Ends of the scale; the distance of two positions, or on a "log" scale positions per decade.
    scale : {"linear", "log"}
    values : tuple of float
        The positions, where they are not even.
    whole, zero : bool
        Whole numbers only; whether 0 stands before the low end of a log scale.
    auto : bool or None
        Whether it is chosen from the data; None: that is no choice here.
    limits : (float, float) or None
        What may be typed, if that is more than the scale.
    disabled : str
        Why it has no effect now, or "".
    """

    name: str
    label: str
    value: float
    low: float
    high: float
    step: float
    symbol: str = ""
    help: str = ""
    scale: str = "linear"
    values: tuple[float, ...] = ()
    whole: bool = False
    zero: bool = False
    auto: bool | None = None
    limits: tuple[float, float] | None = None
    disabled: str = ""

    def read(self, raw: Any) -> float | str | None:
        """The value that the browser sent, within the limits; None if it cannot be used."""
        if raw == "auto":
            return "auto" if self.auto is not None else None
        value = number(raw)
        if value is None:
            return None
        low, high = self.limits or (self.low, self.high)
        value = min(max(value, 0.0 if self.zero and value <= 0 else low), high)
        return round(value) if self.whole else float(f"{value:.6g}")
