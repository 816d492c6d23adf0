"""The host's gate: as many computations at once as there are cores, new ones first.

    with gate.turn(ticket):     # waits for a place
        ...
        gate.give_way()         # at a progress report: those that have had less time go first

Sixteen computations at once would all be late, and hold sixteen times the memory. How long one will
take nobody knows: who has had least time so far goes first, in steps of twice the time, so that
equals end one after the other. One place more is for the first moment of a new one, which so never
waits for a long one between two of its reports. Waiting counts: nobody is passed for ever. Long
runs take turns, however long each has gone on. A ticket that nobody asks about goes last.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field

from lapviz.explorer.host import limits as hosting

MOMENT = 0.5  # first seconds of a computation, for which there is one place more
SLICE = 0.25  # seconds that a place is held before it is given away
CREDIT = 0.5  # seconds in a place that a second of waiting makes up for
RUN = 60.0  # seconds that a long run counts as having had, however long it has gone on
LEFT = 5.0  # seconds without a question, after which a ticket goes last
LOOK = 0.25  # seconds between two looks at whether a waiting computation is still wanted
_NUMBERS = itertools.count()


@dataclass(eq=False)
class Ticket:
    """One computation's claim to a place.

    Attributes
    ----------
    asked : callable
        When somebody last asked about it, on the monotonic clock.
    check : callable
        Called while it waits; what it raises ends the waiting.
    steady : bool
        A long run of many parts, which takes turns with others such.
    """

    asked: Callable[[], float] = time.monotonic
    check: Callable[[], None] = lambda: None
    steady: bool = False
    number: int = field(default_factory=lambda: next(_NUMBERS))
    since: float = 0.0  # when it began to wait, or got its place
    spent: float = 0.0  # seconds that it has had a place
    waiting: bool = False

    def rank(self, now: float) -> tuple:
        """Smaller goes first."""
        waited = now - self.since if self.waiting else 0.0
        had = RUN if self.steady else self.had(now)
        doublings = int(math.log2(1 + max(had - CREDIT * waited, 0.0) / MOMENT))
        return now - self.asked() > LEFT, doublings, -waited if self.steady else self.number

    def had(self, now: float) -> float:
        """Seconds in a place so far."""
        return self.spent if self.waiting else self.spent + now - self.since


class Gate:
    """A number of places, and those who wait for one.

    Parameters
    ----------
    places : int
        Computations at the same time; one more in its first moment.
    """

    def __init__(self, places: int):
        self.places = places
        self._free = threading.Condition()
        self._inside: set[Ticket] = set()
        self._waiting: set[Ticket] = set()

    @contextmanager
    def turn(self, ticket: Ticket) -> Iterator[None]:
        """Hold a place inside the block.

        Raises
        ------
        BaseException
            What ``ticket.check`` raised while it waited.
        """
        token = _MINE.set((self, ticket))
        try:
            self._enter(ticket)
            try:
                yield
            finally:
                self._leave(ticket)
        finally:
            _MINE.reset(token)

    @contextmanager
    def without(self, ticket: Ticket) -> Iterator[None]:
        """Leave the place free inside the block."""
        self._leave(ticket)
        try:
            yield
        finally:
            self._enter(ticket)

    def line(self, ticket: Ticket) -> int:
        """Its number in the line of those that wait, from 1; 0 if it has its place."""
        with self._free:
            if not ticket.waiting:
                return 0
            now = time.monotonic()
            mine = ticket.rank(now)
            return 1 + sum(other.rank(now) < mine for other in self._waiting - {ticket})

    def runs(self) -> int:
        """How many long runs there are, those that wait included."""
        with self._free:
            return sum(ticket.steady for ticket in self._inside | self._waiting)

    def give_way(self, ticket: Ticket) -> None:
        """Let those who wait and have had less go first, if it has had its place for a moment.

        The place more is given back after the first moment, by whoever has had that.
        """
        with self._free:
            now = time.monotonic()
            over = len(self._inside) > self.places and ticket.had(now) >= MOMENT
            passed = now - ticket.since >= SLICE and any(
                other.rank(now) < ticket.rank(now) for other in self._waiting
            )
            if not over and not passed:
                return
        with self.without(ticket):
            pass

    # ---- places -----------------------------------------------------------------------------

    def _enter(self, ticket: Ticket) -> None:
        with self._free:
            ticket.waiting, ticket.since = True, time.monotonic()
            self._waiting.add(ticket)
            try:
                while not self._next(ticket):
                    self._free.wait(LOOK)
                    ticket.check()
                self._inside.add(ticket)
            finally:
                self._waiting.discard(ticket)
                ticket.waiting, ticket.since = False, time.monotonic()
                self._free.notify_all()

    def _leave(self, ticket: Ticket) -> None:
        with self._free:
            if ticket in self._inside:  # not where waiting for it again was given up
                self._inside.discard(ticket)
                ticket.spent += time.monotonic() - ticket.since
                self._free.notify_all()

    def _next(self, ticket: Ticket) -> bool:
        """Whether a place is free for it, and it is the first of those who can take it."""
        if len(self._inside) < self.places:
            others = self._waiting
        elif len(self._inside) == self.places and ticket.spent < MOMENT:
            others = {other for other in self._waiting if other.spent < MOMENT}
        else:
            return False
        now = time.monotonic()
        return ticket is min(others, key=lambda other: other.rank(now))


_MINE: ContextVar[tuple[Gate, Ticket] | None] = ContextVar("place", default=None)
GATE = Gate(max(hosting.cores(), 2))


def aside():
    """A block in which this thread only waits for another one: its place, if it has one, is free.

    Without it those who wait for a computation could hold all places, and the computation none.
    """
    mine = _MINE.get()
    return nullcontext() if mine is None else mine[0].without(mine[1])
