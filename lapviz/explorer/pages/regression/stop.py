"""Early stopping: kernel conjugate gradient with stopping rules, and other methods (KCG10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import datasets
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
from lapviz.explorer.pages.regression import steps
from lapviz.explorer.pages.regression.steps import RegressionView, Table, line, rms, sample_of
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import METHODS, RegressionSpec
from lapviz.figures.curve_scenes import Mark, Path, Series

Array = np.ndarray
SYMBOLS = {"cg": "m", "pls": "m", "ridge": "λ", "pcr": "q", "boosting": "t"}
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
    """Constants of the theorems' assumptions, estimated from the labelled points' kernel matrix."""

    kappa: float
    bound: float
    s: float
    D: float
    r: float
    rho: float
    effective: float  # N(λ) at the best λ of ridge
    lam: float


def all_paths(settings: Settings) -> tuple[tuple[Path, ...], tuple[Rule, ...], Conditions]:
    """Path of each method, where the rules stop on the first, and the theorems' constants."""
    spec = settings.regression
    relevant = RegressionSpec(known=spec.known, unlabelled=spec.unlabelled, tau=spec.tau)
    return _paths(Settings(settings.data, space=settings.space, regression=relevant))


@step
def _paths(settings: Settings) -> tuple[tuple[Path, ...], tuple[Rule, ...], Conditions]:
    sample, x = sample_of(settings), line()
    fixed = _fitted(settings, sample, "fixed")
    X, kernel = fixed.X_fit_, fixed.kernel_
    labelled = sample.labelled if settings.regression.unlabelled == "response" else np.ones(len(X))
    labelled = labelled.astype(bool)
    y = np.where(labelled, sample.values[: len(X)] - fixed.target_mean_, 0.0)
    spectrum = kernel_spectrum(kernel(X, X))
    observed = kernel_spectrum(kernel(X[labelled], X[labelled])) if not labelled.all() else spectrum
    kappa, bound = fixed.kappa_, float(np.abs(y[labelled]).max())
    dimension = intrinsic_dimension(observed, kappa)
    source = source_condition(observed, y[labelled], kappa)
    constants = {"r": source.r, "s": dimension.s, "D": dimension.D, "rho": source.rho}
    rules = _rules(settings, sample, fixed.path_, kappa, bound, constants)

    truth, K = sample.target(x), kernel(x, X)
    response = semi_supervised_response(y, labelled)
    paths = {}
    for name, title in METHODS.items():
        grid = RIVAL_GRIDS[name][:: -1 if name == "ridge" else 1]  # from smooth to rough
        is_cg = name == "cg"
        path = fixed.path_ if is_cg else kernel_filters(spectrum, response, name, grid)
        curves = path.predict(K).T + fixed.target_mean_
        error = rms(curves - truth, axis=1)
        series, marks = [Series("Residual", path.residuals), Series("Error", error)], []
        for rule in rules if is_cg else ():
            marks.append(Mark(rule.title, rule.iteration))
            if rule.threshold is not None:
                series.append(Series(f"Threshold {rule.title}", rule.threshold, True))
        marks.append(Mark("Truth", int(error.argmin())))
        positions = np.arange(len(curves)) if is_cg else path.parameters
        paths[name] = Path(name, title, SYMBOLS[name], positions, curves, tuple(series),
                           tuple(marks), name in ("ridge", "boosting"))  # fmt: skip
    lam = float(paths["ridge"].positions[paths["ridge"].marks[-1].step])
    effective = float(effective_dimension(observed, np.array([lam]))[0])
    conditions = Conditions(kappa, bound, **constants, effective=effective, lam=lam)
    return tuple(paths.values()), rules, conditions


def cg(settings: Settings) -> KernelCGRegressor:
    """Kernel conjugate gradient with these settings, and one of its stopping rules."""
    return KernelCGRegressor(
        **steps.kernel_arguments(settings, steps.kernel_of(settings).bandwidth),
        n_iterations=N_ITERATIONS,
        unlabelled=settings.regression.unlabelled,
        random_state=settings.data.random_state,
    )


def _fitted(settings: Settings, sample: datasets.Dataset, stop: str) -> KernelCGRegressor:
    return cg(settings).set_params(stopping=stop).fit(sample.X, sample.y)


def _rules(
    settings: Settings,
    sample: datasets.Dataset,
    path,
    kappa: float,
    bound: float,
    constants: dict[str, float],
) -> tuple[Rule, ...]:
    """Apply the rules to a path with default constants; (9) also with estimated ones."""
    tau = settings.regression.tau
    options = {} if tau == "auto" else {"tau": float(tau)}
    stops = {
        "(8)": stopping.stop_by_discrepancy(path, kappa, bound, **options),
        "(9)": stopping.stop_by_threshold(path, kappa, bound, **options),
    }
    if np.isfinite(constants["r"]):
        rho = constants["rho"] if settings.regression.unlabelled == "response" else 0.0
        options = constants | {"rho": rho} | options
        stops["(9) fitted"] = stopping.stop_by_threshold(path, kappa, bound, **options)
    rules = [Rule(t, int(stop.iteration), stop.thresholds, stop.met) for t, stop in stops.items()]
    if sample.labelled.sum() >= 2:
        holdout = _fitted(settings, sample, "holdout").stop_
        iteration = min(holdout.iteration, path.n_iterations)
        rules.append(Rule("Hold-out", iteration, None, holdout.met))
    return tuple(rules)


# The content of the page.


def stop(settings: Settings) -> RegressionView:
    """Content of the topic: the paths, where each rule stops, and the theorems' constants."""
    spec = settings.regression
    paths, rules, c = all_paths(settings)
    current = next(path for path in paths if path.name == spec.method)
    best = paths[0].curves[paths[0].marks[-1].step]
    step = min(spec.step, len(current.positions) - 1)
    scene = steps.curves(settings, (), best, paths=paths, path=spec.method, step=step)

    sample = sample_of(settings)
    n, known = len(sample.X), int(sample.labelled.sum())
    used = f"{known:,} known values"
    if known < n and spec.unlabelled == "response":
        used += f" and {n - known:,} unlabelled inputs"
    elif known < n:
        used += f"; {n - known:,} unlabelled inputs are left out"
    source = (
        f"r = {c.r:.2f}, ρ = {c.rho:.2g}"
        if np.isfinite(c.r)
        else "too little of the signal stands above the noise to estimate r and ρ"
    )
    words = (
        f"**Data:** {used}; σ = {steps.kernel_of(settings).bandwidth:.3g}, κ = {c.kappa:.3g}, "
        f"M = {c.bound:.3g}.",
        f"**Effective dimension:** N(λ) ≤ D²(λ/κ)^(−s) with s = {c.s:.2f}, D = {c.D:.2f}; "
        f"N = {c.effective:.1f} at ridge's best λ = {c.lam:.2g}.",
        f"**Source condition** f* = Kʳu, ‖u‖ ≤ κ^(−r)ρ, estimated: {source}.",
    )
    return RegressionView(scene, (_stops(paths[0], rules), _best_places(paths)), words)


def _note(rule: Rule) -> str:
    """Say why a rule stops at either end of the path."""
    if not rule.met:
        return "not met: the path ended first"
    if rule.iteration or rule.threshold is None:
        return ""
    return "at once: its threshold, which has a guarantee, needs thousands of points"


def _stops(cg: Path, rules: tuple[Rule, ...]) -> Table:
    """Table of where each rule stops on the path."""
    error, best = cg.series[1].values, cg.marks[-1].step
    rows = [(r.title, r.iteration, float(error[r.iteration]),
             float(error[r.iteration] / error[best]),
             _note(r)) for r in rules]  # fmt: skip
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


def _best_places(paths: tuple[Path, ...]) -> Table:
    """Table of each method at the best place on its path."""
    rows = []
    for path in paths:
        k = path.marks[-1].step
        units = UNITS[path.name].removesuffix("s" if path.positions[k] == 1 else "")
        at = f"{path.symbol} = {path.positions[k]:.3g} {units}".strip()
        rows.append((path.title, at, float(path.series[1].values[k])))
    return Table(
        ("Method", "Best place on its path", "Error there"),
        tuple(rows),
        {"Error there": "{:.4f}"},
        "Each method on the same kernel matrix, at the place on its path that the true function "
        "would choose.",
    )
