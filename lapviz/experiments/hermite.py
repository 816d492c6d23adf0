"""Hermite regression against plain regression: GAL23 Figure 4, and a dozen samples with slopes.

Figure 4 learns the constant 1 on U[0, 1]² with a Gaussian kernel, n = 1000, p = 100. Its ridge is
not stated, and the picture depends on it, so it is run with none and with 10⁻¹⁰ (on the
coefficients), for two widths.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

import numpy as np

from lapviz import kernels
from lapviz.estimates import hermite
from lapviz.experiments.registry import Config, Drawing, Experiment, Task, setting
from lapviz.markdown import table
from lapviz.spaces import KernelSpace, TrialSpace
from lapviz.spaces.representer import RepresenterSpace

Array = np.ndarray

N_TEST = 2000
RIDGES = (0.0, *10.0 ** np.arange(-14, 1))


@dataclass(frozen=True)
class ConstantRow:
    """Root mean square errors of learning the constant 1 (GAL23 Figure 4): medians over seeds."""

    bandwidth: float
    ridge: float
    plain: float
    hermite: float
    n_seeds: int

    @property
    def ratio(self) -> float:
        return self.hermite / self.plain


@dataclass(frozen=True)
class FewSamplesRow:
    """Root mean square errors from a few values, and from these and slopes.

    Each method at its best ridge for each draw, chosen in hindsight; medians over seeds.
    ``worst`` is the largest ratio of the two over the seeds.
    """

    kernel: str
    bandwidth: float
    trial_space: str
    plain: float
    hermite: float
    ratio: float
    worst: float
    n_seeds: int


def constant_rows(rows: Iterable[dict]) -> list[ConstantRow]:
    """Medians over the trials, one row for each bandwidth and ridge."""
    found: dict[tuple, dict[str, list[float]]] = {}
    for row in rows:
        place = row["bandwidth"], float(row["ridge"])
        found.setdefault(place, {}).setdefault(row["method"], []).append(row["error"])
    return [
        ConstantRow(*place, *(float(np.median(its[m])) for m in METHODS), len(its["plain"]))
        for place, its in found.items()
    ]


def few_rows(rows: Iterable[dict]) -> list[FewSamplesRow]:
    """Medians over the trials, one row for each space."""
    found: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        found.setdefault(row["space"], {}).setdefault(row["method"], []).append(row["error"])
    made = []
    for name, its in found.items():
        plain, both = (np.array(its[method]) for method in METHODS)
        ratio = both / plain
        middle = [float(v) for v in (np.median(plain), np.median(both), np.median(ratio),
                                     ratio.max())]  # fmt: skip
        made.append(FewSamplesRow(*SPACES[name], *middle, len(ratio)))
    return made


def wave(X: Array) -> Array:
    """sin(3x + y) + x cos(2y) at X (n, 2)."""
    x, y = X.T
    return np.sin(3 * x + y) + x * np.cos(2 * y)


def wave_slopes(X: Array) -> Array:
    """Gradient of :func:`wave`, (n, 2)."""
    x, y = X.T
    along = np.cos(3 * x + y)
    return np.column_stack([3 * along + np.cos(2 * y), along - 2 * x * np.sin(2 * y)])


def _space(kernel: kernels.Kernel, kind: str, X: Array) -> TrialSpace:
    if kind == "representer":
        return RepresenterSpace(kernel, X)
    if kind == "samples":
        return KernelSpace(kernel, X, constant=False)
    line = np.linspace(0.0, 1.0, 12)
    return KernelSpace(kernel, np.stack(np.meshgrid(line, line), -1).reshape(-1, 2), constant=False)


def _error(space, forms, weight: float, ridge: float, norm: str, new: Array, truth) -> float:
    c = hermite.hermite_estimate(forms, weight, ridge, norm)[:, 0]
    return float(np.sqrt(np.mean((space.evaluate(new, c) - truth) ** 2)))


def markdown(rows: Iterable[ConstantRow | FewSamplesRow]) -> str:
    """The rows as a Markdown table."""
    rows = list(rows)
    names = list(rows[0].__dataclass_fields__)
    return table(names, map(astuple, rows))


METHODS = ("plain", "hermite")
SPACES = {
    "gaussian 1, representer": ("gaussian", 1.0, "representer"),
    "gaussian 1, grid": ("gaussian", 1.0, "grid"),
    "gaussian 1, samples": ("gaussian", 1.0, "samples"),
    "matern52 2, representer": ("matern52", 2.0, "representer"),
}


@dataclass(frozen=True)
class ConstantConfig(Config):
    """GAL23 Figure 4's setting."""

    trials: int = setting(20, "Draws of the samples.", 1, 1000, page_high=50, grid=True)
    bandwidths: tuple[float, ...] = setting((1.0, 0.1), "Bandwidths σ of the Gaussian kernel.",
                                            1e-3, 100, grid=True)  # fmt: skip
    ridges: tuple[float, ...] = setting((1e-10, 0.0), "Ridges on the coefficients.", 0, 1,
                                        grid=True)  # fmt: skip
    n: int = setting(1000, "Number of samples.", 10, 100_000, page_high=5000, label="samples n")
    p: int = setting(100, "Number of kernel functions.", 2, 2000, page_high=500,
                     label="landmarks p")  # fmt: skip


class Constant(Experiment):
    """The constant 1 from values, and from values and slopes."""

    name = "hermite"
    title = "Learning the constant 1 with its slopes"
    seconds = 1
    source = "GAL23, Figure 4"
    text = (
        "Plain and Hermite regression learn the constant 1 on the unit square from values alone, "
        "and from values and slopes. The paper's ridge is not stated, and the picture depends on "
        "it: with 10⁻¹⁰ Hermite's error is about a tenth of plain's at σ = 1; without a ridge the "
        "gain is small, and at σ = .1 Hermite is worse."
    )
    Config = ConstantConfig
    sizes = {"small": ConstantConfig(trials=5), "paper": ConstantConfig()}
    drawings = (
        Drawing("ridge", "error", colour="method", facet="bandwidth", log_y=True,
                summary="median", y_label="root mean square error"),
    )  # fmt: skip

    def tasks(self, config: ConstantConfig) -> list[Task]:
        """One for each trial and bandwidth."""
        return [Task({"bandwidth": b}, k) for b in config.bandwidths for k in range(config.trials)]

    def run(self, config: ConstantConfig, task: Task, rng: np.random.Generator) -> list[dict]:
        """Errors of both methods at every ridge, on the same samples."""
        rng = np.random.default_rng(config.seed + task.trial)  # the samples of the README's table
        X, new = rng.uniform(size=(config.n, 2)), rng.uniform(size=(N_TEST, 2))
        kernel = kernels.get("gaussian", task["bandwidth"])
        space = KernelSpace(kernel, X[: config.p], constant=False)
        forms = hermite.assemble(space, X, np.ones(config.n), np.zeros_like(X))
        return [
            {"ridge": f"{ridge:g}", "method": method,
             "error": _error(space, forms, weight, ridge, "coefficients", new, 1.0)}
            for ridge in config.ridges
            for weight, method in enumerate(METHODS)
        ]  # fmt: skip

    def markdown(self, rows: Sequence[dict]) -> str:
        """Medians."""
        return markdown(constant_rows(rows))


@dataclass(frozen=True)
class FewConfig(Config):
    """A dozen samples."""

    trials: int = setting(20, "Draws of the samples.", 1, 1000, page_high=50, grid=True)
    spaces: tuple[str, ...] = setting(tuple(SPACES), "Kernel, bandwidth and trial space.",
                                      choices=tuple(SPACES), grid=True)  # fmt: skip
    n: int = setting(12, "Number of samples.", 2, 200, label="samples n")


class FewSamples(Experiment):
    """A smooth function from a dozen samples, without and with its slopes."""

    name = "hermite-few"
    title = "A dozen samples with slopes"
    seconds = 1
    text = (
        "A smooth function on the unit square from a few values, and from these and slopes, each "
        "at its best ridge in hindsight. With functions enough, slopes make the error several "
        "times smaller; with the kernel functions of the samples alone they cannot."
    )
    Config = FewConfig
    sizes = {"small": FewConfig(trials=5), "paper": FewConfig()}
    drawings = (
        Drawing("space", "error", colour="method", log_y=True, summary="median",
                x_label="kernel, bandwidth, trial space", y_label="root mean square error"),
    )  # fmt: skip

    def tasks(self, config: FewConfig) -> list[Task]:
        """One for each trial and space."""
        return [Task({"space": s}, k) for s in config.spaces for k in range(config.trials)]

    def run(self, config: FewConfig, task: Task, rng: np.random.Generator) -> list[dict]:
        """Errors of both methods, each at its best ridge."""
        name, bandwidth, kind = SPACES[task["space"]]
        rng = np.random.default_rng(config.seed + task.trial)
        X, new = rng.uniform(size=(config.n, 2)), rng.uniform(size=(N_TEST, 2))
        space = _space(kernels.get(name, bandwidth), kind, X)
        forms = hermite.assemble(space, X, wave(X), wave_slopes(X))
        return [
            {"method": method, "error": min(
                _error(space, forms, weight, ridge, "rkhs", new, wave(new)) for ridge in RIDGES)}
            for weight, method in enumerate(METHODS)
        ]  # fmt: skip

    def markdown(self, rows: Sequence[dict]) -> str:
        """Medians."""
        return markdown(few_rows(rows))
