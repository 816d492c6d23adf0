"""The gallery's pictures: screenshots of the stories, shipped with the package.

``python -m benchmarks.gallery`` renews them and the README's screenshots (it needs the
extra ``test`` and Chromium).
"""

from __future__ import annotations

import io

from PIL import Image

from benchmarks.browser import chromium, wait_at_rest
from benchmarks.streamlit_server import CHECKOUT, serve
from lapviz.explorer.stories.presets import STORIES, picture_of

SIZE = (480, 300)
LEAST = 60  # pixels of a picture; smaller are keys of lines
TIMEOUT = 120_000  # milliseconds


def main() -> None:
    """Take all pictures."""
    with serve() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1000}, device_scale_factor=1)
        for story in STORIES:
            page.goto(f"{address}/{story.page}?story={story.name}")
            wait_at_rest(page, TIMEOUT)
            frames = page.locator("canvas:visible, svg.chart:visible")
            frames.first.wait_for(timeout=TIMEOUT)  # curves have no stage that is waited for
            boxes = [frames.nth(i).bounding_box() for i in range(frames.count())]
            boxes = [box for box in boxes if box and box["width"] > LEAST]
            row = [b for b in boxes if abs(b["y"] - boxes[0]["y"]) < 20]
            chosen = row[3:5] if story.page == "eigenfunctions" else row[1:3]
            if story.page in ("regression", "data"):
                chosen = row[:2]
            left, top = chosen[0]["x"], chosen[0]["y"]
            right = chosen[-1]["x"] + chosen[-1]["width"]
            clip = {"x": left, "y": top, "width": right - left, "height": chosen[0]["height"]}
            shot = page.screenshot(clip=clip)
            image = Image.open(io.BytesIO(shot)).convert("RGB")
            image.thumbnail((2 * SIZE[0], 2 * SIZE[1]))
            image.quantize(128).save(picture_of(story.name), optimize=True)
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(f"{address}/labels?story=circles")
        wait_at_rest(page, TIMEOUT)
        page.screenshot(path=CHECKOUT / "assets" / "labels.png")
        page.goto(f"{address}/eigenfunctions?story=moons")
        wait_at_rest(page, TIMEOUT)
        page.screenshot(path=CHECKOUT / "assets" / "eigenfunctions.png")


if __name__ == "__main__":
    main()
