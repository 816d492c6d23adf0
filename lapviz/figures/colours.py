"""Colours and shapes, as in the explorer: diverging maps and ten class colours, mixed in OKLab.

Class colours follow Okabe and Ito, and each class has a shape; maps run from blue to orange.
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
CLASSES_LIGHT = tuple(CONTRACT["themes"]["light"]["classes"])
CLASSES_DARK = tuple(CONTRACT["themes"]["dark"]["classes"])
_FADE, _SRGB = CONTRACT["fade"], CONTRACT["srgb"]

# OKLab, after B. Ottosson (2020): linear sRGB -> cone responses -> cube root -> L, a, b.
_TO_CONES = np.array(CONTRACT["oklab"]["to_cones"])
_TO_LAB = np.array(CONTRACT["oklab"]["to_lab"])


@dataclass(frozen=True)
class Theme:
    """The colours of a figure.

    Attributes
    ----------
    text, faint : str
        Text; axis lines and ticks.
    line : str
        Level lines and dots on a map, as "r, g, b".
    halo, outline : str
        Around labelled points: a wide ring, and a thin edge on it.
    plate : str
        Background of text on a picture; the text has the colour of ``outline``.
    middle : array (3,)
        sRGB in 0...255 of the value 0.
    classes : tuple of str
        One colour per class; further classes start again.
    series : tuple of str
        Curves, on the page's background.
    functions, pair, dots : list of (position, colour)
        Diverging colour scales: signed functions; scores of two classes, bent by :func:`fade`;
        functions at points on the page's background.
    """

    text: str
    faint: str
    line: str
    halo: str
    outline: str
    plate: str
    middle: Array
    classes: tuple[str, ...]
    series: tuple[str, ...]
    functions: Scale
    pair: Scale
    dots: Scale


def fade(t: Array) -> Array:
    """Strength of a colour at a relative score t in [0, 1].

    Estimates decay by orders of magnitude away from the labels: a root keeps their sign visible.
    """
    return np.power(t, _FADE["power"])


def unfade(strength: Array) -> Array:
    """Inverse of :func:`fade`."""
    return np.power(strength, 1 / _FADE["power"])


def rgb(colour: str) -> Array:
    """sRGB in 0...255, array (3,), of "#rrggbb"."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def css(colour: Array) -> str:
    """Plotly's name of an sRGB colour (3,)."""
    return "rgb({}, {}, {})".format(*np.rint(colour).astype(int))


def blend(a: Array, b: Array, t: Array) -> Array:
    """Colours between a (..., 3) and b (..., 3) at t (...), perceptually even (OKLab)."""
    p, q = _to_lab(a), _to_lab(b)
    return _from_lab(p + (q - p) * np.asarray(t, dtype=float)[..., None])


def ramp(anchors: list[Array], t: Array) -> Array:
    """Colours (m, 3) at t (m,) in [0, 1] along equally spaced anchors."""
    u = np.clip(t, 0, 1) * (len(anchors) - 1)
    k = np.minimum(u.astype(int), len(anchors) - 2)
    stops = np.array(anchors)
    return blend(stops[k], stops[k + 1], u - k)


def shades(theme: Theme, code: int, strength: Array) -> Array:
    """Colours (m, 3) of a class from the weakest win (strength 0) to the clearest (1)."""
    colour = rgb(theme.classes[code % len(theme.classes)])
    strength = _FADE["weakest"] + _FADE["range"] * np.asarray(strength)
    return blend(theme.middle, colour, strength)


def class_scale(theme: Theme, n_classes: int, steps: int = 6) -> Scale:
    """Colour scale over [0, n_classes]: the value code + strength has that class's shade."""
    strength = np.linspace(0, 1, steps)
    return [
        ((code + t) / n_classes, css(colour))
        for code in range(n_classes)
        for t, colour in zip(strength, shades(theme, code, strength), strict=True)
    ]


def theme(name: str = "auto") -> Theme:
    """The colours for a page that is "light", "dark", or not known ("auto").

    Raises
    ------
    ValueError
        If the name is none of these.
    """
    if name not in ("auto", "light", "dark"):
        raise ValueError(f'theme must be "auto", "light" or "dark", got {name!r}.')
    return _theme(name)


@cache
def _theme(name: str) -> Theme:
    dark = name == "dark"
    # 4.3 : 1 against white as against Streamlit's dark page
    text = {"auto": "#757a82", "light": "#31333f", "dark": "#fafafa"}[name]
    middle = rgb("#20242c") if dark else rgb("#fcfbf7")
    shared = CONTRACT["themes"]["dark" if dark else "light"]
    cold, cool, mild, warm = map(rgb, (*shared["cold"], *shared["warm"]))
    classes = CLASSES_DARK if dark else CLASSES_LIGHT
    first, second = rgb(classes[0]), rgb(classes[1])
    sided = [
        first,
        blend(middle, first, _FADE["knee"]),
        middle,
        blend(middle, second, _FADE["knee"]),
        second,
    ]
    dots = [cold, cool, middle, mild, warm]
    if name == "auto":  # both ends and the middle must be visible on white and on black
        dots = [rgb(c) for c in ("#1667b0", "#6fb0e0", "#c4c8ce", "#f0a860", "#c05a10")]
    curves = ("#2f86cc", "#e07b00", "#0f9d76", "#c65a97", "#8f6fd0", "#a07a45")
    return Theme(
        text=text,
        faint="rgba(128, 133, 142, 0.42)",
        line="{:.0f}, {:.0f}, {:.0f}".format(*rgb(shared["line"])),
        halo=shared["halo"],
        outline=shared["outline"],
        plate="rgba(14, 17, 23, 0.93)" if dark else "rgba(255, 255, 255, 0.93)",
        middle=middle,
        classes=classes,
        series=classes if dark else curves,
        functions=_diverging([cold, cool, middle, mild, warm], lambda t: t),
        pair=_diverging(sided, unfade),
        dots=_diverging(dots, lambda t: t),
    )


def _diverging(anchors: list[Array], unbend, half: int = 12) -> Scale:
    """Stops evenly spaced in colour; ``unbend`` gives the distance from the middle in value."""
    strength = np.linspace(-1, 1, 2 * half + 1)
    at = (1 + np.sign(strength) * unbend(np.abs(strength))) / 2
    colours = ramp(anchors, (1 + strength) / 2)
    return [(float(p), css(colour)) for p, colour in zip(at, colours, strict=True)]


def _to_lab(colour: Array) -> Array:
    c = np.asarray(colour, dtype=float) / 255
    offset, slope = _SRGB["offset"], _SRGB["slope"]
    curve = ((c + offset) / (1 + offset)) ** _SRGB["power"]
    linear = np.where(c <= _SRGB["bend"], c / slope, curve)
    return np.cbrt(linear @ _TO_CONES.T) @ _TO_LAB.T


def _from_lab(lab: Array) -> Array:
    linear = np.linalg.solve(_TO_CONES, (np.linalg.solve(_TO_LAB, lab[..., None])) ** 3)[..., 0]
    linear = np.clip(linear, 0, 1)
    offset, slope = _SRGB["offset"], _SRGB["slope"]
    curve = (1 + offset) * linear ** (1 / _SRGB["power"]) - offset
    c = np.where(linear <= _SRGB["linear_bend"], slope * linear, curve)
    return np.clip(255 * c, 0, 255)
