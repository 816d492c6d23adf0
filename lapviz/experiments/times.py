"""Computing time: SSL21 Figure 3, right, and GAL23 Figures 3 and 7, right.

CPU seconds of the computing thread (give BLAS one thread); they depend on the machine and on what
else it does, and so are not reproduced by a seed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lapviz.charts import Drawing, Row, Slope
from lapviz.experiments import spheres, two_gaussians
from lapviz.experiments.config import sample_sizes
from lapviz.experiments.rates import slope_findings
from lapviz.experiments.registry import Config, Experiment, Finding, Task, setting
from lapviz.spaces import KernelSpace

SLOPE = "slope of log time against log n, upper half"


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


@dataclass(frozen=True)
class GaussiansTimeConfig(Config):
    """Sizes, and up to which the exact estimate is made."""

    sizes: tuple[int, ...] = sample_sizes((50, 100, 200, 400, 800), 20, 5000, 1000)
    exact_most: int = setting(
        200, "Largest n of the exact estimate, with its n(d + 1) functions.", 20, 1000,
        page_high=200, grid=True, label="largest n of the exact estimate",
    )  # fmt: skip
    d: int = setting(10, "Dimension d.", 1, 50, label="dimension d")
    p: int = setting(50, "Number of landmarks.", 2, 1000, page_high=400, label="landmarks p")


class GaussiansTime(Experiment):
    """Kernel, graph and exact estimate against n."""

    name = "ssl21-time"
    title = "Two Gaussians: computing time"
    seconds = 1
    source = "SSL21, Figure 3, right"
    text = (
        "CPU seconds to fit and to predict at all points. The kernel method on p = 50 landmarks "
        "is linear in n, the dense graph between quadratic and cubic, the exact estimate cubic "
        "with (d + 1)³ in front. The paper: a tenth of a second for the first two at n = 1000, "
        "ten seconds for the exact one; all are faster here, the kernel method by far the most."
    )
    Config = GaussiansTimeConfig
    sizes = {
        "small": GaussiansTimeConfig(trials=4),
        "paper": GaussiansTimeConfig(
            trials=10, sizes=(50, 100, 200, 400, 700, 1000, 1778), exact_most=700
        ),
    }
    drawings = (
        Drawing("n", "seconds", colour="method", log_x=True, log_y=True, summary="median",
                slopes=(Slope(1.0, "n"), Slope(3.0, "n³")), x_label="samples n",
                y_label="CPU seconds", names=tuple(two_gaussians.METHODS.items())),
    )  # fmt: skip

    grid = {"n": "sizes", "method": ("kernel", "graph", "exact")}
    paired = ("method",)

    def wanted(self, config: GaussiansTimeConfig, task: Task) -> bool:
        return task["method"] != "exact" or task["n"] <= config.exact_most

    def run(self, config: GaussiansTimeConfig, task: Task, rng: np.random.Generator) -> list[dict]:
        n = task["n"]
        sample = two_gaussians.draw(n, config.d, rng)
        sigma = two_gaussians.bandwidth(n, config.d, "ln")
        method = two_gaussians.methods(min(config.p, n), rng)[task["method"]]
        method(two_gaussians.draw(20, config.d, rng), sigma)  # first calls load libraries
        return [{"seconds": cpu_seconds(lambda: method(sample, sigma))}]

    def check(self, rows: Sequence[Row]) -> list[Finding]:
        """How time grows with n."""
        return slope_findings(rows, self.drawings[0], f"{{colour}}: {SLOPE}", upper_half=True)


@dataclass(frozen=True)
class SpheresTimeConfig(Config):
    """Sizes, dimensions, kernel and landmarks."""

    sizes: tuple[int, ...] = sample_sizes((300, 1000, 3000, 10_000), 50, 1_000_000, 30_000)
    dimensions: tuple[int, ...] = setting(
        (3, 9, 19), "Dimensions d.", 2, 100, grid=True, label="dimensions d"
    )
    graph_most: int = setting(
        1000, "Largest n of the graph.", 50, 20_000, page_high=1000, grid=True,
        label="largest n of the graph",
    )  # fmt: skip
    degree: int = setting(3, "Degree of the polynomial kernel.", 1, 8)
    p: int = setting(177, "Number of landmarks.", 26, 2000, page_high=421, label="landmarks p")


class SpheresTime(Experiment):
    """Galerkin method and graph against n."""

    name = "gal23-time"
    title = "Spheres: computing time"
    seconds = 1
    source = "GAL23, Figures 3 and 7, right"
    text = (
        "CPU seconds of forms and 25 eigenvalues on the sphere, polynomial kernel of degree 3, "
        "p = 177. The Galerkin method is linear in n and hardly depends on d; the graph in the "
        "same trial space has n²p operations for its forms."
    )
    Config = SpheresTimeConfig
    sizes = {
        "small": SpheresTimeConfig(trials=4),
        "paper": SpheresTimeConfig(
            sizes=(100, 316, 1000, 3162, 10_000, 100_000),
            dimensions=(3, 5, 7, 9, 11, 13, 15, 17, 19),
            graph_most=10_000,
        ),
    }
    drawings = (
        Drawing("n", "seconds", colour="d", facet="method", log_x=True, log_y=True,
                summary="median", slopes=(Slope(1.0, "n"), Slope(2.0, "n²")),
                x_label="samples n", y_label="CPU seconds"),
    )  # fmt: skip

    grid = {"n": "sizes", "d": "dimensions", "method": ("Galerkin", "graph")}
    paired = ("method",)

    def wanted(self, config: SpheresTimeConfig, task: Task) -> bool:
        return task["method"] != "graph" or task["n"] <= config.graph_most

    def run(self, config: SpheresTimeConfig, task: Task, rng: np.random.Generator) -> list[dict]:
        X = spheres.sphere(task["n"], task["d"], rng)
        p = min(config.p, len(X))
        space = KernelSpace(spheres.kernel("polynomial", config.degree), X[:p])
        weights = spheres.weights_of("gaussian", 0.1)

        def fit(points) -> object:
            if task["method"] == "graph":
                return spheres.eigenvalues(spheres.graph_forms([space], points, weights)[0], p)
            return spheres.eigenvalues(spheres.galerkin_forms(space, points, False), p)

        fit(X[:50])  # first calls load libraries
        return [{"seconds": cpu_seconds(lambda: fit(X))}]

    def check(self, rows: Sequence[Row]) -> list[Finding]:
        """How time grows with n."""
        text = f"{{facet}}, {{colour}}: {SLOPE}"
        return slope_findings(rows, self.drawings[0], text, upper_half=True)
