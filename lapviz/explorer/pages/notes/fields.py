"""Live stages of the Notes page on regression and active learning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lapviz import (
    HermiteRegressor,
    KernelCGRegressor,
    LaplacianClassifier,
    datasets,
    next_label,
)
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import GRID_SMALL
from lapviz.explorer.scene.placement import grid_of, view_of
from lapviz.labels import Label
from lapviz.scenes import Grid, Panel, Points, Scene

Array = np.ndarray
WIDTH = 0.5  # σ of the regression stages
N_RESPONSES, LAST = 200, 40  # samples and steps of conjugate gradient


@dataclass(frozen=True, eq=False)
class NoteView:
    """A scene, the table below it, and a sentence."""

    scene: Scene
    heads: tuple[str, ...]
    rows: tuple[tuple, ...]
    caption: str = ""


def functions_scene(panels, points: Points, grid: Grid | None, key: str, **more) -> Scene:
    """A scene of functions without tools for labels."""
    view = view_of(points.xy) if grid is None else (*grid.x[[0, -1]], *grid.y[[0, -1]])
    view = tuple(float(v) for v in view)
    hide = ("lam", "filter", "labels")
    return Scene(panels, points, view, key, grid, "functions", hide=hide, **more)


def surface(X: Array) -> Array:
    """The function to learn at X (n, 2), values (n,)."""
    return np.sin(2.5 * X[:, 0]) * np.cos(2 * X[:, 1]) + 0.5 * X[:, 1]


def slopes(X: Array) -> Array:
    """Its gradients (n, 2)."""
    a, b = 2.5 * X[:, 0], 2 * X[:, 1]
    return np.column_stack([2.5 * np.cos(a) * np.cos(b), -2 * np.sin(a) * np.sin(b) + 0.5])


def _square(n: int) -> Array:
    return np.random.default_rng(0).uniform(-1, 1, size=(n, 2))


GRID = Grid(np.linspace(-1.1, 1.1, GRID_SMALL), np.linspace(-1.1, 1.1, GRID_SMALL))


def _panel(title: str, at: Array, there: Array, subtitle: str = "") -> Panel:
    return Panel(title, at[None], there.reshape(1, GRID_SMALL, GRID_SMALL), subtitle)


def _error(values: Array, truth: Array) -> float:
    return float(np.sqrt(np.mean((values - truth) ** 2)))


@step
def _hermite(n: int, weight: float | None) -> tuple[Array, Array]:
    """Values at the points and on the grid; without slopes if ``weight`` is None."""
    X = _square(n)
    model = HermiteRegressor(bandwidth=WIDTH, weight=weight or 1.0, ridge=1e-8, random_state=0)
    model.fit(X, surface(X), gradients=slopes(X) if weight else None)
    return model.predict(X), model.predict(GRID.sites())


def hermite(values: Mapping[str, object]) -> NoteView:
    """Truth, regression on values, regression on values and slopes."""
    n, weight = values["points"], values["weight"]
    X, truth = _square(n), surface(GRID.sites())
    plain, both = _hermite(n, None), _hermite(n, weight or None)
    errors = [_error(there, truth) for _, there in (plain, both)]
    panels = (
        _panel("Truth", surface(X), truth),
        _panel("Values only", *plain, f"error {errors[0]:.2g}"),
        _panel("Values and slopes", *both, f"error {errors[1]:.2g}"),
    )
    scene = functions_scene(panels, Points(X, np.arange(n)), GRID, f"hermite-{n}")
    rows = (("Values only", errors[0]), ("Values and slopes", errors[1]))
    return NoteView(scene, ("Method", "Root mean square error"), rows)


@step
def _fitted(sd: float) -> tuple[Array, KernelCGRegressor, int]:
    """Responses, the estimator after all steps, and the step at which hold-out stops."""
    X, rng = _square(N_RESPONSES), np.random.default_rng(1)
    y = surface(X) + sd * rng.normal(size=N_RESPONSES)
    whole = KernelCGRegressor(bandwidth=WIDTH, stopping="fixed", n_iterations=LAST).fit(X, y)
    held_out = KernelCGRegressor(bandwidth=WIDTH, n_iterations=LAST, random_state=0).fit(X, y)
    return y, whole, held_out.n_iterations_


def conjugate_gradient(values: Mapping[str, object]) -> NoteView:
    """Truth, the iterate after m steps, and the one at which hold-out stops."""
    y, model, held = _fitted(values["sd"])
    X, sites, path = _square(N_RESPONSES), GRID.sites(), model.path_
    m, held = min(values["steps"], path.n_iterations), min(held, path.n_iterations)
    at = path.predict(model.kernel_(X, X)) + model.target_mean_
    there = path.predict(model.kernel_(sites, X)) + model.target_mean_
    truth = surface(sites)
    errors = np.sqrt(np.mean((there - truth[:, None]) ** 2, axis=0))
    best = int(errors.argmin())
    panels = (
        _panel("Truth", y, truth, "points: the noisy responses"),
        _panel(f"m = {m}", at[:, m], there[:, m], f"error {errors[m]:.2g}"),
        _panel(f"Hold-out: m = {held}", at[:, held], there[:, held], f"error {errors[held]:.2g}"),
    )
    scene = functions_scene(panels, Points(X, np.arange(len(X))), GRID, "conjugate-gradient")
    rows = tuple(
        (name, i, float(path.residuals[i]), float(path.norms[i]), float(errors[i]))
        for name, i in (("chosen", m), ("hold-out", held), ("best in hindsight", best))
    )
    return NoteView(scene, ("Stop", "m", "Residual", "RKHS norm", "Error against the truth"), rows)


@step
def _asked(weight: float, asked: int):
    """Data, labels, and the ranking for the next label by both criteria."""
    data = datasets.load("four_circles", n_samples=400, random_state=0)
    y = np.full(len(data.X), -1)
    for code in (0, 1):  # one label for each class
        y[np.flatnonzero(data.y == code)[5]] = code
    for _ in range(asked):
        model = _classifier(data.X, y, weight)
        row = next_label(model, data.X, y, criterion="change").next
        y[row] = data.y[row]
    model = _classifier(data.X, y, weight)
    rankings = tuple(next_label(model, data.X, y, criterion=name) for name in ("energy", "change"))
    return data, y, model, rankings


def _classifier(X: Array, y: Array, weight: float) -> LaplacianClassifier:
    model = LaplacianClassifier(
        operator="laplacian", bandwidth=0.3, n_landmarks=300, lam=weight, mu=5e-4, random_state=0
    )
    return model.fit(X, y)


def next_point(values: Mapping[str, object]) -> NoteView:
    """The estimate from the labels so far, and both scores of every point."""
    data, y, model, rankings = _asked(values["weight"], values["asked"])
    grid = grid_of(view_of(data.X), GRID_SMALL)
    shape = (1, len(grid.y), len(grid.x))
    there = model.decision_function(grid.sites()).reshape(shape)
    right = float(np.mean(model.predict(data.X)[y < 0] == data.y[y < 0]))
    share = f"{100 * right:.1f} %"
    titles = ("Likeliest label costs energy", "Likeliest label changes much")
    panels = (
        Panel("Estimate", model.decision_function(data.X)[None], there, f"{share} right"),
        *(
            Panel(title, (r.score / max(r.score.max(), 1e-300))[None], None,
                  f"ask at point {r.next}")
            for title, r in zip(titles, rankings, strict=True)
        ),
    )  # fmt: skip
    rows = np.flatnonzero(y >= 0)
    labels = tuple(Label(int(i), int(y[i])).at(*data.X[i]) for i in rows)
    points = Points(data.X, np.arange(len(data.X)), data.y)
    scene = functions_scene(panels, points, grid, "next-label", labels=labels,
                            classes=data.class_names)  # fmt: skip
    table = tuple(
        (title, r.next, float(data.X[r.next, 0]), float(data.X[r.next, 1]))
        for title, r in zip(titles, rankings, strict=True)
    )
    return NoteView(scene, ("Criterion", "Next point", "x₁", "x₂"), table,
                    f"{len(rows)} labels; {share} of the other points right.")  # fmt: skip
