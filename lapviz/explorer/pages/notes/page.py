"""Notes: the mathematics, a section at a time, with live stages between the paragraphs."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lapviz.estimates import filters
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Message
from lapviz.explorer.pages.notes import contents
from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.pages.notes.settings import (
    NOTES,
    STAGES,
    NoteStage,
    change,
    shown_section,
    values_of,
)
from lapviz.explorer.pages.notes.text import Code, Heading, Stage, Table, Text
from lapviz.explorer.pages.notes.view import draw
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.stage.component import settings_of, stage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.widgets import shell
from lapviz.markdown import table
from lapviz.parameters import Parameter

READING, HEIGHT = 900, 300  # pixels: width of the column, height of a panel


def _text(_: dict) -> None:
    section = next(its for its in notes.sections() if its.head.anchor == shown_section())
    with st.container(key="notes", horizontal=True):  # laid out by page.css
        with st.container(key="contents"):
            st.title("Notes", anchor=False)
            st.html(contents.listed(section))
        with st.container(key="section", width=READING):
            shell.show_notes()
            if section is notes.sections()[0]:
                st.markdown(
                    "The mathematics behind the pictures, in one notation. The stages are live: "
                    "drag λ, click points, move what is below them. Links such as "
                    "[SSL21, eq. 5](#ssl21) name a paper and the place in it."
                )
            for part in section.parts:
                _show(part)
            st.html(contents.turned(section))
    contents.follow(section)


def _show(part: notes.Part) -> None:
    match part:
        case Heading(text, anchor, 2):
            st.header(text, anchor=anchor)
        case Heading(text, anchor):
            st.subheader(text, anchor=anchor)
        case Text(markdown):
            st.markdown(markdown)
        case Code(text, language):
            st.code(text, language=language)
        case Table("filters"):
            rows = [(rule.title, f"${rule.formula}$") for rule in map(filters.get, filters.names())]
            st.markdown(table(("Filter", "Factor $h(\\gamma)$"), rows))
        case Stage(name):
            _stage(STAGES[name])


# ---- a live stage ---------------------------------------------------------------------------


@st.fragment
def _stage(live: NoteStage) -> None:
    with st.container(border=True):
        st.markdown(f"**{live.title}**")
        with shell.guarded(f"“{live.title}”"):
            key = f"notes-{live.name}"
            shown = draw(live, values_of(live))
            stage(replace(shown.scene, rev=channel.revision(key)), key=key, height=HEIGHT,
                  on_change=lambda message: _take(live, message))  # fmt: skip
            if shown.rows:
                st.markdown(table(shown.heads, shown.rows))
            if shown.caption:
                st.caption(shown.caption)
        for column, knob in zip(st.columns(len(live.knobs)), live.knobs, strict=True):
            with column:
                _knob(live, knob)
    state.write_url()


def _knob(live: NoteStage, knob: Parameter) -> None:
    titles, value = dict(knob.only), values_of(live).get(knob.name, knob.default)

    def use(new: object) -> None:
        if new is not None:
            change(live, **{knob.name: new})

    kind, start = st.select_slider, value
    if knob.choices:
        kind, start = st.selectbox, widget_keys.place(list(titles), value)
    kind(knob.label, list(titles), start, format_func=titles.get, help=knob.help,
         **widget_keys.bind(f"note-{live.name}-{knob.name}", value, use))  # fmt: skip


def _take(live: NoteStage, message: Message) -> None:
    """Take λ, filter and labels from the stage."""
    new = settings_of(message)
    change(live, **{name: value for name, value in new.items() if name in live.settings})


page = Page(
    path="notes", title="Notes", kind=NOTES, first=dict, head=lambda title, _: None, rest=_text
)
