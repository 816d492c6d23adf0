"""What visitors bring: their own data, in memory only, for as long as their session lasts.

    session ─holds─> Visitor ─holds─> things (by token), results computed from them
                        ^
             weak reference here: when the session is gone, so is all of it

A token cannot be guessed, is in no link, and is accepted from its own session only
(:mod:`lapviz.explorer.session.visitor`). Computations run in threads that belong to no session and
find the data by the token alone. Nothing here imports Streamlit.
"""

from __future__ import annotations

import secrets
import threading
import weakref
from collections.abc import Callable, Hashable, Iterator, MutableMapping
from dataclasses import fields, is_dataclass
from typing import Protocol

import cachetools

from lapviz.datasets import Dataset, Info
from lapviz.explorer.host.limits import OWN_BYTES, OWN_RESULTS, VISITOR_BYTES, VISITOR_RESULTS
from lapviz.explorer.host.sizes import size_of

MARK = "@"  # the first character of every token, and of no other source
GRACE = 120.0  # seconds after a disconnection in which the visitor may come back
LOCK = threading.RLock()  # of all that is kept: things, results, and what all visitors share


class Gone(ValueError):
    """The data of a token are not there (any more)."""

    def __init__(self):
        super().__init__(
            "These data are not here any more: what a visitor brings stays in memory for as long "
            "as the visit lasts. Upload or draw them again."
        )


class Thing(Protocol):
    """Data that a visitor has brought."""

    info: Info
    nbytes: int

    def sample(self, n_samples: int, random_state: int) -> Dataset:
        """The data set with that many of its rows; the same object for the same arguments."""


class Visitor:
    """All that one session has brought, and what was computed from it."""

    def __init__(self, session: str):
        self.session = session
        self.things: dict[str, Thing] = {}
        self.results = cachetools.LRUCache(maxsize=VISITOR_RESULTS, getsizeof=size_of)
        self.left_at: float | None = None
        self._ties: list[MutableMapping] = []

    @property
    def nbytes(self) -> int:
        """Bytes of what was brought."""
        return sum(thing.nbytes for thing in self.things.values())

    @property
    def holds(self) -> bool:
        """Whether there is anything to forget."""
        return bool(self.things) or any(self._ties)

    def tie(self, mapping: MutableMapping) -> None:
        """Empty that mapping, too, when the visitor has left."""
        with LOCK:
            _VISITORS.add(self)
            if not any(mapping is tied for tied in self._ties):
                self._ties.append(mapping)

    def leave(self) -> None:
        """Forget everything."""
        with LOCK:
            self.things.clear()
            self.results.clear()
            for mapping in self._ties:
                mapping.clear()
            self._ties.clear()


_VISITORS: weakref.WeakSet[Visitor] = weakref.WeakSet()


def is_token(source: str) -> bool:
    """Whether a data specification's source is a token, that is: private."""
    return source.startswith(MARK)


def put(visitor: Visitor, thing: Thing, instead_of: str = "") -> str:
    """Keep something for a visitor, in place of what ``instead_of`` is the token of; its token.

    Raises
    ------
    ValueError
        If it does not fit: the sentence says what to do.
    """
    with LOCK:
        old = visitor.things.get(instead_of)
        freed = old.nbytes if old else 0
        need, left = thing.nbytes - freed, VISITOR_BYTES - visitor.nbytes
        if need > left:
            raise ValueError(
                f"This takes {_mb(thing.nbytes)}, and you have {_mb(left + freed)} of "
                f"{_mb(VISITOR_BYTES)} left here. Remove a table, or bring fewer rows or columns."
            )
        if sum(other.nbytes for other in _VISITORS) + need > OWN_BYTES:
            raise ValueError(
                f"This takes {_mb(thing.nbytes)}, and the tables of all visitors together may take "
                f"{_mb(OWN_BYTES)} here, which is nearly full. Bring a smaller table, come back "
                "later, or run lapviz on your own machine."
            )
        forget(visitor, instead_of)
        token = MARK + secrets.token_urlsafe(24)
        visitor.things[token] = thing
        _VISITORS.add(visitor)
        return token


def forget(visitor: Visitor, source: str) -> None:
    """Drop something that a visitor brought, and all that was computed from it."""
    with LOCK:
        visitor.things.pop(source, None)
        for key in [key for key in visitor.results if source_in(key) == source]:
            del visitor.results[key]


def get(source: str) -> Thing:
    """The data of a token, for a computation.

    Raises
    ------
    Gone
        If no visitor has them now.
    """
    owner = _owner(source)
    thing = owner.things.get(source) if owner else None
    if thing is None:
        raise Gone
    return thing


def results_of(source: str) -> cachetools.LRUCache:
    """The cache of the visitor who brought these data; to be used while :data:`LOCK` is held.

    Raises
    ------
    Gone
        If no visitor has them now.
    """
    owner = _owner(source)
    if owner is None:
        raise Gone
    return owner.results


def make_room(need: int) -> None:
    """Drop results, those of the visitor with most of them first, until so many bytes are free."""
    with LOCK:
        caches = [v.results for v in _VISITORS]
        while sum(c.currsize for c in caches) + need > OWN_RESULTS and any(caches):
            max(caches, key=lambda c: c.currsize).popitem()


def source_in(key: Hashable) -> str:
    """The token in a cache key, however deep in its records; "" if there is none."""
    return next(_tokens(key), "")


def _tokens(value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        for part in value:
            yield from _tokens(part)
    elif is_dataclass(value) and not isinstance(value, type):
        source = getattr(value, "source", "")
        if isinstance(source, str) and is_token(source):
            yield source
        for field in fields(value):
            if field.compare:  # other fields are no part of the key
                yield from _tokens(getattr(value, field.name))


def _owner(source: str) -> Visitor | None:
    with LOCK:
        return next((v for v in _VISITORS if source in v.things), None)


def _mb(count: int) -> str:
    return f"{max(count, 0) / 1e6:.0f} MB"


def present() -> list[Visitor]:
    """The visitors who have something here."""
    with LOCK:
        return [visitor for visitor in _VISITORS if visitor.holds]


def see_off(visitors: list[Visitor], connected: Callable[[str], bool], now: float) -> list[str]:
    """Forget what those brought who left more than a moment ago; their sessions.

    Parameters
    ----------
    visitors : list of Visitor
    connected : callable
        Whether the session of that name still has its browser.
    now : float
        Seconds on a clock that never goes back.
    """
    gone = []
    for visitor in visitors:
        if connected(visitor.session):
            visitor.left_at = None
        elif visitor.left_at is None:
            visitor.left_at = now
        elif now - visitor.left_at >= GRACE:
            visitor.leave()
            gone.append(visitor.session)
    return gone
