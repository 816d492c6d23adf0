"""The cached fits of the Regression page."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz import datasets, estimates, fit, kernels, memory
from lapviz.estimators.advice import Advice
from lapviz.estimators.exact import ExactLaplacianRegressor
from lapviz.estimators.hermite_regressor import HermiteRegressor
from lapviz.estimators.laplacian_regressor import LaplacianRegressor
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.cache import step, timed
from lapviz.explorer.host.limits import EXACT_BYTES, GRID_LARGE
from lapviz.explorer.host.store import size_of
from lapviz.explorer.scene.placement import grid_of, view_of
from lapviz.explorer.settings.records import ALONE, Settings
from lapviz.explorer.settings.specs import RegressionSpec
from lapviz.figures.curve_scenes import Curve, CurveScene, Handle, margin
from lapviz.scenes import Scene
from lapviz.spaces import KernelSpace
from lapviz.spaces.representer import required_bytes

Array = np.ndarray
N_GRID = 201  # points of a curve
MARGIN = 0.03  # of the width of the picture, on either side


@dataclass(frozen=True, eq=False)
class Fitted:
    """An estimate: its values, or the reason why there are none, and the seconds of its fit.

    ``bytes`` are those of its matrices, ``gamma`` is γ₁ of its operator.
    """

    values: Array | None
    seconds: float
    bytes: int = 0
    gamma: float | None = None
    refusal: str = ""


def sample_of(settings: Settings) -> datasets.Dataset:
    """The data with the requested number of known values: the first rows are ``labelled``.

    ``y`` are these values, NaN where they are not known.
    """
    data, n_known = points.sample(settings.data), settings.regression.known
    is_known = np.arange(len(data.X)) < (len(data.X) if n_known is None else n_known)
    return replace(data, y=np.where(is_known, data.values, np.nan), labelled=is_known)


def kernel_of(settings: Settings) -> kernels.Kernel:
    """The kernel, with σ as a number."""
    return fits.method(settings).kernel


def kernel_arguments(settings: Settings, bandwidth: float | str) -> dict[str, Any]:
    """The kernel with this σ, as arguments of an estimator."""
    options = settings.space.arguments() | {"bandwidth": bandwidth}
    names = ("kernel", "bandwidth", "kernel_params")
    return {name: options[name] for name in names if name in options}


def line(settings: Settings | None = None) -> Array:
    """Inputs (g, 1) at which curves are drawn and errors measured, equally spaced.

    On [0, 1], or from end to end of data that do not lie in it; without settings, on [0, 1].
    """
    X = points.sample(settings.data).X if settings else np.zeros(1)
    low, high = (0.0, 1.0) if X.min() >= 0 and X.max() <= 1 else (X.min(), X.max())
    return np.linspace(low, high, N_GRID)[:, None]


def rms(errors: Array, axis: int | None = None) -> Array:
    """Root mean square."""
    return np.sqrt(np.mean(np.square(errors), axis=axis))


# The content of each topic.


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers below the stage: heads, rows, formats of floating-point columns, and a help text."""

    heads: tuple[str, ...]
    rows: tuple[tuple, ...]
    formats: dict[str, str]
    help: str


@dataclass(frozen=True, eq=False)
class RegressionView:
    """Content of the page: a stage, tables of numbers, and sentences.

    ``chart`` has series of distances against p, for data whose path is not on the stage.
    """

    scene: CurveScene | Scene
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    warning: str = ""
    hints: tuple[Advice, ...] = ()
    chart: dict[str, Array] | None = None

    @property
    def numbers(self) -> dict[str, object]:
        """Numbers that stories quote: cells of the tables by first cell and column; of exact
        against Galerkin also the exact row and the one shown."""
        rows = {
            str(row[0]): dict(zip(table.heads[1:], row[1:], strict=True))
            for table in self.tables
            for row in table.rows
        }
        numbers: dict[str, object] = {"row": rows}
        for title, row in rows.items():
            if title.startswith("Exact"):
                numbers["exact"] = row
            if title.endswith("(shown)"):
                numbers["shown"] = row
        return numbers


def view_key(settings: Settings) -> str:
    """Name of the data: while it stays the same, the stage keeps its zoom."""
    return f"{settings.data.view_key}-{settings.regression.topic}"


def view_around(x: Array, *values: Array) -> tuple[float, float, float, float]:
    """Box (left, right, low, high) around curves over x, with a margin."""
    finite = np.concatenate([np.ravel(v) for v in values])
    finite = finite[np.isfinite(finite)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    room = margin(low, high)
    left, right = float(x.min()), float(x.max())
    beside = MARGIN * (right - left)
    return left - beside, right + beside, low - room, high + room


def curves(
    settings: Settings, others: tuple[Curve, ...], *around: Array, **paths: object
) -> CurveScene:
    """Scene of the samples and the truth over one input, with further curves and paths."""
    sample, x = sample_of(settings), line(settings)
    truth, samples = sample.target(x), np.column_stack([sample.X[:, 0], sample.values])
    return CurveScene(
        x=x[:, 0],
        view=view_around(x, truth, *around, samples[sample.labelled, 1]),
        view_key=view_key(settings),
        points=samples,
        known=sample.labelled,
        curves=(Curve("Truth", truth, "truth"), *others),
        axes=(sample.feature_names[0], "value"),
        **paths,
    )


# Slopes: Hermite regression on points set by hand (GAL23 §7.2).


def hermite(settings: Settings) -> HermiteRegressor:
    """Hermite regression over the RKHS with these settings."""
    spec, seed = settings.regression, settings.space.random_state
    kernel = kernel_arguments(settings, settings.space.bandwidth)
    return HermiteRegressor(**kernel, weight=spec.weight, ridge=spec.ridge, random_state=seed)


def given(settings: Settings) -> tuple[Array, Array, Array]:
    """Inputs (k, 1), values (k,) and slopes (k,) of the handles, NaN where there is no slope."""
    handles = settings.regression.handles
    numbers = np.array([(h.x, h.value, h.slope) for h in handles], dtype=float).reshape(-1, 3)
    return numbers[:, :1], numbers[:, 1], numbers[:, 2]


def fitted_slopes(settings: Settings, with_slopes: bool) -> HermiteRegressor:
    """Fit the estimator to the handles, with or without their slopes."""
    X, y, slopes = given(settings)
    return hermite(settings).fit(X, y, gradients=slopes[:, None] if with_slopes else None)


def slopes_width(settings: Settings) -> float:
    """σ as a number; "auto" is chosen for the handles."""
    bandwidth = settings.space.bandwidth
    return fitted_slopes(settings, True).bandwidth_ if bandwidth == "auto" else bandwidth


def responses(settings: Settings) -> tuple[Array, Array]:
    """Responses on the line to unit values and unit slopes at the k handles, arrays (g, 2k).

    Of Hermite regression, and of plain regression, which ignores the slopes.
    """
    spec = settings.regression
    # responses do not depend on the values
    handles = tuple(Handle(h.x, 0.0, None if h.slope is None else 0.0) for h in spec.handles)
    needed = RegressionSpec(weight=spec.weight, ridge=spec.ridge, handles=handles)
    return _responses(Settings(space=settings.space.relevant(), regression=needed))


@step
def _responses(settings: Settings) -> tuple[Array, Array]:
    X, _, given_slopes = given(settings)
    k, x, missing = len(X), line(), np.isnan(given_slopes)
    values, slopes = np.eye(k, 2 * k), np.eye(k, 2 * k, k)[:, None]
    slopes[missing] = np.nan
    with_slopes = hermite(settings).fit(X, values, gradients=slopes).predict(x)
    with_slopes[:, k:][:, missing] = 0.0
    plain = hermite(settings).fit(X, values).predict(x)
    plain[:, k:] = 0.0
    return with_slopes, plain


# Exact against Galerkin: the representer estimator beside LaplacianRegressor as p grows.

COUNTS = (3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300)


def n_functions(settings: Settings) -> int:
    """Number p of test functions, at most that of the samples."""
    return min(settings.space.n_landmarks, len(sample_of(settings).X))


def counts(settings: Settings) -> tuple[int, ...]:
    """Numbers of test functions that are compared: up to n or 300, and the present p."""
    n = len(sample_of(settings).X)
    return tuple(sorted({min(p, n) for p in COUNTS} | {n_functions(settings)}))


def error_points(settings: Settings) -> Array:
    """Points at which errors are measured: (g, 1) on the line, or the samples (n, 2)."""
    return line(settings) if settings.data.info.n_features == 1 else sample_of(settings).X


def sites(settings: Settings) -> Array:
    """Points at which estimates are evaluated: the error points, then a grid over two inputs."""
    x = error_points(settings)
    if x.shape[1] == 1:
        return x
    return np.vstack([x, grid_of(view_of(x), GRID_LARGE).sites()])


def relevant(settings: Settings) -> Settings:
    """The settings with everything on which these fits do not depend at its default.

    σ and μ are numbers, the same for all p; an automatic μ is that of the largest one.
    """
    known = settings.regression.known
    plain = Settings(settings.data, space=settings.space, energy=settings.energy)
    plain = plain.change(lam=settings.estimate.lam, known=known, operator="laplacian",
                         sigma=kernel_of(settings).bandwidth, p=COUNTS[-1])  # fmt: skip
    return plain.change(mu=fits.method(plain).mu, p=1)


def exact(settings: Settings) -> ExactLaplacianRegressor:
    """The estimator over all kernel functions of the samples and their slopes."""
    kernel = kernel_arguments(settings, kernel_of(settings).bandwidth)
    return ExactLaplacianRegressor(**kernel, lam=settings.estimate.lam, mu=settings.energy.mu)


def why_not_exact(settings: Settings) -> str:
    """Why these settings have no exact estimate, on any host; "" if they have one."""
    if settings.energy.mu == 0:
        return "With μ = 0 there is no exact estimate: choose a larger μ."
    if not kernel_of(settings).has_curvature:
        return (
            f"The {kernel_of(settings).title} kernel states no second derivatives, which the exact "
            "estimate needs: choose another kernel."
        )
    return ""


def galerkin(settings: Settings, p: int) -> LaplacianRegressor:
    """The same over kernel functions at p landmarks."""
    space = {"bandwidth": kernel_of(settings).bandwidth, "n_landmarks": p}
    energy = {"lam": settings.estimate.lam, "mu": settings.energy.mu}
    return LaplacianRegressor(**settings.space.arguments() | space | energy)


@step
def fitted(settings: Settings, p: int | None) -> Fitted:
    """Galerkin estimate with p test functions; for None the exact one, if this host allows it."""
    sample = sample_of(settings)
    size = required_bytes(*sample.X.shape)
    model = galerkin(settings, p) if p else exact(settings).set_params(max_bytes=EXACT_BYTES)
    if not p and (reason := why_not_exact(settings)):
        return Fitted(None, 0.0, size, refusal=reason)
    start = time.perf_counter()
    try:
        model.fit(sample.X, sample.y)
    except MemoryError as error:
        return Fitted(None, 0.0, size, refusal=str(error))
    seconds = time.perf_counter() - start
    if p:
        size = size_of(model.space_) + 3 * 8 * model.space_.n_functions**2  # and the forms
    return Fitted(model.predict(sites(settings)), seconds, size)


# Noisy manifold: the position on a rolled sheet from few values, with three penalties.


def penalised_by(settings: Settings, operator: str) -> fit.Galerkin:
    """The Galerkin method of these settings with the energy of this operator alone."""
    return fits.method(settings.change(operator=operator, also=ALONE))


@step
def laplacian(settings: Settings, operator: str) -> Fitted:
    """Estimate of LaplacianRegressor, from the cached forms; of the estimate's settings λ alone."""
    method, spec = penalised_by(settings, operator), fit.EstimateSpec(lam=settings.estimate.lam)
    space = method.assembled(spec.fit_intercept).space

    def solve(X: Array, y: Array) -> Array:
        return fit.solve(space, method.solver(spec.data_term, spec.fit_intercept), X, y, spec)

    gamma = method.eigenfunctions(4).gamma
    first = float(gamma[1]) if len(gamma) > 1 else None
    return replace(_solved(settings, solve, lambda X: space), gamma=first)


def ridge(settings: Settings) -> Fitted:
    """Kernel ridge on the known values alone, with the ridge λμ, μ that of the tangents' energy."""
    n_known = int(sample_of(settings).labelled.sum())
    size = 2 * 8 * n_known**2  # the kernel matrix, and its factor
    if size > EXACT_BYTES:
        reason = (
            f"Kernel ridge of {n_known:,} known values needs {memory.readable(size)}, and this "
            f"host allows {memory.readable(EXACT_BYTES)}: choose fewer known values."
        )
        return Fitted(None, 0.0, size, refusal=reason)
    method, lam = penalised_by(settings, "tangent"), settings.estimate.lam
    kernel, mu = method.kernel, method.mu

    def solve(X: Array, y: Array) -> Array:
        return estimates.ridge_on_labels(kernel, X, y, lam * mu)

    return _solved(settings, solve, lambda X: KernelSpace(kernel, X, constant=False))


def _solved(settings: Settings, solve: Callable, space_of: Callable) -> Fitted:
    """Estimate at the samples, solved from the known values less their mean."""
    sample = sample_of(settings)
    X, y = sample.X[sample.labelled], sample.y[sample.labelled]
    solution = timed(lambda: solve(X, (y - y.mean())[:, None]))
    values = space_of(X).evaluate(sample.X, solution.value)[:, 0] + y.mean()
    return Fitted(values, solution.seconds)
