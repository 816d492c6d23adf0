"""The gallery's pictures: screenshots of the stories' own stages, kept with the package.

``python -m lapviz.explorer.pictures`` takes them anew (it needs the extra ``test`` and Chromium).
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "thumbnails"


def picture(story: str) -> str:
    """Path of a story's picture."""
    return str(FOLDER / f"{story}.png")
