"""The notes: references exist, links lead somewhere, the stages' numbers are the library's."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import lapviz
from lapviz import (
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    HermiteRegressor,
    KernelCGRegressor,
    LaplacianClassifier,
    datasets,
    filters,
    metrics,
    next_label,
)
from lapviz.explorer.compute import points
from lapviz.explorer.pages.notes import fields as notes_fields
from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.pages.notes.text import Heading, Stage, Table, Text
from lapviz.explorer.pages.notes.text.source import split
from lapviz.explorer.pages.notes.view import STAGES
from lapviz.figures.stage.payload import encode_parts

WHOLE = "\n\n".join(
    part.markdown if isinstance(part, Text) else part.text
    for part in notes.parts()
    if isinstance(part, Text | Heading)
)


def test_every_reference_is_to_a_place_that_the_paper_has():
    found = notes.citations()
    assert len(found) > 80
    for cited in found:
        assert notes.PAPERS[cited.paper].has(cited.place), cited
        assert cited.target == cited.paper.lower(), cited
    # nothing that looks like a reference is written in another form
    assert len(re.findall(r"\[(?:SSL21|KRR20|GAL23|KCG10)", WHOLE)) == len(found)


def test_a_wrong_reference_would_be_seen():
    paper = notes.PAPERS["KRR20"]
    assert paper.has("eq. 10")
    assert paper.has("Lemma 11")
    assert not paper.has("eq. 11")
    assert not paper.has("Lemma 1")
    assert not paper.has("§2.1")


def test_every_link_within_the_page_has_its_place():
    targets = set(re.findall(r"\]\(#([\w-]+)\)", WHOLE))
    assert targets <= notes.anchors()
    named = [part.anchor for part in notes.parts() if isinstance(part, Heading)]
    assert len(named) == len(set(named))


def test_all_papers_are_spelled_out():
    for name, words in (
        ("SSL21", "Overcoming the curse of dimensionality with Laplacian regularization"),
        ("KRR20", "Kernel ridge regression with kernel Laplacian regularization"),
        ("GAL23", "The Galerkin method beats graph-based approaches for spectral"),
        ("KCG10", "Optimal learning rates for kernel conjugate gradient regression"),
    ):
        assert words in " ".join(WHOLE.split())
        assert name.lower() in notes.anchors()


def test_dollars_come_in_pairs():
    for part in notes.parts():
        if isinstance(part, Text):
            assert part.markdown.count("$$") % 2 == 0, part
            assert part.markdown.replace("$$", "").count("$") % 2 == 0, part
            assert part.markdown.count(r"\begin{") == part.markdown.count(r"\end{")


def test_stages_and_tables_of_the_text_exist():
    assert {part.name for part in notes.parts() if isinstance(part, Stage)} == set(STAGES)
    assert {part.name for part in notes.parts() if isinstance(part, Table)} == {"filters"}


def test_the_text_is_shipped():
    folder = Path(lapviz.__file__).parent / "explorer/pages/notes/text"
    data = (Path(lapviz.__file__).parents[1] / "pyproject.toml").read_text("utf-8")
    assert '"lapviz.explorer.pages.notes.text" = ["*.md"]' in data
    assert len(list(folder.glob("*.md"))) >= 14


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("## No anchor", "no anchor"),
        ("(a)=\ntext", "no heading"),
        ("```python\nx", "not closed"),
        ("```{other} x\n```", "unknown"),
    ],
)
def test_a_mistake_in_the_text_is_told(source, said):
    with pytest.raises(ValueError, match=said):
        list(split(source))


# ---- live stages ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", STAGES)
def test_every_option_of_every_stage_draws(name):
    live = STAGES[name]
    for knob in live.knobs:
        assert knob.default in dict(knob.only)
        for option in dict(knob.only):
            shown = live.view({knob.name: option})
            assert encode_parts(shown.scene)[1]
            assert 2 <= len(shown.scene.panels) <= 3
            assert len(shown.scene.points.xy) <= 504  # four labelled points of the circles
            assert all(len(row) == len(shown.heads) for row in shown.rows)
            assert live.settings[knob.name].read(live.settings[knob.name].write(option)) == option


@pytest.mark.parametrize("name", ["eigenfunctions", "galerkin", "spectrum"])
def test_eigenvalues_are_the_estimators(name):
    live = STAGES[name]
    for p in (10, 50):
        values = {"p": p} if name != "eigenfunctions" else {"noise": p / 500}
        shown = live.view(values)
        settings = settings_of(live, values)
        X = points.sample(settings.data).X
        fitted = GalerkinEmbedding(
            n_components=6, bandwidth=settings.space.bandwidth,
            n_landmarks=settings.space.n_landmarks, mu="floor", random_state=0,
        ).fit(X)  # fmt: skip
        gamma = [row[1] for row in shown.rows]
        np.testing.assert_allclose(gamma, fitted.eigenvalues_, rtol=1e-6, atol=1e-10)
        for i, panel in zip(shown_numbers(shown), shown.scene.panels, strict=True):
            mean = np.mean(panel.points**2)
            assert mean == pytest.approx(1, rel=1e-5)
            found = np.abs(panel.points[0]) - np.abs(fitted.transform(X)[:, i])
            np.testing.assert_allclose(found, 0, atol=1e-5)


def settings_of(live, values):
    """The settings that the stage draws: its base is in the closure of ``draw``."""
    base = next(
        cell.cell_contents for cell in _cells(live.draw) if hasattr(cell.cell_contents, "space")
    )
    return base.change(**(live.defaults | values))


def _cells(function):
    for cell in function.__closure__ or ():
        yield cell
        if callable(cell.cell_contents):
            yield from _cells(cell.cell_contents)


def shown_numbers(shown):
    digits = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
    return [int(panel.title[1:].translate(digits)) for panel in shown.scene.panels]


@pytest.mark.parametrize("name", ["labels", "parameters", "tangents", "graph"])
def test_scores_are_the_estimators(name):
    live = STAGES[name]
    knob = live.knobs[0]
    for option in (knob.default, knob.only[0][0]):
        values = {knob.name: option}
        shown, settings = live.view(values), settings_of(live, values)
        data = points.sample(settings.data)
        given = points.labelled(settings.data, settings.labels)
        y = np.full(len(data.X), -1)
        y[given.index] = given.codes
        space, spec = settings.space, settings.estimate
        model = LaplacianClassifier(
            bandwidth=space.bandwidth, n_landmarks=space.n_landmarks, mu=settings.energy.mu,
            lam=spec.lam, data_term=spec.data_term, operator=settings.operator, random_state=0,
        ).fit(data.X, y)  # fmt: skip
        found = {row[0]: row[1] for row in shown.rows}
        right = metrics.unlabelled_accuracy(data.y, model.predict(data.X), y >= 0)
        assert found["Kernel Laplacian"] == pytest.approx(100 * right)
        panel = next(p for p in shown.scene.panels if p.title == "Kernel Laplacian")
        np.testing.assert_allclose(panel.points[0], model.decision_function(data.X), atol=1e-6)
        if name == "graph":
            graph = GraphLaplacianClassifier(n_neighbors=option).fit(data.X, y)
            right = metrics.unlabelled_accuracy(data.y, graph.predict(data.X), y >= 0)
            assert found["Graph Laplacian"] == pytest.approx(100 * right)


def test_hermite_is_the_estimators():
    live = STAGES["hermite"]
    X = np.random.default_rng(0).uniform(-1, 1, size=(20, 2))
    sites = notes_fields.GRID.sites()
    truth = np.sin(2.5 * sites[:, 0]) * np.cos(2 * sites[:, 1]) + 0.5 * sites[:, 1]
    model = HermiteRegressor(bandwidth=0.5, weight=0.1, ridge=1e-8, random_state=0)
    model.fit(X, notes_fields.surface(X), gradients=notes_fields.slopes(X))
    shown = live.view({"points": 20, "weight": 0.1})
    wanted = np.sqrt(np.mean((model.predict(sites) - truth) ** 2))
    assert shown.rows[1][1] == pytest.approx(wanted)
    assert shown.rows[1][1] < shown.rows[0][1]
    step = 1e-6
    for l in range(2):  # the slopes are those of the surface
        e = step * np.eye(2)[l]
        found = (notes_fields.surface(X + e) - notes_fields.surface(X - e)) / (2 * step)
        np.testing.assert_allclose(notes_fields.slopes(X)[:, l], found, atol=1e-8)


def test_conjugate_gradient_is_the_estimators():
    shown = STAGES["conjugate-gradient"].view({"steps": 5, "sd": 0.3})
    X = np.random.default_rng(0).uniform(-1, 1, size=(200, 2))
    y = notes_fields.surface(X) + 0.3 * np.random.default_rng(1).normal(size=200)
    model = KernelCGRegressor(bandwidth=0.5, stopping="fixed", n_iterations=5).fit(X, y)
    found = shown.scene.panels[1]
    np.testing.assert_allclose(found.points[0], model.predict(X), atol=1e-8)
    assert shown.rows[0][1] == 5
    errors = [
        STAGES["conjugate-gradient"].view({"steps": m, "sd": 0.3}).rows[0][4] for m in (1, 5, 40)
    ]
    assert errors[1] < min(errors[0], errors[2])
    assert shown.rows[2][4] == pytest.approx(min(shown.rows[2][4], *errors))


def test_the_next_label_is_the_librarys():
    data = datasets.load("four_circles", n_samples=400, random_state=0)
    y = np.full(len(data.X), -1)
    y[[np.flatnonzero(data.y == code)[5] for code in (0, 1)]] = 0, 1
    model = LaplacianClassifier(
        operator="laplacian", bandwidth=0.3, n_landmarks=300, lam=0.1, mu=5e-4, random_state=0
    )
    model.fit(data.X, y)
    rows = STAGES["next-label"].view({"weight": 0.1}).rows
    for row, criterion in zip(rows, ("energy", "change"), strict=True):
        assert row[1] == next_label(model, data.X, y, criterion=criterion).next


# ---- the page -------------------------------------------------------------------------------


def _page() -> None:
    from lapviz.explorer.pages.notes import page as notes

    notes.page()


@pytest.fixture
def app():
    return AppTest.from_function(_page, default_timeout=60)


@pytest.mark.slow
def test_the_page_draws(app):
    app.run()
    assert not app.exception
    assert not app.error
    assert app.title[0].value == "Notes"
    assert len(app.get("bidi_component")) == 2 * len(STAGES)
    shown = "\n".join(box.value for box in app.markdown)
    for name in filters.names():
        assert filters.get(name).formula in shown


def link(app) -> dict[str, str]:
    return {k: v if isinstance(v, str) else v[0] for k, v in app.query_params.items()}


@pytest.mark.slow
def test_a_link_sets_the_stages(app):
    app.query_params["galerkin.p"] = "5"
    app.query_params["labels.lam"] = "0.01"
    app.query_params["labels.labels"] = "nonsense"
    app.query_params["graph.graph_neighbors"] = "7"
    app.run()
    assert not app.error
    said = " ".join(box.value for box in app.warning)
    assert "must be one of" in said.replace("\\", "")
    assert len(app.warning) == 2
    slider = next(s for s in app.select_slider if s.key == "note-galerkin-p")
    assert slider.value == 5
    slider = next(s for s in app.run().select_slider if s.key == "note-galerkin-p")
    assert [slider.options[int(i)] for i in slider.proto.default] == ["5"]  # for a slow browser
    assert link(app) == {"galerkin.p": "5", "labels.lam": "0.01"}
    slider.set_value(50).run()
    assert not app.error
    assert link(app) == {"galerkin.p": "50", "labels.lam": "0.01"}
