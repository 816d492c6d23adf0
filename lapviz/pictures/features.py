"""Pixels as points: colour and position, and a weight between the two."""

from __future__ import annotations

import numpy as np

from lapviz.pictures.colour import cielab

Array = np.ndarray


def features(rgb: Array, weight: float = 0.5) -> Array:
    """One point for each pixel: (√(1 − w) · colour, √w · position).

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
        If the weight is not from 0 to 1.
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
