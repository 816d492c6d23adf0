"""Classes as numbers: codes to fit, shares and scores to read, and the one rule that decodes them.

K classes are fitted by least squares on centred codes (SSL21 A.1): ±1 in one column for two
classes, one-hot − 1/K in K columns otherwise. *Scores* are values in that code; *shares* are the
same on the scale where a class has 1 and the others 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.checks import check_choice

Array = np.ndarray


def class_codes(codes: Array, n_classes: int) -> Array:
    """Centred targets (n, k): ±1 in one column for two classes, else one-hot − 1/K (SSL21 A.1)."""
    if n_classes == 2:
        return np.where(np.asarray(codes) == 1, 1.0, -1.0)[:, None]
    return np.eye(n_classes)[codes] - 1.0 / n_classes


def class_shares(scores: Array, n_classes: int) -> Array:
    """Shares (n, K) from scores in the code of :func:`class_codes`: 1 for the class, else 0."""
    if n_classes == 2:
        return 0.5 * (1.0 + np.hstack([-scores, scores]))
    return scores + 1.0 / n_classes


def class_scores(shares: Array) -> Array:
    """The inverse of :func:`class_shares`: (n, 1) for two classes, else (n, K)."""
    K = shares.shape[1]
    return shares[:, 1:] - shares[:, :1] if K == 2 else shares - 1.0 / K


def decode(scores: Array) -> Array:
    """Class codes (…,) of scores (…, 1) or (…, K): the largest, a tie going to the first class.

    One column is the score of class 1 against class 0.
    """
    if scores.shape[-1] == 1:
        return (scores[..., 0] > 0).astype(int)
    return scores.argmax(axis=-1)


def probabilities(scores: Array, n_classes: int) -> Array:
    """Least-squares class probabilities (n, K): the shares, clipped to [0, 1], rows sum to 1.

    Where no class has a positive share, all are equally likely.
    """
    if n_classes == 1:
        return np.ones((len(scores), 1))
    if n_classes == 2:
        positive = np.clip(0.5 * (1.0 + scores[:, 0]), 0.0, 1.0)
        return np.column_stack([1.0 - positive, positive])
    return normalised(class_shares(scores, n_classes), 1.0 / n_classes)


def normalised(shares: Array, fallback: Array | float) -> Array:
    """Positive parts of shares (n, K) scaled to rows of sum 1; ``fallback`` where all vanish."""
    shares = np.maximum(shares, 0.0)
    total = shares.sum(axis=1, keepdims=True)
    return np.where(total > 0, shares / np.where(total > 0, total, 1.0), fallback)


@dataclass(frozen=True, eq=False)
class Balance:
    """Affine change of the shares, share · factor + shift, that gives every class its mass.

    Attributes
    ----------
    factor, shift : arrays (K,)
    """

    factor: Array
    shift: Array

    def __call__(self, scores: Array) -> Array:
        return class_scores(class_shares(scores, len(self.shift)) * self.factor + self.shift)


def balance(scores: Array, prior: Array, rule: str) -> Balance:
    """Give every class a mean share over the sample equal to its prior.

    With few labels one class's spike may be a little wider than another's, and then wins all that
    lies between. "scale" is class mass normalisation (Zhu, Ghahramani and Lafferty, 2003, §4):
    positive parts are multiplied; "shift" adds a constant to each class, as an intercept would.

    Parameters
    ----------
    scores : array (n, 1) or (n, K), over all samples
    prior : array (K,), sums to 1
    rule : {"scale", "shift"}
    """
    check_choice("rule", rule, ("scale", "shift"))
    shares = class_shares(scores, len(prior))
    if rule == "shift":
        return Balance(np.ones(len(prior)), prior - shares.mean(axis=0))
    mass = np.maximum(shares, 0.0).mean(axis=0)
    factor = np.divide(prior, mass, out=np.ones_like(prior), where=mass > 0)
    return Balance(factor, np.zeros(len(prior)))
