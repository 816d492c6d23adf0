"""Stop early: kernel conjugate gradient, where rules stop it, and other methods' paths (KCG10)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz.estimates import stopping
from lapviz.estimates.conjugate_gradient import semi_supervised_response
from lapviz.estimates.kernel_filters import (
    effective_dimension,
    intrinsic_dimension,
    kernel_filters,
    kernel_spectrum,
    source_condition,
)
from lapviz.estimators.kernel_cg_regressor import KernelCGRegressor
from lapviz.experiments.stopping import N_ITERATIONS, RIVAL_GRIDS
from lapviz.explorer.compute.cache import step
from lapviz.explorer.pages.regression.view import (
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
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.regression_specs import METHODS, RegressionSpec
from lapviz.figures.curve_scenes import Curve, CurveScene, Mark, Path, Series

Array = np.ndarray
SYMBOLS = {"cg": "m", "pls": "m", "ridge": "λ", "pcr": "q", "boosting": "t"}
_NOT_NEEDED = {name: getattr(RegressionSpec(), name)  # for the paths
               for name in ("topic", "method", "step", "weight", "ridge", "handles")}  # fmt: skip
UNITS = {"cg": "iterations", "pls": "iterations", "ridge": "", "pcr": "components",
         "boosting": "iterations"}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Rule:
    """Where a rule stops: iteration, threshold (m + 1,) or None, and whether it was met."""

    title: str
    iteration: int
    threshold: Array | None
    met: bool


@dataclass(frozen=True, eq=False)
class Conditions:
    """What the theorems assume, estimated from the labelled points' kernel matrix."""

    kappa: float
    bound: float
    s: float
    D: float
    r: float
    rho: float
    effective: float  # N(λ) at the best λ of ridge
    lam: float


def stop_view(settings: Settings, rev: int = 0) -> RegressionView:
    """Paths of five regularisations of one kernel matrix, and where each rule stops."""
    if settings.data.info.n_features != 1:
        raise ValueError("Stopping is shown on data with one input: choose such a data set.")
    shown = settings.regression
    needed = replace(shown, **_NOT_NEEDED)
    paths, rules, conditions = _computed(Settings(settings.data, space=settings.space,
                                                  regression=needed))  # fmt: skip
    sample, x = sample_of(settings), line()
    truth = sample.target(x)
    now = next(path for path in paths if path.name == shown.method)
    points = np.column_stack([sample.X[:, 0], sample.values])
    best = paths[0].curves[int(paths[0].marks[-1].step)]
    scene = CurveScene(
        x=x[:, 0],
        view=view_around(truth, best, points[sample.known, 1]),
        view_key=identity(settings),
        points=points,
        known=sample.known,
        curves=(Curve("Truth", truth, "truth"),),
        paths=paths,
        path=shown.method,
        step=min(shown.step, len(now.positions) - 1),
        axes=(sample.feature_names[0], "value"),
        rev=rev,
    )
    return RegressionView(scene, _tables(paths, rules), _words(settings, sample, conditions))


def estimator(settings: Settings, stop: str, **changes: object) -> KernelCGRegressor:
    """Kernel conjugate gradient with these settings and one of its stopping rules."""
    kernel, shown = kernel_of(settings), settings.regression
    if shown.tau != "auto" and stop in ("discrepancy", "threshold"):
        changes["tau"] = float(shown.tau)
    return KernelCGRegressor(
        kernel=kernel,
        stopping=stop,
        n_iterations=N_ITERATIONS,
        unlabelled=shown.unlabelled,
        random_state=settings.data.random_state,
        **changes,
    )


@step
def _computed(settings: Settings) -> tuple[tuple[Path, ...], tuple[Rule, ...], Conditions]:
    """Everything but what is shown of it."""
    sample, x = sample_of(settings), line()
    fixed = estimator(settings, "fixed").fit(sample.X, sample.y)
    cg, X, kernel = fixed.path_, fixed.X_fit_, fixed.kernel_
    labelled = sample.known if settings.regression.unlabelled == "response" else np.ones(len(X))
    labelled = labelled.astype(bool)
    y = np.where(labelled, sample.values[: len(X)] - fixed.target_mean_, 0.0)
    spectrum = kernel_spectrum(kernel(X, X))
    truth, K = sample.target(x), kernel(x, X)

    def error(curves: Array) -> Array:
        return rms(curves - truth, axis=1)

    response = semi_supervised_response(y, labelled)
    own = kernel_spectrum(kernel(X[labelled], X[labelled])) if not labelled.all() else spectrum
    conditions = _conditions(own, y[labelled], fixed.kappa_)
    curves = cg.predict(K).T + fixed.target_mean_
    rules = _rules(settings, sample, cg, conditions)
    series = [Series("Residual", cg.residuals), Series("Error", error(curves))]
    series += [Series(f"Threshold {r.title}", r.threshold, True)
               for r in rules if r.threshold is not None]  # fmt: skip
    marks = [Mark(r.title, r.iteration) for r in rules]
    marks.append(Mark("Truth", int(error(curves).argmin())))
    steps = np.arange(len(curves))
    paths = [Path("cg", METHODS["cg"], "m", steps, curves, tuple(series), tuple(marks))]
    for method in ("pls", "ridge", "pcr", "boosting"):
        grid = RIVAL_GRIDS[method]
        grid = grid[::-1] if method == "ridge" else grid  # from smooth to rough, as the others
        path = kernel_filters(spectrum, response, method, grid)
        curves = path.predict(K).T + fixed.target_mean_
        series = (Series("Residual", path.residuals), Series("Error", error(curves)))
        mark = Mark("Truth", int(error(curves).argmin()))
        log = method in ("ridge", "boosting")
        paths.append(Path(method, METHODS[method], SYMBOLS[method], path.parameters, curves,
                          series, (mark,), log))  # fmt: skip
    ridge = next(path for path in paths if path.name == "ridge")
    lam = float(ridge.positions[ridge.marks[-1].step])
    effective = float(effective_dimension(own, np.array([lam]))[0])
    return tuple(paths), rules, replace(conditions, effective=effective, lam=lam)


def _conditions(spectrum, y: Array, kappa: float) -> Conditions:
    dimension = intrinsic_dimension(spectrum, kappa)
    source = source_condition(spectrum, y, kappa)
    bound = float(np.abs(y).max())
    return Conditions(kappa, bound, dimension.s, dimension.D, source.r, source.rho, 0.0, 0.0)


def _rules(settings: Settings, sample: Sample, path, known: Conditions) -> tuple[Rule, ...]:
    """The rules on one path, with the estimator's defaults; (9) also with estimated constants."""
    tau = settings.regression.tau
    own = {} if tau == "auto" else {"tau": float(tau)}
    eight = stopping.stop_by_discrepancy(path, known.kappa, known.bound, **own)
    nine = stopping.stop_by_threshold(path, known.kappa, known.bound, **own)
    made = [("(8)", eight), ("(9)", nine)]
    if np.isfinite(known.r):
        rho = known.rho if settings.regression.unlabelled == "response" else 0.0
        fitted = {"r": known.r, "s": known.s, "D": known.D, "rho": rho}
        made.append(("(9) fitted", stopping.stop_by_threshold(path, known.kappa, known.bound,
                                                              **fitted, **own)))  # fmt: skip
    rules = [Rule(title, int(stop.iteration), stop.thresholds, stop.met) for title, stop in made]
    if sample.known.sum() >= 2:
        kept = estimator(settings, "holdout").fit(sample.X, sample.y).stop_
        rules.append(Rule("Hold-out", min(kept.iteration, path.n_iterations), None, kept.met))
    return tuple(rules)


def _tables(paths: tuple[Path, ...], rules: tuple[Rule, ...]) -> tuple[Table, Table]:
    cg = paths[0]
    error = cg.series[1].values
    best = cg.marks[-1].step
    rows = [(r.title, r.iteration, float(error[r.iteration]),
             float(error[r.iteration] / error[best]),
             "" if r.met else "not met: the path ended first") for r in rules]  # fmt: skip
    rows.append(("Truth (in hindsight)", best, float(error[best]), 1.0, ""))
    heads = ("Rule", "Stops at m", "Error", "Times the best", "Note")
    width = len(heads) if any(row[-1] for row in rows) else len(heads) - 1
    where = Table(
        heads[:width],
        tuple(row[:width] for row in rows),
        {"Error": "{:.4f}", "Times the best": "{:.2f}"},
        "Error: root mean square distance to the true function on [0, 1]. (8) is the discrepancy "
        "rule, (9) the fixed threshold with r = ½, s = D = 1; “fitted” takes r, s and D as "
        "estimated below.",
    )
    rivals = []
    for path in paths:
        k = path.marks[-1].step
        at = f"{path.symbol} = {path.positions[k]:.3g} {UNITS[path.name]}".strip()
        rivals.append((path.title, at, float(path.series[1].values[k])))
    beside = Table(
        ("Method", "Best place on its path", "Error there"),
        tuple(rivals),
        {"Error there": "{:.4f}"},
        "Each method on the same kernel matrix, at the place on its path that the true function "
        "would choose.",
    )
    return where, beside


def _words(settings: Settings, sample: Sample, c: Conditions) -> tuple[str, ...]:
    n, known = len(sample.X), int(sample.known.sum())
    used = f"{known:,} known values"
    if known < n and settings.regression.unlabelled == "response":
        used += f" and {n - known:,} unlabelled inputs"
    elif known < n:
        used += f"; {n - known:,} unlabelled inputs are left out"
    source = (
        f"r = {c.r:.2f}, ρ = {c.rho:.2g}"
        if np.isfinite(c.r)
        else "too little of the signal stands above the noise to estimate r and ρ"
    )
    return (
        f"**Data:** {used}; σ = {kernel_of(settings).bandwidth:.3g}, κ = {c.kappa:.3g}, "
        f"M = {c.bound:.3g}.",
        f"**Effective dimension:** N(λ) ≤ D²(λ/κ)^(−s) with s = {c.s:.2f}, D = {c.D:.2f}; "
        f"N = {c.effective:.1f} at ridge's best λ = {c.lam:.2g}.",
        f"**Source condition** f* = Kʳu, ‖u‖ ≤ κ^(−r)ρ, estimated: {source}.",
    )
