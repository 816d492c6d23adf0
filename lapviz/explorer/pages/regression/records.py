"""What each topic of the Regression page shows: a stage, tables of numbers, and sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.explorer.pages.regression.steps import line, sample_of
from lapviz.explorer.settings.records import Settings
from lapviz.figures.curve_scenes import Curve, CurveScene
from lapviz.scenes import Scene

Array = np.ndarray
MARGIN = 0.03  # what the picture shows beside [0, 1]


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers below the stage: heads, rows, patterns of floating-point columns, and a help text."""

    heads: tuple[str, ...]
    rows: tuple[tuple, ...]
    formats: dict[str, str]
    help: str


@dataclass(frozen=True, eq=False)
class RegressionView:
    """What the page shows: a stage, tables of numbers, and sentences.

    ``chart`` are distances against p, a series each, for data whose path is not on the stage.
    """

    scene: CurveScene | Scene
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    warning: str = ""
    chart: dict[str, Array] | None = None

    @property
    def numbers(self) -> dict[str, object]:
        """What stories say of it: the tables' rows by their first cell, by their columns; of exact
        against Galerkin the exact row and the one that is shown."""
        rows = {
            str(row[0]): dict(zip(table.heads[1:], row[1:], strict=True))
            for table in self.tables
            for row in table.rows
        }
        made: dict[str, object] = {"row": rows}
        for title, row in rows.items():
            if title.startswith("Exact"):
                made["exact"] = row
            if title.endswith("(shown)"):
                made["shown"] = row
        return made


def identity(settings: Settings) -> str:
    """Name of the data, for as long as which the stage keeps its view."""
    spec = settings.data
    parts = (spec.name, spec.n_samples, spec.noise, spec.random_state, spec.options)
    return "-".join(map(str, (*parts, settings.regression.topic)))


def view_around(*values: Array) -> tuple[float, float, float, float]:
    """Box around curves, with a margin."""
    finite = np.concatenate([np.ravel(v) for v in values])
    finite = finite[np.isfinite(finite)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    room = 0.08 * (high - low) or 1.0
    return -MARGIN, 1 + MARGIN, low - room, high + room


def curves(
    settings: Settings, others: tuple[Curve, ...], *around: Array, **paths: object
) -> CurveScene:
    """The samples and the truth over one input, with further curves and paths."""
    sample, x = sample_of(settings), line()
    truth, samples = sample.target(x), np.column_stack([sample.X[:, 0], sample.values])
    return CurveScene(
        x=x[:, 0],
        view=view_around(truth, *around, samples[sample.labelled, 1]),
        view_key=identity(settings),
        points=samples,
        known=sample.labelled,
        curves=(Curve("Truth", truth, "truth"), *others),
        axes=(sample.feature_names[0], "value"),
        **paths,
    )
