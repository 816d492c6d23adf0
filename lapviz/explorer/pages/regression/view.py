"""Content of the Regression page: for each topic a scene, tables of numbers, and sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz import memory
from lapviz.datasets import Dataset
from lapviz.explorer.compute import points
from lapviz.explorer.host.limits import EXACT_BYTES, GRID_LARGE
from lapviz.explorer.pages.regression import steps, stop
from lapviz.explorer.pages.regression.steps import RegressionView, Table, line, rms, sample_of
from lapviz.explorer.scene.labels import points_hints
from lapviz.explorer.scene.placement import about, drawn_rows, grid_of, plane_of, view_of
from lapviz.explorer.settings.records import ALONE, OPERATORS, Settings
from lapviz.figures.curve_scenes import Curve, CurveScene, Path, Response, Series
from lapviz.markdown import plain, short
from lapviz.progress import track
from lapviz.scenes import MOVES, Panel, Points, Scene, to_ring
from lapviz.tables.names import counted

Array = np.ndarray


def regression_view(
    settings: Settings, hidden: frozenset[str] = frozenset(), light: bool = False
) -> RegressionView:
    """Compute the content of the page; a ``light`` view is the same."""
    return _VIEWS[settings.regression.topic](settings)


# Slopes: Hermite regression beside plain regression (GAL23 §7.2). The browser multiplies the
# matrices by the handles' values and slopes.


def _slopes(settings: Settings) -> RegressionView:
    X, values, slopes = steps.given(settings)
    sloped = ~np.isnan(slopes)
    inputs = np.append(values, np.nan_to_num(slopes))
    titles = ("Hermite: values and slopes", "Plain: values only")
    hermite, ordinary = steps.responses(settings)
    x = line()
    left, right, low, high = steps.view_around(x, values, hermite @ inputs, ordinary @ inputs)
    # Whole units around points and curves, so that the box does not follow small movements.
    low, high = max(low, values.min() - 3), min(high, values.max() + 3)
    scene = CurveScene(
        x=x[:, 0],
        view=(left, right, float(min(np.floor(low), -1)), float(max(np.ceil(high), 1))),
        view_key="slopes",
        points=np.empty((0, 2)),
        known=np.empty(0, dtype=bool),
        handles=settings.regression.handles,
        responses=(Response(titles[0], hermite), Response(titles[1], ordinary, "other")),
        axes=("x", "value"),
    )
    fitted = [steps.fitted_slopes(settings, with_slopes) for with_slopes in (True, False)]
    rows = []
    for title, model in zip(titles, fitted, strict=True):
        errors = (model.predict_gradient(X)[:, 0] - slopes)[sloped]
        slope_error = float(rms(errors)) if sloped.any() else None
        rows.append((title, float(rms(model.predict(X) - values)), slope_error))
    numbers = Table(
        ("Estimate", "Misses the values by", "Misses the slopes by"),
        tuple(rows),
        {},
        "Root mean square differences at the given points.",
    )
    words = (
        f"**Kernel:** σ = {fitted[0].bandwidth_:.3g}; "
        f"{counted(fitted[0].space_.n_functions, 'test function')} with slopes, "
        f"{fitted[1].space_.n_functions} without."
    )
    return RegressionView(scene, (numbers,), (words,))


# Exact against Galerkin: curves over one input, fields over two.


def _exact(settings: Settings) -> RegressionView:
    d = settings.data.info.n_features
    sample, counts = sample_of(settings), steps.counts(settings)
    relevant = steps.relevant(settings)
    exact = steps.fitted(relevant, None)
    galerkin = [steps.fitted(relevant, p) for p in track(counts, "Galerkin estimates")]
    x = steps.error_points(settings)
    m, truth = len(x), sample.target(x)

    def row(title: str, f: steps.Fitted) -> tuple:
        if f.values is None:
            return title, None, None, None, f.bytes / 1000
        error, distance = float(rms(f.values[:m] - truth)), None
        if exact.values is not None:
            distance = float(rms(f.values[:m] - exact.values[:m]))
        return title, error, distance, 1000 * f.seconds, f.bytes / 1000

    n, current = len(counts), counts.index(steps.n_functions(settings))
    rows = [
        row(f"Galerkin, p = {p:,}" + (" (shown)" if k == current else ""), galerkin[k])
        for k, p in enumerate(counts)
    ]
    exact_row = row(f"Exact, {len(sample.X) * (d + 1):,} functions", exact)
    listed = sorted({0, n // 3, 2 * n // 3, n - 1, current})
    numbers = Table(
        ("Estimator", "Error", "Distance to exact", "Fit time", "Matrices"),
        (exact_row, *(rows[k] for k in listed)),
        {"Error": "{:.4f}", "Distance to exact": "{:.2g}", "Fit time": "{:.0f} ms",
         "Matrices": "{:,.0f} kB"},
        "Error: root mean square distance to the true function, along the curve or at the samples. "
        "Fit time: of a fit from scratch on this host. Matrices: bytes of the matrices that the "
        "fit holds; the exact one needs two with n(d + 1) rows and columns.",
    )  # fmt: skip
    words = (
        f"**Data:** {counted(len(sample.X), 'point')}, "
        f"{_counted_known(sample)}; σ = "
        f"{steps.kernel_of(settings).bandwidth:.3g}, λ = {short(settings.estimate.lam)}. The exact "
        f"estimate is refused beyond {memory.readable(EXACT_BYTES)} here."
    )
    content = (numbers,), (words,), exact.refusal, points_hints(relevant.change(p=counts[current]))
    errors, series, curves = np.array([row[1] for row in rows]), {}, ()
    if exact.values is not None:
        distances = np.array([row[2] for row in rows])
        series = {"Exact: error": np.full(n, exact_row[1]), "Galerkin to exact": distances}
    if d == 2:
        scene = _fields(settings, exact, galerkin[current], counts[current])
        return RegressionView(scene, *content, chart={"Galerkin: error": errors} | series)
    curve_series = [Series("Error", errors)]
    if exact.values is not None:
        curve_series.append(Series("Distance to exact", series["Galerkin to exact"]))
        curve_series.append(Series("Error of exact", series["Exact: error"], True))
        curves = (Curve("Exact", exact.values, "other"),)
    path = Path("galerkin", "Galerkin", "p", np.array(counts),
                np.array([f.values for f in galerkin]), tuple(curve_series), (), True)  # fmt: skip
    scene = steps.curves(settings, curves, paths=(path,), path="galerkin", step=current)
    return RegressionView(scene, *content)


def _fields(settings: Settings, exact: steps.Fitted, galerkin: steps.Fitted, p: int) -> Scene:
    sample = sample_of(settings)
    view, n = view_of(sample.X), len(sample.X)
    grid = grid_of(view, GRID_LARGE)
    truth = sample.target(steps.sites(settings))

    def panel(title: str, values: Array | None, note: str = "") -> Panel:
        if values is None:
            return Panel(title, np.zeros((1, n)), note=note)
        below = "" if values is truth else f"error {short(rms(values[:n] - truth[:n]))}"
        return Panel(title, values[None, :n], grid.fields(values[n:]), subtitle=below)

    return Scene(
        known=to_ring(sample.labelled),
        panels=(
            panel("Truth", truth),
            panel("Exact", exact.values, exact.refusal),
            panel(f"Galerkin, p = {p}", galerkin.values),
        ),
        points=Points(sample.X, np.arange(n)),
        view=view,
        view_key=steps.view_key(settings),
        grid=grid,
        axes=tuple(sample.feature_names),
        hide=MOVES,
        about=f"σ = {short(steps.kernel_of(settings).bandwidth)} · p = {p} · "
        f"λ = {short(settings.estimate.lam)}",
    )


def _counted_known(sample: Dataset) -> str:
    ringed = sample.X.shape[1] > 1 and bool(to_ring(sample.labelled))  # not on a curve
    return counted(int(sample.labelled.sum()), "known value") + " (ringed)" * ringed


# Noisy manifold: the position on a rolled sheet from few values, with three penalties.


def _manifold(settings: Settings) -> RegressionView:
    sample, plane = sample_of(settings), plane_of(settings)
    fitted = {"Kernel ridge": steps.ridge(settings)}
    for name in ("laplacian", "tangent"):
        fitted[OPERATORS[name]] = steps.laplacian(settings, name)
    scored = np.ones(len(sample.X), bool) if sample.labelled.all() else ~sample.labelled
    truth = points.sample(settings.data).truth.eigenvalues
    spread = rms(sample.values[scored] - sample.values[scored].mean())
    drawn = drawn_rows(len(sample.X))
    panels, rows = [Panel("Truth", sample.values[None, drawn])], []
    for title, f in fitted.items():
        if f.values is None:
            panels.append(Panel(title, np.zeros((1, len(drawn))), note=f.refusal))
            rows.append((title, *[None] * 5))
            continue
        error = float(rms((f.values - sample.values)[scored]))
        panels.append(Panel(title, f.values[None, drawn], subtitle=f"error {short(error)}"))
        explained = float(100 * (1 - (error / spread) ** 2)) if spread > 0 else None
        ratio = None if f.gamma is None or truth is None else float(f.gamma / truth[1])
        rows.append((title, error, explained, f.gamma, ratio, 1000 * f.seconds))
    method, lam = steps.penalised_by(settings, "tangent"), f"λ = {short(settings.estimate.lam)}"
    frame = plane.frame(settings.data, drawn)
    frame["points"] = replace(frame["points"], truth=None)  # values, no classes
    scene = Scene(
        tuple(panels),
        **frame,
        known=to_ring(sample.labelled),
        columns=4,
        remark="The points alone have colours here, not the slice."
        if plane.base is not None
        else "",
        hide=MOVES,
        about=f"{about(settings, method.kernel.bandwidth, method.mu)} · {lam}",
    )
    numbers = Table(
        ("Method", "Error", "Explained", "First eigenvalue γ₁", "Times the true γ₁", "Fit time"),
        tuple(rows),
        {"Error": "{:.2f}", "Explained": "{:.1f} %", "Times the true γ₁": "{:.2f}",
         "Fit time": "{:.0f} ms"},
        "Error: root mean square difference from the true value, on the samples whose value is not "
        "known (on all if every value is), in the units of the data. Explained: share of its "
        "variance. γ₁: first eigenvalue above 0 of the penalty's operator, beside the true one "
        "where it is known.",
    )  # fmt: skip
    words = (
        f"**Data:** {counted(len(sample.X), 'point')}, {_counted_known(sample)}, noise "
        f"{settings.data.noise:.3g}; σ = {method.kernel.bandwidth:.3g}, {lam}, "
        f"μ = {short(method.mu)}.",
        plain(settings.data.info.description),
    )
    hints = points_hints(settings.change(operator="tangent", also=ALONE))
    return RegressionView(scene, (numbers,), words, fitted["Kernel ridge"].refusal, hints)


_VIEWS = {"stop": stop.stop, "slopes": _slopes, "exact": _exact, "manifold": _manifold}
