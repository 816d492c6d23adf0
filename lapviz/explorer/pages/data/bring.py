"""A visitor's table, brought as a file or pasted, and read."""

from __future__ import annotations

from importlib.resources import files

import streamlit as st

from lapviz.explorer.compute import jobs, own_table
from lapviz.explorer.host import _streamlit, visitors
from lapviz.explorer.session import user_data
from lapviz.explorer.widgets import shell
from lapviz.tables import LIMITS

SAMPLE = files("lapviz.datasets").joinpath("data/penguins.csv")
MOST_MB = LIMITS.bytes >> 20
_JOB = "table-read"
_RAW, _TURN, _ERROR = "lapviz_raw", "lapviz_table_turn", "lapviz_table_error"


def waits() -> bool:
    """Whether a file was brought and is not read yet."""
    return bool(visitors.held(_RAW))


def turn() -> int:
    """How many tables have come and gone: in the keys of widgets, which are new for each."""
    return st.session_state.setdefault(_TURN, 0)


def next_turn() -> None:
    """Let all widgets of a table begin anew."""
    st.session_state[_TURN] = turn() + 1


def bring() -> None:
    """The part of the page while there is no table."""
    st.markdown(
        "Bring a table, and everything here works on it as on the built-in data. It stays in the "
        "server's memory, with your visit alone: it is never written to disk, in no link, and "
        "gone when you leave."
    )
    with st.container():  # its place stays: what follows would else be put up anew, and folded
        if sentence := st.session_state.get(_ERROR, ""):
            st.error(shell.plain(sentence), icon=":material/info:")
    file = st.file_uploader(
        "A file: CSV, TSV or Parquet",  # any is taken: the reader says what is wrong with others
        max_upload_size=MOST_MB, key=f"table-file-{turn()}",
        help=f"Up to {MOST_MB} MB and {LIMITS.rows // 10**6} million rows. Delimiter, decimal "
        "comma and encoding are found by themselves.",
    )  # fmt: skip
    if file is not None:
        raw = file.getvalue()
        _streamlit.drop_upload(file.file_id)
        _take(raw, file.name)
        st.rerun()
    with st.expander("Paste a table", icon=":material/content_paste:"):
        pasted = f"table-text-{turn()}"
        st.text_area(
            "Cells, with a header line", key=pasted, height=160,
            max_chars=2_000_000, help="Copied from a spreadsheet or a file; then press “Use it”.",
        )  # fmt: skip
        st.button("Use it", key="table-use", help="Read what is pasted above.",
                  on_click=_take_pasted, args=(pasted,))  # fmt: skip
    words = "Penguins of three species, with missing cells: a file to try."
    st.button("Take the sample", key="table-sample", icon=":material/table:", help=words,
              on_click=lambda: _take(SAMPLE.read_bytes(), "penguins.csv"))  # fmt: skip


def _take_pasted(key: str) -> None:
    _take(st.session_state[key].encode(), "pasted.csv")


def _take(raw: bytes, name: str) -> None:
    st.session_state.pop(_ERROR, None)
    visitors.held(_RAW)["file"] = raw, name


def read() -> None:
    """Read the file that was brought."""
    raw, name = visitors.held(_RAW)["file"]
    try:
        made = shell.long_work(_JOB, f"“{shell.plain(name)}”", own_table.read, raw, name)
    except Exception as error:
        st.session_state[_ERROR] = _words(error, "This file")
        _over()
        st.rerun()
    if made is None:
        st.button("Give up", key="table-stop", on_click=_over, help="Bring another table.")
        return
    try:
        user_data.add(made)
    except ValueError as error:
        st.session_state[_ERROR] = str(error)
    _over()
    st.rerun()


def _over() -> None:
    """The file has been read, or is given up."""
    jobs.forget(_JOB)
    visitors.held(_RAW).clear()
    next_turn()


def _words(error: Exception, what: str) -> str:
    return str(error) if isinstance(error, ValueError) else shell.sentence_of(error, what)
