"""Points that somebody drew: the data set of a drawing's code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapviz.datasets import drawings
from lapviz.datasets.base import Array, Generator, register, streams
from lapviz.datasets.dataset import Dataset
from lapviz.datasets.initial_labels import draw_labels
from lapviz.datasets.truths import Truth

PER_CLASS = 2  # labels, where none was painted
MIX = 0x9E3779B97F4A7C15  # odd, without a pattern in its bits


@register
@dataclass(frozen=True)
class Drawn(Generator):
    """A drawing: every point where it was painted, whatever the seed.

    Without points painted as labels, labels are drawn by their places, so that a point more or
    less leaves most of them as they are.
    """

    name = "drawn"
    title = "Drawing"
    description = "Points that were drawn by hand, as the code of the drawing has them."
    group = "Your data"
    max_noise = 0.0
    max_samples = drawings.MOST

    texts = ("source",)

    source: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.drawing  # a code that cannot be read is refused here

    @cached_property
    def drawing(self) -> drawings.Drawing:
        """The drawing of the code; the empty sheet without one."""
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

    def own_labels(self, n: int) -> Array | None:
        labelled = self.drawing.labelled
        return labelled.copy() if labelled.any() else None

    def truth(self, noise: float) -> Truth:
        return Truth(note="Nothing is known of the eigenvalues of a drawing.")

    @staticmethod
    def pick(X: Array, y: Array, per_class: int, random_state) -> Array:
        """Of each class the points whose places come first in an order that the seed gives."""
        drawn = draw_labels(y, per_class, random_state)  # checks the arguments
        salt = streams(random_state)[2].integers(1 << 62, dtype=np.uint64)
        bits = np.ascontiguousarray(X + 0.0).view(np.uint64)  # + 0.0: there is one zero only
        rank = _scrambled(_scrambled(_scrambled(bits[:, 0]) ^ bits[:, 1]) ^ salt)
        labelled = np.zeros_like(drawn)
        for code in np.unique(y[y >= 0]):
            rows = np.flatnonzero(y == code)
            labelled[rows[np.lexsort((rows, rank[rows]))[:per_class]]] = True
        return labelled

    def load(self, n_samples, noise, random_state, labels_per_class) -> Dataset:
        n = self.n_samples
        if n_samples not in (None, n):
            raise ValueError(f"The drawing has {n} points: n_samples must be that or None.")
        if self.check_noise(noise):
            raise ValueError("The points of a drawing have no noise: leave it out, or give 0.")
        X, y = self.drawing.X, self.drawing.codes.astype(np.int64)
        labelled = self.own_labels(n) if labels_per_class is None else None
        if labelled is None:
            per_class = PER_CLASS if labels_per_class is None else labels_per_class
            labelled = self.pick(X, y, per_class, random_state)
        return Dataset(
            X=X,
            y=y,
            labelled=labelled,
            name=self.name,
            truth=self.truth(0.0),
            class_names=self.class_names,
            feature_names=self.feature_names,
        )


def _scrambled(values: Array) -> Array:
    """Bits of 64-bit numbers, mixed (the finaliser of SplitMix64)."""
    with np.errstate(over="ignore"):
        values = (values + np.uint64(MIX)).astype(np.uint64)
        values = (values ^ values >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ values >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return values ^ values >> np.uint64(31)
