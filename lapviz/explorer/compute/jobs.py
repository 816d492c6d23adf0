"""Computations of a session beside its script, so that a page always answers.

A job runs in a thread of its own; its computation reports progress (:mod:`lapviz.progress`), and
each report is also where it can be cancelled. Each place of a page (a name) has one job: to ask
for other work there ends the older one. A job that no page asks about any more ends by itself. All
visitors' jobs pass the host's gate (:mod:`lapviz.explorer.compute.gate`): few run at the same time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import streamlit as st

from lapviz import progress
from lapviz.explorer.compute.gate import GATE, Ticket

_JOBS = "lapviz_jobs"
UNASKED = 90.0  # seconds after which a job ends of which nobody asks; hidden tabs ask every minute


class Job:
    """One computation in a thread.

    Parameters
    ----------
    function : callable
    arguments : hashable
    patience : float, optional
        Seconds after which it ends if nobody asks about it; by default UNASKED.
    steady : bool
        A long run of many parts, which takes turns with others such.

    Attributes
    ----------
    work : tuple
        The function and its arguments.
    state : {"running", "done", "failed", "cancelled"}
    report : Report or None
        The last one.
    partial : object
        The last partial result that was reported, or None.
    abandoned : bool
        Whether it has ended because nobody asked about it.
    """

    def __init__(
        self,
        function: Callable,
        *arguments: object,
        patience: float | None = None,
        steady: bool = False,
    ):
        self.work = (function, *arguments)
        self.state, self.report, self.partial = "running", None, None
        self._value: object = None
        self._patience = patience
        self._error: BaseException | None = None
        self.abandoned = False
        self._end, self._stop = threading.Event(), threading.Event()
        self._enough = threading.Event()
        self.started = self.asked = self._since = time.monotonic()
        self._ended: float | None = None
        self._ticket = Ticket(lambda: self.asked, self._check, steady)
        threading.Thread(target=self._run, name="lapviz-job", daemon=True).start()

    @property
    def seconds(self) -> float:
        """How long it has taken so far, or took."""
        return (self._ended or time.monotonic()) - self.started

    @property
    def left(self) -> float | None:
        """Seconds left, from the share that is done; None where that is not known yet."""
        share = self.report.share if self.report else None
        spent = time.monotonic() - self._since  # on what is being done now
        return spent * (1 - share) / share if share else None

    @property
    def line(self) -> int:
        """Its number in the line while it waits for its turn, from 1; 0 while it computes."""
        return GATE.line(self._ticket)

    @property
    def before(self) -> int:
        """How many computations go first, while it waits for its turn."""
        return max(self.line - 1, 0)

    def cancel(self) -> None:
        """End it at its next report, or before it starts."""
        self._stop.set()
        if self.state == "running":
            self.state = "cancelled"

    def enough(self) -> None:
        """End it at its next report, with what it has learnt so far where it can keep that."""
        self._enough.set()

    def wait(self, seconds: float) -> bool:
        """Wait for its end for at most that long; whether it has ended."""
        self.asked = time.monotonic()
        return self._end.wait(seconds) or self.state == "cancelled"

    def result(self) -> object:
        """Its value; raises what it raised, or Cancelled.

        Raises
        ------
        RuntimeError
            If it is still running.
        """
        if self.state == "cancelled":
            raise progress.Cancelled
        if self.state == "failed":
            raise self._error
        if self.state == "running":
            raise RuntimeError("The job is still running: wait for it.")
        return self._value

    def _hear(self, report: progress.Report) -> None:
        if self.report is None or report.what != self.report.what:
            self._since = time.monotonic()
        self.report = report
        if report.partial is not None:
            self.partial = report.partial
        self._check()
        GATE.give_way(self._ticket)
        if self._enough.is_set():
            self._enough.clear()  # once: what follows only wraps up what is there
            raise progress.Enough

    def _check(self) -> None:
        patience = UNASKED if self._patience is None else self._patience
        self.abandoned |= time.monotonic() - self.asked > patience
        if self._stop.is_set() or self.abandoned:
            raise progress.Cancelled

    def _run(self) -> None:
        function, *arguments = self.work
        state = "done"
        try:
            with GATE.turn(self._ticket), progress.listening(self._hear):
                self._value = function(*arguments)
        except progress.Cancelled:
            state = "cancelled"
        except Exception as error:
            self._error, state = error, "failed"
        self._ended = time.monotonic()
        if self.state == "running":  # a result that came after the cancel is not wanted
            self.state = state
        self._end.set()


def ask(
    name: str,
    function: Callable,
    *arguments: object,
    patience: float | None = None,
    steady: bool = False,
) -> Job:
    """The job of a place of this session's page; started if its work is new, or was abandoned:
    a computer may have slept.

    Parameters
    ----------
    name : str
        The place.
    function : callable
        Must not call Streamlit.
    arguments : hashable
        What it is called with; they say whether the work is new.
    patience : float, optional
        Seconds after which it ends if nobody asks about it; by default UNASKED.
    steady : bool
        A long run of many parts, which takes turns with others such.
    """
    jobs = st.session_state.setdefault(_JOBS, {})
    job = jobs.get(name)
    if job is None or job.abandoned or job.work != (function, *arguments):
        if job is not None:
            job.cancel()
        job = jobs[name] = Job(function, *arguments, patience=patience, steady=steady)
    return job


def known(name: str) -> Job | None:
    """The job of a place, whatever its state."""
    return st.session_state.get(_JOBS, {}).get(name)


def running(name: str) -> Job | None:
    """The job of a place, if it has one that runs."""
    job = st.session_state.get(_JOBS, {}).get(name)
    return job if job is not None and job.state == "running" else None


def forget(name: str) -> None:
    """End the job of a place, if there is one, and forget its result."""
    job = st.session_state.get(_JOBS, {}).pop(name, None)
    if job is not None:
        job.cancel()
