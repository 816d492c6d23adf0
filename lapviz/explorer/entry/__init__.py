"""The explorer's entry point, for ``app.py`` and the console command."""

import streamlit as st

from lapviz.explorer import hosting, missing, opening


def main() -> None:
    """Declare the pages and show the one that the URL asks for."""
    if sentence := missing():  # Streamlit alone is there
        st.error(sentence)
        return
    hosting.spare_memory()
    opening.show()
    with hosting.importing():  # here, because it takes a second, in which the browser is not idle
        from lapviz.explorer import delivery, leaving, navigation
        from lapviz.explorer.pages import (
            data,
            eigenfunctions,
            lab,
            labels,
            notes,
            regression,
            start,
        )

    navigation.run(
        {
            "start": st.Page(start.page, title="Start", url_path="start", default=True),
            "eigenfunctions": st.Page(
                eigenfunctions.page, title="Eigenfunctions", url_path="eigenfunctions"
            ),
            "labels": st.Page(labels.page, title="Labels", url_path="labels"),
            "regression": st.Page(regression.page, title="Regression", url_path="regression"),
            "lab": st.Page(lab.page, title="Lab", url_path="lab"),
            "data": st.Page(data.page, title="Your data", url_path="data"),
            "notes": st.Page(notes.page, title="Notes", url_path="notes"),
        }
    )
    leaving.guard("page")
    delivery.wait()
    hosting.collect()
