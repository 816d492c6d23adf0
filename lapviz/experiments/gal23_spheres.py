"""GAL23 Figures 3 and 7 to 10: eigenvalues of spheres, Galerkin method and graphs.

The figures are views of one table over numbers of samples, dimensions, methods, kernels and numbers
of landmarks. A line shows the best configuration in hindsight, by its mean over the trials, as in
the paper. All numbers p of landmarks share one assembly: landmarks are independent draws, so the
first p of them are a draw of p, and their forms are the leading blocks. The trial space has the
constant besides, which the paper's has not: it changes E_S by at most .011.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits

from lapviz import forms, kernels, operators, spectra
from lapviz.charts import Drawing, Reference, Row, Slope
from lapviz.datasets.truths import sphere_spectrum
from lapviz.experiments.config import dimensions, landmarks, largest, samples, some_of
from lapviz.experiments.rates import GROWTH, Ratios, Slopes
from lapviz.experiments.registry import Config, Experiment, Finding, Task, setting
from lapviz.linalg import blocks
from lapviz.metrics import spectral_error
from lapviz.progress import report, track
from lapviz.spaces import KernelSpace, TrialSpace

Array = np.ndarray

N_EIGENVALUES = 25  # k of GAL23 eq. (21), without the constant's 0
TOLERANCE = 1e-12  # functions of wide kernels differ from a constant by 1e-4 or less
TINY = 1e-200  # sum of eigenvalues below which a graph has no edges
WORST = 100.0  # cap on errors; a spurious zero would give an infinite one
NO_GRAPH = "none"
OWN = "own kernel"  # weights w_ij = k(x_i, x_j) of the test functions' kernel
_BLOCK = 256  # rows of the graph's weights computed at a time


def sphere(n: int, d: int, rng: np.random.Generator) -> Array:
    """Uniform points (n, d) on the unit sphere of R^d."""
    X = rng.standard_normal((n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def kernel(name: str, parameter: float) -> kernels.Kernel:
    """(1 + xᵀy)^s with s = parameter, or another kernel with σ = parameter."""
    if name == "polynomial":
        return kernels.get(name, degree=int(parameter))
    return kernels.get(name, float(parameter))


def galerkin_forms(space: TrialSpace, X: Array, tangential: bool) -> forms.Forms:
    """Forms over X (n, d) on the unit sphere, with the ambient or the tangential gradient.

    E‖∇_T g‖² = E‖∇g‖² − E⟨x, ∇g⟩²: one normal direction instead of d − 1 tangents.
    """
    ambient = operators.assemble(space, X, "laplacian")
    if not tangential:
        return ambient
    normal = forms.assemble(space, X, X[:, None, :])
    return ambient.with_stiffness(ambient.stiffness - normal.stiffness)


def weights_of(name: str, parameter: float) -> Callable[[Array, Array], Array]:
    """Weight function of a graph: a kernel's values (m, n), clipped at 0 where negative."""
    if name == "polynomial":
        polynomial = kernel(name, parameter)
        return lambda A, B: np.maximum(polynomial(A, B), 0.0)
    if name == "exponential":
        return lambda A, B: np.exp(-cdist(A, B) / parameter)
    return lambda A, B: np.exp(cdist(A, B, "sqeuclidean") / (-2.0 * parameter**2))


def graph_forms(
    spaces: Sequence[TrialSpace], X: Array, weights: Callable[[Array, Array], Array]
) -> list[forms.Forms]:
    """Forms of several spaces with the energy of one dense graph, S = Φᵀ(D − W)Φ/n (GAL23 B.1).

    W is computed in blocks of rows, once for all spaces: 8np bytes, O(n²p) operations. Φ is centred
    first, which does not change S and saves digits where all weights are nearly equal.
    """
    n = len(X)
    values = [space.phi(X) for space in spaces]
    centred = np.hstack([phi - phi.mean(axis=0) for phi in values])
    ends = np.cumsum([phi.shape[1] for phi in values])[:-1]
    energies = [np.zeros((phi.shape[1],) * 2) for phi in values]
    for rows in blocks(n, _BLOCK):
        W = weights(X[rows], X)
        W[np.arange(len(W)), np.arange(rows.start, rows.stop)] = 0.0
        image = W.sum(axis=1)[:, None] * centred[rows] - W @ centred
        parts = zip(np.hsplit(centred[rows], ends), np.hsplit(image, ends), strict=True)
        for energy, (phi, L_phi) in zip(energies, parts, strict=True):
            energy += phi.T @ L_phi
        report("graph", rows.stop, n)
    return [
        forms.Forms(phi.T @ phi / n, 0.5 * (S + S.T) / n, np.zeros_like(S), n)
        for phi, S in zip(values, energies, strict=True)
    ]


def eigenvalues(forms_: forms.Forms, p: int) -> Array:
    """The first eigenvalues on the constant and the first p landmarks, as many as exist."""
    leading = forms_.restrict(slice(0, p + 1))
    return spectra.spectrum(
        leading, 0.0, N_EIGENVALUES + 1, tolerance=TOLERANCE, least_energy=False
    ).gamma


def error(gamma: Array, d: int, matched: bool = False) -> float:
    """E_S of GAL23 eq. (21) for eigenvalues on the sphere of R^d, the constant's first.

    ``matched`` scales them to the true sum, as GAL23 B.1 does for graphs, whose scale is
    arbitrary.
    """
    truth = sphere_spectrum(d, N_EIGENVALUES + 1)
    if matched:
        total = gamma.sum()
        if not total > TINY:  # no edge has a weight
            return WORST
        gamma = gamma * (truth[: len(gamma)].sum() / total)
    return min(spectral_error(truth, gamma), WORST)


def default_error(d: int) -> float:
    """E_S of equal eigenvalues with the true sum: the baseline of a scaled graph."""
    truth = sphere_spectrum(d, N_EIGENVALUES + 1)
    return spectral_error(truth, np.append(0.0, np.full(N_EIGENVALUES, truth[1:].mean())))


def forms_of(
    method: str, X: Array, grid: Sequence[tuple[str, float]], p: int, scales: Sequence[float]
) -> Iterator[tuple[str, tuple[str, float], forms.Forms]]:
    """Names of the weights and the kernel, and forms of that kernel's space on p rows of X.

    A graph has Gaussian weights of each scale and, unless it is the finer one, each kernel as its
    own weight.
    """
    spaces = {choice: KernelSpace(kernel(*choice), X[:p]) for choice in grid}
    if "graph" not in method:
        for choice, space in track(spaces.items(), "kernels", len(spaces)):
            yield NO_GRAPH, choice, galerkin_forms(space, X, method == "tangential")
        return
    for scale in scales:
        together = graph_forms([*spaces.values()], X, weights_of("gaussian", scale))
        for choice, forms_ in zip(spaces, together, strict=True):
            yield f"gaussian {scale:g}", choice, forms_
    if method == "graph":
        for choice, space in spaces.items():
            yield OWN, choice, *graph_forms([space], X, weights_of(*choice))


def error_rows(
    method: str,
    X: Array,
    grid: Sequence[tuple[str, float]],
    counts: Sequence[int],
    scales: Sequence[float] = (),
) -> list[dict]:
    """E_S for every kernel, number of landmarks and scale; landmarks are the first rows of X."""
    counts, rows = [p for p in counts if p <= len(X)], []
    if not counts:
        return rows
    for weights, (name, parameter), forms_ in forms_of(method, X, grid, max(counts), scales):
        factors = {"kernel": name, "parameter": float(parameter)}
        for p in counts:
            e = error(eigenvalues(forms_, p), X.shape[1], matched=weights != NO_GRAPH)
            rows.append(factors | {"p": p, "weights": weights, "error": e})
    return rows


METHODS = {
    "ambient": "Galerkin",
    "tangential": "Galerkin, tangential gradient",
    "graph": "graph",
    "finer graph": "graph, finer scales",
}
FINER = (0.15, 0.2, 0.3, 0.4, 0.6)  # scales between those of the paper's grid
CHOICES = ("kernel", "parameter", "p", "weights")
DIMENSIONS = (3, 5, 7, 9, 11, 13, 15, 17, 19)
LARGE = 1300  # samples above which graphs are large


class Spheres(Experiment):
    """Factors, the grid that is searched for the best, and rows, shared by the figures."""

    seconds = 10
    settings = {
        "sizes": samples((100, 316, 1000), 40, 100_000, 3200),
        "dimensions": dimensions(
            (3, 5, 9), 3, 30, "Dimensions d of the space; the sphere has one less."
        ),
        "methods": some_of(
            METHODS, "The paper's gradient, the tangential one, the graph, and a graph with finer "
            "scales.", ("ambient", "tangential", "graph"),
        ),
        "graph_most": largest(
            1000, 40, 20_000, 1000, "the graphs", ", whose cost grows with its square"
        ),
        "large_trials": setting(1000, "Trials of graphs with n above 1300.", 0, 1000, grid=True,
                                label="trials of large graphs"),
        "large_dimensions": setting(DIMENSIONS, "Dimensions d of graphs with n above 1300.", 3, 30,
                                    grid=True, label="dimensions of large graphs"),
        "graph_counts": setting(177, "Largest number p of landmarks of the graphs.", 26, 2000,
                                page_high=177, label="largest p of the graphs"),
        "counts": setting((31, 74, 177), "Numbers p of landmarks.", 26, 2000, page_high=421,
                          label="landmarks p"),
        "degrees": setting((2, 3, 4, 5, 6), "Degrees of the polynomial kernel.", 1, 8),
        "exponential": setting((1.0, 10.0), "Bandwidths of the exponential kernel.", 0.001, 1e4),
        "gaussian": setting((1.0, 10.0), "Bandwidths of the Gaussian kernel.", 0.001, 1e4),
        "weights": setting((0.1, 1.0), "Scales of the graph's Gaussian weights, beside its own "
                           "kernel.", 0.001, 1e4),
    }  # fmt: skip
    small = {"trials": 3}
    # n between 10² and 10⁴, d, p, kernels and weights of GAL23 B.3.
    paper = {
        "trials": 100,
        "sizes": tuple(int(n) for n in np.rint(np.geomspace(100, 10_000, 10))),
        "dimensions": DIMENSIONS,
        "methods": ("ambient", "graph"),
        "graph_most": 10_000,
        "counts": (31, 74, 177, 421, 1000),
        "graph_counts": 1000,
        "exponential": (0.1, 1.0, 10.0, 100.0, 1000.0),
        "gaussian": (0.01, 0.1, 1.0, 10.0, 100.0),
        "weights": (0.01, 0.1, 1.0, 10.0, 100.0),
    }
    grid = {"n": "sizes", "d": "dimensions", "method": "methods"}
    paired = ("method",)  # the methods of a trial have the same points

    def wanted(self, config: Config, task: Task) -> bool:
        """Whether a task is run: large graphs only in some dimensions and few trials."""
        if "graph" not in task["method"]:
            return True
        small = task["n"] <= LARGE or (
            task.trial < config.large_trials and task["d"] in config.large_dimensions
        )
        return small and task["n"] <= config.graph_most

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return E_S for every configuration of the grid."""
        X, method = sphere(task["n"], task["d"], rng), task["method"]
        grid = [("polynomial", float(s)) for s in config.degrees]
        grid += [(name, s) for name in ("exponential", "gaussian") for s in getattr(config, name)]
        most = config.graph_counts if "graph" in method else max(config.counts)
        counts = [p for p in config.counts if p <= most]
        scales = FINER if method == "finer graph" else config.weights
        return error_rows(method, X, grid, counts, scales)


X_LABELS = {"n": "samples n", "d": "dimension d", "p": "landmarks p", "weights": "weights",
            "parameter": "degree or width σ"}  # fmt: skip


def _error(x: str, colour: str, facet: str, method: str = "", **overrides) -> Drawing:
    """E_S against x, for one method or all; best over the choices that are not shown."""
    options = {
        "best_over": tuple(name for name in CHOICES if name not in (x, colour)),
        "log_x": True, "log_y": True, "where": (("method", method),) if method else (),
        "title": METHODS.get(method, ""), "x_label": X_LABELS[x],
        "y_label": "eigenvalue error E_S",
    }  # fmt: skip
    return Drawing(x, "error", colour=colour, facet=facet, **options | overrides)


AGAINST_N = _error("n", "d", "method", slopes=(Slope(-0.5, "n^(−1/2)"),),
                   names=tuple(METHODS.items()))  # fmt: skip


class Figure3(Spheres):
    """Eigenvalues of spheres against the number of samples.

    The error E_S (eq. 21) of the first 25 eigenvalues of the sphere in R^d, best in hindsight over
    kernels, widths, landmarks p and, of a graph, weights; a graph gets the true sum of eigenvalues,
    as in the paper. The Galerkin error falls like n^(−1/2) in every dimension (the paper prints
    n^(1/2)): slopes −.37 to −.47 with the paper's ambient gradient, −.49 to −.54 with the
    tangential one. The ambient one also counts the slope across the sphere; this makes eigenvalues
    too large, overfitting makes them too small, and in the best of many settings the two cancel,
    most of all at n = 100. With the paper's scales of weights, a factor of ten apart, the
    graph is behind in every d from n = 464 on, by 1.45 at n = 10,000 in d = 7; at n = 100 it is
    ahead in d = 5, 11, 13, 15, 17 and 19, and against the tangential gradient in every d. With
    finer scales it is ahead at n = 100 in every d, and never more than 1.53 times as large: much of
    the paper's gap is its coarse grid. The table that comes with lapviz has all n and d of the
    paper's grid, 10 trials of its 100, p up to 421 of 1000 (graphs 177), exponential kernels of σ =
    .1, 1 and 10, Gaussian ones of 1 and 10, and weights of .1, 1 and 10. The rest was left out
    after one trial at some n and d: p = 1000 and the other widths were nowhere the best, except for
    a graph with the Gaussian kernel of σ = 100 in d = 19, which rounding reduces to the linear
    functions. Graphs beyond n = 1300 were run in d = 7 only, with 3 trials; the table keeps the
    choices of the grid that are best somewhere.
    """

    name, source = "gal23-fig3", "GAL23, Figure 3, left and middle"
    drawings = (AGAINST_N,)

    claims = tuple(
        Ratios(f"d = {{above.colour}}, n = {{above.x}}: best error of the {METHODS[method]} over "
               "Galerkin's", method, "ambient", by="facet", select="ends", wins=True)
        for method in ("graph", "finer graph")
    )  # fmt: skip

    def check(self, rows: Sequence[Row]) -> list[Finding]:
        """Slopes of the Galerkin method, and ratios of the graph's best error to its best error."""
        galerkin = [row for row in rows if row["method"] in ("ambient", "tangential")]
        claim = Slopes("{facet}, {colour}: slope of log E_S against log n")
        slopes = claim.findings(galerkin, self.drawings)
        slopes = [
            replace(f, expected=-0.5, holds=-0.7 <= f.value <= -0.3, stated="expected")
            for f in slopes
        ]
        return slopes + super().check(rows)


class Figure7(Spheres):
    """The best number of landmarks.

    E_S against p, best over kernels. More landmarks are not always better: with few samples or in
    high dimension the error grows again beyond p of 31 to 177, as a large trial space overfits. The
    right of the paper's figure, times of the best results, is not computed.
    """

    name, table = "gal23-fig7", "gal23-fig3"
    source = "GAL23, Figure 7, left"
    drawings = tuple(_error("p", "n", "d", method) for method in ("ambient", "graph"))


class Figure8(Spheres):
    """The best kernel parameter and weights.

    E_S against the parameter of each kernel (degree, or width σ) in d = 9, best over p; and for the
    graph, for each choice of weights. The paper finds the best values inside its grid, but for the
    graph with the exponential kernel. Among a graph's weights the Gaussian of σ = .1 is best with
    many samples and the kernel of the test functions with few, mostly the exponential one of σ = .1
    or the polynomial one of degree 6, the grid's edges; Gaussians of .2 to .4, between the grid's
    .1 and 1, are better (the finer graph of Figure 3).
    """

    name, table = "gal23-fig8", "gal23-fig3"
    source = "GAL23, Figure 8"
    drawings = (
        _error("parameter", "kernel", "n", where=(("method", "ambient"), ("d", 9)),
               best_over=("p",), title="Galerkin, d = 9"),
        _error("weights", "n", "d", "graph", log_x=False),
    )  # fmt: skip


class Figure9(Spheres):
    """Eigenvalues of spheres against the dimension.

    E_S against d, best in hindsight. E_S is relative: without any estimate it is 1 in every
    dimension. Circles are the paper's black line: equal eigenvalues with the true sum, which a
    graph has for free. The graph is below it, but with the paper's scales, from d = 7 on, its error
    hardly falls up to n = 1292.
    """

    name, table = "gal23-fig9", "gal23-fig3"
    source = "GAL23, Figure 9"
    drawings = (
        _error("d", "n", "method", log_x=False,
               references=(Reference("equal eigenvalues", tuple(map(float, DIMENSIONS)),
                                     tuple(map(default_error, DIMENSIONS))),),
               names=tuple(METHODS.items())),
    )  # fmt: skip


class Figure10(Spheres):
    """The kernel of the Galerkin method.

    E_S against n for each kernel, best over its parameter and p. The eigenfunctions are
    polynomials, yet the polynomial kernel is not always best, as the paper says: with the ambient
    gradient it keeps a bias (its functions also vary across the sphere), .53 in d = 3 and ever
    smaller, and from n = 774 on the exponential or the Gaussian kernel is ahead in every d. With
    the tangential gradient the polynomial and the Gaussian kernel are level up to d = 9; above, the
    polynomial's error is up to 1.28 times as large at n = 10,000. The exponential kernel needs more
    samples the higher d is.
    """

    name, table = "gal23-fig10", "gal23-fig3"
    source = "GAL23, Figure 10"
    drawings = tuple(
        _error("n", "kernel", "d", method, best_over=("parameter", "p"))
        for method in ("ambient", "tangential")
    )


class SpheresTime(Experiment):
    """Spheres: computing time.

    CPU seconds of forms and 25 eigenvalues on the sphere, polynomial kernel of degree 3, p = 177.
    The Galerkin method is linear in n and hardly depends on d; the graph in the same trial space
    takes n²p operations for its forms.
    """

    name, source = "gal23-time", "GAL23, Figure 3, right"
    settings = {
        "sizes": samples((300, 1000, 3000, 10_000), 50, 1_000_000, 30_000),
        "dimensions": dimensions((3, 9, 19), 2, 100),
        "graph_most": largest(1000, 50, 20_000, 1000, "the graph"),
        "degree": setting(3, "Degree of the polynomial kernel.", 1, 8),
        "p": landmarks(177, 26, 2000, 421),
    }
    small = {"trials": 4}
    paper = {"sizes": (100, 316, 1000, 3162, 10_000, 100_000), "dimensions": DIMENSIONS,
             "graph_most": 10_000}  # fmt: skip
    drawings = (
        Drawing("n", "seconds", colour="d", facet="method", log_x=True, log_y=True,
                summary="median", slopes=(Slope(1.0, "n"), Slope(2.0, "n²")),
                x_label="samples n", y_label="CPU seconds"),
    )  # fmt: skip

    claims = (Slopes(f"{{facet}}, {{colour}}: {GROWTH}", upper_half=True),)
    grid = {"n": "sizes", "d": "dimensions", "method": ("Galerkin", "graph")}
    paired = ("method",)

    def wanted(self, config: Config, task: Task) -> bool:
        return task["method"] != "graph" or task["n"] <= config.graph_most

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        X = sphere(task["n"], task["d"], rng)
        p = min(config.p, len(X))
        space = KernelSpace(kernel("polynomial", config.degree), X[:p])
        weights = weights_of("gaussian", 0.1)

        def solve(points) -> object:
            if task["method"] == "graph":
                return eigenvalues(graph_forms([space], points, weights)[0], p)
            return eigenvalues(galerkin_forms(space, points, False), p)

        with threadpool_limits(1):  # so that this thread does all of it
            solve(X[:50])  # the first call loads libraries
            start = time.thread_time()
            solve(X)
            return [{"seconds": time.thread_time() - start}]
