"""Noisy manifold: the position on a rolled sheet from few values, with three penalties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import fit
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.pages.regression.view import RegressionView, Table, identity, rms, sample_of
from lapviz.explorer.scene.placement import drawn_rows, plane_of, view_of
from lapviz.explorer.settings.records import Settings
from lapviz.scenes import Panel, Scene
from lapviz.spaces import KernelSpace

Array = np.ndarray
OPERATORS = {"laplacian": "Ambient gradient", "tangent": "Learnt tangents"}
RIDGE = "Kernel ridge"


@dataclass(frozen=True, eq=False)
class Fitted:
    """Values at the samples (n,), seconds of a fit, and γ₁ of its operator (None: it has none)."""

    title: str
    values: Array
    seconds: float
    gamma: float | None


def manifold_view(settings: Settings) -> RegressionView:
    """The truth, kernel ridge on the known values, and two Laplacian penalties."""
    if settings.data.info.n_features < 3:
        raise ValueError("This is shown on data in space: choose a data set on a surface.")
    sample, plane = sample_of(settings), plane_of(settings)
    fits = [ridge(settings), *(laplacian(settings, name) for name in OPERATORS)]
    known = np.flatnonzero(sample.known)
    rows = np.union1d(drawn_rows(len(sample.X)), known)
    truth = sample.values
    panels = [Panel("Truth", truth[None, rows])]
    panels += [Panel(f.title, f.values[None, rows], subtitle=f"error {rms(_miss(f, sample)):.3g}")
               for f in fits]  # fmt: skip
    scene = Scene(
        panels=tuple(panels),
        points=plane.points(settings.data, rows),
        view=view_of(plane.xy),
        view_key=identity(settings) + plane.key,
        kind="functions",
        axes=plane.axes,
        columns=4,
        hide=("lam", "filter", "labels"),
        n_samples=len(sample.X),
    )
    return RegressionView(scene, (_table(settings, fits, sample),), _words(settings, sample))


def _miss(fitted: Fitted, sample) -> Array:
    """Errors at the samples whose value is not known; at all of them if there are none."""
    errors = fitted.values - sample.values
    return errors[~sample.known] if not sample.known.all() else errors


@step
def laplacian(settings: Settings, operator: str) -> Fitted:
    """The estimate of LaplacianRegressor, from the cached forms."""
    sample, spec = sample_of(settings), settings.estimate
    method = fits.method(settings.change(operator=operator))
    y, X = sample.y[sample.known], sample.X[sample.known]
    space = method.assembled(spec.fit_intercept).space

    def solve() -> Array:
        solver = method.solver(spec.data_term, spec.fit_intercept)
        return fit.solve(space, solver, X, (y - y.mean())[:, None], spec)

    solved = fits.timed(solve)
    values = space.evaluate(sample.X, solved.value)[:, 0] + y.mean()
    gamma = method.eigenfunctions(4).gamma
    first = float(gamma[1]) if len(gamma) > 1 else None
    return Fitted(OPERATORS[operator], values, solved.seconds, first)


def ridge(settings: Settings) -> Fitted:
    """Kernel ridge on the known values alone, with the ridge λμ."""
    sample, method, lam = sample_of(settings), fits.method(settings), settings.estimate.lam
    kernel, mu, X, y = method.kernel, method.mu, sample.X[sample.known], sample.y[sample.known]
    solved = fits.timed(lambda: fit.ridge(kernel, X, (y - y.mean())[:, None], lam, mu))
    space, seconds = KernelSpace(kernel, X, constant=False), solved.seconds
    values = space.evaluate(sample.X, solved.value)[:, 0] + y.mean()
    return Fitted(RIDGE, values, seconds, None)


def _table(settings: Settings, fits, sample) -> Table:
    truth = points.sample(settings.data).truth.eigenvalues
    spread = rms(sample.values - sample.values.mean())
    rows = []
    for f in fits:
        error = float(rms(_miss(f, sample)))
        times = None if f.gamma is None or truth is None else f.gamma / truth[1]
        explained = float(100 * (1 - (error / spread) ** 2)) if spread > 0 else None
        times = None if times is None else float(times)
        rows.append((f.title, error, explained, f.gamma, times,
                     1000 * f.seconds))  # fmt: skip
    return Table(
        ("Method", "Error", "Explained", "First eigenvalue γ₁", "Times the true γ₁", "Fit time"),
        tuple(rows),
        {"Error": "{:.2f}", "Explained": "{:.1f} %", "First eigenvalue γ₁": "{:.3g}",
         "Times the true γ₁": "{:.2f}", "Fit time": "{:.0f} ms"},
        "Error: root mean square difference from the position on the sheet, on the samples whose "
        "value is not known, in the units of the data. Explained: share of its variance. γ₁: first "
        "eigenvalue above 0 of the penalty's operator, beside the true one of the sheet.",
    )  # fmt: skip


def _words(settings: Settings, sample) -> tuple[str, ...]:
    n, known = len(sample.X), int(sample.known.sum())
    kernel = fits.method(settings).kernel
    mu = fits.method(settings).mu
    return (
        f"**Data:** {n:,} points, {known:,} known values, noise {settings.data.noise:.3g}; "
        f"σ = {kernel.bandwidth:.3g}, λ = {settings.estimate.lam:.3g}, μ = {mu:.3g}.",
        "Every panel shows the position along the unrolled sheet, measured from its middle.",
    )
