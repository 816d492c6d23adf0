"""Figures of fitted estimators: one line in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lapviz.figures.fitted_scenes import decision_scene, eigenfunction_scene
from lapviz.figures.planes import scene

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Array = np.ndarray


def eigenfunctions(
    embedding, X: Array, n: int = 16, *, plane: Array | None = None, theme: str = "auto"
) -> Figure:
    """The first n eigenfunctions of a fitted :class:`~lapviz.GalerkinEmbedding`.

    Parameters
    ----------
    embedding : fitted GalerkinEmbedding
        Parameters are those of :func:`eigenfunction_scene`.
    X : array (n_samples, n_features)
        The points to draw.
    n : int
        Panels.
    plane : array (n_samples, 2), optional
        Where to draw the points.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.

    Returns
    -------
    plotly Figure
        The figure.
    """
    return scene(eigenfunction_scene(embedding, X, n, plane=plane), theme=theme)


def decision(
    classifier, X: Array, y: Array, *, plane: Array | None = None, theme: str = "auto"
) -> Figure:
    """Decision regions of a fitted classifier, with the labels that it was fitted on.

    Parameters
    ----------
    classifier : fitted classifier
        Parameters are those of :func:`decision_scene`.
    X : array (n_samples, n_features)
        The points to draw.
    y : array (n_samples,)
        Classes, -1 where unlabelled.
    plane : array (n_samples, 2), optional
        Where to draw the points.
    theme : {"auto", "light", "dark"}
        The page that the figure is for; "auto" reads on both.

    Returns
    -------
    plotly Figure
        The figure.
    """
    return scene(decision_scene(classifier, X, y, plane=plane), theme=theme)
