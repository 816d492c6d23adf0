"""Points, labels and legend of a scene as Plotly traces, in the plane or in space."""

from __future__ import annotations

import numpy as np

from lapviz.contract import CONTRACT
from lapviz.figures import fields
from lapviz.figures.colours import Theme, class_scale, fade
from lapviz.figures.style import colour_bar, plain
from lapviz.scenes import Label, Panel, Scene

DOTS = CONTRACT["dots"]
MOST_SVG = 12_000  # marks in a figure, above which WebGL draws the points
SPATIAL = {"circle", "square", "diamond", "cross", "x"}  # markers that Scatter3d supports
BESIDE = 0.02  # of the view's width, between a label's mark and those of its other candidates


class Marks:
    """The marks that are the same in all panels of a scene."""

    def __init__(self, scene: Scene, look: Theme):
        self.scene, self.look = scene, look
        points, many = scene.points, len(scene.panels) > CONTRACT["panels"]["many"]
        self.space = points.xyz is not None
        self.places = np.asarray(points.xyz if self.space else points.xy, dtype=float)
        count = len(self.places)
        webgl = count * len(scene.panels) > MOST_SVG
        self.kind = "scatter3d" if self.space else "scattergl" if webgl else "scatter"
        self.label_size = 8 if many or self.space else 11
        self.dot = float(np.clip(34 / np.sqrt(max(count, 9)), 2.0, 5.0)) * (0.7 if many else 1)
        truth = np.full(count, -1) if points.truth is None else np.asarray(points.truth)
        codes = [code for label in scene.labels for code in label.candidates]
        outputs = [len(panel.points) - 1 for panel in scene.panels if not panel.note]
        most = max([len(scene.classes) - 1, 1, *codes, *truth.tolist(), *outputs])
        self.names = [plain(name) for name in scene.classes]
        self.names += [f"class {code}" for code in range(len(self.names), most + 1)]
        self.called = [plain(name) for name in points.names()]
        self.true = [f"<br>true class {self.names[c]}" if c >= 0 else "" for c in truth]
        self.rows = {int(index): k for k, index in enumerate(points.index)}
        axes = zip(map(plain, scene.axes), "xyz", strict=False)
        self.where = "".join(f"{name} %{{{k}:.3f}}<br>" for name, k in axes)

    def at(self, places: np.ndarray, marker: dict, tip: str = "", **more) -> dict:
        """A trace of markers at places (m, 2) or (m, 3), which says on hover where it is."""
        says = {"hovertemplate": f"{tip}<extra></extra>"} if tip else {"hoverinfo": "skip"}
        return {"type": self.kind, **dict(zip("xyz", places.T, strict=False)), "mode": "markers",
                "marker": marker, "showlegend": False, **says, **more}  # fmt: skip

    def symbol(self, code: int, size: float = 1) -> dict:
        """The marker of a class."""
        marker = self.look.symbol(code) | {"line": {"color": self.look.outline, "width": 1.2}}
        if self.space and marker["symbol"] not in SPATIAL:
            marker["symbol"] = "circle"
        return marker | {"size": self.label_size * size}

    def legend(self) -> list[dict]:
        """One entry per class, with its colour and shape; none for functions without labels."""
        present = {code for label in self.scene.labels for code in label.candidates}
        if self.scene.kind == "classes":
            present |= set(range(len(self.scene.classes)))
        return [self.nothing(self.symbol(code), showlegend=True, **self.group(code))
                for code in sorted(present)]  # fmt: skip

    def group(self, code: int) -> dict:
        """A class's name, and that its traces are hidden and shown together."""
        return {"name": self.names[code], "legendgroup": f"class {code}"}

    def nothing(self, marker: dict | None = None, **more) -> dict:
        """A trace without a mark."""
        return self.at(np.full((1, 3 if self.space else 2), np.nan), marker or {}, **more)

    def labels(self) -> list[dict]:
        """The labelled points, one trace for each class; smaller marks for further candidates."""
        shown = [label for label in self.scene.labels if self.place(label) is not None]
        step = BESIDE * (self.scene.view[1] - self.scene.view[0])
        traces = []
        for further, code in sorted({(c != p.code, c) for p in shown for c in p.candidates}):
            of_it = [p for p in shown if code in p.candidates and (code != p.code) == further]
            places = np.array([self.place(p) for p in of_it])
            places[:, 0] += [step * p.candidates.index(code) for p in of_it]
            traces.append(
                self.at(
                    places,
                    self.symbol(code, 0.6 if further else 1),
                    f"labelled <b>%{{customdata}}</b><br>{self.where}%{{text}}",
                    type="scatter3d" if self.space else "scatter",
                    text=["free" if p.free else self.name_of(p.index) for p in of_it],
                    customdata=[" or ".join(self.names[c] for c in p.candidates) for p in of_it],
                    **self.group(code),
                )
            )
        return traces

    def place(self, label: Label) -> np.ndarray | None:
        """Where a label is drawn; None for a row in space that is not."""
        if not self.space:
            return np.array([label.x, label.y])
        return self.places[self.rows[label.index]] if label.index in self.rows else None

    def name_of(self, index: int) -> str:
        """What people call a row of the data."""
        return self.called[self.rows[index]] if index in self.rows else f"row {index + 1}"

    def others(self) -> list[dict]:
        """The landmarks as rings, and a question mark at the point to label next."""
        scene, look, traces = self.scene, self.look, []
        if scene.landmarks is not None and len(scene.landmarks) and not self.space:
            edge = {"color": look.text, "width": 1.2}
            ring = {"color": look.halo, "line": edge, "size": self.dot + 2.5}
            traces.append(self.at(np.asarray(scene.landmarks), ring, f"landmark<br>{self.where}"))
        if scene.marked in self.rows:
            edge = {"color": look.outline, "width": 1.5}
            ring = {"color": look.halo, "line": edge, "size": 17}
            word = {"mode": "markers+text", "text": ["?"], "textfont": {"color": look.outline}}
            traces.append(self.at(self.places[[self.rows[scene.marked]]], ring, **word))
        return traces

    def points(self, panel: Panel, *, top: float, drawn: bool, bar: bool) -> dict:
        """The data points: small dots on a field or a note, else coloured by value or class."""
        look, dots = self.look, {"size": self.dot, "color": self.look.text, "opacity": 0.55}
        if not drawn:
            text = list(map("".join, zip(self.called, self.true, strict=True)))
            return self.at(self.places, dots, f"{self.where}%{{text}}", text=text)
        values, what, classes = self.told(panel, panel.points)
        predicted = [f"<br>predicted {name}" if name else "" for name in classes]
        text = list(map("".join, zip(self.called, predicted, self.true, strict=True)))
        if panel.grid is not None:
            dots["color"] = look.line
        else:
            larger, least = (0.75, 2.5) if self.space else (DOTS["enlarged"], 4.5)
            dots = {"size": max(self.dot * larger, least)}
            dots["line"] = {"width": 0.5, "color": look.faint}
            scores = fields.of_classes(panel.points) if any(classes) else panel.points
            if len(scores) > 1:
                # from 0.4: also a small margin must show its class on so small a mark
                dots |= self.shaded(scores, fields.top_of(scores), 0.4, "color", "c")
            else:
                dots |= {"color": values, "colorscale": look.dots, "cmin": -top, "cmax": top,
                         "showscale": bar, "colorbar": colour_bar(look, top)}  # fmt: skip
        tip = f"{self.where}{what} %{{customdata:.3g}}<br>%{{text}}"
        return self.at(self.places, dots, tip, text=text, customdata=values)

    def told(self, panel: Panel, values: np.ndarray) -> tuple[np.ndarray, str, np.ndarray]:
        """What hover tells of values (K, ...): numbers, their name, and the classes predicted."""
        classes = self.scene.kind_of(panel) == "classes"
        names = np.array([*self.names, "no class"] if classes else [""], dtype=object)
        codes, margins = fields.winners(fields.of_classes(values))
        codes = codes if classes else np.zeros_like(codes)
        if len(values) > 1:
            return margins, "margin", names[codes]
        return fields.finite(values[0]), "score" if classes else "value", names[codes]

    def shaded(self, scores: np.ndarray, top: float, least: float, name: str, letter: str) -> dict:
        """The winner of K scores as a colour, stronger for a larger margin, for Plotly's scales."""
        codes, margins = fields.winners(scores)
        strength = fade(np.clip(margins / (top or 1.0), 0, 1))
        strength = np.minimum(least + (1 - least) * strength, 0.999)
        return {
            name: np.where(codes < 0, np.nan, codes + strength),
            f"{letter}min": 0,
            f"{letter}max": len(scores),
            "colorscale": class_scale(self.look, len(scores)),
        }

    def errors(self, panel: Panel) -> list[dict]:
        """Crosses on the points, labelled ones left out, that do not get their true class."""
        wrong = fields.wrong_points(self.scene, panel)
        cross = {"symbol": "x" if self.space else "x-thin-open", "color": self.look.line,
                 "size": self.dot + 2 * DOTS["cross"]}  # fmt: skip
        return [self.at(self.places[wrong], cross, name="wrong class")] if wrong.any() else []
