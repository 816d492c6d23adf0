"""Labels by hand that were taken away as a file, brought back to the table."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.compute import own_table
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host import _streamlit
from lapviz.explorer.session import state, user_data
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import own_back
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import leaving, shell

_TURN, _ERROR = "lapviz_back_turn", "lapviz_back_error"


def bring_back(thing: OwnTable, now: DataSpec) -> None:
    """The section of the page; nothing for a table of values."""
    if thing.prepared.task == "values":
        return
    turn = st.session_state.setdefault(_TURN, 0)
    with st.expander("Bring labels back", icon=":material/upload:"):
        st.caption(
            "Labels by hand stay with your visit. Their file, from “Take away”, puts them in force "
            "again."
        )
        if sentence := st.session_state.get(_ERROR, ""):
            st.error(shell.plain(sentence), icon=":material/info:")
        file = st.file_uploader(
            "A file of labels", key=f"labels-back-{turn}",
            help="The CSV that “Labels” gives, for the same table: with the columns “row”, counted "
            "from 1, and “label by hand”.",
        )  # fmt: skip
        if file is None:
            return
        raw = file.getvalue()
        _streamlit.drop_upload(file.file_id)
    st.session_state[_TURN] = turn + 1
    st.session_state[_ERROR] = ""
    try:
        state.tell(_take(thing, now, raw, file.name))
    except ValueError as error:
        st.session_state[_ERROR] = str(error)
    st.rerun()


def _take(thing: OwnTable, now: DataSpec, raw: bytes, name: str) -> str:
    """Put the labels of a file in force; a sentence that says so."""
    found = own_back.read(raw, name, thing.table.n_rows)
    if new := own_back.further(thing, found):
        thing = own_table.again(now.source, thing.asked, (*thing.more_classes, *new))
        user_data.add(thing, instead_of=now.source)
        now = user_data.latest("table") or now
    last = state.labels_settings()
    base = last if last is not None and last.data.source == now.source else presets.for_own(now)
    settings, lost = own_back.placed(thing, base, found)
    state.hand_over(settings)
    leaving.saved()
    count = len(found) - lost
    words = f"{count:,} label{'s' * (count != 1)} by hand in force on the page “Labels”."
    return words + f" {lost:,} are of rows that the page does not show." * bool(lost)
