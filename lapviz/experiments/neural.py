"""Spherical harmonics by a neural network (GAL23 Figure 5): energies against the truth.

``python -m lapviz.experiments.neural`` prints the table as Markdown; it needs the extra ``neural``.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lapviz import datasets
from lapviz.datasets.truths import sphere_spectrum
from lapviz.estimates import disentangling as networks
from lapviz.estimates import neural_training as neural
from lapviz.markdown import table


@dataclass(frozen=True)
class Row:
    """One training and one way to disentangle it: leading energies, largest relative error.

    ``error`` leaves out the constant, whose energy is 0; ``seconds`` is the training's wall time.
    """

    regulariser: str
    operator: str
    disentangle: str
    seed: int
    energies: tuple[float, ...]
    error: float
    seconds: float


def neural_table(
    regularisers=neural.REGULARISERS,
    operators=("sphere", "laplacian"),
    seeds=(0,),
    n_samples: int = 10_000,
    n_energies: int = 8,
    **options,
) -> list[Row]:
    """Train on uniform points of S² for each regulariser, operator and seed.

    ``options`` go to :func:`lapviz.neural.train`; by default 2000 batches of 500.
    """
    options = {"n_batches": 2000, "batch_size": 500} | options
    truth = sphere_spectrum(3, n_energies)
    rows = []
    for seed in seeds:
        X = datasets.load("sphere", n_samples=n_samples, random_state=seed).X
        for regulariser in regularisers:
            for operator in operators:
                start = time.perf_counter()
                space, _ = neural.train(
                    X, 16, operator=operator, regulariser=regulariser, seed=seed, **options
                )
                seconds = time.perf_counter() - start
                for method in networks.DISENTANGLE:
                    modes = networks.disentangle(space, X, operator, method=method)
                    gamma = modes.gamma[:n_energies]
                    error = float(np.max(np.abs(gamma[1:] / truth[1:] - 1.0)))
                    rows.append(
                        Row(regulariser, operator, method, seed, tuple(gamma), error, seconds)
                    )
    return rows


def markdown(rows: Iterable[Row]) -> str:
    """The table as Markdown."""
    titles = {
        "regulariser": "regulariser",
        "operator": "gradient",
        "disentangle": "disentangled by",
        "seed": "seed",
        "energies": "energies",
        "error": "largest error",
        "seconds": "seconds",
    }
    cells = []
    for row in rows:
        values = {name: getattr(row, name) for name in titles}
        values["energies"] = " ".join(f"{value:.2f}" for value in row.energies)
        cells.append(list(values.values()))
    formats = {"largest error": "{:.3f}", "seconds": "{:.0f}"}
    return table(list(titles.values()), cells, formats)


if __name__ == "__main__":
    print(markdown(neural_table(seeds=(0, 1, 2))))
