"""Eigenfunctions as panels: what is drawn of them, and the words above each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import metrics
from lapviz.estimators import advice
from lapviz.explorer.pages.eigenfunctions.steps import Functions
from lapviz.explorer.scene.placement import SUBSCRIPTS, Plane
from lapviz.scenes import Grid, Panel

Array = np.ndarray
MISSED = 0.2  # mean square over the drawn points below which a mode lives on others


@dataclass(frozen=True, eq=False)
class Drawn:
    """Values of functions at the drawn rows (r, m) and at a grid's nodes (s, m) or None."""

    gamma: Array
    at: Array
    there: Array | None


@dataclass(frozen=True, eq=False)
class Canvas:
    """Where functions are drawn: samples X, the rows drawn, and a grid over the plane or None."""

    plane: Plane
    X: Array
    rows: Array
    grid: Grid | None

    def draw(self, functions: Functions, m: int) -> Drawn:
        """The first m functions."""
        sites = None if self.grid is None else self.plane.lift(self.grid.sites())
        there = None if sites is None else functions.at(sites, m)
        return Drawn(functions.gamma, functions.on_samples(self.X, self.rows, m), there)

    def panel(self, title: str, drawn: Drawn, i: int, *words: str) -> Panel:
        """A panel of one function; of the words those that are not empty stand below its title."""
        subtitle = " · ".join(filter(None, words))
        field = None
        if drawn.there is not None:
            field = drawn.there[:, i].reshape(1, len(self.grid.y), len(self.grid.x))
        return Panel(title, drawn.at[None, :, i], field, subtitle)

    def localised(self, drawn: Drawn) -> list[float | None]:
        """On how many samples each function lives, if these are few; 0: on some not drawn."""
        few = []
        for values in drawn.at.T:
            live = float(metrics.participation(values)[0])
            if len(values) < len(self.X) and np.mean(values**2) < MISSED:
                live = 0.0
            few.append(live if live < advice.FEW else None)
        return few

    def in_pairs(
        self,
        own: Drawn,
        other: Drawn | None,
        name: str,
        few: list[float | None],
        letter: str = "e",
        symbol: str = "γ",
    ) -> list[tuple[Panel, ...]]:
        """Each function from number 1 on, and beside it, if there is another, its partner."""
        made = []
        for i in range(1, own.at.shape[1]):
            words = energy(own.gamma[i], symbol), place(few[i])
            pair = [self.panel(f"{title(i, letter)} learnt", own, i, *words)]
            if other is not None and other.at[:, i].any():
                words = energy(other.gamma[i], symbol), f"{angle(own, other, i):.0f}° apart"
                pair.append(self.panel(f"{title(i, letter)} {name}", other, i, *words))
            elif other is not None:
                note = "This method has no further eigenfunction here."
                blank = np.zeros((1, len(self.rows)))
                pair.append(Panel(f"{title(i, letter)} {name}", blank, note=note))
            made.append(tuple(pair))
        return made


def title(i: int, letter: str = "e") -> str:
    """Its name with the number as a subscript."""
    return f"{letter}{str(i).translate(SUBSCRIPTS)}"


def energy(gamma: float, symbol: str = "γ") -> str:
    """An eigenvalue as the panels write it."""
    return f"{symbol} = {'0' if gamma < 1e-12 else f'{gamma:.3g}'}"  # smaller ones are rounding


def place(few: float | None) -> str:
    """What is said of a function that lives on few points."""
    if few is None:
        return ""
    count = round(few)
    return f"lives on {count} point{'s' * (count != 1)}" if count else "lives on few points"


def angle(one: Drawn, other: Drawn, i: int) -> float:
    """Angle of two functions of the same number, from their values, in degrees."""
    f, g = one.at[:, i], other.at[:, i]
    return float(np.degrees(metrics.principal_angles(f, g)[0])) if f.any() and g.any() else 90.0
