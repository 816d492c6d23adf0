"""Progress and cancellation: a computation reports, and a listener may cancel it.

    with listening(show):           # show(report) may raise Cancelled
        fit(X)                      # calls report("assembly", done, total) after every block

In a terminal:

    with bar():                     # tqdm's, if installed
        fit(X)                      # or set an estimator's verbose=True

Reports cost nothing without a listener. A listener belongs to the thread that set it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TextIO, TypeVar

__all__ = ["Cancelled", "Report", "StopEarly", "bar", "inside", "listening", "report", "shown",
           "step", "track"]  # fmt: skip

PAUSE = 0.2  # seconds between two lines of text
LOG_PAUSE = 30.0  # the same in a file, where lines are not overwritten
LONG = 1.0  # seconds from which the bar of a finished task stays on the screen

Item = TypeVar("Item")


class Cancelled(Exception):
    """Raised by a listener to end the computation that reports to it."""


class StopEarly(Cancelled):
    """Raised by a listener to end the computation with its result so far.

    A computation without a partial result is cancelled.
    """


@dataclass(frozen=True)
class Report:
    """Progress of a computation.

    Attributes
    ----------
    what : str
        The current step, for users.
    done, total : float
        Amount of work; total is 0 if it is unknown.
    partial : object
        A partial result to show, or None.
    """

    what: str
    done: float
    total: float
    partial: object = None

    @property
    def share(self) -> float | None:
        """Fraction of the work that is done, in [0, 1]; None if it is unknown."""
        return min(self.done / self.total, 1.0) if self.total > 0 else None


_LISTENER: ContextVar[Callable[[Report], None] | None] = ContextVar("listener", default=None)
_INSIDE: ContextVar[bool] = ContextVar("inside", default=False)


@contextmanager
def listening(listener: Callable[[Report], None]) -> Iterator[None]:
    """Send the reports of this thread to ``listener`` inside the block.

    Parameters
    ----------
    listener : callable
        Called with every :class:`Report`; an exception that it raises ends the computation.
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report(what: str, done: float, total: float = 0.0, partial: object = None) -> None:
    """Report progress to the listener, if there is one.

    Parameters
    ----------
    what : str
        The current step, for users.
    done : float
        Amount of work done.
    total : float, default 0
        Total amount of work; 0 if it is unknown.
    partial : object, optional
        A partial result to show.
    """
    listener = _LISTENER.get()
    if listener is not None:
        listener(Report(what, done, total, partial))


@contextmanager
def inside(what: str, total: float) -> Iterator[Callable[..., None]]:
    """Report a longer task whose steps report too; their reports do not move its bar.

    The listener can still end the task at each of them.

    Parameters
    ----------
    what : str
        The longer task.
    total : float
        Amount of its work.

    Yields
    ------
    callable
        ``report_progress(done, partial=None, what=what)`` reports the progress of the task.
    """
    listener, latest = _LISTENER.get(), Report(what, 0, total)

    def report_progress(done: float, partial: object = None, what: str = what) -> None:
        nonlocal latest
        latest = Report(what, done, total)
        if listener is not None:
            listener(Report(what, done, total, partial))

    if listener is None:
        yield report_progress
        return
    token = _INSIDE.set(True)
    try:
        with listening(lambda _: listener(latest)):
            yield report_progress
    finally:
        _INSIDE.reset(token)


def step(
    what: str,
    done: float,
    total: float = 0.0,
    partial: object = None,
    callback: Callable[..., object] | None = None,
) -> bool:
    """Report a step of a task that can stop early and keep its result so far.

    Parameters
    ----------
    what : str
        The current step, for users.
    done : float
        Amount of work done.
    total : float, default 0
        Total amount of work; 0 if it is unknown.
    partial : object
        Argument of ``callback``.
    callback : callable, optional
        From the caller; returning True ends the task.

    Returns
    -------
    bool
        Whether to stop: the callback returned True, or a listener raised :class:`StopEarly`. Inside
        a longer task (:func:`inside`) the exception is passed on, for that task to decide.
    """
    stop = callback is not None and bool(callback(partial))
    try:
        report(what, done, total)
    except StopEarly:
        if _INSIDE.get():
            raise
        return True
    return stop


def track(items: Iterable[Item], what: str, total: float | None = None) -> Iterator[Item]:
    """Iterate over items and report after each of them.

    Parameters
    ----------
    items : iterable
        Items to work on.
    what : str
        The current step, for users.
    total : float, optional
        Number of items; by default their length, if they have one.

    Yields
    ------
    object
        Each of the items.
    """
    if total is None:
        total = len(items) if isinstance(items, Sized) else 0.0
    report(what, 0, total)
    for done, item in enumerate(items, 1):
        yield item
        report(what, done, total)


@contextmanager
def bar(file: TextIO | None = None, *, plain: bool = False) -> Iterator[None]:
    """Show the reports of this thread in a terminal while the block runs.

    Parameters
    ----------
    file : text stream, optional
        The error stream by default.
    plain : bool, default False
        Whether to write a line of text even if tqdm is installed.

    Examples
    --------
    >>> import sys
    >>> from lapviz import GalerkinEmbedding, datasets, progress
    >>> X = datasets.load("half_moons", n_samples=300).X
    >>> with progress.bar():
    ...     embedding = GalerkinEmbedding(n_components=4, random_state=0).fit(X)
    """
    screen: TextIO = sys.stderr if file is None else file
    try:
        display = TextLine(screen) if plain else _Tqdm(screen)
    except ImportError:
        display = TextLine(screen)
    with closing(display), listening(display):
        yield


@contextmanager
def shown(verbose: bool | int) -> Iterator[None]:
    """Show the reports of this thread in a terminal if ``verbose`` and there is no listener yet.

    Parameters
    ----------
    verbose : bool or int
        Whether to show them.
    """
    if not verbose or _LISTENER.get() is not None:
        yield
        return
    with bar():
        yield


class TextLine:
    """A listener that writes one line and overwrites it: amount, time spent, time left.

    In a file, a new line twice a minute and at the end of each task.
    """

    def __init__(self, file: TextIO):
        self._overwrites = file.isatty()
        self._pause = PAUSE if self._overwrites else LOG_PAUSE
        self._file, self._what, self._first = file, "", 0.0
        self._start, self._last, self._open = time.monotonic(), float("-inf"), False

    def __call__(self, report: Report) -> None:
        time_now = time.monotonic()
        if report.what != self._what or self._last == float("-inf"):
            self._what, self._first, self._start = report.what, report.done, time_now
        elif time_now - self._last < self._pause and (report.share or 0.0) < 1.0:
            return
        self._last = time_now
        spent, progress = time_now - self._start, report.done - self._first
        total = f" of {report.total:g}" if report.total else ""
        line = f"{report.done:g}{total} {report.what}, {spent:.0f} s"
        if report.total and progress > 0:
            line += f", about {spent * (report.total - report.done) / progress:.0f} s left"
        self._file.write(f"\r{line:<60}" if self._overwrites else f"{line}\n")
        self._file.flush()
        self._open = self._overwrites

    def close(self) -> None:
        """End the line."""
        if self._open:
            self._file.write("\n")
            self._file.flush()


class _Tqdm:
    """A listener that shows tqdm's bar, a new one for each task."""

    def __init__(self, file: TextIO):
        from tqdm import tqdm

        self._make, self._file, self._what, self._bar = tqdm, file, "", None
        self._start = time.monotonic()

    def __call__(self, report: Report) -> None:
        total = report.total or None
        if self._bar is None or report.what != self._what:
            self.close()
            self._what, self._start = report.what, time.monotonic()
            self._bar = self._make(total=total, desc=report.what, file=self._file)
        elif report.done < self._bar.n:  # the same task again
            self._bar.reset(total)
        self._bar.total = total
        self._bar.update(report.done - self._bar.n)

    def close(self) -> None:
        """Leave the full bar of a task that took a while; clear others."""
        if self._bar is not None:
            full = bool(self._bar.total) and self._bar.n >= self._bar.total
            self._bar.leave = full and time.monotonic() - self._start > LONG
            self._bar.close()
            self._bar = None
