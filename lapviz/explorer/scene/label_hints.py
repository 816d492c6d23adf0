"""What few or badly placed labels and unlike features spoil: the library's advice for a page."""

from __future__ import annotations

import numpy as np

from lapviz import fit
from lapviz.estimates import decode
from lapviz.estimators import advice
from lapviz.estimators.advice import Advice
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.scene.label_methods import Picture
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.scenes import Panel


def points_hints(settings: Settings) -> tuple[Advice, ...]:
    """Advice on the features and on σ; settings with numbers."""
    return _of_points(fits.method(settings), settings.data, settings.chosen.nodes)


@step
def _of_points(method: fit.Galerkin, data: DataSpec, nodes: bool) -> tuple[Advice, ...]:
    X, names = method.sample.X, np.array(points.sample(data).feature_names)
    scales = advice.scales(X, names)
    return (scales,) if nodes else (scales, advice.width(method.kernel, X, method.centres))


def label_hints(picture: Picture, panel: Panel) -> tuple[Advice, ...]:
    """All advice on the Labels page that is not empty; ``panel`` is the kernel Laplacian's."""
    said = [*points_hints(picture.settings)]
    if picture.given.labels and not panel.note:
        said += _of_labels(picture, panel)
    return tuple(filter(None, said))


def _of_labels(picture: Picture, panel: Panel) -> list[Advice]:
    settings, data, given = picture.settings, picture.data, picture.given
    labelled = given.mask(len(data.X))
    guesses = decode(panel.points.T)[~labelled[picture.rows]]
    prior = given.shares(data.n_classes).mean(axis=0)
    names, balance = np.array(data.class_names), settings.estimate.balance
    said = [advice.one_class(guesses[: advice.SEEN], prior, names, balance)]
    problem = fits.problem(settings)
    labelled = labelled[problem.plan.rows]
    if len(labelled) <= advice.MOST_NODES:
        said.append(advice.components(problem.weights, labelled))
    return said
