"""The start page: a card's button opens its story on the story's page."""

import pytest
from page_tests import opened

from lapviz.explorer.session import state
from lapviz.explorer.stage import live
from lapviz.explorer.stories import presets, steps


@pytest.mark.slow
def test_every_story_has_a_button_that_opens_it(monkeypatch):
    """All work alike: the test presses the first, and the last of each page."""
    switches = []

    def switch(name: str) -> None:
        """Begin a page as after a switch."""
        state.enter(name, state.REGRESSION if name == "regression" else state.SHARED)
        switches.append((name, state.story_of_picture() if name == "data" else state.settings()))

    monkeypatch.setattr(live, "show", lambda _: None)  # the buttons do not need the live picture
    monkeypatch.setattr(state, "open_page", switch)
    app = opened("start")
    assert all(app.button(key=f"open-{story.name}") for story in presets.STORIES)
    last = {story.page: story for story in presets.STORIES}
    for story in (presets.STORIES[0], *last.values()):
        app.button(key=f"open-{story.name}").click().run()
        assert not app.exception
        name, settings = switches.pop()
        assert name == story.page
        assert settings == (story.name if name == "data" else presets.for_story(story.name))
    assert switches == []


@pytest.mark.parametrize(
    ("query", "title", "sentence"),
    [
        ({"story": "spread", "labels": "0c0"}, "class of 1 point.", "on the tinted part"),
        ({"story": "spread", "labels": ""}, "class of 0 points.", "Without a label"),
        ({"story": "circles", "lam": "2"}, "class of 4 points.", "Or move λ."),
        ({"data": "wine"}, "class of 4 points.", "choose others below"),
    ],
)
def test_the_question_is_about_the_labels_of_the_link(query, title, sentence):
    app = opened("start", **query)
    assert title in app.title[0].value
    assert any(sentence in text.value for text in (*app.markdown, *app.warning))


@pytest.mark.parametrize("hide", ["", "page"])
def test_the_stage_alone_shows_the_answers_and_no_stories(monkeypatch, hide):
    stages = []
    monkeypatch.setattr(live, "show", stages.append)
    app = opened("start", hide=hide)
    assert any(button.key.startswith("open-") for button in app.button) is not bool(hide)
    answered, _ = stages[-1].arguments
    assert answered is bool(hide)


def test_a_run_of_the_page_walks_through_the_story_once(monkeypatch):
    walk, walks = steps.walk, []
    monkeypatch.setattr(steps, "walk", lambda *args: walks.append(args) or walk(*args))
    steps.place_of.cache_clear()
    opened("labels", story="spread")
    assert len(walks) == 1
