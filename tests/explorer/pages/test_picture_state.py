"""The session's picture: from the URL, through the browser's messages, back to the URL."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from lapviz.explorer.channel.messages import Message
from lapviz.explorer.pages.picture.settings import STORIES, PictureSettings, to_query
from lapviz.pictures import Stroke

LINE = (Stroke(1, 3, ((5, 5), (40, 9))),)


def _page() -> None:
    import streamlit as st

    from lapviz.explorer.pages.picture import state as picture_state
    from lapviz.explorer.session import state

    st.session_state["asked"] = picture_state.asked()
    picture_state.enter()
    for name, args in st.session_state.pop("calls", ()):
        getattr(state if name == "open_story" else picture_state, name)(*args)
    st.session_state["now"] = picture_state.settings()
    st.session_state["told"] = picture_state.notes()
    picture_state.write_url()


class Session:
    def __init__(self, **query):
        self.app = AppTest.from_function(_page)
        self.go(**query)

    def run(self):
        self.app.run()
        assert not self.app.exception
        return self.app.session_state["now"]

    def go(self, **query):
        self.app.query_params.clear()
        for key, value in query.items():
            self.app.query_params[key] = value
        return self.run()

    def do(self, name, *args):
        self.app.session_state["calls"] = [(name, args)]
        return self.run()

    @property
    def url(self):
        pairs = self.app.query_params.items()
        return {key: value if isinstance(value, str) else value[0] for key, value in pairs}

    @property
    def told(self):
        return self.app.session_state["told"]


def said(settings: PictureSettings) -> tuple[Message, str]:
    return Message(4, {"strokes": LINE, "weight": 0.25}), settings.pixels.view_key


def test_a_link_is_read_and_the_address_follows():
    session = Session(story="flower", w="0.25")
    assert session.app.session_state["now"] == STORIES["flower"].change(weight=0.25)
    now = session.do("take", *said(STORIES["flower"]))
    assert now.strokes == LINE
    assert now.pixels.weight == 0.25
    assert session.url == to_query(now)


def test_a_message_about_another_picture_changes_nothing():
    session = Session(picture="flower")
    before = session.app.session_state["now"]
    assert session.do("take", *said(before.change(source="china"))) == before
    assert session.do("take", *said(before)).strokes == LINE


@pytest.mark.slow
def test_another_picture_has_no_strokes():
    session = Session(story="flower")
    session.app.session_state["calls"] = [("put", (STORIES["flower"],))]
    session.run()
    fresh = Session(picture="china").app.session_state["now"]
    assert (fresh.pixels.source, fresh.strokes, fresh.story) == ("china", (), "")


def test_an_older_address_is_no_link():
    session = Session(story="flower")
    older = session.url
    session.do("take", *said(STORIES["flower"]))
    assert session.go(**older).strokes == LINE
    assert not session.app.session_state["asked"]
    assert session.go(picture="china").pixels.source == "china"
    assert session.app.session_state["asked"]


def test_a_story_is_handed_over():
    session = Session(picture="china")
    session.do("open_story", "flower")
    assert session.go() == STORIES["flower"]


def test_a_message_stays_until_something_changes():
    session = Session(picture="mona")
    assert "mona" in session.told[0]
    session.run()
    assert len(session.told) == 1
    session.do("take", *said(session.app.session_state["now"]))
    session.run()
    assert session.told == []


@pytest.mark.parametrize("token", ["@stolen", "own"])
def test_somebodys_token_shows_the_default_and_says_so(token):
    session = Session(picture=token)
    assert session.app.session_state["now"] == PictureSettings()
    assert len(session.told) == 1
    session.do("put", PictureSettings().change(source="@stolen"))
    assert session.run() == PictureSettings()
    assert any("not here any more" in sentence for sentence in session.told)
