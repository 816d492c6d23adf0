r"""Stopping rules for conjugate gradients (KCG10 section 2).

The discrepancy principle: stop as soon as the residual ‖Y − K_nα_m‖_{K_n} is below the residual
that noise alone would leave (eq. 7). The thresholds (8) and (9) have guarantees but are
conservative: below several thousand points they often stop at m = 0. Hold-out has no guarantee
here, but works.

KCG10: Blanchard and Krämer (2010), *Optimal learning rates for kernel conjugate gradient
regression*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz.checks import check_choice, check_count, check_nonnegative
from lapviz.estimates.conjugate_gradient import KrylovPath

Array = np.ndarray
STEP_BACKS = ("proof", "printed", "never")


@dataclass(frozen=True, eq=False)
class Stop:
    """The iteration at which a rule stops.

    Attributes
    ----------
    rule : {"fixed", "discrepancy", "threshold", "holdout"}
    iteration : int, m; 0 is the zero function
    thresholds : array (m + 1,) or None, Λ_m
    errors : array (m + 1,) or None, mean squared error on the held-out points
    met : bool, False if the path ended before the rule was satisfied
    stepped_back : bool, True one step before the first iterate below its threshold
    """

    rule: str
    iteration: int
    thresholds: Array | None = None
    errors: Array | None = None
    met: bool = True
    stepped_back: bool = False


def stop_at(path: KrylovPath, iteration: int) -> Stop:
    """Stop at a given iteration, or at the last one if the path is shorter.

    Parameters
    ----------
    path : KrylovPath
        Iterates of kernel conjugate gradient, from :func:`lapviz.kernel_cg.krylov_path`.
    iteration : int
        Iteration m, at least 0.

    Returns
    -------
    Stop
        ``met`` is False if the path is shorter.
    """
    iteration = check_count("iteration", iteration, minimum=0)
    return Stop(
        "fixed", min(iteration, path.n_iterations), met=bool(iteration <= path.n_iterations)
    )


def stop_by_discrepancy(
    path: KrylovPath,
    kappa: float,
    bound: float,
    *,
    tau: float = 1.1,
    risk: float = 0.05,
    step_back: str = "proof",
) -> Stop:
    """First m with ‖Y − K_nα_m‖_{K_n} < Λ_m, KCG10 eq. (8); independent of r and s.

    Λ_m = 4τ √(κ log(2/γ)/n) (√κ ‖α_m‖_{K_n} + M √log(2/γ)).

    Parameters
    ----------
    path : KrylovPath
        Iterates of kernel conjugate gradient, from :func:`lapviz.kernel_cg.krylov_path`.
    kappa : float
        κ ≥ sup k(x, x).
    bound : float
        M ≥ abs(Y).
    tau : float
        Above 1 for Theorem 2.1 to hold; a smaller value stops later.
    risk : float
        The paper's γ, probability that the theorem's bound fails.
    step_back : {"proof", "printed", "never"}
        Stop one step earlier if q_m(0) is large. The proof of Theorem 2.1 (Nemirovskii's
        theorem with η = 1/2τ) does so if q_m(0) ≥ 1/(2τδ), δ = 4κ√(log(2/γ)/n); the text prints
        q_m(0) ≥ δ, whose sides have different units and which, at κ = 1, always holds from
        n = 16 log(2/γ) on.

    Returns
    -------
    Stop
        The iteration, with the thresholds Λ_m.
    """
    tau, log = _positive("tau", tau), _log(2.0, risk)
    kappa, bound = check_nonnegative("kappa", kappa), check_nonnegative("bound", bound)
    check_choice("step_back", step_back, STEP_BACKS)
    n = path.n_labelled
    thresholds = (
        4.0 * tau * np.sqrt(kappa * log / n) * (np.sqrt(kappa) * path.norms + bound * np.sqrt(log))
    )
    iteration, met = _first_below(path.residuals, thresholds)
    delta = 4.0 * kappa * np.sqrt(log / n)
    limit = {"proof": 1.0 / (2.0 * tau * delta), "printed": delta, "never": np.inf}[step_back]
    back = met and iteration > 0 and path.polynomial_at_zero[iteration] >= limit
    return Stop("discrepancy", iteration - back, thresholds, met=met, stepped_back=bool(back))


def stop_by_threshold(
    path: KrylovPath,
    kappa: float,
    bound: float,
    *,
    r: float = 0.5,
    s: float = 1.0,
    D: float = 1.0,
    tau: float = 1.6,
    risk: float = 0.05,
    rho: float = 0.0,
) -> Stop:
    """First m with ‖Y − K_nα_m‖_{K_n} < Λ, KCG10 eq. (9), optimal if r, s and D are known.

    Λ = τ′ max(M, ρ) √κ (4D/√n · log(6/γ))^((2r+1)/(2r+s)), n the number of *labelled* points.

    Parameters
    ----------
    path : KrylovPath
        Iterates of kernel conjugate gradient, from :func:`lapviz.kernel_cg.krylov_path`.
    kappa, bound : float
        As in :func:`stop_by_discrepancy`. Without unlabelled points the constant M of the noise's
        moments is enough, E|ε|^p ≤ ½ p! M^p: the standard deviation of normal noise.
    r : float
        Exponent of the source condition f* = K^r u.
    s, D : float
        Exponent and constant of tr K(K + λ)⁻¹ ≤ D²(λ/κ)^(−s); s = D = 1 always holds.
    tau : float
        τ′, above 3/2 for Theorem 2.2 to hold.
    risk : float
        As in :func:`stop_by_discrepancy`.
    rho : float
        ρ of the source condition; Theorem 2.3 (unlabelled points) needs it, 2.2 does not.

    Returns
    -------
    Stop
        The iteration, with the threshold Λ.

    Raises
    ------
    ValueError
        If a parameter is out of range, or r and s are both 0.
    """
    tau, D = _positive("tau", tau), _positive("D", D)
    r, s, rho = (check_nonnegative(*pair) for pair in (("r", r), ("s", s), ("rho", rho)))
    if 2.0 * r + s == 0:
        raise ValueError("r and s cannot both be 0: the exponent (2r + 1)/(2r + s) is infinite.")
    size = max(check_nonnegative("bound", bound), rho)
    base = 4.0 * D / np.sqrt(path.n_labelled) * _log(6.0, risk)
    level = tau * size * np.sqrt(check_nonnegative("kappa", kappa))
    level *= base ** ((2.0 * r + 1.0) / (2.0 * r + s))
    thresholds = np.full(len(path.residuals), level)
    iteration, met = _first_below(path.residuals, thresholds)
    return Stop("threshold", iteration, thresholds, met=met)


def stop_by_holdout(
    path: KrylovPath, K: Array | Callable, y: Array, weights: Array | None = None
) -> Stop:
    """Stop at the m of least mean squared error on held-out points.

    Parameters
    ----------
    path : KrylovPath
        Iterates fitted without these points.
    K : array (n_test, n) or callable
        k(x_test, x_train), or the product with it.
    y : array (n_test,)
        Targets of the held-out points.
    weights : array (n_test,), optional
        Weights of the held-out points in the mean.

    Returns
    -------
    Stop
        The iteration, with the mean squared error of every iterate.
    """
    y = np.asarray(y, dtype=float)
    exponent = np.frexp(np.abs(y).max(initial=0.0))[1]  # squares could overflow
    residuals = np.ldexp(path.predict(K) - y[:, None], -exponent)
    errors = np.average(residuals**2, axis=0, weights=weights)
    with np.errstate(over="ignore"):
        return Stop("holdout", int(errors.argmin()), errors=np.ldexp(errors, 2 * exponent))


def _first_below(residuals: Array, thresholds: Array) -> tuple[int, bool]:
    below = residuals < thresholds
    return (int(below.argmax()), True) if below.any() else (len(residuals) - 1, False)


def _positive(name: str, value) -> float:
    if check_nonnegative(name, value) == 0:
        raise ValueError(f"{name} must be positive, got 0.")
    return float(value)


def _log(factor: float, risk: float) -> float:
    """log(factor/γ) of a probability γ."""
    if not 0 < _positive("risk", risk) < 1:
        raise ValueError(f"risk is a probability between 0 and 1, got {risk!r}.")
    return float(np.log(factor / risk))
