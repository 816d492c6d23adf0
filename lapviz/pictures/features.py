"""Pixels as points: colour and position, and a weight between the two.

Colours are in CIELAB, in which distances are roughly proportional to perceived differences (CIE
15:2004, for the white D65; IEC 61966-2-1 for sRGB).
"""

from __future__ import annotations

import numpy as np

from lapviz.contract import CONTRACT

Array = np.ndarray


WHITE = np.array([0.95047, 1.0, 1.08883])  # D65: the sums of the rows below
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_BEND = 6 / 29
_SRGB = CONTRACT["srgb"]


_CHANNEL = np.arange(256) / 255
_CURVED = ((_CHANNEL + _SRGB["offset"]) / (1 + _SRGB["offset"])) ** _SRGB["power"]
# linear light of the 256 values of a channel
_LINEAR = np.where(_SRGB["bend"] >= _CHANNEL, _CHANNEL / _SRGB["slope"], _CURVED)


def cielab(rgb: Array) -> Array:
    """Convert sRGB colours to CIELAB.

    Parameters
    ----------
    rgb : uint8 array (…, 3)
        Red, green and blue, 0 to 255.

    Returns
    -------
    array (…, 3)
        L*, from 0 (black) to 100 (white); a*, green to red; b*, blue to yellow.

    Raises
    ------
    ValueError
        If the array has another type or shape.
    """
    rgb = np.asarray(rgb)
    if rgb.dtype != np.uint8 or rgb.shape[-1:] != (3,):
        raise ValueError(
            f"rgb must be an array (…, 3) of uint8, got {rgb.dtype} of shape {rgb.shape}."
        )
    t = _LINEAR[rgb] @ (TO_XYZ / WHITE[:, None]).T
    f = np.where(t > _BEND**3, np.cbrt(t), t / (3 * _BEND**2) + 4 / 29)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def features(rgb: Array, weight: float = 0.5) -> Array:
    """Return a point for each pixel: (√(1 − w) · colour, √w · position).

    Colour is CIELAB, position in pixels. Both are centred and scaled to mean square 1 over the
    picture, so that w is the share of the position in the mean squared distance of two pixels,
    whatever the picture's size and contrast. A part that does not vary is 0.

    Parameters
    ----------
    rgb : uint8 array (h, w, 3)
        The picture.
    weight : float, default 0.5
        w, from 0 (colour alone) to 1 (position alone).

    Returns
    -------
    float32 array (h·w, 5)
        The points, row by row of the picture.

    Raises
    ------
    ValueError
        If the weight is not in [0, 1].
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"weight must be from 0 (colour alone) to 1 (position alone): {weight!r}.")
    h, w = rgb.shape[:2]
    y, x = np.mgrid[:h, :w]
    position = np.stack([x.ravel(), y.ravel()], axis=1).astype(float)
    points = np.empty((h * w, 5), dtype=np.float32)
    points[:, :3] = np.sqrt(1 - weight) * _scaled(cielab(rgb).reshape(-1, 3))
    points[:, 3:] = np.sqrt(weight) * _scaled(position)
    return points


def _scaled(part: Array) -> Array:
    part = part - part.mean(axis=0)
    spread = np.sqrt(np.einsum("ij,ij->", part, part) / len(part))
    return part / spread if spread > 1e-9 else np.zeros_like(part)
