"""Landmarks of an unbalanced sample: uniform draws against leverage scores.

Nearly all samples lie in a cluster, the few others on a ring around it. A kernel estimate of a
function of the angle, from the values at all samples; its error is the root mean square error, with
equal weights for cluster and ring. Of the rules of
:mod:`lapviz.spaces.landmarks`, "stratified" is the uniform draw spread over the data.

``python -m lapviz.experiments.landmarks`` prints both tables as Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lapviz import kernels
from lapviz.estimators import LaplacianRegressor
from lapviz.markdown import table as markdown_table
from lapviz.spaces import landmarks

Array = np.ndarray

RULES = ("uniform", "stratified", "kmeans++", "leverage")
BANDWIDTH, LAM, MU = 0.5, 1e-6, 1e-4


@dataclass(frozen=True)
class Row:
    """Median error over the seeds, of a target of standard deviation about .7, for p landmarks."""

    n_landmarks: int
    n_seeds: int
    uniform: float
    stratified: float
    kmeans: float
    leverage: float


@dataclass(frozen=True)
class Need:
    """The fewest landmarks tried from which on the error is at most ``error``; None: more."""

    error: float
    uniform: int | None
    stratified: int | None
    kmeans: int | None
    leverage: int | None


def cluster_and_ring(
    n: int = 2000, share: float = 0.03, seed: int = 0
) -> tuple[Array, Array, Array]:
    """Samples (n, 2), targets cos 3θ (n,), and which of them are on the ring (n,), in random order.

    The cluster is normal with standard deviation .3; the ring has radius 3 and noise .05.
    """
    rng = np.random.default_rng(seed)
    ring = np.arange(n) < round(share * n)
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


def landmarks_table(
    counts=(25, 50, 75, 100, 150, 200, 300, 400, 600, 800), n_seeds: int = 10, share: float = 0.03
) -> list[Row]:
    """Errors of the rules on the same samples, one row for each number of landmarks."""
    return [_row(p, n_seeds, share) for p in counts]


def _row(p: int, n_seeds: int, share: float) -> Row:
    errors = {rule: [] for rule in RULES}
    for seed in range(n_seeds):
        X, y, ring = cluster_and_ring(share=share, seed=seed)
        for rule in RULES:
            errors[rule].append(_error(X, y, ring, centres(X, p, rule, seed)))
    median = {rule.rstrip("+"): float(np.median(values)) for rule, values in errors.items()}
    return Row(p, n_seeds, **median)


def centres(X: Array, p: int, rule: str, seed: int) -> Array:
    return landmarks.choose(X, p, rule, seed, kernels.get("gaussian", BANDWIDTH))


def _error(X: Array, y: Array, ring: Array, points: Array) -> float:
    model = LaplacianRegressor(bandwidth=BANDWIDTH, landmarks=points, lam=LAM, mu=MU).fit(X, y)
    squares = (model.predict(X) - y) ** 2
    return float(np.sqrt(0.5 * squares[ring].mean() + 0.5 * squares[~ring].mean()))


def needs(rows: list[Row], errors=(0.3, 0.1, 0.05)) -> list[Need]:
    """The number of landmarks that each rule needs for an error."""
    return [
        Need(
            error,
            **{name: _need(rows, name, error) for name in Need.__annotations__ if name != "error"},
        )
        for error in errors
    ]


def _need(rows: list[Row], name: str, error: float) -> int | None:
    good = [getattr(row, name) <= error for row in rows]
    stays = [row.n_landmarks for i, row in enumerate(rows) if all(good[i:])]
    return stays[0] if stays else None


def markdown(rows: Iterable[Row | Need], first: str) -> str:
    """A table as Markdown; ``first`` names the field that comes first."""
    titles = {
        "uniform": "uniform",
        "stratified": "stratified",
        "kmeans": "k-means++",
        "leverage": "leverage scores",
    }
    heads = [first.replace("_", " "), *titles.values()]
    cells = ([getattr(row, name) for name in (first, *titles)] for row in rows)
    return markdown_table(heads, cells, missing="more")


if __name__ == "__main__":
    table = landmarks_table()
    print(markdown(table, "n_landmarks"), markdown(needs(table), "error"), sep="\n\n")
