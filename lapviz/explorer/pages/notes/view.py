"""The live stages of the Notes page: small scenes, each with two or three panels and a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lapviz.explorer.compute import fits, points
from lapviz.explorer.host.limits import GRID_SMALL, LOCAL_MODES
from lapviz.explorer.pages.notes import fields as notes_fields
from lapviz.explorer.pages.notes.fields import NoteView
from lapviz.explorer.scene.label_methods import TITLES
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.scene.placement import SUBSCRIPTS, grid_of, plane_of
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.stories import presets
from lapviz.parameters import Parameter
from lapviz.scenes import Panel, Points

RIDGE, LAPLACIAN, GRAPH = TITLES
N_SHOWN = 6  # eigenvalues in a table


def _few(described: Parameter, default: object, values: Sequence, titles=()) -> Parameter:
    """A parameter of which a note takes a few values only, with what they are called."""
    titles = titles or [f"{v:.3g}" if isinstance(v, float) else f"{v:,}" for v in values]
    only = tuple(zip(values, titles, strict=True))
    return replace(described, default=default, only=only, key=described.name)


def _knob(name: str, default, *values, titles=()) -> Parameter:
    """A setting of the explorer, of which a note takes a few values only."""
    return _few(SETTINGS[name], default, values, titles)


def _own(name: str, label: str, help: str, values: Sequence, default: object) -> Parameter:
    """A number that only this note has."""
    return _few(Parameter(name, label, help, default), default, values)


@dataclass(frozen=True)
class NoteStage:
    """A live stage: what it draws, what is set below it, and what the stage itself changes."""

    name: str
    title: str
    draw: Callable[[Mapping[str, object]], NoteView]
    knobs: tuple[Parameter, ...]
    on_stage: tuple[tuple[str, object], ...] = ()  # of "lam", "filter", "marks", with defaults

    @property
    def defaults(self) -> dict[str, object]:
        """Values of everything that can be changed."""
        return {knob.name: knob.default for knob in self.knobs} | dict(self.on_stage)

    @property
    def settings(self) -> dict[str, Parameter]:
        """Everything that can be changed, by name."""
        on_stage = {name: SETTINGS[name] for name, _ in self.on_stage}
        return {knob.name: knob for knob in self.knobs} | on_stage

    def view(self, values: Mapping[str, object]) -> NoteView:
        """What it shows for these values; those not named have their defaults."""
        return self.draw(self.defaults | dict(values))


# ---- eigenfunctions -------------------------------------------------------------------------


def _eigen(base: Settings, numbers=(1, 2, 3)) -> Callable:
    def draw(values: Mapping[str, object]) -> NoteView:
        settings = base.change(**values)
        method, plane = fits.method(settings), plane_of(settings)
        data, space = points.sample(settings.data), method.assembled().space
        pairs = method.eigenfunctions(max(max(numbers) + 1, N_SHOWN))
        grid = grid_of(plane.view, GRID_SMALL)
        shown = [i for i in numbers if i < len(pairs.gamma)]
        at = space.evaluate(data.X, pairs.vectors[:, shown]).T
        there = space.evaluate(grid.sites(), pairs.vectors[:, shown]).T
        fields = there.reshape(-1, 1, len(grid.y), len(grid.x))
        panels = tuple(
            Panel(f"e{i}".translate(SUBSCRIPTS), at[k : k + 1], fields[k],
                  f"γ = {pairs.gamma[i]:.3g}")
            for k, i in enumerate(shown)
        )  # fmt: skip
        scene = notes_fields.functions_scene(
            panels, Points(plane.xy, np.arange(len(data.X)), data.y), grid, plane.key
        )
        learnt, truth = pairs.gamma[:N_SHOWN], data.truth
        heads, columns = ["Mode", "learnt γ"], [range(len(learnt)), map(float, learnt)]
        if truth.eigenvalues is not None and truth.operator in (None, settings.energy.operator):
            heads.append("true γ")
            columns.append(map(float, truth.eigenvalues[: len(learnt)]))
        said = f"{pairs.n_dropped} of {space.n_functions} directions are null and were dropped."
        return NoteView(scene, tuple(heads), tuple(zip(*columns, strict=True)), said)

    return draw


def _without_constant(base: Settings) -> Callable:
    """The same, with one more column: the spectrum without the constant in the space."""
    drawn = _eigen(base)

    def draw(values: Mapping[str, object]) -> NoteView:
        shown = drawn(values)
        method = fits.method(base.change(**values))
        gamma = map(float, method.spectrum(LOCAL_MODES, False).gamma)
        rows = tuple((*row, next(gamma, None)) for row in shown.rows)
        return replace(shown, heads=(*shown.heads, "γ without the constant"), rows=rows)

    return draw


# ---- estimates ------------------------------------------------------------------------------


def _labels(base: Settings, *wanted: str) -> Callable:
    def draw(values: Mapping[str, object]) -> NoteView:
        shown = labels_view(tidy(base.change(**values)))
        panels = tuple(panel for panel in shown.scene.panels if panel.title in wanted)
        rows = tuple(
            (s.method, None if s.accuracy is None else 100 * s.accuracy, s.energy)
            for s in shown.scores
            if s.method in wanted
        )
        heads = ("Method", "Right (%)", "Dirichlet energy")
        scene = replace(shown.scene, panels=panels)
        return NoteView(scene, heads, rows, "" if rows else "Click a point to give it a class.")

    return draw


def _on_stage(base: Settings) -> tuple[tuple[str, object], ...]:
    return tuple((name, base.get(name)) for name in ("lam", "filter", "marks"))


def _labelled(name: str, title: str, base: Settings, wanted, *knobs: Parameter) -> NoteStage:
    return NoteStage(name, title, _labels(base, *wanted), knobs, _on_stage(base))


# ---- all of them ----------------------------------------------------------------------------

_MOONS = presets.for_data("half_moons").change(n=400, p=100)
_CIRCLES = presets.for_data("four_circles").change(n=500, p=300)
_NOISY = presets.for_data("four_circles").change(n=500, p=300, noise=0.1, sigma=0.5, mu=1e-6)
_NORMAL = presets.for_data("gaussian").change(n=500, p=100)

STAGES = {
    stage.name: stage
    for stage in (
        NoteStage("eigenfunctions", "Eigenfunctions of two half-moons", _eigen(_MOONS),
                  (_knob("noise", 0.05, 0.0, 0.02, 0.05, 0.1, 0.2, 0.3),)),
        NoteStage("galerkin", "The same with few test functions", _without_constant(_MOONS),
                  (_knob("p", 20, 5, 10, 20, 50, 100, 200),
                   _knob("sigma", 0.2, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0))),
        NoteStage("spectrum", "Hermite polynomials", _eigen(_NORMAL, (1, 3, 4)),
                  (_knob("n", 500, 50, 100, 200, 500), _knob("p", 20, 10, 20, 50, 100, 200))),
        _labelled("labels", "Four labels on four circles", _CIRCLES, (RIDGE, LAPLACIAN),
                  _knob("term", "labelled", "labelled", "all",
                        titles=("Labelled points", "All samples"))),
        _labelled("parameters", "Two labels for each moon", _MOONS, (RIDGE, LAPLACIAN),
                  _knob("sigma", 0.2, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0),
                  _knob("mu", 1e-3, 0.0, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0),
                  _knob("p", 100, 5, 10, 20, 50, 100, 200, 400)),
        _labelled("tangents", "Noisy circles", _NOISY, (RIDGE, LAPLACIAN),
                  _knob("operator", "tangent", "laplacian", "tangent",
                        titles=("Ambient gradient", "Learnt tangents"))),
        _labelled("graph", "Kernel Laplacian and graph", _MOONS, (LAPLACIAN, GRAPH),
                  _knob("graph_neighbors", 10, 2, 3, 5, 10, 20, 50, 100)),
        NoteStage("hermite", "A surface from values and slopes", notes_fields.hermite,
                  (_own("points", "Points", "How many points have a value and a slope.",
                        (5, 10, 15, 20, 30, 50), 15),
                   _own("weight", "Weight of slopes w", "Weight of the error in the slopes, in "
                        "length²; 0 is plain regression.", (0.0, 0.01, 0.1, 1.0, 10.0), 1.0))),
        NoteStage("conjugate-gradient", "Steps of kernel conjugate gradient",
                  notes_fields.conjugate_gradient,
                  (_own("steps", "Steps m", "Number of steps before stopping.",
                        (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40), 3),
                   _own("sd", "Noise", "Standard deviation of the noise in the response.",
                        (0.0, 0.1, 0.3, 0.6, 1.0), 0.6))),
        NoteStage("next-label", "Which point to label next", notes_fields.next_point,
                  (_own("weight", "λ", SETTINGS["lam"].help,
                        (1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0), 1.0),
                   _own("asked", "Labels asked for", "How many labels have been asked for, each "
                        "by the second criterion.", (0, 1, 2, 3, 4, 6, 8), 0))),
    )
}  # fmt: skip
