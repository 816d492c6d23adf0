"""The host's queue: as many computations at once as there are cores, short ones before long ones.

Sixteen computations at once would all be late, and hold sixteen times the memory. Durations are
not known in advance, so the job that has computed least goes first. Computing times are compared in
powers of two, so that jobs of equal length finish one after the other. One extra slot is reserved
for the first moment of a new job, which thus never waits for a long job to report. Time spent
waiting improves the rank, so no job starves; that before earlier slices offsets up to half of the
computing, so that a job does not start from the back after each slice, and short ones still go
first. Long runs take turns, whatever their computing time. A job that nobody asks about goes last.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial

from lapviz import progress
from lapviz._threads import cores

MOMENT = 0.5  # seconds for which a new job may use the extra slot
SLICE = 0.25  # seconds for which a job keeps its slot before it may yield
CREDIT = 0.5  # seconds of computing that one second of waiting offsets
LONG = 60.0  # seconds of computing by which every long run is ranked
LEFT = 5.0  # seconds since it was last asked about, after which a job goes last
UNASKED = 90.0  # seconds after which such a job ends; hidden tabs ask once a minute
UNASKED_RUN = 900.0  # the same for a long run, which goes on while its visitor is on other pages
LOOK = 0.25  # seconds between two checks whether a waiting job is still wanted


class Job:
    """One computation in a thread of its own.

    When it reports progress (:mod:`lapviz.progress`), it can be cancelled, and may yield its slot.

    Parameters
    ----------
    function : callable
    *arguments : hashable
    long_running : bool
        Whether this is a run of many parts, which takes turns with other long runs.
    queue : Queue, optional
        By default the host's.

    Attributes
    ----------
    work : tuple
        The function and its arguments.
    state : {"running", "done", "failed", "cancelled"}
    report : Report or None
        The last progress report.
    partial : object
        The last partial result that was reported, or None.
    abandoned : bool
        Whether the job has ended because nobody asked about it.
    """

    def __init__(
        self,
        function: Callable,
        *arguments: object,
        long_running: bool = False,
        queue: Queue | None = None,
    ):
        self.work = (function, *arguments)
        self.state, self.report, self.partial = "running", None, None
        self.abandoned, self.long_running = False, long_running
        self._value: object = None
        self._error: BaseException | None = None
        self._queue, self._end, self._stop_early = queue or QUEUE, threading.Event(), False
        self.started = self.asked = self._phase = time.monotonic()
        self._before = 0.0  # share of the current phase that was done when it began
        self._ended: float | None = None
        # For the queue: start of the current waiting or computing; time with a slot, and without.
        self.since, self.spent, self.waited, self.waiting = self.started, 0.0, 0.0, False

    def start(self) -> Job:
        """Start the thread, which waits for a slot."""
        threading.Thread(target=self._run, args=self.work, name="lapviz-job", daemon=True).start()
        return self

    @property
    def seconds(self) -> float:
        """Seconds since the start, up to the end."""
        return (self._ended or time.monotonic()) - self.started

    @property
    def share(self) -> float:
        """Share of the current phase that is done; 0 if it is unknown."""
        return (self.report and self.report.share) or 0.0

    @property
    def left(self) -> float | None:
        """Estimated seconds left of the current phase; None while nothing of it is computed."""
        elapsed, computed = time.monotonic() - self._phase, self.share - self._before
        return elapsed * (1 - self.share) / computed if computed > 0 else None

    @property
    def position(self) -> int:
        """Position in the queue, from 1; 0 while it computes."""
        return self._queue.position(self)

    def cancel(self) -> None:
        """Cancel the job: it ends at its next report, or before it starts."""
        if self.state == "running":
            self.state = "cancelled"

    def discard(self) -> None:
        """Cancel the job and drop its results: a button's callback may still hold the job.

        And its error, whose traceback holds what the function worked on.
        """
        self.cancel()
        self.work, self._value, self._error, self.partial = (), None, None, None

    def stop_early(self) -> None:
        """End the job at its next report; it may return what it has learnt so far."""
        self._stop_early = True

    def wait(self, seconds: float) -> bool:
        """Wait for the end for at most so many seconds; return whether the job has ended."""
        self.asked = time.monotonic()
        return self._end.wait(seconds) or self.state == "cancelled"

    def result(self) -> object:
        """Return the function's value, or raise its error or Cancelled.

        Raises
        ------
        RuntimeError
            If the job is still running.
        """
        if self.state == "cancelled":
            raise progress.Cancelled
        if self.state == "failed":
            raise self._error
        if self.state == "running":
            raise RuntimeError("The job is still running: wait for it.")
        return self._value

    def check(self) -> None:
        """End the job if it is no longer wanted.

        Raises
        ------
        Cancelled
        """
        patience = UNASKED_RUN if self.long_running else UNASKED
        self.abandoned |= time.monotonic() - self.asked > patience
        if self.state == "cancelled" or self.abandoned:
            raise progress.Cancelled

    def computed(self, now: float) -> float:
        """Seconds of computing so far."""
        return self.spent if self.waiting else self.spent + now - self.since

    def rank(self, now: float) -> tuple:
        """Sort key of the queue; smaller goes first."""
        waited = now - self.since if self.waiting else 0.0
        if self.long_running:
            computed, turn = LONG, -waited
        else:
            computed, turn = self.computed(now), self.started
            computed -= min(CREDIT * self.waited, computed / 2)
        doublings = int(math.log2(1 + max(computed - CREDIT * waited, 0.0) / MOMENT))
        return now - self.asked > LEFT, doublings, turn

    def _listen(self, report: progress.Report) -> None:
        if self.report is None or report.what != self.report.what:
            self._phase, self._before = time.monotonic(), report.share or 0.0
        self.report = report
        if report.partial is not None:
            self.partial = report.partial
        self.check()
        self._queue.yield_slot(self)
        if self._stop_early:
            self._stop_early = False  # once: the rest only wraps up what has been computed
            raise progress.StopEarly

    def _run(self, function: Callable, *arguments: object) -> None:
        state, value = "done", None
        try:
            with self._queue.slot(self), progress.listening(self._listen):
                value = function(*arguments)
        except progress.Cancelled:
            state = "cancelled"
        except Exception as error:
            self._error, state = error, "failed"
        self._ended = time.monotonic()
        if self.state == "running":  # else cancelled: a later result is not wanted
            self._value, self.state = value, state
        self._end.set()


class Queue:
    """A fixed number of slots, and the jobs that wait for one.

    Parameters
    ----------
    slots : int
        Number of simultaneous jobs; one more may run in its first moment.
    """

    def __init__(self, slots: int):
        self.slots = slots
        self.running: set[Job] = set()
        self.waiting: set[Job] = set()
        self._changed = threading.Condition()

    @contextmanager
    def slot(self, job: Job) -> Iterator[None]:
        """Hold a slot inside the block; an error of ``job.check`` ends the wait for it."""
        current = _CURRENT.set(partial(self.without_slot, job))
        try:
            self._enter(job)
            yield
        finally:
            self._leave(job)
            _CURRENT.reset(current)

    @contextmanager
    def without_slot(self, job: Job) -> Iterator[None]:
        """Release the slot inside the block."""
        self._leave(job)
        try:
            yield
        finally:
            self._enter(job)

    def yield_slot(self, job: Job) -> None:
        """Let waiting jobs of lower rank go first.

        The extra slot is released by any running job that has had its first moment.
        """
        with self._changed:
            now = time.monotonic()
            uses_extra = len(self.running) > self.slots and job.computed(now) >= MOMENT
            outranked = now - job.since >= SLICE and any(
                other.rank(now) < job.rank(now) for other in self.waiting
            )
        if uses_extra or outranked:
            with self.without_slot(job):
                pass

    def position(self, job: Job) -> int:
        """Position of a job among those that wait, from 1; 0 if it computes."""
        with self._changed:
            now = time.monotonic()
            ahead = sum(other.rank(now) < job.rank(now) for other in self.waiting)
            return 1 + ahead if job.waiting else 0

    def long_runs(self) -> int:
        """Number of long runs, including those that wait."""
        with self._changed:
            return sum(job.long_running for job in self.running | self.waiting)

    def _enter(self, job: Job) -> None:
        with self._changed:
            job.waiting, job.since = True, time.monotonic()
            self.waiting.add(job)
            try:
                while not self._is_next(job):
                    self._changed.wait(LOOK)
                    job.check()
                self.running.add(job)
            finally:
                self.waiting.discard(job)
                job.waited += time.monotonic() - job.since
                job.waiting, job.since = False, time.monotonic()
                self._changed.notify_all()

    def _leave(self, job: Job) -> None:
        with self._changed:
            if job in self.running:  # else it was cancelled while it waited
                self.running.discard(job)
                job.spent += time.monotonic() - job.since
                self._changed.notify_all()

    def _is_next(self, job: Job) -> bool:
        """Whether a slot is free, and this job is the first of those that may take it."""
        if len(self.running) < self.slots:
            candidates = self.waiting
        elif len(self.running) == self.slots and job.spent < MOMENT:
            candidates = {other for other in self.waiting if other.spent < MOMENT}
        else:
            return False
        now = time.monotonic()
        return job is min(candidates, key=lambda other: other.rank(now))


QUEUE = Queue(max(cores(), 2))
_CURRENT: ContextVar[Callable[[], AbstractContextManager]] = ContextVar("job", default=nullcontext)


def slot_released() -> AbstractContextManager:
    """Release this thread's slot, if it has one, while it only waits for another thread.

    Otherwise the jobs that wait for a computation could hold all slots, and that computation none.
    """
    return _CURRENT.get()()
