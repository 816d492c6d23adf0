"""Why a point has its class: the labels shown at a hovered point, and the paths to them."""

import numpy as np
import pytest

from lapviz.explorer.scene.labels import labels_view

RIDGE, LAPLACIAN, GRAPH = 0, 1, 2  # the panels
REASONS = "s.panels.map((p) => p.reasons.map(({ share, place, path }) => [share, place, path]))"


def radius(place) -> np.ndarray:
    return np.linalg.norm(np.atleast_2d(place), axis=1)


def hover(explorer, x, y, panel=LAPLACIAN) -> list:
    """Hover over the point nearest to a place; returns share, place and path of the labels."""
    points = explorer.places
    i = int(np.linalg.norm(points - [x, y], axis=1).argmin())
    explorer.page.mouse.move(*explorer.spot(*map(float, points[i]), panel))
    explorer.wait(f"s.hand.target?.point === {i} && !s.board.pending")
    return explorer.ask(REASONS)


def test_on_circles_the_path_to_a_label_follows_the_circle(explorer):
    """Paths around all circles: tests/explorer/stage/test_local_answers.py.

    Shares follow the labels; also for the keyboard's cursor.
    """
    circle = 3
    explorer.open("labels", story="circles")
    assert explorer.page.get_by_text("are wrong, most often").count() == 0
    reasons = hover(explorer, 0.6 * circle, 0.8 * circle)
    share, place, path = reasons[LAPLACIAN][0]
    assert share > 0.9
    assert radius(place) == pytest.approx(circle, abs=0.05)
    np.testing.assert_allclose(radius(path), circle, atol=0.05)
    assert len(path) > 20
    note = explorer.page.locator(".tip").nth(LAPLACIAN).inner_text()
    assert f"from labels: {100 * share:.0f} % row " in note
    straight = reasons[RIDGE][0][2]
    assert len(straight) == 2
    assert straight[1] == reasons[RIDGE][0][1]
    assert reasons[GRAPH] == []
    hover(explorer, 0.6 * circle, 0.8 * circle, GRAPH)
    note = explorer.page.locator(".tip").nth(GRAPH).inner_text()
    assert "from labels: along the edges of the graph" in note

    # Without a label the point gets its class from the others; reasons end with the hover.
    before = hover(explorer, 1.2, 1.6)[LAPLACIAN][0]
    removed = f"Math.hypot(l.x - ({before[1][0]}), l.y - ({before[1][1]})) < 0.1"
    explorer.ask(f"s.commit(s.labels.filter((l) => !({removed})), 'x'), 0")
    explorer.wait("!s.board.pending")
    after = explorer.ask(REASONS)[LAPLACIAN]
    assert all(abs(radius(place)[0] - 2) > 0.5 for _, place, _ in after)
    explorer.settle()
    explorer.page.mouse.move(5, 5)
    explorer.wait("!s.hand.target && !s.board.pending")
    assert explorer.ask(REASONS) == [[], [], []]
    explorer.page.get_by_role("application").focus()
    explorer.page.keyboard.press("ArrowRight")
    assert "from labels: " in explorer.page.locator(".live").inner_text()


def test_the_page_says_which_classes_are_confused(explorer):
    """The most frequent error of the main panel in a line, all in a fold."""
    explorer.open("labels", data="digits", n=300, p=60)
    (counts,) = [np.array(s.confusion) for s in labels_view(explorer.settings).scores
                 if s.method == "Kernel Laplacian"]  # fmt: skip
    errors = counts - np.diag(np.diag(counts))
    true, predicted = divmod(int(errors.argmax()), 10)
    sentence = explorer.page.get_by_text("are wrong, most often").inner_text()
    assert sentence.startswith(f"Kernel Laplacian: {errors.sum()} of {counts.sum()} are wrong")
    assert f"({errors.max()})" in sentence
    explorer.unfold("Which class is taken for which")
    row = explorer.page.locator("details[open] table tr").nth(1 + true)
    assert row.locator("td").nth(1 + predicted).inner_text() == str(errors.max())
