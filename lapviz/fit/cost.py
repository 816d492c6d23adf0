"""What a fit will take, told from a small sample before it begins."""

from __future__ import annotations

from dataclasses import dataclass


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
        Bytes that the fit allocates at most, X itself not counted.
    measured : int
        Rows of the sample from which the seconds are extrapolated.
    """

    rows: int
    columns: int
    seconds: float
    memory: int
    measured: int

    def sentence(self) -> str:
        """For people: rows, seconds and memory."""
        raise NotImplementedError


def expected(estimator, X, y=None, budget: float = 0.5) -> Cost:
    """Time the fit of an unfitted estimator on growing samples of X and extrapolate to all rows.

    Parameters
    ----------
    estimator : estimator
        Unfitted; it is cloned.
    X : array (n, d)
        All rows.
    y : array (n,), optional
        Labels or values.
    budget : float, default=0.5
        Seconds for the measurement, about.

    Returns
    -------
    Cost
        Rows, seconds, memory.
    """
    raise NotImplementedError
