"""Advice on data and settings that spoil an estimate, each with a cure."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.csgraph import connected_components

from lapviz import metrics
from lapviz.checks import stack_level
from lapviz.kernels import Kernel

Array = np.ndarray

DOMINANT = 0.95  # share of the variance above which one feature dominates all distances
NEARLY_ALL = 0.95  # share of the points above which one class takes nearly everything
USUAL = 0.8  # share of the labels above which that is to be expected
MOST_NODES = 3000  # of a graph whose connected components are computed
COMPONENT = 0.05  # share of the sample above which a component is worth a warning
FEWEST = 10  # points of which a share says something
SEEN = 5000  # rows from which spreads are computed
LEAST_ROWS = 100  # of which a single one is compared with the others
LONE = 0.5  # share of a feature's variance above which one row is worth a warning
ROWS = 500  # rows from which a width is judged
APART, ALIKE = 1e-3, 0.999  # values of k for functions that do not overlap, that are constant
FEW = 3.0  # points: a mode localised on fewer is noise
MODES = 8  # leading modes that are checked
MOVED = 0.2  # relative change of eigenvalues with half of the functions


class DataWarning(UserWarning):
    """Warning that data or settings make an estimate worse than necessary, with a cure."""


@dataclass(frozen=True)
class Advice:
    """A fault, with numbers, and its cure: in code, and by hand on a page."""

    fault: str
    cure: str
    by_hand: str

    def __str__(self) -> str:
        return f"{self.fault} {self.cure}"

    @property
    def on_a_page(self) -> str:
        """The text for users of the explorer, who have controls instead of parameters."""
        return f"{self.fault} {self.by_hand}"


def warn(all_advice: Sequence[Advice | None]) -> None:
    """Warn of everything in one text."""
    sentences = [str(advice) for advice in all_advice if advice]
    if sentences:
        warnings.warn(" ".join(sentences), DataWarning, stacklevel=stack_level())


def scales(X: Array, names: Array | None = None) -> Advice | None:
    """Advice if one feature has nearly all of the variance."""
    if X.shape[1] < 2 or len(X) < 3:
        return None
    step = max(1, len(X) // SEEN)
    spread = X[::step].astype(np.float64).std(axis=0)
    total = float((spread**2).sum())
    top = int(spread.argmax())
    others = np.delete(spread, top)
    others = others[others > 0]
    if not others.size or not np.isfinite(total) or spread[top] ** 2 < DOMINANT * total:
        return None
    rest = f"the others of {others.min():.2g} to {others.max():.2g}"
    rest = f"the other of {others[0]:.2g}" if len(others) == 1 else rest
    name = f"“{names[top]}”" if names is not None else f"{top}"
    return Advice(
        f"Feature {name} has a spread of {spread[top]:.3g}, {rest}: distances see hardly anything "
        "else.",
        "Unless that is meant, put a scaler before: make_pipeline(StandardScaler(), …).",
        "Unless that is meant, switch on “Standardise features” under “Data”; for a table of yours "
        "“Scale the features” on “Your data”.",
    )


def single_row(X: Array, names: Array | None = None) -> Advice | None:
    """Advice if one row has most of the variance of a feature, among values that mostly differ."""
    X = X[:: max(1, len(X) // SEEN)]
    if len(X) < LEAST_ROWS:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        mean, total = X.mean(axis=0, dtype=float), len(X) * X.var(axis=0, dtype=float)
        farthest = np.maximum(X.max(axis=0) - mean, mean - X.min(axis=0))
        shares = farthest**2 / np.where(total > 0, total, 1.0)
    for top in np.flatnonzero((shares > LONE) & np.isfinite(total)):
        if 2 * len(np.unique(X[:, top])) > len(X):
            name = f"“{names[top]}”" if names is not None else f"{top}"
            fault = (
                f"A single row has {100 * shares[top]:.0f} % of the variance of feature {name}, in "
                "which the others look alike."
            )
            cure = "Correct the value if it is wrong; else take logarithms or ranks of the feature."
            return Advice(fault, cure, cure)
    return None


def same_everywhere(scores: Array, n_classes: int) -> Advice | None:
    """Advice if labels of several classes give all unlabelled points the same scores (m, k)."""
    if n_classes < 2 or len(scores) < FEWEST or np.ptp(scores, axis=0).any():
        return None
    cure = "Choose a smaller λ."
    return Advice(
        "The estimate is the same at all unlabelled points: λ is so large that the filter keeps "
        "nothing of the labels.",
        cure,
        cure,
    )


def one_class(
    predicted: Array, prior: Array, classes: Array, balance: str | None = None, known: bool = False
) -> Advice | None:
    """Advice if one class takes nearly every unlabelled point, against the class proportions.

    ``balance`` is the parameter, ``known`` is True if ``prior`` was given by the user.
    """
    if len(prior) < 2 or len(predicted) < FEWEST:
        return None
    shares = np.bincount(predicted, minlength=len(prior)) / len(predicted)
    top = int(shares.argmax())
    if shares[top] < NEARLY_ALL or prior[top] > USUAL:
        return None
    scaled, origin = balance == "scale", "given" if known else "expected"
    cures = [] if scaled else ['match the class proportions by balance="scale"']
    cures += [] if known else ["give the class proportions by class_prior=, if they are known"]
    by_hand = [] if scaled else ["choose “Scale to class masses” as “Class balance”"]
    by_hand += [] if known else ["state the “Class proportions”, if they are known"]
    return Advice(
        f"Class “{classes[top]}” gets {100 * shares[top]:.0f} % of the unlabelled points, though "
        f"{100 * prior[top]:.0f} % are {origin}.",
        *(_alternatives([*texts, "label more points"]) for texts in (cures, by_hand)),
    )


def _alternatives(cures: list[str]) -> str:
    """Alternative cures as a sentence."""
    text = ", or ".join(cures)
    return f"{text[0].upper()}{text[1:]}."


def components(weights, codes: Array) -> Advice | None:
    """Advice if the graph has a large connected component without a label (a code below 0)."""
    if not issparse(weights):
        return None
    count, component = connected_components(weights, directed=False)
    sizes = np.bincount(component) / len(component)
    unlabelled = np.setdiff1d(np.arange(count), component[codes >= 0])
    large = sizes[unlabelled] >= COMPONENT
    if not large.any():
        return None
    single = len(unlabelled) == 1
    where = "it" if single else "each of them" if large.all() else "each large one"
    by = ", for example by lapviz.next_label" if codes.max() > 0 else ""  # of two classes
    return Advice(
        f"The sample falls into {count} pieces, of which {len(unlabelled)}, with "
        f"{100 * sizes[unlabelled].sum():.0f} % of the points, {'has' if single else 'have'} no "
        f"label: {'its' if single else 'their'} class can be inferred from distances only.",
        f"Label a point in {where}{by}.",
        f"Label a point in {where}; “Which point next” finds them.",
    )


def width(kernel: Kernel, X: Array, centres: Array | None) -> Advice | None:
    """Advice on a width at which functions do not overlap, or are all alike."""
    if centres is None or len(centres) < 2 or not kernel.shift_invariant:
        return None
    step = max(1, len(X) // ROWS)
    rows = X[::step].astype(np.float64)
    if (rows == rows[0]).all():  # no width helps
        return None
    values = kernel(rows, centres)
    second = np.partition(values, -2, axis=1)[:, -2]
    sigma = kernel.bandwidth
    if np.median(second) < APART:
        return Advice(
            f"σ = {sigma:.3g} is far below the distances between the points: test functions do "
            "not overlap, and nothing is learnt between them.",
            'Use bandwidth="auto" or a larger σ.',
            "Press “auto” beside σ, or choose a larger one.",
        )
    if np.median(values.min(axis=1)) > ALIKE:
        return Advice(
            f"σ = {sigma:.3g} is far above the spread of the points: all test functions are "
            "nearly constant.",
            'Use bandwidth="auto" or a smaller σ.',
            "Press “auto” beside σ, or choose a smaller one.",
        )
    return None


def localised(modes: Array, uses_mu: bool = True) -> Advice | None:
    """Advice on leading modes (n, k), without the constant, that are localised on a few points."""
    if not modes.size or len(modes) < FEWEST:
        return None
    n_points = metrics.participation(modes[:, :MODES])
    few = np.flatnonzero(n_points < FEW)
    if not few.size:
        return None
    cure = f"Take fewer test functions, or a larger σ{' or μ' * uses_mu}."
    single = len(few) == 1
    return Advice(
        f"{len(few)} of the first {len(n_points)} modes {'lives' if single else 'live'} on "
        f"{FEW:.0f} points or fewer{': it is' if single else ' each: they are'} noise of the "
        "sample.",
        cure,
        cure,
    )


def size(
    values: Array | None, gamma: Array, of_half: Array | None, n_functions: int, most: int
) -> Advice | None:
    """Advice on too many test functions or too few, never both: only too many have localised
    modes.

    Parameters
    ----------
    values : array (n, k) or None
        The leading modes at the samples, without the constant; None to skip this check.
    gamma : array (m,)
        Eigenvalues.
    of_half : array (m,) or None
        Those with every second test function; None if there are too few, or no landmarks.
    n_functions, most : int
        Number of test functions, and the largest possible one.
    """
    advice = None if values is None else localised(values)
    if advice is not None or of_half is None:
        return advice
    return too_few(gamma, of_half, n_functions, most)


def moved(gamma: Array, of_half: Array) -> float:
    """Change of the first eigenvalues with half of the test functions, over their largest."""
    m = min(len(gamma), len(of_half), MODES + 1)
    scale = gamma[1:m].max(initial=0.0)
    if m < 3 or scale <= 0:
        return 0.0
    return float(np.abs(of_half[1:m] - gamma[1:m]).max() / scale)


def too_few(gamma: Array, of_half: Array, n_functions: int, most: int) -> Advice | None:
    """Advice if half of the test functions give other eigenvalues, and more are possible."""
    change = moved(gamma, of_half)
    if change < MOVED or n_functions >= most:
        return None
    return Advice(
        f"With half of the {n_functions} test functions the first eigenvalues differ by up to "
        f"{100 * change:.0f} % of the largest: more would change them again.",
        "Raise n_landmarks, or give more landmarks.",
        "Raise p.",
    )
