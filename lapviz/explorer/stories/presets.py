"""Default settings for every data set and every story, which :file:`presets.toml` lists."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, OF_MODES, SETTINGS, Settings
from lapviz.explorer.settings.specs import DataSpec

OWN, PAPERS = "own", "papers"  # where settings come from, besides AUTO
LOOKS = ("plane", "ax", "ay", "step")  # how one looks at the same
_LISTED = tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8"))


@dataclass(frozen=True)
class StoryPath:
    """Stories in the order in which they are best seen."""

    name: str
    title: str
    line: str

    @property
    def stories(self) -> tuple[Story, ...]:
        """Its stories."""
        return tuple(story for story in STORIES if story.path == self.name)


@dataclass(frozen=True)
class Story:
    """A preset with steps to walk.

    Attributes
    ----------
    name, title : str
    page : {"labels", "eigenfunctions", "regression", "data"}
    path : str
        Name of its path.
    line : str
        What it is about, in a line.
    minutes : int
        How long it takes.
    level : {1, 2, 3}
        1 needs nothing, 2 a first course in machine learning, 3 kernels or operators.
    look, read, claim : str
        What is seen at its own settings, the numbers, and when it is so: see
        :mod:`lapviz.explorer.stories.steps`.
    next : str
        What else to try.
    source : str
    settings : mapping
        What differs from the data set's.
    steps : tuple of mappings
        See :mod:`lapviz.explorer.stories.steps`.
    useful : tuple of float
        From where to where λ is worth moving; empty: everywhere.
    draws : bool
        Whether another seed gives another sample, and the same steps.
    """

    name: str
    title: str
    page: str
    path: str
    line: str
    minutes: int
    level: int
    look: str
    next: str
    source: str
    settings: Mapping[str, object]
    steps: tuple[Mapping[str, object], ...] = ()
    read: str = ""
    claim: str = ""
    useful: tuple[float, ...] = ()
    draws: bool = True


def parsed(listed: Mapping[str, object]) -> dict[str, object]:
    """Values of settings from those of the list: a text is read as in a link."""

    def value(name: str, listed: object) -> object:
        if isinstance(listed, Mapping):
            return tuple(listed.items())
        in_link = isinstance(listed, str) and name in SETTINGS
        return SETTINGS[name].read(listed) if in_link else listed

    return {name: value(name, its) for name, its in listed.items()}


STORIES = tuple(
    Story(**story | {"settings": parsed(story.get("settings", {}))}) for story in _LISTED["story"]
)
BY_NAME = {story.name: story for story in STORIES}
PATHS = tuple(StoryPath(**path) for path in _LISTED["path"])


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
    return tidy(start.change(**parsed(_LISTED["data"].get(spec.name, {}))))


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


def neighbour(name: str, step: int) -> Story:
    """The story that many places after another in the order of the paths; round at the ends.

    Of no story, the first or the last.
    """
    at = next((i for i, story in enumerate(STORIES) if story.name == name), -1 if step > 0 else 0)
    return STORIES[(at + step) % len(STORIES)]


def for_spec(spec: DataSpec) -> Settings:
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
    """What a data set from the menu starts with: see :func:`for_spec`."""
    return for_spec(DataSpec(data))


@lru_cache(maxsize=64)
def for_story(name: str) -> Settings:
    """Settings of a story."""
    changes = dict(BY_NAME[name].settings)
    return tidy(papers_for(changes.pop("data")).change(story=name, **changes))


def base_of(settings: Settings) -> Settings:
    """What “Reset” restores: the story's settings, or else the data set's defaults."""
    if settings.story:
        return for_story(settings.story)
    return for_spec(settings.data) if settings.data.source else for_data(settings.data.name)


def papers_of(settings: Settings) -> Settings:
    """The papers' settings: the story's, or those for the data set."""
    return for_story(settings.story) if settings.story else papers_of_data(settings.data)


def choosable(page: str) -> tuple[str, ...]:
    """Settings that the data can choose on a page."""
    return OF_MODES if page == "eigenfunctions" else CHOOSABLE


def origin(settings: Settings, page: str) -> str:
    """Where all settings come from that the data can choose: AUTO, PAPERS or OWN."""
    names, papers = choosable(page), papers_of(settings)
    if all(settings.get(name) == AUTO for name in names):
        return AUTO
    same = all(settings.get(name) == papers.get(name) for name in names)
    return PAPERS if same else OWN


def story_start(settings: Settings) -> Settings:
    """Where the settings' story begins, on the draw that is shown and as one looks at it."""
    own = {name: settings.get(name) for name in (*LOOKS, "seed")}
    return for_story(settings.story).change(**own)


def changed(settings: Settings, than: Settings) -> tuple[str, ...]:
    """Titles of the controls that are not as in others, but for how one looks at the same."""
    titles = [
        own.label
        for own in SETTINGS.values()
        if own.name not in LOOKS and settings.get(own.name) != than.get(own.name)
    ]
    if settings.data.options != than.data.options:
        titles.append("options of the data")
    return tuple(titles)


def useful(story: str) -> tuple[float, ...]:
    """From where to where λ is worth moving in a story; empty: everywhere, or no story."""
    return tuple(BY_NAME[story].useful) if story in BY_NAME else ()


def picture_of(story: str) -> str:
    """Path of a story's moving picture; ``python -m benchmarks.gallery`` renews them all."""
    return str(Path(__file__).parent / "thumbnails" / f"{story}.webp")
