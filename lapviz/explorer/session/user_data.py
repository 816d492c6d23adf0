"""What this session's visitor has brought: added, found, and forgotten with all its results."""

from __future__ import annotations

from lapviz.explorer.compute import jobs
from lapviz.explorer.host import visitors
from lapviz.explorer.host.store import STORE, UserData, token_in
from lapviz.explorer.settings.specs import DataSpec

PICTURES = "lapviz_shown"  # the last picture of each stage


def all_mine() -> dict[str, UserData]:
    """What this session has brought, by token."""
    return STORE.owned(visitors.current())


def add(data: UserData, instead_of: str = "") -> str:
    """Keep data for this session, perhaps in place of others; their token.

    Raises
    ------
    ValueError
        If they do not fit: the sentence says what to do.
    """
    return STORE.add(visitors.current(), data, instead_of)


def get(source: str) -> UserData | None:
    """The data of a token, if this session brought them; else None."""
    return all_mine().get(source)


def latest(name: str) -> DataSpec | None:
    """What this session brought last under that name of data; None if nothing is here."""
    tokens = [token for token, data in all_mine().items() if data.info.name == name]
    return DataSpec(name, source=tokens[-1]) if tokens else None


def forget(source: str) -> None:
    """Drop data of this session and all that was computed from them; what still computes ends."""
    if get(source) is None:
        return
    STORE.forget(source)
    jobs.forget_all(lambda job: token_in(job.work) == source)
    pictures = visitors.held(PICTURES)
    for key in [key for key, last in pictures.items() if token_in(last.settings) == source]:
        del pictures[key]
