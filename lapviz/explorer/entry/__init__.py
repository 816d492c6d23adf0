"""The explorer's entry point, for ``app.py`` and the console command."""

import streamlit as st

from lapviz.explorer import missing
from lapviz.explorer.host import limits as hosting
from lapviz.explorer.host import preload as opening


def main() -> None:
    """Declare the pages and show the one that the URL asks for."""
    if sentence := missing():  # Streamlit alone is there
        st.error(sentence)
        return
    hosting.spare_memory()
    opening.show()
    with hosting.importing():  # here, because it takes a second, in which the browser is not idle
        from lapviz.explorer.host import flush as delivery
        from lapviz.explorer.pages.data import page as data
        from lapviz.explorer.pages.eigenfunctions import page as eigenfunctions
        from lapviz.explorer.pages.lab import page as lab
        from lapviz.explorer.pages.labels import page as labels
        from lapviz.explorer.pages.notes import page as notes
        from lapviz.explorer.pages.regression import page as regression
        from lapviz.explorer.pages.start import page as start
        from lapviz.explorer.session import navigation
        from lapviz.explorer.widgets import leaving

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
