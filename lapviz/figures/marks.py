"""Points, labels and legend of a scene as Plotly traces, in the plane or in space."""

from __future__ import annotations

import numpy as np

from lapviz.contract import CONTRACT
from lapviz.figures import fields
from lapviz.figures.colours import Theme, class_scale, fade
from lapviz.figures.style import colour_bar, plain
from lapviz.scenes import Label, Panel, Scene

DOTS = CONTRACT["dots"]
MAX_SVG = 12_000  # marks in a figure above which WebGL draws the points
SPATIAL = {"circle", "square", "diamond", "cross", "x"}  # markers that Scatter3d supports
OFFSET = 0.02  # between the marks of a label's candidates, as a share of the view's width


class Marks:
    """Traces of the points and labels, and the properties that all panels share."""

    def __init__(self, scene: Scene, look: Theme):
        self.scene, self.look = scene, look
        points, many = scene.points, len(scene.panels) > CONTRACT["panels"]["many"]
        self.space = points.xyz is not None
        self.positions = np.asarray(points.xyz if self.space else points.xy, dtype=float)
        count = len(self.positions)
        webgl = count * len(scene.panels) > MAX_SVG
        self.kind = "scatter3d" if self.space else "scattergl" if webgl else "scatter"
        self.label_size = 8 if many or self.space else 11
        self.dot = float(np.clip(34 / np.sqrt(max(count, 9)), 2.0, 5.0)) * (0.7 if many else 1)
        truth = np.full(count, -1) if points.truth is None else np.asarray(points.truth)
        codes = [code for label in scene.labels for code in label.candidates]
        outputs = [len(panel.points) - 1 for panel in scene.panels if not panel.note]
        last_code = max([len(scene.classes) - 1, 1, *codes, *truth.tolist(), *outputs])
        self.names = [plain(name) for name in scene.classes]
        self.names += [f"class {code}" for code in range(len(self.names), last_code + 1)]
        self.row_names = [plain(name) for name in points.names()]
        self.truths = [f"<br>true class {self.names[c]}" if c >= 0 else "" for c in truth]
        self.rows = {int(index): k for k, index in enumerate(points.index)}
        axes = zip(map(plain, scene.axes), "xyz", strict=False)
        self.coordinates = "".join(f"{name} %{{{k}:.3f}}<br>" for name, k in axes)

    def trace(self, positions: np.ndarray, marker: dict, tip: str = "", **options) -> dict:
        """A trace of markers at positions (m, 2) or (m, 3), with the hover template ``tip``."""
        hover = {"hovertemplate": f"{tip}<extra></extra>"} if tip else {"hoverinfo": "skip"}
        return {"type": self.kind, **dict(zip("xyz", positions.T, strict=False)), "mode": "markers",
                "marker": marker, "showlegend": False, **hover, **options}  # fmt: skip

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
        return [self.empty(self.symbol(code), showlegend=True, **self.group(code))
                for code in sorted(present)]  # fmt: skip

    def group(self, code: int) -> dict:
        """The name and legend group of a class: its traces are hidden and shown together."""
        return {"name": self.names[code], "legendgroup": f"class {code}"}

    def empty(self, marker: dict | None = None, **options) -> dict:
        """A trace that draws nothing."""
        return self.trace(np.full((1, 3 if self.space else 2), np.nan), marker or {}, **options)

    def labels(self) -> list[dict]:
        """The labelled points, one trace for each class; smaller marks for further candidates."""
        placed = [label for label in self.scene.labels if self.position(label) is not None]
        step = OFFSET * (self.scene.view[1] - self.scene.view[0])
        traces = []
        pairs = {(code != label.code, code) for label in placed for code in label.candidates}
        for further, code in sorted(pairs):
            labels = [label for label in placed
                      if code in label.candidates and (code != label.code) == further]  # fmt: skip
            titles = [" or ".join(self.names[c] for c in label.candidates) for label in labels]
            positions = np.array([self.position(label) for label in labels])
            positions[:, 0] += [step * label.candidates.index(code) for label in labels]
            traces.append(
                self.trace(
                    positions,
                    self.symbol(code, 0.6 if further else 1),
                    f"labelled <b>%{{customdata}}</b><br>{self.coordinates}%{{text}}",
                    type="scatter3d" if self.space else "scatter",
                    text=[
                        "off the sample" if label.off_sample else self.name_of(label.index)
                        for label in labels
                    ],
                    customdata=titles,
                    **self.group(code),
                )
            )
        return traces

    def position(self, label: Label) -> np.ndarray | None:
        """Position of a label's mark; None in space for a row that is not drawn."""
        if not self.space:
            return np.array([label.x, label.y])
        return self.positions[self.rows[label.index]] if label.index in self.rows else None

    def name_of(self, index: int) -> str:
        """Display name of a row of the data."""
        return self.row_names[self.rows[index]] if index in self.rows else f"row {index + 1}"

    def landmarks(self) -> list[dict]:
        """The landmarks as rings; none in space."""
        landmarks = self.scene.landmarks
        if landmarks is None or not len(landmarks) or self.space:
            return []
        edge = {"color": self.look.text, "width": 1.2}
        ring = {"color": self.look.halo, "line": edge, "size": self.dot + 2.5}
        tip = f"landmark<br>{self.coordinates}"
        return [self.trace(np.asarray(landmarks), ring, tip)]

    def known(self) -> list[dict]:
        """Rings around the points whose values are known."""
        places = [self.rows[row] for row in self.scene.known if row in self.rows]
        ring = {"symbol": "circle-open", "color": self.look.text, "size": self.dot + 5,
                "line": {"width": 1.5}}  # fmt: skip
        return [self.trace(self.positions[places], ring, name="known value")] if places else []

    def query(self) -> list[dict]:
        """A question mark at the point to label next."""
        if self.scene.marked not in self.rows:
            return []
        edge = {"color": self.look.outline, "width": 1.5}
        ring = {"color": self.look.halo, "line": edge, "size": 17}
        text = {"mode": "markers+text", "text": ["?"], "textfont": {"color": self.look.outline}}
        return [self.trace(self.positions[[self.rows[self.scene.marked]]], ring, **text)]

    def points(self, panel: Panel, *, top: float, drawn: bool, bar: bool) -> dict:
        """The data points: small dots on a field or a note, else coloured by value or class."""
        look, dots = self.look, {"size": self.dot, "color": self.look.text, "opacity": 0.55}
        if not drawn:
            text = list(map("".join, zip(self.row_names, self.truths, strict=True)))
            return self.trace(self.positions, dots, f"{self.coordinates}%{{text}}", text=text)
        values, quantity, classes = self.hover_values(panel, panel.points)
        predicted = [f"<br>predicted {name}" if name else "" for name in classes]
        text = list(map("".join, zip(self.row_names, predicted, self.truths, strict=True)))
        if panel.grid is not None:
            dots["color"] = look.line
        else:
            factor, min_size = (0.75, 2.5) if self.space else (DOTS["enlarged"], 4.5)
            dots = {"size": max(self.dot * factor, min_size)}
            dots["line"] = {"width": 0.5, "color": look.faint}
            scores = fields.per_class(panel.points) if any(classes) else panel.points
            if len(scores) > 1:
                # from 0.4: on so small a mark even a small margin must show its class
                dots |= self.shaded(scores, fields.largest(scores), 0.4, "color", "c")
            else:
                dots |= {"color": values, "colorscale": look.dots, "cmin": -top, "cmax": top,
                         "showscale": bar, "colorbar": colour_bar(look, top)}  # fmt: skip
        tip = f"{self.coordinates}{quantity} %{{customdata:.3g}}<br>%{{text}}"
        return self.trace(self.positions, dots, tip, text=text, customdata=values)

    def hover_values(self, panel: Panel, values: np.ndarray) -> tuple[np.ndarray, str, np.ndarray]:
        """Hover data for values (K, ...): numbers, their name, and the predicted classes."""
        classes = self.scene.kind_of(panel) == "classes"
        names = np.array([*self.names, "no class"] if classes else [""], dtype=object)
        codes, margins = fields.winners(fields.per_class(values))
        codes = codes if classes else np.zeros_like(codes)
        if len(values) > 1:
            return margins, "margin", names[codes]
        return fields.finite(values[0]), "score" if classes else "value", names[codes]

    def shaded(self, scores: np.ndarray, top: float, least: float, name: str, letter: str) -> dict:
        """Plotly settings that colour by the winner of K scores, stronger for a larger margin."""
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
        """Crosses on the unlabelled points whose predicted class is not the true one."""
        wrong = fields.wrong_points(self.scene, panel)
        cross = {"symbol": "x" if self.space else "x-thin-open", "color": self.look.line,
                 "size": self.dot + 2 * DOTS["cross"]}  # fmt: skip
        return [self.trace(self.positions[wrong], cross, name="wrong class")] if wrong.any() else []
