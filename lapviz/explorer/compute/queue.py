"""The host's queue: as many computations at once as there are cores, short ones before long ones.

Sixteen computations at once would all be late, and hold sixteen times the memory. How long one will
take nobody knows: who has computed least so far goes first, in steps of twice the time, so that
equals end one after the other. One more slot is for the first moment of a new one, which so never
waits for a long one between two of its reports. Waiting counts: nobody is passed for ever. Long
runs take turns, however long each has gone on. A job that nobody asks about goes last.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from lapviz import progress
from lapviz._threads import cores

MOMENT = 0.5  # first seconds of a computation, for which there is one slot more
SLICE = 0.25  # seconds that a slot is held before it is yielded
CREDIT = 0.5  # seconds of computing that a second of waiting makes up for
LONG = 60.0  # seconds that a long run counts as having had, however long it has gone on
LEFT = 5.0  # seconds without a question, after which a job goes last
UNASKED = 90.0  # seconds after which a job ends of which nobody asks; hidden tabs ask every minute
LOOK = 0.25  # seconds between two looks at whether a waiting computation is still wanted
_NUMBERS = itertools.count()


class Job:
    """One computation in a thread, beside the script of a session.

    It reports progress (:mod:`lapviz.progress`); each report is also where it can be cancelled, and
    where it yields its slot.

    Parameters
    ----------
    function : callable
    *arguments : hashable
    patience : float, optional
        Seconds after which it ends if nobody asks about it; by default UNASKED.
    long_running : bool
        A run of many parts, which takes turns with others such.
    queue : Queue, optional
        The host's by default.

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
        long_running: bool = False,
        queue: Queue | None = None,
    ):
        self.work = (function, *arguments)
        self.state, self.report, self.partial = "running", None, None
        self.abandoned, self.long_running = False, long_running
        self._value: object = None
        self._error: BaseException | None = None
        self._patience, self._queue = patience, queue or QUEUE
        self._end, self._stop, self._stop_early = (threading.Event() for _ in range(3))
        self.started = self.asked = self._phase = time.monotonic()
        self._ended: float | None = None
        # For the queue: its number, when it began to wait or got its slot, seconds with a slot.
        self.number, self.since, self.spent, self.waiting = next(_NUMBERS), self.started, 0.0, False

    def start(self) -> Job:
        """Let it begin as soon as a slot is free."""
        threading.Thread(target=self._run, args=self.work, name="lapviz-job", daemon=True).start()
        return self

    @property
    def seconds(self) -> float:
        """How long it has taken so far, or took."""
        return (self._ended or time.monotonic()) - self.started

    @property
    def left(self) -> float | None:
        """Seconds left, from the share that is done; None where that is not known yet."""
        share = self.report.share if self.report else None
        spent = time.monotonic() - self._phase  # on what is being done now
        return spent * (1 - share) / share if share else None

    @property
    def position(self) -> int:
        """Its number in the queue while it waits, from 1; 0 while it computes."""
        return self._queue.position(self)

    @property
    def ahead(self) -> int:
        """How many computations go first, while it waits."""
        return max(self.position - 1, 0)

    def cancel(self) -> None:
        """End it at its next report, or before it starts."""
        self._stop.set()
        if self.state == "running":
            self.state = "cancelled"

    def discard(self) -> None:
        """End it, and keep nothing of it: the callback of a button may still hold the job."""
        self.cancel()
        self.work, self._value, self.partial = (), None, None

    def stop_early(self) -> None:
        """End it at its next report, with what it has learnt so far where it can keep that."""
        self._stop_early.set()

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

    def check(self) -> None:
        """End it if it is no longer wanted.

        Raises
        ------
        Cancelled
        """
        patience = UNASKED if self._patience is None else self._patience
        self.abandoned |= time.monotonic() - self.asked > patience
        if self._stop.is_set() or self.abandoned:
            raise progress.Cancelled

    def computed(self, now: float) -> float:
        """Seconds with a slot so far."""
        return self.spent if self.waiting else self.spent + now - self.since

    def rank(self, now: float) -> tuple:
        """Smaller goes first."""
        waited = now - self.since if self.waiting else 0.0
        had = LONG if self.long_running else self.computed(now)
        doublings = int(math.log2(1 + max(had - CREDIT * waited, 0.0) / MOMENT))
        turn = -waited if self.long_running else self.number
        return now - self.asked > LEFT, doublings, turn

    def _listen(self, report: progress.Report) -> None:
        if self.report is None or report.what != self.report.what:
            self._phase = time.monotonic()
        self.report = report
        if report.partial is not None:
            self.partial = report.partial
        self.check()
        self._queue.yield_slot(self)
        if self._stop_early.is_set():
            self._stop_early.clear()  # once: what follows only wraps up what is there
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
        if self.state == "running":  # a result that came after the cancel is not wanted
            self._value, self.state = value, state
        self._end.set()


class Queue:
    """A number of slots, and the jobs that wait for one.

    Parameters
    ----------
    slots : int
        Computations at the same time; one more in its first moment.
    """

    def __init__(self, slots: int):
        self.slots = slots
        self.running: set[Job] = set()
        self.waiting: set[Job] = set()
        self._changed = threading.Condition()

    @contextmanager
    def slot(self, job: Job) -> Iterator[None]:
        """Hold a slot inside the block; what ``job.check`` raises ends the waiting for it."""
        current = _CURRENT.set((self, job))
        try:
            self._enter(job)
            yield
        finally:
            self._leave(job)
            _CURRENT.reset(current)

    @contextmanager
    def without_slot(self, job: Job) -> Iterator[None]:
        """Leave the slot to others inside the block."""
        self._leave(job)
        try:
            yield
        finally:
            self._enter(job)

    def yield_slot(self, job: Job) -> None:
        """Let those who wait and have computed less go first.

        The extra slot is given back after the first moment, by whoever has had that.
        """
        with self._changed:
            now = time.monotonic()
            extra = len(self.running) > self.slots and job.computed(now) >= MOMENT
            passed = now - job.since >= SLICE and any(
                other.rank(now) < job.rank(now) for other in self.waiting
            )
        if extra or passed:
            with self.without_slot(job):
                pass

    def position(self, job: Job) -> int:
        """A job's number among those that wait, from 1; 0 if it computes."""
        with self._changed:
            now = time.monotonic()
            ahead = sum(other.rank(now) < job.rank(now) for other in self.waiting)
            return 1 + ahead if job.waiting else 0

    def long_runs(self) -> int:
        """How many long runs there are, those that wait included."""
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
                job.waiting, job.since = False, time.monotonic()
                self._changed.notify_all()

    def _leave(self, job: Job) -> None:
        with self._changed:
            if job in self.running:  # not where waiting for it was given up
                self.running.discard(job)
                job.spent += time.monotonic() - job.since
                self._changed.notify_all()

    def _is_next(self, job: Job) -> bool:
        """Whether a slot is free for it, and it is the first of those who can take it."""
        if len(self.running) < self.slots:
            others = self.waiting
        elif len(self.running) == self.slots and job.spent < MOMENT:
            others = {other for other in self.waiting if other.spent < MOMENT}
        else:
            return False
        now = time.monotonic()
        return job is min(others, key=lambda other: other.rank(now))


QUEUE = Queue(max(cores(), 2))
_CURRENT: ContextVar[tuple[Queue, Job] | None] = ContextVar("job", default=None)


@contextmanager
def slot_released() -> Iterator[None]:
    """A block in which this thread only waits for another one: its slot, if it has one, is free.

    Without it those who wait for a computation could hold all slots, and the computation none.
    """
    current = _CURRENT.get()
    if current is None:
        yield
        return
    queue, job = current
    with queue.without_slot(job):
        yield
