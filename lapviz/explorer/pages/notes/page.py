"""Notes: the mathematics, a section at a time, with live stages between the paragraphs."""

from __future__ import annotations

import html
import re

import streamlit as st

from lapviz.estimates import filters
from lapviz.explorer.channel.component import Message
from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.pages.notes.settings import NOTES, SHOWN, STAGES, NoteStage, change, values_of
from lapviz.explorer.pages.notes.text import Code, Heading, Section, Stage, Table, Text
from lapviz.explorer.pages.notes.view import draw
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.stage.component import Encoded, settings_of, stage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.widgets import shell
from lapviz.markdown import table
from lapviz.parameters import Parameter

READING, HEIGHT = 900, 300  # pixels: width of the column, height of a panel
_KEY = "notes-address"
# The part of an address after # is never sent to a server: the browser sends the heading's name to
# Python whenever it is not on the page. So all links are plain links, and *Back* follows them.
_ADDRESS = st.components.v2.component(
    "lapviz_notes",
    js="""
let listener, shown, asked;
export default function ({ data, setTriggerValue }) {
  const wanted = () => decodeURIComponent(location.hash.slice(1));
  const section = () => new URLSearchParams(location.search).get("topic") || data.first;
  const look = (name) => {
    if (data.anchors.includes(name)) asked = "";
    else if (name !== asked) setTriggerValue("asked", (asked = name));
  };
  removeEventListener("hashchange", listener);
  addEventListener("hashchange", (listener = () => look(wanted() || section())));
  if (wanted()) look(wanted());
  if (data.anchors[0] === shown) return;
  const moved = shown !== undefined || wanted();
  shown = data.anchors[0];
  const name = data.anchors.includes(wanted()) ? wanted() : shown;
  const scroll = (looks) => {
    const head = document.getElementById(name);
    if (head) head.scrollIntoView();
    else if (looks) setTimeout(scroll, 50, looks - 1);
  };
  if (moved) scroll(100);
}
""",
)


def _text(settings: dict) -> None:
    sections = notes.sections()
    anchors = [section.head.anchor for section in sections]
    i = anchors.index(settings.get(SHOWN, anchors[0]))
    section = sections[i]
    with st.container(key="notes", horizontal=True):  # laid out by page.css
        with st.container(key="contents"):
            st.title("Notes", anchor=False)
            st.html(_contents(section))
        with st.container(key="section", width=READING):
            shell.show_notes()
            if not i:
                st.markdown(
                    "The mathematics behind the pictures, in one notation. The stages are live: "
                    "drag λ, click points, move the controls below them. Links such as "
                    "[SSL21, eq. 5](#ssl21) name a paper and the place in it."
                )
            for part in section.parts:
                _show(part)
            before = f"<span>← {_link(sections[i - 1].head)}</span>" if i else "<span></span>"
            after = ""
            if i + 1 < len(sections):
                after = f"<span>{_link(sections[i + 1].head)} →</span>"
            st.html(
                f'<nav class="lv-turn" aria-label="Previous and next section">{before}{after}</nav>'
            )

    def open_section() -> None:
        if requested := notes.section_of(str(st.session_state[_KEY].asked or "")):
            NOTES.put(NOTES.settings() | {SHOWN: requested})

    data = {"anchors": section.anchors, "first": anchors[0]}
    _ADDRESS(key=_KEY, data=data, on_asked_change=open_section)


def _contents(section: Section) -> str:
    """HTML of the contents, with the headings of the section shown.

    It has two versions: a list for a wide screen, and a folded one for a narrow screen.
    """
    items = ""
    for entry in notes.sections():
        is_shown = entry is section
        head, *others = [part for part in entry.parts if isinstance(part, Heading)]
        below = "".join(f"<li>{_link(other)}</li>" for other in others) if is_shown else ""
        items += f"<li>{_link(head, is_shown)}{below and f'<ul>{below}</ul>'}</li>"
    return (
        f'<nav class="lv-wide" aria-label="Contents"><ol>{items}</ol></nav>'
        f'<nav class="lv-narrow" aria-label="Contents"><details><summary>Contents: '
        f"{html.escape(section.head.plain)}</summary><ol>{items}</ol></details></nav>"
    )


def _link(head: Heading, is_shown: bool = False) -> str:
    current = ' aria-current="page"' if is_shown else ""
    words = re.sub(r" \(.*\)$", "", head.plain)  # without the place in a paper
    return f'<a href="#{head.anchor}"{current}>{html.escape(words)}</a>'


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
    def apply(message: Message) -> None:
        values = settings_of(message)  # λ, filter and labels
        change(live, **{name: value for name, value in values.items() if name in live.settings})

    with st.container(border=True):
        st.markdown(f"**{live.title}**")
        with shell.guarded(f"“{live.title}”"):
            key = f"notes-{live.name}"
            shown = draw(live, values_of(live))
            stage(Encoded.of(shown.scene), key=key, height=HEIGHT, on_change=apply)
            if shown.rows:
                st.markdown(table(shown.heads, shown.rows))
            if shown.caption:
                st.caption(shown.caption)
        for column, knob in zip(st.columns(len(live.knobs)), live.knobs, strict=True):
            with column:
                _knob(live, knob)
    state.write_url()


def _knob(live: NoteStage, knob: Parameter) -> None:
    def use(new: object) -> None:
        if new is not None:
            change(live, **{knob.name: new})

    value = values_of(live).get(knob.name, knob.default)
    widget = st.selectbox if knob.choices else st.select_slider
    widget_keys.menu(widget, knob.label, dict(knob.only), value, use,
                     key=f"note-{live.name}-{knob.name}", help=knob.help)  # fmt: skip


page = Page(
    path="notes", title="Notes", kind=NOTES, first=dict, head=lambda title, _: None, footer=_text
)
