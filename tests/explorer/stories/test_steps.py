"""Initial settings of data sets and stories; steps, and their statements against the screen."""

from functools import cache

import pytest

from lapviz import datasets
from lapviz.explorer.pages.eigenfunctions import weights
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.picture import settings as picture
from lapviz.explorer.pages.picture import steps as pixels
from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import from_query, tidy, to_query
from lapviz.explorer.settings.specs import describe
from lapviz.explorer.stories import presets, steps
from lapviz.labels import Label

STORIES = [story for story in presets.STORIES if story.page != "data"]
STEPS = [(story.name, step) for story in STORIES for step in steps.STEPS[story.name]]
DRAWS = range(1, 5)  # besides the story's own
# Claims that are false on some draws, where the sentence says so: (story, step, draw).
UNTRUE = {
    ("ornstein", 1, 2),
    ("stop", 0, 3),
    ("gaussians", 1, 1),
    ("gaussians", 1, 4),
    ("candidates", 0, 1),
}


@cache
def network(settings):
    """The network shipped with the explorer."""
    return weights.load(weights.training_of(settings))


@cache
def numbers(settings) -> dict:
    """The numbers on the screen of the story's page."""
    if isinstance(settings, picture.PictureSettings):
        return pixels.answer(settings, fine=True).numbers
    page = presets.BY_NAME[settings.story].page
    if page == "labels":
        return labels_view(settings).numbers
    if page == "regression":
        return regression_view(settings).numbers
    return eigen_view(settings, network=network(settings)).numbers


def places(name: str, draw: int = 0) -> list[steps.Place]:
    """The places of a story on a draw."""
    if name in picture.STORIES:
        start = picture.STORIES[name]
        states = steps.walk(start, picture.STEPS[name])
        return [picture.PICTURE.place(state) for state in states]
    start = presets.for_story(name)
    start = start.change(seed=start.data.random_state + draw)
    return [steps.place_of(state) for state in steps.walk(start, steps.STEPS[name])]


def sentence_at(place: steps.Place) -> steps.Sentence:
    was = None if place.before is None else numbers(place.before)
    return place.sentence(numbers(place.states[place.at]), was)


@pytest.mark.parametrize(("name", "step"), STEPS, ids=lambda value: getattr(value, "text", value))
def test_a_step_changes_the_setting_whose_control_it_points_at(name, step):
    start, index = presets.for_story(name), steps.STEPS[name].index(step)
    states = steps.walk(start, steps.STEPS[name])
    before, after = states[index if step.after_last else 0], states[index + 1]
    assert tidy(after) == after
    assert before.get(step.at) != after.get(step.at)
    assert from_query(to_query(after, start), start) == (after, [])


@pytest.mark.parametrize("name", [story.name for story in presets.STORIES])
def test_the_settings_determine_the_step(name):
    story_places = places(name)
    assert [place.at for place in story_places] == list(range(len(story_places)))
    assert all(place.changed == () for place in story_places)


def test_changes_by_hand_are_named_at_the_nearest_step():
    ambient = steps.walk(presets.for_story("digits"), steps.STEPS["digits"])[2]
    place = steps.place_of(ambient.change(lam=7.0))
    assert place.at == 2
    assert len(place.changed) == 1
    assert "λ" in place.changed[0]
    assert steps.place_of(ambient.change(plane="pca")).changed == ()


# Stories whose accuracies on all digits take some ten seconds each, except "digits".
MEASURED = {"sources", "candidates", "invariances"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [
    pytest.param(story.name, marks=[pytest.mark.long] if story.name in MEASURED else [])
    for story in presets.STORIES
])  # fmt: skip
def test_the_statements_of_a_story_are_true(name):
    for place in places(name):
        sentence = sentence_at(place)
        assert sentence.holds, (place.at, sentence.text)
        assert "{" not in sentence.text


@pytest.mark.long
@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("name", [story.name for story in STORIES if story.draws])
def test_on_other_draws_statements_are_true_or_marked_as_false(name, draw):
    for place in places(name, draw):
        sentence = sentence_at(place)
        assert sentence.holds is not None
        assert sentence.holds == ((name, place.at, draw) not in UNTRUE), sentence.text
        assert sentence.text.startswith("Expected:") == (not sentence.holds)


def test_a_claim_without_its_numbers_is_not_checked():
    assert steps.check("So.", "{a}", "a < was.a", {"a": 1.0}) == steps.Sentence("So.", None)
    assert steps.check("So.", "{a:.0f}.", "a < was.a", {"a": 1.0}, {"a": 2.0}).holds is True
    other = steps.check("So.", "{a:.0f}.", "a < was.a", {"a": 3.0}, {"a": 2.0})
    assert other == steps.Sentence("Expected: “So.” Not so on this draw. 3.", False)


# ---- initial settings ----

PAGES = {"labels", "eigenfunctions", "regression", "data"}


@pytest.mark.parametrize("name", datasets.names())
def test_every_data_set_starts_within_its_range(name):
    start = presets.for_data(name)
    info = describe(name, start.data.options)
    assert start.data.name == name
    assert 1 <= start.data.n_samples <= info.max_samples
    assert 0 <= start.data.noise <= info.max_noise
    assert tidy(start) == start
    assert dict(start.data.options) == {o.name: o.default for o in info.options}
    assert start.story == ""
    assert presets.base_of(start.change(lam=9.0)) == start


@pytest.mark.parametrize("story", presets.STORIES, ids=lambda s: s.name)
def test_every_story_is_complete(story):
    if story.page == "data":  # a picture, with another kind of settings
        assert picture.STORIES[story.name].story == story.name
        assert not story.settings
    else:
        initial = presets.for_story(story.name)
        assert initial.story == story.name
        assert presets.base_of(initial.change(lam=9.0, marks=())) == initial
        for name, value in story.settings.items():
            assert initial.get(name) == value
    story_steps = picture.STEPS.get(story.name) or steps.STEPS[story.name]
    assert len(story_steps) in range(2, 6)
    for claimed in (story, *story_steps):
        assert claimed.claim
        assert "{" in claimed.read
    assert all(step.says.endswith(".") for step in story_steps)
    assert story.look.endswith(".")
    assert story.next.endswith(".")
    assert story.title
    assert story.source
    with open(presets.picture_of(story.name), "rb") as file:
        header = file.read(12)
    assert (header[:4], header[8:]) == (b"RIFF", b"WEBP")


def test_story_names_are_unique_across_pages():
    assert len({story.name for story in presets.STORIES}) == len(presets.STORIES)
    assert {story.page for story in presets.STORIES} == PAGES


@pytest.mark.slow
def test_six_labels_chosen_by_energy_find_every_circle():
    """As the story's last sentence says."""
    settings = presets.for_story("next-label").change(ask="energy")
    while (view := labels_view(settings)).numbers["laplacian"] < 0.99:
        marks = *settings.labels.chosen, Label(view.next.row, view.next.truth)
        settings = settings.change(marks=marks)
    assert len(settings.labels.chosen) == 6
