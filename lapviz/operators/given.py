"""Directions that are known at the samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class GivenDirections:
    """Directions already known at the samples, in their order (TangentProp, GAL23 eq. 19).

    Parameters
    ----------
    frames : array (n, q, d), the vectors u_1(x_i), …, u_q(x_i) of every sample
    """

    frames: Array
    name = "directions"
    title = "Given directions"

    def directions(self, X: Array) -> Array:
        frames = np.asarray(self.frames, dtype=float)
        if frames.ndim != 3 or frames.shape[::2] != np.shape(X):
            raise ValueError(
                f"frames must have shape (n_samples, q, n_features) for X of shape {np.shape(X)}, "
                f"got {frames.shape}: give directions for exactly these samples."
            )
        return frames

    def at_rows(self, X: Array, rows: Array) -> GivenDirections:
        """The directions at some of the samples."""
        return GivenDirections(self.directions(X)[rows])
