r"""``mu="auto"``: the weight of the RKHS norm, calibrated on held-out points.

With a small μ the leading eigenfunctions overfit the sample: they vary where there happen to be no
points, and claim too small energies. With a large μ the norm itself is counted as energy. The two
can be told apart without labels, on two random halves A and B of the rows. Let γ_i(μ) be the
smallest positive eigenvalues on A, and V the span of the leading modes there. On the held-out
points of B that span gives, without any penalty,

    1/θ_i, the largest eigenvalues of M v = θ⁻¹ S v on V, both forms over B, M about the mean.

Up to the noise of B these are at most those of the operator itself (Courant and Fischer). The
calibrated μ is the smallest at which the claim is confirmed, up to a tolerance t:

    log Σ 1/(γ_i + τ) − log Σ 1/(θ_i + τ) = t,

averaged over both roles of the halves, and over three draws of them if there are very many
functions (:func:`draws`). Seven of each count, as in the first eight eigenvalues. V is
wider, the span of twelve modes, since modes that rotate into one another do not overfit. τ, a
fifth of the claims' median, keeps one tiny γ (of connected components that are far apart) from
dominating the sum. t (:func:`tolerance`) is about a tenth: half a sample claims too much where the
full one is right.

The search starts at 2·10⁻⁵/σ², which is also the μ used if rows cannot be held out, and goes
up until the claims are confirmed. On thin curves the norm is part of the energies already at the
start, which is bias. If it is more than a hundredth, the search goes down, as long as the excess
stays below the tolerance plus four times the part that is removed, and below two tolerances: half
the rows, judged by the other half, show four times the excess of the full sample. (Without
the second bound a norm's share due to overfitted modes would excuse them.)

Evidence: the spectral error of the first eight eigenvalues, relative to that of the best μ in
hindsight, is 1.1 on average for N(0, I_d), d = 2, 5, 10, 20, squares, spheres, circles and
half-moons at n = 200 and 1000, and hardly depends on p. For N(0, I₂₀), n = p = 200, the error is
.10; with 2·10⁻⁵/σ² it is 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import forms, operators, spectra
from lapviz.linalg import eigh
from lapviz.progress import report
from lapviz.spaces.base import TrialSpace
from lapviz.spaces.kernel import KernelSpace

Array = np.ndarray

FLOOR = 2e-5  # μσ² at the start: enough for numerical stability, with hardly any visible effect
N_MODES = 8  # claims compared, including the constant's
N_SPAN = 12  # modes whose span the held-out points judge
TOLERANCE = 0.13  # of the logarithm, for few samples: see tolerance()
SHIFT = 0.2  # τ in units of the median claim
NORM_SHARE = 0.01  # share of the claims due to the norm that needs no search for a smaller μ
BIAS = 4.0  # the full sample has a quarter of the excess, but all of the norm's share
MOST = 2.0  # tolerances of excess beyond which the claims are wrong for any share of the norm
UP = FLOOR * 10.0 ** (0.5 * np.arange(13))  # μσ², up to 20
DOWN = FLOOR * 10.0 ** (-0.5 * np.arange(1, 13))
MAX_ROWS = 4000  # in both halves together
MAX_FUNCTIONS = 1000  # fewer would overfit less than the space in use
MIN_ROWS = 20
_TINY = 1e-12  # share of the mean energy at which the span vanishes on the held-out points


@dataclass(frozen=True, eq=False)
class Calibration:
    """A calibrated μ, with the search behind it.

    Attributes
    ----------
    mu : float, in units of 1/length²
    tried : array (m,), values of μ in the order in which they were tried
    excess : array (m,), log of the claims over the energies confirmed by held-out points
    reason : str, a sentence for users
    """

    mu: float
    tried: Array
    excess: Array
    reason: str


def calibrate(
    space: TrialSpace,
    X: Array,
    operator,
    sigma: float,
    sample_weight: Array | None = None,
    n: int | None = None,
) -> Calibration:
    """The smallest μ whose leading eigenvalues are confirmed by held-out points.

    Parameters
    ----------
    space : KernelSpace or other trial space
        At most 1000 landmarks of a kernel space are used, evenly spaced in their order.
    X : array (n, d)
        The sample; at most 4000 of its rows, drawn with a fixed seed, are used.
    operator : str or operator object
        Its energy must be a mean of terms that each depend on one row
        (:func:`lapviz.operators.at_rows`). A graph's is not.
    sigma : float
        σ, the kernel's width, as the unit of length.
    sample_weight : array (n,), optional
        Positive weights of the rows in the means. The rows drawn and the tolerance do not
        depend on them.
    n : int, optional
        Number of rows of the full data, if X is a sample of them; by default that of X.

    Returns
    -------
    Calibration
        μ and the reason for it. μσ² is 2·10⁻⁵ for random waves, fewer than 20 rows,
        an operator that cannot be split, and if half of the rows show no variation or no energy.
    """
    sigma2 = float(sigma) ** 2
    if not isinstance(space, KernelSpace):
        return uncalibrated(sigma2, "random waves have no landmarks to thin out")
    if len(X) < MIN_ROWS:
        return uncalibrated(sigma2, f"{len(X)} rows are too few to be halved")
    sides, small = [], thinned(space)
    for seed in range(draws(len(space.landmarks))):
        rows = np.random.default_rng(seed).permutation(len(X))[: 2 * (min(len(X), MAX_ROWS) // 2)]
        weights = None if sample_weight is None else np.asarray(sample_weight)[rows]
        pool_operator = operators.at_rows(operator, X, rows, weights)
        if pool_operator is None:
            return uncalibrated(sigma2, "the operator's energy is not a mean over single rows")
        pool = np.asarray(X[rows], dtype=np.float64)
        halves = []
        for half in (np.arange(0, len(pool), 2), np.arange(1, len(pool), 2)):
            w = None if weights is None else weights[half]
            energy = operators.at_rows(pool_operator, pool, half, w)
            halves.append(operators.assemble(small, pool[half], energy, sample_weight=w))
        sides += [(halves[0], halves[1]), (halves[1], halves[0])]
    return search(sides, sigma2, tolerance(len(X) if n is None else n))


def tolerance(n: int) -> float:
    """t for n samples: .13 up to 2000, .09 at 4000, and then like n^{1/4}.

    With more rows the halves are more alike. If only some of the rows are used, the full sample
    has less excess than they do.
    """
    rows = min(n, MAX_ROWS)
    return TOLERANCE * min(1.0, 2000 / rows) ** 0.5 * (n / rows) ** 0.25


def draws(p: int) -> int:
    """Number of draws of the halves for p functions: one up to 2000, three beyond.

    With so many functions an error of μ costs most, and a draw is cheap compared with the fit.
    (N(0, I₂), n = 5000, p = 3000: 1.25, 1.14 and 1.07 times the error of p = 300 with one, two and
    three draws, in 32 samples.)
    """
    return 3 if p > 2 * MAX_FUNCTIONS else 1


def uncalibrated(sigma2: float, reason: str) -> Calibration:
    """The μ at the start of the search, with the reason why it is not calibrated."""
    empty = np.empty(0)
    return Calibration(FLOOR / sigma2, empty, empty, f"2e-5/σ², not calibrated: {reason}")


def thinned(space: KernelSpace) -> KernelSpace:
    """The space with the constant and at most 1000 of its landmarks."""
    p = len(space.landmarks)
    keep = np.unique(np.linspace(0, p - 1, min(p, MAX_FUNCTIONS)).round().astype(int))
    return KernelSpace(space.kernel, space.landmarks[keep], constant=True)


def search(
    sides: list[tuple[forms.Forms, forms.Forms]], sigma2: float, tolerance: float
) -> Calibration:
    """The first μ at which the excess falls to the tolerance, interpolated in log μ.

    On each side the second half judges the first; the excess is the mean over the sides.
    """
    tried, excesses = [], []
    pencils = [spectra.Pencil(a) for a, _ in sides]

    def evaluate(unit: float) -> tuple[float, float]:
        report("calibration of μ", len(tried), len(UP))
        tried.append(unit / sigma2)
        modes = (pencil.spectrum(tried[-1], N_SPAN) for pencil in pencils)
        excess, share = np.mean([judge(*s, m) for s, m in zip(sides, modes, strict=True)], axis=0)
        excesses.append(excess)
        return excess, share

    def result(mu: float, reason: str) -> Calibration:
        return Calibration(float(mu), np.array(tried), np.array(excesses), reason)

    def allowed(share: float) -> float:
        return min(tolerance + BIAS * share, MOST * tolerance)

    excess, share = evaluate(UP[0])
    if excess <= allowed(share):  # a larger μ would add to the norm's share
        best = 0
        for unit in DOWN:
            if share <= NORM_SHARE:
                break
            removed = share
            excess, share = evaluate(unit)
            if not excess <= allowed(removed):
                break
            best += 1
        reason = f"{tried[best] * sigma2:.2g}/σ²: held-out points confirm the energies"
        percent = round(100 * np.expm1(excesses[best]))  # an integer has no -0
        return result(tried[best], f"{reason} ({percent:+d} %)")
    for unit in UP[1:]:
        if not np.isfinite(excess):
            break
        excess, _ = evaluate(unit)
        if excess <= tolerance:
            part = (excesses[-2] - tolerance) / (excesses[-2] - excess)
            mu = tried[-2] * (tried[-1] / tried[-2]) ** part
            reason = f"{mu * sigma2:.2g}/σ², the least that held-out points confirm"
            first = excesses[0]
            times = f"{np.exp(first):.0f} times"
            surplus = f"{100 * np.expm1(first):.0f} %" if first < 3 else times
            return result(mu, f"{reason}; {FLOOR:g}/σ² claims {surplus} too much")
    if not np.isfinite(excess):
        return uncalibrated(sigma2, "half of the rows show no variation, or no energy")
    return result(tried[-1], "the largest tried; held-out points confirmed no energies")


def judge(a: forms.Forms, b: forms.Forms, modes: spectra.Spectrum) -> tuple[float, float]:
    """Log ratio of claims on ``a`` to energies confirmed on ``b``, and the norm's share in it.

    Both are NaN if nothing varies.

    Parameters
    ----------
    a, b : Forms
        Forms of one trial space that begins with the constant, over two samples.
    modes : Spectrum
        The leading modes on ``a``.
    """
    gamma, V = modes.gamma[1:N_MODES], modes.vectors[:, 1:]
    tau = SHIFT * np.median(gamma) if gamma.size else 0.0
    mean = b.mass[0] @ V
    M = V.T @ b.mass @ V - np.outer(mean, mean)
    S = V.T @ b.stiffness @ V + tau * M
    size = np.trace(S)
    if not (tau > 0 and size > 0):
        return np.nan, np.nan
    S += _TINY * size / len(S) * np.eye(len(S))
    claims = np.sum(1 / (gamma + tau))
    leading = V[:, : len(gamma)]
    energies = np.einsum("ij,ij->j", leading, a.stiffness @ leading)
    share = 1 - claims / np.sum(1 / (np.maximum(energies, 0) + tau))
    # The largest η with M v = η S v, where S is larger than rounding.
    w, U = eigh(0.5 * (S + S.T))
    keep = w > _TINY * w[-1]
    R = U[:, keep] / np.sqrt(w[keep])
    A = R.T @ M @ R
    confirmed = np.clip(eigh(0.5 * (A + A.T))[0][-len(gamma) :], 1e-300, None).sum()
    return float(np.log(claims / confirmed)), float(share)
