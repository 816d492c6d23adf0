"""Every story's claims, and what it suggests to try next."""

from __future__ import annotations

import numpy as np
import pytest

from lapviz import datasets
from lapviz.explorer.compute import points
from lapviz.explorer.pages.eigenfunctions.bilinear import form_view
from lapviz.explorer.pages.eigenfunctions.truth import judge
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.picture.settings import STORIES
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import describe
from lapviz.explorer.stories import presets
from lapviz.labels import Label

PAGES = {"labels", "eigenfunctions", "regression", "data"}


def accuracy(settings: Settings) -> dict[str, float]:
    """Accuracy on the unlabelled points, by method."""
    return {s.method.split()[-2 if "Lap" in s.method else -1]: s.accuracy
            for s in labels_view(settings).scores}  # fmt: skip


def gamma(name: str, **changes) -> np.ndarray:
    return eigen_view(tidy(presets.for_story(name).change(**changes))).gamma


@pytest.mark.parametrize("name", datasets.names())
def test_every_data_set_starts_within_its_range(name):
    start = presets.for_data(name)
    info = describe(name, start.data.options)
    assert start.data.name == name
    assert 1 <= start.data.n_samples <= info.max_samples
    assert 0 <= start.data.noise <= info.max_noise
    assert tidy(start) == start
    assert dict(start.data.options) == {o.name: o.default for o in info.options}
    assert start.story == ""
    assert presets.base_of(start.change(lam=9.0)) == start


def test_an_unknown_data_set_is_refused_by_name():
    with pytest.raises(ValueError, match="cheese"):
        presets.for_data("cheese")


@pytest.mark.parametrize("story", presets.STORIES, ids=lambda s: s.name)
def test_every_story_is_complete(story):
    if story.page == "data":  # of a picture: settings of another kind
        assert STORIES[story.name].story == story.name
        assert not story.changes
    else:
        shown = presets.for_story(story.name)
        assert shown.story == story.name
        assert presets.base_of(shown.change(lam=9.0, marks=())) == shown
        for name, value in story.changes:
            assert shown.get(name) == value
    for text in (story.look, story.next):
        assert text.endswith(".")
    assert story.title
    assert story.source
    assert story.page in PAGES
    with open(presets.picture_of(story.name), "rb") as file:
        assert file.read(8) == b"\x89PNG\r\n\x1a\n"


def test_there_are_at_least_six_stories_on_both_pages():
    assert len(presets.STORIES) >= 6
    assert len({story.name for story in presets.STORIES}) == len(presets.STORIES)
    assert {story.page for story in presets.STORIES} == PAGES


@pytest.mark.slow
def test_circles_four_labels_are_enough_for_the_laplacian_alone():
    shares = accuracy(presets.for_story("circles"))
    assert shares["Kernel"] >= 0.99
    assert shares["ridge"] < 0.75


def test_circles_flip_with_a_free_constant():
    shares = accuracy(presets.for_story("circles").change(intercept=True))
    assert shares["Kernel"] < 0.8


def test_circles_without_a_label_one_circle_is_lost():
    story = presets.for_story("circles")
    marks = points.labelled(story.data, story.labels).labels
    fewer = accuracy(story.change(marks=tuple(marks[1:])))
    assert 0.7 < fewer["Kernel"] < 0.8


@pytest.mark.slow
def test_noisy_circles_need_the_tangents():
    story = presets.for_story("noisy-circles")
    shares = accuracy(story)
    assert shares["Kernel"] >= 0.99
    assert shares["ridge"] < 0.75
    assert accuracy(story.change(operator="laplacian"))["Kernel"] < 0.75


@pytest.mark.slow
def test_moons_have_two_zeros_and_squares_in_pairs():
    found = gamma("moons")
    assert found[0] == pytest.approx(0, abs=1e-6)
    assert found[1] < 0.15
    np.testing.assert_allclose(found[2:8], [1, 1, 4, 4, 9, 9], rtol=0.08)
    assert gamma("moons", p=30)[1] > 0.5  # the second zero is gone with few test functions
    assert gamma("moons", sigma=2.0)[1] > 0.5  # and with wide ones


@pytest.mark.slow
def test_hermite_counts_degrees():
    degrees = np.repeat([0, 1, 2, 3], [1, 2, 3, 4])
    for changes in ({}, {"kernel": "polynomial", "kernel_params": (("degree", 3),)}):
        found = gamma("hermite", **changes)
        assert found[0] == pytest.approx(0, abs=1e-6)
        np.testing.assert_allclose(found[1:10], degrees[1:], rtol=0.12)
    assert gamma("hermite", n=300)[1] == pytest.approx(0.66, abs=0.01)
    assert "γ₁ is 0.66" in presets.BY_NAME["hermite"].next


@pytest.mark.slow
def test_sphere_has_its_harmonics_and_the_ambient_energy_has_not():
    s = np.repeat([0, 1, 2, 3], [1, 3, 5, 7])
    found = gamma("sphere")
    np.testing.assert_allclose(found[1:16], (s * (s + 1))[1:], rtol=0.08)
    shown = eigen_view(presets.for_story("sphere").change(operator="laplacian"))
    assert (np.abs(shown.gamma[1:16] / (s * (s + 1))[1:] - 1) > 0.3).all()
    # one outlier, a function whose gradient is nearly normal, does not set the graph's scale
    assert np.median(shown.graph[1:16] / shown.gamma[1:16]) == pytest.approx(1, abs=0.1)


@pytest.mark.slow
def test_roll_runs_along_the_sheet():
    story = presets.for_story("roll")
    found, truth = gamma("roll"), eigen_view(story).truth
    np.testing.assert_allclose(found[1:17], truth[1:17], rtol=0.12)
    ratio = gamma("roll", operator="laplacian")[1] / truth[1]
    assert 7 < ratio < 10


@pytest.mark.slow
def test_square_is_a_drum_with_free_edges():
    found = gamma("square")
    wanted = np.pi**2 * np.array([0, 1, 1, 2, 4, 4])
    np.testing.assert_allclose(found[1:6], wanted[1:], rtol=0.05)
    graph = eigen_view(presets.for_story("square")).graph
    np.testing.assert_allclose(graph[1:6], wanted[1:], rtol=0.15)


@pytest.mark.slow
def test_methods_the_learnt_eigenvalues_are_the_most_accurate():
    story = presets.for_story("methods")
    error = {row.method: row.error for row in judge(story).methods}
    assert error["Learnt operator"] == min(error.values()) < 0.05
    assert error["Diffusion maps"] == max(error.values()) > 0.2
    few = {row.method: row.error for row in judge(story.change(n=300)).methods}
    assert error["Learnt operator"] < few["Learnt operator"] < few["Graph Laplacian"]


@pytest.mark.slow
def test_landmarks_gaps_make_eigenvalues_too_large():
    uniform = gamma("landmarks")
    for rule in ("stratified", "kmeans++", "leverage"):
        other = gamma("landmarks", landmarks=rule)
        falls = np.flatnonzero(other[:6] < uniform[:6])
        np.testing.assert_array_equal(falls[falls > 0], [1, 3, 4, 5])
        assert "γ₁ and γ₃ to γ₅ fall" in presets.BY_NAME["landmarks"].next


def test_single_points_spread_with_a_larger_mu_or_sigma():
    story = presets.for_story("single-points")
    shown = eigen_view(story)
    assert len(shown.lonely) >= 3
    assert shown.n_functions > shown.n_samples, "all samples are landmarks"
    words = " ".join(hint.on_a_page for hint in shown.hints)
    assert "Take fewer test functions" in words
    assert "Raise p" not in words
    assert eigen_view(story.change(mu=0.01)).lonely == ()
    assert eigen_view(story.change(sigma=16.0)).lonely == ()


def test_rotation_pairs_split_with_few_samples():
    def gaps(n):
        values = form_view(presets.for_story("rotation").change(n=n)).values[1:9]
        return np.diff(values)[::2].max()

    assert gaps(5000) < 0.2 < gaps(300)


@pytest.mark.slow
def test_ornstein_loses_the_high_degrees_first():
    view = form_view(presets.for_story("ornstein"))
    off = np.abs(view.values[1:] / view.truth[1:] - 1)
    assert off[:2].max() < 0.03
    assert off[5:9].max() > off[:2].max()
    fewer = form_view(presets.for_story("ornstein").change(n=1000))
    assert np.abs(fewer.values[1:] / fewer.truth[1:] - 1).sum() > off.sum()


@pytest.mark.slow
def test_digits_are_far_more_accurate_than_with_ridge():
    shares = accuracy(presets.for_story("digits"))
    assert shares["Kernel"] > shares["ridge"] + 0.08
    assert shares["Kernel"] > 0.86
    for name in ("digits", "invariances"):
        beside = accuracy(presets.for_story(name))
        assert beside["Graph"] > beside["Kernel"] > beside["ridge"]
        assert "graph beside it" in presets.BY_NAME[name].look


@pytest.mark.slow
def test_sources_beat_least_squares_with_one_label_per_digit():
    story = presets.for_story("sources")
    shares = accuracy(story)
    least = accuracy(story.change(term="labelled"))["Kernel"]
    assert shares["Kernel"] > least + 0.03
    assert accuracy(story.change(term="labelled", balance="scale"))["Kernel"] > least + 0.03


@pytest.mark.slow
def test_candidates_are_better_resolved_than_averaged():
    averaged, infimum, _ = labels_view(presets.for_story("candidates")).scores
    assert infimum.accuracy > averaged.accuracy + 0.03


@pytest.mark.slow
@pytest.mark.parametrize(("criterion", "needed"), [("change", 4), ("energy", 6)])
def test_next_label_finds_every_circle(criterion, needed):
    settings = presets.for_story("next-label").change(ask=criterion)
    while accuracy(settings)["Kernel"] < 0.99:
        asked = labels_view(settings).next
        marks = *settings.labels.chosen, Label(asked.row, asked.truth)
        settings = settings.change(marks=marks)
    assert len(settings.labels.chosen) == needed


@pytest.mark.slow
def test_gaussians_leave_the_graph_behind_and_it_catches_up():
    story = presets.for_story("gaussians")
    mean = {}
    for n in (40, 300, 1000):
        draws = [accuracy(story.change(n=n, seed=seed)) for seed in range(6)]
        mean[n] = {name: np.mean([d[name] for d in draws]) for name in ("Kernel", "Graph")}
        assert mean[n]["Kernel"] > mean[n]["Graph"] + 0.04
    assert mean[40]["Graph"] < mean[300]["Graph"] < mean[1000]["Graph"]
    assert mean[300]["Kernel"] > mean[1000]["Graph"]
