"""Each method against the closed-form spectrum and eigenspaces, where these are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import graphs, metrics
from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.eigenfunctions.methods import N_MODES, Functions, learnt, other
from lapviz.explorer.pages.eigenfunctions.neural import Network
from lapviz.explorer.scene.placement import drawn_rows
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import SHOWN
from lapviz.progress import track

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Judged:
    """One method's errors.

    ``error`` is E_S (GAL23 eq. 21) over the complete eigenspaces among the first 17 eigenvalues;
    ``angles`` (degrees) the largest principal angle of each of them, or empty where the true
    functions are not known; ``why`` a sentence in place of both.
    """

    method: str
    error: float | None
    angles: tuple[float, ...] = ()
    why: str = ""


@dataclass(frozen=True, eq=False)
class Judgement:
    """What is known of the truth, and every method beside it.

    ``spaces`` are the true eigenvalues with their multiplicities.
    """

    spaces: tuple[tuple[float, int], ...]
    methods: tuple[Judged, ...]
    scaled: bool
    note: str = ""


def known_eigenvalues(settings: Settings) -> Array | None:
    """The true eigenvalues for the operator in use; None if they are not known."""
    truth = points.sample(settings.data).truth
    ambient = settings.energy.operator == "laplacian"
    tangential = settings.energy.operator in ("tangent", "known")
    fits = {"laplacian": ambient, "tangent": tangential}.get(truth.operator, ambient or tangential)
    return np.array(truth.eigenvalues) if truth.eigenvalues is not None and fits else None


def judge(settings: Settings, network: Network | None = None) -> Judgement:
    """Errors of all methods on these points; the network's if it is trained.

    Raises
    ------
    ValueError
        If the true eigenvalues are not known for the operator in use.
    """
    settings = fits.for_modes(settings)
    truth, gamma = points.sample(settings.data).truth, known_eigenvalues(settings)
    if gamma is None:
        raise ValueError(_unknown(settings))
    count, whole = _complete(gamma, N_MODES)
    names = [name for name in SHOWN if name != "neural" or network is not None]
    rows = drawn_rows(len(points.sample(settings.data).X))
    methods, scaled = [], False
    for name in track(names, "comparing"):
        try:
            own = learnt(settings)
            found = own if name == "learnt" else other(settings, name, own.gamma, network)
            methods.append(_judged(settings, SHOWN[name], found, gamma[:count], rows, whole))
            scaled |= found.scaled
        except (ValueError, MemoryError) as error:
            methods.append(Judged(SHOWN[name], None, why=str(error)))
    note = ""
    if truth.functions is None:
        note = "The true eigenfunctions are not known here, the eigenvalues are: E_S alone."
    elif not whole:
        note = f"The first {count} eigenfunctions hold no whole eigenspace: E_S alone."
    spaces = tuple((float(g), int(m)) for g, m in zip(*_groups(gamma[:count]), strict=True))
    return Judgement(spaces, tuple(methods), scaled, note)


def _judged(settings, title, found: Functions, gamma: Array, rows: Array, whole: bool) -> Judged:
    data, count = points.sample(settings.data), len(gamma)
    theirs = found.gamma[:count]
    if found.scaled:  # a graph's eigenvalues are known up to a factor: the kindest one
        theirs = theirs * graphs.match_scale(theirs, gamma)
    error = metrics.spectral_error(gamma, theirs)
    if data.truth.functions is None or not whole or len(theirs) < count:
        return Judged(title, error)
    if found.rows is not None:  # where the method itself has values
        rows = found.rows[drawn_rows(len(found.rows))]
    values, true = found.on_samples(data.X, rows, count), data.truth.functions(data.X[rows], count)
    angles = metrics.eigenspace_angles(gamma, true, values)
    return Judged(title, error, tuple(float(np.degrees(a.angle)) for a in angles))


def _groups(gamma: Array) -> tuple[Array, Array]:
    starts = np.flatnonzero(np.append(True, np.diff(gamma) > 1e-8 * (1 + gamma[:-1])))
    return gamma[starts], np.diff(np.append(starts, len(gamma)))


def _complete(gamma: Array, most: int) -> tuple[int, bool]:
    """How many of the first eigenvalues make up whole eigenspaces, and whether any do."""
    ends = np.cumsum(_groups(gamma)[1])[:-1]  # the last one may go on beyond the list
    fitting = ends[ends <= most]
    return (int(fitting[-1]), True) if len(fitting) > 1 else (min(most, len(gamma)), False)


def _unknown(settings: Settings) -> str:
    truth = points.sample(settings.data).truth
    if truth.eigenvalues is None:
        return truth.note or "The true eigenvalues of these data are not known."
    of = "ambient gradient" if truth.operator == "laplacian" else "tangential gradient"
    return (
        f"The true eigenvalues of these data are those of the {of}: choose it under “Gradient” to "
        "compare."
    )
