"""The gallery's pictures: screenshots of the stories' own stages, kept with the package.

``python -m lapviz.explorer.pictures`` takes them anew (it needs the extra ``test`` and Chromium),
and the README's screenshot with them.
"""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from shutil import which

FOLDER = Path(__file__).parent / "thumbnails"
CHECKOUT = Path(__file__).parents[2]
SIZE = (480, 300)


def picture(story: str) -> str:
    """Path of a story's picture."""
    return str(FOLDER / f"{story}.png")


@contextmanager
def _served():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(CHECKOUT / "app.py"),
               "--server.headless=true", f"--server.port={port}"]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Take all pictures."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    from lapviz.explorer.presets import STORIES

    FOLDER.mkdir(exist_ok=True)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with _served() as address, sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=which("chromium"), args=flags)
        page = browser.new_page(viewport={"width": 1400, "height": 1000}, device_scale_factor=1)
        for story in STORIES:
            page.goto(f"{address}/{story.page}?story={story.name}")
            page.wait_for_function("window.__lapviz && window.__lapviz.paints > 0", timeout=120_000)
            page.wait_for_timeout(2500)
            frames = page.locator("canvas:visible")
            boxes = [frames.nth(i).bounding_box() for i in range(frames.count())]
            row = [b for b in boxes if b and abs(b["y"] - boxes[0]["y"]) < 20]
            chosen = row[1:3] if story.page == "labels" else row[3:5]
            left, top = chosen[0]["x"], chosen[0]["y"]
            right = chosen[-1]["x"] + chosen[-1]["width"]
            clip = {"x": left, "y": top, "width": right - left, "height": chosen[0]["height"]}
            shot = page.screenshot(clip=clip)
            image = Image.open(io.BytesIO(shot)).convert("RGB")
            image.thumbnail((2 * SIZE[0], 2 * SIZE[1]))
            image.quantize(128).save(FOLDER / f"{story.name}.png", optimize=True)
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(f"{address}/labels?story=circles")
        page.wait_for_function("window.__lapviz && window.__lapviz.paints > 0", timeout=120_000)
        page.wait_for_timeout(2500)
        page.screenshot(path=CHECKOUT / "assets" / "labels.png")
        page.goto(f"{address}/eigenfunctions?story=moons")
        page.wait_for_timeout(6000)
        page.screenshot(path=CHECKOUT / "assets" / "eigenfunctions.png")
        browser.close()


if __name__ == "__main__":
    main()
