"""Properties of a field that a picture shows: range, winning class, boundaries, pixels."""

from __future__ import annotations

import base64
import io

import numpy as np

from lapviz._extras import pillow
from lapviz.contract import CONTRACT
from lapviz.estimates.codes import decode
from lapviz.figures.colours import Theme, fade, shades

Array = np.ndarray

# Shares of the largest value below which a zero line is faint, or is not drawn.
FAINT, NOTHING = CONTRACT["lines"]["faint_below"], CONTRACT["lines"]["nothing_below"]
_SCALE = CONTRACT["scale"]
LEAST_REST = CONTRACT["lines"]["least_rest"]  # keeps what is faint off zero


def finite(values: Array) -> Array:
    """The values as float32, with NaN, which Plotly leaves blank, for all that are not finite."""
    with np.errstate(over="ignore"):  # beyond float32's range counts as infinite
        values = np.asarray(values, dtype=np.float32)
    return np.where(np.isfinite(values), values, np.float32(np.nan))


def winners(scores: Array) -> tuple[Array, Array]:
    """Winning class and its margin over the runner-up.

    Parameters
    ----------
    scores : array (K, ...)
        Scores of K >= 2 classes; NaN never wins.

    Returns
    -------
    codes : array (...) of int
        -1 where all scores are NaN.
    margins : array (...)
        At least 0; NaN where all scores are NaN.
    """
    scores = finite(scores)
    filled = np.where(np.isnan(scores), -np.inf, scores)
    best = decode(np.moveaxis(filled, 0, -1))
    top = filled.max(axis=0)
    np.put_along_axis(filled, best[None], -np.inf, axis=0)
    with np.errstate(invalid="ignore"):  # no number at all: inf - inf
        margins = top - filled.max(axis=0)
    codes = np.where(np.isinf(top), -1, best)
    margins[np.isinf(margins)] = 0  # a single finite score wins by an undefined margin
    return codes, margins


def scale_end(values: Array, classes: bool, inside: Array | None = None) -> float:
    """End of the colour scale of a panel, by the stage's rule (``scaleEnd`` in raster.js); or 0.

    Parameters
    ----------
    values : array (1, ...) or (K, ...)
        The field, or the values at the points where there is none.
    classes : bool
        Whether they are scores of classes rather than functions.
    inside : array (...) of bool, optional
        The places that count; by default all. Where a field is beyond the data it may be large
        without meaning anything.
    """
    if inside is not None:
        values = np.asarray(values)[:, inside]
    top = top_of(values)
    if classes or len(values) != 1 or not top > 0:
        return top
    known = finite(values)
    spread = float(np.nanmax(known)) - float(np.nanmin(known))
    return _SCALE["flat_room"] * top if spread < _SCALE["flat_below"] * top else top


def top_of(values: Array) -> float:
    """Largest |value| of (1, ...), largest margin of (K, ...); or 0."""
    sizes = np.abs(finite(values)) if len(values) == 1 else winners(values)[1]
    return float(np.nanmax(sizes, initial=0)) if not np.isnan(sizes).all() else 0.0


def boundaries(scores: Array) -> list[Array]:
    """Signed fields (ny, nx) whose zero lines together are the decision boundaries of K scores.

    One field per binary digit of the class code, the best score with that digit set less the
    best without: any two classes differ in a digit, so log2 K contours do the work of K.
    """
    scores = finite(scores)
    codes = winners(scores)[0]
    present = np.unique(codes[codes >= 0])
    if len(present) < 2:
        return []
    scores = np.where(np.isnan(scores), -np.inf, scores)[present]
    digits = np.arange(len(present))
    fields = []
    for bit in range(int(len(present) - 1).bit_length()):
        on = (digits >> bit & 1).astype(bool)
        with np.errstate(invalid="ignore"):
            fields.append(finite(scores[on].max(axis=0) - scores[~on].max(axis=0)))
    return fields


def zero_line(values: Array, top: float) -> tuple[Array | None, Array | None]:
    """What to draw the zero line of a field from: its clear part and its faint part.

    Parameters
    ----------
    values : array (ny, nx)
    top : float
        End of the colour scale, which sizes are compared with.

    Returns
    -------
    clear, faint : array (ny, nx) of float32, or None
        None if there is nothing to draw. Otherwise the field, NaN away from cells whose largest
        |value| is above ``FAINT * top`` (clear), or between ``NOTHING * top`` and that (faint).
        Values below ``FAINT * top`` are on a log scale: between nodes orders of magnitude apart,
        linear interpolation would put the zero at the smaller one, and the line would become a
        staircase.
    """
    z = finite(values)
    if not top > 0 or min(z.shape) < 2:
        return None, None
    relative = np.abs(z.astype(float)) / top
    with np.errstate(divide="ignore"):
        depth = np.log(relative / FAINT) / np.log(NOTHING / FAINT)
    flat = np.where(z < 0, -1, 1) * FAINT * top * np.maximum(1 - depth, LEAST_REST)
    flat = np.where(relative < FAINT, flat, z).astype(np.float32)
    corners = np.stack([z[:-1, :-1], z[:-1, 1:], z[1:, :-1], z[1:, 1:]])
    crossed = (corners < 0).any(axis=0) & (corners >= 0).any(axis=0)
    size = _sizes(z) / top
    clear, faint = size > FAINT, (size > NOTHING) & (size <= FAINT)
    return tuple(
        _masked(flat, cells) if (cells & crossed).any() else None for cells in (clear, faint)
    )


def clear_part(lines: Array, values: Array, top: float) -> Array:
    """``lines`` (ny, nx), NaN away from cells where ``values`` exceed ``FAINT * top``."""
    if not top > 0 or min(np.shape(values)) < 2:
        return lines
    return _masked(lines, _sizes(finite(values)) > FAINT * top)


def _sizes(z: Array) -> Array:
    """Largest |value| at the corners of each cell (ny - 1, nx - 1), ignoring NaN."""
    size = np.nan_to_num(np.abs(z.astype(float)))
    return np.max([size[:-1, :-1], size[:-1, 1:], size[1:, :-1], size[1:, 1:]], axis=0)


def _masked(values: Array, cells: Array) -> Array:
    """The values, NaN at nodes (ny, nx) that are no corner of a chosen cell (ny - 1, nx - 1)."""
    padded = np.pad(cells, 1)
    near = padded[:-1, :-1] | padded[:-1, 1:] | padded[1:, :-1] | padded[1:, 1:]
    return np.where(near, values, np.float32(np.nan))


def levels(values: Array, top: float, count: int, unbend) -> Array:
    """The field on the scale of its level lines: -count...count are the levels, 0 the zero line.

    Piecewise linear between the levels unbend(i / (count + 1)) * top, so that a contour trace,
    whose levels are evenly spaced, draws lines that are evenly spaced in colour.
    """
    i = np.arange(-count - 1, count + 2)
    at = np.sign(i) * unbend(np.abs(i) / (count + 1)) * top
    return np.interp(values, at, i).astype(np.float32)


def class_picture(scores: Array, theme: Theme, top: float, most: int) -> tuple[str, int, int]:
    """The winning class in colour, its margin as strength, interpolated to a fine image.

    Parameters
    ----------
    scores : array (K, ny, nx)
    theme : Theme
    top : float
        The margin drawn in full colour.
    most : int
        Approximate number of pixels along the longer side.

    Returns
    -------
    source : str
        PNG as a data URI, the first row of the grid at its first row.
    fx, fy : int
        Pixels per step of the grid; the outermost pixels are centred on the grid's corners.
    """
    _, ny, nx = scores.shape
    fx = fy = max(1, round(most / max(nx, ny)))
    codes, margins = winners(upsample(finite(scores), fx))
    strength = np.nan_to_num(fade(np.clip(margins / top, 0, 1)))
    step = np.rint(strength * 255).astype(int)
    pixels = np.zeros((*codes.shape, 4), np.uint8)
    table = np.linspace(0, 1, 256)
    for code in np.unique(codes[codes >= 0]):
        here = codes == code
        pixels[here, :3] = np.rint(shades(theme, int(code), table))[step[here]]
    pixels[..., 3] = np.where(codes >= 0, 255, 0)
    return png(pixels), fx, fy


def upsample(values: Array, factor: int) -> Array:
    """Bilinear interpolation of (k, ny, nx) to (k, (ny-1) factor + 1, (nx-1) factor + 1)."""
    for axis in (1, 2):
        n = values.shape[axis]
        if n < 2:
            continue
        u = np.arange((n - 1) * factor + 1) / factor
        low = np.minimum(u.astype(int), n - 2)
        t = (u - low).astype(values.dtype).reshape((-1, 1) if axis == 1 else (-1,))
        a, b = np.take(values, low, axis), np.take(values, low + 1, axis)
        between = np.where(t == 1, b, a + (b - a) * t)
        values = np.where(t == 0, a, between)  # NaN at a node does not spread to the next node
    return values


def png(pixels: Array) -> str:
    """A data URI of an RGBA image (height, width, 4), uint8."""
    file = io.BytesIO()
    pillow("A Plotly figure").fromarray(pixels).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
