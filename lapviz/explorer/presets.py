"""Default settings for every data set and every story."""

from __future__ import annotations

from functools import lru_cache

from lapviz import datasets
from lapviz.explorer.fields import tidy
from lapviz.explorer.settings import AUTO, CHOOSABLE, Settings
from lapviz.explorer.specs import describe
from lapviz.explorer.stories import BY_NAME, STORIES

__all__ = ["BY_NAME", "STORIES", "base_of", "for_data", "for_story", "papers_for",
           "papers_of"]  # fmt: skip

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
    info = datasets.info(data)
    start = Settings().change(
        data=data,
        n=info.n_samples,
        noise=info.noise,
        options=tuple((o.name, o.default) for o in sorted(info.options, key=lambda o: o.name)),
        per_class=info.labels_per_class,
        plane=_plane(describe(data).n_features),
        standardise=info.standardised,
    )
    return tidy(start.change(**_BY_DATA.get(data, {})))


@lru_cache(maxsize=64)
def for_story(name: str) -> Settings:
    """Settings of a story."""
    changes = dict(BY_NAME[name].changes)
    return tidy(papers_for(changes.pop("data")).change(story=name, **changes))


def base_of(settings: Settings) -> Settings:
    """What “Reset” restores: the story's settings, or else the data set's defaults."""
    return for_story(settings.story) if settings.story else for_data(settings.data.name)


def papers_of(settings: Settings) -> Settings:
    """The papers' settings: the story's, or those for the data set."""
    return for_story(settings.story) if settings.story else papers_for(settings.data.name)
