"""The data set of points drawn by hand, from the code of a drawing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapviz.datasets import drawings
from lapviz.datasets.base import Array, Generator, draw_labels, register

PER_CLASS = 2  # labels, if none were painted
MIX = 0x9E3779B97F4A7C15  # odd, without a pattern in its bits


@register
@dataclass(frozen=True)
class Drawn(Generator):
    """A drawing: the points are where they were painted, whatever the seed.

    If no points were painted as labels, labels are drawn by the points' coordinates, so that adding
    or removing a point leaves most of them unchanged.
    """

    name = "drawn"
    title = "Drawing"
    description = "Points drawn by hand, stored in the code of the drawing."
    group = "Your data"
    note = "Nothing is known of the eigenvalues of a drawing."
    max_noise = 0.0
    max_samples = drawings.MOST

    source: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.drawing  # an invalid code is refused here

    @cached_property
    def drawing(self) -> drawings.Drawing:
        """The decoded drawing; the empty sheet without a code."""
        return drawings.decode(self.source) if self.source else drawings.empty()

    @property
    def n_samples(self) -> int:
        return len(self.drawing.cells)

    @property
    def class_names(self) -> tuple[str, ...]:
        return tuple(f"class {c + 1}" for c in range(self.drawing.n_classes))

    @property
    def labels_per_class(self) -> int | None:
        return None if self.drawing.labelled.any() else PER_CLASS

    def fixed_labels(self, n: int) -> Array | None:
        labelled = self.drawing.labelled
        return labelled.copy() if labelled.any() else None

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        return self.drawing.X, self.drawing.codes

    def check_samples(self, n_samples: int | None) -> int:
        if n_samples not in (None, self.n_samples):
            raise ValueError(
                f"The drawing has {self.n_samples} points: n_samples must be that or None."
            )
        return self.n_samples

    def check_noise(self, noise: float | None) -> float:
        if super().check_noise(noise):
            raise ValueError("The points of a drawing have no noise: leave it out, or give 0.")
        return 0.0

    @staticmethod
    def pick(X: Array, y: Array, per_class: int, rng: np.random.Generator) -> Array:
        """Label the points of each class that come first in an order given by seed and place."""
        labelled = np.zeros_like(draw_labels(y, per_class))  # checks the arguments
        salt = rng.integers(1 << 62, dtype=np.uint64)
        bits = np.ascontiguousarray(X + 0.0).view(np.uint64)  # + 0.0 turns −0 into 0
        rank = _mixed(_mixed(_mixed(bits[:, 0]) ^ bits[:, 1]) ^ salt)
        for code in np.unique(y[y >= 0]):
            rows = np.flatnonzero(y == code)
            labelled[rows[np.lexsort((rows, rank[rows]))[:per_class]]] = True
        return labelled


def _mixed(values: Array) -> Array:
    """Mix the bits of 64-bit numbers (the finaliser of SplitMix64)."""
    with np.errstate(over="ignore"):
        values = (values + np.uint64(MIX)).astype(np.uint64)
        values = (values ^ values >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ values >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return values ^ values >> np.uint64(31)
