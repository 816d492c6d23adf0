"""Live pictures: ``lapviz.live``, and its one HTML file without server and network.

It runs the same code on the same bytes as the explorer (:mod:`lapviz.figures.stage`), so λ, the
filter and the labels are answered by the browser's arithmetic; what needs Python says so.
"""

from __future__ import annotations

import base64
import hashlib
import html
import zlib
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import numpy as np

from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.live_scenes import live_scene
from lapviz.figures.stage import PLACE, encode_parts
from lapviz.scenes import Modes, RidgeModel, Scene

# The page in a notebook runs its script and nothing else of the notebook's.
SANDBOX = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"


KEY = "saved"
TITLE = "lapviz"
HEIGHT = 640  # pixels of an embedded page

MOVES = "λ, the filter and the labels answer here, without a server."
LOOKS = "Hover, zoom and enlarge work here, without a server."
MOVES_LAM = "λ and the filter answer here, without a server."
SCRUBS = "The place on the path can be moved here, without a server."
DRAGS = "The given values can be dragged here, without a server."
PYTHON = "Another σ, p, kernel, energy or data set needs Python"
KEPT = "a panel that says “needs Python” stays as it was saved"


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


def live_page(
    scene: Scene | CurveScene,
    link: str = "",
    *,
    title: str = TITLE,
    file_name: str = "",
) -> bytes:
    """One HTML file that shows a scene as the explorer does.

    Parameters
    ----------
    scene : Scene or CurveScene
        What to show; a scene's models are what the page can compute by itself.
    link : str, default ""
        Address of the explorer with the same settings; other than http or https it is left out.
    title : str
        Heading of the page.
    file_name : str, default ""
        Where the file will be: then the page offers its own code to embed it.

    Returns
    -------
    bytes
        The page, UTF-8. Its policy forbids every request.
    """
    from lapviz import __version__

    scene = _saved(scene)
    static, answer = _blobs(scene, title)
    script, style = _script(), _style()
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    anchor = offer = ""
    if urlsplit(link).scheme in ("http", "https"):
        anchor = (
            f'<a id="lapviz-link" href="{html.escape(link)}" target="_blank" '
            'rel="noopener noreferrer">Open in the explorer</a>.'
        )
    if file_name:
        offer = (
            '<details class="embed"><summary>Embed this page</summary>'
            f'<pre id="lapviz-embed">{html.escape(embed_code(file_name, title))}</pre>'
            '<button type="button" data-copies="lapviz-embed" hidden>Copy embed code</button>'
            "</details>"
        )
    page = Template(_read("page.html")).substitute(
        policy=policy,
        version=html.escape(__version__),
        title=html.escape(title),
        licence=_read("LICENSE-d3.txt").replace("--", "- -"),
        style=style,
        kind="plane" if isinstance(scene, Scene) else "curves",
        about=html.escape(getattr(scene, "about", "")),
        words=html.escape(_words(scene)),
        link=anchor,
        embed=offer,
        static=_packed(static),
        answer=_packed(answer),
        script=script,
    )
    return page.encode()


def embed_code(address: str, title: str = TITLE, height: int = HEIGHT) -> str:
    """An ``<iframe>`` that shows a page in reveal.js, Quarto or a course page.

    Parameters
    ----------
    address : str
        Of the page, absolute or relative.
    title : str
        Read out to those who do not see the picture.
    height : int
        In pixels.

    Returns
    -------
    str
        One line of HTML.
    """
    return (
        f'<iframe src="{html.escape(address)}" title="{html.escape(title)}" width="100%" '
        f'height="{int(height)}" style="border: 0" loading="lazy" '
        'allow="fullscreen; clipboard-write"></iframe>'
    )


def most_bytes(scene: Scene | CurveScene) -> int:
    """An upper bound of the page's size, without the work of compressing it."""
    parts = sum(map(len, _blobs(_saved(scene), "")))
    fixed = len(_script().encode()) + len(_style().encode()) + 12_000
    return fixed + 4 * parts // 3


def _saved(scene: Scene | CurveScene) -> Scene | CurveScene:
    """The scene without tools that nothing answers: who draws, and mostly who labels, needs Python.

    Labels can be set where some panel's model follows them.
    """
    if isinstance(scene, CurveScene):
        return scene
    follows = any(panel.model and "labels" in panel.depends for panel in scene.panels)
    return replace(scene, drawing=None, editable=scene.editable and follows)


def _blobs(scene: Scene | CurveScene, title: str) -> tuple[bytes, bytes]:
    return encode_parts(scene, {"key": KEY, "title": title, "alone": True})


def _words(scene: Scene | CurveScene) -> str:
    """What the page can do and what it cannot."""
    if isinstance(scene, CurveScene):
        able = SCRUBS if scene.paths else DRAGS if scene.responses else ""
        return f"{able} {PYTHON}.".strip()
    models = [panel.model for panel in scene.panels]
    if not any(isinstance(model, Modes | RidgeModel) for model in models):
        return f"{LOOKS} {PYTHON}."
    moves = MOVES if scene.editable else MOVES_LAM
    return f"{moves} {PYTHON}" + (f"; {KEPT}." if None in models else ".")


def _packed(blob: bytes) -> str:
    return base64.b64encode(zlib.compress(blob, 9)).decode()


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _read(name: str) -> str:
    return (PLACE / name).read_text("utf-8")


@cache
def _script() -> str:
    """The stage's code; nothing in it ends the element that it stands in."""
    return _read("bundle.js").replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _style() -> str:
    return "\n".join(map(_read, ("page.css", "stage.css", "curve.css")))
