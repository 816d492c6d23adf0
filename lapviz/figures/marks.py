"""Points, labels and legend of a scene as Plotly traces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lapviz.contract import CONTRACT
from lapviz.figures import colours, fields
from lapviz.figures.style import panels_bar, plain
from lapviz.scenes import Panel, Scene

DOTS = CONTRACT["dots"]
MOST_SVG = 12_000  # marks in a figure, above which WebGL draws the points


class Marks:
    """The marks that are the same in all panels of a scene."""

    def __init__(self, scene: Scene, look: colours.Theme, many: bool):
        self.scene, self.look = scene, look
        self.count = len(scene.points.xy)
        self.label_size = 8 if many else 11
        drawn = self.count * len(scene.panels)
        self.kind = "scattergl" if drawn > MOST_SVG else "scatter"
        self.dot = float(np.clip(34 / np.sqrt(max(self.count, 9)), 2.0, 5.0)) * (0.7 if many else 1)
        self.xyz = scene.points.xyz
        places = np.asarray(scene.points.xy if self.xyz is None else self.xyz)
        self.place = dict(zip("xyz", places.T, strict=False))
        if self.xyz is not None:
            self.kind = "scatter3d"
        truth = () if scene.points.truth is None else np.asarray(scene.points.truth).tolist()
        self.truth = truth
        self.called = [plain(name) for name in scene.points.names()]
        self.calls = dict(zip(np.asarray(scene.points.index).tolist(), self.called, strict=True))
        codes = [code for label in scene.labels for code in label.candidates]
        outputs = [len(panel.points) for panel in scene.panels if not panel.note]
        most = max([len(scene.classes) - 1, 1, *codes, *truth, *(k - 1 for k in outputs)])
        self.names = [plain(name) for name in scene.classes]
        self.names += [f"class {code}" for code in range(len(self.names), most + 1)]
        axes = [plain(name) for name in scene.axes]
        self.where = "".join(f"{a} %{{{k}:.3f}}<br>" for a, k in zip(axes, "xyz", strict=False))

    def legend(self) -> Iterator[dict]:
        """One entry per class, with its colour and shape; none for functions without labels."""
        present = {code for label in self.scene.labels for code in label.candidates}
        if self.scene.kind == "classes":
            present |= set(range(len(self.scene.classes)))
        for code in sorted(present):
            yield {
                "type": "scatter",
                "x": [None],
                "y": [None],
                "mode": "markers",
                "name": self.names[code],
                "legendgroup": f"class {code}",
                "marker": self.symbol(code),
                "hoverinfo": "skip",
            }

    @property
    def legend_width(self) -> float:
        """Approximate width of the legend on one line, in pixels."""
        return sum(46 + 7 * len(entry["name"]) for entry in self.legend())

    def name_of(self, index: int) -> str:
        """What people call a row of the data."""
        return self.calls.get(index, f"row {index + 1}")

    def symbol(self, code: int) -> dict:
        return {
            "symbol": colours.SYMBOLS[code % len(colours.SYMBOLS)],
            "color": self.look.classes[code % len(self.look.classes)],
            "size": self.label_size,
            "line": {"color": self.look.outline, "width": 1.2},
        }

    def labels(self) -> list[dict]:
        """The labelled points: one trace of halos, then one trace per class."""
        groups: dict[int, list] = {}
        for label in self.scene.labels:
            groups.setdefault(label.code, []).append(label)
        if not groups:
            return []
        every = [label for code in sorted(groups) for label in groups[code]]
        halo = {
            "type": "scatter",
            "x": np.array([label.x for label in every]),
            "y": np.array([label.y for label in every]),
            "mode": "markers",
            "marker": {
                "symbol": [colours.SYMBOLS[p.code % len(colours.SYMBOLS)] for p in every],
                "color": self.look.halo,
                "size": self.label_size + 4,
                "line": {"color": self.look.halo, "width": 1.5},
            },
            "hoverinfo": "skip",
            "showlegend": False,
        }
        traces = [halo]
        for code in sorted(groups):
            tip = f"labelled <b>%{{customdata}}</b><br>{self.where}%{{text}}<extra></extra>"
            names = [[self.names[c] for c in p.candidates] for p in groups[code]]
            traces.append(
                {
                    "type": "scatter",
                    "x": np.array([label.x for label in groups[code]]),
                    "y": np.array([label.y for label in groups[code]]),
                    "text": ["free" if p.free else self.name_of(p.index) for p in groups[code]],
                    "customdata": [" or ".join(its) for its in names],
                    "mode": "markers",
                    "name": self.names[code],
                    "legendgroup": f"class {code}",
                    "showlegend": False,
                    "marker": self.symbol(code),
                    "hovertemplate": tip,
                }
            )
        return [*traces, *self.candidates(), *self.marked()]

    def candidates(self) -> list[dict]:
        """Further candidate classes of the labels: smaller marks inside, side by side."""
        several = [label for label in self.scene.labels if label.others]
        if not several:
            return []
        inner = [(label, code, k) for label in several for k, code in enumerate(label.others)]
        x0, x1, _, _ = self.scene.view
        step = 0.012 * (x1 - x0)
        return [
            {
                "type": "scatter",
                "x": np.array([label.x + step * k for label, _, k in inner]),
                "y": np.array([label.y for label, _, _ in inner]),
                "mode": "markers",
                "marker": {
                    "symbol": [colours.SYMBOLS[c % len(colours.SYMBOLS)] for _, c, _ in inner],
                    "color": [self.look.classes[c % len(self.look.classes)] for _, c, _ in inner],
                    "size": 0.55 * self.label_size,
                    "line": {"color": self.look.outline, "width": 0.8},
                },
                "hoverinfo": "skip",
                "showlegend": False,
            }
        ]

    def marked(self) -> list[dict]:
        """The point to label next: a question mark in a ring."""
        if self.scene.marked is None:
            return []
        at = np.flatnonzero(np.asarray(self.scene.points.index) == self.scene.marked)
        x, y = np.asarray(self.scene.points.xy)[at[0]]
        ring = {"color": self.look.halo, "line": {"color": self.look.outline, "width": 1.5}}
        return [
            {
                "type": "scatter",
                "x": [x],
                "y": [y],
                "mode": "markers+text",
                "text": ["?"],
                "textfont": {"color": self.look.outline, "size": 12},
                "marker": {"symbol": "circle", "size": 17, **ring},
                "hoverinfo": "skip",
                "showlegend": False,
            }
        ]

    def landmarks(self) -> list[dict]:
        """The landmarks as rings; none if the scene does not mark them."""
        xy = self.scene.landmarks
        if xy is None or not len(xy):
            return []
        ring = {"color": self.look.text, "width": 1.2}
        return [
            {
                "type": self.kind,
                "x": np.asarray(xy)[:, 0],
                "y": np.asarray(xy)[:, 1],
                "mode": "markers",
                "showlegend": False,
                "marker": {"size": self.dot + 2.5, "color": self.look.halo, "line": ring},
                "hovertemplate": f"landmark<br>{self.where}<extra></extra>",
            }
        ]

    def bare(self) -> list[dict]:
        """The data points of a panel without values: dots, with row and true class on hover."""
        if self.count == 0:
            return []
        true = [f"<br>true class {self.names[c]}" if c >= 0 else "" for c in self.truth]
        true = true or [""] * self.count
        return [
            {
                "type": self.kind,
                **self.place,
                "mode": "markers",
                "showlegend": False,
                "marker": {"size": self.dot, "color": self.look.text, "opacity": 0.55},
                "text": [name + word for name, word in zip(self.called, true, strict=True)],
                "hovertemplate": f"{self.where}%{{text}}<extra></extra>",
            }
        ]

    def points(self, panel: Panel, *, top: float, bar: int) -> list[dict]:
        """The data points: small dots on a field, coloured by value or class without one."""
        if self.count == 0:
            return []
        trace = {
            "type": self.kind,
            **self.place,
            "mode": "markers",
            "showlegend": False,
            **self.tips(panel),
        }
        if panel.grid is not None:
            alpha = DOTS["alpha_many" if self.count > DOTS["many"] else "alpha"]
            dots = {"size": self.dot, "color": f"rgba({self.look.line}, {alpha})"}
            return [trace | {"marker": dots | {"line": {"width": 0}}}]
        return [trace | {"marker": self.coloured(panel, top or 1.0, bar)}]

    def errors(self, panel: Panel) -> list[dict]:
        """Rings around the points, labelled ones left out, that do not get their true class."""
        wrong = wrong_points(self.scene, panel)
        if not wrong.any():
            return []
        ring = {
            "symbol": "circle-open",
            "size": self.dot + 2 * DOTS["ring"],
            "color": f"rgb({self.look.line})",
        }
        return [
            {
                "type": self.kind,
                "x": self.place["x"][wrong],
                "y": self.place["y"][wrong],
                "mode": "markers",
                "name": "wrong class",
                "showlegend": False,
                "hoverinfo": "skip",
                "marker": ring | {"line": {"width": 1.5 if wrong.sum() <= DOTS["few"] else 0.9}},
            }
        ]

    def coloured(self, panel: Panel, top: float, bar: int) -> dict:
        """Markers whose colour is the value, or the predicted class and how clearly it wins."""
        marker = {
            "size": float(np.clip(DOTS["enlarged"] * self.dot, 4.5, 9)),
            "line": {"width": 0.5, "color": self.look.faint},
        }
        if self.scene.kind_of(panel) != "classes" and len(panel.points) == 1:
            marker |= {"color": fields.finite(panel.points[0]), "colorscale": self.look.dots}
            marker |= {"cmin": -top, "cmax": top}
            if bar:
                marker |= {"showscale": True, "colorbar": panels_bar(self.look, top, bar)}
            return marker
        scores = _one_vs_rest(panel.points)
        codes, margins = fields.winners(scores)
        # from 0.4: also a small margin must show its class on so small a mark
        strength = 0.4 + 0.6 * colours.fade(np.clip(margins / (fields.top_of(scores) or 1.0), 0, 1))
        value = np.where(codes < 0, np.nan, codes + np.minimum(strength, 0.999))
        scale = colours.class_scale(self.look, len(scores))
        return marker | {"color": value, "cmin": 0, "cmax": len(scores), "colorscale": scale}

    def tips(self, panel: Panel) -> dict:
        """Hover: value or predicted class, true class, row of the data set."""
        rows = np.asarray(self.scene.points.index)
        classes = self.scene.kind_of(panel) == "classes"
        if len(panel.points) == 1:
            values, tell = fields.finite(panel.points)[0], "score" if classes else "value"
        else:
            values, tell = fields.winners(panel.points)[1], "margin"
        name = "row %{customdata[1]}"
        tip: dict = {"customdata": np.column_stack([values, rows + 1]).astype(np.float32)}
        if self.scene.points.notes is not None:
            name, tip["hovertext"] = "%{hovertext}", self.called
        tip["hovertemplate"] = f"{self.where}{tell} %{{customdata[0]:.3g}}<br>{name}"
        if classes:
            words = self.predicted(panel.points)
            if self.scene.points.truth is not None:
                true = [f"<br>true class {self.names[c]}" if c >= 0 else "" for c in self.truth]
                words = words + np.array(true, dtype=object)
            tip["text"] = words
            tip["hovertemplate"] += "<br>predicted %{text}"
        tip["hovertemplate"] += "<extra></extra>"
        return tip

    def predicted(self, scores: np.ndarray) -> np.ndarray:
        """Names of the classes that scores (1 or K, ...) predict, in the scores' shape (...)."""
        codes = fields.winners(_one_vs_rest(scores))[0]
        return np.array([*self.names, "no class"], dtype=object)[codes]


def wrong_points(scene: Scene, panel: Panel) -> np.ndarray:
    """Mask (m,) of the drawn points, labelled ones left out, that do not get their known class."""
    truth = scene.points.truth
    if scene.kind != "classes" or truth is None or panel.note:
        return np.zeros(len(scene.points.xy), bool)
    given = np.isin(scene.points.index, [label.index for label in scene.labels])
    codes = fields.winners(_one_vs_rest(panel.points))[0]
    return (np.asarray(truth) >= 0) & ~given & (codes != truth)


def _one_vs_rest(scores: np.ndarray) -> np.ndarray:
    """Scores of K classes as they are; one signed score (1, ...) as those of two, 0 for the first.

    The estimators, too, predict the second class where the score is positive.
    """
    return np.concatenate([-scores, scores]) if len(scores) == 1 else scores
