"""The steps of a story: each leads to settings of its own, so that these say where one is.

A story is a walk: its own settings, then those after each step. The settings on screen are one of
them or none, and nothing else is kept: steps are in links, in the history of the browser, and
undone by going back.

What a story says is checked on the numbers of the screen. A sentence states something, ``read`` has
the numbers to fill in, and ``claim`` is the condition under which the statement is true: an
expression of those numbers by the names that each page gives them, and of those before the step as
``was``, for instance ``laplacian < was.laplacian``.
"""

from __future__ import annotations

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
    """A sentence about the screen.

    Attributes
    ----------
    text : str
    holds : bool or None
        Whether what the story states is so here; None: it cannot be checked.
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
    """A story's sentence for these numbers.

    Parameters
    ----------
    says, read, claim : str
    now : mapping
        Numbers of the screen.
    was : mapping or None
        Those before the step.
    """
    names = {**now, "was": SimpleNamespace(**(was or {}))}
    try:
        numbers = read.format(**names)
        # The expressions are the package's own, none is from outside.
        holds = bool(eval(claim, {"__builtins__": _FUNCTIONS, **names})) if claim else None
    except (AttributeError, IndexError, KeyError, NameError, TypeError):  # a number is missing
        return Sentence(says, None)
    if holds is False:
        return Sentence(f"Expected: “{says}” On this draw it is not so. {numbers}".strip(), False)
    return Sentence(f"{says} {numbers}".strip(), holds)


@dataclass(frozen=True)
class Step:
    """One step of a story.

    Attributes
    ----------
    text : str
        What it does, as its button says it.
    by : str
        What does the same by hand.
    change : callable
        The settings after it.
    at : str
        The setting that it changes, whose control is pointed at; "" on pages without a sidebar.
    says, read, claim : str
        What is seen then, its numbers, and when it is so.
    after_last : bool
        Whether it begins where the last step ended; else at the story's own settings.
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
    """The story's own settings, then those after each step."""
    made = [start]
    for step in steps:
        made.append(step.change(made[-1] if step.after_last else start))
    return tuple(made)


@dataclass(frozen=True)
class Place:
    """Where a visitor is in a story.

    Attributes
    ----------
    story : Story
    steps : tuple of Step
    states : tuple of settings
        The story's own, then those after each step.
    at : int
        The nearest of them.
    changed : tuple of str
        What has been set otherwise since, by the controls' titles.
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
        """The place of the settings ``now``; of states that are as near, the first one."""
        states = walk(start, steps)
        apart = [changed(now, state) for state in states]
        at = min(range(len(states)), key=lambda i: len(apart[i]))
        return cls(story, steps, states, at, apart[at])

    @property
    def step(self) -> Step | None:
        """The step that led here; None at the story's own settings."""
        return self.steps[self.at - 1] if self.at else None

    def in_force(self, i: int) -> bool:
        """Whether the settings have what the i-th step, counted from 1, has changed."""
        return i <= self.at and all(step.after_last for step in self.steps[i : self.at])

    @property
    def before(self) -> Any:
        """The settings that this step is compared with; None at the story's own."""
        if self.step is None:
            return None
        return self.states[self.at - 1 if self.step.after_last else 0]

    @property
    def statement(self) -> tuple[str, str, str]:
        """What is to be seen here, its numbers, and when it is so."""
        if self.step is None:
            return self.story.look, self.story.read, self.story.claim
        return self.step.says, self.step.read, self.step.claim

    def sentence(self, now: Mapping[str, Any], was: Mapping[str, Any] | None = None) -> Sentence:
        """The statement, checked on the screen's numbers and those before the step."""
        return check(*self.statement, now, was)


def _without_first_label(settings: Settings) -> Settings:
    given = points.labelled(settings.data, settings.labels).labels
    return settings.change(marks=given[1:])


def _true_labels(settings: Settings) -> Settings:
    """Every label with its true class alone."""
    truth = points.sample(settings.data).y
    given = points.labelled(settings.data, settings.labels).labels
    return settings.change(marks=tuple(Label(g.index, int(truth[g.index])) for g in given))


@lru_cache(maxsize=64)
def _ask_the_truth(settings: Settings) -> Settings:
    """The point that the criterion asks for, with its true class."""
    following = labels_view(settings, light=True).next
    if following is None:
        return settings
    truth = following.row, following.truth
    return settings.change(marks=points.with_label(settings.data, settings.labels, *truth))


_DOES = {
    "without first label": _without_first_label,
    "true labels": _true_labels,
    "ask the truth": _ask_the_truth,
}


def _listed(text: str, at: str, set: Mapping | None = None, does: str = "", **words: Any) -> Step:
    """A step as the list of presets has it."""
    values = presets.parsed(set or {})
    does = _DOES[does] if does else lambda now: now
    by = "the picture itself, by a click"
    if at != "marks":
        by = f"“{SETTINGS[at].label}”, above the picture or in the sidebar (»)"
    return Step(text, by, lambda now: tidy(does(now).change(**values)), at, **words)


def place_of(settings: Settings) -> Place | None:
    """Where the settings are in their story; None if they have none."""
    if not settings.story:
        return None
    start, story = presets.story_start(settings), presets.BY_NAME[settings.story]
    return Place.of(story, STEPS[story.name], settings, start, presets.changed)


# By the story's name.
STEPS = {story.name: tuple(_listed(**step) for step in story.steps) for story in presets.STORIES}


def for_story(story: str) -> tuple[Step, ...]:
    """The steps of a story."""
    return STEPS.get(story, ())
