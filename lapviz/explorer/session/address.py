"""The URL and the messages of a page, or of pages that share their settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

KEPT = 100  # addresses that the browser may still have


@dataclass(frozen=True)
class Address:
    """What settings have in the URL, and what is told about them.

    Attributes
    ----------
    name : str
        Of what it keeps in the session.
    shown : callable
        What the page shows now, None before its first run; messages stay until it changes.
    others : tuple of str
        Names in the URL that are no settings of the page.
    lasting : tuple of str
        Those of them that stay in it: what the browser alone knows.
    """

    name: str
    shown: Callable[[], object]
    others: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ()

    @property
    def _links(self) -> list[dict[str, str]]:
        return st.session_state.setdefault(f"{self.name}_links", [])

    def enter(self) -> None:
        """From another page: a link to an older state of this one is followed."""
        del self._links[:-1]

    def query(self) -> dict[str, str]:
        """The settings in the URL."""
        query = st.query_params.to_dict().items()
        return {k: v for k, v in query if isinstance(v, str) and not self._is_other(k)}

    def is_linked(self) -> bool:
        """Whether the URL is to be followed: the session's first, or none that was written here.

        The browser sends the address that it has, with every event: that may be one that was
        written here a moment ago, and is no link then.
        """
        query = self.query()
        return self.shown() is None or (bool(query) and self.is_new(query))

    def is_new(self, query: dict[str, str]) -> bool:
        """Whether this was not written here."""
        return query not in self._links

    def write(self, query: dict[str, str]) -> None:
        """Put the settings into the URL.

        The address that came with an event may be older than the one written last, and is then no
        reason to leave that one.
        """
        links, given = self._links, st.query_params.to_dict()
        outdated = bool(links) and links[-1] != query
        if outdated or not links:  # first: to write it may end this run
            links.append(query)
            del links[:-KEPT]
        if outdated or self.query() != query:
            kept = {k: v for k, v in given.items() if k in self.lasting or k.startswith("embed")}
            st.query_params.from_dict(query | kept)

    def tell(self, sentence: str) -> None:
        """Show a message until a setting changes."""
        st.session_state.setdefault(f"{self.name}_notes", []).append(sentence)

    def notes(self) -> list[str]:
        """Messages to show: they stay until a setting changes, however often the page runs."""
        new, now = st.session_state.pop(f"{self.name}_notes", []), self.shown()
        told, of = st.session_state.get(f"{self.name}_told", ([], None))
        if new or of != now:
            told = new
        st.session_state[f"{self.name}_told"] = told, now
        return told

    def _is_other(self, name: str) -> bool:
        return name in (*self.others, *self.lasting) or name.startswith("embed")
