"""Default settings for every data set and every story, which :file:`presets.toml` lists."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, SETTINGS, Settings
from lapviz.explorer.settings.specs import DataSpec

_LOOKS = ("plane", "ax", "ay", "step")
_LISTED = tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Story:
    """A preset with a title, what to look for, what to try next, and its source.

    ``settings`` are what differs from the data set's; ``steps`` are described in
    :mod:`lapviz.explorer.stories.actions`.
    """

    name: str
    title: str
    page: str  # "labels", "eigenfunctions", "regression" or "data"
    look: str
    next: str
    source: str
    settings: Mapping[str, object]
    steps: tuple[Mapping[str, object], ...] = ()


def read(listed: Mapping[str, object]) -> dict[str, object]:
    """Values of settings from those of the list: a text is read as in a link."""

    def value(name: str, listed: object) -> object:
        if isinstance(listed, Mapping):
            return tuple(listed.items())
        in_link = isinstance(listed, str) and name in SETTINGS
        return SETTINGS[name].read(listed) if in_link else listed

    return {name: value(name, its) for name, its in listed.items()}


STORIES = tuple(
    Story(**story | {"settings": read(story.get("settings", {}))}) for story in _LISTED["story"]
)
BY_NAME = {story.name: story for story in STORIES}


def _start(spec: DataSpec) -> Settings:
    info = DataSpec(spec.name, source=spec.source).info
    start = Settings().change(
        data=spec.name,
        source=spec.source,
        n=info.n_samples,
        noise=info.noise,
        options=tuple((o.name, o.default) for o in sorted(info.options, key=lambda o: o.name)),
        per_class=info.labels_per_class,
        plane="features" if info.n_features < 3 else "space" if info.n_features == 3 else "pca",
        standardise=info.standardised,
    )
    return tidy(start.change(**read(_LISTED["data"].get(spec.name, {}))))


@lru_cache(maxsize=64)
def papers_for(data: str) -> Settings:
    """The papers' settings for a data set from the menu: see :func:`papers_of_data`."""
    return _start(DataSpec(data))


def papers_of_data(spec: DataSpec) -> Settings:
    """The papers' settings for a data set, with numbers that make a good picture.

    Raises
    ------
    ValueError
        If there is no such data set, or, of a visitor's own data, if they are not here any more.
    """
    return _start(spec) if spec.source else papers_for(spec.name)


def of(spec: DataSpec) -> Settings:
    """What a data set starts with, and what a link leaves out.

    On real data everything that the data can choose is left to them; of the others the papers'
    settings show more, as λ is answered at once and every method is at its best.

    Raises
    ------
    ValueError
        As :func:`papers_of_data`.
    """
    named = papers_of_data(spec)
    if not (named.data.info.real and named.data.info.n_classes > 1):
        return named
    return tidy(named.change(**dict.fromkeys(CHOOSABLE, AUTO)))


@lru_cache(maxsize=64)
def for_data(data: str) -> Settings:
    """What a data set from the menu starts with: see :func:`of`."""
    return of(DataSpec(data))


@lru_cache(maxsize=64)
def for_story(name: str) -> Settings:
    """Settings of a story."""
    changes = dict(BY_NAME[name].settings)
    return tidy(papers_for(changes.pop("data")).change(story=name, **changes))


def base_of(settings: Settings) -> Settings:
    """What “Reset” restores: the story's settings, or else the data set's defaults."""
    if settings.story:
        return for_story(settings.story)
    return of(settings.data) if settings.data.source else for_data(settings.data.name)


def papers_of(settings: Settings) -> Settings:
    """The papers' settings: the story's, or those for the data set."""
    return for_story(settings.story) if settings.story else papers_of_data(settings.data)


def changed(settings: Settings) -> tuple[str, ...]:
    """Titles of the controls that are not as in the story, but for how one looks at the same."""
    own = base_of(settings)
    names = [
        f.label
        for f in SETTINGS.values()
        if f.name not in _LOOKS and settings.get(f.name) != own.get(f.name)
    ]
    return (*names, *(["options of the data"] if settings.data.options != own.data.options else []))


def look(settings: Settings) -> str:
    """What to look for in the settings' story; with other settings, that it is about its own."""
    if not (names := changed(settings)):
        return BY_NAME[settings.story].look
    return f"Not as in the story any more: {', '.join(names)}. “Reset” leads back to it."


def picture_of(story: str) -> str:
    """Path of a story's picture; ``python -m benchmarks.gallery`` renews them all."""
    return str(Path(__file__).parent / "thumbnails" / f"{story}.png")
