"""What a story suggests to try: buttons that do it, and say which control does the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lapviz.explorer.compute import points
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stories import presets
from lapviz.labels import Label


@dataclass(frozen=True)
class Try:
    """One step of a story.

    Attributes
    ----------
    text : str
        What it does, as its button says it.
    at : str
        The setting whose control does it by hand.
    change : callable
        The settings after it. It begins at the story's own, so that steps do not add up.
    act : {"", "play"}
        What the stage does besides.
    """

    text: str
    at: str
    change: Callable[[Settings], Settings]
    act: str = ""


def _without_first_label(settings: Settings) -> Settings:
    settings = presets.base_of(settings)
    given = points.labelled(settings.data, settings.labels).labels
    return settings.change(marks=given[1:])


def _next_seed(settings: Settings) -> Settings:
    settings = presets.base_of(settings)
    return settings.change(seed=settings.data.random_state + 1, marks=None)


def _true_labels(settings: Settings) -> Settings:
    """Every label with its true class alone."""
    settings = presets.base_of(settings)
    truth = points.sample(settings.data).y
    given = points.labelled(settings.data, settings.labels).labels
    return settings.change(marks=tuple(Label(g.index, int(truth[g.index])) for g in given))


def _ask_the_truth(settings: Settings) -> Settings:
    """The point that the criterion asks for, with its true class; from where the settings are."""
    following = labels_view(settings, light=True).next
    if following is None:
        return settings
    truth = following.row, following.truth
    return settings.change(marks=points.with_label(settings.data, settings.labels, *truth))


_DOES = {
    "play": lambda settings: settings,  # the stage does it
    "without first label": _without_first_label,
    "next seed": _next_seed,
    "true labels": _true_labels,
    "ask the truth": _ask_the_truth,
}


def _listed(text: str, at: str, set: Mapping | None = None, does: str = "") -> Try:
    """A step as the list of presets has it."""
    values = presets.read(set or {})
    change = _DOES[does] if does else lambda now: presets.base_of(now).change(**values)
    return Try(text, at, change, "play" if does == "play" else "")


# By the story's name; a story without steps has its sentence only.
TRIES = {
    story.name: tuple(_listed(**step) for step in story.steps)
    for story in presets.STORIES
    if story.steps
}


def of(story: str) -> tuple[Try, ...]:
    """The steps of a story."""
    return TRIES.get(story, ())
