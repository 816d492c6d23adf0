"""The lesson plan: its links open what they should, and the screen says what the page says."""

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


def opened(query: str):
    """Settings of a link, which must be understood in every part."""
    given = dict(parse_qsl(query))
    base = (
        presets.for_story(given["story"]) if "story" in given else presets.for_data(given["data"])
    )
    settings, problems = from_query(given, base)
    assert list(problems) == []
    return settings


@pytest.mark.parametrize(("page", "query"), LINKS)
def test_a_link_of_the_lesson_opens_its_page(page, query):
    settings = opened(query)
    assert not settings.story or presets.BY_NAME[settings.story].page == page


@pytest.mark.slow
@pytest.mark.parametrize(("query", "figures"), [(query, its) for query, *its in FIGURES])
def test_the_screen_says_what_the_lesson_says(query, figures):
    shown = [round(100 * score.accuracy, 1) for score in labels_view(opened(query)).scores]
    assert shown == pytest.approx([float(figure) for figure in figures], abs=0.15)


def test_every_link_of_labels_that_is_shown_has_its_figures():
    plan = LESSON.partition("## What the screen says")[0]
    shown = {query for page, query in re.findall(r"`/(\w+)\?([^`]+)`", plan) if page == "labels"}
    assert shown == {query for query, *_ in FIGURES}
