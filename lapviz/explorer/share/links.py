"""Exports of a page: its link, a QR code, code that embeds it, a live page."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from lapviz import figures
from lapviz.explorer.channel.component import declared
from lapviz.explorer.session import state
from lapviz.explorer.widgets import shell
from lapviz.figures import live_page
from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.live_picture import HEIGHT, most_bytes
from lapviz.figures.live_scenes import page_bytes
from lapviz.labels import MOST_IN_LINK
from lapviz.scenes import Scene

MOST_QR = 1100  # bytes of a link; the code of a longer one is too fine for a phone's camera
_SHARE = declared("share")


def show(
    scene: Scene | CurveScene,
    key: str,
    saved: Callable[[], Scene] | None = None,
    n_functions: int = 0,
) -> None:
    """Show the fold *Keep and share* below a stage.

    ``saved`` returns the scene of the live page, by default the same; it may have the values of up
    to ``n_functions`` more functions.
    """
    settings = state.settings()  # here: the function called at the click has no session
    title, link = shell.heading(settings, state.place()), address(state.link())
    labels = settings.labels.chosen or ()
    if len(labels) > MOST_IN_LINK and not settings.data.private:
        st.caption(
            f"{len(labels):,} labels are too many for a link (at most {MOST_IN_LINK}): they last "
            "until you leave or reload this page, and its address has the data set’s own."
        )
    with shell.fold("Keep and share", "share", "share") as fold, shell.guarded("“Keep and share”"):
        links(link, title, key, hide="page")  # the stage shows the QR code, even if this is closed
        if not fold.open:
            return
        if settings.data.private:
            st.caption("Your data are in no link: a live page shows them to others.")
        name = f"lapviz-{state.page()}-{settings.story or settings.data.name}.html"
        more = page_bytes(scene, n_functions) if isinstance(scene, Scene) else 0
        explorer = "" if settings.data.private else link  # where there are none of these data
        size = max((most_bytes(scene) + more) / 1e6, 0.1)
        download(
            f"Save as a live page (at most {size:.1f} MB)",
            lambda: live_page(saved() if saved else scene, explorer, title=title, file_name=name),
            name,
            "One HTML file that goes on answering without a server and without a network: its "
            "controls work as far as the browser computes them. It links back to here, but for "
            "your own data, and holds the code that embeds it.",
            key=f"{key}-live", icon=":material/offline_bolt:",
        )  # fmt: skip


def links(link: str, title: str, key: str, hide: str = "") -> None:
    """Show buttons that copy the page's address and the code that embeds it, and a QR code.

    ``hide`` are the parts that an embedded page leaves out, as in ``?hide=``.
    """
    qr, why = qr_code(link)
    data = {"title": title, "height": HEIGHT, "link": link, "qr": qr, "why": why,
            "alt": f"QR code of {link}", "hide": hide}  # fmt: skip
    _SHARE(key=f"{key}-share", data=data)


def download(label: str, content: bytes | str | Callable, name: str, help: str, **keywords) -> None:
    """Show a button that saves a file; a callable content is computed at the click."""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    options = {"key": f"take-{label}-{name}", "on_click": "ignore"} | keywords
    st.download_button(label, content, name, kind, help=help, **options)


def as_plotly(scene: Scene, key: str) -> None:
    """Offer the same picture as a Plotly figure, to zoom, save or reuse."""
    help_text = "The same picture drawn by Plotly, with its own zoom and downloads."
    if not shell.switch("As a Plotly figure", f"{key}-plotly", help_text):
        return
    image_format(f"{key}-image")
    figure = figures.scene(scene)
    shell.chart(figure, f"{key}-figure", "The stage above as a Plotly figure",
                config=config_of(f"{key}-image"))  # fmt: skip
    download("Download as HTML", lambda: figures.to_html(figure, include_plotlyjs=True),
             "lapviz.html", "One file that opens in any browser, with zoom and hover.",
             key=f"{key}-html")  # fmt: skip


def image_format(key: str) -> None:
    """Show the choice of the image format that the button in a figure's corner saves."""
    st.segmented_control("The camera button saves", ["PNG", "SVG"], default="PNG", key=key,
                         help="Format of the image that the camera in the figure's corner "
                         "downloads.")  # fmt: skip


def config_of(key: str) -> dict:
    """Plotly's configuration, as chosen by :func:`image_format` with that key."""
    svg = st.session_state.get(key) == "SVG"
    return figures.CONFIG_SVG if svg else figures.CONFIG_PNG


def address(query: dict[str, str]) -> str:
    """Address of the page with all settings, as outside of an ``<iframe>``; "" if unknown."""
    url = (st.context.url or "").replace("/~/+/", "/")  # a host's frame around the app
    if urlsplit(url).scheme not in ("http", "https"):
        return ""
    text = urlencode(query, safe=",~:")
    return f"{url}?{text}" if text else url


def qr_code(link: str) -> tuple[str, str]:
    """Data URI of a QR code and "", or "" and a sentence that says why there is none."""
    if not link:
        return "", "The address of this page is not known here."
    if len(link.encode()) > MOST_QR:
        return "", (
            f"This link has {len(link.encode()):,} bytes, more than a phone reads from a code: "
            "use “Copy link”, or fewer labels or drawn points."
        )
    code = segno.make(link, error="l", micro=False, boost_error=False)
    return code.svg_data_uri(scale=4, border=4, light="#ffffff"), ""
