"""Panels of eigenfunctions: their values, their captions, and modes that live on single points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz import metrics
from lapviz.estimators import advice
from lapviz.explorer.pages.eigenfunctions.methods import Functions
from lapviz.explorer.scene.placement import SUBSCRIPTS
from lapviz.scenes import Grid, Panel

Array = np.ndarray
MISSED = 0.2  # mean square over the drawn points below which a mode lives on others


@dataclass(frozen=True, eq=False)
class Canvas:
    """Where functions are drawn: samples X, the rows drawn, and a grid or None."""

    X: Array
    rows: Array
    grid: Grid | None
    lift: Callable[[Array], Array] = lambda sites: sites  # places in the plane to points

    def values(self, functions: Functions, m: int) -> tuple[Array, Array | None]:
        """The first m functions at the rows (r, m) and on the grid's nodes (s, m) or None."""
        there = None if self.grid is None else functions.at(self.lift(self.grid.sites()), m)
        return functions.on_samples(self.X, self.rows, m), there

    def panel(self, title: str, at: Array, there: Array | None, subtitle: str) -> Panel:
        """A panel from values at the rows (r,) and at the nodes (s,)."""
        shape = None if there is None else (1, len(self.grid.y), len(self.grid.x))
        return Panel(title, at[None], None if there is None else there.reshape(shape), subtitle)


def angle(f: Array, g: Array) -> float:
    """Angle of two functions from their values, in degrees."""
    return float(np.degrees(metrics.principal_angles(f, g)[0])) if f.any() and g.any() else 90.0


def lonely_on(values: Array, n_samples: int) -> float | None:
    """On how many samples a function lives, if these are few; 0: on some that are not drawn."""
    if len(values) < n_samples and np.mean(values**2) < MISSED:
        return 0.0
    live = float(metrics.participation(values)[0])
    return live if live < advice.FEW else None


def place(few: float | None) -> str:
    """The note for :func:`lonely_on`'s answer."""
    if few is None:
        return ""
    count = round(few)
    return f"lives on {count} point{'s' * (count != 1)}" if count else "lives on few points"


def title(i: int, letter: str = "e") -> str:
    """Its name with the number as a subscript."""
    return f"{letter}{str(i).translate(SUBSCRIPTS)}"


def joined(*words: str) -> str:
    """A subtitle of the parts that are not empty."""
    return " · ".join(filter(None, words))


def energy(gamma: float, letter: str = "γ") -> str:
    """An eigenvalue as the panels write it."""
    return f"{letter} = {'0' if gamma < 1e-12 else f'{gamma:.3g}'}"  # smaller values are rounding
