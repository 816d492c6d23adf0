"""Spherical harmonics by a neural network (GAL23 Figure 5): energies against the truth.

Needs the extra ``neural``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from lapviz import datasets
from lapviz.datasets.truths import sphere_spectrum
from lapviz.estimates import disentangling as networks
from lapviz.estimates import neural_training as neural
from lapviz.experiments.config import samples, some_of, trials
from lapviz.experiments.registry import Config, Drawing, Experiment, Row, Task, setting
from lapviz.markdown import table
from lapviz.progress import report

N_ENERGIES = 8


class Neural(Experiment):
    """Spherical harmonics by a neural network.

    A network is trained on points of the sphere; its span is then disentangled in two ways. Shown
    is the largest relative error of the first eight energies, without the constant's. Needs the
    extra neural (JAX).
    """

    name, source, seconds = "neural", "GAL23, Figure 5", 10
    settings = {
        "trials": trials(3, "Draws of the points and of the network.", 100, 3),
        "regularisers": some_of(neural.REGULARISERS, "How the outputs are kept apart."),
        "operators": some_of(("sphere", "laplacian"), "Tangential or ambient gradient."),
        "n_samples": samples(10_000, 100, 100_000, 10_000, "Points on the sphere."),
        "n_batches": setting(2000, "Batches of 500 points.", 10, 20_000, page_high=2000,
                             label="batches"),
    }  # fmt: skip
    small = {"trials": 3, "regularisers": ("contrastive",), "operators": ("sphere",),
             "n_samples": 2000, "n_batches": 300}  # fmt: skip
    drawings = (
        Drawing("regulariser", "error", colour="disentangle", facet="operator",
                y_label="largest relative error of the energies"),
    )  # fmt: skip

    grid = {"regulariser": "regularisers", "operator": "operators"}

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Train a network, and compute the energies with every method of disentangling."""
        seed, operator = config.seed + task.trial, task["operator"]
        X = datasets.load("sphere", n_samples=config.n_samples, random_state=seed).X
        start = time.perf_counter()
        space, _ = neural.train(
            X, 16, operator=operator, regulariser=task["regulariser"], seed=seed,
            n_batches=config.n_batches, batch_size=min(500, config.n_samples),
            callback=lambda step: report("batches", step.batch, config.n_batches),
        )  # fmt: skip
        seconds = time.perf_counter() - start
        truth, rows = sphere_spectrum(3, N_ENERGIES), []
        for method in networks.DISENTANGLE:
            gamma = networks.disentangle(space, X, operator, method=method).gamma[:N_ENERGIES]
            error = float(np.max(np.abs(gamma[1:] / truth[1:] - 1.0)))
            gammas = {f"gamma_{i}": float(g) for i, g in enumerate(gamma)}
            rows.append({"disentangle": method, "error": error, "seconds": seconds, **gammas})
        return rows

    def markdown(self, rows: Sequence[Row]) -> str:
        """Return a table of all trainings."""
        lines = [
            (row["regulariser"], row["operator"], row["disentangle"], row["trial"],
             " ".join(f"{energy:.2f}" for energy in energies(row)), row["error"], row["seconds"])
            for row in rows
        ]  # fmt: skip
        heads = ("regulariser", "gradient", "disentangled by", "seed", "energies", "largest error",
                 "seconds")  # fmt: skip
        return table(heads, lines, {"largest error": "{:.3f}", "seconds": "{:.0f}"})


def energies(row: Row) -> list[float]:
    """The leading energies of a row."""
    return [row[f"gamma_{i}"] for i in range(N_ENERGIES)]
