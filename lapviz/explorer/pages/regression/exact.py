"""Exact against Galerkin: the representer estimator beside LaplacianRegressor as p grows."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from lapviz import memory
from lapviz.estimators.exact_regressor import ExactLaplacianRegressor
from lapviz.estimators.laplacian_regressor import LaplacianRegressor
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import EXACT_BYTES, GRID_LARGE
from lapviz.explorer.host.sizes import size_of
from lapviz.explorer.pages.regression.view import (
    Chart,
    RegressionView,
    Sample,
    Table,
    identity,
    kernel_of,
    line,
    rms,
    sample_of,
    view_around,
)
from lapviz.explorer.scene.placement import grid_of, view_of
from lapviz.explorer.settings.records import Settings
from lapviz.figures.curve_scenes import Curve, CurveScene, Path, Series
from lapviz.progress import track
from lapviz.scenes import Panel, Points, Scene
from lapviz.spaces.representer import required_bytes

Array = np.ndarray
LADDER = (3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300)


@dataclass(frozen=True, eq=False)
class Fitted:
    """Values on the sites (g,), seconds, and bytes of the matrices; or why there are none."""

    values: Array | None
    seconds: float
    bytes: int
    refusal: str = ""


def exact_view(settings: Settings, rev: int = 0) -> RegressionView:
    """Both estimators on the same data: curves over one input, fields over two."""
    d = settings.data.info.n_features
    if d > 2:
        raise ValueError("This is shown on data with one or two inputs: choose such a data set.")
    sample = sample_of(settings)
    exact, rungs = exact_fit(_needed(settings)), ladder(settings)
    fits = galerkin_fits(_needed(settings), rungs)
    x = places(settings)
    m = len(x)  # errors are measured here: on the line, or at the samples
    truth = sample.target(x)
    errors = {"Galerkin": np.array([rms(f.values[:m] - truth) for f in fits])}
    away = None
    if exact.values is not None:
        away = np.array([rms(f.values[:m] - exact.values[:m]) for f in fits])
        errors["Exact"] = np.full(len(rungs), rms(exact.values[:m] - truth))
    now = rungs.index(_clipped(settings))
    tables = (_table(sample, exact, fits, rungs, errors, away, now),)
    words = (_words(settings, sample),)
    warning = exact.refusal
    if d == 1:
        scene = _curves(settings, sample, exact, fits, rungs, errors, away, now, rev)
        return RegressionView(scene, tables, words, warning)
    series = {f"{name}: error": values for name, values in errors.items()}
    series |= {} if away is None else {"Galerkin to exact": away}
    chart = Chart(np.array(rungs, float), series, float(rungs[now]), "p", "distance")
    scene = _fields(settings, sample, exact, fits[now], rungs[now])
    return RegressionView(scene, tables, words, warning, chart)


def _needed(settings: Settings) -> Settings:
    """What the fits depend on."""
    known = settings.regression.known
    plain = Settings(settings.data, space=settings.space, energy=settings.energy)
    return plain.change(lam=settings.estimate.lam, known=known, p=1, operator="laplacian",
                        sigma=kernel_of(settings).bandwidth)  # fmt: skip


def _clipped(settings: Settings) -> int:
    return min(settings.space.n_landmarks, len(sample_of(settings).X))


def ladder(settings: Settings) -> tuple[int, ...]:
    """The numbers of test functions that are compared, the present p among them."""
    n = len(sample_of(settings).X)
    return tuple(sorted({p for p in LADDER if p < n} | {_clipped(settings)}))


def places(settings: Settings) -> Array:
    """Where errors are measured: places (g, 1) on the line, or the samples (n, 2)."""
    return line() if settings.data.info.n_features == 1 else sample_of(settings).X


def sites(settings: Settings) -> Array:
    """Where the estimates are evaluated: these places, and over two inputs a grid's nodes."""
    x = places(settings)
    if x.shape[1] == 1:
        return x
    return np.vstack([x, grid_of(view_of(x), GRID_LARGE).sites()])


def _common(settings: Settings) -> dict:
    return {
        "kernel": settings.space.kernel,
        "bandwidth": settings.space.bandwidth,
        "kernel_params": dict(settings.space.kernel_params or ()),
        "lam": settings.estimate.lam,
        "mu": settings.energy.mu,
    }


@step
def exact_fit(settings: Settings) -> Fitted:
    """The exact estimate, or a sentence with numbers if it is larger than this host allows."""
    sample = sample_of(settings)
    needed = required_bytes(*sample.X.shape)
    model = ExactLaplacianRegressor(**_common(settings), max_bytes=EXACT_BYTES)
    start = time.perf_counter()
    try:
        model.fit(sample.X, sample.y)
    except MemoryError as error:
        return Fitted(None, 0.0, needed, str(error))
    seconds = time.perf_counter() - start
    return Fitted(model.predict(sites(settings)), seconds, needed)


@step
def galerkin_fit(settings: Settings, p: int) -> Fitted:
    """The Galerkin estimate with p test functions."""
    sample, space = sample_of(settings), settings.space
    model = LaplacianRegressor(
        **_common(settings),
        n_landmarks=p,
        landmarks=space.landmarks,
        random_state=space.random_state,
    )
    start = time.perf_counter()
    model.fit(sample.X, sample.y)
    seconds = time.perf_counter() - start
    size = size_of(model.space_) + 3 * 8 * model.space_.n_functions**2  # mass, stiffness, gram
    return Fitted(model.predict(sites(settings)), seconds, size)


def galerkin_fits(settings: Settings, rungs: tuple[int, ...]) -> tuple[Fitted, ...]:
    """One fit for each p, each kept by itself."""
    return tuple(galerkin_fit(settings, p) for p in track(rungs, "Galerkin estimates"))


def _curves(settings, sample, exact, fits, rungs, errors, away, now, rev) -> CurveScene:
    x = line()
    truth = sample.target(x)
    series = [Series("Error", errors["Galerkin"])]
    curves = [Curve("Truth", truth, "truth")]
    if away is not None:
        series.append(Series("Distance to exact", away))
        series.append(Series("Error of exact", errors["Exact"], True))
        curves.append(Curve("Exact", exact.values, "other"))
    path = Path("galerkin", "Galerkin", "p", np.array(rungs),
                np.array([f.values for f in fits]), tuple(series), (), True)  # fmt: skip
    points = np.column_stack([sample.X[:, 0], sample.values])
    return CurveScene(
        x=x[:, 0],
        view=view_around(truth, points[sample.known, 1]),
        view_key=identity(settings),
        points=points,
        known=sample.known,
        curves=tuple(curves),
        paths=(path,),
        path="galerkin",
        step=now,
        axes=(sample.feature_names[0], "value"),
        rev=rev,
    )


def _fields(settings: Settings, sample: Sample, exact: Fitted, galerkin: Fitted, p: int) -> Scene:
    view = view_of(sample.X)
    grid = grid_of(view, GRID_LARGE)
    shape = (1, len(grid.y), len(grid.x))

    n = len(sample.X)
    truth = sample.target(sites(settings))

    def panel(title: str, values: Array | None, note: str = "") -> Panel:
        if values is None:
            return Panel(title, np.zeros((1, n)), note=note)
        below = "" if values is truth else f"error {rms(values[:n] - truth[:n]):.3g}"
        return Panel(title, values[None, :n], values[n:].reshape(shape), subtitle=below)

    return Scene(
        panels=(
            panel("Truth", truth),
            panel("Exact", exact.values, exact.refusal),
            panel(f"Galerkin, p = {p}", galerkin.values),
        ),
        points=Points(sample.X, np.arange(n)),
        view=view,
        view_key=identity(settings),
        grid=grid,
        kind="functions",
        axes=tuple(sample.feature_names),
        hide=("lam", "filter", "labels"),
    )


def _table(sample, exact, fits, rungs, errors, away, now) -> Table:
    rows = []
    n, d = sample.X.shape
    error = None if exact.values is None else float(errors["Exact"][0])
    time_of = None if exact.values is None else 1000 * exact.seconds
    rows.append((f"Exact, {n * (d + 1):,} functions", error, None if error is None else 0.0,
                 time_of, exact.bytes / 1000))  # fmt: skip
    for k in sorted({0, len(rungs) // 3, 2 * len(rungs) // 3, len(rungs) - 1, now}):
        far = None if away is None else float(away[k])
        rows.append((f"Galerkin, p = {rungs[k]:,}" + (" (shown)" if k == now else ""),
                     float(errors["Galerkin"][k]), far,
                     1000 * fits[k].seconds, fits[k].bytes / 1000))  # fmt: skip
    return Table(
        ("Estimator", "Error", "Distance to exact", "Fit time", "Matrices"),
        tuple(rows),
        {"Error": "{:.4f}", "Distance to exact": "{:.2g}", "Fit time": "{:.0f} ms",
         "Matrices": "{:,.0f} kB"},
        "Error: root mean square distance to the true function, on [0, 1] or at the samples. "
        "Fit time: of a fit from scratch on this host. Matrices: bytes of the matrices that the "
        "fit holds; the exact one needs two with n(d + 1) rows and columns.",
    )  # fmt: skip


def _words(settings: Settings, sample: Sample) -> str:
    n, known = len(sample.X), int(sample.known.sum())
    return (
        f"**Data:** {n:,} points, {known:,} known values; σ = "
        f"{kernel_of(settings).bandwidth:.3g}, λ = {settings.estimate.lam:.3g}. The exact "
        f"estimate may take {memory.readable(EXACT_BYTES)} here."
    )
