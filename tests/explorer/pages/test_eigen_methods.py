"""The Eigenfunctions page's methods: their numbers are the library's, their remarks are true."""

import re
import sys
import threading

import numpy as np
import pytest

from lapviz import datasets, graphs, metrics, progress
from lapviz.estimates import disentangling
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.jobs import Job
from lapviz.explorer.pages.eigenfunctions import steps, weights
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.scene.placement import plane_of
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import SETTINGS
from lapviz.explorer.settings.specs import SHOWN
from lapviz.explorer.stories import presets
from lapviz.figures.stage import encode

SQUARE = presets.papers_for("square").change(n=400, p=80)
X = points.sample(SQUARE.data).X


@pytest.mark.slow
@pytest.mark.parametrize("show", ["graph", "eigenmaps", "diffusion"])
def test_panels_have_the_learnt_signs_and_say_how_far_partners_are_apart(show):
    """That they are the library's functions is tested with the scripts: test_recipes.py."""
    plain, alone = eigen_view(SQUARE), eigen_view(SQUARE.change(show=show))
    learnt = [panel.points[0] for panel in plain.scene.panels]
    for ours, panel in zip(learnt[1:4], alone.scene.panels[1:4], strict=True):
        assert ours @ panel.points[0] > 0
    assert alone.scene.about == SHOWN[show]  # in a saved picture, where panels do not say so
    view = eigen_view(SQUARE.change(show=show, beside=True))
    assert view.scene.about == plain.scene.about
    assert len(view.scene.panels) == 16
    for i in range(1, 9):
        ours, theirs = (panel.points[0] for panel in view.scene.panels[2 * i - 2 : 2 * i])
        np.testing.assert_allclose(ours, learnt[i], atol=1e-9)
        degrees = np.degrees(metrics.principal_angles(ours, theirs)[0])
        assert view.scene.panels[2 * i - 1].subtitle.endswith(f" · {degrees:.0f}° apart")
        assert degrees < 30 or i > 4, "the first functions of the square agree"
    encode(view.scene)


def test_a_method_that_fails_gives_the_reason_and_the_learnt_functions_are_drawn():
    view = eigen_view(SQUARE.change(graph_neighbors=1, show="graph", beside=True))
    assert list(view.series) == ["learnt"]
    assert "eigenvalues of the graph are all 0" in view.remark
    assert [p.title for p in view.scene.panels[:2]] == ["e₀", "e₁"]
    untrained = eigen_view(SQUARE.change(show="neural"))
    assert list(untrained.series) == ["learnt", "graph, scaled"]
    assert untrained.remark == ""
    assert untrained.scene.about == eigen_view(SQUARE).scene.about


@pytest.mark.parametrize(
    "changes", [{"show": "diffusion", "beside": True}, {"form": "ornstein"}], ids=str
)
def test_one_point_has_nothing_to_compare(changes):
    one = presets.papers_for("gaussian").change(n=1)
    assert len(eigen_view(one).scene.panels) == 1
    with pytest.raises(ValueError, match="only the constant"):
        eigen_view(one.change(**changes))


def test_a_learnt_constant_does_not_take_the_graph_from_the_truth():
    """σ so large that no kernel function but the constant is left; the graph has none."""
    settings = presets.papers_for("gaussian").change(n=150, sigma=1000.0)
    wide, usual = (
        {m.method: m.error for m in steps.compare_with_truth(settings.change(sigma=s)).methods}
        for s in (1000.0, 2.0)
    )
    assert wide[SHOWN["graph"]] == pytest.approx(usual[SHOWN["graph"]], rel=1e-6)
    with pytest.raises(ValueError, match="the constant alone"):
        steps.other(settings, "graph", np.zeros(1), None)
    facts = " ".join(eigen_view(settings).facts)
    assert "the kernel functions give γ₀" in facts
    assert "γ₁" not in facts


def test_errors_against_the_truth_are_by_the_librarys_metrics():
    comparison = steps.compare_with_truth(SQUARE)
    gamma = fits.method(SQUARE).eigenfunctions(17).gamma
    truth = points.sample(SQUARE.data).truth
    count = sum(m for _, m in comparison.spaces)
    known = np.array(truth.eigenvalues[:count])
    assert truth.eigenvalues[count] > known[-1] + 1, "complete eigenspaces only"
    true, learnt = truth.functions(X, count), steps.learnt(SQUARE)
    for row in comparison.methods:
        show = next(k for k, v in SHOWN.items() if v == row.method)
        method = learnt if show == "learnt" else steps.other(SQUARE, show, gamma, None)
        estimated, F = method.gamma[:count], method.on_samples(X, np.arange(len(X)), count)
        if show in ("graph", "eigenmaps"):
            estimated = estimated * graphs.match_scale(estimated, known)
        assert row.error == pytest.approx(metrics.spectral_error(known, estimated))
        angles = metrics.eigenspace_angles(known, true, F)
        np.testing.assert_allclose(row.angles, [np.degrees(a.angle) for a in angles], atol=1e-4)
        assert tuple((a.eigenvalue, a.multiplicity) for a in angles) == comparison.spaces
    errors = {row.method: row.error for row in comparison.methods}
    assert errors["Diffusion maps"] > 0.1


@pytest.mark.slow
def test_one_outlier_does_not_set_the_graphs_scale():
    """On the sphere a function whose gradient is nearly normal has a large ambient energy."""
    view = eigen_view(presets.for_story("sphere").change(operator="laplacian"))
    graph = view.series["graph, scaled"]
    assert np.median(graph[1:16] / view.gamma[1:16]) == pytest.approx(1, abs=0.1)


@pytest.mark.slow
def test_where_the_true_functions_are_unknown_e_s_stands_alone():
    four = presets.papers_for("sphere").change(n=400, p=100, options=(("dimension", 4),))
    comparison = steps.compare_with_truth(four)
    assert comparison.spaces == ((0, 1), (3, 4), (8, 9))
    assert all(row.angles == () and row.error > 0 for row in comparison.methods)
    assert comparison.note.endswith("E_S alone.")
    for changes in ({"operator": "laplacian"}, {}):
        name = "sphere" if changes else "iris"
        with pytest.raises(ValueError, match=r"Gradient|spectrum is not"):
            steps.compare_with_truth(presets.papers_for(name).change(n=150, p=30, **changes))
    wide = presets.papers_for("gaussian").change(n=300, p=60, options=(("dimension", 20),))
    comparison = steps.compare_with_truth(wide)
    assert "no whole eigenspace" in comparison.note
    assert all(row.angles == () for row in comparison.methods)


# ---- is p large enough? -------------------------------------------------------------------------


def test_half_of_the_waves_are_whole_frequencies():
    """The cosines alone have other eigenvalues, whatever p is."""
    view = eigen_view(presets.papers_for("square").change(landmarks="fourier", p=200))
    (fact,) = (fact for fact in view.facts if "Is p enough?" in fact)
    assert fact.endswith("p is enough.")


@pytest.mark.parametrize(
    ("changes", "told"),
    [({"operator": "tangent"}, True), ({"operator": "graph", "also": "tangent"}, True),
     ({"operator": "graph"}, False)],
)  # fmt: skip
def test_learnt_tangents_are_described_wherever_they_count(changes, told):
    view = eigen_view(presets.papers_for("half_moons").change(n=150, p=30, **changes))
    assert any(fact.startswith("**Tangents:**") for fact in view.facts) is told


@pytest.mark.parametrize(("p", "words"), [(1, "1 eigenvalue"), (3, "2 eigenvalues"),
                                          (12, "6 eigenvalues"), (100, "p is enough")])  # fmt: skip
def test_a_few_test_functions_cannot_say_that_they_are_enough(p, words):
    facts = eigen_view(presets.papers_for("half_moons").change(n=300, p=p)).facts
    (fact,) = (fact for fact in facts if "Is p enough?" in fact)
    assert words in fact
    assert ("too few to tell" in fact) == (p < 100)


# ---- modes on single points ---------------------------------------------------------------------


@pytest.mark.slow
def test_wine_has_modes_on_single_points_and_the_cures_work():
    wine = presets.for_story("single-points")
    view = eigen_view(wine)
    assert {2, 5, 7} <= set(view.localised)
    assert fits.method(view.settings).centres.shape == (178, 13), "all samples are landmarks"
    words = " ".join(hint.on_a_page for hint in view.hints)
    assert "Take fewer test functions" in words
    assert "Raise p" not in words
    for i in view.localised:
        values = view.scene.panels[i].points[0]
        count = round(metrics.participation(values)[0])
        assert view.scene.panels[i].subtitle.endswith(f"lives on {count} point{'s' * (count != 1)}")
        share = np.sort(values**2)[::-1]
        assert share[:5].sum() > 0.6 * share.sum(), "five of 178 points have most of it"
    for cure in ({"mu": 0.01}, {"sigma": 16.0}):
        assert eigen_view(wine.change(**cure)).localised == ()
    assert len(eigen_view(wine.change(p=25)).localised) < len(view.localised)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["half_moons", "torus", "swiss_roll", "four_circles"])
def test_functions_over_the_whole_sample_are_not_called_localised(name):
    view = eigen_view(presets.papers_for(name).change(n=500))
    assert view.localised == ()
    assert not any("lives on" in panel.subtitle for panel in view.scene.panels)


def test_a_mode_on_points_that_are_not_drawn_is_noticed(monkeypatch):
    from lapviz.explorer.scene import placement

    wine = presets.papers_for("wine")
    e2 = np.abs(eigen_view(wine).scene.panels[2].points[0])
    monkeypatch.setattr(placement, "MAX_DRAWN", 60)
    rows = placement.drawn_rows(178)
    assert e2.argmax() not in rows, "the point that it lives on is not drawn"
    scene = eigen_view(wine).scene
    assert scene.panels[2].subtitle.endswith("lives on few points")
    assert (len(scene.points.index), scene.n_samples) == (60, 178)


# ---- landmarks ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("rule", SETTINGS["landmarks"].choices)
def test_every_rule_works_and_its_landmarks_are_marked(rule):
    settings = presets.papers_for("blobs").change(n=200, p=30, landmarks=rule, sigma="auto")
    settings = settings.change(centres=True)
    view = eigen_view(settings)
    assert view.gamma[0] == pytest.approx(0, abs=1e-5)
    assert np.isfinite(view.gamma).all()
    assert eigen_view(settings.change(centres=False)).scene.landmarks is None
    encode(view.scene)
    if rule == "fourier":
        assert view.scene.landmarks is None
        return
    X, centres = points.sample(settings.data).X, fits.method(settings).centres
    rows = [np.flatnonzero((c == X).all(axis=1))[0] for c in centres]
    assert len(rows) == 30
    np.testing.assert_array_equal(view.scene.landmarks, plane_of(settings).xy[rows])


# ---- bilinear forms -----------------------------------------------------------------------------


def coefficients(basis, values):
    """Coefficients of the values in a basis, checked to be exact and of norm 1."""
    c = np.linalg.lstsq(basis, values, rcond=None)[0]
    np.testing.assert_allclose(basis @ c, values, atol=1e-9)
    assert np.linalg.norm(c) == pytest.approx(1)
    return c


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_the_left_space_of_a_derivative_is_the_richer_one(seed):
    """With half of 200 nearly dependent landmarks both were the same: 0 was missing, 1.35 came."""
    view = eigen_view(presets.for_data("circle").change(form="rotation", seed=seed))
    np.testing.assert_allclose(view.series["learnt"][:7],
                               [0, 1, 1, 2, 2, 3, 3], atol=0.25)  # fmt: skip
    left, right = map(int, re.findall(r"(\d+) independent test functions, the right one (\d+)",
                                      view.notes[0])[0])  # fmt: skip
    assert left > right


@pytest.mark.slow
def test_the_derivative_on_the_circle_has_cosines_and_sines_in_pairs():
    story = presets.for_story("rotation")
    view = eigen_view(story)
    np.testing.assert_allclose(view.gamma[1:9], [1, 1, 2, 2, 3, 3, 4, 4], rtol=0.04)
    np.testing.assert_array_equal(view.truth[:5], [0, 1, 1, 2, 2])
    theta = np.arctan2(*points.sample(story.data).X[view.scene.points.index].T[::-1])
    for row in range(4):
        panels = view.scene.panels[4 * row : 4 * row + 4]
        f, g, f_true, g_true = (panel.points[0] for panel in panels)
        k = row // 2 + 1
        waves = np.sqrt(2) * np.column_stack([np.cos(k * theta), np.sin(k * theta)])
        coefficients(waves, f_true)
        a, b = coefficients(waves, g_true)
        np.testing.assert_allclose(f_true, waves @ [b, -a], atol=1e-9)  # f = (1/k) dg/dθ
        assert np.corrcoef(f, f_true)[0, 1] > 0.98
        assert np.corrcoef(g, g_true)[0, 1] > 0.98
    noisy = eigen_view(story.change(noise=0.2))
    assert noisy.truth is None
    assert (noisy.gamma[:3] < 0.01).all(), "functions of the radius do not change with θ"


@pytest.mark.slow
def test_the_ornstein_uhlenbeck_generator_has_hermite_polynomials():
    story = presets.for_story("ornstein")
    view = eigen_view(story)
    np.testing.assert_allclose(view.gamma[1:6], [1, 1, 2, 2, 2], rtol=0.06)
    np.testing.assert_array_equal(view.truth[:7], [0, 1, 1, 2, 2, 2, 3])
    x, y = points.sample(story.data).X[view.scene.points.index].T
    hermite = {1: np.column_stack([x, y]),
               2: np.column_stack([(x * x - 1) / 2**0.5, x * y, (y * y - 1) / 2**0.5])}  # fmt: skip
    for i, degree in ((1, 1), (2, 1), (3, 2), (4, 2), (5, 2)):
        learnt, true = (p.points[0] for p in view.scene.panels[2 * i - 2 : 2 * i])
        coefficients(hermite[degree], true)
        assert np.corrcoef(learnt, true)[0, 1] > 0.95
    noisy = eigen_view(story.change(noise=0.5, n=5000))
    assert noisy.truth[1] == pytest.approx(1 / 1.25)
    assert noisy.gamma[1] == pytest.approx(0.8, rel=0.06)


def test_forms_and_image_moves_are_offered_where_they_make_sense():
    for name in datasets.names():
        start = presets.papers_for(name)
        assert ("rotation" in start.forms) == (datasets.info(name).n_features == 2)
        assert ("ornstein" in start.forms) == (name == "gaussian")
        assert start.allows("invariance") == (name == "digits")
    assert tidy(presets.papers_for("digits").change(shift=0.0, turn=0.0)).images.shift > 0


# ---- the network --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", weights.examples())
def test_the_storys_networks_come_trained(monkeypatch, name):
    """The stored weights give the eigenvalues that are shown, near π²(i² + j²) of the square."""
    monkeypatch.setitem(sys.modules, "jax", None)
    settings = weights.examples()[name]
    function, *arguments = weights.work(settings)
    network = function(*arguments)
    view = eigen_view(settings, network=network)
    gamma = view.series["neural network"]
    sample = points.sample(settings.data).X
    ritz = disentangling.disentangle(network.space, sample, method="ritz", n_components=17)
    np.testing.assert_allclose(gamma, ritz.gamma[: len(gamma)], rtol=1e-5, atol=1e-8)
    truth = sorted(i * i + j * j for i in range(5) for j in range(5))
    np.testing.assert_allclose(gamma[:8], np.pi**2 * np.array(truth[:8]), rtol=0.15)
    assert network.n_batches == settings.neural.batches


@pytest.mark.parametrize("has_partial", [True, False])
def test_stopping_early_ends_a_job_with_its_partial_result_if_there_is_one(has_partial):
    progressed = threading.Event()

    def work() -> int:
        for i in range(10**6):
            try:
                progress.report("counting", i, 10**6, partial=i if has_partial else None)
            except progress.StopEarly:
                if not has_partial:
                    raise
                break
            if i > 20:
                progressed.set()
        progress.report("wrapping up", 0)  # does not end it again
        return i

    job = Job(work).start()
    assert progressed.wait(5)
    job.stop_early()
    assert job.wait(5)
    assert job.state == ("done" if has_partial else "cancelled")
    assert not has_partial or 20 < job.result() < 10**6


def trained(listener, **changes):
    """Train a network on the square; return it with its settings."""
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    settings = SQUARE.change(show="neural", beside=True, **changes)
    function, *arguments = weights.work(settings)
    with progress.listening(listener):
        return function(*arguments), settings


@pytest.mark.slow
def test_a_network_is_drawn_beside_the_learnt_functions():
    curves: list = []
    network, settings = trained(lambda r: curves.append(r.partial), batches=300)
    curves = [curve for curve in curves if curve is not None]
    assert len(curves) == 300 // weights.WINDOW
    np.testing.assert_array_equal(curves[-1], network.curve)
    assert network.curve[-1, 1] < network.curve[0, 1]
    assert not network.stopped
    view = eigen_view(settings, network=network)
    np.testing.assert_allclose(view.series["neural network"], network.gamma)
    F, E = network.evaluate(X), np.column_stack([p.points[0] for p in view.scene.panels[::2]])
    T = graphs.match_functions(np.column_stack([np.ones(len(X)), E]), F, view.gamma[:9])
    np.testing.assert_allclose(view.scene.panels[1].points[0], F @ T[:, 1], atol=1e-6)


@pytest.mark.slow
def test_a_network_that_is_stopped_keeps_its_state():
    def stop(report) -> None:
        if report.what == "training the network" and report.done >= 50:
            raise progress.StopEarly

    network, _ = trained(stop, batches=2000)
    assert network.stopped
    assert network.n_batches == 50
    assert np.isfinite(network.evaluate(X)).all()
