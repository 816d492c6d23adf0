"""The settings of a page, or of pages that share them: in the session, in the URL and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from lapviz.explorer.host.store import is_token
from lapviz.explorer.session import user_data
from lapviz.explorer.stories.steps import Place

KEPT = 100  # addresses that the browser may still have


@dataclass(frozen=True, eq=False)
class PageState:
    """One kind of settings, a frozen record with ``change(**values)``.

    A kind is a subclass that says how a link gives settings and settings a link, and what they
    begin with.

    Attributes
    ----------
    slot : str
        Where the session keeps them.
    family : str
        Where it keeps addresses and messages, which kinds may share; by default ``slot``.
    others : tuple of str
        Names in the URL that are no settings of the page.
    lasting : tuple of str
        Those of them that stay in it: what the browser alone knows.
    hideable : tuple of str
        Groups of controls that a link may hide.
    whose : str
        Whose settings “Reset” restores, where there is no story.
    """

    slot: str
    family: str = ""
    others: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ("present", "letters", "more")
    hideable: tuple[str, ...] = ()
    whose: str = "data set"

    def __post_init__(self):
        object.__setattr__(self, "family", self.family or self.slot)

    # ---- what a kind says -------------------------------------------------------------------

    def read(self, query: dict[str, str], first: Any) -> tuple[Any, Iterable[str]]:
        """Settings of a link, and sentences about what cannot be used.

        ``first`` are those that the page begins with.
        """
        raise NotImplementedError

    def write(self, settings: Any) -> dict[str, str]:
        """The query that gives these settings."""
        raise NotImplementedError

    def base(self, settings: Any) -> Any:
        """What “Reset” restores."""
        raise NotImplementedError

    def place(self, settings: Any) -> Place | None:
        """Where the settings are in their story; None if they have none."""
        return None

    def changed(self, settings: Any, **changes: object) -> Any:
        """Settings with some changed, and what follows from that."""
        return settings.change(**changes)

    def tidy(self, settings: Any) -> Any:
        """The same without what contradicts itself."""
        return settings

    def source(self, settings: Any) -> str:
        """The source of the settings' data, which may be a token of a visitor's own."""
        return ""

    def replacement(self, settings: Any) -> tuple[Any, str]:
        """Settings in place of those whose data are lost, and a sentence if that is told."""
        raise NotImplementedError

    # ---- in the session ---------------------------------------------------------------------

    def settings(self) -> Any:
        """What the page shows now; None before its first run."""
        return st.session_state.get(self.slot)

    def put(self, new: Any) -> None:
        """Show these settings from the next run on."""
        st.session_state[self.slot] = self.tidy(new)

    def is_lost(self, settings: Any) -> bool:
        """Whether the settings are about a visitor's data that are not here any more."""
        source = self.source(settings)
        return is_token(source) and user_data.get(source) is None

    def repair(self) -> None:
        """Replace settings whose data are lost."""
        now = self.settings()
        if now is not None and self.is_lost(now):
            new, sentence = self.replacement(now)
            self.put(new)
            if sentence:
                self.tell(sentence)

    # ---- in the URL -------------------------------------------------------------------------

    def forget_links(self) -> None:
        """From another page: a link to an older state of this one is followed."""
        del st.session_state.get(f"{self.family}_links", [])[:-1]

    def query(self) -> dict[str, str]:
        """The settings in the URL."""
        query = st.query_params.to_dict().items()
        return {k: v for k, v in query if isinstance(v, str) and not self._is_other(k)}

    def is_new(self, query: dict[str, str]) -> bool:
        """Whether this was not written here.

        The browser sends the address that it has, with every event: that may be one that was
        written here a moment ago, and is no link then.
        """
        return bool(query) and query not in st.session_state.get(f"{self.family}_links", [])

    def follow(self, first: Callable[[], Any]) -> None:
        """Take settings from the URL when the session starts or another link is followed.

        ``first`` is what the page begins with.
        """
        query, now = self.query(), self.settings()
        if not query and now is None:
            self.put(first())
        elif now is None or self.is_new(query):
            new, sentences = self.read(query, first())
            self.put(new)
            for sentence in sentences:
                self.tell(sentence)

    def write_url(self, query: dict[str, str]) -> None:
        """Put the settings into the URL.

        The address that came with an event may be older than the one written last, and is then no
        reason to leave that one.
        """
        links = st.session_state.setdefault(f"{self.family}_links", [])
        outdated = bool(links) and links[-1] != query
        if outdated or not links:  # first: to write it may end this run
            links.append(query)
            del links[:-KEPT]
        if outdated or self.query() != query:
            given = st.query_params.to_dict().items()
            kept = {k: v for k, v in given if k in self.lasting or k.startswith("embed")}
            st.query_params.from_dict(query | kept)

    def _is_other(self, name: str) -> bool:
        return name in (*self.others, *self.lasting) or name.startswith("embed")

    # ---- messages ---------------------------------------------------------------------------

    def tell(self, sentence: str) -> None:
        """Show a message until a setting changes."""
        st.session_state.setdefault(f"{self.family}_notes", []).append(sentence)

    def notes(self) -> list[str]:
        """Messages to show: they stay until a setting changes, however often the page runs."""
        now, new = self.settings(), st.session_state.pop(f"{self.family}_notes", [])
        told, of = st.session_state.get(f"{self.family}_told", ([], None))
        if new or of != now:
            told = new
        st.session_state[f"{self.family}_told"] = told, now
        return told

    def has_notes(self) -> bool:
        """Whether messages are shown, or will be."""
        shown, _ = st.session_state.get(f"{self.family}_told", ([], None))
        return bool(shown or st.session_state.get(f"{self.family}_notes"))
