"""Rates of Laplacian regularisation: SSL21 Theorem 1 and KRR20 Theorem 5.

Points are uniform on [0, 1]^d, where the eigenfunctions of the operator are products of cosines, so
that the limits of the estimates and their errors are known.

KRR20: Cabannes (2020), *Kernel ridge regression with Laplacian regularisation*. SSL21: Cabannes,
Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with Laplacian
regularization in semi-supervised learning*.
"""

from __future__ import annotations

import numpy as np

from lapviz import kernels, operators, spectra
from lapviz.charts import Drawing, Slope
from lapviz.estimates import exact, labelled
from lapviz.experiments.config import dimensions, noise, samples
from lapviz.experiments.rates import Slopes
from lapviz.experiments.registry import Config, Experiment, Task, setting
from lapviz.spaces import KernelSpace
from lapviz.spaces.representer import RepresenterSpace

Array = np.ndarray

GAMMA = np.pi**2  # energy of cos πx_l
N_TEST = 2000
STEEP = Slopes("d = {colour}: slope of the error", -0.5)


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
    (λγ/(1 + λγ))² while λγ is not small, so that a larger λ₀ gives a flatter line at these n.
    """

    name, source = "ssl21-thm1", "SSL21, Theorem 1"
    settings = {
        "sizes": samples((200, 400, 800, 1600, 3200), 20, 20_000, 3200),
        "dimensions": dimensions((1, 3, 6), 1, 20, "Dimensions d of the cube."),
        "share": setting(0.1, "Share of the points that are labelled.", 0.01, 1.0),
        "lam": setting(0.05, "λ₀ of λ_n = λ₀ n^(−1/4).", 1e-8, 100.0, label="λ₀"),
        "mu": setting(0.1, "μ₀ of μ_n = μ₀ n^(−1/4).", 1e-12, 100.0, label="μ₀"),
        "landmarks": setting(0.5, "p₀ of p_n = p₀ √n log n.", 0.01, 10.0, label="p₀"),
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
