"""The live picture of a fitted estimator, for notebooks, slides and pages."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.live_scenes import live_scene
from lapviz.figures.saved_page import HEIGHT, TITLE, embed_code, live_page
from lapviz.scenes import Scene

# The page in a notebook runs its script and nothing else of the notebook's.
SANDBOX = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"


@dataclass(frozen=True)
class LivePicture:
    """A picture that answers to the hand in any browser, without Python and without a network.

    In a notebook it shows itself, also after export to HTML.

    Attributes
    ----------
    scene : Scene or CurveScene
        What is shown.
    title : str
        Its heading.
    link : str
        Address of an explorer, or "".
    height : int
        Of the frame in a notebook, in pixels.
    """

    scene: Scene | CurveScene
    title: str = TITLE
    link: str = ""
    height: int = HEIGHT

    @cached_property
    def html(self) -> str:
        """The whole page as text."""
        return live_page(self.scene, self.link, title=self.title).decode()

    def save(self, path: str | Path) -> Path:
        """Write the page to a file, which needs no other one.

        Parameters
        ----------
        path : str or Path
            Where to; an existing file is replaced.

        Returns
        -------
        Path
            The file.
        """
        path = Path(path)
        path.write_bytes(live_page(self.scene, self.link, title=self.title, file_name=path.name))
        return path

    def embed(self, address: str) -> str:
        """The ``<iframe>`` that shows the saved file in slides or on another page.

        Parameters
        ----------
        address : str
            Of the file, absolute or relative to that page.

        Returns
        -------
        str
            One line of HTML.
        """
        return embed_code(address, self.title, self.height)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.title)}" '
            f'width="100%" height="{self.height}" style="border: 0" loading="lazy" '
            f'sandbox="{SANDBOX}" allow="fullscreen; clipboard-write"></iframe>'
        )

    def __repr__(self) -> str:
        return f"LivePicture({self.title!r}, {len(self.html.encode()) / 1e6:.1f} MB)"


def live(
    estimator,
    X: np.ndarray,
    y: np.ndarray | None = None,
    *,
    title: str | None = None,
    link: str = "",
    height: int = HEIGHT,
) -> LivePicture:
    """The live picture of a fitted estimator.

    Classifiers show their scores and the labels, regressors their values, and anything else with a
    ``transform`` its functions: over the plane where X has two features, as a curve where it has
    one, else at the points, in the plane of their first two principal components. With a
    :class:`~lapviz.LaplacianClassifier` or :class:`~lapviz.LaplacianRegressor`, λ and the filter
    can be moved in the browser, with the classifier also the labels. What is left to Python says
    so in the picture.

    Parameters
    ----------
    estimator : fitted estimator
        Of lapviz or any other with scikit-learn's interface.
    X : array (n_samples, n_features)
        The points to draw: those that the estimator was fitted on.
    y : array (n_samples,), optional
        Labels or values as given to ``fit``. Without them nothing can be moved.
    title : str, optional
        Heading; by default the estimator's name.
    link : str, default ""
        Address of an explorer to link to.
    height : int, default 640
        Of the frame in a notebook, in pixels.

    Returns
    -------
    LivePicture
        Shows itself in a notebook; ``save("file.html")`` writes one file, ``html`` is its text.

    Raises
    ------
    ValueError
        If X or y do not fit the estimator.
    TypeError
        If the estimator has nothing that could be drawn.
    NotFittedError
        If it was not fitted.

    Examples
    --------
    >>> from lapviz import LaplacianClassifier, datasets, live
    >>> data = datasets.load("half_moons", n_samples=200, random_state=0)
    >>> y = data.y.copy()
    >>> y[~data.labelled] = -1
    >>> model = LaplacianClassifier(operator="laplacian", random_state=0).fit(data.X, y)
    >>> picture = live(model, data.X, y)
    """
    scene = live_scene(estimator, X, y)
    name = type(estimator).__name__ if title is None else title
    return LivePicture(scene, name, link, height)
