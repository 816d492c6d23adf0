"""Weighted sums of energies."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz.checks import check_nonnegative
from lapviz.operators.base import assemble, at_rows, get, restricted
from lapviz.spaces.base import TrialSpace

Array = np.ndarray


@dataclass(frozen=True)
class Sum:
    """Weighted sum of energies, each a named operator or an operator object.

    Parameters
    ----------
    parts : tuple of operators
    weights : tuple of as many numbers, at least 0
    match : bool, default False
        Scale every part to the trace of the first before weighting, for energies (a graph's) whose
        scale is arbitrary.
    """

    parts: tuple
    weights: tuple[float, ...]
    match: bool = False
    name = "sum"
    title = "Sum of energies"

    def __post_init__(self):
        if not self.parts or len(self.parts) != len(self.weights):
            raise ValueError(
                f"A sum of energies needs one weight for each part, got {len(self.parts)} parts "
                f"and {len(self.weights)} weights."
            )
        for weight in self.weights:
            check_nonnegative("A weight of a sum of energies", weight)

    def at_rows(self, X: Array, rows: Array, sample_weight: Array | None = None) -> Sum | None:
        """The sum on some of the samples; None if a part has no energy there alone."""
        parts = tuple(at_rows(part, X, rows, sample_weight) for part in self.parts)
        return None if any(part is None for part in parts) else replace(self, parts=parts)

    def restricted(self, X: Array, rows: Array) -> Sum:
        """The sum over some of the samples as if the others did not exist."""
        return replace(self, parts=tuple(restricted(get(p), X, rows) for p in self.parts))

    def stiffness(self, space: TrialSpace, X: Array, sample_weight: Array | None = None) -> Array:
        """Σ w_i S_i, (p, p)."""
        forms = [
            assemble(space, X, part, sample_weight=sample_weight).stiffness for part in self.parts
        ]
        if self.match:
            traces = np.array([np.trace(S) for S in forms])
            scales = np.divide(traces[0], traces, out=np.ones_like(traces), where=traces > 0)
        else:
            scales = np.ones(len(forms))
        parts = zip(self.weights, scales, forms, strict=True)
        return sum((w * c * S for w, c, S in parts), start=np.zeros_like(forms[0]))
