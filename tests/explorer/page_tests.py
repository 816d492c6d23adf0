"""A page of the explorer without a browser."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _page(place: str) -> None:
    from importlib import import_module

    import_module(f"lapviz.explorer.pages.{place}.page").page()


def page_of(place: str, **query: object) -> AppTest:
    """A page under a link that says this; it has not run yet."""
    app = AppTest.from_function(_page, args=(place,), default_timeout=90)
    for key, value in query.items():
        app.query_params[key] = str(value)
    return app


def opened(place: str, **query: object) -> AppTest:
    return page_of(place, **query).run()
