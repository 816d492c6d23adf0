"""Error and energy against λ for every method of the Labels page, over several seeds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import progress
from lapviz.estimates import decode
from lapviz.explorer.compute import fits, points
from lapviz.explorer.scene.label_methods import DEPENDS, METHODS, Picture, Unavailable, titles
from lapviz.explorer.scene.placement import plane_of
from lapviz.explorer.settings.records import Settings

Array = np.ndarray
MOST_SCORES = 4_000_000  # numbers of several λ that are held at once


@dataclass(frozen=True, eq=False)
class Paths:
    """Curves over λ: row 0 has the page's own seed and labels, the others draw both anew.

    Attributes
    ----------
    lams : array (m,)
    error, energy : dict of method to array (n_seeds, m)
        Share of the unlabelled points that is wrong, and Dirichlet energy; NaN where unknown.
    """

    lams: Array
    error: dict[str, Array]
    energy: dict[str, Array]

    @property
    def n_seeds(self) -> int:
        return len(next(iter(self.error.values())))


def label_paths(settings: Settings, lams: tuple[float, ...], n_seeds: int) -> Paths:
    """Curves of all methods; reports the seeds that are done as partial results.

    Raises
    ------
    ValueError
        If no point is labelled, or every one is.
    """
    done: list[dict] = []
    with progress.inside("all methods", n_seeds) as tell:
        for s in range(n_seeds):
            tell(s, _stacked(lams, done), f"seed {s + 1} of {n_seeds}")
            done.append(_one(settings if s == 0 else redrawn(settings, s), lams))
    return _stacked(lams, done)


def redrawn(settings: Settings, s: int) -> Settings:
    """The settings with the s-th seed after theirs; labels are drawn, as many for each class.

    Labels set by hand are rows of the page's own data: in other data as many are drawn at random.
    """
    per_class = settings.labels.per_class
    if settings.labels.chosen is not None:
        count = len(settings.labels.chosen) / settings.data.info.n_classes
        per_class = max(1, round(count))
    seed = (settings.data.random_state + s) % 2**31
    return settings.change(seed=seed, marks=None, per_class=per_class)


def _stacked(lams, done: list[dict]) -> Paths | None:
    """The curves of the seeds so far; methods that only the first has stay alone."""
    if not done:
        return None
    parts = [{name: np.stack([own[name][k] for own in done if name in own]) for name in done[0]}
             for k in (0, 1)]  # fmt: skip
    return Paths(np.array(lams), *parts)


def _one(settings: Settings, lams) -> dict[str, tuple[Array, Array]]:
    """Error and energy (m,) of every method on one draw."""
    data = points.sample(settings.data)
    given = points.labelled(settings.data, settings.labels)
    if not given.labels:
        raise ValueError("Label a point first.")
    if given.mask(len(data.X)).all():
        raise ValueError(
            "Every point is labelled: the accuracy is measured on unlabelled points, and there are "
            "none."
        )
    settings = fits.for_labels(settings)
    picture = Picture(settings, given, np.arange(len(data.X)), None, plane_of(settings))
    return {title: _curves(picture, title, lams) for title in titles(given)}


def _curves(picture: Picture, title: str, lams) -> tuple[Array, Array]:
    """Error and energy (m,) of a method; of the graph, which has no λ, a constant line."""
    if "lam" not in DEPENDS[title]:
        return tuple(np.full(len(lams), its) for its in _numbers(picture, title, lams[:1])[0])
    at_once = max(1, MOST_SCORES // (len(picture.data.X) * picture.data.n_classes))
    parts = (lams[i : i + at_once] for i in range(0, len(lams), at_once))
    error, energy = np.array([its for part in parts for its in _numbers(picture, title, part)]).T
    return error, energy


def _numbers(picture: Picture, title: str, lams) -> list[tuple[float, float]]:
    """For each λ the share wrong of the unlabelled points, and energy; NaN where unknown."""
    try:
        each = [picture.settings.change(lam=float(lam)) for lam in lams]
        made = METHODS[title](picture, each)
    except Unavailable:
        return [(np.nan, np.nan)] * len(lams)
    rows = points.judged(picture.data, picture.given.mask(len(picture.data.X)))
    y, some = picture.data.y[rows], rows.any()  # none: nobody knows the other classes
    return [
        (float((decode(its.at)[rows] != y).mean()) if some else np.nan,
         np.nan if its.energy is None else its.energy)
        for its in made
    ]  # fmt: skip
