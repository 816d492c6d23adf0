"""Still pictures for the documentation, taken by Chromium; the results are committed.

    python docs/pictures.py notebooks     # runs the notebooks and stores small outputs in them
    python docs/pictures.py thumbnails    # of the gallery's examples; needs a built site

An output of a notebook is text or one PNG: a live picture or a Plotly figure would take megabytes,
and stay blank in static views of the notebook.
"""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image, ImageChops

HERE = Path(__file__).parent
NOTEBOOKS = HERE / "notebooks"
THUMBNAILS = HERE / "_static" / "thumbnails"
PLOTLY = "application/vnd.plotly.v1+json"
WIDTH, HEIGHT = 760, 560  # pixels of a picture in a notebook
LARGEST = 100_000  # bytes of a picture
COLOURS = 96


def executed(path: Path):
    """Run a notebook in its folder and return it with fresh outputs."""
    notebook = nbformat.read(path, 4)
    resources = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


def _joined(outputs: list) -> list:
    """Join consecutive outputs of the same stream, which depend on timing."""
    joined = []
    for output in outputs:
        last = joined[-1] if joined else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def store(path: Path, browser) -> None:
    """Run a notebook and save it with small outputs and without metadata of this machine."""
    notebook = executed(path)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [_small(output, browser) for output in cell.outputs]
    nbformat.write(notebook, path)


def _small(output, browser):
    if output.output_type != "display_data" and output.output_type != "execute_result":
        return output
    if PLOTLY in output.data:
        import plotly.graph_objects as go

        figure = go.Figure(output.data[PLOTLY])
        page, alt = figure.to_html(include_plotlyjs=True), "A figure"
        output.data = _picture(page, browser)
    elif "text/html" in output.data:
        page, alt = output.data["text/html"], "A live picture"
        output.data = _picture(page, browser)
    else:
        return output
    output.metadata = {"alt": f"{alt}; the cell above makes it"}
    return output


def _picture(html: str, browser) -> dict:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    try:
        page.set_content(f"<body style='margin:0;background:white'>{html}</body>")
        page.wait_for_timeout(2500)
        raw = page.screenshot()
    finally:
        page.close()
    image = Image.open(io.BytesIO(raw)).convert("RGB")
    box = ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()
    image = image.crop((0, 0, image.width, box[3] if box else image.height))
    return {"image/png": base64.b64encode(_few_colours(image)).decode()}


def _few_colours(image: Image.Image) -> bytes:
    """The image as a PNG of at most ``LARGEST`` bytes."""
    for colours in (COLOURS, 48, 24):
        buffer = io.BytesIO()
        image.convert("RGB").quantize(colours).save(buffer, "PNG", optimize=True)
        if buffer.tell() <= LARGEST:
            return buffer.getvalue()
    raise ValueError("The picture is too large: show less.")


def thumbnails(browser) -> None:
    """Save a thumbnail for each example, of the first picture on its page."""
    THUMBNAILS.mkdir(parents=True, exist_ok=True)
    for source in sorted((HERE / "examples").glob("plot_*.py")):
        built = HERE / "_build" / "gallery" / f"{source.stem}.html"
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        try:
            page.goto(built.as_uri())
            picture = page.locator("iframe.live, .plotly-figure").first
            picture.scroll_into_view_if_needed()
            page.wait_for_timeout(2500)
            if "live" in picture.get_attribute("class"):
                canvases = page.frame_locator("iframe.live").first.locator("canvas:visible")
                picture = canvases.first if canvases.count() in (1, 2) else picture
            image = Image.open(io.BytesIO(picture.screenshot()))
        finally:
            page.close()
        image.thumbnail((400, 400))
        (THUMBNAILS / f"{source.stem}.png").write_bytes(_few_colours(image))


def main(kind: str) -> None:
    """Take the pictures of one kind again."""
    sys.path.append(str(HERE.parent))
    from benchmarks.browser import chromium

    with chromium() as browser:
        if kind == "thumbnails":
            thumbnails(browser)
        else:
            for path in sorted(NOTEBOOKS.glob("*.ipynb")):
                store(path, browser)


if __name__ == "__main__":
    if sys.argv[1:] not in (["notebooks"], ["thumbnails"]):
        raise SystemExit(__doc__)
    main(sys.argv[1])
