"""One protocol for progress and cancelling: who computes reports, who waits listens.

    with listening(show):           # show(report) may raise Cancelled
        fit(X)                      # calls report("assembly", done, total) after every block

Without a listener a report costs nothing. A listener belongs to the thread that set it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

__all__ = ["Cancelled", "Enough", "Report", "inside", "listening", "report", "track"]


class Cancelled(Exception):
    """Raised by a listener to end the computation that reports to it."""


class Enough(Cancelled):
    """Raised by a listener to end the computation with what it has so far.

    A computation that has nothing to keep ends as by :class:`Cancelled`.
    """


@dataclass(frozen=True)
class Report:
    """How far a computation is.

    Attributes
    ----------
    what : str
        What is being done, for people.
    done, total : float
        Amount of work; total is 0 where it is not known.
    partial : object
        What can be shown already, or None.
    """

    what: str
    done: float
    total: float
    partial: object = None

    @property
    def share(self) -> float | None:
        """Part of the work that is done, in [0, 1]; None where it is not known."""
        return min(self.done / self.total, 1.0) if self.total > 0 else None


_LISTENER: ContextVar[Callable[[Report], None] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[Report], None]) -> Iterator[None]:
    """Send the reports of this thread to ``listener`` inside the block.

    Parameters
    ----------
    listener : callable
        Called with every :class:`Report`; what it raises ends the computation.
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report(what: str, done: float, total: float = 0.0, partial: object = None) -> None:
    """Tell the listener, if there is one, how far the work is."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(Report(what, done, total, partial))


@contextmanager
def inside(what: str, total: float) -> Iterator[Callable[..., None]]:
    """Report a longer work whose steps report too: what they say does not move its bar.

    Their reports can still end it.

    Parameters
    ----------
    what : str
        What the longer work does.
    total : float
        Amount of its work.

    Yields
    ------
    callable
        ``tell(done, partial=None, what=what)`` reports how far the longer work is.
    """
    listener, now = _LISTENER.get(), Report(what, 0, total)

    def tell(done: float, partial: object = None, what: str = what) -> None:
        nonlocal now
        now = Report(what, done, total)
        if listener is not None:
            listener(Report(what, done, total, partial))

    if listener is None:
        yield tell
        return
    with listening(lambda _: listener(now)):
        yield tell


def track(items: Iterable, what: str, total: float | None = None) -> Iterator:
    """Iterate over ``items`` and report after each of them; ``total`` is their number."""
    if total is None:
        total = len(items) if hasattr(items, "__len__") else 0.0
    report(what, 0, total)
    for done, item in enumerate(items, 1):
        yield item
        report(what, done, total)
