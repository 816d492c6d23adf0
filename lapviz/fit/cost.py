"""What a fit will take, told from small samples before it begins."""

from __future__ import annotations

import math
import time
import tracemalloc
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from lapviz import memory as machine

FIRST = 500  # rows of the first sample


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
            f"{self.rows:,} rows of {self.columns:,} columns take "
            f"{_duration(self.seconds)} and {_bytes(self.memory)} of memory"
        )
        if self.fits:
            return text + "."
        return f"{text}, and {_bytes(self.available)} are left: take fewer rows or landmarks."


def expected(
    estimator, X, y=None, *, sample_weight=None, budget: float = 2.0, n: int | None = None,
    trace: bool = True,
) -> Cost:  # fmt: skip
    """Fit growing samples of the rows and extrapolate time and memory to all of them.

    Each sample has twice the rows of the one before; :func:`extrapolate` continues what the last
    three took. The time is rather too high than too low while automatic numbers of landmarks still
    grow with the rows. Memory is traced by :mod:`tracemalloc`, which is not safe beside other
    threads: there, use :func:`lapviz.fit.apart.expected_apart`.

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
    budget : float, default=2.0
        Seconds that the samples may take, about; at least one is fitted.
    n : int, optional
        Rows of the whole, if X is a part of it; default: those of X.
    trace : bool, default=True
        Whether to measure memory; it is 0 otherwise.

    Returns
    -------
    Cost
        Rows, seconds, memory.
    """
    X, y = np.asarray(X), None if y is None else np.asarray(y)
    there, random_order = len(X), order(len(X), y)

    def fit(size: int) -> tuple[float, int]:
        rows = np.sort(random_order[:size])
        weights = {} if sample_weight is None else {"sample_weight": sample_weight[rows]}
        target = () if y is None else (y[rows],)
        model, part = clone(estimator), np.ascontiguousarray(X[rows])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of small samples; the fit itself says its own
            return _measured(lambda: model.fit(part, *target, **weights), trace)

    n = there if n is None else n
    begin, size = time.perf_counter(), min(FIRST, there)
    fit(size)  # what is imported at the first call does not count
    sizes, costs = [size], [fit(size)]
    while size < there and time.perf_counter() - begin + 2 * costs[-1][0] < budget:
        size = min(2 * size, there)
        sizes.append(size)
        costs.append(fit(size))
    seconds, held = (extrapolate(sizes[-3:], column, n) for column in zip(*costs[-3:], strict=True))
    return Cost(n, X.shape[1], seconds, int(held), machine.available_memory(), size)


def extrapolate(sizes: Sequence[int], costs: Sequence[float], n: int) -> float:
    """Continue costs to size n: three as a + b m^e, two as b m^e, one in proportion.

    The exponent is held within [1, 3].

    Parameters
    ----------
    sizes : sequence of int
        Ascending, each about twice the one before; the last three count.
    costs : sequence of float
        Of each size.
    n : int
        The size asked for, at least the largest.

    Returns
    -------
    float
        The cost at n.
    """
    if len(sizes) == 1:
        return float(costs[0]) * n / sizes[0]
    last, growth = costs[-1], math.log(sizes[-1] / sizes[-2])
    if len(sizes) == 2:
        ratio = max(last, 1e-9) / max(costs[0], 1e-9)
        return float(last * (n / sizes[-1]) ** min(max(math.log(ratio) / growth, 1.0), 3.0))
    step, before = last - costs[-2], costs[-2] - costs[-3]
    exponent = math.log(step / before) / growth if step > 0 and before > 0 else 1.0
    exponent = min(max(exponent, 1.0), 3.0)
    share = (sizes[-2] / sizes[-1]) ** exponent
    return float(last + max(step, 0.0) * ((n / sizes[-1]) ** exponent - 1) / (1 - share))


def order(n: int, y: np.ndarray | None) -> np.ndarray:
    """All rows in random order, but one of each class and a few labelled ones first."""
    rows = np.random.default_rng(0).permutation(n)
    if y is None or y.ndim != 1:
        return rows
    labelled = ~np.isnan(y[rows]) if y.dtype.kind == "f" else y[rows] != -1
    with_label = rows[labelled]
    if y.dtype.kind != "f":
        _, ones = np.unique(y[with_label], return_index=True)
        with_label = np.r_[with_label[ones], np.delete(with_label, ones)]
    head = with_label[: FIRST // 2]
    return np.r_[head, rows[~np.isin(rows, head)]]


def _measured(run, trace: bool) -> tuple[float, int]:
    """Seconds of a call, and bytes that it holds at most if they are traced."""
    ours = trace and not tracemalloc.is_tracing()
    if ours:
        tracemalloc.start()
    try:
        if trace:
            tracemalloc.reset_peak()
        before, start = tracemalloc.get_traced_memory()[0], time.perf_counter()
        run()
        seconds = time.perf_counter() - start
        held = tracemalloc.get_traced_memory()[1] - before if trace else 0
        return seconds, max(held, 0)
    finally:
        if ours:
            tracemalloc.stop()


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return (
        f"about {seconds / 60:.0f} minutes"
        if seconds < 5400
        else f"about {seconds / 3600:.0f} hours"
    )


def _bytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(size / 1e6, 1):.0f} MB"
