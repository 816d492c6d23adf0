"""Landmarks of an unbalanced sample: uniform draws against leverage scores.

Nearly all samples lie in a cluster, the few others on a ring around it. A function of the angle is
estimated from its values at all samples; the error is the root mean square error with equal weights
for cluster and ring. Among the rules of :mod:`lapviz.spaces.landmarks`, "stratified" is the uniform
draw spread over the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import numpy as np

from lapviz.charts import Point
from lapviz.estimators import LaplacianRegressor
from lapviz.experiments.config import samples
from lapviz.experiments.rates import by_place, drawing_table
from lapviz.experiments.registry import Config, Drawing, Experiment, Row, Task, setting
from lapviz.markdown import table

Array = np.ndarray

RULES = {
    "uniform": "uniform",
    "stratified": "stratified",
    "kmeans++": "k-means++",
    "leverage": "leverage scores",
}
BANDWIDTH, LAM, MU = 0.5, 1e-6, 1e-4


class Landmarks(Experiment):
    """Landmarks of an unbalanced sample.

    Nearly all samples lie in a cluster, 3 % on a ring around it. The error of an estimate of a
    smooth function, with equal weights for cluster and ring, against the number p of landmarks.
    Leverage scores and k-means++ cover the ring with few landmarks; uniform draws need several
    times as many.
    """

    name = "landmarks"
    version, seconds = 2, 3
    settings = {
        "counts": samples((25, 50, 75, 100, 150, 200, 300, 400, 600, 800), 5, 2000, 800,
                               "Numbers p of landmarks.", "landmarks p"),
        "n": samples(2000, 100, 100_000, 4000),
        "share": setting(0.03, "Share of the samples on the ring.", 0.005, 0.5),
    }  # fmt: skip
    small = {"trials": 5, "counts": (25, 50, 100, 200, 400)}
    drawings = (
        Drawing("n_landmarks", "error", colour="rule", log_x=True, log_y=True, summary="median",
                x_label="number of landmarks p", y_label="error, cluster and ring weighted alike",
                names=tuple(RULES.items())),
    )  # fmt: skip

    grid = {"n_landmarks": "counts"}
    paired = ("n_landmarks",)  # one sample per trial

    def wanted(self, config: Config, task: Task) -> bool:
        """Whether there are so many samples."""
        return task["n_landmarks"] <= config.n

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return the error of every rule."""
        X, y, ring = cluster_and_ring(config.n, config.share, rng)
        settings = {"n_landmarks": task["n_landmarks"], "random_state": int(rng.integers(2**31))}
        settings |= {"bandwidth": BANDWIDTH, "lam": LAM, "mu": MU}
        rows = []
        for rule in RULES:
            model = LaplacianRegressor(landmarks=rule, **settings).fit(X, y)
            squares = (model.predict(X) - y) ** 2
            error = float(np.sqrt(0.5 * squares[ring].mean() + 0.5 * squares[~ring].mean()))
            rows.append({"rule": rule, "error": error})
        return rows

    def markdown(self, rows: Sequence[Row]) -> str:
        """Return tables of median errors and of the landmarks that each rule needs for an error."""
        medians = by_place(rows, self.drawings[0])
        needed = [(e, *(n_needed(medians, rule, e) for rule in RULES)) for e in (0.3, 0.1, 0.05)]
        second = table(["error", *RULES.values()], needed, missing="more")
        return f"{drawing_table(rows, self.drawings[0])}\n\n{second}"


def cluster_and_ring(n: int, share: float, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Draw samples (n, 2), targets cos 3θ (n,) and a mask (n,) of the ring, in random order.

    The cluster is normal with standard deviation .3; the ring has radius 3, noise .05 and at least
    one sample.
    """
    ring = np.arange(n) < max(1, round(share * n))
    angle = rng.uniform(0, 2 * np.pi, n)
    X = np.where(
        ring[:, None],
        3.0 * np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(n, 2)),
        0.3 * rng.normal(size=(n, 2)),
    )
    order = rng.permutation(n)
    X, ring = X[order], ring[order]
    r = np.hypot(X[:, 0], X[:, 1])
    fade = np.minimum(r / 0.3, 1.0) ** 3  # smooth at the origin: r³ cos 3θ is a polynomial
    return X, fade * np.cos(3 * np.arctan2(X[:, 1], X[:, 0])), ring


def n_needed(medians: dict[int, dict[str, Point]], rule: str, error: float) -> int | None:
    """Fewest landmarks from which on the error is at most ``error``; None if more are needed."""
    enough = takewhile(lambda p: medians[p][rule].y <= error, sorted(medians, reverse=True))
    return min(enough, default=None)
