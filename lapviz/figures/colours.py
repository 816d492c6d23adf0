"""Colours and shapes of the figures, from the table shared with the stage.

Class colours follow Okabe and Ito, and each class has its shape; heat maps run from blue to orange.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from lapviz.contract import CONTRACT

Array = np.ndarray
Scale = list[tuple[float, str]]

# The shapes of the classes by Plotly's names: its "cross" is upright, its "x" on the diagonals.
_PLOTLY = {"triangle": "triangle-up", "plus": "cross", "wedge": "triangle-down", "cross": "x"}
SYMBOLS = tuple(_PLOTLY.get(shape, shape) for shape in CONTRACT["shapes"])
_FADE = CONTRACT["fade"]
_QUARTERS = np.linspace(0, 1, 5).tolist()
_STEPS = np.linspace(0, 1, 6)  # strengths of a colour that are stops of a scale


@dataclass(frozen=True)
class Theme:
    """The colours of a figure.

    Attributes
    ----------
    name : str
        "auto", "light" or "dark".
    text, faint : str
        Text; axis lines and ticks.
    line : str
        Level lines and dots on a map.
    halo, outline : str
        Inside and edge of marks that belong to no class.
    plate : str
        Background of text on a picture; the text has the colour of ``outline``.
    middle : str
        The value 0.
    classes : tuple of str
        One colour per class; further classes reuse them from the start.
    series : tuple of str
        Curves, on the page's background.
    functions, pair, dots : list of (position, colour)
        Diverging colour scales: signed functions; scores of two classes, bent by :func:`fade`;
        functions at points on the page's background.
    """

    name: str
    text: str
    faint: str
    line: str
    halo: str
    outline: str
    plate: str
    middle: str
    classes: tuple[str, ...]
    series: tuple[str, ...]
    functions: Scale
    pair: Scale
    dots: Scale

    def symbol(self, code: int) -> dict:
        """Colour and shape of a class, as a marker: the next shape where the colours repeat."""
        colour, shift = self.classes[code % len(self.classes)], code // len(SYMBOLS)
        return {"symbol": SYMBOLS[(code + shift) % len(SYMBOLS)], "color": colour}


def fade(t: Array) -> Array:
    """Strength of a colour at a relative score t in [0, 1].

    Estimates decay by orders of magnitude away from the labels; a root keeps their sign visible.
    """
    return np.power(t, _FADE["power"])


def rgb(colour: str) -> Array:
    """sRGB values in [0, 255] of "#rrggbb", array (3,)."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def clear(colour: str, alpha: float) -> str:
    """The colour "#rrggbb" with opacity ``alpha``, as rgba()."""
    return "rgba({:.0f}, {:.0f}, {:.0f}, {})".format(*rgb(colour), alpha)


def blend(a: str, b: str, t: float) -> str:
    """Interpolate between the colours a and b at t in [0, 1]."""
    return "#{:02x}{:02x}{:02x}".format(*np.rint(rgb(a) + t * (rgb(b) - rgb(a))).astype(int))


def class_scale(theme: Theme, n_classes: int) -> Scale:
    """Colour scale over [0, n_classes]: the value code + strength is a shade of that class."""
    return [
        ((code + t) / n_classes,
         blend(theme.middle, theme.symbol(code)["color"], _FADE["weakest"] + _FADE["range"] * t))
        for code in range(n_classes)
        for t in _STEPS.tolist()
    ]  # fmt: skip


@cache
def theme(name: str = "auto") -> Theme:
    """The colours for a page that is "light", "dark" or unknown ("auto").

    Raises
    ------
    ValueError
        If the name is not one of these.
    """
    if name not in ("auto", "light", "dark"):
        raise ValueError(f'theme must be "auto", "light" or "dark", got {name!r}.')
    dark = name == "dark"
    shared = CONTRACT["themes"]["dark" if dark else "light"]
    middle = "#20242c" if dark else "#fcfbf7"
    classes, signed = tuple(shared["classes"]), [*shared["cold"], middle, *shared["warm"]]
    dots = signed
    if name == "auto":  # both ends and the middle must be visible on white and on black
        dots = ["#1667b0", "#6fb0e0", "#c4c8ce", "#f0a860", "#c05a10"]
    # from one class to the other: each strength at the score that yields it
    steps = [(t ** (1 / _FADE["power"]), t) for t in _STEPS.tolist()]
    low = [((1 - score) / 2, blend(middle, classes[0], t)) for score, t in steps]
    high = [((1 + score) / 2, blend(middle, classes[1], t)) for score, t in steps]
    curves = ("#2f86cc", "#e07b00", "#0f9d76", "#c65a97", "#8f6fd0", "#a07a45")
    return Theme(
        name=name,
        # 4.3 : 1 against white as against Streamlit's dark page
        text={"auto": "#757a82", "light": "#31333f", "dark": "#fafafa"}[name],
        faint="rgba(128, 133, 142, 0.42)",
        line=shared["line"],
        halo=shared["halo"],
        outline=shared["outline"],
        plate="rgba(14, 17, 23, 0.93)" if dark else "rgba(255, 255, 255, 0.93)",
        middle=middle,
        classes=classes,
        series=classes if dark else curves,
        functions=list(zip(_QUARTERS, signed, strict=True)),
        pair=low[:0:-1] + high,
        dots=list(zip(_QUARTERS, dots, strict=True)),
    )
