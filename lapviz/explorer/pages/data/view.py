"""Values of a visitor's table and their predictions, as pictures."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lapviz import figures
from lapviz.explorer.compute.own_fit import Fitted
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.limits import GRID_SMALL, MAX_DRAWN
from lapviz.explorer.scene.placement import components, grid_of, view_of
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.widgets import shell
from lapviz.scenes import Panel, Points, Scene
from lapviz.tables.rows import names

Array = np.ndarray


def show(brought: OwnTable, now: DataSpec, fitted: Fitted) -> None:
    """Given and predicted values in a plane that is chosen, and one against the other."""
    axes = axes_of(brought)
    if len(axes) > 1:
        chosen = [
            column.selectbox(f"{('Horizontal', 'Vertical')[k]} axis", range(len(axes)), k,
                             lambda k: axes[k], key=f"values-{'xy'[k]}-{len(axes)}",
                             help="A feature, or a principal component.")
            for k, column in enumerate(st.columns(2))
        ]  # fmt: skip
        figure = figures.scene(scene(brought, now, fitted, *chosen))
        shell.chart(figure, "values-plane", "Given and predicted values over the chosen axes")
    with shell.guarded("The comparison"):
        shell.chart(against(fitted), "values-against", "Predicted against given values")


def axes_of(brought: OwnTable) -> list[str]:
    """What an axis can show: of three features or more two components before these."""
    features = list(brought.prepared.feature_names)
    return features if len(features) < 3 else ["component 1", "component 2", *features]


def drawn(fitted: Fitted) -> Array:
    """Rows in the picture: given values first, then others, a bounded number."""
    given = np.flatnonzero(~np.isnan(fitted.targets.known))
    others = np.flatnonzero(np.isnan(fitted.targets.known))
    rng = np.random.default_rng(0)
    some = rng.permutation(given)[: max(MAX_DRAWN // 2, MAX_DRAWN - len(others))]
    return np.sort(np.r_[some, rng.permutation(others)[: MAX_DRAWN - len(some)]])


def scene(brought: OwnTable, now: DataSpec, fitted: Fitted, ax: int, ay: int) -> Scene:
    """Predictions at the points that are drawn; over two features the whole field.

    ``ax`` and ``ay`` are places in :func:`axes_of`.
    """
    rows, X, axes = drawn(fitted), brought.prepared.X, axes_of(brought)
    n_scores = len(axes) - X.shape[1]
    part = DataSpec("table", n_samples=brought.info.max_samples, source=now.source)
    if min(ax, ay) < n_scores:  # components are of the part that the pages show
        scores, places = components(part), brought.picked(part.n_samples, part.random_state)
        rows = places[np.isin(places, rows)] if len(places) < brought.n_rows else rows
        at = np.searchsorted(places, rows)
    columns = [scores[at, k] if k < n_scores else X[rows, k - n_scores] for k in (ax, ay)]
    xy = np.column_stack(columns)
    view = view_of(xy)
    middle = fitted.targets.known[fitted.targets.used].mean()
    grid, field = None, None
    if X.shape[1] == 2 and {ax, ay} == {0, 1}:
        grid = grid_of(view, GRID_SMALL)
        sites = grid.sites() if ax == 0 else grid.sites()[:, ::-1]
        field = fitted.model.predict(sites).reshape(1, len(grid.y), len(grid.x)) - middle
    title = f"Predicted, less the mean {middle:.4g}"
    called = names(brought.table, brought.prepared.roles, brought.prepared.rows[rows])
    return Scene(
        panels=(Panel(title, (fitted.predicted[rows] - middle)[None], field),),
        points=Points(xy, rows, notes=tuple(called)),
        view=view,
        view_key=f"{axes[ax], axes[ay]}",
        grid=grid,
        kind="functions",
        axes=(axes[ax], axes[ay]),
        hide=("lam", "filter", "labels"),
        n_samples=brought.n_rows,
    )


def against(fitted: Fitted):
    """Predicted values against given ones: those that the fit took, and those that it did not."""
    rng, told = np.random.default_rng(0), fitted.targets
    groups = {}
    for name, rows in (("taken by the fit", told.used), ("not taken", told.held_out)):
        some = rng.permutation(rows)[:MAX_DRAWN]
        groups[name] = told.known[some], fitted.predicted[some]
    return figures.agreement(groups)
