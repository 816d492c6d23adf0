"""Live pictures as files beside the pages, and Plotly figures."""

from __future__ import annotations

import html
from pathlib import Path
from shutil import copyfile

MADE = Path(__file__).parents[2] / "_made"  # copied to _static at the end of a build
PLOTLY = "plotly.min.js"


def frame(picture, name: str, docname: str) -> str:
    """Write a live picture to a file and return the ``<iframe>`` that shows it on a page.

    Parameters
    ----------
    picture : lapviz.figures.LivePicture
        The picture.
    name : str
        Name of the file, without its suffix.
    docname : str
        Sphinx's name of the page.
    """
    MADE.mkdir(exist_ok=True)
    picture.save(MADE / f"{name}.html")
    address = f"{up(docname)}_static/{name}.html"
    return (
        f'<iframe class="live" src="{address}" title="{html.escape(picture.title)}" '
        'loading="lazy" allow="fullscreen; clipboard-write"></iframe>'
        f'<p class="live-link"><a href="{address}">Open this picture alone</a>: '
        "one file, which works without a network.</p>"
    )


def up(docname: str) -> str:
    """Relative address of the root of the site, from a page."""
    return "../" * docname.count("/")


def figure(plotly_figure, docname: str, label: str) -> str:
    """A Plotly figure as HTML with an ARIA label; Plotly's script is a file of the site."""
    import plotly
    from plotly.offline import get_plotlyjs

    MADE.mkdir(exist_ok=True)
    script = MADE / PLOTLY
    packaged = Path(plotly.__file__).parent / "package_data" / PLOTLY
    if not script.exists() and packaged.exists():
        copyfile(packaged, script)
    elif not script.exists():
        script.write_text(get_plotlyjs(), "utf-8")
    options = {"full_html": False, "include_plotlyjs": False, "config": {"responsive": True}}
    inner = plotly_figure.to_html(**options)
    return (
        f'<script src="{up(docname)}_static/{PLOTLY}"></script>'
        f'<div class="plotly-figure" role="group" aria-label="{html.escape(label)}">{inner}</div>'
    )


def scrape(block, block_vars, gallery_conf) -> str:
    """Raw HTML of the last value of a gallery's code block, if it is a picture, else "".

    An image scraper of sphinx-gallery; see its manual.
    """
    from lapviz.figures import LivePicture

    shown = block_vars["example_globals"].get("___")
    if block[0] != "code":
        return ""
    source = Path(block_vars["src_file"])
    docname = f"gallery/{source.stem}"
    if isinstance(shown, LivePicture):
        markup = frame(shown, f"{source.stem}-{block[2]}", docname)
    elif type(shown).__module__.startswith("plotly."):
        markup = figure(shown, docname, f"Figure made by {block[1].strip().splitlines()[-1]}")
    else:
        return ""
    lines = "\n".join("    " + line for line in markup.splitlines())
    return f"\n.. raw:: html\n\n{lines}\n\n"


def setup(app) -> None:
    """Register nothing: the gallery's configuration names the scraper."""
