"""The explorer's entry point, for ``app.py`` and the console command."""

from pathlib import Path

import streamlit as st

from lapviz.explorer import missing
from lapviz.explorer.host import limits, preload

_STYLE = (Path(__file__).parents[1] / "page.css").read_text("utf-8")


def main() -> None:
    """Declare the pages and run the one that the URL names."""
    if sentence := missing():  # only Streamlit is installed
        st.error(sentence)
        return
    limits.spare_memory()
    preload.show()
    with limits.importing():  # takes a second, which the browser uses
        from lapviz.explorer.host import _streamlit
        from lapviz.explorer.pages.data.page import page as data
        from lapviz.explorer.pages.eigenfunctions.page import page as eigenfunctions
        from lapviz.explorer.pages.lab.page import page as lab
        from lapviz.explorer.pages.labels.page import page as labels
        from lapviz.explorer.pages.notes.page import page as notes
        from lapviz.explorer.pages.regression.page import page as regression
        from lapviz.explorer.pages.start.page import page as start
        from lapviz.explorer.session import state
        from lapviz.explorer.widgets import shell
    limits.prepare()
    pages = {  # of this run only: Streamlit marks the page to be run
        page.path: st.Page(page, title=page.title, url_path=page.path, default=page is start)
        for page in (start, eigenfunctions, labels, regression, lab, data, notes)  # as in the menu
    }
    state.PAGES.update(pages)
    current = st.navigation(list(pages.values()), position="top")
    title = "lapviz" if current.url_path == "" else f"{current.title} · lapviz"
    st.set_page_config(page_title=title, page_icon=_icon(), layout="wide")
    st.html(f"<style>{_STYLE}</style>")
    state.follow()
    current.run()
    shell.warn_before_leaving("page")
    _streamlit.flush()
    limits.collect()


def _icon():
    """An eigenfunction of the square; a named icon would come from a font server."""
    import numpy as np
    from PIL import Image

    t = np.linspace(0, np.pi, 32)
    blend = 0.5 + 0.5 * np.cos(t)[None, :, None] * np.cos(2 * t)[:, None, None]
    low, high = np.array([0, 114, 178]), np.array([224, 123, 0])  # the stage's first two colours
    return Image.fromarray((low + blend * (high - low)).astype(np.uint8))
