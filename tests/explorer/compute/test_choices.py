"""What the data choose on a page is what the estimators choose, and so are its numbers."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from estimators_of import fitted, target

from lapviz import LaplacianClassifier, select_parameters
from lapviz.estimators.advice import DataWarning
from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.labels import tuning
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE
from lapviz.explorer.stories import presets
from lapviz.labels import Label

WINE = presets.for_data("wine")
MOONS = tidy(presets.papers_for("half_moons").change(n=400, noise=0.15))
AUTOMATIC = dict.fromkeys(CHOOSABLE, AUTO)


@pytest.mark.slow
def test_candidates_have_no_passes_and_the_stage_says_so():
    marks = tuple(Label(i, int(i > 60), None, (int(i <= 60),) * (i % 2)) for i in range(0, 120, 7))
    view = labels_view(tidy(MOONS.change(**AUTOMATIC, marks=marks)))
    assert "no passes" in view.scene.remark
    assert view.scores[0].accuracy is not None


def test_passes_with_a_constant_are_a_sentence_in_the_panel():
    view = labels_view(tidy(MOONS.change(intercept=True, balance="scale", passes=5)))
    assert "without the constant" in view.scene.panels[1].note
    assert not view.scene.panels[0].note


@pytest.mark.slow
def test_the_browser_gets_a_model_only_where_the_estimate_is_linear():
    for changes, local in (({}, False), ({"passes": 0}, True), ({"balance": None}, True)):
        panel = labels_view(tidy(MOONS.change(**AUTOMATIC | changes))).scene.panels[1]
        assert (panel.model is not None) == local
        assert ("passes" in panel.subtitle) != local


def test_other_real_data_can_be_standardised_and_synthetic_cannot():
    cells = presets.for_data("cells")
    assert not cells.data.standardise
    scaled = points.sample(cells.change(standardise=True).data).X
    np.testing.assert_allclose(scaled.std(axis=0), 1)
    assert not tidy(MOONS.change(standardise=True)).data.standardise
    images = presets.for_data("digits").change(standardise=True)
    assert not images.allows("invariance")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"standardise": False, "scaling": None}, "Standardise features"),
        ({"sigma": 1e-3, "mu": 1.0}, "far below"),
        ({"sigma": 1e4}, "far above"),
    ],
)
def test_advice_is_the_librarys_with_a_cure_by_hand(changes, words):
    settings = WINE.change(**changes)
    hints = [hint.on_a_page for hint in labels_view(settings).hints]
    with pytest.warns(DataWarning) as warned:
        fitted(settings)
    text = " ".join(str(w.message) for w in warned if isinstance(w.message, DataWarning))
    assert any(words in hint for hint in hints)
    for hint in labels_view(settings).hints:
        if not hint.fault.startswith(("Feature", "Class")):  # the page has names for these
            assert hint.fault in text
    assert not labels_view(settings, light=True).hints


def test_a_grid_around_mu_0_begins_with_0():
    model, grid, present = tuning._grid(MOONS.change(mu=0.0), "mu")
    assert present["mu"] == model.mu == 0
    assert grid["mu"][0] == 0
    np.testing.assert_allclose(grid["mu"][1:], 1e-6 * tuning.WEIGHTS)


@pytest.mark.slow
@pytest.mark.parametrize("linear", [True, False])
def test_whole_plans_are_the_librarys_selection(linear):
    settings = presets.for_data("iris").change(per_class=4, linear=linear)
    search = tuning.search(settings, tuning.PLANS)
    data, model = points.sample(settings.data), LaplacianClassifier(linear=linear, random_state=0)
    wanted = select_parameters(model, data.X, target(settings))
    assert [row.error for row in search.rows] == [row.error for row in wanted.rows]
    assert search.best.parameters == wanted.best.parameters
    for row in search.rows:
        assert tuning.describe(row, search.rows[0])
        changed = settings.change(**search.changes_of(row))
        resolved = fits.for_labels(changed)
        assert resolved.estimate.lam == pytest.approx(row.lam, rel=1e-3)
        assert fits.method(resolved).mu == pytest.approx(row.mu, rel=1e-3)
    assert "automatic plan" in tuning.verdict(search)
    assert search.accuracy[0] == search.accuracy[1]


def test_errors_by_weight_are_shares_of_it():
    best, present = (SimpleNamespace(error=error, squared_error=0.1) for error in (0.0123, 0.0222))
    search = tuning.Search("sigma", (best, present), best, present, np.array([15, 15]), 0)
    assert "guesses 0 of 30 hidden labels wrong, the present settings 1." in tuning.verdict(search)
    by_weight = tuning.verdict(replace(search, by_weight=True))
    assert "1.2\N{NO-BREAK SPACE}% by weight of 30 hidden labels wrong" in by_weight
    assert "the present settings 2.2\N{NO-BREAK SPACE}% by weight." in by_weight


@pytest.mark.slow
def test_whole_plans_have_the_given_proportions_of_the_labelled_classes():
    marks = tuple(Label(row, row // 50) for row in (3, 17, 29, 120, 133, 140))
    settings = presets.for_data("iris").change(marks=marks, class_prior=(2.0, 9.0, 1.0))
    search, model = tuning.search(settings, tuning.PLANS), LaplacianClassifier(random_state=0)
    model.set_params(class_prior=(2, 1))  # no label is of the second class
    wanted = select_parameters(model, points.sample(settings.data).X, target(settings))
    assert [row.squared_error for row in search.rows] == [row.squared_error for row in wanted.rows]
