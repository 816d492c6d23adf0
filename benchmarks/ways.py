"""The first minute in Chromium, from a cold browser: ``python -m benchmarks.ways``.

Five things that visitors come for, each in few actions: clicks, files and keys.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files

from benchmarks.browser import chromium, wait_at_rest
from benchmarks.streamlit_server import serve
from lapviz.markdown import table

SAMPLE = files("lapviz.datasets").joinpath("data/penguins.csv")
TIMEOUT = 60_000  # milliseconds


@dataclass
class Visitor:
    """A tab of a new browser, and a record of the actions in it."""

    page: object
    root: str
    acts: list[str] = field(default_factory=list)

    def go(self, place: str) -> None:
        """Follow a link."""
        self.page.goto(f"{self.root}/{place}")
        self.rest()

    def rest(self) -> None:
        """Wait until the page is at rest."""
        wait_at_rest(self.page, TIMEOUT)

    def click(self, node, **where: object) -> None:
        """Click an element."""
        self.acts.append("click")
        node.click(timeout=TIMEOUT, **where)

    def press(self, key: str) -> None:
        """Press a key."""
        self.acts.append(f"key {key}")
        self.page.keyboard.press(key)

    def fold(self, title: str) -> None:
        """Open an expander by its title."""
        self.click(self.page.get_by_test_id("stExpander").get_by_text(title, exact=True))

    def see(self, text: str) -> None:
        """Wait until a text is on the page."""
        self.page.get_by_text(text).first.wait_for(timeout=TIMEOUT)


def understand(visitor: Visitor) -> None:
    """Read the question, guess, and change the answer by adding a label."""
    visitor.go("")
    visitor.see("What are the other")
    visitor.click(visitor.page.get_by_role("button", name="orange squares"))
    visitor.see("You are right")
    visitor.rest()
    plot = visitor.page.locator(".panel:visible .plot").last
    box = plot.bounding_box()
    visitor.click(plot, position={"x": 0.53 * box["width"], "y": 0.3 * box["height"]})
    visitor.page.wait_for_url("**labels=**", timeout=TIMEOUT)
    visitor.rest()


def own_data(visitor: Visitor) -> None:
    """From a data file to its picture."""
    visitor.go("data")
    visitor.acts.append("file")
    visitor.page.locator("input[type=file]").first.set_input_files(str(SAMPLE))
    visitor.click(visitor.page.get_by_role("button", name="Label it"))
    visitor.page.wait_for_url("**/labels**", timeout=TIMEOUT)
    visitor.rest()
    visitor.page.locator(".panel:visible .plot, svg.chart:visible").first.wait_for(timeout=TIMEOUT)


def share(visitor: Visitor) -> None:
    """Copy a link to the current view."""
    visitor.go("labels?story=circles")
    visitor.fold("Keep and share")
    visitor.click(visitor.page.get_by_role("button", name="Copy link"))
    visitor.see("Copied")


def take_code(visitor: Visitor) -> None:
    """See the script that gives the numbers on the screen."""
    visitor.go("labels?story=circles")
    visitor.fold("Copy as Python")
    visitor.see("LaplacianClassifier")


def next_step(visitor: Visitor) -> None:
    """Present a story, and go to its next step."""
    visitor.go("labels?story=spread&present=1")
    visitor.press("ArrowRight")
    visitor.page.wait_for_url("**lam=0.1**", timeout=TIMEOUT)
    visitor.rest()


WAYS: dict[str, Callable[[Visitor], None]] = {
    "understand the question and change an answer": understand,
    "own data to a picture": own_data,
    "share what I see": share,
    "take the code away": take_code,
    "the next step of a lecture": next_step,
}


def main() -> None:
    """Print the actions and seconds of each; the server is warm, the browser is not."""
    rows = []
    with serve() as root:
        for title, way in WAYS.items():
            with chromium() as browser:
                context = browser.new_context(
                    viewport={"width": 1280, "height": 720},
                    permissions=["clipboard-read", "clipboard-write"],
                )
                visitor, start = Visitor(context.new_page(), root), time.perf_counter()
                way(visitor)
                acts = ", ".join(visitor.acts)
                rows.append((title, acts, round(time.perf_counter() - start, 1)))
    print(table(("Way", "Acts", "Seconds in all"), rows, "{:.1f}"))


if __name__ == "__main__":
    main()
