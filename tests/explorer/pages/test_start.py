"""The start page: a card's button opens its story on the story's page."""

from __future__ import annotations

import pytest
from page_tests import opened

from lapviz.explorer.session import state
from lapviz.explorer.stage import live
from lapviz.explorer.stories import presets


@pytest.mark.slow
def test_every_story_has_a_button_that_opens_it(monkeypatch):
    """All work alike; pressed are the first, and the last of each page."""
    found = []

    def switch(name: str) -> None:
        """As the page that is switched to begins."""
        state.enter(name, state.REGRESSION if name == "regression" else state.SHARED)
        found.append((name, state.story_of_picture() if name == "data" else state.settings()))

    monkeypatch.setattr(live, "show", lambda _: None)  # a button tells nothing of the live picture
    monkeypatch.setattr(state, "ask", switch)
    app = opened("start")
    assert all(app.button(key=f"open-{story.name}") for story in presets.STORIES)
    last = {story.page: story for story in presets.STORIES}
    for story in (presets.STORIES[0], *last.values()):
        app.button(key=f"open-{story.name}").click().run()
        assert not app.exception
        name, settings = found.pop()
        assert name == story.page
        assert settings == (story.name if name == "data" else presets.for_story(story.name))
    assert found == []
