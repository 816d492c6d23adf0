"""What the Regression page shows: for each topic a scene, tables of numbers, and sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import memory
from lapviz.datasets import Dataset
from lapviz.explorer.compute import fits, points
from lapviz.explorer.host.limits import EXACT_BYTES, GRID_LARGE
from lapviz.explorer.pages.regression import steps
from lapviz.explorer.pages.regression.steps import Fitted, kernel_of, line, rms, sample_of
from lapviz.explorer.scene.placement import drawn_rows, grid_of, plane_of, view_of
from lapviz.explorer.settings.records import Settings
from lapviz.figures.curve_scenes import Curve, CurveScene, Path, Response, Series
from lapviz.progress import track
from lapviz.scenes import MOVES, Panel, Points, Scene

Array = np.ndarray
MARGIN = 0.03  # what the picture shows beside [0, 1]
UNITS = {"cg": "iterations", "pls": "iterations", "ridge": "", "pcr": "components",
         "boosting": "iterations"}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers below the stage: heads, rows, patterns of floating-point columns, and a help text."""

    heads: tuple[str, ...]
    rows: tuple[tuple, ...]
    formats: dict[str, str]
    help: str


@dataclass(frozen=True, eq=False)
class RegressionView:
    """What the page shows: a stage, tables of numbers, and sentences.

    ``chart`` are distances against p, a series each, for data whose path is not on the stage.
    """

    scene: CurveScene | Scene
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    warning: str = ""
    chart: dict[str, Array] | None = None

    @property
    def numbers(self) -> dict[str, object]:
        """What stories say of it: the tables' rows by their first cell, by their columns; of exact
        against Galerkin the exact row and the one that is shown."""
        rows = {
            str(row[0]): dict(zip(table.heads[1:], row[1:], strict=True))
            for table in self.tables
            for row in table.rows
        }
        made: dict[str, object] = {"row": rows}
        for title, row in rows.items():
            if title.startswith("Exact"):
                made["exact"] = row
            if title.endswith("(shown)"):
                made["shown"] = row
        return made


def regression_view(
    settings: Settings, hidden: frozenset[str] = frozenset(), light: bool = False
) -> RegressionView:
    """The content of the page, for the topic in the settings; the same for a hand that moves.

    Raises
    ------
    ValueError
        If the data cannot be shown so.
    """
    return _VIEWS[settings.regression.topic](settings)


def _identity(settings: Settings) -> str:
    """Name of the data, for as long as which the stage keeps its view."""
    spec = settings.data
    parts = (spec.name, spec.n_samples, spec.noise, spec.random_state, spec.options)
    return "-".join(map(str, (*parts, settings.regression.topic)))


def view_around(*values: Array) -> tuple[float, float, float, float]:
    """Box around curves, with a margin."""
    finite = np.concatenate([np.ravel(v) for v in values])
    finite = finite[np.isfinite(finite)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    room = 0.08 * (high - low) or 1.0
    return -MARGIN, 1 + MARGIN, low - room, high + room


def _curves(
    settings: Settings, curves: tuple[Curve, ...], *around: Array, **paths: object
) -> CurveScene:
    """The samples and the truth over one input, with further curves and paths."""
    sample, x = sample_of(settings), line()
    truth, samples = sample.target(x), np.column_stack([sample.X[:, 0], sample.values])
    return CurveScene(
        x=x[:, 0],
        view=view_around(truth, *around, samples[sample.labelled, 1]),
        view_key=_identity(settings),
        points=samples,
        known=sample.labelled,
        curves=(Curve("Truth", truth, "truth"), *curves),
        axes=(sample.feature_names[0], "value"),
        **paths,
    )


# Stop early: kernel conjugate gradient, where rules stop it, and other methods' paths (KCG10).


def _stop(settings: Settings) -> RegressionView:
    if settings.data.info.n_features != 1:
        raise ValueError("Stopping is shown on data with one input: choose such a data set.")
    shown = settings.regression
    paths, rules, c = steps.paths(settings)
    now = next(path for path in paths if path.name == shown.method)
    best = paths[0].curves[paths[0].marks[-1].step]
    step = min(shown.step, len(now.positions) - 1)
    scene = _curves(settings, (), best, paths=paths, path=shown.method, step=step)

    sample = sample_of(settings)
    n, known = len(sample.X), int(sample.labelled.sum())
    used = f"{known:,} known values"
    if known < n and shown.unlabelled == "response":
        used += f" and {n - known:,} unlabelled inputs"
    elif known < n:
        used += f"; {n - known:,} unlabelled inputs are left out"
    source = (
        f"r = {c.r:.2f}, ρ = {c.rho:.2g}"
        if np.isfinite(c.r)
        else "too little of the signal stands above the noise to estimate r and ρ"
    )
    words = (
        f"**Data:** {used}; σ = {kernel_of(settings).bandwidth:.3g}, κ = {c.kappa:.3g}, "
        f"M = {c.bound:.3g}.",
        f"**Effective dimension:** N(λ) ≤ D²(λ/κ)^(−s) with s = {c.s:.2f}, D = {c.D:.2f}; "
        f"N = {c.effective:.1f} at ridge's best λ = {c.lam:.2g}.",
        f"**Source condition** f* = Kʳu, ‖u‖ ≤ κ^(−r)ρ, estimated: {source}.",
    )
    return RegressionView(scene, (_stops(paths[0], rules), _rivals(paths)), words)


def _stops(cg: Path, rules: tuple[steps.Rule, ...]) -> Table:
    """Where each rule stops on the path."""
    error, best = cg.series[1].values, cg.marks[-1].step
    rows = [(r.title, r.iteration, float(error[r.iteration]),
             float(error[r.iteration] / error[best]),
             "" if r.met else "not met: the path ended first") for r in rules]  # fmt: skip
    rows.append(("Truth (in hindsight)", best, float(error[best]), 1.0, ""))
    heads = ("Rule", "Stops at m", "Error", "Times the best", "Note")
    width = len(heads) if any(row[-1] for row in rows) else len(heads) - 1
    return Table(
        heads[:width],
        tuple(row[:width] for row in rows),
        {"Error": "{:.4f}", "Times the best": "{:.2f}"},
        "Error: root mean square distance to the true function on [0, 1]. (8) is the discrepancy "
        "rule, (9) the fixed threshold with r = ½, s = D = 1; “fitted” takes r, s and D as "
        "estimated below.",
    )


def _rivals(paths: tuple[Path, ...]) -> Table:
    """Each method at its best."""
    rows = []
    for path in paths:
        k = path.marks[-1].step
        at = f"{path.symbol} = {path.positions[k]:.3g} {UNITS[path.name]}".strip()
        rows.append((path.title, at, float(path.series[1].values[k])))
    return Table(
        ("Method", "Best place on its path", "Error there"),
        tuple(rows),
        {"Error there": "{:.4f}"},
        "Each method on the same kernel matrix, at the place on its path that the true function "
        "would choose.",
    )


# Slopes: Hermite regression beside plain regression (GAL23 §7.2). The browser multiplies the
# matrices by what the hand moves.


def _slopes(settings: Settings) -> RegressionView:
    handles = settings.regression.handles
    values = np.array([h.value for h in handles])
    given = np.append(values, [h.slope or 0.0 for h in handles])
    titles = ("Hermite: values and slopes", "Plain: values only")
    hermite, plain = steps.responses(settings)
    left, right, low, high = view_around(values, hermite @ given, plain @ given)
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
    X, slopes = np.array([[h.x] for h in handles]), [h.slope for h in handles]
    sloped = [i for i, slope in enumerate(slopes) if slope is not None]
    fitted, rows = [steps.fitted_slopes(settings, with_them) for with_them in (True, False)], []
    for title, model in zip(titles, fitted, strict=True):
        tilt = model.predict_gradient(X)[sloped, 0] - np.array([slopes[i] for i in sloped])
        rows.append((title, float(rms(model.predict(X) - values)),
                     float(rms(tilt)) if sloped else None))  # fmt: skip
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
    if d > 2:
        raise ValueError("This is shown on data with one or two inputs: choose such a data set.")
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
        f"{kernel_of(settings).bandwidth:.3g}, λ = {settings.estimate.lam:.3g}. The exact "
        f"estimate may take {memory.readable(EXACT_BYTES)} here."
    )
    shown = (numbers,), (words,), exact.refusal
    if d == 2:
        series = {f"{name}: error": values for name, values in errors.items()}
        series |= {} if away is None else {"Galerkin to exact": away}
        return RegressionView(_fields(settings, exact, galerkin[now], ladder[now]), *shown, series)
    beside, curves = [Series("Error", errors["Galerkin"])], ()
    if away is not None:
        beside.append(Series("Distance to exact", away))
        beside.append(Series("Error of exact", errors["Exact"], True))
        curves = (Curve("Exact", exact.values, "other"),)
    path = Path("galerkin", "Galerkin", "p", np.array(ladder),
                np.array([f.values for f in galerkin]), tuple(beside), (), True)  # fmt: skip
    scene = _curves(settings, curves, paths=(path,), path="galerkin", step=now)
    return RegressionView(scene, *shown)


def _row(title: str, fitted: Fitted, error: Array | None, away: Array | None, k: int) -> tuple:
    """A row of the table; without the numbers that are not known."""
    if fitted.values is None:
        return (title, None, None, None, fitted.bytes / 1000)
    far = None if away is None else float(away[k])
    return (title, float(error[k]), far, 1000 * fitted.seconds, fitted.bytes / 1000)


def _fields(settings: Settings, exact: Fitted, galerkin: Fitted, p: int) -> Scene:
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
        view_key=_identity(settings),
        grid=grid,
        axes=tuple(sample.feature_names),
        hide=MOVES,
    )


# Noisy manifold: the position on a rolled sheet from few values, with three penalties.


def _manifold(settings: Settings) -> RegressionView:
    if settings.data.info.n_features < 3:
        raise ValueError("This is shown on data in space: choose a data set on a surface.")
    sample, plane = sample_of(settings), plane_of(settings)
    fitted = [steps.ridge(settings)]
    fitted += [steps.laplacian(settings, name) for name in steps.OPERATORS]
    errors = [float(rms(_miss(f, sample))) for f in fitted]
    rows = np.union1d(drawn_rows(len(sample.X)), np.flatnonzero(sample.labelled))
    panels = [Panel("Truth", sample.values[None, rows])]
    panels += [Panel(f.title, f.values[None, rows], subtitle=f"error {error:.3g}")
               for f, error in zip(fitted, errors, strict=True)]  # fmt: skip
    scene = Scene(
        panels=tuple(panels),
        points=plane.points(settings.data, rows),
        view=view_of(plane.xy),
        view_key=_identity(settings) + plane.key,
        axes=plane.axes,
        columns=4,
        hide=MOVES,
        n_samples=len(sample.X),
    )
    truth = points.sample(settings.data).truth.eigenvalues
    spread = rms(sample.values - sample.values.mean())
    rows = []
    for f, error in zip(fitted, errors, strict=True):
        explained = float(100 * (1 - (error / spread) ** 2)) if spread > 0 else None
        times = None if f.gamma is None or truth is None else float(f.gamma / truth[1])
        rows.append((f.title, error, explained, f.gamma, times, 1000 * f.seconds))
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


def _miss(fitted: Fitted, sample: Dataset) -> Array:
    """Errors at the samples whose value is not known; at all of them if there are none."""
    errors = fitted.values - sample.values
    return errors[~sample.labelled] if not sample.labelled.all() else errors


_VIEWS = {"stop": _stop, "slopes": _slopes, "exact": _exact, "manifold": _manifold}
