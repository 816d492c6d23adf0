"""Classes as numbers: codes, scores and shares, and how scores become classes.

K classes are fitted by least squares on centred codes (SSL21 A.1): ±1 in one column for two
classes, one-hot − 1/K in K columns otherwise. *Scores* are fitted values in that code; *shares* are
scores on the scale of one-hot vectors.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import minimize

from lapviz.checks import check_choice

Array = np.ndarray

EXACT = 1e-6  # largest error of imposed class proportions, relative to the smallest of them
ROUNDING = 1e-12  # of mean probabilities


def class_codes(codes: Array, n_classes: int) -> Array:
    """Centred targets: ±1 in one column for two classes, else one-hot − 1/K (SSL21 A.1).

    Parameters
    ----------
    codes : int array (n,)
        Class codes 0, …, K − 1.
    n_classes : int
        K.

    Returns
    -------
    array (n, k)
        Targets; k = 1 for two classes, else K.
    """
    if n_classes == 2:
        return np.where(np.asarray(codes) == 1, 1.0, -1.0)[:, None]
    return np.eye(n_classes)[codes] - 1.0 / n_classes


def class_shares(scores: Array, n_classes: int) -> Array:
    """Shares from scores: rows of sum 1, on the scale of one-hot vectors.

    Parameters
    ----------
    scores : array (n, 1) or (n, K)
        Fitted values in the code of :func:`class_codes`.
    n_classes : int
        K.

    Returns
    -------
    array (n, K)
        Shares.
    """
    if n_classes == 2:
        return 0.5 * (1.0 + np.stack([-scores[:, 0], scores[:, 0]]).T)  # column by column
    return scores + 1.0 / n_classes


def class_scores(shares: Array) -> Array:
    """Scores from shares, the inverse of :func:`class_shares`.

    Parameters
    ----------
    shares : array (n, K)
        Shares of the classes.

    Returns
    -------
    array (n, 1) or (n, K)
        Scores; one column for two classes.
    """
    K = shares.shape[1]
    return shares[:, 1:] - shares[:, :1] if K == 2 else shares - 1.0 / K


def decode(scores: Array) -> Array:
    """Class of the largest score; ties go to the first class.

    Parameters
    ----------
    scores : array (…, 1) or (…, K)
        One column is the score of class 1 against class 0.

    Returns
    -------
    int array (…,)
        Class codes.
    """
    if scores.shape[-1] == 1:
        return (scores[..., 0] > 0).astype(int)
    return scores.argmax(axis=-1)


def softmax(shares: Array, temperature: float) -> Array:
    """Probabilities ∝ exp(share/T) (n, K) from shares (n, K)."""
    powers = np.exp((shares - shares.max(axis=1, keepdims=True)) / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


def probabilities(scores: Array, n_classes: int, temperature: float | None = None) -> Array:
    """Class probabilities, largest for the class of the largest score.

    Without a temperature, the positive parts of the shares, scaled to sum 1; if no class has a
    positive share, all are equally likely. Two classes have a single score, the difference of their
    shares, whose sum counts as 1, also where a balance has changed it.

    Parameters
    ----------
    scores : array (n, 1) or (n, K)
        Fitted values in the code of :func:`class_codes`.
    n_classes : int
        K.
    temperature : float, optional
        T of probabilities ∝ exp(share/T), in units of shares.

    Returns
    -------
    array (n, K)
        Probabilities, rows of sum 1.
    """
    if temperature is not None:
        return softmax(class_shares(scores, n_classes), temperature)
    if n_classes == 2:
        positive = np.clip(0.5 * (1.0 + scores[:, 0]), 0.0, 1.0)
        return np.column_stack([1.0 - positive, positive])
    return normalised(class_shares(scores, n_classes), 1.0 / n_classes)


def normalised(shares: Array, fallback: Array | float) -> Array:
    """Positive parts of shares (n, K), scaled to rows of sum 1; ``fallback`` if all are 0."""
    shares = np.maximum(shares, 0.0)
    total = shares.sum(axis=1, keepdims=True)
    return np.where(total > 0, shares / np.where(total > 0, total, 1.0), fallback)


def means(shares: Array, weights: Array | None = None) -> Array:
    """Mean shares (K,) over the sample; its weights (n,) must not all be 0."""
    if weights is None:
        return shares.mean(axis=0)
    return np.einsum("i,ij->j", weights, shares) / weights.sum()


@dataclass(frozen=True, eq=False)
class Balance:
    """Affine map of the shares, share · factor + shift, towards given class frequencies.

    Attributes
    ----------
    factor, shift : arrays (K,)
    """

    factor: Array
    shift: Array

    def __call__(self, scores: Array) -> Array:
        return class_scores(class_shares(scores, len(self.shift)) * self.factor + self.shift)


def balance(
    scores: Array, prior: Array, rule: str, strength: float = 1.0, weights: Array | None = None
) -> Balance:
    """Give every class a mean share over the sample equal to its prior.

    For two classes their difference is kept, not each share. With few labels the estimate has a
    peak at each; the class with the slightly wider peak is then predicted nearly everywhere in
    between.

    Parameters
    ----------
    scores : array (n, 1) or (n, K)
        Fitted values at all samples.
    prior : array (K,)
        Required mean shares, of sum 1.
    rule : {"scale", "shift"}
        "scale" multiplies the positive parts, class mass normalisation (Zhu, Ghahramani and
        Lafferty, 2003, §4); "shift" adds a constant to each class, as an intercept would.
    strength : float, default 1
        Power of the factors of "scale"; 0 leaves the shares unchanged.
    weights : array (n,), optional
        Weights of the samples in the mean shares.

    Returns
    -------
    Balance
        A callable from scores to balanced scores.
    """
    check_choice("rule", rule, ("scale", "shift"))
    shares = class_shares(scores, len(prior))
    if rule == "shift":
        return Balance(np.ones(len(prior)), prior - means(shares, weights))
    mass = means(np.maximum(shares, 0.0), weights)
    factor = np.divide(prior, mass, out=np.ones_like(prior), where=mass > 0)
    return Balance(factor**strength, np.zeros(len(prior)))


def imposing_shifts(
    shares: Array,
    prior: Array,
    temperature: float,
    weights: Array | None = None,
    start: Array | None = None,
) -> Array:
    """Shifts s (K,) with which probabilities ∝ exp((share + s)/T) have the prior as their mean.

    Equal mean *shares* do not give the classes equal parts of the sample: where shares are nearly
    flat, a class with a slightly larger prior takes most points. The shifts are the potentials of
    entropic optimal transport from the sample to the classes, which minimise the convex function
    E log Σ_k exp((share_k + s_k)/T) − Σ_k prior_k s_k/T.

    Parameters
    ----------
    shares : array (n, K)
    prior : array (K,)
        Required class proportions, positive and of sum 1.
    temperature : float
        T, in units of the shares.
    weights : array (n,), optional
        Weights of the samples.
    start : array (K,), optional
        Guess of the shifts, by default 0.

    Returns
    -------
    array (K,)
    """
    logits = (shares - shares.max(axis=1, keepdims=True)) / temperature
    weights = np.full(len(logits), 1 / len(logits)) if weights is None else weights / weights.sum()

    @lru_cache(maxsize=1)  # the curvature is asked for at the same place as the value
    def at(shifts: tuple[float, ...]) -> tuple[Array, Array]:
        """Probabilities (n, K), and log Σ_k exp((share_k + s_k)/T), (n,)."""
        log_odds = logits + np.array(shifts)
        p = softmax(log_odds, 1.0)
        return p, log_odds.max(axis=1) - np.log(p.max(axis=1))

    def value_and_gradient(shifts: Array) -> tuple[float, Array]:
        p, log_total = at(tuple(shifts))
        return float(weights @ log_total - prior @ shifts), weights @ p - prior

    def curvature(shifts: Array) -> Array:
        p, _ = at(tuple(shifts))
        return np.diag(weights @ p + ROUNDING) - (p.T * weights) @ p  # 0 where all p are 0 or 1

    options = {"gtol": max(EXACT * prior.min(), ROUNDING), "maxiter": 50}
    shifts = np.zeros(len(prior)) if start is None else start / temperature
    result = minimize(
        value_and_gradient, shifts, method="trust-exact", jac=True, hess=curvature, options=options
    )
    return temperature * result.x
