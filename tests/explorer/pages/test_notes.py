"""The notes: references exist, links lead somewhere, the stages' numbers are the library's."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from page_tests import address, opened

from lapviz import KernelCGRegressor, LaplacianClassifier, datasets, filters, next_label
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.pages.notes.settings import STAGES
from lapviz.explorer.pages.notes.text import Heading, Stage, Table, Text
from lapviz.explorer.pages.notes.view import draw, slopes, surface
from lapviz.explorer.scene.labels import labels_view
from lapviz.figures.stage.payload import encode_parts

TEXT = "\n\n".join(
    part.markdown if isinstance(part, Text) else part.text
    for part in notes.parts()
    if isinstance(part, Text | Heading)
)
PAPERS = tomllib.loads(Path(__file__).with_name("papers.toml").read_text("utf-8"))


def has(paper: str, place: str) -> bool:
    """Whether a paper has a place such as "eq. 5", "§2.2", "App. C.1" or "Theorem 1"."""
    for kind, listed in PAPERS[paper].items():
        first, _, last = listed.partition("-")
        numbers = map(str, range(int(first), int(last) + 1)) if last else listed.split()
        if place.startswith(kind) and place.removeprefix(kind).strip() in numbers:
            return True
    return False


def test_every_reference_is_to_a_place_that_the_paper_has():
    references = re.findall(r"\[(SSL21|KRR20|GAL23|KCG10), ([^\]]+)\]\(#([\w-]+)\)", TEXT)
    assert len(references) > 80
    for paper, place, target in references:
        assert has(paper, place), (paper, place)
        assert target == paper.lower()
    # nothing that looks like a reference has another form
    assert len(re.findall(r"\[(?:SSL21|KRR20|GAL23|KCG10)", TEXT)) == len(references)
    assert has("KRR20", "eq. 10")
    assert not any(has("KRR20", wrong) for wrong in ("eq. 11", "Lemma 1", "§2.1"))


def test_every_link_within_the_page_has_its_place():
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= notes.anchors()
    anchors = [part.anchor for part in notes.parts() if isinstance(part, Heading)]
    assert len(anchors) == len(set(anchors))
    for words in (
        "Overcoming the curse of dimensionality with Laplacian regularization",
        "Kernel ridge regression with kernel Laplacian regularization",
        "The Galerkin method beats graph-based approaches for spectral",
        "Optimal learning rates for kernel conjugate gradient regression",
    ):
        assert words in " ".join(TEXT.split())
    assert {paper.lower() for paper in PAPERS} <= notes.anchors()


def test_dollars_come_in_pairs():
    for part in notes.parts():
        if isinstance(part, Text):
            assert part.markdown.count("$$") % 2 == 0, part
            assert part.markdown.replace("$$", "").count("$") % 2 == 0, part
            assert part.markdown.count(r"\begin{") == part.markdown.count(r"\end{")


def test_stages_and_tables_of_the_text_exist():
    assert {part.name for part in notes.parts() if isinstance(part, Stage)} == set(STAGES)
    assert {part.name for part in notes.parts() if isinstance(part, Table)} == {"filters"}


@pytest.mark.parametrize(
    "source", ["## No anchor", "### Nor one", "(a)=\ntext", "```python\nx", "```{other} x\n```"]
)
def test_a_mistake_in_the_text_is_reported(source):
    with pytest.raises(ValueError, match=f"“{re.escape(source.splitlines()[0])}” in the notes"):
        list(notes.split(source))


# ---- live stages ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", STAGES)
def test_every_option_of_every_stage_draws(name):
    live = STAGES[name]
    for knob in live.knobs:
        assert knob.default in dict(knob.only)
        for option in dict(knob.only):
            shown = draw(live, {knob.name: option})
            assert encode_parts(shown.scene)[1]
            assert 2 <= len(shown.scene.panels) <= 3
            assert len(shown.scene.points.xy) <= 504  # four labelled points of the circles
            assert all(len(row) == len(shown.heads) for row in shown.rows)
            assert live.settings[knob.name].read(live.settings[knob.name].write(option)) == option


@pytest.mark.parametrize(
    ("name", "values"),
    [("eigenfunctions", {"noise": 0.1}), ("galerkin", {"p": 10}), ("spectrum", {"p": 50})],
)
def test_eigenfunctions_are_the_pages(name, values):
    live = STAGES[name]
    shown, page = draw(live, values), eigen_view(live.base.change(**(live.defaults | values)))
    gamma = [row[1] for row in shown.rows]
    np.testing.assert_allclose(gamma, page.gamma[: len(gamma)], rtol=1e-6, atol=1e-10)
    for i, panel in zip(live.panels, shown.scene.panels, strict=True):
        assert panel.title == f"e{'₀₁₂₃₄'[i]}"
        np.testing.assert_allclose(panel.points, page.scene.panels[i].points, atol=1e-5)


@pytest.mark.parametrize("name", ["labels", "parameters", "tangents", "graph"])
def test_scores_are_the_pages(name):
    live = STAGES[name]
    knob = live.knobs[0]
    values = {knob.name: knob.only[0][0]}
    shown = draw(live, values)
    page = labels_view(live.base.change(**(live.defaults | values)))
    expected = [(s.method, 100 * s.accuracy) for s in page.scores if s.method in live.panels]
    assert [row[:2] for row in shown.rows] == expected
    assert [panel.title for panel in shown.scene.panels] == live.panels
    panels = {panel.title: panel.points for panel in page.scene.panels}
    for panel in shown.scene.panels:
        np.testing.assert_array_equal(panel.points, panels[panel.title])


def test_slopes_are_those_of_the_surface_and_help():
    X, step = np.random.default_rng(0).uniform(-1, 1, size=(20, 2)), 1e-6
    for l, e in enumerate(step * np.eye(2)):
        differences = (surface(X + e) - surface(X - e)) / (2 * step)
        np.testing.assert_allclose(slopes(X)[:, l], differences, atol=1e-8)
    rows = draw(STAGES["hermite"], {"points": 20, "weight": 0.1}).rows
    plain, with_slopes = (row[1] for row in rows)
    assert with_slopes < plain / 2
    unweighted = draw(STAGES["hermite"], {"points": 20, "weight": 0.0}).rows
    assert unweighted[0][1] == unweighted[1][1] == plain


def test_conjugate_gradient_shows_the_requested_step():
    views = {m: draw(STAGES["conjugate-gradient"], {"steps": m, "sd": 0.3}) for m in (1, 5, 40)}
    X = np.random.default_rng(0).uniform(-1, 1, size=(200, 2))
    y = surface(X) + 0.3 * np.random.default_rng(1).normal(size=200)
    model = KernelCGRegressor(bandwidth=0.5, stopping="fixed", n_iterations=5).fit(X, y)
    values = views[5].scene.panels[1].points[0]
    np.testing.assert_allclose(values, model.predict(X), atol=1e-8)
    assert views[5].rows[0][1] == 5
    errors = [view.rows[0][4] for view in views.values()]
    assert errors[1] < min(errors[0], errors[2])
    assert views[5].rows[2][4] == pytest.approx(min(views[5].rows[2][4], *errors))


def test_the_next_label_is_the_librarys():
    data = datasets.load("four_circles", n_samples=400, random_state=0)
    y = np.full(len(data.X), -1)
    y[[np.flatnonzero(data.y == code)[5] for code in (0, 1)]] = 0, 1
    model = LaplacianClassifier(
        operator="laplacian", bandwidth=0.3, n_landmarks=300, lam=0.1, mu=5e-4, random_state=0
    )
    model.fit(data.X, y)
    rows = draw(STAGES["next-label"], {"weight": 0.1}).rows
    for row, criterion in zip(rows, ("energy", "change"), strict=True):
        assert row[1] == 1 + next_label(model, data.X, y, criterion=criterion).next  # from 1


# ---- the page -------------------------------------------------------------------------------


def test_every_part_is_in_one_section_and_every_heading_leads_to_its_own():
    assert [part for section in notes.sections() for part in section.parts] == list(notes.parts())
    for section in notes.sections():
        assert {notes.section_of(anchor) for anchor in section.anchors} == {section.head.anchor}
    assert notes.section_of("ssl21") == "references"
    assert notes.section_of("nonsense") == ""


@pytest.mark.slow
@pytest.mark.parametrize("section", notes.sections(), ids=lambda section: section.head.anchor)
def test_a_section_draws_and_leads_to_its_neighbours(section):
    app = opened("notes", topic=section.head.anchor)
    assert not app.exception
    assert not app.error
    assert not app.warning
    assert app.title[0].value == "Notes"
    assert [box.value for box in app.header] == [section.head.text]
    stages = sum(isinstance(part, Stage) for part in section.parts)
    assert len(app.get("bidi_component")) == 1 + 2 * stages  # and the address
    shown = "\n".join(box.value for box in app.markdown)
    for name in filters.names():
        assert (filters.get(name).formula in shown) == (section.head.anchor == "estimates")
    contents, neighbours = (box.proto.body for box in app.get("html")[-2:])
    anchors = [other.head.anchor for other in notes.sections()]
    assert re.findall(r'href="#([\w-]+)" aria-current', contents) == 2 * [section.head.anchor]
    assert set(re.findall(r'href="#([\w-]+)"', contents)) == {*anchors, *section.anchors}
    index = anchors.index(section.head.anchor)
    expected = anchors[max(index - 1, 0) : index] + anchors[index + 1 :][:1]
    assert re.findall(r'href="#([\w-]+)"', neighbours) == expected


@pytest.mark.slow
def test_a_link_sets_the_stages():
    query = {"galerkin.p": 5, "labels.lam": 0.01, "graph.graph_neighbors": 7}
    app = opened("notes", **query, **{"labels.labels": "nonsense", "topic": "nothing"})
    assert not app.error
    warnings = " ".join(box.value for box in app.warning)
    assert "must be one of" in warnings.replace("\\", "")
    assert "no section “nothing”" in warnings
    assert len(app.warning) == 3
    app = opened("notes", **query)  # an old link: the section of the first stage in it
    assert app.header[0].value == "The Galerkin method"
    slider = next(s for s in app.select_slider if s.key.startswith("note-galerkin-p#"))
    assert slider.value == 5
    slider = next(s for s in app.run().select_slider if s.key.startswith("note-galerkin-p#"))
    assert [slider.options[int(i)] for i in slider.proto.default] == ["5"]  # for a slow browser
    assert address(app) == {"galerkin.p": "5", "labels.lam": "0.01"}
    slider.set_value(50).run()
    assert not app.error
    expected = {"galerkin.p": "50", "labels.lam": "0.01", "topic": "galerkin"}
    assert address(app) == expected
    assert opened("notes", **expected).header[0].value == "The Galerkin method"
    app = opened("notes", topic="galerkin")
    assert address(app.run()) == {"topic": "galerkin"}, "for a reload"
