"""Warnings that teach: what in the data or the settings spoils an estimate, and the cure."""

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

DOMINANT = 0.95  # share of the variance above which one feature is nearly all that distances see
NEARLY_ALL = 0.95  # share of the points above which one class takes nearly everything
USUAL = 0.8  # share of the labels from which on that is to be expected
MOST_NODES = 3000  # of a graph whose pieces are counted
PIECE = 0.05  # least share of the sample of a piece worth a word
SEEN = 5000  # rows of which the spread is taken
ROWS = 500  # looked at to judge a width
APART, ALIKE = 1e-3, 0.999  # of k: functions that do not overlap, that are constant
FEW = 3.0  # points: a mode that lives on fewer is noise
MODES = 8  # first modes looked at
MOVED = 0.2  # relative change of eigenvalues with half of the functions


class DataWarning(UserWarning):
    """The data or the settings make the estimate worse than it need be; the text says the cure."""


@dataclass(frozen=True)
class Advice:
    """What is wrong, with numbers, and the cure: in code, and by hand on a page."""

    fault: str
    cure: str
    by_hand: str

    def __str__(self) -> str:
        return f"{self.fault} {self.cure}"

    @property
    def on_a_page(self) -> str:
        """The text for people who have controls in place of parameters."""
        return f"{self.fault} {self.by_hand}"


def warn(given: Sequence[Advice | None]) -> None:
    """Warn of all that there is, in one text."""
    said = [str(advice) for advice in given if advice]
    if said:
        warnings.warn(" ".join(said), DataWarning, stacklevel=stack_level())


def scales(X: Array, names: Array | None = None) -> Advice | None:
    """One feature has nearly all the variance."""
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
    name = f"“{names[top]}”" if names is not None else f"{top}"
    return Advice(
        f"Feature {name} has a spread of {spread[top]:.3g}, the others of {others.min():.2g} to "
        f"{others.max():.2g}: distances see hardly anything else.",
        "Unless that is meant, put a scaler before: make_pipeline(StandardScaler(), …).",
        "Unless that is meant, switch on “Standardise features” under “Data”.",
    )


def one_class(
    guesses: Array, prior: Array, classes: Array, balance: str | None = None, known: bool = False
) -> Advice | None:
    """One class takes nearly every unlabelled point, and has no such share of the labels.

    ``balance`` is the one that is set, ``known`` whether the shares were given.
    """
    if len(prior) < 2 or not len(guesses):
        return None
    shares = np.bincount(guesses, minlength=len(prior)) / len(guesses)
    top = int(shares.argmax())
    if shares[top] < NEARLY_ALL or prior[top] > USUAL:
        return None
    scaled = balance == "scale"
    cures = [] if scaled else ['give classes their share by balance="scale"']
    cures += [] if known else ["name the shares of the classes by class_prior=, if they are known"]
    by_hand = [] if scaled else ["choose “Scale to class masses” as “Class balance”"]
    return Advice(
        f"Class “{classes[top]}” gets {100 * shares[top]:.0f} % of the unlabelled points, though "
        f"it has {100 * prior[top]:.0f} % of {'class_prior' if known else 'the labels'}.",
        *(_either([*ways, "label more points"]) for ways in (cures, by_hand)),
    )


def _either(ways: list[str]) -> str:
    """Ways out as a sentence."""
    text = ", or ".join(ways)
    return f"{text[0].upper()}{text[1:]}."


def components(weights, labelled: Array) -> Advice | None:
    """The graph falls into pieces, and a large one has no label."""
    if not issparse(weights):
        return None
    count, piece = connected_components(weights, directed=False)
    sizes = np.bincount(piece) / len(piece)
    bare = np.setdiff1d(np.flatnonzero(sizes >= PIECE), piece[labelled])
    if not bare.size:
        return None
    return Advice(
        f"The sample falls into {count} pieces, and {len(bare)} of them, with "
        f"{100 * sizes[bare].sum():.0f} % of the points, hold no label: nothing but distance tells "
        "their class.",
        "Label a point in each, for example by lapviz.next_label.",
        "Label a point in each; “Which point next” finds them.",
    )


def width(kernel: Kernel, X: Array, centres: Array | None) -> Advice | None:
    """A width at which functions do not overlap, or are all alike."""
    if centres is None or len(centres) < 2 or not kernel.shift_invariant:
        return None
    step = max(1, len(X) // ROWS)
    values = kernel(X[::step].astype(np.float64), centres)
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


def localised(modes: Array) -> Advice | None:
    """Leading modes (n, k), without the constant, that live on a few points."""
    if not modes.size:
        return None
    points = metrics.participation(modes[:, :MODES])
    few = np.flatnonzero(points < FEW)
    if not few.size:
        return None
    cure = "Take fewer test functions, or a larger σ or μ."
    one = len(few) == 1
    return Advice(
        f"{len(few)} of the first {len(points)} modes {'lives' if one else 'live'} on fewer than "
        f"{FEW:.0f} points{': it is' if one else ' each: they are'} noise of the sample.",
        cure,
        cure,
    )


def size(
    values: Array | None, gamma: Array, of_half: Array | None, n_functions: int, most: int
) -> Advice | None:
    """Too many test functions or too few, never both: the more, the more modes of single points.

    Parameters
    ----------
    values : array (n, k) or None
        The leading modes at the samples, without the constant; None if nobody looks at them.
    gamma : array (m,)
        Eigenvalues.
    of_half : array (m,) or None
        Those with every second test function; None if there are too few, or no landmarks.
    n_functions, most : int
        How many test functions there are, and can be.
    """
    said = None if values is None else localised(values)
    if said is not None or of_half is None:
        return said
    return too_few(gamma, of_half, n_functions, most)


def moved(gamma: Array, of_half: Array) -> float:
    """By how much half of the test functions change the first eigenvalues, over their largest."""
    m = min(len(gamma), len(of_half), MODES + 1)
    scale = gamma[1:m].max(initial=0.0)
    if m < 3 or scale <= 0:
        return 0.0
    return float(np.abs(of_half[1:m] - gamma[1:m]).max() / scale)


def too_few(gamma: Array, of_half: Array, n_functions: int, most: int) -> Advice | None:
    """Half of the test functions give other eigenvalues, and there can be more than all."""
    change = moved(gamma, of_half)
    if change < MOVED or n_functions >= most:
        return None
    return Advice(
        f"With half of the {n_functions} test functions the first eigenvalues differ by up to "
        f"{100 * change:.0f} % of the largest: more would change them again.",
        "Raise n_landmarks.",
        "Raise p.",
    )
