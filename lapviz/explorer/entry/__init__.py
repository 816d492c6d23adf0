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

    declared = (
        start.page,
        eigenfunctions.page,
        labels.page,
        regression.page,
        lab.page,
        data.page,
        notes.page,
    )
    navigation.run(
        {
            page.path: st.Page(
                page, title=page.title, url_path=page.path, default=page is start.page
            )
            for page in declared
        }
    )
    leaving.guard("page")
    delivery.end_run()
