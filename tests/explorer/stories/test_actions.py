"""The buttons of the stories: each changes what it says, to something that the page can show."""

from __future__ import annotations

import pytest

from lapviz.explorer.settings.fields import from_query, tidy, to_query
from lapviz.explorer.settings.records import SETTINGS
from lapviz.explorer.stories import actions, presets

STORIES = [story for story in presets.STORIES if story.page != "data"]  # test_picture.py has those
STEPS = [(story.name, step) for story in STORIES for step in actions.of(story.name)]
RETURNS = {"noisy-circles", "roll", "sphere", "square", "unlabelled"}  # the last one leads back


def test_every_story_has_steps_and_every_step_a_story():
    assert {name for name, _ in STEPS} == actions.TRIES.keys() == {story.name for story in STORIES}


@pytest.mark.parametrize(("name", "step"), STEPS, ids=lambda value: getattr(value, "text", value))
def test_a_step_changes_the_setting_whose_control_it_points_at(name, step):
    start = presets.for_story(name)
    after = tidy(step.change(start))
    if step.act:
        assert after == start
        return
    before = start
    if name in RETURNS and step is actions.of(name)[-1]:
        before = tidy(actions.of(name)[0].change(start))
    assert before.get(step.at) != after.get(step.at)
    again, complaints = from_query(to_query(after, start), start)
    assert complaints == []
    for field in SETTINGS.values():
        assert again.get(field.name) == after.get(field.name), field.name
    # no sentence outlives its settings, and steps do not add up
    assert (presets.look(after) == presets.BY_NAME[name].look) == (after == start)
    for other in actions.of(name):
        if not {"Ask the truth", "Sweep λ"} & {step.text, other.text} and step.at != "seed":
            assert tidy(step.change(other.change(start))) == after


def test_what_to_look_for_is_about_the_storys_own_settings():
    digits = presets.look(presets.for_story("digits").change(per_class=1, operator="laplacian"))
    assert "accurate" not in digits
    assert "Gradient" in digits
