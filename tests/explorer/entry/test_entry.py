"""The entry point: of two visitors who come at once, each is shown pages of their own."""

import streamlit as st

from lapviz.explorer import entry


def test_another_visitor_in_between_has_other_pages(monkeypatch):
    """Streamlit refuses a page that ``st.navigation`` did not return, or that was shown."""
    shown, between = [], []

    class Page:
        def __init__(self, page, title, url_path, default):
            self.title, self.url_path = title, url_path
            if url_path == "notes" and not between:
                between.append(True)
                entry.main()  # while the first visitor's run declares its last page

        def run(self):
            shown.append(self)

    monkeypatch.setattr(st, "Page", Page)
    monkeypatch.setattr(st, "navigation", lambda pages, position: pages[0])
    entry.main()
    other, first = shown
    assert first is not other
