"""What asking for the next label yields: a ranking, the progress of a run, and its labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores of all points at once, for one more label.

    Attributes
    ----------
    score : array (n,), by the chosen criterion; 0 at labelled points
    energy : array (n,), min_t J(x, t)
    change : array (n,), E_n|g_new − g|² if x gets its likeliest class
    likeliest : int array (n,), that class: the one of least energy
    values : array (n, k), the present estimate
    order : int array, the unlabelled rows, best first
    criterion : {"energy", "change"}
    """

    score: Array
    energy: Array
    change: Array
    likeliest: Array
    values: Array
    order: Array
    criterion: str

    @property
    def next(self) -> int:
        """Row of the point to label next."""
        return int(self.order[0])


@dataclass(frozen=True, eq=False)
class QueryProgress:
    """Argument of the callback after each label: rows and classes so far, and the estimate."""

    rows: Array
    classes: Array
    values: Array


@dataclass(frozen=True, eq=False)
class Queries:
    """The path of a labelling loop.

    Attributes
    ----------
    rows, classes : int arrays (n_start + n_asked,), in the order of asking
    n_start : int, labels given at the start
    scores : array (n_asked,), of each point when it was chosen; NaN for random choice
    values : array (n, k), the last estimate
    stopped : {"finished", "callback"}
    """

    rows: Array
    classes: Array
    n_start: int
    scores: Array
    values: Array
    stopped: str
