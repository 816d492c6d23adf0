"""Dimension of data: learnt tangents beside two estimators of intrinsic dimension.

The number of tangents that :func:`lapviz.operators.learn_tangents` takes, against TwoNN (Facco et
al., 2017) and the maximum likelihood estimate of Levina and Bickel (2004), on manifolds of known
dimension, with noise and without. Both peers use distances among near neighbours, and so count
noise as dimensions as soon as neighbours are as close as the noise is large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from sklearn.neighbors import NearestNeighbors

from lapviz import datasets
from lapviz.experiments.config import samples, some_of, trials
from lapviz.experiments.rates import spread_out
from lapviz.experiments.registry import Config, Drawing, Experiment, Row, Task
from lapviz.markdown import table
from lapviz.operators import learn_tangents

Array = np.ndarray
Draw = Callable[[int, int], Array]  # (n, seed) -> X (n, d)

DISCARDED = 0.1  # share of the largest ratios that TwoNN leaves out, as in the paper
NEIGHBORS = range(10, 21)  # k of the maximum likelihood estimate, the paper's k₁ to k₂


def two_nn(X: Array) -> float:
    """Dimension from r₂/r₁, the distances to the two nearest (Facco et al. 2017).

    P(r₂/r₁ > t) = t^{−D} where the density is constant over the three points; D is the slope of
    −log(1 − F(t)) on log t through the origin.
    """
    r = _distances(X, 2)
    t = np.sort(np.log(r[:, 1] / r[:, 0]))
    kept = t[: int(len(t) * (1 - DISCARDED))]
    rise = -np.log1p(-np.arange(1, len(kept) + 1) / (len(t) + 1))
    return float(kept @ rise / (kept @ kept))


def maximum_likelihood(X: Array, neighbors: Iterable[int] = NEIGHBORS) -> float:
    """Dimension from the distances to the k nearest (Levina and Bickel 2004, eq. 8), mean over k.

    1/D is averaged over the samples, as MacKay and Ghahramani (2005) derive, not D.
    """
    log_r = np.log(_distances(X, max(neighbors)))
    dimensions = [
        1.0 / np.mean(log_r[:, k - 1] - log_r[:, : k - 1].mean(axis=1)) for k in neighbors
    ]
    return float(np.mean(dimensions))


def _distances(X: Array, k: int) -> Array:
    """Distances (n, k) to the nearest other samples, after removing duplicates."""
    X = np.unique(X, axis=0)
    return NearestNeighbors(n_neighbors=k).fit(X).kneighbors()[0]


def _load(name: str, **options) -> Draw:
    return lambda n, seed: datasets.load(name, n_samples=n, random_state=seed, **options).X


def _cube(dimension: int, d: int | None = None, noise: float = 0.0) -> Draw:
    """Uniform on a unit cube, embedded in R^d by a random rotation, with normal noise."""

    def draw(n: int, seed: int) -> Array:
        rng = np.random.default_rng(seed)
        X = rng.random((n, dimension))
        if d is not None:
            X = X @ np.linalg.qr(rng.normal(size=(d, dimension)))[0].T
        return X + noise * rng.normal(size=X.shape)

    return draw


CASES: dict[str, tuple[int, Draw]] = {  # name: dimension (0 if unknown), draw
    "circle": (1, _load("circle")),
    "four circles": (1, _load("four_circles", noise=0.0)),
    "four circles, noise .05": (1, _load("four_circles", noise=0.05)),
    "four circles, noise .1": (1, _load("four_circles", noise=0.1)),
    "half-moons, noise .1": (1, _load("half_moons", noise=0.1)),
    "Swiss roll": (2, _load("swiss_roll")),
    "Swiss roll, noise .5": (2, _load("swiss_roll", noise=0.5)),
    "sphere S²": (2, _load("sphere")),
    "sphere S², noise .1": (2, _load("sphere", noise=0.1)),
    "torus in R⁴": (2, _load("torus")),
    "plane in R¹⁰": (2, _cube(2, 10)),
    "plane in R¹⁰, noise .02": (2, _cube(2, 10, 0.02)),
    "plane in R⁵⁰": (2, _cube(2, 50)),
    "plane in R⁵⁰, noise .02": (2, _cube(2, 50, 0.02)),
    "sphere S⁴": (4, _load("sphere", dimension=5)),
    **{f"cube, d = {d}": (d, _cube(d)) for d in range(2, 7)},
    **{f"cube, d = {d} in R²⁰": (d, _cube(d, 20)) for d in range(3, 7)},
    "digits": (0, lambda n, seed: datasets.load("digits").X / 16),
}
NAMES = {"tangents": "learnt tangents", "two_nn": "TwoNN",
         "maximum_likelihood": "maximum likelihood"}  # fmt: skip


class Dimension(Experiment):
    """The dimension of data.

    The number of learnt tangents beside TwoNN (Facco et al., 2017) and the maximum likelihood
    estimate of Levina and Bickel (2004). Both peers count noise as dimensions as soon as neighbours
    are as close as the noise is large; tangents see through it on curves and surfaces, but not on
    a plane in fifty dimensions.
    """

    name = "dimension"
    settings = {
        "trials": trials(3, "Draws of each sample.", 100, 10),
        "cases": some_of(CASES, "Samples of known dimension."),
        "sizes": samples((300, 1000, 3000), 50, 20_000, 3000),
    }
    small = {
        "trials": 2, "sizes": (300, 1000),
        "cases": ("circle", "four circles, noise .1", "Swiss roll, noise .5", "sphere S²",
                  "plane in R¹⁰, noise .02", "cube, d = 5"),
    }  # fmt: skip

    grid = {"case": "cases", "n_samples": "sizes"}
    version = 3

    def drawn(self, config: Config) -> tuple[Drawing, ...]:
        """Return a figure for each sample size."""
        return tuple(
            Drawing("case", "error", colour="estimator", where=(("n_samples", n),), x_label="data",
                    y_label="estimated less true dimension", title=f"n = {n}",
                    names=tuple(NAMES.items()))
            for n in config.sizes
        )  # fmt: skip

    def wanted(self, config: Config, task: Task) -> bool:
        """Whether a task is run: for a fixed sample one trial and one size only."""
        once = task.trial == 0 and task["n_samples"] == config.sizes[0]
        return once or CASES[task["case"]][0] > 0

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return the estimates; the error is NaN where the truth is unknown."""
        truth, draw = CASES[task["case"]]
        X = draw(task["n_samples"], config.seed + task.trial)
        estimates = (learn_tangents(X).n_directions, two_nn(X), maximum_likelihood(X))
        return [
            {"estimator": name, "dimension": value, "truth": truth,
             "n_samples": task["n_samples"] if truth else len(X),
             "error": value - truth if truth else float("nan")}
            for name, value in zip(NAMES, map(float, estimates), strict=True)
        ]  # fmt: skip

    def markdown(self, rows: Sequence[Row]) -> str:
        """Return means, and in how many lines each estimator is right when rounded."""
        means = summary(rows)
        lines = [
            [case, str(truth or "?"), str(n), *(f"{cell[name]:.2f}" for name in NAMES)]
            for (case, truth, n), cell in means.items()
        ]
        with_truth = [(truth, cell) for (_, truth, _), cell in means.items() if truth]
        right = [sum(round(cell[name]) == truth for truth, cell in with_truth) for name in NAMES]
        lines.append(["right when rounded", "", "", *(f"{r} of {len(with_truth)}" for r in right)])
        return table(["data", "dimension", "n", *NAMES.values()], lines)


def summary(rows: Iterable[Row]) -> dict[tuple, dict[str, float]]:
    """Mean estimate of each estimator, by case, true dimension and n."""
    return spread_out(rows, ("case", "truth", "n_samples"), "estimator", "dimension")
