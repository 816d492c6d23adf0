"""The start page: every card's button opens its story on the story's page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from lapviz.explorer.pages.start import page as start
from lapviz.explorer.session import state
from lapviz.explorer.stories import presets


def _page() -> None:
    from lapviz.explorer.pages.start import page as start

    start.page()


@pytest.mark.slow
def test_every_button_opens_its_story(monkeypatch):
    found = []

    def switch(name: str) -> None:
        """As the page that is switched to begins."""
        state.enter(name)
        found.append((name, state.story_of_picture() if name == "data" else state.settings()))

    monkeypatch.setattr(start, "_live", lambda: None)  # a button tells nothing of the live picture
    monkeypatch.setattr(start.navigation, "ask", switch)
    app = AppTest.from_function(_page, default_timeout=60).run()
    for story in presets.STORIES:
        app.button(key=f"open-{story.name}").click().run()
        assert not app.exception
        name, settings = found.pop()
        assert name == story.page
        assert settings == (story.name if name == "data" else presets.for_story(story.name))
    assert found == []
