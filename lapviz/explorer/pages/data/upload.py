"""Reading a visitor's table from a file or pasted text."""

from __future__ import annotations

from importlib.resources import files

import streamlit as st

from lapviz.explorer.compute import jobs, own_table
from lapviz.explorer.host import visitors
from lapviz.explorer.session import user_data
from lapviz.explorer.widgets import shell
from lapviz.explorer.widgets.files import FileInput
from lapviz.markdown import plain
from lapviz.tables import LIMITS

SAMPLE = files("lapviz.datasets").joinpath("data/penguins.csv")
MOST_MB = LIMITS.bytes >> 20
_JOB = "table-read"
_RAW = "lapviz_raw"


TABLE = FileInput("table")


def choose() -> None:
    """Draw the part of the page for which there is no table yet."""
    st.markdown(
        "Bring a table, and everything here works on it as on the built-in data. It stays in the "
        "server's memory for your visit only: it is never written to disk, is in no link, and "
        "is gone when you leave."
    )
    uploaded = TABLE.file(
        "A file: CSV, TSV or Parquet",  # any is accepted: the reader says what is wrong with others
        max_upload_size=MOST_MB,
        help=f"Up to {MOST_MB} MB and {LIMITS.rows // 10**6} million rows. Delimiter, decimal "
        "comma and encoding are detected.",
    )
    if uploaded is not None:
        _take(*uploaded)
        st.rerun()
    with st.expander("Paste a table", icon=":material/content_paste:"):
        pasted = f"table-text-{TABLE.turn}"
        st.text_area(
            "Cells, with a header line", key=pasted, height=160,
            max_chars=2_000_000, help="Copied from a spreadsheet or a file; then press “Use it”.",
        )  # fmt: skip
        shell.button("Use it", "table-use", "", "Read what is pasted above.",
                     lambda: _take(st.session_state[pasted].encode(), "pasted.csv"))  # fmt: skip
    words = "Penguins of three species, with missing cells: a file to try."
    shell.button("Take the sample", "table-sample", "table", words,
                 lambda: _take(SAMPLE.read_bytes(), "penguins.csv"))  # fmt: skip


def _take(raw: bytes, name: str) -> None:
    visitors.session_dict(_RAW)["file"] = raw, name


def is_reading() -> bool:
    """Read the uploaded file, if there is one; return whether it is still being read."""
    if not (pending := visitors.session_dict(_RAW)):
        return False
    raw, name = pending["file"]
    sentence = ""
    try:
        user_table = shell.long_work(_JOB, f"“{plain(name)}”", own_table.read, raw, name)
        if user_table is None:
            shell.button("Give up", "table-stop", "", "Bring another table.", _finish)
            return True
        user_data.add(user_table)
    except ValueError as error:
        sentence = str(error)
    except Exception as error:
        sentence = shell.sentence_of(error, "This file")
    _finish(sentence)
    st.rerun()


def _finish(sentence: str = "") -> None:
    """Forget the file, which has been read or given up."""
    jobs.forget(_JOB)
    visitors.session_dict(_RAW).clear()
    TABLE.renew(sentence)
