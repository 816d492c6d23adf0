"""Notes: the mathematics on one page, with live stages between the paragraphs."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lapviz.estimates import filters
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.messages import Message
from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.pages.notes.text import Code, Heading, Stage, Table, Text
from lapviz.explorer.pages.notes.view import STAGES, NoteStage
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.session.address import Address
from lapviz.explorer.settings.texts import MAX_URL_LABELS, refusal
from lapviz.explorer.stage import events, stage
from lapviz.explorer.widgets import shell
from lapviz.markdown import table
from lapviz.parameters import Parameter

_VALUES = "lapviz_notes_values"
ADDRESS = Address("lapviz_notes_page", lambda: st.session_state.get(_VALUES))
READING, HEIGHT = 900, 300  # pixels: width of the column, height of a panel
_STYLE = """<style>
.stMainBlockContainer h1 { font-size: 1.9rem; }
.stMainBlockContainer h2 { font-size: 1.6rem; padding-top: 1.5rem; }
.stMainBlockContainer h3 { font-size: 1.2rem; }
.katex-display { overflow-x: auto; overflow-y: hidden; }
</style>"""


def page() -> None:
    """The page, for `st.Page`."""
    state.enter("notes", ADDRESS)
    _read_url()
    st.html(_STYLE)
    with st.container(horizontal_alignment="center"), st.container(width=READING):
        st.title("Notes")
        st.markdown(
            "The mathematics behind the pictures, in one notation. The stages are live: drag λ, "
            "click points, move what is below them. Links such as [SSL21, eq. 5](#ssl21) name a "
            "paper and the place in it."
        )
        shell.show_notes()
        _contents()
        for part in notes.parts():
            _show(part)


def _contents() -> None:
    heads = [part for part in notes.parts() if isinstance(part, Heading) and part.level == 2]
    lines = [f"{i}. [{head.plain}](#{head.anchor})" for i, head in enumerate(heads, 1)]
    with st.container(key="contents"):  # in two columns where there is room, by page.css
        st.markdown("\n".join(lines))


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
            st.markdown(_filters())
        case Stage(name):
            _stage(STAGES[name])


def _filters() -> str:
    rules = map(filters.get, filters.names())
    return table(
        ("Filter", "Factor $h(\\gamma)$"), [(rule.title, f"${rule.formula}$") for rule in rules]
    )


# ---- a live stage ---------------------------------------------------------------------------


@st.fragment
def _stage(live: NoteStage) -> None:
    with st.container(border=True):
        st.markdown(f"**{live.title}**")
        with shell.guarded(f"“{live.title}”"):
            key = f"notes-{live.name}"
            shown = live.view(_values(live))
            stage(replace(shown.scene, rev=channel.revision(key)), key=key, height=HEIGHT,
                  on_change=lambda said: _take(live, said))  # fmt: skip
            if shown.rows:
                st.markdown(table(shown.heads, shown.rows))
            if shown.caption:
                st.caption(shown.caption)
        for column, knob in zip(st.columns(len(live.knobs)), live.knobs, strict=True):
            with column:
                _knob(live, knob)
    _write_url()


def _values(live: NoteStage) -> dict[str, object]:
    """What differs from the stage's defaults."""
    return st.session_state.setdefault(_VALUES, {}).setdefault(live.name, {})


def _knob(live: NoteStage, knob: Parameter) -> None:
    key = f"note-{live.name}-{knob.name}"
    if key not in st.session_state:  # also when the page opens again: Streamlit forgets widgets
        st.session_state[key] = _values(live).get(knob.name, knob.default)

    def use() -> None:
        if st.session_state[key] is not None:
            _values(live)[knob.name] = st.session_state[key]

    titles, value = dict(knob.only), st.session_state[key]
    kind, start = st.select_slider, value
    if knob.choices:
        kind, start = st.selectbox, widget_keys.place(list(titles), value)
    kind(knob.label, list(titles), start, format_func=titles.get, key=key, on_change=use,
         help=knob.help)  # fmt: skip


def _take(live: NoteStage, said: Message) -> None:
    """Take λ, filter and labels from the stage."""
    values, taken = _values(live), dict(live.on_stage)
    for name, value in events.settings_of(said).items():
        if name in taken:
            values[name] = value


# ---- the link -------------------------------------------------------------------------------


def _read_url() -> None:
    """Values of all stages from the URL, ``stage.setting=value``, if it is a new one."""
    if not ADDRESS.is_linked():
        return
    values: dict[str, dict[str, object]] = {}
    for key, text in ADDRESS.query().items():
        name, _, setting = key.partition(".")
        if not setting:
            continue
        live = STAGES.get(name)
        if live is None or setting not in live.defaults:
            state.tell(f"There is no “{key[:40]}” on this page; it was ignored.")
            continue
        try:
            values.setdefault(name, {})[setting] = live.settings[setting].read(text, page=True)
        except (ValueError, OverflowError) as error:
            state.tell(refusal(key, text, error))
    st.session_state[_VALUES] = values
    for key in [k for k in st.session_state if str(k).startswith("note-")]:
        del st.session_state[key]


def _write_url() -> None:
    """Put what differs from the defaults into the URL."""
    query = {}
    for live in STAGES.values():
        for name, value in _values(live).items():
            long = name == "marks" and len(value or ()) > MAX_URL_LABELS
            if value != live.defaults[name] and not long:
                query[f"{live.name}.{name}"] = live.settings[name].write(value)
    ADDRESS.write(query)
