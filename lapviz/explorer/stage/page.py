"""A page as a declaration: its stage, its controls, and the parts around them.

In a story the guide is beside the picture, and the sidebar is closed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from lapviz.explorer.host import _streamlit, limits
from lapviz.explorer.session import state
from lapviz.explorer.session.page_state import PageState
from lapviz.explorer.stage import live
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.widgets import guide, shell


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of the explorer, drawn from top to bottom in the order of its attributes.

    Attributes
    ----------
    path : str
        Path of its URL; also its name in the session and in the widgets' keys.
    title : str
    kind : PageState
        Kind of its settings, which other pages may share.
    first : callable or None
        Returns the initial settings; None: the page's link holds no settings.
    head : callable
        ``head(title, settings)`` draws the head; in a story the guide replaces it.
    tools : callable, optional
        ``tools(settings)`` draws the part of the head that stays in a story.
    beside : callable, optional
        ``beside(settings, numbers, measure)`` draws beside the picture, in place of the head, like
        the guide of a story: see :func:`lapviz.explorer.widgets.guide.show`.
    controls : callable, optional
        ``controls(settings)`` returns, for each group in the sidebar, a function of the settings
        that draws it.
    folded : set of str
        Groups that are folded initially.
    lead : callable, optional
        ``lead(settings)`` draws a control above the groups.
    above : callable, optional
        ``above(settings)`` draws above the stage.
    stage : callable, optional
        ``stage(settings)`` returns the stage.
    below : callable, optional
        ``below(shown, settings)``: what depends on the last complete answer of the stage; dimmed
        while there are newer settings.
    footer : callable, optional
        ``footer(settings)``: what depends on the settings alone, and is never dimmed.
    """

    path: str
    title: str
    kind: PageState = state.SHARED
    first: Callable[[], Any] | None = None
    head: Callable[[str, Any], None] = shell.headline
    tools: Callable[[Any], None] | None = None
    beside: Callable[..., None] | None = None
    controls: Callable[[Any], dict[str, Callable[[Any], None]]] | None = None
    folded: frozenset[str] = frozenset()
    lead: Callable[[Any], None] | None = None
    above: Callable[[Any], None] | None = None
    stage: Callable[[Any], LiveStage] | None = None
    below: Callable[[Any, Any], None] | None = None
    footer: Callable[[Any], None] | None = None

    def __call__(self) -> None:
        """Run the page."""
        state.enter(self.path, self.kind, self.first)
        beside = None if state.bare() else guide.show if state.place() is not None else self.beside
        st.set_page_config(initial_sidebar_state="collapsed" if beside else "auto")
        settings = state.settings()
        parts = {"stage": self.stage, "beside": beside, "below": self.below}
        st.session_state[live.FRAGMENTS] = [name for name, draw in parts.items() if draw]
        if beside is None:
            self.head(self.title, settings)
        if self.controls is not None:
            shell.sidebar(self.path, self.controls(settings), self.folded, self.lead)
        if beside is not None:
            with st.container(key="guided", horizontal=True):
                with st.container(key="shown"):
                    shell.show_notes()
                    if self.tools is not None:
                        self.tools(settings)
                    self._picture(settings)
                with st.container(key="guide"):
                    _beside(self, beside)
                if self.below is not None:
                    with st.container(key="under"):
                        _below(self)
        else:
            self._picture(settings)
            if self.below is not None:
                _below(self)
        if self.footer is not None:
            self.footer(settings)
        if self.stage is None and self.first is not None:
            state.write_url()

    def _picture(self, settings: Any) -> None:
        if self.above is not None:
            self.above(settings)
        if self.stage is not None:
            _stage(self)


@st.fragment(key="stage")
def _stage(page: Page) -> None:
    live.show(page.stage(state.settings()))


@st.fragment(key="beside")
def _beside(page: Page, draw: Callable[..., None]) -> None:
    """Draw beside the picture, with the numbers of the stage's last complete answer."""
    state.follow()  # a button may have opened another page
    settings = state.settings()
    stage = page.stage(settings)
    content = live.content(stage)
    current = content is not None and content.settings == settings
    draw(settings, content.shown.numbers if current else None, stage.numbers)


@st.fragment(key="below")
def _below(page: Page) -> None:
    stage = page.stage(state.settings())
    content = live.content(stage)
    if content is not None:
        with st.container(key=f"below-{stage.key}"):
            page.below(content.shown, content.settings)
    if _streamlit.fragments() > 1:  # the last of the fragments that run together
        _streamlit.flush()
        limits.collect()
