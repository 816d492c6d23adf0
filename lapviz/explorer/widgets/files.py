"""Upload of a visitor's files, of which no copy stays in Streamlit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from lapviz.explorer.host import _streamlit
from lapviz.explorer.session import user_data
from lapviz.markdown import plain


@dataclass(frozen=True)
class FileInput:
    """A file uploader that is renewed after each file, and says what was wrong with the last."""

    name: str

    @property
    def turn(self) -> int:
        """Number of files so far; part of the widgets' keys, so that each file gets new ones."""
        return st.session_state.setdefault(f"lapviz_{self.name}_turn", 0)

    def renew(self, sentence: str = "") -> None:
        """Renew the widgets; the sentence says why the last file could not be used."""
        st.session_state[f"lapviz_{self.name}_turn"] = self.turn + 1
        st.session_state[f"lapviz_{self.name}_error"] = sentence

    def file(self, label: str, help: str, **options) -> tuple[bytes, str] | None:
        """Return bytes and name of a newly uploaded file, and delete Streamlit's copy."""
        with st.container():  # keeps its place, or what follows would be rebuilt, and folded
            if sentence := st.session_state.get(f"lapviz_{self.name}_error", ""):
                st.error(plain(sentence), icon=":material/info:")
        file = st.file_uploader(label, key=f"{self.name}-{self.turn}", help=help, **options)
        if file is None:
            return None
        raw = file.getvalue()
        _streamlit.drop_upload(file.file_id)
        return raw, user_data.file_name(file)

    def take(self, use: Callable[[bytes, str], None], label: str, help: str, **options) -> None:
        """Call ``use`` with bytes and name of a new file; a ValueError's sentence stays shown."""
        uploaded = self.file(label, help, **options)
        if uploaded is None:
            return
        sentence = ""
        try:
            use(*uploaded)
        except ValueError as error:
            sentence = str(error)
        self.renew(sentence)
        st.rerun()
