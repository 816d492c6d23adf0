"""The URL and the messages of a page that keeps settings of its own in the session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

KEPT = 100  # addresses that the browser may still have


@dataclass(frozen=True)
class PageState:
    """What one page has in the URL and tells its visitor.

    Attributes
    ----------
    name : str
        Of its settings in the session.
    settings : callable
        What the page shows now; messages stay until it changes.
    others : tuple of str
        Names in the URL that are no settings of the page.
    """

    name: str
    settings: Callable[[], object]
    others: tuple[str, ...] = ()

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
        """Whether the URL is to be followed: the session's first, or none that was written here."""
        query = self.query()
        return self.name not in st.session_state or (bool(query) and self.is_new(query))

    def is_new(self, query: dict[str, str]) -> bool:
        """Whether this was not written here."""
        return query not in self._links

    def write(self, query: dict[str, str]) -> None:
        """Put the settings into the URL."""
        links = self._links
        fresh = not links or links[-1] != query
        if fresh:  # first: to write it may end this run
            links.append(query)
            del links[:-KEPT]
        now = self.query()
        if now != query and (fresh or not now):
            given = st.query_params.to_dict().items()
            st.query_params.from_dict(query | {k: v for k, v in given if k.startswith("embed")})

    def tell(self, sentence: str) -> None:
        """Show a message until a setting changes."""
        notes = st.session_state.setdefault(f"{self.name}_notes", [])
        notes.append((sentence, self.settings()))

    def notes(self) -> list[str]:
        """Messages to show."""
        now, key = self.settings(), f"{self.name}_notes"
        kept = [note for note in st.session_state.get(key, []) if note[1] == now]
        st.session_state[key] = kept
        return [sentence for sentence, _ in kept]

    def _is_other(self, name: str) -> bool:
        return name in self.others or name.startswith("embed")
