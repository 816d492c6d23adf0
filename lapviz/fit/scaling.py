"""Columns of unlike units: when distances see only a few of them, and what is done about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz.fit.rows import StreamedRows
from lapviz.fit.specs import Report
from lapviz.spaces import sampling

Array = np.ndarray

TIMES = 20.0  # as wide as the column in the middle: that is hardly seen
COMPONENTS = 5  # columns from which on spreads do not fall from one to the next by chance
FEWEST, ROWS = 3, 5000  # that are looked at
_CONSTANT = 1e-12  # of the largest number: rounding


@dataclass(frozen=True)
class Scaling:
    """Standardised columns, x ↦ (x − center)/scale; numbers only, to be a key of caches.

    Attributes
    ----------
    center, scale : tuple of float
        Of each column; the scale of two values is half their distance, and a constant is left.
    """

    center: tuple[float, ...]
    scale: tuple[float, ...]

    @classmethod
    def of(
        cls, X: Any, weights: Any = None, scaling: str | None = "auto", automatic: bool = True
    ) -> Scaling | None:
        """The scaling of the columns of X, judged by at most 5000 rows.

        Parameters
        ----------
        X : array (n, d) or StreamedRows
        weights : array (n,), RowSubset or None
        scaling : {"auto", "standard", None}
            "auto" is "standard" where ``automatic`` is True and some columns are :func:`wide`.
        automatic : bool
            Whether everything else is chosen from the data.

        Returns
        -------
        Scaling or None
            None if the columns stay as they are.
        """
        if scaling is None or len(X) < FEWEST or (scaling == "auto" and not automatic):
            return None
        rows = sampling.rows(len(X), ROWS)
        if isinstance(X, StreamedRows):
            rows = np.intersect1d(np.arange(len(X))[rows], X.index)
        seen = np.asarray(X[rows], dtype=np.float64)
        mass = None if weights is None else weights[rows]
        with np.errstate(over="ignore", invalid="ignore"):
            mean = np.average(seen, axis=0, weights=mass)
            spread = np.sqrt(np.average((seen - mean) ** 2, axis=0, weights=mass))
            low, high = seen.min(axis=0), seen.max(axis=0)
            extent = high - low
        if scaling == "auto" and not len(wide(spread, extent)):
            return None
        of_two = ((seen == low) | (seen == high)).all(axis=0)
        scale = np.where(of_two, extent / 2, spread)
        moves = (spread > _CONSTANT * np.abs(seen).max(axis=0)) & np.isfinite(scale)
        center = np.where(moves, mean, 0.0)
        return cls(tuple(center.tolist()), tuple(np.where(moves, scale, 1.0).tolist()))

    def __call__(self, X: Any) -> Any:
        """X (n, d) with its columns scaled, of the same type of numbers; rows elsewhere as such."""
        if isinstance(X, StreamedRows):
            return replace(X, values=self(X.values), forms=_elsewhere)
        kind = np.result_type(X.dtype, np.float32)
        return (X - np.array(self.center, kind)) / np.array(self.scale, kind)

    def reported(self, report: Report) -> Report:
        """Put what was done before what a report says."""
        scale = np.array(self.scale)
        reason = (
            f"columns have spreads from {scale.min():.2g} to {scale.max():.3g}, and distances "
            "would hardly see half of them: now each has mean 0 and variance 1"
        )
        return Report((*Report().choose("scaling", "standard", reason), *report))


def _elsewhere(*_: Any):
    raise ValueError(
        'scaling="standard" needs rows in memory where an operator or kernel functions are asked '
        "for: scale the columns before, with dask_ml's StandardScaler for example."
    )


def wide(spread: Array, extent: Array) -> Array:
    """Columns beside which distances hardly see half of the others; none where units are alike.

    Parameters
    ----------
    spread, extent : array (d,)
        Standard deviations and ranges. Of pixels some hardly vary, but most have the same range;
        principal components, whose spreads fall from one to the next, are of one unit.
    """
    moving = np.flatnonzero(extent > 0)
    spread, extent = spread[moving], extent[moving]
    falling = len(moving) >= COMPONENTS and (np.diff(spread) <= 0).all()
    if len(moving) < 2 or falling or not np.isfinite(spread).all():
        return moving[:0]
    half = (len(moving) - 1) // 2
    above = [values >= TIMES * np.partition(values, half)[half] for values in (spread, extent)]
    return moving[np.logical_and(*above)]
