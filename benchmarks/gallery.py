"""The stories' thumbnails, a picture for each step, shipped with the package.

``python -m benchmarks.gallery [STORY ...]`` renews them, all by default, and the README's
screenshots (it needs the extra ``test`` and Chromium).
"""

from __future__ import annotations

import io
import sys
from urllib.parse import urlencode

from PIL import Image

from benchmarks.browser import chromium, wait_at_rest
from benchmarks.streamlit_server import CHECKOUT, serve
from lapviz.explorer.pages.picture import settings as picture
from lapviz.explorer.settings.fields import to_query
from lapviz.explorer.stories import presets, steps

WIDTH, HEIGHT = 240, 180  # at most
LEAST = 60  # pixels of a picture; smaller are keys of lines
SHOWN, TIMES = 800, 2  # milliseconds of a step, and how often: less than five seconds in all
QUALITY = 75
TIMEOUT = 120_000  # milliseconds
PANEL = {"labels": 1, "eigenfunctions": 3}  # which panel is kept; elsewhere the first


def queries(story: presets.Story) -> list[dict[str, str]]:
    """The links of a story and of its steps."""
    if story.page == "data":
        states = steps.walk(picture.STORIES[story.name], picture.STEPS[story.name])
        return [picture.to_query(state) for state in states]
    states = steps.walk(presets.for_story(story.name), steps.of(story.name))
    return [to_query(state, states[0]) for state in states]


def frame(page, story: presets.Story) -> Image.Image:
    """The panel of a story's page that its thumbnail shows."""
    wait_at_rest(page, TIMEOUT)
    frames = page.locator("canvas:visible, svg.chart:visible")
    frames.first.wait_for(timeout=TIMEOUT)  # curves have no stage that is waited for
    boxes = [frames.nth(i).bounding_box() for i in range(frames.count())]
    boxes = [box for box in boxes if box and box["width"] > LEAST]
    shot = page.screenshot(clip=boxes[PANEL.get(story.page, 0)])
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    image.thumbnail((WIDTH, HEIGHT))
    return image


def main(names: list[str]) -> None:
    """Take all pictures."""
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
                       duration=SHOWN, loop=TIMES, quality=QUALITY, method=6)  # fmt: skip
        if names:
            return
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(f"{address}/labels?story=circles")
        wait_at_rest(page, TIMEOUT)
        page.screenshot(path=CHECKOUT / "assets" / "labels.png")
        page.goto(f"{address}/eigenfunctions?story=moons")
        wait_at_rest(page, TIMEOUT)
        page.screenshot(path=CHECKOUT / "assets" / "eigenfunctions.png")


if __name__ == "__main__":
    main(sys.argv[1:])
