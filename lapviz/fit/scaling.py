"""Standardisation of columns whose units differ so much that distances depend on few of them.

The columns alone decide, :func:`wide`. The values of a regressor with default settings may decide
for it, too: where they are likelier after it, by their evidence (:mod:`lapviz.fit.few_targets`).
They do not decide against it: on real tables that was no gain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz.fit.reports import Report
from lapviz.fit.rows import StreamedRows
from lapviz.spaces import sampling

Array = np.ndarray

WIDE = 20.0  # times the median width: beside such a column the median one hardly matters
COMPONENTS = 5  # columns from which on spreads are not decreasing by chance
FEWEST, ROWS = 3, 5000  # rows that "auto" needs, and that are used at most
ALIKE = 2.0  # ratio of spreads up to which standardising changes little
DECISIVE = 3.0  # log evidence of the values for standard columns, from which on they are taken
_CONSTANT = 1e-12  # of the largest number: rounding


@dataclass(frozen=True)
class Scaling:
    """Standardised columns, x ↦ (x − center)/scale; hashable, as a key of caches.

    Attributes
    ----------
    center, scale : tuple of float
        Of each column; two-valued columns have half the distance as scale, constant ones are left.
    constant : tuple of int
        The columns that are left.
    """

    center: tuple[float, ...]
    scale: tuple[float, ...]
    constant: tuple[int, ...] = ()

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
        if scaling is None or (scaling == "auto" and (not automatic or len(X) < FEWEST)):
            return None
        rows = sampling.rows(len(X), ROWS)
        if isinstance(X, StreamedRows):
            rows = np.intersect1d(np.arange(len(X))[rows], X.index)
        sampled = np.asarray(X[rows], dtype=np.float64)
        mass = None if weights is None else weights[rows]
        with np.errstate(over="ignore", invalid="ignore"):
            mean = np.average(sampled, axis=0, weights=mass)
            spread = np.sqrt(np.average((sampled - mean) ** 2, axis=0, weights=mass))
            low, high = sampled.min(axis=0), sampled.max(axis=0)
            extent = high - low
        if scaling == "auto" and not len(wide(spread, extent)):
            return None
        two_valued = ((sampled == low) | (sampled == high)).all(axis=0)
        scale = np.where(two_valued, extent / 2, spread)
        varies = (spread > _CONSTANT * np.abs(sampled).max(axis=0)) & np.isfinite(scale)
        center, scale = np.where(varies, mean, 0.0), np.where(varies, scale, 1.0)
        constant = np.flatnonzero(~varies)
        return cls(tuple(center.tolist()), tuple(scale.tolist()), tuple(constant.tolist()))

    def __call__(self, X: Any) -> Any:
        """X (n, d) with scaled columns and the same floating-point type; streamed rows stay so."""
        if isinstance(X, StreamedRows):
            return replace(X, values=self(X.values), forms=_refuse_forms)
        dtype = np.result_type(X.dtype, np.float32)
        return (X - np.array(self.center, dtype)) / np.array(self.scale, dtype)

    def matters(self, X: Array) -> bool:
        """Whether those columns of X that vary have unlike spreads."""
        spreads = np.array(self.scale)[np.ptp(X, axis=0) > 0]
        return len(spreads) > 1 and bool(spreads.max() > ALIKE * spreads.min())

    def reported(self, report: Report, because: str = "") -> Report:
        """The report with the scaling first; ``because`` of the columns alone by default."""
        because = because or "distances would hardly see half of the columns"
        varying = np.delete(self.scale, self.constant)
        reason = (
            f"{because}: now each has mean 0, divided by its "
            f"spread (two values by half their distance), from {varying.min():.2g} to "
            f"{varying.max():.3g}"
        )
        return Report((*Report().choose("scaling", "standard", reason), *report))


def _refuse_forms(*_: Any):
    raise ValueError(
        'scaling="standard" needs rows in memory if an operator or kernel functions are requested: '
        "scale the columns before, with dask_ml's StandardScaler for example."
    )


def wide(spread: Array, extent: Array) -> Array:
    """Columns so wide that half of the others hardly enter distances; none if units are alike.

    Parameters
    ----------
    spread, extent : array (d,)
        Standard deviations and ranges. Some pixels hardly vary, but most have the same range;
        principal components, whose spreads decrease from one to the next, share one unit.
    """
    varying = np.flatnonzero(extent > 0)
    spread, extent = spread[varying], extent[varying]
    decreasing = len(varying) >= COMPONENTS and (np.diff(spread) <= 0).all()
    if len(varying) < 2 or decreasing or not np.isfinite(spread).all():
        return varying[:0]
    half = (len(varying) - 1) // 2
    above = [values >= WIDE * np.partition(values, half)[half] for values in (spread, extent)]
    return varying[np.logical_and(*above)]
