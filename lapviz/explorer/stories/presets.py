"""Default settings for every data set and every story, as listed in :file:`presets.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lapviz.explorer.settings import fields
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, OF_MODES, SETTINGS, Settings
from lapviz.explorer.settings.specs import DataSpec

OWN, PAPERS = "own", "papers"  # origins of settings, besides AUTO
VIEW = ("plane", "ax", "ay", "step")  # settings that only change the view
_LISTED = tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8"))


@dataclass(frozen=True)
class StoryPath:
    """Stories in the recommended order."""

    name: str
    title: str
    line: str

    @property
    def stories(self) -> tuple[Story, ...]:
        """The stories of the path."""
        return tuple(story for story in STORIES if story.path == self.name)


@dataclass(frozen=True)
class Story:
    """A preset with steps.

    Attributes
    ----------
    name, title : str
    page : {"labels", "eigenfunctions", "regression", "data"}
    path : str
        Name of its path.
    line : str
        Its subject, in one line.
    minutes : int
        Time that it takes.
    level : {1, 2, 3}
        Prerequisites: 1 none, 2 a first course in machine learning, 3 kernels or operators.
    look, read, claim : str
        What the initial settings show, the numbers, and the condition for it: see
        :mod:`lapviz.explorer.stories.steps`.
    next : str
        What else to try.
    source : str
    settings : mapping
        Settings that differ from the data set's defaults.
    steps : tuple of mappings
        See :mod:`lapviz.explorer.stories.steps`.
    useful : tuple of float
        Range in which λ has an effect worth seeing; empty: everywhere.
    draws : bool
        Whether another seed gives another sample to which the steps apply as well.
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
    """Parse settings from the TOML file, in which strings are written as in links."""

    def value(name: str, raw: object) -> object:
        if isinstance(raw, Mapping):
            return tuple(raw.items())
        in_link = isinstance(raw, str) and name in SETTINGS
        return SETTINGS[name].read(raw) if in_link else raw

    return {name: value(name, raw) for name, raw in listed.items()}


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
    """The papers' settings for a built-in data set; see :func:`papers_of_data`."""
    return _start(DataSpec(data))


def papers_of_data(spec: DataSpec) -> Settings:
    """The papers' settings for a data set, with values that give a good picture.

    Raises
    ------
    ValueError
        If there is no such data set, or if a visitor's own data have expired.
    """
    return _start(spec) if spec.source else papers_for(spec.name)


def neighbour(name: str, step: int) -> Story:
    """The story ``step`` places after another in the order of the paths, cyclically.

    If no story has the name, the first or the last one.
    """
    missing = -1 if step > 0 else 0
    index = next((i for i, story in enumerate(STORIES) if story.name == name), missing)
    return STORIES[(index + step) % len(STORIES)]


def for_spec(spec: DataSpec) -> Settings:
    """Initial settings of a data set, which links leave out.

    On real data everything that can be chosen from the data is; on the others the papers' settings
    show more, since a change of λ is answered at once and every method is at its best.

    Raises
    ------
    ValueError
        As :func:`papers_of_data`.
    """
    papers = papers_of_data(spec)
    if not (papers.data.info.real and papers.data.info.n_classes > 1):
        return papers
    return tidy(papers.change(**dict.fromkeys(CHOOSABLE, AUTO)))


@lru_cache(maxsize=64)
def for_data(data: str) -> Settings:
    """Initial settings of a built-in data set; see :func:`for_spec`."""
    return for_spec(DataSpec(data))


def for_topic(topic: str) -> Settings:
    """Settings of a topic of Regression, on data that it can show."""
    if topic == "manifold":
        return for_data("swiss_roll").change(topic=topic, noise=0.5)
    return for_data("waves").change(topic=topic)


@lru_cache(maxsize=64)
def for_story(name: str) -> Settings:
    """Initial settings of a story."""
    changes = dict(BY_NAME[name].settings)
    return tidy(papers_for(changes.pop("data")).change(story=name, **changes))


def base_of(settings: Settings) -> Settings:
    """Settings that “Reset” restores: those of the story, or else of the data set."""
    if settings.story:
        return for_story(settings.story)
    return for_spec(settings.data) if settings.data.source else for_data(settings.data.name)


def papers_of(settings: Settings) -> Settings:
    """The papers' settings: those of the story, or else of the data set."""
    return for_story(settings.story) if settings.story else papers_of_data(settings.data)


def choosable(page: str) -> tuple[str, ...]:
    """Settings that can be chosen from the data on a page."""
    return OF_MODES if page == "eigenfunctions" else CHOOSABLE


def origin(settings: Settings, page: str) -> str:
    """Origin of the settings that can be chosen from the data: AUTO, PAPERS or OWN."""
    names, papers = choosable(page), papers_of(settings)
    if all(settings.get(name) == AUTO for name in names):
        return AUTO
    same = all(settings.get(name) == papers.get(name) for name in names)
    return PAPERS if same else OWN


def story_start(settings: Settings) -> Settings:
    """Initial settings of the story, with the current seed and view."""
    current = {name: settings.get(name) for name in (*VIEW, "seed")}
    return for_story(settings.story).change(**current)


def changed(settings: Settings, base: Settings) -> tuple[str, ...]:
    """Titles of the controls whose settings differ, apart from those of the view."""
    differing = fields.changed(SETTINGS.values(), settings.get, base.get)
    titles = [setting.label for setting in differing if setting.name not in VIEW]
    if settings.data.options != base.data.options:
        titles.append("options of the data")
    return tuple(titles)


def picture_of(story: str) -> str:
    """Path of a story's animation; ``python -m benchmarks.gallery`` renews them all."""
    return str(Path(__file__).parent / "thumbnails" / f"{story}.webp")
