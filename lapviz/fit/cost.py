"""What a fit will take, told from small samples before it begins."""

from __future__ import annotations

import math
import threading
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from lapviz import memory as machine

FIRST = 500  # rows of the first sample; landmarks count twice
SIZES = 3  # samples, each twice the one before
_TRACING = threading.Lock()


@dataclass(frozen=True)
class Cost:
    """What a fit will take on this machine.

    Attributes
    ----------
    rows, columns : int
        Of X.
    seconds : float
        Expected duration.
    memory : int
        Bytes that the fit holds at most, X itself not counted.
    available : int
        Bytes that the machine had left.
    measured : int
        Rows of the largest sample that was timed.
    """

    rows: int
    columns: int
    seconds: float
    memory: int
    available: int
    measured: int

    @property
    def fits(self) -> bool:
        """Is there memory enough?"""
        return self.memory <= self.available

    def sentence(self) -> str:
        """For people: rows, seconds and memory.

        Returns
        -------
        str
            One sentence.
        """
        text = (
            f"{self.rows:,} rows of {self.columns:,} columns take about "
            f"{_duration(self.seconds)} and {_bytes(self.memory)} of memory"
        )
        if self.fits:
            return text + "."
        return f"{text}, and {_bytes(self.available)} are left: take fewer rows or landmarks."


def expected(estimator, X, y=None, *, sample_weight=None, budget: float = 0.5) -> Cost:
    """Fit small samples of the rows and extrapolate time and memory to all of them.

    The duration of samples of m, 2m and 4m rows is continued as a + b n^e with 1 ≤ e ≤ 3; the
    memory of two of them as a straight line.

    Parameters
    ----------
    estimator : estimator
        Unfitted; clones of it are fitted.
    X : array (n, d)
        All rows.
    y : array (n,), optional
        Labels (-1 for none) or values (NaN for none); every class is in the samples.
    sample_weight : array (n,), optional
        Weights of the rows.
    budget : float, default=0.5
        Seconds after which no larger sample is begun. The smallest is always fitted.

    Returns
    -------
    Cost
        Rows, seconds, memory.
    """
    X = np.asarray(X)
    n = len(X)
    order = _order(n, None if y is None else np.asarray(y))
    landmarks = getattr(estimator, "n_landmarks", 0)
    first = max(FIRST, 2 * landmarks if isinstance(landmarks, int) else 0)
    sizes = sorted({min(first << k, n) for k in range(SIZES)})

    def fit(size: int) -> float:
        rows = np.sort(order[:size])
        weights = {} if sample_weight is None else {"sample_weight": sample_weight[rows]}
        model, part = clone(estimator), np.ascontiguousarray(X[rows])
        target = () if y is None else (np.asarray(y)[rows],)
        start = time.perf_counter()
        model.fit(part, *target, **weights)
        return time.perf_counter() - start

    begin, seconds, peaks = time.perf_counter(), [], []
    fit(min(sizes[0], FIRST))  # imports and first calls do not count
    for size in sizes:
        seconds.append(fit(size))
        if time.perf_counter() - begin > budget:
            break
    for size in sizes[: min(2, len(seconds))]:
        peaks.append(_peak(lambda size=size: fit(size)))
    timed = sizes[: len(seconds)]
    line = np.interp if timed[-1] == n else None  # the whole was fitted: nothing to extrapolate
    total = seconds[-1] if line is not None else extrapolate(timed, seconds, n)
    held = extrapolate(timed[: len(peaks)], peaks, n, straight=True)
    return Cost(n, X.shape[1], total, int(held), machine.available_memory(), timed[-1])


def extrapolate(
    sizes: Sequence[int], costs: Sequence[float], n: int, straight: bool = False
) -> float:
    """Continue costs that grow as a + b m^e to size n.

    Parameters
    ----------
    sizes : sequence of int
        m, 2m, 4m, or fewer of them.
    costs : sequence of float
        Of each size.
    n : int
        The size asked for.
    straight : bool, default=False
        The exponent is 1; else it is found from three costs, within [1, 3].

    Returns
    -------
    float
        The cost at n; at least that of the largest size, if n is not below it.
    """
    if len(sizes) == 1:  # all that was measured is taken to grow with the rows
        return float(costs[0]) * max(n / sizes[0], 1.0)
    step = max(costs[-1] - costs[-2], 0.0)
    exponent = 1.0
    if len(sizes) > 2 and not straight:
        before = costs[-2] - costs[-3]
        if before > 0 and step > 0:
            exponent = min(max(math.log2(step / before), 1.0), 3.0)
    rise = (n**exponent - sizes[-1] ** exponent) / (sizes[-1] ** exponent - sizes[-2] ** exponent)
    return float(costs[-1] + step * max(rise, 0.0))


def _order(n: int, y: np.ndarray | None) -> np.ndarray:
    """All rows in random order, but one of each class and a few labelled ones first."""
    order = np.random.default_rng(0).permutation(n)
    if y is None or y.ndim != 1:
        return order
    labelled = ~np.isnan(y[order]) if y.dtype.kind == "f" else y[order] != -1
    with_label = order[labelled]
    if y.dtype.kind != "f":
        _, ones = np.unique(y[with_label], return_index=True)
        with_label = np.r_[with_label[ones], np.delete(with_label, ones)]
    head = with_label[: FIRST // 2]
    return np.r_[head, order[~np.isin(order, head)]]


def _peak(run) -> int:
    """Bytes that a call holds at most; of two calls, since other threads count too."""
    with _TRACING:
        peaks = []
        for _ in range(2):
            ours = not tracemalloc.is_tracing()
            if ours:
                tracemalloc.start()
            try:
                tracemalloc.reset_peak()
                before = tracemalloc.get_traced_memory()[0]
                run()
                peaks.append(tracemalloc.get_traced_memory()[1] - before)
            finally:
                if ours:
                    tracemalloc.stop()
        return max(min(peaks), 0)


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _bytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(size / 1e6, 1):.0f} MB"
