"""The Labels page's methods against the library's estimators and functions."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from estimators_of import classifier, fitted, target
from sklearn.metrics import confusion_matrix

from lapviz import next_label, select_parameters
from lapviz.estimates import decode
from lapviz.explorer.compute import points
from lapviz.explorer.pages.labels import steps, tuning
from lapviz.explorer.pages.labels.steps import label_paths, redrawn
from lapviz.explorer.scene import label_methods
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.stories import presets
from lapviz.explorer.words import formula_line
from lapviz.figures.stage import encode
from lapviz.figures.stage.container import unpack
from lapviz.labels import Label
from lapviz.progress import listening

MOONS = tidy(presets.papers_for("half_moons").change(n=300, p=60, noise=0.2))
BLOBS = tidy(presets.papers_for("blobs").change(n=300, p=60, noise=0.5))
ROWS = (3, 20, 77, 140, 201, 255)
CANDIDATES = tuple(Label(row, row % 4, None, ((row + 1) % 4,) if k % 2 else ())
                   for k, row in enumerate(ROWS))  # fmt: skip


def test_a_saved_page_does_not_speak_of_the_server():
    iterating = MOONS.change(balance="scale", passes=2)
    assert "The server does this" in labels_view(iterating).scene.remark
    assert labels_view(iterating, complete=True).scene.remark == ""


@pytest.mark.slow
def test_poisson_leaves_lambda_and_filter_to_kernel_ridge():
    scene = labels_view(MOONS.change(term="poisson")).scene
    labels = ("labels",)
    assert [panel.depends for panel in scene.panels] == [("lam", "labels"), labels, labels]
    assert "neither λ nor the filter" in scene.remark
    plain = labels_view(MOONS).scene
    all_settings = ("lam", "filter", "labels")
    assert [panel.depends for panel in plain.panels] == [("lam", "labels"), all_settings, labels]
    assert (plain.remark, plain.n_samples) == ("", 300)
    small, large = (labels_view(MOONS.change(term="poisson", lam=lam)) for lam in (0.01, 10.0))
    np.testing.assert_array_equal(small.scene.panels[1].points, large.scene.panels[1].points)
    passes = {"term": "poisson", "balance": "scale", "passes": 5}
    small, large = (labels_view(MOONS.change(lam=lam, **passes)) for lam in (0.01, 10.0))
    assert small.scene.panels[1].depends == ("lam", "labels"), "passes have an energy of their own"
    assert not np.array_equal(small.scene.panels[1].points, large.scene.panels[1].points)
    assert unpack(encode(scene))["answer"]["remark"] == scene.remark


@pytest.mark.slow
def test_balance_over_more_points_than_are_drawn_needs_python():
    many = MOONS.change(n=3500, balance="scale")
    assert labels_view(many).scene.panels[1].model is None
    assert labels_view(many.change(n=300)).scene.panels[1].model.balance == "scale"


@pytest.mark.slow
def test_resolved_sets_of_candidates_are_counted():
    """test_recipes.py compares both panels with the script's estimates."""
    settings = BLOBS.change(marks=CANDIDATES)
    scene, truth = labels_view(settings).scene, points.sample(settings.data).y
    predictions = decode(scene.panels[1].points.T)
    right = [predictions[label.index] == truth[label.index] for label in CANDIDATES if label.others]
    assert scene.panels[1].subtitle == f"{sum(right)} of {len(right)} sets right"
    encode(scene)


def test_sets_of_points_whose_class_is_unknown_are_not_counted():
    labels = Label(0, 0, None, (1,)), Label(1, 0, None, (1,))
    data = SimpleNamespace(n_classes=3, y=np.array([0, -1]))
    picture = SimpleNamespace(data=data, labelled=SimpleNamespace(labels=labels))
    assert label_methods._resolved(picture, np.array([0, 0])) == "1 of 1 sets right"


def test_labels_that_allow_every_class_carry_no_information():
    everything = MOONS.change(marks=(Label(3, 0, None, (1,)),))
    panel = labels_view(everything).scene.panels[1]
    assert "allows every class" in panel.note
    informative = MOONS.change(marks=(Label(3, 0, None, (1,)), Label(9, 0), Label(200, 1)))
    reference = MOONS.change(marks=(Label(9, 0), Label(200, 1)))
    np.testing.assert_allclose(
        labels_view(informative).scene.panels[1].points,
        labels_view(reference).scene.panels[1].points,
        atol=1e-8,
    )
    interpolation = labels_view(informative.change(lam=0.0)).scene.panels[1]
    assert "above 0" in interpolation.note


@pytest.mark.parametrize("criterion", ["energy", "change"])
@pytest.mark.parametrize("base", [MOONS, BLOBS.change(intercept=True)], ids=["moons", "blobs"])
def test_the_next_point_is_that_of_the_library(base, criterion):
    settings = base.change(ask=criterion)
    view, data = labels_view(settings), points.sample(settings.data)
    ranking = next_label(fitted(settings), data.X, target(settings), criterion=criterion)
    assert view.next.row == ranking.next
    assert view.next.truth == data.y[ranking.next]
    assert view.scene.marked == ranking.next
    panel = view.scene.panels[-1]
    assert (panel.title, panel.kind) == ("Which point next", "functions")
    expected = ranking.score.copy()
    if criterion == "energy":
        expected[ranking.order] -= ranking.score[ranking.order].min()
    np.testing.assert_allclose(panel.points[0], expected, atol=1e-6 * expected.max())


def test_the_next_point_has_the_class_of_the_estimate_on_screen():
    """Here the ranking, which knows no proportions, takes the other class for the likeliest."""
    settings = MOONS.change(ask="energy", balance="scale", class_prior=(0.8, 0.2))
    view, data = labels_view(settings), points.sample(settings.data)
    panel = view.scene.panels[view.scene.first]
    assert view.next.predicted == decode(panel.points[:, view.next.row])
    ranking = next_label(fitted(MOONS), data.X, target(MOONS), criterion="energy")
    assert view.next.row == ranking.next
    assert view.next.predicted != ranking.likeliest[ranking.next]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"filter": "heat"}, "closed form for the Tikhonov"),
        ({"term": "poisson"}, "closed form for the Tikhonov"),
        ({"marks": CANDIDATES}, "labels of one class each"),
        ({"marks": (), "intercept": True}, "Label a point first"),
    ],
)
def test_without_scores_the_panel_gives_the_reason(changes, reason):
    view = labels_view(BLOBS.change(ask="energy", **changes))
    assert reason in view.scene.panels[-1].note
    assert view.next is None
    assert view.scene.marked is None


def test_the_first_point_can_be_suggested_without_any_label():
    view = labels_view(MOONS.change(ask="energy", marks=()))
    assert view.next is not None
    assert view.scene.panels[0].note


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "n_seeds"),
    [({}, 3), ({"balance": "scale"}, 2), ({"operator": "graph"}, 2), ({"marks": CANDIDATES}, 1)],
    ids=["plain", "balance", "graph", "candidates"],
)
def test_paths_are_the_pages_numbers_for_every_seed(changes, n_seeds):
    settings = BLOBS.change(**changes)
    lams, reports = (1e-2, 1.0, 30.0), []
    with listening(reports.append):
        paths = label_paths(settings, lams, n_seeds)
    partial = [r.partial.n_seeds for r in reports if isinstance(r.partial, type(paths))]
    assert partial == list(range(1, n_seeds))
    for s in range(n_seeds):
        seed_settings = settings if s == 0 else redrawn(settings, s)
        for k, lam in enumerate(lams):
            for score in labels_view(seed_settings.change(lam=lam)).scores:
                assert paths.error[score.method][s, k] == pytest.approx(1 - score.accuracy)
                energy = np.nan if score.energy is None else score.energy
                path_energy = paths.energy[score.method][s, k]
                assert path_energy == pytest.approx(energy, rel=1e-5, nan_ok=True)
    assert np.ptp(paths.error["Graph Laplacian"], axis=1).max() == 0


@pytest.mark.slow
def test_query_curves_are_fits_of_the_queried_labels():
    settings = MOONS.change(n=200)
    curves = steps.query_curves(settings, 2)
    n = steps.n_labels(settings)
    assert all(right.shape == (2, n) for right in curves.values())
    first = {choice: right[:, 0] for choice, right in curves.items()}
    for right in first.values():  # the same first label
        np.testing.assert_array_equal(right, first["random"])
    # Random choice by hand: labels in the order of the seed's permutation.
    data = points.sample(settings.data)
    order = np.random.RandomState(settings.data.random_state).permutation(len(data.X))
    y = np.full(len(data.X), -1)
    y[order[:8]] = data.y[order[:8]]
    right = decode(classifier(settings).fit(data.X, y).decision_function(data.X)[:, None]) == data.y
    assert curves["random"][0, 7] == pytest.approx(right.mean())


@pytest.mark.parametrize(
    ("gain", "verdict"), [(0.2, "helps"), (0.0, "does not differ"), (-0.2, "does worse")]
)
def test_the_verdict_on_a_criterion_is_measured(gain, verdict):
    rng = np.random.default_rng(0)
    chance = 0.6 + 0.05 * rng.normal(size=(10, 5))
    noise = 0.01 * np.array([1, -1] * 5)[:, None]
    other = chance + gain + noise
    curves = {"random": chance, "energy": other, "change": chance + noise}
    sentence = steps.compare_with_chance(curves)
    assert f"“energy” {verdict}" in sentence
    assert "“change” does not differ" in sentence
    assert "10 seeds" in sentence


@pytest.mark.slow
def test_tuning_is_the_search_of_the_library():
    settings = BLOBS.change(per_class=4)
    reports = []
    with listening(reports.append):
        result = tuning.search(settings, "sigma")
    data = points.sample(settings.data)
    widths = sorted({row.parameters["bandwidth"] for row in result.rows})
    lams = sorted({row.lam for row in result.rows})
    expected = select_parameters(
        classifier(settings), data.X, target(settings), bandwidth=widths, lam=lams
    )
    assert [row.error for row in result.rows] == [row.error for row in expected.rows]
    assert len(widths) == len(tuning.WIDTHS)  # σ from the data, and its rounded multiples
    assert result.changes_of(result.reference) == {}
    assert "sigma" not in result.changes_of(replace(result.reference, parameters={
        "bandwidth": result.reference.parameters["bandwidth"], "lam": 0.5}))  # fmt: skip
    assert result.reference.lam == settings.estimate.lam
    progress = [r for r in reports if r.what == "combinations"]
    assert [r.share for r in progress] == sorted(r.share for r in progress)
    assert progress[-1].share == 1
    assert [r for r in progress if r.partial][-1].partial == result.rows
    assert result.best.error <= result.reference.error
    best = settings.change(**result.changes_of(result.best))
    after = labels_view(best).scores[1].accuracy
    before = labels_view(settings).scores[1].accuracy
    assert result.accuracy == pytest.approx((before, after))


ONE_OF_TWO = (Label(1, 0), Label(200, 1), Label(90, 1, None, (0,)))
POISSON_PASSES = {"term": "poisson", "balance": "scale", "passes": 5}


@pytest.mark.parametrize(("sigma", "local"), [(0.05, False), (0.5, True)])
def test_where_scores_fade_at_samples_the_panel_waits(sigma, local):
    """The kernel underflows at samples far from all landmarks."""
    automatic = {"operator": "auto", "balance": "scale", "passes": 0, "mu": "auto", "p": "auto"}
    far = presets.for_data("two_gaussians").change(n=300, sigma=sigma, lam=1.0, **automatic)
    assert (labels_view(far).scene.panels[1].model is not None) == local


def test_tuning_and_formula_follow_the_passes_that_run():
    passes = MOONS.change(**POISSON_PASSES)
    tuning.target(passes)  # λ is the passes'
    assert "passes of thresholding" in formula_line.labels(passes)
    assert "passes of thresholding" not in formula_line.labels(passes.change(marks=ONE_OF_TWO))


def test_the_scores_of_the_next_point_depend_on_the_filter():
    panel = labels_view(MOONS.change(ask="energy")).scene.panels[-1]
    assert panel.depends == ("lam", "filter", "labels")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"term": "poisson"}, "there is no λ"),
        (
            {"term": "poisson", "balance": "scale", "passes": 5, "marks": ONE_OF_TWO},
            "there is no λ",
        ),
        ({"marks": ()}, "two points of two classes"),
        ({"marks": (Label(1, 0), Label(2, 0))}, "two points of two classes"),
    ],
)
def test_tuning_refuses_with_a_sentence(changes, reason):
    with pytest.raises(ValueError, match=reason):
        tuning.search(MOONS.change(**changes), "sigma")


@pytest.mark.slow
def test_confusions_are_counted_over_the_unlabelled_points():
    """As scikit-learn counts them; their diagonal is the accuracy."""
    settings = presets.papers_for("digits").change(n=200, p=60)
    view, sample = labels_view(settings), points.sample(settings.data)
    unlabelled = ~points.labelled(settings.data, settings.labels).mask(len(sample.X))
    for panel, score in zip(view.scene.panels, view.scores, strict=True):
        predictions = decode(np.asarray(panel.points).T)[unlabelled]
        expected = confusion_matrix(
            sample.y[unlabelled], predictions, labels=range(sample.n_classes)
        )
        np.testing.assert_array_equal(score.confusion, expected)
        assert np.trace(expected) / expected.sum() == pytest.approx(score.accuracy)
