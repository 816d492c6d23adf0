"""A scene as one Plotly figure: fields over the plane and points."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from lapviz.contract import CONTRACT
from lapviz.figures import clouds, colours, fields, near
from lapviz.figures._plotly import go
from lapviz.figures.marks import Marks
from lapviz.figures.style import axis, layout, panels_bar, plain, short, wrapped
from lapviz.scenes import Panel, Scene, accuracy_words

WIDTH = 760  # of the figure in pixels, for which heights are computed; it adapts to others
GAP, TITLE, SUBTITLE = 18, 22, 20  # pixels between panels, and above each
_PANELS, _LINES = CONTRACT["panels"], CONTRACT["lines"]
MANY = _PANELS["many"]  # panels above which each is drawn more simply


def scene(
    scene: Scene,
    *,
    theme: str = "auto",
    columns: int | None = None,
    title: str | None = None,
    same_scale: bool = False,
    errors: bool = False,
) -> go.Figure:
    """Draw a scene as in the explorer: heat maps, level lines, points and labels.

    Signed functions and two classes get a diverging map, symmetric about 0, with the zero line
    heavier. Several classes get the predicted class's colour, stronger for a larger margin, and the
    decision boundary. All panels zoom together and keep the aspect ratio of the plane.

    Parameters
    ----------
    scene : Scene
        Panels without a field show their points, coloured by value or by predicted class. Points
        in space are drawn in three dimensions.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.
    columns : int, optional
        Panels per row; by default the scene's, or chosen from their number.
    title : str, optional
        Above the figure.
    same_scale : bool
        Whether all panels have the colour scale of the one with the largest values.
    errors : bool
        Whether unlabelled points whose predicted class is not the true one get a ring.

    Returns
    -------
    plotly Figure
        The figure.
    """
    look = colours.theme(theme)
    count = len(scene.panels)
    usual = count if count <= _PANELS["in_a_row"] else _PANELS["columns"]
    own = max(1, min(int(columns or scene.columns or usual), count))
    if scene.points.xyz is not None:
        return clouds.cloud(scene, look, theme=theme, columns=own, title=title)
    if scene.grid is not None:  # once for all panels
        scene = replace(scene, near=near.near_of(scene))
    plan = _Plan(scene, own, bool(title))
    marks = Marks(scene, look, many=count > MANY)
    # a colour bar with numbers for a single function, with signs when panels have different ranges
    signed = [i for i, panel in enumerate(scene.panels) if _is_signed(scene, panel)]

    tops = _tops(scene, same_scale)

    traces, axes, notes = list(marks.legend()), {}, []
    for i, panel in enumerate(scene.panels):
        x, y = _name("x", i), _name("y", i)
        axes |= plan.axes(i, look)
        notes += plan.words(i, panel, look, tops[i] if len(signed) > 1 and i in signed else None)
        if _note(panel):
            # an axis without a trace would be dropped, and the note with it
            parts = marks.bare() or [_EMPTY]
        else:
            bar = len(signed) if signed and i == signed[0] else 0
            numbered = 1 if same_scale else bar
            parts = _field(scene, panel, look, marks, tops[i], bar and numbered)
            parts += marks.points(panel, top=tops[i], bar=bar and numbered)
            parts += marks.errors(panel) if errors else []
        parts += marks.landmarks() + marks.labels()
        traces += [part | {"xaxis": x, "yaxis": y} for part in parts]

    legend = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
    style = layout(
        look,
        height=plan.height,
        title=title,
        name=theme,
        meta=plan.meta(marks.legend_width),
        margin=plan.margin,
        legend={"font": {"color": look.text}, "itemsizing": "constant", **legend},
        hovermode="closest",
        dragmode="zoom",
        uirevision=scene.view_key,
        annotations=notes,
        **axes,
    )
    return go.Figure(data=traces, layout=style)


class _Plan:
    """Layout of the panels, in pixels of a figure of width WIDTH, and the axes for it."""

    def __init__(self, scene: Scene, columns: int, titled: bool):
        self.scene, self.names, self.view = scene, scene.axes, scene.view
        self.count, self.columns = len(scene.panels), columns
        self.rows = math.ceil(self.count / columns) or 1
        self.ticks = self.count <= MANY
        x0, x1, y0, y1 = scene.view
        self.margin = {"pad": 0, "l": 46 if self.ticks else 12, "r": 62, "t": 40 if titled else 30}
        self.margin["b"] = (44 if self.ticks else 14) + (30 if scene.kind == "classes" else 0)
        self.head = TITLE + (SUBTITLE if any(p.caption for p in scene.panels) else 0)
        if not any(p.title or p.caption for p in scene.panels):
            self.head = 14
        self.inner = WIDTH - self.margin["l"] - self.margin["r"]
        self.w = (self.inner - GAP * (columns - 1)) / columns
        most = 600 if self.count == 1 else 460
        self.h = min(max(self.w * (y1 - y0) / (x1 - x0), 90), most)
        self.pitch = self.h + self.head + (GAP if self.ticks and self.rows > 1 else 6)
        self.body = self.pitch * self.rows
        least = _PANELS["least_width" if self.ticks else "least_width_many"]  # that can be read
        self.least = columns * least if columns > 1 else 0
        self.height = round(self.body + self.margin["t"] + self.margin["b"])

    def meta(self, legend_width: float) -> dict:
        """What an HTML page needs to keep the aspect ratio; see :func:`lapviz.figures.to_html`.

        The height is proportional to the width, except for margins and a legend on several lines.
        """
        across = self.margin["l"] + self.margin["r"]
        lines = max(math.ceil(legend_width / 300), 1)
        return {
            "ratio": self.body / self.inner,
            "beside": across,
            "above": self.margin["t"] + self.margin["b"],
            "wrap": 20 * (lines - 1),
            "least": self.least,
        }

    def axes(self, i: int, look: colours.Theme) -> dict:
        row, column = divmod(i, self.columns)
        left = column * (self.w + GAP) / self.inner
        low = 1 - (row * self.pitch + self.head + self.h) / self.body
        x0, x1, y0, y1 = (float(v) for v in self.view)
        last = i + self.columns >= self.count
        framed = {"showgrid": False, "mirror": True, "constrain": "domain"}
        if not self.ticks:
            framed |= {"showticklabels": False, "ticks": ""}
        across = axis(look, self.names[0] if self.ticks and last else "", **framed)
        up = axis(look, self.names[1] if self.ticks and column == 0 else "", **framed)
        across |= {"domain": [left, min(left + self.w / self.inner, 1)], "range": [x0, x1]}
        up |= {"domain": [max(low, 0), low + self.h / self.body], "range": [y0, y1]}
        across |= {
            "automargin": "height",
            "anchor": _name("y", i),
            "nticks": 7,
            "showticklabels": self.ticks and last,
        }
        up |= {"anchor": _name("x", i), "nticks": 7, "showticklabels": self.ticks and column == 0}
        if i:
            across["matches"], up["matches"] = "x", "y"
        else:
            up["scaleanchor"] = "x"
        return {_name("xaxis", i): across, _name("yaxis", i): up}

    def words(self, i: int, panel: Panel, look: colours.Theme, top: float | None) -> list[dict]:
        """Title, end of the scale and caption above the panel, a note within."""
        place = {"xref": f"{_name('x', i)} domain", "yref": f"{_name('y', i)} domain"}
        place |= {"showarrow": False, "font": {"color": look.text}}
        width = int(self.w / 7)
        note, title = _note(panel), wrapped(panel.title, width) if panel.title else ""
        if top is not None:
            title += f"  <span style='font-size: 12px'>±{short(top, 2)}</span>"
        below = []
        if panel.subtitle:
            words = wrapped(panel.subtitle, width)
            below.append(f"<span style='font-size: 12px'>{words}</span>")
        if panel.accuracy is not None:
            words = plain(accuracy_words(panel.accuracy))
            below.append(f"<b style='font-size: 16px'>{words}</b>")
        if below:
            title += f"<br>{' · '.join(below)}"
        words = []
        if title:
            above = {"x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "align": "left"}
            words.append({"text": title, **above, **place})
        if note:
            middle = {"x": 0.5, "y": 0.5, "xanchor": "center", "yanchor": "middle"}
            plate = {"bgcolor": look.plate, "borderpad": 8, "bordercolor": look.faint}
            words.append(
                {
                    "text": wrapped(note, min(width, 24)),
                    **middle,
                    **place,
                    **plate,
                    "font": {"color": look.outline},
                }
            )
        return words


def _field(
    scene: Scene, panel: Panel, look: colours.Theme, marks: Marks, top: float, bar: int
) -> list[dict]:
    """Traces of the heat map and its lines; ``bar`` is 0, or how many panels the bar is for."""
    crowded = len(scene.panels) > MANY
    if panel.grid is None or scene.grid is None:
        return []
    classes, cover = scene.kind_of(panel) == "classes", near.cover(scene, look)
    place = {"x": np.asarray(scene.grid.x), "y": np.asarray(scene.grid.y)}
    tip = {"hovertemplate": marks.where + "value %{z:.3g}<extra></extra>", "showlegend": False}
    heat = {"type": "heatmap", "showscale": False, **place, **tip}
    if classes:
        tell = "score" if _outputs(panel) == 1 else "margin"
        heat["text"] = marks.predicted(panel.grid)
        heat["hovertemplate"] = marks.where + tell + " %{z:.3g}<br>predicted %{text}<extra></extra>"
    clear, pale = _LINES["zero_alpha"], _LINES["faint_alpha"]
    bold = {
        "width": _LINES["zero_width_many" if crowded else "zero_width"],
        "color": f"rgba({look.line}, {clear})",
    }
    fine = {"width": _LINES["thin_width"], "color": f"rgba({look.line}, {_LINES['thin_alpha']})"}
    faint = {
        "width": _LINES["faint_width_many" if crowded else "faint_width"],
        "color": f"rgba({look.line}, {pale})",
    }

    own = _top(scene, panel)  # the zero line is as clear as on the panel's own scale

    def zero(z):
        parts = zip(fields.zero_line(z, own), (bold, faint), strict=True)
        return [_contour(part, place, line) for part, line in parts if part is not None]

    if _outputs(panel) > 1:
        most = _PANELS["pixels_many" if crowded else "pixels"]
        source, fx, fy = fields.class_picture(panel.grid, look, top or 1.0, most)
        x, y = place["x"], place["y"]
        steps = {"dx": _step(x) / fx, "dy": _step(y) / fy, "x0": float(x[0]), "y0": float(y[0])}
        image = {"type": "image", "source": source, "zsmooth": "fast", "hoverinfo": "skip"}
        invisible = [[0, "rgba(0, 0, 0, 0)"], [1, "rgba(0, 0, 0, 0)"]]
        heat |= {"z": fields.winners(panel.grid)[1], "colorscale": invisible}
        lines = [line for z in fields.boundaries(panel.grid) for line in zero(z)]
        return [image | steps, *lines, *cover, heat]

    z = fields.finite(panel.grid[0])
    scale = look.pair if classes else look.functions
    end = top or 1.0
    heat |= {"z": z, "zmin": -end, "zmax": end, "colorscale": scale, "zsmooth": "best"}
    if bar:
        heat |= {"showscale": True, "colorbar": panels_bar(look, end, bar)}
    lines = zero(z)
    if top > 0:
        many = _LINES["count"]["many" if crowded else "classes" if classes else "functions"]
        unbend = colours.unfade if classes else (lambda t: t)
        # Plotly draws the level 0 between -1 and 1 as well: not where the zero line has ended
        steps = fields.clear_part(fields.levels(z, top, many, unbend), z, top)
        lines.insert(0, _contour(steps, place, fine, most=many))
    return [heat, *lines, *cover]


def _contour(z, place: dict, line: dict, most: int = 0) -> dict:
    """Lines of z at the whole numbers from -most to most."""
    steps = {"start": -most, "end": most, "size": 1, "coloring": "none"}
    quiet = {"hoverinfo": "skip", "showlegend": False, "showscale": False, "autocontour": False}
    return {"type": "contour", "z": z, "contours": steps, "line": line, **quiet, **place}


_EMPTY = {"type": "scatter", "x": [None], "y": [None], "hoverinfo": "skip", "showlegend": False}


def _outputs(panel: Panel) -> int:
    values = panel.points if panel.grid is None else panel.grid
    return len(values)


def _is_signed(scene: Scene, panel: Panel) -> bool:
    """Whether the panel's colours are a diverging scale, not the colours of classes."""
    if _note(panel) or _outputs(panel) != 1:
        return False
    return panel.grid is not None or scene.kind_of(panel) != "classes"


def _top(scene: Scene, panel: Panel) -> float:
    """The end of a panel's own colour scale."""
    classes = scene.kind_of(panel) == "classes"
    if panel.grid is None:
        return fields.scale_end(panel.points, classes)
    return fields.scale_end(panel.grid, classes, near.region(scene))


def _tops(scene: Scene, same: bool) -> list[float]:
    """The end of every panel's colour scale as it is drawn."""
    tops = [_top(scene, panel) for panel in scene.panels]
    return [max(tops)] * len(tops) if same else tops


def _note(panel: Panel) -> str:
    """The panel's note, or a message if nothing in it can be drawn."""
    if panel.note:
        return panel.note
    values = panel.points if panel.grid is None else panel.grid
    if np.size(values) and not np.isfinite(values).any():
        return "No value here is a number: there is nothing to draw."
    return ""


def _name(stem: str, i: int) -> str:
    return stem if i == 0 else f"{stem}{i + 1}"


def _step(nodes: np.ndarray) -> float:
    return float(nodes[-1] - nodes[0]) / (len(nodes) - 1) if len(nodes) > 1 else 1.0
