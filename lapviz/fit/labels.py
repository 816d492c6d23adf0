"""Labelled points, and the estimate that is made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz.estimates import codes
from lapviz.fit.few_labels import Proportions
from lapviz.fit.guard import Verdict
from lapviz.fit.report import Report
from lapviz.fit.supervised import Linear, Supervised
from lapviz.graphs import NodeSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Labels:
    """Labelled points.

    Attributes
    ----------
    X : array (m, d)
    shares : array (m, K)
        One-hot rows; of several candidate classes each may have a share.
    index : int array (m,)
        Which rows of the sample they are, -1 for other points.
    proportions : Proportions or None
        Of the classes, if they are known; None: from the labels.
    weights : array (m,) or None
        Of the points; None: those of the rows that they are.
    supervised : Supervised or None
        What they say without the geometry.
    """

    X: Array
    shares: Array
    index: Array
    proportions: Proportions | None = None
    weights: Array | None = None
    supervised: Supervised | None = None

    @classmethod
    def of_codes(
        cls,
        X: Array,
        known: Array,
        n_classes: int,
        proportions: Proportions | None = None,
    ) -> Labels:
        """From class codes ``known`` (n,) of all rows of X (n, d), -1 where unlabelled."""
        index = np.flatnonzero(known >= 0)
        return cls(X[index], np.eye(n_classes)[known[index]], index, proportions)

    @property
    def targets(self) -> Array:
        """The classes' codes (m, k)."""
        n_classes = self.shares.shape[1]
        return self.shares @ codes.class_codes(np.arange(n_classes), n_classes)


@dataclass(frozen=True, eq=False)
class Solution:
    """An estimate.

    Attributes
    ----------
    coefficients : array (p, k)
    balance : Balance or None, the change of its scores
    temperature : float or None, of its probabilities; None: those of least squares
    moved : tuple of int, points that changed their class in each pass
    verdict : Verdict or None, of the guard over the passes
    space : NodeSpace or None
        Of nodes, that of the functions if labelled points that are no rows are nodes, too.
    linear : Linear or None
        Scores to be added to the balanced ones.
    far : array (k,) or None
        Scores far from the data; None: 0.
    """

    coefficients: Array
    balance: codes.Balance | None = None
    temperature: float | None = None
    moved: tuple[int, ...] = ()
    verdict: Verdict | None = None
    space: NodeSpace | None = None
    linear: Linear | None = None
    far: Array | None = None

    def judged(self, verdict: Verdict) -> Solution:
        """With what the guard makes of it."""
        balance = self.balance
        if balance is not None and verdict.linear is not None:
            balance = codes.Balance(verdict.share * balance.factor, verdict.share * balance.shift)
        its = {"temperature": verdict.temperature, "linear": verdict.linear, "far": verdict.far}
        return replace(self, balance=balance, verdict=verdict, **its)

    @property
    def proportions(self) -> Array | None:
        """Of the classes (K,), as the passes imposed them; None without guarded passes."""
        return None if self.verdict is None else self.verdict.proportions

    @property
    def balanced(self) -> Array:
        """The coefficients as scores, balanced: of nodes, the scores there."""
        return self.coefficients if self.balance is None else self.balance(self.coefficients)

    def reported(self, report: Report) -> Report:
        """The report with what became of the passes."""
        return report if self.verdict is None else self.verdict.reported(report)
