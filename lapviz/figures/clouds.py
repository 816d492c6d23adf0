"""A scene whose points lie in space, as a Plotly figure that can be turned."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from lapviz.figures import colours, fields
from lapviz.figures._plotly import go
from lapviz.figures.marks import Marks
from lapviz.figures.style import layout, plain
from lapviz.scenes import Panel, Scene

MOST = 6  # panels side by side: every one has a graphics context, of which browsers have few
EYE = {"x": 0.8, "y": -1.85, "z": 0.75}
GAP, HEAD, ROW = 0.02, 44, 300  # share of the width between panels; pixels above and of each row
SYMBOLS = {"circle", "square", "diamond", "cross", "x"}  # that Plotly has in space


def cloud(
    scene: Scene, look: colours.Theme, *, theme: str, columns: int, title: str | None
) -> go.Figure:
    """Points in space, coloured by value or by predicted class, and the labelled ones.

    More than six panels share one picture, with a menu to choose from.

    Parameters
    ----------
    scene : Scene
        With ``points.xyz``.
    look : Theme
    theme : str
        The theme's name, for the export.
    columns : int
        Panels per row.
    title : str or None
        Above the figure.

    Returns
    -------
    plotly Figure
        The figure.
    """
    count = len(scene.panels)
    menu = count > MOST
    places = [((0.0, 1.0), (0.0, 1.0))] if menu else list(_places(count, columns))
    marks = Marks(scene, look, many=False)
    empty = {"type": "scatter3d", "x": [None], "y": [None], "z": [None], "scene": "scene"}
    traces = [_symbol(entry | empty) for entry in marks.legend()]
    owners = [-1] * len(traces)
    for i, panel in enumerate(scene.panels):
        for part in (*_points(scene, panel, marks), *_labels(scene, marks)):
            shown = {"scene": _name(0 if menu else i), "visible": not menu or i == 0}
            traces.append(part | shown)
            owners.append(i)
    more: dict = {"annotations": [] if menu else _titles(scene, places, look)}
    if menu:
        more["updatemenus"] = [_menu(scene, owners, look)]
    legend = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
    rows = 1 if menu else math.ceil(count / columns)
    below = 34 if scene.kind == "classes" else 8
    style = layout(
        look,
        height=560 if rows == 1 and (menu or count == 1) else (ROW + HEAD) * rows + 60,
        title=title,
        name=theme,
        margin={"pad": 0, "l": 8, "r": 8, "t": HEAD + (30 if title else 0), "b": below},
        legend={"font": {"color": look.text}, "itemsizing": "constant", **legend},
        uirevision=scene.view_key,
        **{
            _name(i): _space(scene, look, place, len(places) == 1) for i, place in enumerate(places)
        },
        **more,
    )
    return go.Figure(data=traces, layout=style)


def _points(scene: Scene, panel: Panel, marks: Marks) -> list[dict]:
    """The points: one neutral colour where the panel has no values."""
    if panel.note or not np.isfinite(panel.points).any():
        return marks.bare()
    top = fields.scale_end(panel.points, classes=scene.kind == "classes")
    traces = marks.points(panel, top=top, bar=0)
    for trace in traces:
        trace["marker"] |= {"size": max(2.5, 0.75 * marks.dot)}
    return traces


def _labels(scene: Scene, marks: Marks) -> Iterator[dict]:
    """The labelled points that are drawn: one trace for each class."""
    row_of = {int(row): k for k, row in enumerate(scene.points.index)}
    for code in sorted({label.code for label in scene.labels}):
        its = [p.index for p in scene.labels if p.code == code and p.index in row_of]
        places = np.asarray(marks.xyz)[[row_of[index] for index in its]]
        tip = f"labelled <b>{marks.names[code]}</b><br>{marks.where}%{{text}}<extra></extra>"
        trace = {
            "type": "scatter3d",
            **dict(zip("xyz", places.T, strict=True)),
            "mode": "markers",
            "text": [marks.name_of(index) for index in its],
            "name": marks.names[code],
            "legendgroup": f"class {code}",
            "showlegend": False,
            "marker": marks.symbol(code) | {"size": 7},
            "hovertemplate": tip,
        }
        yield _symbol(trace)


def _symbol(trace: dict) -> dict:
    """The same trace with a symbol that there is in space."""
    marker = trace["marker"]
    shape = marker["symbol"] if marker["symbol"] in SYMBOLS else "circle"
    return trace | {"marker": marker | {"symbol": shape}}


def _space(scene: Scene, look: colours.Theme, place: tuple, numbers: bool) -> dict:
    """One scene of Plotly's at a place of the figure, with equal axes."""
    quiet = {
        "showbackground": False,
        "showspikes": False,
        "zeroline": False,
        "gridcolor": look.faint,
        "color": look.text,
        "nticks": 4,
        "showticklabels": numbers,
    }
    axes = {
        f"{k}axis": quiet | {"title": {"text": plain(name)}}
        for k, name in zip("xyz", scene.axes, strict=True)
    }
    camera = {"camera": {"eye": EYE}, "aspectmode": "data", "dragmode": "orbit"}
    return axes | camera | {"domain": {"x": list(place[0]), "y": list(place[1])}}


def _places(count: int, columns: int) -> Iterator[tuple]:
    """Share of the width and of the height of every panel."""
    rows = math.ceil(count / columns)
    head = HEAD / (ROW + HEAD)
    for i in range(count):
        row, column = divmod(i, columns)
        top = 1 - row / rows
        wide = (1 - GAP * (columns - 1)) / columns
        left = column * (wide + GAP)
        yield (left, left + wide), (top - (1 - head * (rows > 1)) / rows, top)


def _titles(scene: Scene, places: list[tuple], look: colours.Theme) -> list[dict]:
    """Title and caption above each panel."""
    notes = []
    for panel, ((left, _), (_, top)) in zip(scene.panels, places, strict=True):
        words = [f"<b>{plain(panel.title)}</b>" if panel.title else "", plain(panel.caption)]
        words.append(plain(panel.note))
        notes.append(
            {
                "text": "<br>".join(filter(None, words)) or " ",
                "x": left,
                "y": top,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "align": "left",
                "showarrow": False,
                "font": {"color": look.text, "size": 13},
            }
        )
    return notes


def _menu(scene: Scene, owners: list[int], look: colours.Theme) -> dict:
    """A menu that shows one panel at a time; what no panel owns is always shown."""
    buttons = []
    for i, panel in enumerate(scene.panels):
        shown = [owner in (-1, i) for owner in owners]
        words = plain(" · ".join(filter(None, (panel.title, panel.caption))))
        buttons.append({"label": words, "method": "restyle", "args": [{"visible": shown}]})
    return {
        "buttons": buttons,
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "bgcolor": look.plate,
        "font": {"color": look.outline},
    }


def _name(i: int) -> str:
    return "scene" if i == 0 else f"scene{i + 1}"
