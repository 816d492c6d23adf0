"""Results and visitors' own data, in memory, under one lock, separate for each visitor.

    key without a token ─> a result for everyone
    key with a token    ─> a result of these data: their visitor's, and dropped with them

A token identifies data of a visitor. It cannot be guessed, is in no link, and is accepted from the
visitor's own session only (:mod:`lapviz.explorer.session.user_data`). Computations run in threads
that belong to no session, and find the data by the token alone. Nothing here imports Streamlit.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Protocol

import numpy as np

from lapviz.datasets import Dataset, Info
from lapviz.explorer.host import limits

MARK = "@"  # the first character of every token, and of no other source
EVERYONE = None  # owner of the results of built-in data


def size_of(value: object) -> int:
    """Bytes of the arrays that a value keeps in memory, each array counted once."""
    arrays: dict[int, int] = {}
    return _size_of(value, arrays) + sum(arrays.values())


def _size_of(value: object, arrays: dict[int, int]) -> int:
    """Bytes beside the arrays, which are added to ``arrays``: bytes by identity."""
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):  # a view keeps the whole array
            value = value.base
        arrays[id(value)] = value.nbytes
        return 0
    if is_dataclass(value):
        inner = [getattr(value, f.name) for f in fields(value)]
        # Stored lazily with a trial space or a classification problem.
        names = ("gram", "whitened", "space", "solver", "search")
        lazy = [vars(value).get(name) for name in names]
        return 512 + sum(_size_of(v, arrays) for v in [*inner, *lazy])
    if hasattr(value, "get_params"):  # a fitted estimator
        return 512 + sum(_size_of(v, arrays) for v in vars(value).values())
    if isinstance(value, str):
        return 64 + len(value)
    if isinstance(value, list) and value and type(value[0]) is float:  # long rows of numbers
        return 64 + 32 * len(value)
    if isinstance(value, tuple | list):
        return 64 + sum(_size_of(v, arrays) for v in value)
    if isinstance(value, dict):
        return 64 + sum(64 + _size_of(v, arrays) for v in value.values())
    parts = (getattr(value, name, None) for name in ("data", "indices", "indptr"))  # sparse
    return 64 + sum(_size_of(v, arrays) for v in parts if isinstance(v, np.ndarray))


class DataExpired(ValueError):
    """The data of a token do not exist (any more)."""

    def __init__(self):
        super().__init__(
            "These data are not here any more: what a visitor brings stays in memory for as long "
            "as the visit lasts. Upload or draw them again."
        )


class UserData(Protocol):
    """Data of a visitor: a data set, or an object whose ``info`` is None, without ``sample``."""

    info: Info | None
    nbytes: int

    def sample(self, n_samples: int, random_state: int) -> Dataset:
        """Data set of that many rows; the same object for the same arguments."""


@dataclass(frozen=True, eq=False)
class _Result:
    value: object
    arrays: dict[int, int]  # bytes by identity: several results may keep one array
    rest: int  # bytes beside the arrays
    owner: Hashable
    token: str


class _Tally:
    """Bytes that the results of an owner keep together, each array counted once."""

    def __init__(self):
        self.nbytes, self._uses = 0, Counter()

    def add(self, result: _Result) -> None:
        self.nbytes += result.rest
        for name, nbytes in result.arrays.items():
            self._uses[name] += 1
            self.nbytes += nbytes if self._uses[name] == 1 else 0

    def remove(self, result: _Result) -> None:
        self.nbytes -= result.rest
        for name, nbytes in result.arrays.items():
            self._uses[name] -= 1
            if not self._uses[name]:
                del self._uses[name]
                self.nbytes -= nbytes


class Store:
    """Results and visitors' data, with their owners.

    Parameters
    ----------
    results, own_results : int
        Limits in bytes of all results, and of one visitor's, who may have four sevenths of all
        where others have data, too; the least recently used are dropped.
    data, own_data : int
        Limits in bytes of all visitors' data, and of one visitor's; more are refused.
    """

    def __init__(
        self,
        results: int = limits.RESULTS,
        own_results: int = limits.OWN_RESULTS,
        data: int = limits.DATA,
        own_data: int = limits.OWN_DATA,
    ):
        self.results, self.own_results = results, own_results
        self.data, self.own_data = data, own_data
        self.lock = threading.RLock()
        self._data: dict[str, tuple[Hashable, UserData]] = {}  # by token, with the owner
        self._results: OrderedDict[tuple, _Result] = OrderedDict()
        self._tallies: defaultdict[Hashable, _Tally] = defaultdict(_Tally)  # by owner

    # ---- data sets --------------------------------------------------------------------------

    def add(self, owner: Hashable, data: UserData, instead_of: str = "") -> str:
        """Store a visitor's data, in place of those of another token; return their token.

        Raises
        ------
        ValueError
            If there is no room for them; the message says what to do.
        """
        with self.lock:
            owned = self.owned(owner)
            released = owned[instead_of].nbytes if instead_of in owned else 0
            free = self.own_data - sum(other.nbytes for other in owned.values()) + released
            if data.nbytes > free:
                raise ValueError(
                    f"This takes {_mb(data.nbytes)}, and you have {_mb(free)} of "
                    f"{_mb(self.own_data)} left here. Remove a table, or bring fewer rows or "
                    "columns."
                )
            used = sum(other.nbytes for _, other in self._data.values()) - released
            if used + data.nbytes > self.data:
                raise ValueError(
                    f"This takes {_mb(data.nbytes)}, and the tables of all visitors together may "
                    f"take {_mb(self.data)} here, which is nearly full. Bring a smaller table, "
                    "come back later, or run lapviz on your own machine."
                )
            if instead_of in owned:
                self.forget(instead_of)
            token = MARK + secrets.token_urlsafe(24)
            self._data[token] = owner, data
            return token

    def get(self, token: str) -> UserData:
        """Data of a token, for a computation.

        Raises
        ------
        DataExpired
            If no visitor has them any more.
        """
        with self.lock:
            if token not in self._data:
                raise DataExpired
            return self._data[token][1]

    def owned(self, owner: Hashable) -> dict[str, UserData]:
        """Data of a visitor by token, oldest first."""
        with self.lock:
            return {token: data for token, (o, data) in self._data.items() if o == owner}

    def forget(self, token: str) -> None:
        """Drop data and all results computed from them."""
        with self.lock:
            self._data.pop(token, None)
            for key in [key for key, result in self._results.items() if result.token == token]:
                self._drop(key)

    # ---- results ----------------------------------------------------------------------------

    def find(self, key: tuple, default: object = None) -> object:
        """Result under a hashable key, or ``default``."""
        with self.lock:
            if key not in self._results:
                return default
            self._results.move_to_end(key)
            return self._results[key].value

    def keep(self, key: tuple, value: object, most: int | None = None) -> None:
        """Store a result, for everyone or for the visitor whose data the key contains.

        A result that is ready only after its data were dropped is not stored. Of the results whose
        keys begin with the same name, only the last ``most`` are kept.
        """
        token, arrays = token_in(key), {}
        rest = _size_of(value, arrays)
        with self.lock:
            if token and token not in self._data:
                return
            owner = self._data[token][0] if token else EVERYONE
            limit = self._limit(owner)
            self._drop(key)
            if rest + sum(arrays.values()) > limit:
                return
            self._results[key] = result = _Result(value, arrays, rest, owner, token)
            self._tallies[owner].add(result)
            if most is not None:
                same = [other for other in self.kept(owner) if other[0] == key[0]]
                for old in same[:-most]:
                    self._drop(old)
            if self._tallies[owner].nbytes > limit:
                self._shrink(list(self.kept(owner)), limit)
            if sum(tally.nbytes for tally in self._tallies.values()) > self.results:
                self._shrink(list(self._results), self.results)

    def _shrink(self, keys: list[tuple], limit: int) -> None:
        """Keep of these results what fits, the last used first; others may share their arrays."""
        counted, nbytes = set(), 0
        for key in reversed(keys):
            result = self._results[key]
            arrays = {(result.owner, name): size for name, size in result.arrays.items()}
            more = result.rest + sum(arrays[name] for name in arrays.keys() - counted)
            if nbytes + more > limit:
                self._drop(key)
            else:
                nbytes += more
                counted |= arrays.keys()

    def _limit(self, owner: Hashable) -> int:
        """Bytes of an owner's results; two visitors with data leave each other nearly half."""
        if owner is EVERYONE:
            return self.results
        is_only = all(other == owner for other, _ in self._data.values())
        return self.own_results if is_only else min(self.own_results, self.results * 4 // 7)

    def _drop(self, key: tuple) -> None:
        result = self._results.pop(key, None)
        if result is None:
            return
        self._tallies[result.owner].remove(result)
        if not self._tallies[result.owner].nbytes:
            del self._tallies[result.owner]

    def kept(self, owner: Hashable = EVERYONE) -> dict[tuple, object]:
        """Results of a visitor, or those for everyone."""
        with self.lock:
            return {key: kept.value for key, kept in self._results.items() if kept.owner == owner}

    def nbytes(self, owner: Hashable = EVERYONE) -> int:
        """Bytes of the results of a visitor, or of those for everyone."""
        with self.lock:
            return self._tallies[owner].nbytes if owner in self._tallies else 0

    def clear(self) -> None:
        """Drop all results."""
        with self.lock:
            self._results.clear()
            self._tallies.clear()


STORE = Store()


def is_token(source: str) -> bool:
    """Whether the source of a data specification is a token, so that the data are private."""
    return source.startswith(MARK)


def public_key(source: str) -> str:
    """A name for the source of data that discloses no token; "" if it has none."""
    return hashlib.blake2b(source.encode(), digest_size=8).hexdigest() if source else ""


def token_in(key: Hashable) -> str:
    """Token in a key, at any depth of its records; "" if there is none."""
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
            if field.compare:  # other fields are not part of the key
                yield from _tokens(getattr(value, field.name))


def _mb(count: int) -> str:
    return f"{max(count, 0) / 1e6:.0f} MB"
