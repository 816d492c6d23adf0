"""Content of the live stages of the Notes page: two or three panels and a table each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from lapviz import HermiteRegressor, KernelCGRegressor, LaplacianClassifier, datasets, next_label
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import GRID_SMALL, LOCAL_MODES
from lapviz.explorer.pages.notes.settings import NoteStage
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.scene.placement import SUBSCRIPTS, grid_of, plane_of, view_of
from lapviz.explorer.settings.fields import tidy
from lapviz.labels import Label
from lapviz.markdown import Share, short
from lapviz.scenes import Grid, Panel, Points, Scene

Array = np.ndarray
Values = Mapping[str, object]
N_SHOWN = 6  # eigenvalues in a table
WIDTH = 0.5  # σ of the regression stages
N_RESPONSES, LAST = 200, 40  # samples and steps of conjugate gradient
GRID = Grid(np.linspace(-1.1, 1.1, GRID_SMALL), np.linspace(-1.1, 1.1, GRID_SMALL))


@dataclass(frozen=True, eq=False)
class NoteView:
    """A scene, the table below it, and a sentence."""

    scene: Scene
    heads: tuple[str, ...]
    rows: tuple[tuple, ...]
    caption: str = ""


def draw(live: NoteStage, values: Values) -> NoteView:
    """Compute the content of a stage for these values; others have their defaults."""
    return DRAW[live.draw](live, live.defaults | dict(values))


def _functions(panels: tuple[Panel, ...], shown: Points, grid: Grid, key: str, **options) -> Scene:
    """Scene of functions, without tools for labels."""
    view = tuple(float(v) for v in (*grid.x[[0, -1]], *grid.y[[0, -1]]))
    hide = ("lam", "filter", "labels")
    return Scene(panels, shown, view, key, grid, "functions", hide=hide, **options)


# ---- eigenfunctions and estimates -----------------------------------------------------------


def _eigenfunctions(live: NoteStage, values: Values) -> NoteView:
    settings = live.base.change(**values)
    method, plane = fits.method(settings), plane_of(settings)
    data, space = points.sample(settings.data), method.assembled().space
    pairs = method.eigenfunctions(max(*live.panels, N_SHOWN - 1) + 1)
    grid = grid_of(plane.view, GRID_SMALL)
    numbers = [i for i in live.panels if i < len(pairs.gamma)]
    at_points = space.evaluate(data.X, pairs.vectors[:, numbers]).T
    on_grid = grid.fields(space.evaluate(grid.sites(), pairs.vectors[:, numbers]))[:, None]
    panels = tuple(
        Panel(f"e{i}".translate(SUBSCRIPTS), values[None], field, f"γ = {short(pairs.gamma[i])}")
        for i, values, field in zip(numbers, at_points, on_grid, strict=True)
    )
    shown = Points(plane.xy, np.arange(len(data.X)), data.y)
    learnt, truth = pairs.gamma[:N_SHOWN], data.truth
    heads, columns = ["Mode", "learnt γ"], [range(len(learnt)), map(float, learnt)]
    if truth.eigenvalues is not None and truth.operator in (None, settings.energy.operator):
        heads.append("γ without noise")  # the truth of the half-moons
        columns.append(map(float, truth.eigenvalues[: len(learnt)]))
    sentence = f"{pairs.n_dropped} of {space.n_functions} directions are null and were dropped."
    rows = tuple(zip(*columns, strict=True))
    return NoteView(_functions(panels, shown, grid, plane.key), tuple(heads), rows, sentence)


def _without_constant(live: NoteStage, values: Values) -> NoteView:
    """Eigenfunctions, with one more column: the spectrum without the constant in the space."""
    shown, method = _eigenfunctions(live, values), fits.method(live.base.change(**values))
    gamma = map(float, method.spectrum(LOCAL_MODES, False).gamma)
    rows = tuple((*row, next(gamma, None)) for row in shown.rows)
    return replace(shown, heads=(*shown.heads, "γ without the constant"), rows=rows)


def _labels(live: NoteStage, values: Values) -> NoteView:
    shown = labels_view(tidy(live.base.change(**values)))
    panels = tuple(panel for panel in shown.scene.panels if panel.title in live.panels)
    rows = tuple(
        (s.method, None if s.accuracy is None else 100 * s.accuracy, s.energy)
        for s in shown.scores
        if s.method in live.panels
    )
    heads = ("Method", "Right (%)", "Dirichlet energy")
    scene = replace(shown.scene, panels=panels)
    return NoteView(scene, heads, rows, "" if rows else "Click a point to give it a class.")


# ---- regression -----------------------------------------------------------------------------


def surface(X: Array) -> Array:
    """The function to learn at X (n, 2), values (n,)."""
    return np.sin(2.5 * X[:, 0]) * np.cos(2 * X[:, 1]) + 0.5 * X[:, 1]


def slopes(X: Array) -> Array:
    """Gradients (n, 2) of the surface."""
    a, b = 2.5 * X[:, 0], 2 * X[:, 1]
    return np.column_stack([2.5 * np.cos(a) * np.cos(b), -2 * np.sin(a) * np.sin(b) + 0.5])


def _square(n: int) -> Array:
    return np.random.default_rng(0).uniform(-1, 1, size=(n, 2))


def _panel(title: str, at_points: Array, on_grid: Array, subtitle: str = "") -> Panel:
    return Panel(title, at_points[None], GRID.fields(on_grid), subtitle)


@step
def _hermite(n: int, weight: float | None) -> tuple[Array, Array]:
    """Return values at the points and on the grid; without slopes if ``weight`` is None."""
    X = _square(n)
    model = HermiteRegressor(bandwidth=WIDTH, weight=weight or 1.0, ridge=1e-8, random_state=0)
    model.fit(X, surface(X), gradients=slopes(X) if weight else None)
    return model.predict(X), model.predict(GRID.sites())


def _slopes(live: NoteStage, values: Values) -> NoteView:
    """Truth, regression on values, and regression on values and slopes."""
    n, weight = values["points"], values["weight"]
    X, truth = _square(n), surface(GRID.sites())
    panels, rows = [_panel("Truth", surface(X), truth)], []
    for title, slope_weight in (("Values only", None), ("Values and slopes", weight or None)):
        at_points, on_grid = _hermite(n, slope_weight)
        rows.append((title, float(np.sqrt(np.mean((on_grid - truth) ** 2)))))
        panels.append(_panel(title, at_points, on_grid, f"error {short(rows[-1][1], 2)}"))
    scene = _functions(tuple(panels), Points(X, np.arange(n)), GRID, f"hermite-{n}")
    return NoteView(scene, ("Method", "Root mean square error"), tuple(rows))


@step
def _fitted(sd: float) -> tuple[Array, KernelCGRegressor, int]:
    """Return responses, the estimator after all steps, and the step at which hold-out stops."""
    X, rng = _square(N_RESPONSES), np.random.default_rng(1)
    y = surface(X) + sd * rng.normal(size=N_RESPONSES)
    fixed = KernelCGRegressor(bandwidth=WIDTH, stopping="fixed", n_iterations=LAST).fit(X, y)
    holdout = KernelCGRegressor(bandwidth=WIDTH, n_iterations=LAST, random_state=0).fit(X, y)
    return y, fixed, holdout.n_iterations_


def _conjugate_gradient(live: NoteStage, values: Values) -> NoteView:
    """Truth, the iterate after m steps, and the one at which hold-out stops."""
    sd = values["sd"]
    y, model, holdout = _fitted(sd)
    X, sites, path = _square(N_RESPONSES), GRID.sites(), model.path_
    m, holdout = min(values["steps"], path.n_iterations), min(holdout, path.n_iterations)
    at_points = path.predict(model.kernel_(X, X)) + model.target_mean_
    on_grid = path.predict(model.kernel_(sites, X)) + model.target_mean_
    truth = surface(sites)
    errors = np.sqrt(np.mean((on_grid - truth[:, None]) ** 2, axis=0))
    panels = (
        _panel("Truth", y, truth, f"points: the {'noisy ' * (sd > 0)}responses"),
        *(
            _panel(title, at_points[:, i], on_grid[:, i], f"error {short(errors[i], 2)}")
            for title, i in ((f"m = {m}", m), (f"Hold-out: m = {holdout}", holdout))
        ),
    )
    scene = _functions(panels, Points(X, np.arange(len(X))), GRID, "conjugate-gradient")
    stops = (("chosen", m), ("hold-out", holdout), ("best in hindsight", int(errors.argmin())))
    rows = tuple(
        (name, i, float(path.residuals[i]), float(path.norms[i]), float(errors[i]))
        for name, i in stops
    )
    return NoteView(scene, ("Stop", "m", "Residual", "RKHS norm", "Error against the truth"), rows)


# ---- the next label -------------------------------------------------------------------------


@step
def _queried(weight: float, n_queries: int):
    """Return data, labels, the estimator, and the rankings for the next label by both criteria."""
    data = datasets.load("four_circles", n_samples=400, random_state=0)
    y = np.full(len(data.X), -1)
    for code in (0, 1):  # one label for each class
        y[np.flatnonzero(data.y == code)[5]] = code
    model = LaplacianClassifier(
        operator="laplacian", bandwidth=0.3, n_landmarks=300, lam=weight, mu=5e-4, random_state=0
    )
    for _ in range(n_queries):
        row = next_label(model.fit(data.X, y), data.X, y, criterion="change").next
        y[row] = data.y[row]
    model.fit(data.X, y)
    rankings = tuple(next_label(model, data.X, y, criterion=name) for name in ("energy", "change"))
    return data, y, model, rankings


def _next_label(live: NoteStage, values: Values) -> NoteView:
    """The estimate from the labels so far, and both scores of every point."""
    data, y, model, rankings = _queried(values["weight"], values["asked"])
    grid = grid_of(view_of(data.X), GRID_SMALL)
    on_grid = grid.fields(model.decision_function(grid.sites()))
    accuracy = Share(np.mean(model.predict(data.X)[y < 0] == data.y[y < 0]))
    at_points = model.decision_function(data.X)[None]
    panels = [Panel("Estimate", at_points, on_grid, f"{accuracy} right")]
    rows = []
    titles = ("Likeliest label costs energy", "Likeliest label changes much")
    for title, ranking in zip(titles, rankings, strict=True):
        score, row = (ranking.score / max(ranking.score.max(), 1e-300))[None], ranking.next
        panels.append(Panel(title, score, None, f"ask at row {row + 1}"))
        rows.append((title, row + 1, *map(float, data.X[row])))
    labelled = np.flatnonzero(y >= 0)
    labels = tuple(Label(int(i), int(y[i])).at(*data.X[i]) for i in labelled)
    shown = Points(data.X, np.arange(len(data.X)), data.y)
    scene = _functions(tuple(panels), shown, grid, "next-label", labels=labels,
                       classes=data.class_names)  # fmt: skip
    sentence = f"{len(labelled)} labels; {accuracy} of the other points right."
    return NoteView(scene, ("Criterion", "Next row", "x₁", "x₂"), tuple(rows), sentence)


DRAW: dict[str, Callable[[NoteStage, Values], NoteView]] = {
    "eigenfunctions": _eigenfunctions,
    "without constant": _without_constant,
    "labels": _labels,
    "hermite": _slopes,
    "conjugate gradient": _conjugate_gradient,
    "next label": _next_label,
}
