"""Early stopping: kernel conjugate gradient with stopping rules, and other methods (KCG10)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz.estimates import stopping
from lapviz.estimates.conjugate_gradient import KrylovPath, semi_supervised_response
from lapviz.estimates.kernel_filters import (
    METHODS,
    effective_dimension,
    intrinsic_dimension,
    kernel_filters,
    kernel_spectrum,
    krylov_path_of,
    source_condition,
)
from lapviz.estimators.kernel_cg_regressor import KernelCGRegressor
from lapviz.experiments.stopping import N_ITERATIONS, RIVAL_GRIDS
from lapviz.explorer.compute.cache import step
from lapviz.explorer.pages.regression import steps
from lapviz.explorer.pages.regression.steps import RegressionView, Table, line, rms, sample_of
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import RegressionSpec
from lapviz.figures.curve_scenes import Mark, Path, Series
from lapviz.markdown import short
from lapviz.tables.names import counted

Array = np.ndarray
FEWEST_TO_HOLD_OUT = 2  # known values
SAME = 1e-6  # relative difference of errors, due to rounding where components add nothing
SYMBOLS = {"cg": "m", "pls": "m", "ridge": "λ", "pcr": "q", "boosting": "t"}
UNITS = {"cg": "iterations", "pls": "iterations", "ridge": "", "pcr": "components",
         "boosting": "iterations"}  # fmt: skip


def all_paths(
    settings: Settings,
) -> tuple[tuple[Path, ...], dict[str, stopping.Stop], dict[str, float]]:
    """Path of each method, where the rules stop on the first, and the theorems' constants.

    The constants κ and M, r, s, D and ρ of the theorems' assumptions are estimated from the
    labelled points' kernel matrix; "effective" is N(λ) at the best λ of ridge, "lam".
    """
    spec = settings.regression
    relevant = RegressionSpec(known=spec.known, unlabelled=spec.unlabelled, tau=spec.tau)
    return _paths(Settings(settings.data, space=settings.space, regression=relevant))


@step
def _paths(settings: Settings) -> tuple:
    sample, x = sample_of(settings), line(settings)
    fixed = _fitted(settings, stopping="fixed", n_iterations=0)  # σ, κ and centred values alone
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
    response = semi_supervised_response(y, labelled)
    cg_path = krylov_path_of(spectrum, response, N_ITERATIONS, n_labelled=int(labelled.sum()))
    stops = _stops(settings, cg_path, kappa, bound, constants)

    truth, K = sample.target(x), kernel(x, X)
    paths = {}
    for name, title in METHODS.items():
        grid = RIVAL_GRIDS[name][:: -1 if name == "ridge" else 1]  # from smooth to rough
        is_cg = name == "cg"
        path = cg_path if is_cg else kernel_filters(spectrum, response, name, grid)
        curves = path.predict(K).T + fixed.target_mean_
        error = rms(curves - truth, axis=1)
        series, marks = [Series("Residual", path.residuals), Series("Error", error)], []
        for rule, at in stops.items() if is_cg else ():
            marks.append(Mark(rule, at.iteration))
            if at.thresholds is not None:
                series.append(Series(f"Threshold {rule}", at.thresholds, True))
        marks.append(Mark("Truth", int((error <= error.min() * (1 + SAME)).argmax())))
        positions = np.arange(len(curves)) if is_cg else path.parameters
        paths[name] = Path(name, title, SYMBOLS[name], positions, curves, tuple(series),
                           tuple(marks), name in ("ridge", "boosting"))  # fmt: skip
    lam = float(paths["ridge"].positions[paths["ridge"].marks[-1].step])
    effective = float(effective_dimension(observed, np.array([lam]))[0])
    constants |= {"kappa": kappa, "bound": bound, "effective": effective, "lam": lam}
    return tuple(paths.values()), stops, constants


def cg(settings: Settings) -> KernelCGRegressor:
    """Kernel conjugate gradient with these settings, and one of its stopping rules."""
    return KernelCGRegressor(
        **steps.kernel_arguments(settings, steps.kernel_of(settings).bandwidth),
        n_iterations=N_ITERATIONS,
        unlabelled=settings.regression.unlabelled,
        random_state=settings.data.random_state,
    )


def _fitted(settings: Settings, **options: object) -> KernelCGRegressor:
    sample = sample_of(settings)
    return cg(settings).set_params(**options).fit(sample.X, sample.y)


def _stops(
    settings: Settings,
    path: KrylovPath,
    kappa: float,
    bound: float,
    constants: dict[str, float],
) -> dict[str, stopping.Stop]:
    """Apply the rules to the whole path with default constants; (9) also with estimated ones."""
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
    if sample_of(settings).labelled.sum() >= FEWEST_TO_HOLD_OUT:
        holdout = _fitted(settings, stopping="holdout").stop_
        iteration = min(holdout.iteration, path.n_iterations)
        stops["Hold-out"] = replace(holdout, iteration=iteration)
    return stops


# The content of the page.


def stop(settings: Settings) -> RegressionView:
    """Content of the topic: the paths, where each rule stops, and the theorems' constants."""
    spec = settings.regression
    paths, stops, constants = all_paths(settings)
    current = next(path for path in paths if path.name == spec.method)
    best = paths[0].curves[paths[0].marks[-1].step]
    step = min(spec.step, len(current.positions) - 1)
    scene = steps.curves(settings, (), best, paths=paths, path=spec.method, step=step)

    sample, sigma, c = sample_of(settings), steps.kernel_of(settings).bandwidth, constants
    n, known = len(sample.X), int(sample.labelled.sum())
    used = counted(known, "known value")
    if known < n and spec.unlabelled == "response":
        used += f" and {counted(n - known, 'unlabelled input')}"
    elif known < n:
        used += f"; without {counted(n - known, 'unlabelled input')}"
    source = "too little of the signal stands above the noise to estimate r and ρ"
    if np.isfinite(c["r"]):
        source = f"r = {c['r']:.2f}, ρ = {c['rho']:.2g}"
    notes = (
        *_at_ends(stops),
        f"**Data:** {used}; σ = {sigma:.3g}, κ = {c['kappa']:.3g}, M = {c['bound']:.3g}.",
        f"**Effective dimension:** N(λ) ≤ D²(λ/κ)⁻ˢ with s = {c['s']:.2f}, D = {c['D']:.2f}; "
        f"N = {c['effective']:.1f} at ridge's best λ = {short(c['lam'], 2)}.",
        f"**Source condition** f* = Kʳu, ‖u‖ ≤ κ⁻ʳρ, estimated: {source}.",
    )
    return RegressionView(scene, (_rules(paths[0], stops), _best_places(paths)), notes)


def _at_ends(stops: dict[str, stopping.Stop]) -> list[str]:
    """Sentences about the rules that stop at either end of the path."""
    unmet = [rule for rule, at in stops.items() if not at.met]
    at_once = [rule for rule, at in stops.items()
               if at.met and not at.iteration and at.thresholds is not None]  # fmt: skip
    sentences = (
        (at_once, "stopped at once: with few points such thresholds lie above the first residual."),
        (unmet, "were not met before the end of the path."),
    )
    return [f"Rules **{', '.join(rules)}** {sentence}" for rules, sentence in sentences if rules]


def _rules(cg: Path, stops: dict[str, stopping.Stop]) -> Table:
    """Table of where each rule stops on the path."""
    best, error = cg.marks[-1].step, cg.series[1].values
    stops = stops | {"Truth (in hindsight)": stopping.Stop("fixed", best)}
    rows = [(rule, at.iteration, float(error[at.iteration]),
             float(error[at.iteration] / error[best]))
            for rule, at in stops.items()]  # fmt: skip
    return Table(
        ("Rule", "Stops at m", "Error", "Times the best"),
        tuple(rows),
        {"Error": "{:.4f}", "Times the best": "{:.2f}"},
        "Error: root mean square distance to the true function. (8) is the discrepancy "
        "rule, (9) the fixed threshold with r = ½, s = D = 1; “fitted” takes r, s and D as "
        "estimated below.",
    )


def _best_places(paths: tuple[Path, ...]) -> Table:
    """Table of each method at the best place on its path."""
    rows = []
    for path in paths:
        k = path.marks[-1].step
        units = UNITS[path.name].removesuffix("s" if path.positions[k] == 1 else "")
        at = f"{path.symbol} = {short(path.positions[k])} {units}".strip()
        rows.append((path.title, at, float(path.series[1].values[k])))
    return Table(
        ("Method", "Best place on its path", "Error there"),
        tuple(rows),
        {"Error there": "{:.4f}"},
        "Each method on the same kernel matrix, at the place on its path that the true function "
        "would choose.",
    )
