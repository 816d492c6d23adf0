"""Initial settings of data sets and stories."""

from __future__ import annotations

import pytest

from lapviz import datasets
from lapviz.explorer.pages.picture.settings import STORIES
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.specs import describe
from lapviz.explorer.stories import presets
from lapviz.labels import Label

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
        assert STORIES[story.name].story == story.name
        assert not story.settings
    else:
        initial = presets.for_story(story.name)
        assert initial.story == story.name
        assert presets.base_of(initial.change(lam=9.0, marks=())) == initial
        for name, value in story.settings.items():
            assert initial.get(name) == value
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
    """As the story's last sentence says; test_steps.py checks the steps of all stories."""
    settings = presets.for_story("next-label").change(ask="energy")
    while (view := labels_view(settings)).numbers["laplacian"] < 0.99:
        marks = *settings.labels.chosen, Label(view.next.row, view.next.truth)
        settings = settings.change(marks=marks)
    assert len(settings.labels.chosen) == 6
