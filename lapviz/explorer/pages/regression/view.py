"""What the Regression page shows: for each topic a scene, tables of numbers, and sentences."""

from __future__ import annotations

import numpy as np

from lapviz import memory
from lapviz.explorer.compute import fits, points
from lapviz.explorer.host.limits import EXACT_BYTES, GRID_LARGE
from lapviz.explorer.pages.regression import steps, stop
from lapviz.explorer.pages.regression.steps import RegressionView, Table, line, rms, sample_of
from lapviz.explorer.scene.placement import drawn_rows, grid_of, plane_of, view_of
from lapviz.explorer.settings.records import Settings
from lapviz.figures.curve_scenes import Curve, CurveScene, Path, Response, Series
from lapviz.progress import track
from lapviz.scenes import MOVES, Panel, Points, Scene

Array = np.ndarray


def regression_view(
    settings: Settings, hidden: frozenset[str] = frozenset(), light: bool = False
) -> RegressionView:
    """The content of the page, for a topic that the data can show; the same for a moving hand."""
    return _VIEWS[settings.regression.topic](settings)


# Slopes: Hermite regression beside plain regression (GAL23 §7.2). The browser multiplies the
# matrices by what the hand moves.


def _slopes(settings: Settings) -> RegressionView:
    handles = settings.regression.handles
    values = np.array([h.value for h in handles])
    given = np.append(values, [h.slope or 0.0 for h in handles])
    titles = ("Hermite: values and slopes", "Plain: values only")
    hermite, plain = steps.responses(settings)
    left, right, low, high = steps.view_around(values, hermite @ given, plain @ given)
    # Whole units around points and curves: a box that does not follow small movements.
    low, high = max(low, values.min() - 3), min(high, values.max() + 3)
    scene = CurveScene(
        x=line()[:, 0],
        view=(left, right, float(min(np.floor(low), -1)), float(max(np.ceil(high), 1))),
        view_key="slopes",
        points=np.empty((0, 2)),
        known=np.empty(0, dtype=bool),
        handles=handles,
        responses=(Response(titles[0], hermite), Response(titles[1], plain, "other")),
        axes=("x", "value"),
    )
    X = np.array([[h.x] for h in handles])
    slopes = np.array([np.nan if h.slope is None else h.slope for h in handles])
    sloped = ~np.isnan(slopes)
    fitted, rows = [steps.fitted_slopes(settings, with_them) for with_them in (True, False)], []
    for title, model in zip(titles, fitted, strict=True):
        tilt = (model.predict_gradient(X)[:, 0] - slopes)[sloped]
        missed = float(rms(tilt)) if sloped.any() else None
        rows.append((title, float(rms(model.predict(X) - values)), missed))
    numbers = Table(
        ("Estimate", "Misses the values by", "Misses the slopes by"),
        tuple(rows),
        {"Misses the values by": "{:.3g}", "Misses the slopes by": "{:.3g}"},
        "Root mean square differences at the given points.",
    )
    words = (
        f"**Kernel:** σ = {fitted[0].bandwidth_:.3g}; "
        f"{fitted[0].space_.n_functions} test functions with slopes, "
        f"{fitted[1].space_.n_functions} without."
    )
    return RegressionView(scene, (numbers,), (words,))


# Exact against Galerkin: curves over one input, fields over two.


def _exact(settings: Settings) -> RegressionView:
    d = settings.data.info.n_features
    sample, ladder = sample_of(settings), steps.ladder(settings)
    needed = steps.needed(settings)
    exact = steps.fitted(needed, None)
    galerkin = [steps.fitted(needed, p) for p in track(ladder, "Galerkin estimates")]
    x = steps.places(settings)
    m, truth = len(x), sample.target(x)
    errors = {"Galerkin": np.array([rms(f.values[:m] - truth) for f in galerkin])}
    away = None
    if exact.values is not None:
        away = np.array([rms(f.values[:m] - exact.values[:m]) for f in galerkin])
        errors["Exact"] = np.full(len(ladder), rms(exact.values[:m] - truth))
    now = ladder.index(steps.clipped(settings))

    rows = [_row(f"Exact, {len(sample.X) * (d + 1):,} functions", exact, errors.get("Exact"),
                 np.zeros(1), 0)]  # fmt: skip
    for k in sorted({0, len(ladder) // 3, 2 * len(ladder) // 3, len(ladder) - 1, now}):
        title = f"Galerkin, p = {ladder[k]:,}" + (" (shown)" if k == now else "")
        rows.append(_row(title, galerkin[k], errors["Galerkin"], away, k))
    numbers = Table(
        ("Estimator", "Error", "Distance to exact", "Fit time", "Matrices"),
        tuple(rows),
        {"Error": "{:.4f}", "Distance to exact": "{:.2g}", "Fit time": "{:.0f} ms",
         "Matrices": "{:,.0f} kB"},
        "Error: root mean square distance to the true function, on [0, 1] or at the samples. "
        "Fit time: of a fit from scratch on this host. Matrices: bytes of the matrices that the "
        "fit holds; the exact one needs two with n(d + 1) rows and columns.",
    )  # fmt: skip
    words = (
        f"**Data:** {len(sample.X):,} points, {int(sample.labelled.sum()):,} known values; σ = "
        f"{steps.kernel_of(settings).bandwidth:.3g}, λ = {settings.estimate.lam:.3g}. The exact "
        f"estimate may take {memory.readable(EXACT_BYTES)} here."
    )
    shown = (numbers,), (words,), exact.refusal
    if d == 2:
        series = {f"{name}: error": values for name, values in errors.items()}
        series |= {} if away is None else {"Galerkin to exact": away}
        return RegressionView(_fields(settings, exact, galerkin[now], ladder[now]), *shown, series)
    beside, others = [Series("Error", errors["Galerkin"])], ()
    if away is not None:
        beside.append(Series("Distance to exact", away))
        beside.append(Series("Error of exact", errors["Exact"], True))
        others = (Curve("Exact", exact.values, "other"),)
    path = Path("galerkin", "Galerkin", "p", np.array(ladder),
                np.array([f.values for f in galerkin]), tuple(beside), (), True)  # fmt: skip
    scene = steps.curves(settings, others, paths=(path,), path="galerkin", step=now)
    return RegressionView(scene, *shown)


def _row(
    title: str, fitted: steps.Fitted, error: Array | None, away: Array | None, k: int
) -> tuple:
    """A row of the table; without the numbers that are not known."""
    if fitted.values is None:
        return (title, None, None, None, fitted.bytes / 1000)
    far = None if away is None else float(away[k])
    return (title, float(error[k]), far, 1000 * fitted.seconds, fitted.bytes / 1000)


def _fields(settings: Settings, exact: steps.Fitted, galerkin: steps.Fitted, p: int) -> Scene:
    sample = sample_of(settings)
    view, n = view_of(sample.X), len(sample.X)
    grid = grid_of(view, GRID_LARGE)
    truth = sample.target(steps.sites(settings))

    def panel(title: str, values: Array | None, note: str = "") -> Panel:
        if values is None:
            return Panel(title, np.zeros((1, n)), note=note)
        below = "" if values is truth else f"error {rms(values[:n] - truth[:n]):.3g}"
        field = values[n:].reshape(1, len(grid.y), len(grid.x))
        return Panel(title, values[None, :n], field, subtitle=below)

    return Scene(
        panels=(
            panel("Truth", truth),
            panel("Exact", exact.values, exact.refusal),
            panel(f"Galerkin, p = {p}", galerkin.values),
        ),
        points=Points(sample.X, np.arange(n)),
        view=view,
        view_key=steps.identity(settings),
        grid=grid,
        axes=tuple(sample.feature_names),
        hide=MOVES,
    )


# Noisy manifold: the position on a rolled sheet from few values, with three penalties.


def _manifold(settings: Settings) -> RegressionView:

    sample, plane = sample_of(settings), plane_of(settings)
    fitted = [steps.ridge(settings)]
    fitted += [steps.laplacian(settings, name) for name in steps.OPERATORS]
    judged = np.ones(len(sample.X), bool) if sample.labelled.all() else ~sample.labelled
    truth = points.sample(settings.data).truth.eigenvalues
    spread = rms(sample.values - sample.values.mean())
    drawn = np.union1d(drawn_rows(len(sample.X)), np.flatnonzero(sample.labelled))
    panels, rows = [Panel("Truth", sample.values[None, drawn])], []
    for f in fitted:
        error = float(rms((f.values - sample.values)[judged]))
        panels.append(Panel(f.title, f.values[None, drawn], subtitle=f"error {error:.3g}"))
        explained = float(100 * (1 - (error / spread) ** 2)) if spread > 0 else None
        times = None if f.gamma is None or truth is None else float(f.gamma / truth[1])
        rows.append((f.title, error, explained, f.gamma, times, 1000 * f.seconds))
    scene = Scene(
        panels=tuple(panels),
        points=plane.points(settings.data, drawn),
        view=view_of(plane.xy),
        view_key=steps.identity(settings) + plane.key,
        axes=plane.axes,
        columns=4,
        hide=MOVES,
        n_samples=len(sample.X),
    )
    numbers = Table(
        ("Method", "Error", "Explained", "First eigenvalue γ₁", "Times the true γ₁", "Fit time"),
        tuple(rows),
        {"Error": "{:.2f}", "Explained": "{:.1f} %", "First eigenvalue γ₁": "{:.3g}",
         "Times the true γ₁": "{:.2f}", "Fit time": "{:.0f} ms"},
        "Error: root mean square difference from the position on the sheet, on the samples whose "
        "value is not known, in the units of the data. Explained: share of its variance. γ₁: first "
        "eigenvalue above 0 of the penalty's operator, beside the true one of the sheet.",
    )  # fmt: skip
    method, known = fits.method(settings), int(sample.labelled.sum())
    words = (
        f"**Data:** {len(sample.X):,} points, {known:,} known values, noise "
        f"{settings.data.noise:.3g}; σ = {method.kernel.bandwidth:.3g}, "
        f"λ = {settings.estimate.lam:.3g}, μ = {method.mu:.3g}.",
        "Every panel shows the position along the unrolled sheet, measured from its middle.",
    )
    return RegressionView(scene, (numbers,), words)


_VIEWS = {"stop": stop.stop, "slopes": _slopes, "exact": _exact, "manifold": _manifold}
