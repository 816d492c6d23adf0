"""Data sets, each with its known eigenvalues and Bayes error.

>>> from lapviz import datasets
>>> data = datasets.load("half_moons", n_samples=500, random_state=1)
>>> data.X.shape, data.class_names
((500, 2), ('left moon', 'right moon'))
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

# each module registers its data sets, in this order in the menu
# isort: off
from lapviz.datasets import planar, gaussians, manifolds, responses, real, drawn  # noqa: F401

# isort: on
from lapviz.datasets.base import Generator, draw_labels, registered, streams
from lapviz.datasets.dataset import GROUPS, Dataset, Info, Option
from lapviz.datasets.truths import Truth

__all__ = [
    "GROUPS",
    "Dataset",
    "Info",
    "Option",
    "Truth",
    "draw_labels",
    "info",
    "load",
    "names",
    "relabel",
]


def names(kind: str = "classes") -> tuple[str, ...]:
    """List the names of the built-in data sets by group, the real ones last.

    ``load("drawn", source=...)`` loads a drawing by its code and is not among them.

    Parameters
    ----------
    kind : {"classes", "values"}
        Data sets with classes, or with a number for each sample to regress on.

    Returns
    -------
    tuple of str
        In the order of the explorer's menu.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if kind not in ("classes", "values"):
        raise ValueError(f"Data sets have classes or values; there are none with {kind!r}.")
    attribute = "class_names" if kind == "classes" else "has_values"
    built_in = ((name, cls) for name, cls in registered().items() if cls.group != GROUPS[-1])
    return tuple(name for name, cls in built_in if getattr(cls, attribute))


def info(name: str, **options) -> Info:
    """Title, description, defaults, size and option ranges of a data set.

    Parameters
    ----------
    name : str
        One of ``names()`` or ``names("values")``.
    **options
        As in :func:`load`; ``n_features``, ``class_names`` and ``planar`` depend on them.

    Returns
    -------
    Info
        The description; no sample is drawn.

    Raises
    ------
    ValueError
        If the name or an option is unknown.
    """
    return _make(name, options).info()


def load(
    name: str, n_samples=None, noise=None, random_state: Any = 0, labels_per_class=None, **options
) -> Dataset:
    """Draw a synthetic data set, or load a real one.

    Parameters
    ----------
    name : str
        One of ``names()`` or ``names("values")``.
    n_samples : int, optional
        Number of points; of *unlabelled* ones on ``"four_circles"``, which adds its four labelled
        points in front. By default the data set's own number, all rows of a real one; fewer rows
        of a real one are a random subsample in random order.
    noise : float, optional
        Standard deviation of the normal noise on every coordinate, in the units of ``X``; by
        default the data set's own. With the same seed, more noise moves the same points further.
        On ``"waves"``, ``"step"`` and ``"hills"`` it is on the values, cut at three deviations.
    random_state : None, int, RandomState or Generator
        Seed of the points, the noise and the labels.
    labels_per_class : int, optional
        Number of labels to draw in every class in place of the data set's own.
    **options
        The data set's own settings; ``info(name).options`` lists them with their ranges. Tables
        with standardised features (``info(name).standardised``) take ``raw=True`` for features as
        measured. The data set ``"drawn"`` takes ``source``, the code of a drawing
        (:mod:`lapviz.datasets.drawings`): neither seed nor noise moves its points.

    Returns
    -------
    Dataset
        Points, classes and labels, with the known truth.

    Raises
    ------
    ValueError
        If the name, an option or a value is not valid; the message lists the valid ones.
    """
    return _make(name, options).load(n_samples, noise, random_state, labels_per_class)


def relabel(data: Dataset, labels_per_class: int, random_state: Any = 0) -> Dataset:
    """Label the same points anew.

    Parameters
    ----------
    data : Dataset
        The data set, which is not changed.
    labels_per_class : int
        Number of labels to draw in every class.
    random_state : None, int, RandomState or Generator
        With the seed of the data set, the labels are those that :func:`load` would have drawn.

    Returns
    -------
    Dataset
        The same points and classes with a new mask ``labelled``.

    Raises
    ------
    ValueError
        If the number or the seed is not valid.
    """
    cls = registered().get(data.name, Generator)
    labelled = cls.pick(data.X, data.y, labels_per_class, streams(random_state)[2])
    return replace(data, labelled=labelled)


def _make(name: str, options: dict) -> Generator:
    classes = registered()
    if not isinstance(name, str) or name not in classes:
        raise ValueError(f"No data set is called {name!r}. Available: {', '.join(classes)}.")
    allowed = [field.name for field in fields(classes[name])]
    for key in options:
        if key not in allowed:
            hint = f"Its options are: {', '.join(allowed)}." if allowed else "It has no options."
            raise ValueError(f"{name!r} has no option {key!r}. {hint}")
    return classes[name](**options)
