"""One control for all settings that the data can choose: from them, the papers', or one's own."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.compute import fits
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.settings.records import AUTO, Settings
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls

OWN, PAPERS = "own", "papers"
SOURCES = {AUTO: "From data", PAPERS: "Paper’s", OWN: "Own"}  # short: they share a line
HELP = (
    "Where energy, p, σ, μ, λ, class balance and passes come from: all chosen from the data by the "
    "library’s rules, all as in the papers (or the story), or set by hand."
)


def source(settings: Settings) -> str:
    """Where all settings come from that the data can choose."""
    names, papers = fits.choosable(state.page()), presets.papers_of(settings)
    if all(settings.get(name) == AUTO for name in names):
        return AUTO
    same = all(settings.get(name) == papers.get(name) for name in names)
    return PAPERS if same else OWN


def control(settings: Settings) -> None:
    """Where all settings come from that the data can choose: one control for the lot."""
    names, papers = fits.choosable(state.page()), presets.papers_of(settings)
    now = source(settings)

    def use(new: str | None) -> None:
        if new == AUTO:
            state.update(**dict.fromkeys(names, AUTO))
        elif new == PAPERS:
            state.update(**{name: papers.get(name) for name in names})
        elif new == OWN:
            state.tell("Changing a setting switches to “Own”.")

    st.segmented_control("Settings", list(SOURCES), default=now, format_func=SOURCES.get, help=HELP,
                         **widget_keys.bind(controls.key_of("w-whole"), now, use))  # fmt: skip
