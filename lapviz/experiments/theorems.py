"""Rates that theorems prove: SSL21 Theorem 1, KRR20 Theorem 5, KCG10 Theorems 2.1 to 2.3.

For the first two, points are uniform on [0, 1]^d, where the eigenfunctions of the operator are
products of cosines, so that the limits of the estimates and their errors are known.

KCG10's inner and outer case have known r and s of the theorems: points uniform on [0, 1), the
periodic kernel k(x, y) = 1 + 2 Σ_j cos 2πj(x − y)/j², scaled to k(x, x) = 1. Its operator K has the
eigenvalues 1, 1, 1, 1/4, 1/4, … (scaled), so that tr K(K + λ)⁻¹ grows like λ^(−1/2) and s = ½. The
target is f* = K^r u with u_j ∝ j^(−.55), barely square summable, so that the source condition holds
for an r hardly larger. Values have normal noise, clipped at 3 deviations.

KRR20: Cabannes (2020), *Kernel ridge regression with kernel Laplacian regularization*. SSL21:
Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*. KCG10: Blanchard and Krämer (2010), *Optimal
learning rates for kernel conjugate gradient regression*.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapviz import kernels, operators, spectra
from lapviz.charts import Drawing, Row, Slope
from lapviz.datasets.responses import NOISE_LIMIT
from lapviz.estimates import exact, labelled, stopping
from lapviz.estimates.conjugate_gradient import krylov_path, semi_supervised_response
from lapviz.experiments.config import dimensions, noise, samples
from lapviz.experiments.rates import Slopes, grouped
from lapviz.experiments.registry import Config, Experiment, Finding, Task, setting
from lapviz.experiments.stopping import holdout
from lapviz.spaces import KernelSpace
from lapviz.spaces.representer import RepresenterSpace

Array = np.ndarray

# ---- SSL21 and KRR20: cosines on a cube ----

GAMMA = np.pi**2  # energy of cos πx_l
N_TEST = 2000
STEEP = Slopes("{colour}: slope of the error", -0.5)


def wave(X: Array) -> Array:
    """√(2/d) Σ_l cos πx_l, an eigenfunction with mean square 1 and energy π²."""
    return np.sqrt(2.0 / X.shape[1]) * np.cos(np.pi * X).sum(axis=1)


def wave_gradient(X: Array) -> Array:
    """Gradient of :func:`wave`, (n, d)."""
    return -np.pi * np.sqrt(2.0 / X.shape[1]) * np.sin(np.pi * X)


def excess_risk(space, coefficients: Array, X: Array, energy: float) -> float:
    """R(f) − R* = E(f − f*)² + μE‖∇f − ∇f*‖² f* = wave/(1 + μπ²), μ = ``energy``."""
    shrunk = 1.0 / (1.0 + energy * GAMMA)
    value = space.evaluate(X, coefficients)[:, 0] - shrunk * wave(X)
    slopes = space.gradient(X) @ coefficients[:, 0] - shrunk * wave_gradient(X)
    return float(np.mean(value**2) + energy * np.mean((slopes**2).sum(axis=1)))


def _against_n(y: str, label: str) -> Drawing:
    return Drawing("n", y, colour="d", log_x=True, log_y=True, x_label="samples n", y_label=label,
                   slopes=(Slope(-0.5, "n^(−1/2)"),))  # fmt: skip


class Theorem5(Experiment):
    """Rate of kernel ridge regression with a Laplacian.

    Excess of the risk E|f − y|² + μE‖∇f‖² of the exact estimate over its minimum, with λ_n = λ₀
    n^(−1/2) for the norm, on the cube [0, 1]^d with a Matérn 5/2 kernel, whose RKHS holds the
    minimiser. The theorem proves n^(−1/2) in every dimension, as an upper bound. The paper has no
    experiment. Its Lemma 11 prints λ⁻¹‖θ*‖²; it is λ‖θ*‖².
    """

    name, source, seconds = "krr20-thm5", "KRR20, Theorem 5", 7
    settings = {
        "sizes": samples((50, 100, 200, 400), 20, 20_000, 400),
        "dimensions": dimensions((1, 2, 4), 1, 20, "Dimensions d of the cube."),
        "energy": setting(0.05, "Weight of the energy, KRR20's μ, fixed.", 1e-6, 100.0),
        "norm": setting(0.1, "λ₀ of the norm's weight λ₀ n^(−1/2).", 1e-8, 100.0, label="λ₀"),
        "noise": noise(),
    }
    small = {"trials": 20, "dimensions": (1, 2)}
    paper = {"trials": 50, "sizes": (50, 100, 200, 400, 800)}
    grid = {"n": "sizes", "d": "dimensions"}
    drawings, claims = (_against_n("excess", "excess risk"),), (STEEP,)

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return the excess risk of the exact estimate from n values."""
        n, d, energy = task["n"], task["d"], config.energy
        norm = config.norm / np.sqrt(n)
        X = rng.random((n, d))
        y = wave(X) + config.noise * rng.standard_normal(n)
        space = RepresenterSpace(kernels.get("matern52", 1.0), X)
        mask = np.ones(n, dtype=bool)
        # KRR20's (μ, λ), energy and norm, are (λ, λμ) here.
        c = exact.exact_estimate(space, y[:, None], mask, energy, norm / energy).coefficients
        return [{"excess": excess_risk(space, c, rng.random((N_TEST, d)), energy)}]


class Theorem1(Experiment):
    """Rate of Laplacian regularisation with few labels.

    E(g − g_ρ)² of the estimate (9) with the theorem's λ_n = λ₀ n^(−1/4), μ_n = μ₀ n^(−1/4), p_n =
    p₀ √n log n and a tenth of the points labelled, on the cube [0, 1]^d; g_ρ is an eigenfunction.
    The theorem proves n^(−1/2) for every d. The paper has no experiment. The bias λ² ∝ n^(−1/2) is
    (λγ/(1 + λγ))² while λγ is not small, so that a larger λ₀ gives a flatter line at these n. The
    trial space also has the constant, which changes the error by less than a hundredth.
    """

    name, source = "ssl21-thm1", "SSL21, Theorem 1"
    settings = {
        "sizes": samples((200, 400, 800, 1600, 3200), 20, 20_000, 3200),
        "dimensions": dimensions((1, 3, 6), 1, 20, "Dimensions d of the cube."),
        "share": setting(0.1, "Share of the points that are labelled.", 0.01, 1.0),
        "lam": setting(0.05, "λ₀ of λ_n = λ₀ n^(−1/4).", 1e-8, 100.0, label="λ₀"),
        "mu": setting(0.1, "μ₀ of μ_n = μ₀ n^(−1/4).", 1e-12, 100.0, label="μ₀"),
        "landmarks": setting(0.5, "p₀ of p_n = p₀ √n log n.", 0.01, 10.0, label="factor p₀"),
        "noise": noise(),
    }
    small = {"trials": 15, "sizes": (200, 400, 800, 1600)}
    paper = {"trials": 50, "sizes": (200, 400, 800, 1600, 3200, 6400)}
    grid = {"n": "sizes", "d": "dimensions"}
    drawings, claims = (_against_n("error", "mean squared error"),), (STEEP,)

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return E(g − g_ρ)² of the filtered estimate (9), Tikhonov, on p random landmarks."""
        n, d = task["n"], task["d"]
        X, m = rng.random((n, d)), max(2, round(config.share * n))
        p = min(n, round(config.landmarks * np.sqrt(n) * np.log(n)))
        y = wave(X[:m]) + config.noise * rng.standard_normal(m)
        space = KernelSpace(kernels.get("matern52", 1.0), X[rng.permutation(n)[:p]])
        pairs = spectra.spectrum(operators.assemble(space, X, "laplacian"), config.mu * n**-0.25)
        load = space.phi(X[:m]).T @ y[:, None] / m
        c = labelled.spectral_estimate(pairs, load, config.lam * n**-0.25)
        new = rng.random((N_TEST, d))
        error = float(np.mean((space.evaluate(new, c)[:, 0] - wave(new)) ** 2))
        return [{"p": p, "error": error}]


# ---- KCG10: conjugate gradients ----

S = 0.5  # intrinsic dimensionality of the kernel
_SUM = 1.0 + np.pi**2 / 3.0  # sum of all eigenvalues before scaling, k(x, x)
_MODES = np.arange(1, 1001)
_GRID = (np.arange(2048) + 0.5) / 2048
_ITERATIONS = 60
RULES = {
    "best": "best m in hindsight",
    "holdout": "hold-out of a fifth",
    "threshold": "rule (9), τ′ small",
}


def periodic_kernel(a: Array, b: Array) -> Array:
    """k(a_i, b_j), closed form: Σ_j cos(2πjt)/j² = π²(t² − t + 1/6) on [0, 1]."""
    t = np.abs(a[:, None] - b)
    return (1.0 + 2.0 * np.pi**2 * (t * t - t + 1.0 / 6.0)) / _SUM


def target(x: Array, r: float) -> Array:
    """f* = K^r u at points x (n,), scaled to mean square 1, mean 0."""
    a = (_MODES**-2.0 / _SUM) ** r * _MODES**-0.55
    a /= np.sqrt(np.sum(a**2))
    # √2 cos and √2 sin in turn: a function without symmetry
    shifted = 2.0 * np.pi * np.outer(x, _MODES) - 0.5 * np.pi * (_MODES % 2)
    return np.sqrt(2.0) * np.cos(shifted) @ a


def stopping_errors(
    n: int, total: int, r: float, noise: float, tau: float, rng: np.random.Generator
) -> dict[str, tuple[int, float]]:
    """m and E(f_m − f*)² of every rule, with n labels among ``total`` points."""
    x = rng.random(total)
    y = target(x[:n], r) + noise * np.clip(rng.standard_normal(n), -NOISE_LIMIT, NOISE_LIMIT)
    y = np.append(y, np.zeros(total - n))
    labelled = np.arange(total) < n
    K, truth = periodic_kernel(x, x), target(_GRID, r)
    path = krylov_path(K, semi_supervised_response(y, labelled), _ITERATIONS, n_labelled=n)
    squared = np.mean((path.predict(periodic_kernel(_GRID, x)) - truth[:, None]) ** 2, axis=0)
    bound = float(np.abs(y).max())
    stops = {
        "best": int(squared.argmin()),
        "holdout": holdout(K, y, labelled, _ITERATIONS),
        "threshold": stopping.stop_by_threshold(path, 1.0, bound, r=r, s=S, tau=tau).iteration,
    }
    return {rule: (m, float(squared[min(m, path.n_iterations)])) for rule, m in stops.items()}


class _ConjugateGradients(Experiment):
    """Settings, rows and findings shared by both cases of KCG10."""

    settings = {
        "sizes": samples((50, 100, 200, 400), 20, 4000, 800, "Numbers n of labelled points.",
                              "labels n"),
        "smoothness": setting((0.5, 1.0), "Exponents r of the source condition f* = K^r u.", 0.05,
                              2.0, grid=True, label="exponents r"),
        "noise": noise(),
        "tau": setting(0.02, "τ′ of rule (9); Theorem 2.2 needs more than 1.5, which stops at 0.",
                       1e-6, 10.0, label="τ′"),
    }  # fmt: skip
    grid = {"n": "sizes", "r": "smoothness", "unlabelled": (False,)}

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return where each rule stops, and the error there."""
        n, r = task["n"], task["r"]
        total = n
        if task["unlabelled"]:  # ñ of Theorem 2.3 without its constants
            total = round(n * n ** (max(1.0 - 2.0 * r, 0.0) / (2.0 * r + S)))
        stops = stopping_errors(n, total, r, config.noise, config.tau, rng)
        return [
            {"rule": rule, "points": total, "m": m, "error": e} for rule, (m, e) in stops.items()
        ]

    def check(self, rows: Sequence[Row]) -> list[Finding]:
        """Slopes beside the theorem's, for each r."""
        drawing = Drawing("n", "error", colour="rule", names=tuple(RULES.items()))
        findings = []
        for (r, unlabelled), part in grouped(rows, "r", "unlabelled").items():
            case = f"r = {r:g}" + (" with unlabelled points" if unlabelled else "")
            text = f"{case}: slope on logarithmic axes, {{colour}}"
            rate = -2.0 * r / (2.0 * r + S)  # of the squared error, Theorems 2.2 and 2.3
            findings += Slopes(text, rate).findings(part, [drawing])
        return findings


class Inner(_ConjugateGradients):
    """Rates of kernel conjugate gradients, inner case.

    Mean squared error against the number of labels for targets f* = K^r u, r ≥ ½. Theorem 2.2 (for
    r = ½ Theorem 2.3) proves n^(−2r/(2r+s)), here s = ½: −.67 and −.8 for r = 1 (2.1, without s,
    −.5 and −.67). The paper has no experiment. Measured (15 trials, n up to 400): −.62 ± .08 and
    −.78 ± .10 at the best m in hindsight, and steeper by hold-out, which starts higher. With the
    constants of the theorems both rules stop at m = 0 for these n; with τ′ about a hundredth of the
    theorem's, rule (9) falls more slowly, like −.55 ± .14 and −.57 ± .11.
    """

    name, source, seconds = "kcg10-inner", "KCG10, Theorems 2.1 and 2.2", 5
    small, paper = {"trials": 15}, {"trials": 50, "sizes": (50, 100, 200, 400, 800, 1600)}
    drawings = (
        Drawing("n", "error", colour="rule", facet="r", log_x=True, log_y=True,
                slopes=(Slope(-2.0 / 3.0, "n^(−2/3)"), Slope(-0.8, "n^(−4/5)")),
                x_label="labels n", y_label="mean squared error", names=tuple(RULES.items())),
    )  # fmt: skip


class Outer(_ConjugateGradients):
    """Rates of kernel conjugate gradients, outer case.

    The same for r = .3, where the target is not in the RKHS. Theorem 2.3 proves n^(−2r/(2r+s)) =
    n^(−.55) if there are enough unlabelled points, ñ = n^(1.36) here, and labels are replaced by
    (ñ/n)(Y, 0, …, 0). Measured (8 trials, n up to 400): −.55 ± .08 with unlabelled points and −.50
    ± .04 without them, at the best m in hindsight. At these n the unlabelled points make the error
    about twice as large: the zeros in the response act as noise, and the condition of the theorem,
    for which they are needed, is not the limiting factor.
    """

    name, source, seconds = "kcg10-outer", "KCG10, Theorem 2.3", 6
    grid = _ConjugateGradients.grid | {"unlabelled": (False, True)}
    small = {"trials": 10, "sizes": (50, 100, 200), "smoothness": (0.3,)}
    paper = {"trials": 50, "sizes": (50, 100, 200, 400, 800), "smoothness": (0.3,)}
    drawings = (
        Drawing("n", "error", colour="rule", facet="unlabelled", log_x=True, log_y=True,
                slopes=(Slope(-0.6 / 1.1, "n^(−.55)"),), x_label="labels n",
                y_label="mean squared error",
                names=(*RULES.items(), (False, "labels only"),
                       (True, "with unlabelled points"))),
    )  # fmt: skip
