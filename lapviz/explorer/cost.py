"""How long a picture will take on this host, from a model that measures itself."""

from __future__ import annotations

import threading

from lapviz import fit
from lapviz.explorer import steps
from lapviz.explorer.settings import AUTO, Settings

_LOCK = threading.Lock()
_SPEED = {"value": 1.0}  # of this host, relative to the one that the model was fitted on
_KEEP = 0.7  # weight of older measurements
_MOST = 4.0  # a host is at most so much faster or slower; more says that the model does not hold
LONG = 1.0  # seconds that are worth measuring and announcing


def model(n: int, p: int, d: int, q: int) -> float:
    """Seconds for the forms of p functions over n rows with q directions, and for 64 modes.

    Fitted on one core: an exponential a row and function, two symmetric products a direction, and
    a Cholesky factor with a few Lanczos sweeps.
    """
    return n * p * (1.5e-8 + 2.3e-11 * p * (0.5 + min(q, 3)) + 3e-10 * d) + 6e-10 * p**3


def expected(settings: Settings) -> float:
    """Seconds that the assembly of these settings will take on this host."""
    with _LOCK:
        return _of(settings) / _SPEED["value"]


def functions(settings: Settings) -> int:
    """p, or what it will be at most where the data choose it."""
    n, p = settings.data.n_samples, settings.space.n_landmarks
    if p != AUTO:
        return min(p, n)
    if settings.energy.operator == AUTO:
        return fit.few_labels.landmarks(min(n, fit.few_labels.MOST_NODES))
    return fit.auto.landmarks(n)


def remaining(settings: Settings) -> float:
    """The same, but 0 if the assembly is in the cache."""
    known = steps.seconds_of_assembly(steps.Problem.of(settings))
    return expected(settings) if known is None else 0.0


def learn(settings: Settings) -> None:
    """Adapt to the time that the assembly of these settings took, if it was a long one."""
    problem = steps.Problem.of(settings)
    seconds = steps.seconds_of_assembly(problem)
    if seconds is None or seconds < LONG:
        return
    with _LOCK:
        if _SPEED.get("of") == problem:  # the same assembly again, from the cache
            return
        _SPEED["of"] = problem
        speed = min(max(_of(settings) / seconds, 1 / _MOST), _MOST)
        _SPEED["value"] = _SPEED["value"] ** _KEEP * speed ** (1 - _KEEP)


def _of(settings: Settings) -> float:
    n, d = settings.data.n_samples, settings.data.info.n_features
    if settings.energy.operator == AUTO:
        n = min(n, fit.few_labels.MOST_NODES)
    return model(n, functions(settings), d, d)
