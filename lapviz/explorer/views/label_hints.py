"""What few or badly placed labels and unlike features spoil: the library's advice for a page."""

from __future__ import annotations

import numpy as np

from lapviz.estimates import decode
from lapviz.estimators import advice
from lapviz.estimators.advice import Advice
from lapviz.explorer import steps
from lapviz.explorer.settings import Settings
from lapviz.explorer.views.label_methods import Picture, passes_of

Array = np.ndarray


def points_hints(settings: Settings) -> tuple[Advice, ...]:
    """Advice on the features and on σ; settings with numbers."""
    data, must = steps.sample(settings.data), settings.chosen.must
    X, space = data.X[steps.energy_rows(settings.data, must)], settings.space.relevant()
    centres, kernel = steps.centres(settings.data, space, must), steps.kernel(settings.data, space)
    return (
        advice.scales(X, np.array(data.feature_names)),
        advice.width(kernel, X, centres),
    )


def label_hints(picture: Picture) -> tuple[Advice, ...]:
    """All advice on the Labels page that is not empty."""
    given = picture.given
    said = [*points_hints(picture.settings)]
    if given.labels:
        said += _of_labels(picture, given)
    return tuple(filter(None, said))


def _of_labels(picture: Picture, given: steps.Labelled) -> list[Advice]:
    settings = picture.settings.change(passes=passes_of(picture.settings, given))
    data, must = picture.data, settings.chosen.must
    labelled = given.mask(len(data.X))[steps.energy_rows(settings.data, must)]
    seen = np.flatnonzero(~labelled)[: advice.SEEN]
    made = steps.classes(settings)
    if not seen.size:
        return []
    try:
        solved = steps.solution(settings).value
    except ValueError:  # the panel says why
        return []
    guesses = decode(made.scores(made.rows[seen], solved))
    prior = given.shares(data.n_classes).mean(axis=0)
    said = [advice.one_class(guesses, prior, np.array(data.class_names))]
    if len(labelled) <= advice.MOST_NODES:
        said.append(advice.pieces(made.weights, labelled))
    return said
