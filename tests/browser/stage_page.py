"""Driving the small stage app in Chromium: its stage, places on the page, what was painted."""

from __future__ import annotations

from pathlib import Path
from weakref import WeakSet

import numpy as np

SCRIPT = Path(__file__).with_name("stage_app.py")
# When a button was last let go, and λ and the number of labels at every repaint.
RECORDER = """
window.__history = { lams: [], labels: [] };
addEventListener("pointerup", (event) => (window.__clicked = event.timeStamp), true);
addEventListener("lapviz:painted", () => {
  const s = window.__lapviz.stages.demo;
  if (!s) return;
  window.__history.lams.push(s.lam);
  window.__history.labels.push(s.labels.length);
});
"""
_RECORDED = WeakSet()


class Stage:
    """A page with the small app, and what one asks of it."""

    def __init__(self, page, url: str):
        self.page = page
        if page not in _RECORDED:  # a page may serve many tests
            page.add_init_script(RECORDER)
            _RECORDED.add(page)
        page.goto(url)
        page.wait_for_function("window.__lapviz?.stages.demo?.scene && window.__lapviz.paints > 0")
        self.until("!s.board.pending && Math.abs(s.board.root.clientWidth - s.board.width) <= 0.5")
        page.evaluate("document.fonts.ready.then(() => 0)")  # letters move the tools
        self.plots = page.get_by_role("application")

    def ask(self, code: str):
        """Value of a JavaScript expression in ``s``, the stage."""
        return self.page.evaluate(
            f"() => {{ const s = window.__lapviz.stages.demo; return {code}; }}"
        )

    def until(self, code: str) -> None:
        """Wait until a JavaScript expression in ``s`` is true."""
        self.page.wait_for_function(
            f"() => {{ const s = window.__lapviz.stages.demo; return {code}; }}"
        )

    def painted(self) -> None:
        """Wait until the picture shows what was done."""
        self.until("!s.board.pending")

    def seen(self, what: str) -> set:
        """Every value that ``lams`` or ``labels`` had at a repaint since this was last asked."""
        return set(self.page.evaluate(f"window.__history.{what}.splice(0)"))

    @property
    def labels(self) -> list[list]:
        return self.ask("s.labels.map(({ x, y, index, code }) => [x, y, index, code])")

    def spot(self, x: float, y: float, panel: int = 0) -> tuple[float, float]:
        """Place on the page of a place of the plane."""
        px, py = self.ask(f"s.view.toPixel({x}, {y}, s.board.place.box)")
        frame = self.page.locator(".plot").nth(panel).bounding_box()
        return frame["x"] + px, frame["y"] + py

    def click(self, x: float, y: float, panel: int = 0) -> None:
        self.until("!(performance.now() - window.__clicked < 400)")  # no double click
        self.page.mouse.click(*self.spot(x, y, panel))
        self.painted()

    def point(self, i: int) -> tuple[float, float]:
        return tuple(self.ask(f"[s.scene.points.xy[{2 * i}], s.scene.points.xy[{2 * i + 1}]]"))

    def lonely(self) -> int:
        """A drawn point with room around it and no label near."""
        xy = np.array(self.ask("Array.from(s.scene.points.xy)")).reshape(-1, 2)
        others = np.vstack([xy, [label[:2] for label in self.labels]])
        gaps = np.linalg.norm(xy[:, None] - others[None], axis=2)
        gaps[np.arange(len(xy)), np.arange(len(xy))] = np.inf
        room = np.minimum(gaps.min(axis=1), np.minimum(xy, 1 - xy).min(axis=1))
        return int(room.argmax())

    def holes(self, n: int = 1) -> list[tuple[float, float]]:
        """Places far from every point, label and each other."""
        taken = np.array(self.ask("Array.from(s.scene.points.xy)")).reshape(-1, 2)
        taken = np.vstack([taken, [label[:2] for label in self.labels]])
        sites = np.stack(np.meshgrid(*[np.linspace(0.06, 0.94, 45)] * 2), axis=-1).reshape(-1, 2)
        found = []
        for _ in range(n):
            room = np.linalg.norm(sites[:, None] - taken[None], axis=2).min(axis=1)
            found.append(tuple(map(float, sites[room.argmax()])))
            taken = np.vstack([taken, found[-1]])
        return found

    def settled(self, rev: int) -> None:
        """Wait until Python has answered this revision and its picture is shown."""
        self.page.get_by_text(f"rev={rev} ").wait_for()
        self.page.wait_for_function(
            "window.__lapviz.last.exact && !window.__lapviz.stages.demo.channel.unsent"
        )

    @property
    def said(self) -> str:
        return self.page.locator(".live").inner_text()
