"""Stopping rules of kernel conjugate gradient: where they stop, and the error there.

Blanchard and Krämer (2010, KCG10) prove rates and have no experiment. Here: one input, uniform on
[0, 1], a Matérn 3/2 kernel, a smooth target and a step function, which is not in the RKHS, and
normal noise truncated at 3 standard deviations. All rules use the same paths. With the constants
of the theorems the thresholds lie far above the noise, and all rules stop at 0; with τ = .01 they
are about as large as the noise. A second table compares conjugate gradients with other filters,
each at the best point of its path.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from lapviz import kernels
from lapviz.datasets.responses import NOISE_LIMIT, Step, Waves
from lapviz.estimates import stopping
from lapviz.estimates.conjugate_gradient import krylov_path, semi_supervised_response
from lapviz.estimates.kernel_filters import (
    METHODS,
    intrinsic_dimension,
    kernel_filters,
    kernel_spectrum,
    source_condition,
)
from lapviz.experiments.config import samples, some_of
from lapviz.experiments.rates import spread_out
from lapviz.experiments.registry import Config, Drawing, Experiment, Row, Task, setting
from lapviz.markdown import table

Array = np.ndarray

BANDWIDTH, NOISE, N_ITERATIONS = 0.4, 0.3, 40
BEST = "best in hindsight"
RULE_HEADS = ("target", "n labelled", "n unlabelled", "rule", "iterations", "error", "times best")
TARGETS = {"smooth": Waves(), "step": Step()}
GRID = (np.arange(1000) + 0.5) / 1000
RIVAL_GRIDS = {
    "ridge": np.geomspace(1e-7, 1.0, 40),
    "pcr": np.arange(0, 40),
    "boosting": np.unique(np.geomspace(1, 1e6, 60).astype(int)),
    "pls": np.arange(0, N_ITERATIONS + 1),
    "cg": np.arange(0, N_ITERATIONS + 1),
}


def rule_table(rows: Iterable[Row]) -> list[tuple]:
    """Means over the trials, a line for each problem and rule, with columns ``RULE_HEADS``.

    The columns include the mean m, the root mean square distance to the target on the interval,
    and its ratio to the error of the best m in hindsight.
    """
    rows = list(rows)
    places = ("target", "n_labelled", "n_unlabelled")
    steps = spread_out(rows, places, "rule", "iterations")
    return [
        (*place, rule, steps[place][rule], error, error / errors[BEST])
        for place, errors in spread_out(rows, places, "rule", "error").items()
        for rule, error in errors.items()
    ]


def _draw(
    target: str, n_labelled: int, n_unlabelled: int, seed: int
) -> tuple[Array, Array, Array, Array]:
    """Points, centred responses, mask of the labelled, and target on the grid, centred alike."""
    rng = np.random.default_rng(seed)
    n = n_labelled + n_unlabelled
    x = rng.uniform(size=n)
    # bounded noise, as Theorems 2.1 and 2.3 assume
    noise = np.clip(rng.standard_normal(n), -NOISE_LIMIT, NOISE_LIMIT)
    y = TARGETS[target].target(x[:, None]) + NOISE * noise
    labelled = np.arange(n) < n_labelled
    mean = y[labelled].mean()
    truth = TARGETS[target].target(GRID[:, None]) - mean
    return x, np.where(labelled, y - mean, 0.0), labelled, truth


def _kernel(a: Array, b: Array) -> Array:
    return kernels.get("matern32", BANDWIDTH)(a[:, None], b[:, None])


def _errors(values: Array, truth: Array) -> Array:
    return np.sqrt(np.mean((values - truth[:, None]) ** 2, axis=0))


def _rules(x: Array, y: Array, labelled: Array, truth: Array) -> dict[str, tuple[int, float]]:
    """(m, error) of every rule, with κ = 1 and M = max |y|."""
    n, bound = int(labelled.sum()), float(np.abs(y).max())
    K = _kernel(x, x)
    path = krylov_path(K, semi_supervised_response(y, labelled), N_ITERATIONS, n_labelled=n)
    errors = _errors(path.predict(_kernel(GRID, x)), truth)
    # r, s, D, ρ of rule (9), estimated from the labelled points' kernel matrix
    spectrum = kernel_spectrum(K[np.ix_(labelled, labelled)])
    dimension = intrinsic_dimension(spectrum, 1.0)
    source = source_condition(spectrum, y[labelled], 1.0)
    r, rho = (0.5, 0.0) if np.isnan(source.r) else (source.r, source.rho)
    rho = 0 if n == len(x) else rho  # it matters with unlabelled points only
    estimated = {"r": r, "s": dimension.s, "D": dimension.D, "rho": rho}
    by_discrepancy, by_threshold = stopping.stop_by_discrepancy, stopping.stop_by_threshold
    stops = {
        name: rule(path, 1.0, bound, **options).iteration
        for name, rule, options in (
            ("(8), τ = 1.1, step back as proved", by_discrepancy, {}),
            ("(8), τ = 1.1, step back as printed", by_discrepancy, {"step_back": "printed"}),
            ("(8), τ = .01", by_discrepancy, {"tau": 0.01}),
            ("(9), τ′ = 1.6, r = ½, s = D = 1", by_threshold, {}),
            ("(9), τ′ = 1.6, r, s, D, ρ estimated", by_threshold, estimated),
            ("(9), τ′ = .01, r = ½, s = D = 1", by_threshold, {"tau": 0.01}),
        )
    }
    stops["hold-out of a fifth"] = holdout(K, y, labelled, N_ITERATIONS)
    steps = {name: min(m, path.n_iterations) for name, m in stops.items()}
    steps[BEST] = int(errors.argmin())
    return {name: (m, float(errors[m])) for name, m in steps.items()}


def holdout(K: Array, y: Array, labelled: Array, n_iterations: int) -> int:
    """m by hold-out of every fifth labelled point; labelled points must come first."""
    test = labelled & (np.arange(len(y)) % 5 == 0)
    train = ~test
    response = semi_supervised_response(y[train], labelled[train])
    path = krylov_path(K[np.ix_(train, train)], response, n_iterations)
    return stopping.stop_by_holdout(path, K[np.ix_(test, train)], y[test]).iteration


class Rules(Experiment):
    """Stopping rules of kernel conjugate gradients.

    KCG10 proves rates and has no experiment. With the constants of its theorems the thresholds lie
    far above the noise, and both rules stop at 0; with τ = .01 they are about as large as the
    noise. The error at which each rule stops, beside the best in hindsight.
    """

    name, source = "stopping", "KCG10, rules (8) and (9)"
    settings = {
        "targets": some_of(TARGETS, "Functions to learn."),
        "labelled": samples((50, 200, 800), 10, 3000, 1000, "Numbers of labelled samples.",
                                 label=""),
        "unlabelled": setting(750, "Unlabelled samples added to the fewest labelled ones; 0 for no "
                              "such run.", 0, 3000, page_high=1000, grid=True),
    }  # fmt: skip
    small = {"trials": 5, "labelled": (50, 200), "unlabelled": 150}
    drawings = (
        Drawing("rule", "error", colour="samples", facet="target",
                y_label="error where it stops"),
    )  # fmt: skip

    def tasks(self, config: Config) -> list[Task]:
        """Return a task for each trial, target and size."""
        sizes = [(n, 0) for n in config.labelled]
        if config.unlabelled:
            sizes.append((min(config.labelled), config.unlabelled))
        return [
            Task({"target": target, "n_labelled": n, "n_unlabelled": m}, k)
            for target, (n, m), k in product(config.targets, sizes, range(config.trials))
        ]

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return where every rule stops, and the error there."""
        n, m = task["n_labelled"], task["n_unlabelled"]
        stops = _rules(*_draw(task["target"], n, m, config.seed + task.trial))
        samples = f"n = {n}, {m} unlabelled" if m else f"n = {n}"
        return [
            {"rule": rule, "samples": samples, "iterations": steps, "error": error}
            for rule, (steps, error) in stops.items()
        ]

    def markdown(self, rows: Sequence[Row]) -> str:
        """Means, and errors over the best in hindsight."""
        return table(RULE_HEADS, rule_table(rows))


class Filters(Experiment):
    """Five regularisations at their best.

    Kernel ridge, principal components, L2-boosting, partial least squares and conjugate gradients,
    each at the best point of its path in hindsight: their errors are similar.
    """

    name, source = "stopping-filters", "KCG10, Section 1"
    settings = {
        "targets": some_of(TARGETS, "Functions to learn."),
        "samples": samples((50, 200, 800), 10, 3000, 1000, "Numbers of samples.", label=""),
    }
    small = {"trials": 5, "samples": (50, 200)}
    drawings = (
        Drawing("n_samples", "error", colour="method", facet="target", log_x=True, log_y=True,
                x_label="samples n", names=tuple(METHODS.items())),
    )  # fmt: skip

    grid = {"target": "targets", "n_samples": "samples"}

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return the least error along each path."""
        x, y, _, truth = _draw(task["target"], task["n_samples"], 0, config.seed + task.trial)
        spectrum, K = kernel_spectrum(_kernel(x, x)), _kernel(GRID, x)
        rows = []
        for method in METHODS:
            path = kernel_filters(spectrum, y, method, RIVAL_GRIDS[method])
            error = float(_errors(path.predict(K), truth).min())
            rows.append({"method": method, "error": error})
        return rows
