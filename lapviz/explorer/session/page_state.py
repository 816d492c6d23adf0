"""The settings of a page, or of pages that share them: in the session, in the URL and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from lapviz.explorer.host.store import is_token
from lapviz.explorer.session import user_data
from lapviz.explorer.stories.steps import Place

MOST_LINKS = 100  # addresses that the browser may still send
KINDS: list[PageState] = []  # all of them


@dataclass(frozen=True, eq=False)
class PageState:
    """One kind of settings, a frozen record with ``change(**values)``.

    A subclass defines how settings are read from a link and written to it, and how they begin.

    Attributes
    ----------
    slot : str
        Key of the settings in the session.
    family : str
        Prefix of the keys of addresses and messages, which kinds may share; by default ``slot``.
    others : tuple of str
        Names in the URL that are not settings of the page.
    lasting : tuple of str
        Further such names, which stay in the URL: only the browser uses them.
    hideable : tuple of str
        Groups of controls that a link may hide.
    whose : str
        Owner of the settings that “Reset” restores, where there is no story.
    """

    slot: str
    family: str = ""
    others: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ("present", "letters", "more")
    hideable: tuple[str, ...] = ()
    whose: str = "data set"

    def __post_init__(self):
        object.__setattr__(self, "family", self.family or self.slot)
        KINDS.append(self)

    # ---- defined by a kind ------------------------------------------------------------------

    def read(self, query: dict[str, str], first: Any) -> tuple[Any, Iterable[str]]:
        """Read settings from a link, with messages about values that cannot be used.

        ``first`` are the initial settings of the page.
        """
        raise NotImplementedError

    def write(self, settings: Any) -> dict[str, str]:
        """Query that reproduces these settings."""
        raise NotImplementedError

    def base(self, settings: Any) -> Any:
        """Settings that “Reset” restores."""
        raise NotImplementedError

    def place(self, settings: Any) -> Place | None:
        """Position of the settings in their story; None if they have none."""
        return None

    def changed(self, settings: Any, **changes: object) -> Any:
        """Settings with changes, and with those that depend on them."""
        return settings.change(**changes)

    def tidy(self, settings: Any) -> Any:
        """Settings without contradictions."""
        return settings

    def source(self, settings: Any) -> str:
        """Source of the data, which may be the token of a visitor's own data."""
        return ""

    def replacement(self, settings: Any) -> tuple[Any, str]:
        """Settings that replace those whose data are lost, and a message or ""."""
        raise NotImplementedError

    def has_unsaved(self) -> bool:
        """Whether a reload would lose something that no link holds."""
        return False

    # ---- in the session ---------------------------------------------------------------------

    def settings(self) -> Any:
        """Current settings; None before the first run of the page."""
        return st.session_state.get(self.slot)

    def put(self, new: Any) -> None:
        """Show these settings from the next run on."""
        st.session_state[self.slot] = self.tidy(new)

    def replace(self, new: Any) -> None:
        """Show other settings, and keep those that the visitor has changed."""
        if new != self.settings():
            self.keep()
        self.put(new)

    def keep(self) -> None:
        """Keep settings that the visitor has changed, and others are about to replace."""
        current = self.settings()
        if current is None or self.is_lost(current):
            return
        if current != self.base(current):
            st.session_state[f"{self.slot}_kept"] = current

    def kept(self) -> Any:
        """Changed settings that were replaced, for “Revert”; None without any, or if lost."""
        kept = st.session_state.get(f"{self.slot}_kept")
        return None if kept is None or kept == self.settings() or self.is_lost(kept) else kept

    def is_lost(self, settings: Any) -> bool:
        """Whether the settings are about a visitor's data that have expired."""
        source = self.source(settings)
        return is_token(source) and user_data.get(source) is None

    def repair(self) -> None:
        """Replace settings whose data are lost."""
        current = self.settings()
        if current is not None and self.is_lost(current):
            new, sentence = self.replacement(current)
            self.put(new)
            if sentence:
                self.tell(sentence)

    # ---- in the URL -------------------------------------------------------------------------

    def forget_links(self) -> None:
        """On arrival from another page: follow links to older states of this one.

        Addresses of the page before may still come.
        """
        links = st.session_state.get(f"{self.family}_links", [])
        last = next((link for link in reversed(links) if link[0] == self.slot), None)
        links[:] = [link for link in links if link[0] != self.slot or link is last]

    def query(self) -> dict[str, str]:
        """Settings in the URL."""
        query = st.query_params.to_dict().items()
        return {k: v for k, v in query if isinstance(v, str) and not self._is_other(k)}

    def is_new(self, query: dict[str, str]) -> bool:
        """Whether this query was not written here.

        With every event the browser sends its address, which may be an earlier one that was written
        here, and is then not a new link.
        """
        links = st.session_state.get(f"{self.family}_links", [])
        return bool(query) and query not in (written for _, written in links)

    def follow(self, first: Callable[[], Any]) -> None:
        """Read settings from the URL when the session starts or another link is followed.

        ``first`` returns the initial settings of the page.
        """
        query, current = self.query(), self.settings()
        if not query and current is None:
            self.put(first())
        elif current is None or self.is_new(query):
            new, sentences = self.read(query, first())
            self.replace(new)  # links hold neither large drawings nor labels of a table
            for sentence in sentences:
                self.tell(sentence)

    def write_url(self, query: dict[str, str]) -> None:
        """Write the settings to the URL.

        The address that came with an event may be older than the last one written, which then
        remains in force.
        """
        links = st.session_state.setdefault(f"{self.family}_links", [])  # slots and queries
        outdated = bool(links) and links[-1] != (self.slot, query)
        if outdated or not links:  # first: writing may end this run
            links.append((self.slot, query))
            del links[:-MOST_LINKS]
        if outdated or self.query() != query:
            in_url = st.query_params.to_dict().items()
            kept = {k: v for k, v in in_url if k in self.lasting or k.startswith("embed")}
            st.query_params.from_dict(query | kept)

    def _is_other(self, name: str) -> bool:
        return name in (*self.others, *self.lasting) or name.startswith("embed")

    # ---- messages ---------------------------------------------------------------------------

    def tell(self, sentence: str) -> None:
        """Show a message until a setting changes."""
        st.session_state.setdefault(f"{self.family}_notes", []).append(sentence)

    def notes(self) -> list[str]:
        """Messages to show; they stay until a setting changes, over any number of runs."""
        current, new = self.settings(), st.session_state.pop(f"{self.family}_notes", [])
        shown, settings = st.session_state.get(f"{self.family}_told", ([], None))
        if new or settings != current:
            shown = new
        st.session_state[f"{self.family}_told"] = shown, current
        return shown

    def has_notes(self) -> bool:
        """Whether there are messages, shown or to be shown."""
        shown, _ = st.session_state.get(f"{self.family}_told", ([], None))
        return bool(shown or st.session_state.get(f"{self.family}_notes"))
