"""The same points in another plane: all of the picture moves, and nothing that no hand did."""

from __future__ import annotations

import dataclasses

import numpy as np
from bare_page import opened, until

from lapviz.figures.stage.container import pack
from lapviz.figures.stage.plane_parts import answer_part, static_part
from lapviz.labels import Label
from lapviz.scenes import Panel, Points, Scene

KEY = "planes-stage"
S = f"window.__lapviz.stages['{KEY}']"
HISTORY = f"""window.frames_seen = [];
addEventListener("lapviz:painted", () => {{
  const s = {S};
  const at = (label) => 2 * s.scene.points.position.get(label.index);
  window.frames_seen.push(s.labels.every((label) =>
    Math.fround(label.x) === s.scene.points.xy[at(label)] &&
    Math.fround(label.y) === s.scene.points.xy[at(label) + 1]));
}});"""


def scene(scale: float, rows=(3, 8), code: int = 0, **more) -> Scene:
    """Forty points whose second coordinate depends on what they are looked at through."""
    xy = np.random.default_rng(2).random((40, 2)) * [1.0, scale] + [scale, 0.1]
    labels = tuple(Label(row, code).at(*xy[row]) for row in rows)
    panel = Panel("values", np.linspace(-1, 1, 40)[None])
    view = (scale - 0.1, scale + 1.1, 0.0, 0.2 + scale)
    return Scene((panel,), Points(xy, np.arange(40)), view, "table", kind="classes",
                 classes=("a", "b"), labels=labels, editable=True, **more)  # fmt: skip


def show(page, picture: Scene) -> None:
    """Python's next answer with a lasting part of its own."""
    parts = {"static": static_part(picture), "answer": answer_part(picture), "key": KEY}
    page.route("**/next", lambda route: route.fulfill(body=pack(parts)))
    page.evaluate("window.answer('/next')")
    page.unroute("**/next")
    until(page, f"{S}.scene.view[0] === {picture.view[0]} && !{S}.board.pending", 10)


def ask(page, code: str):
    return page.evaluate(f"() => {{ const s = {S}; return {code}; }}")


def whole_view(page, picture: Scene) -> bool:
    return not ask(page, "s.view.zoomed") and np.allclose(ask(page, "s.view.range"), picture.view)


def test_labels_cloud_and_view_are_of_one_plane_in_every_frame(page):
    opened(page, scene(1.0), key=KEY)
    ask(page, "s.editMany(s.labels.map((label) => ({ ...label, code: 1 })), 2)")
    page.evaluate(HISTORY)
    show(page, scene(2.0, code=1))
    assert page.evaluate("window.frames_seen.length > 0 && window.frames_seen.every(Boolean)")
    assert whole_view(page, scene(2.0))
    ask(page, "s.undo()")  # and so are the labels that come back
    xy = scene(2.0).points.xy[3]
    np.testing.assert_allclose(ask(page, "[s.labels[0].x, s.labels[0].y]"), xy, rtol=1e-6)


def test_a_zoom_lives_as_long_as_the_plane_and_only_a_hand_writes_it(page):
    opened(page, scene(1.0), key=KEY)
    show(page, scene(2.0))
    page.wait_for_timeout(600)  # later than the address would follow
    assert "stage=" not in page.url
    ask(page, "s.zoomBy(2)")
    until(page, "location.search.includes('stage=z2')", 10)
    zoomed = ask(page, "s.view.range")
    show(page, dataclasses.replace(scene(2.0), lam=0.5))
    assert ask(page, "s.view.range") == zoomed
    show(page, scene(2.5))
    assert whole_view(page, scene(2.5))
    until(page, "!location.search.includes('stage=')", 10)
