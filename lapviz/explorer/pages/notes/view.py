"""The live stages of the Notes page: small scenes, each with two or three panels and a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from lapviz.explorer.compute import fits, points
from lapviz.explorer.host.limits import GRID_SMALL, LOCAL_MODES
from lapviz.explorer.pages.notes import fields as notes_fields
from lapviz.explorer.pages.notes.fields import NoteView
from lapviz.explorer.scene.label_methods import TITLES
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.scene.placement import SUBSCRIPTS, grid_of, plane_of
from lapviz.explorer.settings.fields import BY_NAME, tidy
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.texts import one_of, short
from lapviz.explorer.stories import presets
from lapviz.scenes import Panel, Points

RIDGE, LAPLACIAN, GRAPH = TITLES
N_SHOWN = 6  # eigenvalues in a table


@dataclass(frozen=True)
class Knob:
    """A slider over a few values, or a choice among names, below a stage."""

    name: str
    label: str
    help: str
    options: tuple
    default: object
    titles: tuple[str, ...] = ()  # of the options, if these are names

    @property
    def choice(self) -> bool:
        """Whether its options are names."""
        return isinstance(self.options[0], str)

    def title(self, value: object) -> str:
        """How an option is written."""
        if self.titles:
            return self.titles[self.options.index(value)]
        return f"{value:.3g}" if isinstance(value, float) else f"{value:,}"

    def read(self, text: str) -> object:
        """An option from its text in a link."""
        texts = {short(option): option for option in self.options}
        return texts[one_of(lambda: tuple(texts))(text)]


def _knob(name: str, default, *options, titles=()) -> Knob:
    """A knob for a setting of the explorer, with that setting's own words."""
    field = BY_NAME[name]
    return Knob(name, field.label, field.help, options, default, titles)


@dataclass(frozen=True)
class NoteStage:
    """A live stage: what it draws, its knobs, and the settings that the stage itself changes."""

    name: str
    title: str
    draw: Callable[[Mapping[str, object]], NoteView]
    knobs: tuple[Knob, ...]
    on_stage: tuple[tuple[str, object], ...] = ()  # of "lam", "filter", "marks", with defaults

    @property
    def defaults(self) -> dict[str, object]:
        """Values of everything that can be changed."""
        return {knob.name: knob.default for knob in self.knobs} | dict(self.on_stage)

    def read(self, name: str, text: str) -> object:
        """A value from its text in a link; ValueError if it is none."""
        for knob in self.knobs:
            if knob.name == name:
                return knob.read(text)
        return BY_NAME[name].read(text)

    def write(self, name: str, value: object) -> str:
        """Inverse of :meth:`read`."""
        return BY_NAME[name].write(value) if name in dict(self.on_stage) else short(value)

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


def _labelled(name: str, title: str, base: Settings, wanted, *knobs: Knob) -> NoteStage:
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
                  (Knob("points", "Points", "How many points have a value and a slope.",
                        (5, 10, 15, 20, 30, 50), 15),
                   Knob("weight", "Weight of slopes w", "Weight of the error in the slopes, in "
                        "length²; 0 is plain regression.", (0.0, 0.01, 0.1, 1.0, 10.0), 1.0))),
        NoteStage("conjugate-gradient", "Steps of kernel conjugate gradient",
                  notes_fields.conjugate_gradient,
                  (Knob("steps", "Steps m", "Number of steps before stopping.",
                        (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40), 3),
                   Knob("sd", "Noise", "Standard deviation of the noise in the response.",
                        (0.0, 0.1, 0.3, 0.6, 1.0), 0.6))),
        NoteStage("next-label", "Which point to label next", notes_fields.next_point,
                  (Knob("weight", "λ", BY_NAME["lam"].help,
                        (1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0), 1.0),
                   Knob("asked", "Labels asked for", "How many labels have been asked for, each "
                        "by the second criterion.", (0, 1, 2, 3, 4, 6, 8), 0))),
    )
}  # fmt: skip
