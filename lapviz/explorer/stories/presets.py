"""Default settings for every data set and every story."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from lapviz import datasets
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, SETTINGS, Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories.stories import BY_NAME, STORIES

__all__ = ["BY_NAME", "STORIES", "base_of", "changed", "for_data", "for_story", "look",
           "papers_for", "papers_of"]  # fmt: skip

_LOOKS = ("plane", "ax", "ay", "step")
# Settings that give a better first picture than the data set's own defaults and "auto".
_BY_DATA: dict[str, dict] = {
    "half_moons": {"noise": 0.05, "sigma": 0.2, "per_class": 2},
    "four_circles": {"sigma": 0.2, "p": 500, "mu": 5e-4},
    "two_gaussians": {"p": 50, "mu": 1e-3},
    "gaussian": {"sigma": 2.0},
    "circle": {"operator": "known"},
    "torus": {"operator": "known"},
    "sphere": {"operator": "known", "kernel": "polynomial", "sigma": 1.0},
    "swiss_roll": {"operator": "tangent", "ax": 0, "ay": 2, "known": 20},
    "waves": {"kernel": "matern32", "sigma": 0.4, "lam": 1e-4},
    "step": {"kernel": "matern32", "sigma": 0.4, "lam": 1e-4},
    "hills": {"sigma": 0.4, "lam": 1e-4},
    "digits": {
        "sigma": 2.0,
        "p": 1200,
        "mu": 1e-4,
        "lam": 0.1,
        "operator": "tangent",
        "plane": "modes",
    },
}


def _plane(n_features: int) -> str:
    """The plane that suits so many features."""
    return "features" if n_features < 3 else "space" if n_features == 3 else "pca"


@lru_cache(maxsize=64)
def for_data(data: str) -> Settings:
    """What a data set from the menu starts with, and what a link leaves out.

    On real data everything that the data can choose is left to them; of the others the papers'
    settings show more, as λ is answered at once and every method is at its best.

    Raises
    ------
    ValueError
        If there is no such data set.
    """
    named = papers_for(data)
    if not (named.data.info.real and named.data.info.n_classes > 1):
        return named
    return tidy(named.change(**dict.fromkeys(CHOOSABLE, AUTO)))


@lru_cache(maxsize=64)
def papers_for(data: str) -> Settings:
    """The papers' settings for a data set, with numbers that make a good picture.

    Raises
    ------
    ValueError
        If there is no such data set.
    """
    return tidy(_start(DataSpec(data), datasets.info(data)).change(**_BY_DATA.get(data, {})))


def for_own(spec: DataSpec) -> Settings:
    """Defaults of data that a visitor brought.

    Raises
    ------
    ValueError
        If they are not here any more.
    """
    start = _start(spec, spec.info)
    if spec.name == "table" and spec.info.n_classes > 1:
        start = start.change(**dict.fromkeys(CHOOSABLE, AUTO))
    return tidy(start)


def _start(spec: DataSpec, info: datasets.Info) -> Settings:
    return Settings().change(
        data=spec.name,
        source=spec.source,
        n=info.n_samples,
        noise=info.noise,
        options=tuple((o.name, o.default) for o in sorted(info.options, key=lambda o: o.name)),
        per_class=info.labels_per_class,
        plane=_plane(info.n_features),
        standardise=info.standardised,
    )


@lru_cache(maxsize=64)
def for_story(name: str) -> Settings:
    """Settings of a story."""
    changes = dict(BY_NAME[name].changes)
    return tidy(papers_for(changes.pop("data")).change(story=name, **changes))


def base_of(settings: Settings) -> Settings:
    """What “Reset” restores: the story's settings, or else the data set's defaults."""
    return for_story(settings.story) if settings.story else of(settings.data)


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


def papers_of(settings: Settings) -> Settings:
    """The papers' settings: the story's, or those for the data set."""
    return for_story(settings.story) if settings.story else papers_of_data(settings.data)


def of(spec: DataSpec) -> Settings:
    """Defaults of a data set, of the library or brought by a visitor."""
    return for_own(DataSpec(spec.name, source=spec.source)) if spec.source else for_data(spec.name)


def papers_of_data(spec: DataSpec) -> Settings:
    """The papers' settings for a data set, of the library or brought by a visitor."""
    if not spec.source:
        return papers_for(spec.name)
    return tidy(_start(DataSpec(spec.name, source=spec.source), spec.info))


def picture_of(story: str) -> str:
    """Path of a story's picture; ``python -m benchmarks.gallery`` renews them all."""
    return str(Path(__file__).parent / "thumbnails" / f"{story}.png")
