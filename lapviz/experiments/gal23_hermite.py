"""GAL23 Figure 4: Hermite regression beside plain regression, and what the gradients cost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapviz import kernels
from lapviz.charts import points
from lapviz.estimates import hermite
from lapviz.experiments.rates import lines, ratio
from lapviz.experiments.registry import (
    Config,
    Drawing,
    Experiment,
    Finding,
    Row,
    Task,
    crossed,
    setting,
)
from lapviz.spaces import KernelSpace

Array = np.ndarray

METHODS = {"plain": "values only", "hermite": "values and gradients"}
N_TEST = 2000


@dataclass(frozen=True)
class Figure4Config(Config):
    """Samples, widths, ridges."""

    sizes: tuple[int, ...] = setting(
        (250, 500, 1000, 2000), "Numbers n of samples.", 100, 100_000, page_high=4000, grid=True,
        label="samples n",
    )  # fmt: skip
    p: int = setting(100, "Number of landmarks.", 5, 1000, page_high=400, label="landmarks p")
    d: int = setting(2, "Dimension of the cube.", 1, 20, label="dimension d")
    sigmas: tuple[float, ...] = setting((1.0, 0.1), "Bandwidths σ.", 0.01, 10.0, label="σ")
    ridges: tuple[float, ...] = setting(
        (0.0, 1e-10, 1e-4), "Ridges on the coefficients.", 0.0, 1.0, label="ridges"
    )


class Figure4(Experiment):
    """Learning the constant 1."""

    name = "gal23-fig4"
    title = "Hermite regression of a constant"
    seconds = 1
    source = "GAL23, Figure 4 and section 7.2"
    text = (
        "Root mean square error of learning the constant 1 on the unit square from its values, and "
        "from values and gradients (0), with Gaussian kernel functions at 100 landmarks, without "
        "a constant; and CPU seconds of both. The paper states neither σ nor the ridge, and both "
        "decide. With σ = 1 gradients make the error 2 to 13 times smaller, as in its figure. With "
        "σ = .1 they make it 9 to 16 times larger: 100 narrow bumps cannot be flat, so that the "
        "estimate gives up the values. Gradients cost one more form: 1.4 to 1.9 times the CPU "
        "time, linear in n. The experiment hermite has more about the ridge."
    )
    version = 2
    Config = Figure4Config
    sizes = {
        "small": Figure4Config(trials=8),
        "paper": Figure4Config(trials=100, sizes=(1000,)),
    }
    drawings = (
        Drawing("n", "error", colour="method", facet="setting", log_x=True, log_y=True,
                summary="median", x_label="samples n", y_label="root mean square error",
                names=tuple(METHODS.items())),
        Drawing("n", "seconds", colour="method", log_x=True, log_y=True, summary="median",
                x_label="samples n", y_label="CPU seconds", names=tuple(METHODS.items())),
    )  # fmt: skip

    def tasks(self, config: Figure4Config) -> list[Task]:
        return crossed(config.trials, n=config.sizes)

    def run(self, config: Figure4Config, task: Task, rng: np.random.Generator) -> list[dict]:
        X, new = rng.uniform(size=(task["n"], config.d)), rng.uniform(size=(N_TEST, config.d))
        found = []
        for sigma in config.sigmas:
            space = KernelSpace(kernels.get("gaussian", sigma), X[: config.p], constant=False)
            for method in METHODS:
                start = time.thread_time()
                forms = constant_forms(space, X, method == "hermite")
                weight = float(method == "hermite")
                first = hermite.hermite_estimate(forms, weight, config.ridges[0], "coefficients")
                seconds = time.thread_time() - start
                for ridge in config.ridges:
                    c = first
                    if ridge != config.ridges[0]:
                        c = hermite.hermite_estimate(forms, weight, ridge, "coefficients")
                    error = np.sqrt(np.mean((space.evaluate(new, c)[:, 0] - 1.0) ** 2))
                    row = {"setting": f"σ = {sigma:g}, ridge {ridge:g}", "method": method}
                    first_of_all = (sigma, ridge) == (config.sigmas[0], config.ridges[0])
                    time_of = {"seconds": seconds} if first_of_all else {}  # once for each trial
                    found.append(row | {"error": float(error)} | time_of)
        return found

    def check(self, rows: Sequence[Row]) -> list[Finding]:
        """Errors and times with gradients over those without, at the largest n."""
        findings = []
        for drawing, said in zip(self.drawings, ("error", "CPU time"), strict=True):
            groups = lines(points(rows, drawing))
            for facet in dict.fromkeys(facet for facet, _ in groups):
                pair = [groups.get((facet, method)) for method in ("hermite", "plain")]
                if not all(pair):
                    continue
                above, below = (line[-1] for line in pair)
                if above.x != below.x or below.y <= 0:
                    continue
                where = f"{facet}, n = {above.x}" if facet else f"n = {above.x}"
                text = f"{where}: {said} with gradients over that without, medians"
                findings.append(Finding(text, ratio(above, below)[0]))
        return findings


def constant_forms(space: KernelSpace, X: Array, gradients: bool) -> hermite.HermiteForms:
    """Forms and loads for the value 1, and for the gradient 0 if asked."""
    return hermite.assemble(space, X, np.ones(len(X)), np.zeros_like(X) if gradients else None)
