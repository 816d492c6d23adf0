"""Hermite regression against plain regression: GAL23 Figure 4, and a dozen samples with slopes.

Figure 4 learns the constant 1 on U[0, 1]² with a Gaussian kernel, n = 1000, p = 100. Its ridge is
not stated, and the picture depends on it, so it is run with none and with 10⁻¹⁰ (on the
coefficients), for two widths.

``python -m lapviz.experiments.hermite`` prints both tables as Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass

import numpy as np

from lapviz import kernels
from lapviz.estimates import hermite
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


def constant_table(
    bandwidths=(1.0, 0.1), ridges=(1e-10, 0.0), n_seeds: int = 20, n: int = 1000, p: int = 100
) -> list[ConstantRow]:
    """GAL23 Figure 4 rerun: how well plain and Hermite regression learn the constant 1.

    Parameters
    ----------
    bandwidths, ridges : floats; the ridge is on the coefficients, as GAL23's footnote 6 has it
    n_seeds, n, p : int

    Returns
    -------
    list of ConstantRow, one for each pair
    """
    rows = []
    for bandwidth in bandwidths:
        errors = np.empty((n_seeds, len(ridges), 2))
        for seed in range(n_seeds):
            rng = np.random.default_rng(seed)
            X, new = rng.uniform(size=(n, 2)), rng.uniform(size=(N_TEST, 2))
            space = KernelSpace(kernels.get("gaussian", bandwidth), X[:p], constant=False)
            forms = hermite.assemble(space, X, np.ones(n), np.zeros_like(X))
            errors[seed] = [
                [_error(space, forms, weight, ridge, "coefficients", new, 1.0) for weight in (0, 1)]
                for ridge in ridges
            ]
        for i, ridge in enumerate(ridges):
            plain, both = (float(v) for v in np.median(errors[:, i], axis=0))
            rows.append(ConstantRow(float(bandwidth), float(ridge), plain, both, n_seeds))
    return rows


def wave(X: Array) -> Array:
    """sin(3x + y) + x cos(2y) at X (n, 2)."""
    x, y = X.T
    return np.sin(3 * x + y) + x * np.cos(2 * y)


def wave_slopes(X: Array) -> Array:
    """Gradient of :func:`wave`, (n, 2)."""
    x, y = X.T
    along = np.cos(3 * x + y)
    return np.column_stack([3 * along + np.cos(2 * y), along - 2 * x * np.sin(2 * y)])


def few_samples_table(
    settings=(
        ("gaussian", 1.0, "representer"),
        ("gaussian", 1.0, "grid"),
        ("gaussian", 1.0, "samples"),
        ("matern52", 2.0, "representer"),
    ),
    n: int = 12,
    n_seeds: int = 20,
) -> list[FewSamplesRow]:
    """A smooth function on [0, 1]² from n samples, without and with its slopes.

    Parameters
    ----------
    settings : triples of kernel name, bandwidth and trial space: "representer", k(·, x_i) and
        ∂_l k(·, x_i); "grid", kernel functions on 12 × 12 places; "samples", k(·, x_i) alone,
        as few functions as there are values
    n, n_seeds : int
    """
    rows = []
    for name, bandwidth, kind in settings:
        errors = np.empty((n_seeds, 2))
        for seed in range(n_seeds):
            rng = np.random.default_rng(seed)
            X, new = rng.uniform(size=(n, 2)), rng.uniform(size=(N_TEST, 2))
            space = _space(kernels.get(name, bandwidth), kind, X)
            forms = hermite.assemble(space, X, wave(X), wave_slopes(X))
            errors[seed] = [
                min(_error(space, forms, w, ridge, "rkhs", new, wave(new)) for ridge in RIDGES)
                for w in (0, 1)
            ]
        ratios = errors[:, 1] / errors[:, 0]
        middle = [float(v) for v in (*np.median(errors, axis=0), np.median(ratios), ratios.max())]
        rows.append(FewSamplesRow(name, float(bandwidth), kind, *middle, n_seeds))
    return rows


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


if __name__ == "__main__":
    print(markdown(constant_table()), "\n")
    print(markdown(few_samples_table()))
