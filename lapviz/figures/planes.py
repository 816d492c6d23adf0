"""A scene as one Plotly figure: fields over the plane and points, or points in space."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import maximum_filter

from lapviz.contract import CONTRACT
from lapviz.figures import colours, fields
from lapviz.figures.marks import Marks
from lapviz.figures.style import axis, colour_bar, layout, plain, subplots, wrapped
from lapviz.markdown import short
from lapviz.scenes import Panel, Scene

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

WIDTH = 760  # pixels of the figure for which heights are computed; it adapts to other widths
LINE, GAP = 17, 26  # pixels: of a title's line, and between panels
MAX_SPATIAL_PANELS = 6  # each takes a WebGL context, of which browsers have few
EYE = {"x": 0.8, "y": -1.85, "z": 0.75}
NO_FINITE_VALUE = "No value here is a number: there is nothing to draw."
_PANELS, _LINES = CONTRACT["panels"], CONTRACT["lines"]


def scene(
    scene: Scene,
    *,
    theme: str = "auto",
    columns: int | None = None,
    title: str | None = None,
    same_scale: bool = False,
    errors: bool = False,
) -> Figure:
    """Draw a scene: heat maps, level lines, points and labels.

    Signed functions and two classes get a diverging map, symmetric about 0, with the zero line
    heavier. Several classes get the predicted class's colour, stronger for a larger margin, and the
    decision boundary. All panels zoom together and keep the aspect ratio of the plane.

    Parameters
    ----------
    scene : Scene
        Panels without a field show their points, coloured by value or by predicted class. Points
        in space are drawn in three dimensions; more than six such panels share one picture, with
        a menu to choose from.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.
    columns : int, optional
        Panels per row; by default the scene's, or chosen by their number.
    title : str, optional
        Above the figure.
    same_scale : bool
        Whether all panels share the colour scale of the one with the largest values.
    errors : bool
        Whether to cross out unlabelled points whose predicted class is not the true one.

    Returns
    -------
    plotly Figure
        The figure.
    """
    look = colours.theme(theme)
    if scene.grid is not None:  # once for all panels
        scene = replace(scene, near=fields.scene_nearness(scene))
    tops = [_top(scene, panel) for panel in scene.panels]
    tops = [max(tops)] * len(tops) if same_scale else tops
    signed = [i for i, panel in enumerate(scene.panels) if _is_signed(scene, panel)]
    one_bar = same_scale or len(signed) == 1  # a single colour bar serves all panels
    marks = Marks(scene, look)
    menu = marks.space and len(scene.panels) > MAX_SPATIAL_PANELS
    ends = {} if one_bar else {i: _end(scene, scene.panels[i], tops[i]) for i in signed}
    figure, count = _panels(scene, look, columns, ends, menu, title)
    _axes(figure, scene, look, single=menu or len(scene.panels) == 1)
    figure.add_traces(marks.legend())
    owners: list[int | None] = [None] * len(figure.data)
    for i, panel in enumerate(scene.panels):
        drawn, top, bar = not _note(panel), tops[i] or 1.0, one_bar and i in signed[:1]
        traces = []
        if drawn and panel.grid is not None:
            traces += _field(scene, panel, marks, top, bar)
        if len(marks.positions):
            traces.append(marks.points(panel, top=top, drawn=drawn, bar=bar))
        traces += marks.errors(panel) if errors and drawn else []
        traces += marks.landmarks() + marks.known() + marks.labels() + marks.query()
        traces = traces or [marks.empty()]  # an axis without a trace would be dropped
        row, column = (0, 0) if menu else divmod(i, count)
        figure.add_traces(traces, [row + 1] * len(traces), [column + 1] * len(traces))
        owners += [i] * len(traces)
    return _with_menu(figure, scene, look, owners) if menu else figure


def _panels(
    scene: Scene,
    look: colours.Theme,
    columns: int | None,
    ends: dict[int, str],
    menu: bool,
    title: str | None,
) -> tuple[Figure, int]:
    """Subplots with their headings and notes, and the number of columns."""
    panels = scene.panels[:1] if menu else scene.panels
    in_space, single = scene.points.xyz is not None, len(panels) == 1
    crowded = len(panels) > _PANELS["many"]
    default = len(panels) if len(panels) <= _PANELS["in_a_row"] else _PANELS["columns"]
    columns = max(1, min(int(columns or scene.columns or default), len(panels)))
    rows = math.ceil(len(panels) / columns)
    panel_width = (WIDTH - 100 - GAP * (columns - 1)) / columns
    x0, x1, y0, y1 = scene.view
    panel_height = (520 if single else 300) if in_space else panel_width * (y1 - y0) / (x1 - x0)
    panel_height = min(max(panel_height, 90), 600 if single else 460)
    headings = [" " if menu else _heading(panel, ends.get(i, ""), int(panel_width / 7))
                for i, panel in enumerate(panels)]  # fmt: skip
    heading_height = LINE * max(text.count("<br>") + 1 for text in headings) + 8
    row_gap = heading_height + (0 if in_space or crowded else GAP)
    body = rows * panel_height + (rows - 1) * row_gap
    kinds: list = [{"type": "scene" if in_space else "xy"}] * len(panels)
    kinds += [None] * (rows * columns - len(panels))
    figure = subplots(
        rows,
        columns,
        specs=[kinds[row * columns : (row + 1) * columns] for row in range(rows)],
        shared_xaxes=False if in_space else "all",
        shared_yaxes=False if in_space else "all",
        subplot_titles=headings,
        horizontal_spacing=GAP / (WIDTH - 100),
        vertical_spacing=row_gap / body if rows > 1 else 0,
    )
    figure.update_annotations(yshift=2, font={"size": 13})
    for heading, panel in zip(list(figure.layout.annotations), panels, strict=True):
        if _note(panel):
            note = wrapped(_note(panel), min(int(panel_width / 7), 40))
            plate = {"bgcolor": look.plate, "borderpad": 6, "bordercolor": look.faint}
            figure.add_annotation(heading, text=note, yanchor="top", yshift=-GAP, **plate)
    above = heading_height + 28 + (20 if title else 0)  # Plotly's buttons, or the title, on top
    below = 48 + (30 if scene.kind == "classes" else 0)
    min_width = _PANELS["least_width_many" if crowded else "least_width"]  # to be readable
    panel_layout = layout(
        look,
        height=round(body + above + below),
        title=title,
        margin={"l": 38, "r": 62, "t": above, "b": below},
        meta={"least": columns * min_width if columns > 1 else 0},
        uirevision=scene.view_key,
        legend={"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom",
                "itemsizing": "constant"},
    )  # fmt: skip
    return figure.update_layout(panel_layout), columns


def _end(scene: Scene, panel: Panel, top: float) -> str:
    """The ends of a panel's colour scale in words, or that its function is constant."""
    return "constant" if _is_constant(scene, panel) else f"±{short(top, 2)}"


def _is_constant(scene: Scene, panel: Panel) -> bool:
    return scene.kind_of(panel) != "classes" and fields.is_constant(_values(panel))


def _heading(panel: Panel, end: str, width: int) -> str:
    """Title and end of the colour scale, above the panel's caption."""
    title = f"<b>{wrapped(panel.title, width)}</b>" if panel.title else ""
    title += f"  {end}" * bool(end)
    caption = wrapped(panel.caption, width) if panel.caption else ""
    return "<br>".join(filter(None, (title, caption))) or " "


def _axes(figure: Figure, scene: Scene, look: colours.Theme, single: bool) -> None:
    """Set the axes: of the plane, which zoom together, or of each panel in space."""
    if scene.points.xyz is not None:
        spatial = {"showbackground": False, "showspikes": False, "zeroline": False, "nticks": 4}
        spatial |= {"gridcolor": look.faint, "showticklabels": single}
        for k, name in zip("xyz", scene.axes, strict=True):
            figure.update_scenes({f"{k}axis": spatial | {"title": {"text": plain(name)}}})
        eye = {name: value * (1 if single else 1.35) for name, value in EYE.items()}
        figure.update_scenes(camera={"eye": eye}, aspectmode="data", dragmode="orbit")
        return
    x0, x1, y0, y1 = map(float, scene.view)
    with_ticks = len(scene.panels) <= _PANELS["many"]
    width, height = x1 - x0, y1 - y0
    # Of a coordinate that is constant, numbers would be printed over each other.
    shown = {
        "xaxis": with_ticks and 10 * width > height,
        "yaxis": with_ticks and 10 * height > width,
    }
    framed = {
        name: axis(look, showgrid=False, mirror=True, constrain="domain", nticks=7,
                   showticklabels=numbers, ticks="outside" if numbers else "")
        for name, numbers in shown.items()
    }  # fmt: skip
    framed["yaxis"]["constraintoward"] = "top"
    # as a template: setting each axis separately takes Plotly a second
    figure.layout.template = {"layout": framed}
    for axis_name in figure.layout:
        if axis_name[1:5] == "axis":
            figure.layout[axis_name].range = (x0, x1) if axis_name[0] == "x" else (y0, y1)
    # Of the axis that all others match, the last row's first: Plotly ignores that of the others.
    head = (figure.layout.yaxis.matches or "y")[1:]
    figure.layout[f"yaxis{head}"].scaleanchor = f"x{head}"
    for name, title in zip(shown, scene.axes, strict=True):
        if shown[name]:
            figure.layout[name].title.text = plain(title)


def _field(scene: Scene, panel: Panel, marks: Marks, top: float, bar: bool) -> list[dict]:
    """Traces of the heat map, its level lines, and a cover that fades it far from the data."""
    assert scene.grid is not None
    assert panel.grid is not None
    assert scene.near is not None
    look, crowded = marks.look, len(scene.panels) > _PANELS["many"]
    values, quantity, classes = marks.hover_values(panel, panel.grid)
    is_classes = scene.kind_of(panel) == "classes"
    key = "z" if len(panel.grid) == 1 else "customdata"
    tip = f"{marks.coordinates}{quantity} %{{{key}:.3g}}" + "<br>predicted %{text}" * is_classes
    grid = {"x": np.asarray(scene.grid.x), "y": np.asarray(scene.grid.y), "showlegend": False}
    heat = grid | {"hovertemplate": f"{tip}<extra></extra>"}
    heat |= {"text": classes} if is_classes else {}
    if len(panel.grid) == 1:
        edges = [values]
        count = _LINES["count"]["many" if crowded else "classes" if is_classes else "functions"]
        step = top / (count + 1)
        thin = {"color": colours.clear(look.line, _LINES["thin_alpha"])}
        heat |= {
            "type": "contour", "z": values, "zmin": -top, "zmax": top,
            "colorscale": look.pair if is_classes else look.functions,
            "contours": {"coloring": "heatmap", "start": step - top, "end": top - step,
                         "size": step},
            "line": thin | {"width": _LINES["thin_width"]},
            "showscale": bar, "colorbar": colour_bar(look, top),
        }  # fmt: skip
    else:
        edges = fields.boundaries(panel.grid)
        heat |= marks.shaded(panel.grid, top, 0.0, "z", "z") | {"type": "heatmap"}
        heat |= {"customdata": values, "showscale": False}
    bold = {"color": colours.clear(look.line, _LINES["zero_alpha"]),
            "width": _LINES["zero_width_many" if crowded else "zero_width"]}  # fmt: skip
    silent = grid | {"showscale": False, "hoverinfo": "skip"}
    lines = []
    for edge in edges:  # where it means something: near data, and not among values of nearly 0
        size = maximum_filter(np.abs(np.nan_to_num(edge)), 3)
        is_drawn = (scene.near > 0) & (size > _LINES["faint_below"] * top)
        lines.append(
            silent | {"type": "contour", "z": np.where(is_drawn, edge, np.nan), "line": bold,
                      "contours": {"coloring": "none", "start": 0, "end": 0, "size": 1}}
        )  # fmt: skip
    if scene.near.min() == 255 or _is_constant(scene, panel):  # which is known far away, too
        return [heat, *lines]
    fading = [(t, colours.clear(look.middle, a)) for t, a in ((0, 0), (1, fields.COVER))]
    # not a heat map, which Plotly draws below all level lines and what they enclose
    cover = {"type": "contour", "z": 255 - scene.near, "zmin": 0, "zmax": 255,
             "contours": {"coloring": "heatmap"}, "line": {"width": 0}, "colorscale": fading,
             "name": "far from the data"}  # fmt: skip
    return [heat, *lines, silent | cover]


def _with_menu(figure: Figure, scene: Scene, look: colours.Theme, owners: list) -> Figure:
    """Add a menu that shows one panel at a time; traces without an owner are always shown."""
    shown = [[owner in (None, i) for owner in owners] for i in range(len(scene.panels))]
    for trace, visible in zip(figure.data, shown[0], strict=True):
        trace.visible = visible
    buttons = [
        {"label": plain(" · ".join(filter(None, (panel.title, panel.caption)))),
         "method": "restyle", "args": [{"visible": visible}]}
        for panel, visible in zip(scene.panels, shown, strict=True)
    ]  # fmt: skip
    corner = {"x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"}
    style = {"bgcolor": look.plate, "font": {"color": look.outline}}
    return figure.update_layout(updatemenus=[{"buttons": buttons} | corner | style])


def _is_signed(scene: Scene, panel: Panel) -> bool:
    """Whether the panel has a diverging colour scale rather than class colours."""
    if _note(panel) or len(_values(panel)) != 1:
        return False
    return panel.grid is not None or scene.kind_of(panel) != "classes"


def _top(scene: Scene, panel: Panel) -> float:
    """The end of a panel's own colour scale."""
    inside = None if panel.grid is None else fields.region(scene)
    return fields.scale_end(_values(panel), scene.kind_of(panel) == "classes", inside)


def _values(panel: Panel) -> np.ndarray:
    return panel.points if panel.grid is None else panel.grid


def _note(panel: Panel) -> str:
    """The panel's note, or a message if it has no finite value."""
    values = _values(panel)
    empty = np.size(values) and not np.isfinite(values).any()
    return panel.note or (NO_FINITE_VALUE if empty else "")
