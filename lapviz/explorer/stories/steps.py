"""The steps of a story: each leads to its own settings, which therefore identify the step.

A story is a sequence of states: its initial settings, then those after each step. The settings on
screen match one of them or none, and no other state is stored: steps are in links.

The sentences of a story are checked against the numbers on screen. A sentence states something,
``read`` has the numbers to fill in, and ``claim`` is the condition under which the statement is
true: an expression in these numbers, by the names that each page gives them, and in those before
the step as ``was``, for instance ``laplacian < was.laplacian``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from lapviz.explorer.compute import points
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.stories import presets
from lapviz.labels import Label

_FUNCTIONS = {"abs": abs, "max": max, "range": range}


@dataclass(frozen=True)
class Sentence:
    """A sentence about the numbers on screen.

    Attributes
    ----------
    text : str
    holds : bool or None
        Whether the statement is true here; None if it cannot be checked.
    """

    text: str
    holds: bool | None


def check(
    says: str,
    read: str,
    claim: str,
    now: Mapping[str, Any],
    was: Mapping[str, Any] | None = None,
) -> Sentence:
    """Complete a story's sentence with these numbers, and check it.

    Parameters
    ----------
    says, read, claim : str
    now : mapping
        Numbers on screen.
    was : mapping or None
        Numbers before the step.
    """
    names = {**now, "was": SimpleNamespace(**(was or {}))}
    try:
        numbers = re.sub(r"(\d)e-0*(\d)", r"\1e−\2", read.format(**names))
        # The expressions are part of the package and never come from users.
        holds = bool(eval(claim, {"__builtins__": _FUNCTIONS, **names})) if claim else None
    except (AttributeError, IndexError, KeyError, NameError, TypeError):  # a number is missing
        return Sentence(says, None)
    if holds is False:
        return Sentence(f"Expected: “{says}” Not so on this draw. {numbers}".strip(), False)
    return Sentence(f"{says} {numbers}".strip(), holds)


@dataclass(frozen=True)
class Step:
    """One step of a story.

    Attributes
    ----------
    text : str
        What it does, for its button.
    by : str
        The control that does the same by hand.
    change : callable
        Maps the settings before it to those after it.
    at : str
        The setting that it changes, whose control is highlighted; "" on pages without a sidebar.
    says, read, claim : str
        What is then seen, its numbers, and the condition for it.
    after_last : bool
        Whether it starts where the last step ended, not at the story's initial settings.
    """

    text: str
    by: str
    change: Callable[[Any], Any]
    at: str = ""
    says: str = ""
    read: str = ""
    claim: str = ""
    after_last: bool = False


def walk(start: Any, steps: Sequence[Step]) -> tuple[Any, ...]:
    """The story's initial settings, then those after each step."""
    states = [start]
    for step in steps:
        states.append(step.change(states[-1] if step.after_last else start))
    return tuple(states)


@dataclass(frozen=True)
class Place:
    """A visitor's place in a story.

    Attributes
    ----------
    story : Story
    steps : tuple of Step
    states : tuple of settings
        The story's initial settings, then those after each step.
    at : int
        Index of the nearest state.
    changed : tuple of str
        Titles of the controls that differ from that state.
    """

    story: presets.Story
    steps: tuple[Step, ...]
    states: tuple[Any, ...]
    at: int
    changed: tuple[str, ...]

    @classmethod
    def of(
        cls,
        story: presets.Story,
        steps: tuple[Step, ...],
        now: Any,
        start: Any,
        changed: Callable[[Any, Any], tuple[str, ...]],
    ) -> Place:
        """The place of the settings ``now``; of equally near states, the first one."""
        states = walk(start, steps)
        differences = [changed(now, state) for state in states]
        nearest = min(range(len(states)), key=lambda i: len(differences[i]))
        return cls(story, steps, states, nearest, differences[nearest])

    @property
    def step(self) -> Step | None:
        """The step that led here; None at the story's initial settings."""
        return self.steps[self.at - 1] if self.at else None

    def in_force(self, i: int) -> bool:
        """Whether the change of the i-th step, counted from 1, is still in effect."""
        return i <= self.at and all(step.after_last for step in self.steps[i : self.at])

    @property
    def before(self) -> Any:
        """The settings that this step is compared with; None at the story's initial ones."""
        if self.step is None:
            return None
        return self.states[self.at - 1 if self.step.after_last else 0]

    @property
    def statement(self) -> tuple[str, str, str]:
        """What is seen here, its numbers, and the condition for it."""
        if self.step is None:
            return self.story.look, self.story.read, self.story.claim
        return self.step.says, self.step.read, self.step.claim

    def sentence(self, now: Mapping[str, Any], was: Mapping[str, Any] | None = None) -> Sentence:
        """The statement, checked against the numbers on screen and those before the step."""
        return check(*self.statement, now, was)


def _without_first_label(settings: Settings) -> Settings:
    labels = points.labelled(settings.data, settings.labels).labels
    return settings.change(marks=labels[1:])


def _true_labels(settings: Settings) -> Settings:
    """Replace every label by its true class alone."""
    truth = points.sample(settings.data).y
    labels = points.labelled(settings.data, settings.labels).labels
    marks = tuple(Label(label.index, int(truth[label.index])) for label in labels)
    return settings.change(marks=marks)


@lru_cache(maxsize=64)
def _label_suggestion(settings: Settings) -> Settings:
    """Label the point suggested by the criterion with its true class."""
    suggestion = labels_view(settings, light=True).next
    if suggestion is None:
        return settings
    truth = suggestion.row, suggestion.truth
    return settings.change(marks=points.with_label(settings.data, settings.labels, *truth))


_ACTIONS = {
    "without first label": _without_first_label,
    "true labels": _true_labels,
    "ask the truth": _label_suggestion,
}


def _step(text: str, at: str, set: Mapping | None = None, does: str = "", **words: Any) -> Step:
    """A step from its entry in the presets."""
    values = presets.parsed(set or {})
    action = _ACTIONS[does] if does else lambda now: now
    by = "the picture itself, by a click"
    if at != "marks":
        above = at in ("lam", "filter", "sigma", "p", "mu")
        where = "above the picture (perhaps under “More”)" if above else "in the sidebar (»)"
        by = f"“{SETTINGS[at].label}”, {where}"
    return Step(text, by, lambda now: tidy(action(now).change(**values)), at, **words)


@lru_cache(maxsize=64)  # asked for by each part of a page
def place_of(settings: Settings) -> Place | None:
    """The settings' place in their story; None without a story."""
    if not settings.story:
        return None
    start, story = presets.story_start(settings), presets.BY_NAME[settings.story]
    return Place.of(story, STEPS[story.name], settings, start, presets.changed)


# By the story's name.
STEPS = {story.name: tuple(_step(**step) for step in story.steps) for story in presets.STORIES}
