"""The Eigenfunctions page's methods: their numbers are the library's, their claims are true."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

from lapviz import bilinear, datasets, fit, graphs, metrics, operators, progress, spectra
from lapviz.estimates import disentangling
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.jobs import Job
from lapviz.explorer.pages.eigenfunctions import bilinear as forms
from lapviz.explorer.pages.eigenfunctions import methods as eigen_methods
from lapviz.explorer.pages.eigenfunctions import neural, weights
from lapviz.explorer.pages.eigenfunctions import truth as eigen_truth
from lapviz.explorer.pages.eigenfunctions.bilinear import form_view
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.scene.placement import landmark_places, plane_of
from lapviz.explorer.settings.fields import from_query, tidy
from lapviz.explorer.settings.records import SETTINGS
from lapviz.explorer.stories import presets
from lapviz.figures.stage import encode
from lapviz.graphs import eigenmaps

SQUARE = presets.papers_for("square").change(n=400, p=80)
X = points.sample(SQUARE.data).X


def library(show: str, gamma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and functions at the samples by the library's own functions."""
    k = SQUARE.baseline.n_neighbors
    if show == "diffusion":
        found = eigenmaps.diffusion_maps(X, 17)
        return found.gamma, found.values
    W = graphs.knn_weights(X, k)
    if show == "graph":
        modes = graphs.graph_spectrum(W, 17)
        F = modes.vectors / np.sqrt(np.mean(modes.vectors**2, axis=0))
        return graphs.match_scale(modes.gamma, gamma, robust=True) * modes.gamma, F
    F = np.column_stack([np.ones(len(X)), eigenmaps.laplacian_eigenmaps(X, 16, k)])
    theirs = graphs.graph_spectrum(W, 17, kind="random-walk").gamma
    return graphs.match_scale(theirs, gamma, robust=True) * theirs, F


others = pytest.mark.parametrize("show", ["graph", "eigenmaps", "diffusion"])


@others
def test_one_method_in_all_panels_is_the_librarys(show):
    view = eigen_view(SQUARE.change(show=show))
    gamma, F = library(show, view.gamma)
    learnt = np.stack([p.points[0] for p in eigen_view(SQUARE).scene.panels[1:4]])
    for i, panel in enumerate(view.scene.panels):
        values = panel.points[0]
        np.testing.assert_allclose(np.abs(values), np.abs(F[:, i]), atol=1e-6)
        assert panel.subtitle.split(" · ")[0] == f"γ = {gamma[i]:.3g}" or gamma[i] < 1e-9
        assert panel.grid.shape[0] == 1
    for ours, panel in zip(learnt, view.scene.panels[1:4], strict=True):
        assert ours @ panel.points[0] > 0, "signs are those of the learnt functions"
    assert view.method == show
    encode(view.scene)


@others
def test_beside_each_learnt_function_is_its_partner(show):
    """Pairs of panels; the partner is a combination of the library's functions, as it says."""
    view = eigen_view(SQUARE.change(show=show, beside=True))
    plain = eigen_view(SQUARE)
    gamma, F = library(show, view.gamma)
    E = np.column_stack([p.points[0] for p in plain.scene.panels[:9]])
    T = graphs.match_functions(E, F, view.gamma[:9])
    assert len(view.scene.panels) == 16
    for i in range(1, 9):
        ours, theirs = view.scene.panels[2 * i - 2 : 2 * i]
        np.testing.assert_allclose(ours.points[0], E[:, i], atol=1e-9)
        sign = np.sign(theirs.points[0] @ (F @ T[:, i]))  # one library call may flip a sign
        np.testing.assert_allclose(theirs.points[0], sign * (F @ T[:, i]), atol=1e-5)
        apart = np.degrees(metrics.principal_angles(ours.points[0], theirs.points[0])[0])
        first, second = theirs.subtitle.split(" · ")
        assert first == f"γ = {(T[:, i] ** 2) @ gamma:.3g}"
        assert second == f"{apart:.0f}° apart"
    apart = [float(p.subtitle.split(" · ")[1].removesuffix("° apart"))
             for p in view.scene.panels[1:8:2]]  # fmt: skip
    assert max(apart) < 30, "the first functions of the square agree"


def test_a_method_that_cannot_be_says_why_and_the_learnt_ones_are_drawn():
    view = eigen_view(SQUARE.change(graph_neighbors=1, show="graph", beside=True))
    assert view.method == "learnt"
    assert "eigenvalues of the graph are all 0" in view.method_note
    assert [p.title for p in view.scene.panels[:2]] == ["e₀", "e₁"]
    assert eigen_view(SQUARE.change(show="neural")).method == "learnt"


def test_the_judgement_is_by_the_librarys_metrics():
    found = eigen_truth.judge(SQUARE)
    gamma = fits.method(SQUARE).eigenfunctions(17).gamma
    truth = points.sample(SQUARE.data).truth
    count = sum(m for _, m in found.spaces)
    known = np.array(truth.eigenvalues[:count])
    assert truth.eigenvalues[count] > known[-1] + 1, "whole eigenspaces alone"
    true, learnt = truth.functions(X, count), eigen_methods.learnt(SQUARE)
    for row in found.methods:
        show = next(k for k, v in eigen_truth.SHOWN.items() if v == row.method)
        own, F = (gamma, learnt.at(X, 17)) if show == "learnt" else library(show, gamma)
        own = own[:count]
        if show in ("graph", "eigenmaps"):
            own = own * graphs.match_scale(own, known)
        assert row.error == pytest.approx(metrics.spectral_error(known, own))
        angles = metrics.eigenspace_angles(known, true, F[:, :count])
        np.testing.assert_allclose(row.angles, [np.degrees(a.angle) for a in angles], atol=1e-4)
        assert tuple((a.eigenvalue, a.multiplicity) for a in angles) == found.spaces
    errors = {row.method: row.error for row in found.methods}
    assert errors["Diffusion maps"] > 0.1


@pytest.mark.slow
def test_where_the_functions_are_not_known_there_is_e_s_alone():
    four = presets.papers_for("sphere").change(n=400, p=100, options=(("dimension", 4),))
    found = eigen_truth.judge(four)
    assert found.spaces == ((0, 1), (3, 4), (8, 9))
    assert all(row.angles == () and row.error > 0 for row in found.methods)
    assert found.note.endswith("E_S alone.")
    for changes in ({"operator": "laplacian"}, {}):
        name = "sphere" if changes else "iris"
        with pytest.raises(ValueError, match=r"Gradient|spectrum is not"):
            eigen_truth.judge(presets.papers_for(name).change(n=150, p=30, **changes))
    wide = presets.papers_for("gaussian").change(n=300, p=60, options=(("dimension", 20),))
    found = eigen_truth.judge(wide)
    assert "no whole eigenspace" in found.note
    assert all(row.angles == () for row in found.methods)


# ---- modes on single points ---------------------------------------------------------------------


def test_wine_has_modes_on_single_points_and_the_cure_works():
    wine = presets.papers_for("wine")
    view = eigen_view(wine)
    assert {2, 5, 7} <= set(view.lonely)
    for i in view.lonely:
        values = view.scene.panels[i].points[0]
        count = round(metrics.participation(values)[0])
        assert view.scene.panels[i].subtitle.endswith(f"lives on {count} point{'s' * (count != 1)}")
        share = np.sort(values**2)[::-1]
        assert share[:5].sum() > 0.6 * share.sum(), "five of 178 points hold most of it"
    for cure in ({"mu": 0.01}, {"sigma": 16.0}):
        assert eigen_view(wine.change(**cure)).lonely == ()
    assert len(eigen_view(wine.change(p=25)).lonely) < len(view.lonely)


@pytest.mark.parametrize(
    "name", ["half_moons", "square", "circle", "torus", "sphere", "swiss_roll", "four_circles"]
)
def test_functions_over_the_whole_sample_are_not_called_lonely(name):
    view = eigen_view(presets.papers_for(name).change(n=500))
    assert view.lonely == ()
    assert not any("lives on" in panel.subtitle for panel in view.scene.panels)


def test_a_mode_on_points_that_are_not_drawn_is_noticed(monkeypatch):
    from lapviz.explorer.scene import placement

    wine = presets.papers_for("wine")
    e2 = np.abs(eigen_view(wine).scene.panels[2].points[0])
    monkeypatch.setattr(placement, "MAX_DRAWN", 60)
    rows = placement.drawn_rows(178)
    assert e2.argmax() not in rows, "the point that it lives on is not drawn"
    assert eigen_view(wine).scene.panels[2].subtitle.endswith("lives on few points")


# ---- landmarks ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", datasets.names())
@pytest.mark.parametrize("rule", SETTINGS["landmarks"].choices)
def test_every_rule_works_on_every_data_set(name, rule):
    base = presets.papers_for(name)
    base = base if base.view.plane != "space" else base.change(plane="features")
    kernel = "gaussian" if rule == "fourier" else base.space.kernel  # others have no waves
    settings = base.change(n=min(base.data.n_samples, 200), p=30, landmarks=rule, kernel=kernel,
                           centres=True, sigma="auto")  # fmt: skip
    view = eigen_view(settings)
    assert view.gamma[0] == pytest.approx(0, abs=1e-5)
    assert np.isfinite(view.gamma).all()
    marked = view.scene.landmarks
    if rule == "fourier":
        assert marked is None
        return
    xy, centres = plane_of(settings).xy, fits.method(settings).centres
    assert marked.shape == (30, 2)
    rows = [np.flatnonzero((c == points.sample(settings.data).X).all(axis=1))[0] for c in centres]
    np.testing.assert_array_equal(marked, xy[rows])
    assert eigen_view(settings.change(centres=False)).scene.landmarks is None
    encode(view.scene)


def test_waves_of_a_kernel_without_frequencies_get_a_sentence():
    with pytest.raises(ValueError, match="random Fourier features need one of"):
        eigen_view(presets.papers_for("sphere").change(n=100, p=20, landmarks="fourier"))


def test_landmarks_that_are_samples_have_their_places():
    settings = presets.papers_for("swiss_roll").change(n=150, p=40)
    assert landmark_places(settings, plane_of(settings)) is None or settings.view.plane != "space"
    settings = settings.change(plane="features")
    places = landmark_places(settings, plane_of(settings))
    centres = fits.method(settings).centres
    np.testing.assert_array_equal(places, centres[:, [settings.view.ax, settings.view.ay]])


# ---- bilinear forms -----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_derivative_on_the_circle_has_cosines_and_sines_in_pairs():
    story = presets.for_story("rotation")
    view = form_view(story)
    np.testing.assert_allclose(view.values[1:9], [1, 1, 2, 2, 3, 3, 4, 4], rtol=0.04)
    np.testing.assert_array_equal(view.truth[:5], [0, 1, 1, 2, 2])
    theta = np.arctan2(*points.sample(story.data).X[view.scene.points.index].T[::-1])
    for row in range(4):
        f, g, f_true, g_true = (p.points[0] for p in view.scene.panels[4 * row : 4 * row + 4])
        k = row // 2 + 1
        waves = np.sqrt(2) * np.column_stack([np.cos(k * theta), np.sin(k * theta)])
        for values in (f_true, g_true):
            c, left = np.linalg.lstsq(waves, values, rcond=None)[:2]
            assert left.sum() < 1e-16
            assert np.linalg.norm(c) == pytest.approx(1)
        # f = (1/k) dg/dθ: a quarter wave ahead
        a, b = np.linalg.lstsq(waves, g_true, rcond=None)[0]
        np.testing.assert_allclose(f_true, waves @ [b, -a], atol=1e-9)
        for learnt, true in ((f, f_true), (g, g_true)):
            assert np.corrcoef(learnt, true)[0, 1] > 0.98
    method = replace(fits.method(fits.for_modes(story)), energy=fit.EnergySpec())
    peer = forms.decomposed(method, "rotation").value
    np.testing.assert_allclose(peer.values, view.values)
    noisy = form_view(story.change(noise=0.2))
    assert noisy.truth is None
    assert (noisy.values[:3] < 0.01).all(), "functions of the radius do not change with θ"


def test_the_derivative_is_algorithm_1_with_a_richer_left_space():
    settings = presets.papers_for("half_moons").change(n=300, p=40, form="rotation")
    data, spec = points.sample(settings.data), settings.space.relevant()
    kernel = fit.kernel(data.X, spec)
    phi = fit.basis(data.X, spec, True, kernel, fit.centres(data.X, spec)).space
    half = fit.SpaceSpec(bandwidth=kernel.bandwidth, n_landmarks=20, random_state=0)
    psi = fit.basis(data.X, half, True, kernel, fit.centres(data.X, half)).space
    spin = bilinear.Derivative(lambda X: X[:, ::-1] * [-1, 1])
    found = bilinear.galerkin_svd(spin, phi, psi, data.X, n_components=17)
    np.testing.assert_allclose(form_view(settings).values, found.values, atol=1e-9)


@pytest.mark.slow
def test_the_ornstein_uhlenbeck_generator_has_hermite_polynomials():
    story = presets.for_story("ornstein")
    view = form_view(story)
    np.testing.assert_allclose(view.values[1:6], [1, 1, 2, 2, 2], rtol=0.06)
    np.testing.assert_array_equal(view.truth[:7], [0, 1, 1, 2, 2, 2, 3])
    x, y = points.sample(story.data).X[view.scene.points.index].T
    hermite = {1: np.column_stack([x, y]),
               2: np.column_stack([(x * x - 1) / 2**0.5, x * y, (y * y - 1) / 2**0.5])}  # fmt: skip
    for i, degree in ((1, 1), (2, 1), (3, 2), (4, 2), (5, 2)):
        learnt, true = (p.points[0] for p in view.scene.panels[2 * i - 2 : 2 * i])
        c = np.linalg.lstsq(hermite[degree], true, rcond=None)[0]
        np.testing.assert_allclose(hermite[degree] @ c, true, atol=1e-9)
        assert np.linalg.norm(c) == pytest.approx(1)
        assert np.corrcoef(learnt, true)[0, 1] > 0.95
    noisy = form_view(story.change(noise=0.5, n=5000))
    assert noisy.truth[1] == pytest.approx(1 / 1.25)
    assert noisy.values[1] == pytest.approx(0.8, rel=0.06)


def test_forms_are_offered_where_they_make_sense():
    for name in datasets.names():
        offered = presets.papers_for(name).forms
        assert ("rotation" in offered) == (datasets.info(name).n_features == 2)
        assert ("ornstein" in offered) == (name == "gaussian")
    found, complaints = from_query({"data": "iris", "form": "rotation"}, presets.papers_for("iris"))
    assert found.view.form == "dirichlet"
    assert "Dirichlet energy is shown instead" in complaints[0]


# ---- invariances --------------------------------------------------------------------------------


def test_augmentation_differences_are_the_operator_on_both_pages():
    digits = presets.papers_for("digits").change(n=300, p=100, operator="invariance", shift=0.4,
                                               turn=5.0, pairs=3, mu=1e-3)  # fmt: skip
    data = points.sample(digits.data)
    asked = operators.AugmentationDifferences(operators.ImageMoves(0.4, 5.0), 3)
    assert digits.operator == asked
    forms_ = fit.build(data.X, digits.space.relevant(), asked, True).forms
    view = eigen_view(digits)
    np.testing.assert_allclose(view.gamma, spectra.spectrum(forms_, 1e-3, 17).gamma, atol=1e-9)
    assert {s.method for s in labels_view(digits).scores} >= {"Kernel Laplacian"}
    assert view.truth is None
    other = eigen_view(digits.change(turn=30.0)).gamma
    assert (other[1:] > view.gamma[1:]).all(), "larger turns cost more energy"


def test_images_are_those_of_the_digits_alone():
    for name in datasets.names():
        assert presets.papers_for(name).allows("invariance") == (name == "digits")
    found, complaints = from_query({"operator": "invariance"}, presets.papers_for("wine"))
    assert found.energy.operator == "laplacian"
    assert "no images" in complaints[0]
    assert tidy(presets.papers_for("digits").change(shift=0.0, turn=0.0)).images.shift > 0


@pytest.mark.slow
def test_invariances_beat_kernel_ridge_on_digits():
    story = presets.for_story("invariances")
    ridge, laplacian = (s.accuracy for s in labels_view(story).scores[:2])
    assert laplacian > ridge + 0.03
    tangents = labels_view(story.change(operator="tangent", mu=1e-4)).scores[1].accuracy
    assert tangents > laplacian
    turned = labels_view(story.change(turn=30.0)).scores[1].accuracy
    assert turned < laplacian


# ---- the network --------------------------------------------------------------------------------


def test_without_jax_there_is_a_sentence_with_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    function, *arguments = neural.work(SQUARE.change(show="neural"))
    with pytest.raises(ImportError, match="pip install"):
        function(*arguments)


@pytest.mark.parametrize("name", weights.examples())
def test_the_storys_networks_come_trained(monkeypatch, name):
    """The stored weights give the eigenvalues that are shown, near π²(i² + j²) of the square."""
    monkeypatch.setitem(sys.modules, "jax", None)
    settings = weights.examples()[name]
    function, *arguments = neural.work(settings)
    network = function(*arguments)
    shown = eigen_view(settings, network=network)
    assert shown.method == "neural"
    sample = points.sample(settings.data).X
    ritz = disentangling.disentangle(network.space, sample, method="ritz", n_components=17)
    np.testing.assert_allclose(shown.other, ritz.gamma[: len(shown.other)], rtol=1e-5, atol=1e-8)
    truth = sorted(i * i + j * j for i in range(5) for j in range(5))
    np.testing.assert_allclose(shown.other[:8], np.pi**2 * np.array(truth[:8]), rtol=0.15)
    assert network.n_batches == settings.neural.batches


def test_enough_ends_a_job_with_what_it_has():
    heard = threading.Event()

    def work() -> int:
        for i in range(10**6):
            try:
                progress.report("counting", i, 10**6, partial=i)
            except progress.Enough:
                break
            if i > 20:
                heard.set()
        progress.report("wrapping up", 0)  # does not end it again
        return i

    job = Job(work).start()
    assert heard.wait(5)
    job.stop_early()
    assert job.wait(5)
    assert job.state == "done"
    assert 20 < job.result() < 10**6


def test_enough_without_anything_to_keep_is_a_cancel():
    def work():
        while True:
            progress.report("for ever", 0)

    job = Job(work).start()
    job.stop_early()
    assert job.wait(5)
    assert job.state == "cancelled"


def test_a_network_is_drawn_beside_the_learnt_functions():
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    settings = SQUARE.change(show="neural", beside=True, batches=300)
    seen = []
    function, *arguments = neural.work(settings)
    with progress.listening(lambda r: seen.append(r.partial)):
        network = function(*arguments)
    curves = [c for c in seen if c is not None]
    assert len(curves) == 300 // neural.WINDOW
    np.testing.assert_array_equal(curves[-1].loss, network.curve.loss)
    assert network.curve.loss[-1] < network.curve.loss[0]
    assert not network.stopped
    view = eigen_view(settings, network=network)
    assert view.method == "neural"
    np.testing.assert_allclose(view.other, network.gamma)
    F, E = network.evaluate(X), np.column_stack([p.points[0] for p in view.scene.panels[::2]])
    T = graphs.match_functions(np.column_stack([np.ones(len(X)), E]), F, view.gamma[:9])
    np.testing.assert_allclose(view.scene.panels[1].points[0], F @ T[:, 1], atol=1e-6)


def test_a_network_that_is_stopped_keeps_what_it_has():
    pytest.importorskip("jax")
    pytest.importorskip("optax")

    def stop(report) -> None:
        if report.what == "training the network" and report.done >= 50:
            raise progress.Enough

    function, *arguments = neural.work(SQUARE.change(show="neural", batches=2000))
    with progress.listening(stop):
        network = function(*arguments)
    assert network.stopped
    assert network.n_batches == 50
    assert np.isfinite(network.evaluate(X)).all()
