"""Why a point has its class: what hovering shows of the labels that reach it."""

from __future__ import annotations

import numpy as np
import pytest

from lapviz.explorer.scene.labels import labels_view

RIDGE, LAPLACIAN, GRAPH = 0, 1, 2  # the panels
REASONS = "s.panels.map((p) => p.reasons.map(({ share, place, path }) => [share, place, path]))"


def radius(place) -> np.ndarray:
    return np.linalg.norm(np.atleast_2d(place), axis=1)


def hover(explorer, x, y, panel=LAPLACIAN) -> list:
    """Of each panel's labels that reach the point nearest to a place: share, place and way."""
    at = explorer.places
    i = int(np.linalg.norm(at - [x, y], axis=1).argmin())
    explorer.page.mouse.move(*explorer.spot(*map(float, at[i]), panel))
    explorer.wait(f"s.hand.target?.point === {i} && !s.board.pending")
    return explorer.ask(REASONS)


def test_on_circles_the_label_of_the_same_circle_reaches_a_point_round_it(explorer):
    """Ways round all of them: tests/explorer/stage/test_reasons.py."""
    circle = 3
    explorer.open("labels", story="circles")
    why = hover(explorer, 0.6 * circle, 0.8 * circle)
    share, there, way = why[LAPLACIAN][0]
    assert share > 0.9
    assert radius(there) == pytest.approx(circle, abs=0.05)
    np.testing.assert_allclose(radius(way), circle, atol=0.05)
    assert len(way) > 20
    note = explorer.page.locator(".tip").nth(LAPLACIAN).inner_text()
    assert f"from labels: {100 * share:.0f} % row " in note
    straight = why[RIDGE][0][2]
    assert len(straight) == 2
    assert straight[1] == why[RIDGE][0][1]
    assert why[GRAPH] == []
    hover(explorer, 0.6 * circle, 0.8 * circle, GRAPH)
    silent = explorer.page.locator(".tip").nth(GRAPH).inner_text()
    assert "from labels: along the edges of the graph" in silent


def test_shares_follow_the_labels_and_end_with_the_hover(explorer):
    """A label taken away leaves the point to the others; the keyboard's cursor is told as well."""
    explorer.open("labels", story="circles")
    before = hover(explorer, 1.2, 1.6)[LAPLACIAN][0]
    gone = f"Math.hypot(l.x - ({before[1][0]}), l.y - ({before[1][1]})) < 0.1"
    explorer.ask(f"s.edit({{ labels: s.labels.filter((l) => !({gone})), action: 'x' }}), 0")
    explorer.wait("!s.board.pending")
    after = explorer.ask(REASONS)[LAPLACIAN]
    assert all(abs(radius(there)[0] - 2) > 0.5 for _, there, _ in after)
    explorer.rest()
    explorer.page.mouse.move(5, 5)
    explorer.wait("!s.hand.target && !s.board.pending")
    assert explorer.ask(REASONS) == [[], [], []]
    explorer.page.get_by_role("application").focus()
    explorer.page.keyboard.press("ArrowRight")
    assert "from labels: " in explorer.page.locator(".live").inner_text()


def test_of_functions_nothing_is_told(explorer):
    explorer.open("eigenfunctions", data="half_moons", n=300)
    assert not any(hover(explorer, 0.5, 0.5, 1))


def test_the_page_says_which_classes_are_taken_for_which(explorer):
    """The largest of the main panel in a line, all in a fold; nothing where nothing is wrong."""
    explorer.open("labels", data="digits", n=300, p=60)
    (counts,) = [np.array(s.confusion) for s in labels_view(explorer.settings).scores
                 if s.method == "Kernel Laplacian"]  # fmt: skip
    off = counts - np.diag(np.diag(counts))
    true, given = divmod(int(off.argmax()), 10)
    told = explorer.page.get_by_text("are wrong, most often").inner_text()
    assert told.startswith(f"Kernel Laplacian: {off.sum()} of {counts.sum()} are wrong")
    assert f"({off.max()})" in told
    explorer.unfold("Which class is taken for which")
    row = explorer.page.locator("details[open] table tr").nth(1 + true)
    assert row.locator("td").nth(1 + given).inner_text() == str(off.max())
    explorer.open("labels", story="circles")
    assert explorer.page.get_by_text("are wrong, most often").count() == 0
