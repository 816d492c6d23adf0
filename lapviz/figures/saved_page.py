"""The live picture as one HTML file: the explorer's stage, without server and network.

It runs the same code on the same bytes as the explorer (:mod:`lapviz.figures.stage`), so λ, the
filter and the labels are answered by the browser's arithmetic; what needs Python says so.
"""

from __future__ import annotations

import base64
import hashlib
import html
import zlib
from dataclasses import replace
from functools import cache
from string import Template
from urllib.parse import urlsplit

from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.stage import PLACE, encode_parts
from lapviz.scenes import Modes, RidgeModel, Scene

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
    scene = _saved(scene)
    static, answer = _blobs(scene, title)
    script, style = _script(), _style()
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return (
        Template(_read("page.html"))
        .substitute(
            policy=policy,
            version=_version(),
            title=html.escape(title),
            licence=_read("LICENSE-d3.txt").replace("--", "- -"),
            style=style,
            kind="plane" if isinstance(scene, Scene) else "curves",
            about=html.escape(getattr(scene, "about", "")),
            words=html.escape(_words(scene)),
            link=_link(link),
            embed=_offer(embed_code(file_name, title)) if file_name else "",
            static=_packed(static),
            answer=_packed(answer),
            script=script,
        )
        .encode()
    )


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


def _link(address: str) -> str:
    if urlsplit(address).scheme not in ("http", "https"):
        return ""
    return (
        f'<a id="lapviz-link" href="{html.escape(address)}" target="_blank" '
        'rel="noopener noreferrer">Open in the explorer</a>.'
    )


def _offer(code: str) -> str:
    return (
        '<details class="embed"><summary>Embed this page</summary>'
        f'<pre id="lapviz-embed">{html.escape(code)}</pre>'
        '<button type="button" data-copies="lapviz-embed" hidden>Copy embed code</button></details>'
    )


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


def _version() -> str:
    from lapviz import __version__

    return html.escape(__version__)
