"""The stories' thumbnails, with a frame for each step, shipped with the package.

``python -m benchmarks.gallery [STORY ...]`` updates them, by default all of them and the README's
picture. It needs the extra ``test`` and Chromium.
"""

from __future__ import annotations

import argparse
import io
from urllib.parse import urlencode

from PIL import Image

from benchmarks.browser import chromium, wait_at_rest
from benchmarks.streamlit_server import CHECKOUT, serve
from lapviz.explorer.pages.picture import settings as picture
from lapviz.explorer.settings.fields import to_query
from lapviz.explorer.stories import presets, steps

WIDTH, HEIGHT = 240, 180  # at most
MIN_WIDTH = 60  # pixels of a picture; smaller ones are legend keys
MARGIN, HEAD = 12, 30  # pixels beside a row of panels, and of their titles
FRAME_MS, LOOPS = 800, 2  # milliseconds of a step, and loops: less than five seconds in all
QUALITY = 75
TIMEOUT = 120_000  # milliseconds
PANEL = {"labels": 1, "eigenfunctions": 3}  # index of the panel shown; on other pages 0


def queries(story: presets.Story) -> list[dict[str, str]]:
    """The links of a story and of its steps."""
    if story.page == "data":
        states = steps.walk(picture.STORIES[story.name], picture.STEPS[story.name])
        return [picture.PICTURE.write(state) for state in states]
    states = steps.walk(presets.for_story(story.name), steps.STEPS[story.name])
    return [to_query(state, states[0]) for state in states]


def frame(page, story: presets.Story) -> Image.Image:
    """The panel of a story's page that is shown in its thumbnail."""
    wait_at_rest(page, TIMEOUT)
    frames = page.locator(".panel:visible .plot, .panel:visible .photo, svg.chart:visible")
    frames.first.wait_for(timeout=TIMEOUT)  # curves have no stage to be at rest
    image = shot(page, boxes(frames)[PANEL.get(story.page, 0)])
    image.thumbnail((WIDTH, HEIGHT))
    return image


def row(page) -> Image.Image:
    """All panels of a page, with their titles and accuracies."""
    wait_at_rest(page, TIMEOUT)
    panels = boxes(page.locator("canvas:visible"))
    left, top = min(box["x"] for box in panels), min(box["y"] for box in panels)
    width = max(box["x"] + box["width"] for box in panels) - left
    height = max(box["y"] + box["height"] for box in panels) - top
    clip = {
        "x": left - MARGIN,
        "y": top - HEAD,
        "width": width + 2 * MARGIN,
        "height": height + HEAD,
    }
    return shot(page, clip)


def boxes(frames) -> list[dict[str, float]]:
    """Bounding boxes of pictures, without legend keys."""
    candidates = [frames.nth(i).bounding_box() for i in range(frames.count())]
    return [box for box in candidates if box and box["width"] > MIN_WIDTH]


def shot(page, clip: dict[str, float]) -> Image.Image:
    """Screenshot of a part of the page."""
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")


def main(arguments: list[str] | None = None) -> None:
    """Update the thumbnails of these stories, or all pictures."""
    known = [story.name for story in presets.STORIES]
    command = argparse.ArgumentParser(prog="python -m benchmarks.gallery", description=__doc__)
    command.add_argument("names", nargs="*", metavar="STORY", help="by default all")
    names = command.parse_args(arguments).names
    if unknown := [name for name in names if name not in known]:
        command.error(f"No story is called {unknown[0]!r}; the stories are: {', '.join(known)}.")
    with serve() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1000}, device_scale_factor=1)
        for story in presets.STORIES:
            if names and story.name not in names:
                continue
            frames = []
            for query in queries(story):
                page.goto(f"{address}/{story.page}?{urlencode(query)}")
                frames.append(frame(page, story))
            first, *others = [image.resize(frames[0].size) for image in frames]
            first.save(presets.picture_of(story.name), save_all=True, append_images=others,
                       duration=FRAME_MS, loop=LOOPS, quality=QUALITY, method=6)  # fmt: skip
        if names:
            return
        page.goto(f"{address}/labels?data=four_circles")
        row(page).quantize(128).save(CHECKOUT / "assets" / "labels.png", optimize=True)


if __name__ == "__main__":
    main()
