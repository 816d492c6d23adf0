"""What the browser needs to move λ by itself, from a fitted estimator."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz.estimates import data_terms, filters
from lapviz.estimates.labelled import EnergyFactor
from lapviz.linalg import eigh
from lapviz.scenes import FilterChoice, Grid, Modes

Array = np.ndarray

MOST_MODES = 64
MOST_COLUMNS = 48  # labels whose exact representers are kept
MOST_ROWS = 4000  # of the sample, over which the modes are orthonormal


@dataclass(frozen=True, eq=False)
class Basis:
    """A trial space with its factor or spectrum, as an estimator has them."""

    space: Any
    solver: Any
    X: Array

    def modes(self, drawn: Array, grid: Grid | None, at: Array | None) -> Modes:
        """Leading modes at the points ``drawn`` and over the grid.

        Parameters
        ----------
        drawn : array (m, d)
            Points.
        grid : Grid or None
            Of the plane, if that is what the data are in.
        at : array (k, d) or None
            Labelled points, whose representers G(·, x_j) are added if they are few.
        """
        places = drawn if grid is None else np.vstack([grid.sites(), drawn])
        cut = len(places) - len(drawn)

        def parted(rows: Array) -> tuple[Array | None, Array]:
            field = None if grid is None else rows[:, :cut].reshape(-1, len(grid.y), len(grid.x))
            return field, rows[:, cut:]

        if not isinstance(self.solver, EnergyFactor):
            vectors = self.solver.vectors[:, :MOST_MODES]
            values = self.space.evaluate(places, vectors).T
            return Modes(self.solver.gamma[:MOST_MODES], *parted(values))
        gamma, values = self._from_factor(places)
        made = Modes(gamma, *parted(values), intercept=self.solver.constant)
        if at is None or not 0 < len(at) <= MOST_COLUMNS:
            return made
        known = self.solver.whiten(self.space.phi(at))
        on_grid, at_points = parted(known.T @ self.solver.whiten(self.space.phi(places)))
        return replace(made, columns_grid=on_grid, columns_points=at_points,
                       columns_gram=known.T @ known)  # fmt: skip

    def _from_factor(self, places: Array) -> tuple[Array, Array]:
        """γ ascending, and the modes at the places, (m, n_places).

        In whitened coordinates the energy is the identity, so that the modes are the eigenvectors
        of the mean of W Wᵀ over the sample, with the eigenvalues 1/γ.
        """
        rows = self.X
        if len(rows) > MOST_ROWS:
            rows = rows[np.random.default_rng(0).choice(len(rows), MOST_ROWS, replace=False)]
        W = self.solver.whiten(self.space.phi(rows))
        s, U = eigh(W @ W.T / len(rows))
        keep = np.argsort(s)[::-1][:MOST_MODES]
        keep = keep[s[keep] > 1e-14 * s.max()]
        s, U = s[keep], U[:, keep]
        return 1 / s, (U / np.sqrt(s)).T @ self.solver.whiten(self.space.phi(places))


def settings_of(estimator) -> dict[str, object]:
    """λ, filter and data term of an estimator, under the names of a scene."""
    rule = filters.get(estimator.filter)
    lam = getattr(estimator, "lam_", estimator.lam)
    return {
        "lam": 1.0 if isinstance(lam, str) else float(lam),
        "mu": float(estimator.mu_),
        "filter": rule.name,
        "filters": _choices(rule),
        "data_term": estimator.data_term,
    }


def depends(estimator) -> tuple[str, ...]:
    """Which of λ, filter and labels the estimate depends on."""
    unused = data_terms.get(estimator.data_term).unused
    return tuple(name for name in ("lam", "filter", "labels") if name not in unused)


def _choices(own) -> tuple[FilterChoice, ...]:
    """Every filter, the estimator's own among them."""
    rules = {name: filters.get(name) for name in filters.names()} | {own.name: own}
    return tuple(FilterChoice(r.name, r.title, r.browser_formula()) for r in rules.values())
