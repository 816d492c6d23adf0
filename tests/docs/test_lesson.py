"""The lesson plan: its links open the right pages, which show the figures that it quotes."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import from_query
from lapviz.explorer.stories import presets

LESSON = (Path(__file__).parents[2] / "docs" / "guide" / "lesson.md").read_text("utf-8")
LINKS = sorted(set(re.findall(r"`/(\w+)\?([^`]+)`", LESSON)))
FIGURES = re.findall(
    r"^\| `/labels\?([^`]+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", LESSON, re.M
)


def settings_of(query: str):
    """Settings of a link, all of which must be valid."""
    values = dict(parse_qsl(query))
    base = (
        presets.for_story(values["story"])
        if "story" in values
        else presets.for_data(values["data"])
    )
    settings, problems = from_query(values, base)
    assert list(problems) == []
    return settings


@pytest.mark.parametrize(("page", "query"), LINKS)
def test_a_link_of_the_lesson_opens_its_page(page, query):
    settings = settings_of(query)
    assert not settings.story or presets.BY_NAME[settings.story].page == page


@pytest.mark.slow
@pytest.mark.parametrize(("query", "figures"), [(query, figures) for query, *figures in FIGURES])
def test_the_screen_shows_the_figures_of_the_lesson(query, figures):
    shown = [round(100 * score.accuracy, 1) for score in labels_view(settings_of(query)).scores]
    assert shown == pytest.approx([float(figure) for figure in figures], abs=0.15)


def test_every_link_to_labels_has_its_figures():
    plan = LESSON.partition("## What the screen says")[0]
    queries = {query for page, query in re.findall(r"`/(\w+)\?([^`]+)`", plan) if page == "labels"}
    assert queries == {query for query, *_ in FIGURES}
