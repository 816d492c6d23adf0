"""Eigenfunctions as panels: where they are drawn, and the text above each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import metrics
from lapviz.estimators import advice
from lapviz.explorer.pages.eigenfunctions.steps import Functions
from lapviz.explorer.scene.placement import SUBSCRIPTS, Plane
from lapviz.markdown import short
from lapviz.scenes import Grid, Panel

Array = np.ndarray
UNDRAWN = 0.2  # mean square over the drawn points below which a mode lives on other points


@dataclass(frozen=True, eq=False)
class Drawn:
    """Values of functions at the drawn rows (r, m), and on the grid (s, m) or None."""

    gamma: Array
    at_rows: Array
    on_grid: Array | None

    def combined(self, T: Array, gamma: Array) -> Drawn:
        """Linear combinations of the functions by the columns of T (m, k)."""
        on_grid = None if self.on_grid is None else self.on_grid @ T
        return Drawn(gamma, self.at_rows @ T, on_grid)


@dataclass(frozen=True, eq=False)
class Canvas:
    """Where functions are drawn: samples X, the drawn rows, and a grid over the plane or None."""

    plane: Plane
    X: Array
    rows: Array
    grid: Grid | None

    def draw(self, functions: Functions, m: int) -> Drawn:
        """Evaluate the first m functions."""
        sites = None if self.grid is None else self.plane.lift(self.grid.sites())
        on_grid = None if sites is None else functions.evaluate(sites, m)
        return Drawn(functions.gamma, functions.on_samples(self.X, self.rows, m), on_grid)

    def panel(self, title: str, drawn: Drawn, i: int, *words: str) -> Panel:
        """A panel of function i; the ``words`` that are not empty make its subtitle."""
        subtitle = " · ".join(filter(None, words))
        field = None
        if drawn.on_grid is not None:
            field = self.grid.fields(drawn.on_grid[:, i])
        return Panel(title, drawn.at_rows[None, :, i], field, subtitle)

    def localised(self, drawn: Drawn) -> list[float | None]:
        """Number of samples on which each function lives, None unless few; 0 if not drawn."""
        counts = []
        for values in drawn.at_rows.T:
            count = float(metrics.participation(values)[0])
            if len(values) < len(self.X) and np.mean(values**2) < UNDRAWN:
                count = 0.0
            counts.append(count if count < min(advice.FEW, len(values) - 0.5) else None)
        return counts

    def pairs(
        self,
        learnt: Drawn,
        partner: Drawn | None,
        name: str,
        counts: list[float | None],
        letter: str = "e",
        symbol: str = "γ",
    ) -> list[tuple[Panel, ...]]:
        """Panels of each function from number 1 on, and of its partner in ``partner``, if any.

        Raises
        ------
        ValueError
            If there is only the constant.
        """
        if learnt.at_rows.shape[1] < 2:
            raise ValueError("There is only the constant: take more points or a smaller σ.")
        pairs = []
        for i in range(1, learnt.at_rows.shape[1]):
            head = title(i, letter)
            words = eigenvalue(learnt.gamma[i], symbol), support(counts[i])
            pair = [self.panel(f"{head} learnt", learnt, i, *words)]
            if partner is not None and partner.at_rows[:, i].any():
                apart = f"{angle(learnt, partner, i):.0f}° apart"
                words = eigenvalue(partner.gamma[i], symbol), apart
                pair.append(self.panel(f"{head} {name}", partner, i, *words))
            elif partner is not None:
                note = "This method has no further eigenfunction here."
                blank = np.zeros((1, len(self.rows)))
                pair.append(Panel(f"{head} {name}", blank, note=note))
            pairs.append(tuple(pair))
        return pairs


def title(i: int, letter: str = "e") -> str:
    """Name of function i, with the number as a subscript."""
    return f"{letter}{str(i).translate(SUBSCRIPTS)}"


def eigenvalue(gamma: float, symbol: str = "γ") -> str:
    """An eigenvalue as the panels write it."""
    return f"{symbol} = {'0' if gamma < 1e-12 else short(gamma)}"  # smaller ones are rounding


def support(count: float | None) -> str:
    """Say on how many points a function lives, if they are few."""
    if count is None:
        return ""
    count = round(count)
    return f"lives on {count} point{'s' * (count != 1)}" if count else "lives on few points"


def angle(one: Drawn, other: Drawn, i: int) -> float:
    """Angle in degrees between the two functions of number i, from their values."""
    f, g = one.at_rows[:, i], other.at_rows[:, i]
    return float(np.degrees(metrics.principal_angles(f, g)[0])) if f.any() and g.any() else 90.0
