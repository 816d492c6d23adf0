"""The host's gate: as many computations at once as there are cores, the shortest first.

    with gate.turn(ticket):     # waits for a place
        ...
        gate.give_way()         # at a progress report: shorter ones that wait go first

Sixteen computations at once would all be late, and hold sixteen times the memory. One place more is
kept for short ones, which so never wait for a long one between two of its reports. Waiting counts:
nobody is passed for ever. Long runs take turns, however long each has gone on, and all else goes
before them. A ticket that nobody asks about goes last.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field

from lapviz.explorer import hosting

SHORT = 0.5  # expected seconds of a computation that may take the place kept for short ones
SLICE = 0.25  # seconds that a place is held before it is given away
CREDIT = 0.5  # expected seconds that a second of waiting makes up for
LEFT = 5.0  # seconds without a question, after which a ticket goes last
LOOK = 0.25  # seconds between two looks at whether a waiting computation is still wanted
_NUMBERS = itertools.count()


@dataclass(eq=False)
class Ticket:
    """One computation's claim to a place.

    Attributes
    ----------
    expected : float
        Seconds that it will take.
    asked : callable
        When somebody last asked about it, on the monotonic clock.
    check : callable
        Called while it waits; what it raises ends the waiting.
    steady : bool
        A long run of many parts: it counts as having all its expected time before it.
    """

    expected: float = 0.0
    asked: Callable[[], float] = time.monotonic
    check: Callable[[], None] = lambda: None
    steady: bool = False
    number: int = field(default_factory=lambda: next(_NUMBERS))
    since: float = 0.0  # when it began to wait, or got its place
    spent: float = 0.0  # seconds that it has had a place
    waiting: bool = False

    def left(self, held: float = 0.0) -> float:
        """Seconds that it still needs, as far as is known, after some more in its place."""
        return self.expected if self.steady else max(self.expected - self.spent - held, 0.0)

    def rank(self, now: float) -> tuple:
        """Smaller goes first."""
        return now - self.asked() > LEFT, self.left() - CREDIT * (now - self.since), self.number


class Gate:
    """A number of places, and those who wait for one.

    Parameters
    ----------
    places : int
        Computations at the same time; one more if it is short.
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
        """Let those who wait and need less go first, if it has had its place for a moment."""
        with self._free:
            now = time.monotonic()
            held = now - ticket.since
            if not self._waiting or held < SLICE:
                return
            away = now - ticket.asked() > LEFT
            first = min(other.rank(now) for other in self._waiting)
            if first >= (away, max(ticket.left(held), SLICE), ticket.number):
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
        elif len(self._inside) == self.places and ticket.expected <= SHORT:
            others = {other for other in self._waiting if other.expected <= SHORT}
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
