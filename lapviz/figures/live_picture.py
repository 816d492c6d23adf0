"""Live pictures: ``lapviz.live``, and its HTML file that needs neither server nor network.

It runs the same code on the same bytes as the explorer (:mod:`lapviz.figures.stage`): the browser
itself computes the answer to a new λ, filter or label, and marks what needs Python.
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

from lapviz.contract import CONTRACT
from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.live_scenes import live_scene
from lapviz.figures.stage import PLACE, encode_parts
from lapviz.markdown import short
from lapviz.scenes import Modes, RidgeModel, Scene

# In a notebook the page runs its own script and has no access to the notebook.
SANDBOX = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"


KEY = "saved"
TITLE = "lapviz"
HEIGHT = 640  # pixels of an embedded page

MOVES = "Change {} here, without a server."
LOOKS = "Hover, zoom and enlarge work here, without a server."
SCRUBS = "The place on the path can be moved here, without a server."
DRAGS = "The given values can be dragged here, without a server."
PYTHON = "Another σ, p, kernel, energy or data set needs Python"
ALL = "Other {}settings and data need Python."
KEPT = "a panel that says “needs Python” stays as it was saved"


@dataclass(frozen=True)
class LivePicture:
    """An interactive picture for any browser, without Python and without a network.

    A notebook displays it, also after export to HTML.

    Attributes
    ----------
    scene : Scene or CurveScene
        The scene to show.
    title : str
        Heading.
    link : str
        Address of an explorer, or "".
    height : int
        Height of the frame in a notebook, in pixels.
    """

    scene: Scene | CurveScene
    title: str = TITLE
    link: str = ""
    height: int = HEIGHT

    @cached_property
    def html(self) -> str:
        """The complete page as text."""
        return live_page(self.scene, self.link, title=self.title).decode()

    def save(self, path: str | Path) -> Path:
        """Write the page to a single self-contained file.

        Parameters
        ----------
        path : str or Path
            Where to write; an existing file is replaced.

        Returns
        -------
        Path
            The file's path.
        """
        path = Path(path)
        path.write_bytes(live_page(self.scene, self.link, title=self.title, file_name=path.name))
        return path

    def embed(self, address: str) -> str:
        """Return the ``<iframe>`` that shows the saved file in slides or on another page.

        Parameters
        ----------
        address : str
            Address of the file, absolute or relative to that page.

        Returns
        -------
        str
            One line of HTML.
        """
        return embed_code(address, self.title, self.height)

    def _repr_html_(self) -> str:
        return _iframe(f'srcdoc="{html.escape(self.html)}"', self.title, self.height,
                       f'sandbox="{SANDBOX}" ')  # fmt: skip

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
    """Return the live picture of a fitted estimator.

    Classifiers show their scores and the labels, regressors their values, and anything else with a
    ``transform`` its functions: over the plane if X has two features, a regressor as a curve if it
    has one, otherwise at the points, in the plane of their first two principal components. With a
    :class:`~lapviz.LaplacianClassifier` or :class:`~lapviz.LaplacianRegressor`, λ and the filter
    can be changed in the browser, with the classifier also the labels; but not after a fit with
    sample weights, nor of a regressor with default settings, which averages over several. The
    picture marks what needs Python.

    Parameters
    ----------
    estimator : fitted estimator
        One of lapviz, or any with scikit-learn's interface.
    X : array (n_samples, n_features)
        The points to draw, on which the estimator was fitted.
    y : array (n_samples,), optional
        Labels or values as given to ``fit``. Without them nothing can be changed.
    title : str, optional
        Heading; by default the estimator's name.
    link : str, default ""
        Address of an explorer to link to.
    height : int, default 640
        Height of the frame in a notebook, in pixels.

    Returns
    -------
    LivePicture
        Displays itself in a notebook; ``save("file.html")`` writes one file, ``html`` is its text.

    Raises
    ------
    ValueError
        If X or y does not match the estimator.
    TypeError
        If the estimator has nothing that can be drawn.
    NotFittedError
        If the estimator was not fitted.

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
    """Return one HTML file that shows a scene as the explorer does.

    Parameters
    ----------
    scene : Scene or CurveScene
        The scene to show; its models are what the page can compute by itself.
    link : str, default ""
        Address of the explorer with the same settings; ignored unless http or https.
    title : str
        Heading of the page.
    file_name : str, default ""
        Name of the file; if given, the page offers the code to embed it.

    Returns
    -------
    bytes
        The page, in UTF-8. Its content security policy forbids every request.
    """
    from lapviz import __version__

    scene = _saved(scene)
    static, answer = _blobs(scene, title)
    script, style = _script(), _style()
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    anchor = embedding = ""
    if urlsplit(link).scheme in ("http", "https"):
        anchor = (
            f'<a id="lapviz-link" href="{html.escape(link)}" target="_blank" '
            'rel="noopener noreferrer">Open in the explorer</a>.'
        )
    if file_name:
        embedding = (
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
        about=html.escape(_about(scene)),
        words=html.escape(_abilities(scene)),
        link=anchor,
        embed=embedding,
        static=_packed(static),
        answer=_packed(answer),
        script=script,
    )
    return page.encode()


def embed_code(address: str, title: str = TITLE, height: int = HEIGHT) -> str:
    """Return an ``<iframe>`` that shows a page in reveal.js, Quarto or a course page.

    Parameters
    ----------
    address : str
        Address of the page, absolute or relative.
    title : str
        Read out by screen readers.
    height : int
        Height in pixels.

    Returns
    -------
    str
        One line of HTML.
    """
    return _iframe(f'src="{html.escape(address)}"', title, height)


def _iframe(source: str, title: str, height: int, more: str = "") -> str:
    return (
        f'<iframe {source} title="{html.escape(title)}" width="100%" height="{int(height)}" '
        f'style="border: 0" loading="lazy" {more}allow="fullscreen; clipboard-write"></iframe>'
    )


def most_bytes(scene: Scene | CurveScene) -> int:
    """Upper bound of the page's size in bytes, without compressing it."""
    blobs = sum(map(len, _blobs(_saved(scene), "")))
    fixed = len(_script().encode()) + len(_style().encode()) + 12_000
    return fixed + 4 * blobs // 3


def _saved(scene: Scene | CurveScene) -> Scene | CurveScene:
    """The scene without the tools that need Python: drawing and, unless a model uses them, labels.

    Labels can be set where the model of some panel depends on them.
    """
    if isinstance(scene, CurveScene):
        return scene
    panels = tuple(
        panel if _answers(panel.model, scene) else replace(panel, model=None)
        for panel in scene.panels
    )
    movable = any(panel.model and "labels" in panel.depends for panel in panels)
    return replace(scene, panels=panels, drawing=None, editable=scene.editable and movable)


def _answers(model: Modes | RidgeModel | None, scene: Scene) -> bool:
    """Whether a model gives the estimate without Python, at least with these labels or values."""
    if not isinstance(model, Modes):
        return model is not None
    if not model.complete:  # only what its columns say is not truncated
        return model.columns_points is not None and scene.data_term != "all"
    limits, known = CONTRACT["modes"], model.known
    n, most = len(scene.labels), limits["most_labels"]
    if known is not None:
        n, most = len(known.values), limits["most_values"]
    return scene.data_term == "all" or min(n, len(model.gamma)) <= most


def _blobs(scene: Scene | CurveScene, title: str) -> tuple[bytes, bytes]:
    return encode_parts(scene, {"key": KEY, "title": title, "alone": True})


def _used(scene: Scene) -> set[str]:
    """What the page can change: of λ, the filter and the labels, those that its models take."""
    used = {part for panel in scene.panels if isinstance(panel.model, Modes | RidgeModel)
            for part in panel.depends}  # fmt: skip
    return used if scene.editable else used - {"labels"}


def _about(scene: Scene | CurveScene) -> str:
    """Numbers of the settings, also λ if no slider shows it."""
    if isinstance(scene, CurveScene):
        return ""
    matters = "lam" not in scene.hide and any("lam" in panel.depends for panel in scene.panels)
    lam = f"λ = {short(scene.lam)}" if matters and "lam" not in _used(scene) else ""
    return " · ".join(filter(None, (scene.about, lam)))


def _abilities(scene: Scene | CurveScene) -> str:
    """Describe what the page can and cannot do."""
    if isinstance(scene, CurveScene):
        possible = SCRUBS if scene.paths else DRAGS if scene.responses else ""
        return f"{possible} {PYTHON}." if possible else ALL.format("")
    models, used = [panel.model for panel in scene.panels], _used(scene)
    if not used:
        labels = "labels, " if scene.kind == "classes" else ""
        return f"{LOOKS} {ALL.format(labels)}"
    words = {"lam": "λ", "filter": "the filter", "labels": "the labels"}
    *others, last = [word for part, word in words.items() if part in used]
    possible = MOVES.format(f"{', '.join(others)} and {last}" if others else last)
    waits = not all(model and getattr(model, "complete", True) for model in models)
    return f"{possible} {PYTHON}" + (f"; {KEPT}." if waits else ".")


def _packed(blob: bytes) -> str:
    return base64.b64encode(zlib.compress(blob, 9)).decode()


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _read(name: str) -> str:
    return (PLACE / name).read_text("utf-8")


@cache
def _script() -> str:
    """The stage's code, escaped so that it cannot end its ``<script>`` element."""
    return _read("bundle.js").replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _style() -> str:
    return "\n".join(map(_read, ("page.css", "stage.css", "curve.css")))
