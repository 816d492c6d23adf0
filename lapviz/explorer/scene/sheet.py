"""The page of an empty drawing: a blank sheet to draw on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.datasets import drawings
from lapviz.explorer.compute import points
from lapviz.explorer.scene.placement import drawn_rows, plane_of
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import AUTO, Settings
from lapviz.fit import EstimateSpec
from lapviz.scenes import Panel, Scene

EMPTY = "An empty sheet: choose a class and paint points."


@dataclass(frozen=True, eq=False)
class SheetView:
    """A scene with the points only, and a sentence in place of each field."""

    scene: Scene


def is_empty(settings: Settings) -> bool:
    """Whether the drawing has no points yet."""
    return settings.data.name == drawing.NAME and settings.data.n_samples == 0


def code_for_stage(settings: Settings, hidden: frozenset[str]) -> str | None:
    """Code of the drawing for the stage; "" for other planar data, None if drawing is disabled.

    Links hold drawings, so none is made of a visitor's table.
    """
    if "data" in hidden or settings.data.info.n_features != 2:
        return None
    if settings.data.name != drawing.NAME:
        return None if settings.data.private else ""
    return drawing.code_of(settings.data) or drawings.encode(drawings.empty())


def sheet_view(
    settings: Settings, titles: tuple[str, ...], kind: str, hidden: frozenset[str], **tools: object
) -> SheetView:
    """The blank sheet with a panel for each title.

    ``tools`` are the scene's fields that name the stage's tools, so that these stay in place when
    the first point is painted.
    """
    data, plane = points.sample(settings.data), plane_of(settings)
    rows = drawn_rows(len(data.X))
    outputs = 1 if data.n_classes == 2 or kind == "functions" else data.n_classes
    blank = np.zeros((outputs, len(rows)))
    scene = Scene(
        tuple(Panel(title, blank, note=EMPTY) for title in titles),
        **plane.frame(settings.data, rows),
        kind=kind,
        classes=data.class_names,
        lam=EstimateSpec.lam if settings.estimate.lam == AUTO else settings.estimate.lam,
        filter=settings.estimate.filter,
        drawing=code_for_stage(settings, hidden),
        **tools,
    )
    return SheetView(scene)
