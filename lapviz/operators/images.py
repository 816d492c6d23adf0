"""Altered copies of images, for energies of augmentations (GAL23 eq. 20).

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.checks import check_count, check_nonnegative, check_points

Array = np.ndarray


@dataclass(frozen=True)
class ImageMoves:
    """Random small shifts and turns of images, for :class:`AugmentationDifferences`.

    Each image is turned about its centre by an angle uniform in [−turn, turn], and moved by
    independent distances uniform in [−shift, shift] across and down. Values between pixels are
    interpolated bilinearly; beyond the border they are 0.

    Parameters
    ----------
    shift : float, default 1, in pixels
    turn : float, default 10, in degrees
    height, width : int, default 8
        Of the images; a row of X holds the pixels line by line.
    """

    shift: float = 1.0
    turn: float = 10.0
    height: int = 8
    width: int = 8

    def __post_init__(self):
        check_nonnegative("shift", self.shift)
        check_nonnegative("turn", self.turn)
        check_count("height", self.height)
        check_count("width", self.width)
        if self.shift == 0 and self.turn == 0:
            raise ValueError(
                "With shift = 0 and turn = 0 every copy is the image itself: set one above 0."
            )

    def __call__(self, X: Array, rng: np.random.Generator) -> Array:
        """One altered copy (n, height * width) of every row of X."""
        n = len(X)
        angle = np.deg2rad(rng.uniform(-self.turn, self.turn, n))
        return self.moved(X, rng.uniform(-self.shift, self.shift, (n, 2)), angle)

    def moved(self, X: Array, shifts: Array, angles: Array) -> Array:
        """Copies of images X (n, pixels), turned by ``angles`` (n,) and then moved.

        ``shifts`` (n, 2) are in pixels, down and across; angles in radians, from down to across.
        """
        X = check_points(X)
        if X.shape[1] != self.height * self.width:
            raise ValueError(
                f"Images of {self.height} × {self.width} pixels have {self.height * self.width} "
                f"features; X has {X.shape[1]}."
            )
        down, across = np.divmod(np.arange(X.shape[1]), self.width)
        middle = (self.height - 1) / 2, (self.width - 1) / 2
        u = down - middle[0] - shifts[:, :1]
        v = across - middle[1] - shifts[:, 1:]
        cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
        return self._at(X, cos * u + sin * v + middle[0], cos * v - sin * u + middle[1])

    def _at(self, X: Array, down: Array, across: Array) -> Array:
        """Values of every image at its own places (n, pixels), between pixels too."""
        i, j = np.floor(down).astype(int), np.floor(across).astype(int)
        out, rows = np.zeros(down.shape), np.arange(len(X))[:, None]
        for a in (0, 1):
            for b in (0, 1):
                weight = (1 - np.abs(down - i - a)) * (1 - np.abs(across - j - b))
                inside = (i + a >= 0) & (i + a < self.height) & (j + b >= 0) & (j + b < self.width)
                pixel = np.where(inside, (i + a) * self.width + j + b, 0)
                out += np.where(inside, weight * X[rows, pixel], 0.0)
        return out
