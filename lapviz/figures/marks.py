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
        self.count = len(points.xy)
        self.space = points.xyz is not None
        self.kind = "scatter3d" if self.space else "scatter"
        if not self.space and self.count * len(scene.panels) > MOST_SVG:
            self.kind = "scattergl"
        self.places = np.asarray(points.xyz if self.space else points.xy, dtype=float)
        self.label_size = 8 if many or self.space else 11
        self.dot = float(np.clip(34 / np.sqrt(max(self.count, 9)), 2.0, 5.0)) * (0.7 if many else 1)
        truth = [] if points.truth is None else np.asarray(points.truth).tolist()
        codes = [code for label in scene.labels for code in label.candidates]
        outputs = [len(panel.points) for panel in scene.panels if not panel.note]
        most = max([len(scene.classes) - 1, 1, *codes, *truth, *(k - 1 for k in outputs)])
        self.names = [plain(name) for name in scene.classes]
        self.names += [f"class {code}" for code in range(len(self.names), most + 1)]
        self.called = [plain(name) for name in points.names()]
        self.true = [f"<br>true class {self.names[c]}" if c >= 0 else "" for c in truth]
        self.true = self.true or [""] * self.count
        self.rows = {int(index): k for k, index in enumerate(points.index)}
        axes = zip(map(plain, scene.axes), "xyz", strict=False)
        self.where = "".join(f"{name} %{{{k}:.3f}}<br>" for name, k in axes)

    def at(self, places: np.ndarray, marker: dict, **more) -> dict:
        """A trace of markers at places (m, 2) or (m, 3), which says nothing on hover."""
        trace = {"type": self.kind, **dict(zip("xyz", places.T, strict=False)), "mode": "markers",
                 "marker": marker, "showlegend": False}  # fmt: skip
        return trace | (more if "hovertemplate" in more else more | {"hoverinfo": "skip"})

    def symbol(self, code: int) -> dict:
        """The marker of a class."""
        marker = self.look.symbol(code) | {"line": {"color": self.look.outline, "width": 1.2}}
        if self.space and marker["symbol"] not in SPATIAL:
            marker["symbol"] = "circle"
        return marker

    def legend(self) -> list[dict]:
        """One entry per class, with its colour and shape; none for functions without labels."""
        present = {code for label in self.scene.labels for code in label.candidates}
        if self.scene.kind == "classes":
            present |= set(range(len(self.scene.classes)))
        return [
            self.nothing(self.symbol(code) | {"size": self.label_size}, showlegend=True,
                         name=self.names[code], legendgroup=f"class {code}")
            for code in sorted(present)
        ]  # fmt: skip

    def nothing(self, marker: dict | None = None, **more) -> dict:
        """A trace without a mark."""
        return self.at(np.full((1, 3 if self.space else 2), np.nan), marker or {}, **more)

    def labels(self) -> list[dict]:
        """The labelled points, one trace for each class; smaller marks for further candidates."""
        shown = [label for label in self.scene.labels if self.place(label) is not None]
        traces = []
        for inner, code in sorted({(c != p.code, c) for p in shown for c in p.candidates}):
            its = [p for p in shown if code in p.candidates and (code != p.code) == inner]
            places = np.array([self.place(p) for p in its])
            step = BESIDE * (self.scene.view[1] - self.scene.view[0])
            places[:, 0] += [step * p.candidates.index(code) for p in its]
            names = [" or ".join(self.names[c] for c in p.candidates) for p in its]
            called = ["free" if p.free else self.name_of(p.index) for p in its]
            traces.append(
                self.at(
                    places,
                    self.symbol(code) | {"size": self.label_size * (0.6 if inner else 1)},
                    type="scatter3d" if self.space else "scatter",
                    name=self.names[code],
                    legendgroup=f"class {code}",
                    text=called,
                    customdata=names,
                    hovertemplate=f"labelled <b>%{{customdata}}</b><br>{self.where}%{{text}}"
                    "<extra></extra>",
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
            ring = {"color": look.halo, "line": {"color": look.text, "width": 1.2}}
            tip = f"landmark<br>{self.where}<extra></extra>"
            ring["size"] = self.dot + 2.5
            traces.append(self.at(np.asarray(scene.landmarks), ring, hovertemplate=tip))
        if scene.marked in self.rows:
            ring = {"color": look.halo, "line": {"color": look.outline, "width": 1.5}, "size": 17}
            word = {"mode": "markers+text", "text": ["?"], "textfont": {"color": look.outline}}
            traces.append(self.at(self.places[[self.rows[scene.marked]]], ring, **word))
        return traces

    def points(self, panel: Panel, *, top: float, drawn: bool, bar: bool) -> dict:
        """The data points: small dots on a field or a note, else coloured by value or class."""
        classes, several = self.scene.kind_of(panel) == "classes", len(panel.points) > 1
        tip = {"text": [a + b for a, b in zip(self.called, self.true, strict=True)],
               "hovertemplate": f"{self.where}%{{text}}<extra></extra>"}  # fmt: skip
        dots = {"size": self.dot, "color": self.look.text, "opacity": 0.55}
        if not drawn:
            return self.at(self.places, dots, **tip)
        if classes:
            words = zip(self.called, self.predicted(panel.points), self.true, strict=True)
            tip["text"] = [f"{name}<br>predicted {code}{true}" for name, code, true in words]
        tell = "margin" if several else "score" if classes else "value"
        values = fields.winners(panel.points)[1] if several else fields.finite(panel.points)[0]
        tip["customdata"] = values
        tip["hovertemplate"] = f"{self.where}{tell} %{{customdata:.3g}}<br>%{{text}}<extra></extra>"
        if panel.grid is not None:
            return self.at(self.places, dots | {"color": f"rgb({self.look.line})"}, **tip)
        large = self.dot * (0.75 if self.space else DOTS["enlarged"])
        dots = {"size": max(large, 2.5 if self.space else 4.5)}
        dots["line"] = {"width": 0.5, "color": self.look.faint}
        if classes or several:
            scores = fields.of_classes(panel.points)
            # from 0.4: also a small margin must show its class on so small a mark
            dots |= self.shaded(scores, fields.top_of(scores), 0.4, "color", "c")
        else:
            dots |= {"color": values, "colorscale": self.look.dots, "cmin": -top, "cmax": top,
                     "showscale": bar, "colorbar": colour_bar(self.look, top)}  # fmt: skip
        return self.at(self.places, dots, **tip)

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

    def predicted(self, scores: np.ndarray) -> np.ndarray:
        """Names of the classes that scores (1 or K, ...) predict, in the scores' shape (...)."""
        codes = fields.winners(fields.of_classes(scores))[0]
        return np.array([*self.names, "no class"], dtype=object)[codes]

    def errors(self, panel: Panel) -> list[dict]:
        """Crosses on the points, labelled ones left out, that do not get their true class."""
        wrong = fields.wrong_points(self.scene, panel)
        cross = {"symbol": "x-thin-open", "size": self.dot + 2 * DOTS["cross"],
                 "color": f"rgb({self.look.line})"}  # fmt: skip
        return [self.at(self.places[wrong], cross, name="wrong class")] if wrong.any() else []
