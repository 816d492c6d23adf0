"""A visitor's table, brought as a file or pasted, and read."""

from __future__ import annotations

from dataclasses import dataclass
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
_RAW = "lapviz_raw"


@dataclass(frozen=True)
class Inlet:
    """A place for a file, new after each of them, that says what was wrong with the last."""

    name: str

    @property
    def turn(self) -> int:
        """How many files have come and gone: in the keys of widgets, which are new for each."""
        return st.session_state.setdefault(f"lapviz_{self.name}_turn", 0)

    def renew(self, sentence: str = "") -> None:
        """Let the widgets begin anew; the sentence says why nothing came of the last file."""
        st.session_state[f"lapviz_{self.name}_turn"] = self.turn + 1
        st.session_state[f"lapviz_{self.name}_error"] = sentence

    def file(self, label: str, help: str, **more) -> tuple[bytes, str] | None:
        """Bytes and name of a file that was just brought; Streamlit keeps none."""
        with st.container():  # its place stays: what follows would else be put up anew, and folded
            if sentence := st.session_state.get(f"lapviz_{self.name}_error", ""):
                st.error(shell.plain(sentence), icon=":material/info:")
        file = st.file_uploader(label, key=f"{self.name}-{self.turn}", help=help, **more)
        if file is None:
            return None
        raw = file.getvalue()
        _streamlit.drop_upload(file.file_id)
        return raw, file.name


TABLE = Inlet("table")


def waits() -> bool:
    """Whether a file was brought and is not read yet."""
    return bool(visitors.held(_RAW))


def bring() -> None:
    """The part of the page while there is no table."""
    st.markdown(
        "Bring a table, and everything here works on it as on the built-in data. It stays in the "
        "server's memory, with your visit alone: it is never written to disk, in no link, and "
        "gone when you leave."
    )
    given = TABLE.file(
        "A file: CSV, TSV or Parquet",  # any is taken: the reader says what is wrong with others
        max_upload_size=MOST_MB,
        help=f"Up to {MOST_MB} MB and {LIMITS.rows // 10**6} million rows. Delimiter, decimal "
        "comma and encoding are found by themselves.",
    )
    if given is not None:
        _take(*given)
        st.rerun()
    with st.expander("Paste a table", icon=":material/content_paste:"):
        pasted = f"table-text-{TABLE.turn}"
        st.text_area(
            "Cells, with a header line", key=pasted, height=160,
            max_chars=2_000_000, help="Copied from a spreadsheet or a file; then press “Use it”.",
        )  # fmt: skip
        st.button(
            "Use it", key="table-use", help="Read what is pasted above.",
            on_click=lambda: _take(st.session_state[pasted].encode(), "pasted.csv"),
        )  # fmt: skip
    st.button("Take the sample", key="table-sample", icon=":material/table:",
              help="Penguins of three species, with missing cells: a file to try.",
              on_click=lambda: _take(SAMPLE.read_bytes(), "penguins.csv"))  # fmt: skip


def _take(raw: bytes, name: str) -> None:
    visitors.held(_RAW)["file"] = raw, name


def read() -> None:
    """Read the file that was brought."""
    raw, name = visitors.held(_RAW)["file"]
    sentence = ""
    try:
        made = shell.long_work(_JOB, f"“{shell.plain(name)}”", own_table.read, raw, name)
        if made is None:
            st.button("Give up", key="table-stop", on_click=_over, help="Bring another table.")
            return
        user_data.add(made)
    except ValueError as error:
        sentence = str(error)
    except Exception as error:
        sentence = shell.sentence_of(error, "This file")
    _over(sentence)
    st.rerun()


def _over(sentence: str = "") -> None:
    """The file has been read, or is given up."""
    jobs.forget(_JOB)
    visitors.held(_RAW).clear()
    TABLE.renew(sentence)
