"""Every story's claims, and what data sets and stories begin with."""

from __future__ import annotations

import numpy as np
import pytest

from lapviz import datasets
from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.eigenfunctions.steps import judge
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.picture.settings import STORIES
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import describe
from lapviz.explorer.stories import presets
from lapviz.labels import Label

PAGES = {"labels", "eigenfunctions", "regression", "data"}


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
        assert not story.settings
    else:
        shown = presets.for_story(story.name)
        assert shown.story == story.name
        assert presets.base_of(shown.change(lam=9.0, marks=())) == shown
        for name, value in story.settings.items():
            assert shown.get(name) == value
    assert story.look.endswith(".")
    assert story.next.endswith(".")
    assert story.title
    assert story.source
    with open(presets.picture_of(story.name), "rb") as file:
        head = file.read(12)
    assert (head[:4], head[8:]) == (b"RIFF", b"WEBP")


def test_stories_have_names_of_their_own_on_all_pages():
    assert len({story.name for story in presets.STORIES}) == len(presets.STORIES)
    assert {story.page for story in presets.STORIES} == PAGES


# ---- labels -----------------------------------------------------------------------------------


def accuracy(settings: Settings) -> dict[str, float]:
    """Accuracy on the unlabelled points, by method."""
    return {s.method.split()[-2 if "Lap" in s.method else -1]: s.accuracy
            for s in labels_view(settings).scores}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("story", "changes", "kernel", "ridge"),
    [
        ("circles", {}, (0.99, 1), (0, 0.75)),
        ("circles", {"intercept": True}, (0, 0.8), (0, 1)),
        ("noisy-circles", {}, (0.99, 1), (0, 0.75)),
        ("noisy-circles", {"operator": "laplacian"}, (0, 0.75), (0, 1)),
        ("digits", {}, (0.86, 1), (0, 0.78)),
    ],
)
def test_how_many_points_are_right(story, changes, kernel, ridge):
    shares = accuracy(presets.for_story(story).change(**changes))
    assert kernel[0] <= shares["Kernel"] <= kernel[1]
    assert ridge[0] <= shares["ridge"] <= ridge[1]


@pytest.mark.slow
def test_circles_without_a_label_one_circle_is_lost():
    story = presets.for_story("circles")
    marks = points.labelled(story.data, story.labels).labels
    assert 0.7 < accuracy(story.change(marks=tuple(marks[1:])))["Kernel"] < 0.8


@pytest.mark.slow
@pytest.mark.parametrize("name", ["digits", "invariances"])
def test_the_graph_beside_digits_is_more_accurate(name):
    shares = accuracy(presets.for_story(name))
    assert shares["Graph"] > shares["Kernel"] > shares["ridge"]
    assert "graph beside it" in presets.BY_NAME[name].look


@pytest.mark.slow
def test_sources_beat_least_squares_with_one_label_per_digit():
    story = presets.for_story("sources")
    least = accuracy(story.change(term="labelled"))["Kernel"]
    assert accuracy(story)["Kernel"] > least + 0.03
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


# ---- eigenfunctions ---------------------------------------------------------------------------


def gamma(name: str, **changes) -> np.ndarray:
    return eigen_view(tidy(presets.for_story(name).change(**changes))).gamma


DEGREES = np.repeat([0, 1, 2, 3], [1, 2, 3, 4])
ORDER = np.repeat([0, 1, 2, 3], [1, 3, 5, 7])
HARMONICS = ORDER * (ORDER + 1)
CUBIC = {"kernel": "polynomial", "kernel_params": (("degree", 3),)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes", "first", "wanted", "rtol"),
    [
        ("moons", {}, 2, [1, 1, 4, 4, 9, 9], 0.08),
        ("hermite", {}, 1, DEGREES[1:], 0.12),
        ("hermite", CUBIC, 1, DEGREES[1:], 0.12),
        ("hermite", {"n": 300}, 1, [0.66], 0.01),
        ("sphere", {}, 1, HARMONICS[1:], 0.08),
        ("square", {}, 1, np.pi**2 * np.array([1, 1, 2, 4, 4]), 0.05),
    ],
    ids=["moons", "hermite", "cubic", "few", "sphere", "square"],
)
def test_eigenvalues_are_those_that_a_story_names(name, changes, first, wanted, rtol):
    found = gamma(name, **changes)
    assert found[0] == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(found[first : first + len(wanted)], wanted, rtol=rtol)


@pytest.mark.slow
def test_moons_have_two_zeros_with_enough_narrow_functions():
    assert gamma("moons")[1] < 0.15
    assert gamma("moons", p=30)[1] > 0.5
    assert gamma("moons", sigma=2.0)[1] > 0.5


@pytest.mark.slow
def test_the_ambient_energy_has_no_harmonics_and_the_graph_keeps_its_scale():
    shown = eigen_view(presets.for_story("sphere").change(operator="laplacian"))
    assert (np.abs(shown.gamma[1:16] / HARMONICS[1:] - 1) > 0.3).all()
    # one outlier, a function whose gradient is nearly normal, does not set the graph's scale
    graph = shown.series["graph, scaled"]
    assert np.median(graph[1:16] / shown.gamma[1:16]) == pytest.approx(1, abs=0.1)
    graph = eigen_view(presets.for_story("square")).series["graph, scaled"]
    np.testing.assert_allclose(graph[1:6], np.pi**2 * np.array([1, 1, 2, 4, 4]), rtol=0.15)


@pytest.mark.slow
def test_roll_runs_along_the_sheet():
    truth = eigen_view(presets.for_story("roll")).truth
    np.testing.assert_allclose(gamma("roll")[1:17], truth[1:17], rtol=0.12)
    assert 7 < gamma("roll", operator="laplacian")[1] / truth[1] < 10


@pytest.mark.slow
def test_methods_the_learnt_eigenvalues_are_the_most_accurate():
    story = presets.for_story("methods")
    error = {row.method: row.error for row in judge(story).methods}
    assert error["Learnt operator"] == min(error.values()) < 0.05
    assert error["Diffusion maps"] == max(error.values()) > 0.2
    few = {row.method: row.error for row in judge(story.change(n=300)).methods}
    assert error["Learnt operator"] < few["Learnt operator"] < few["Graph Laplacian"]


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["stratified", "kmeans++", "leverage"])
def test_landmarks_gaps_make_eigenvalues_too_large(rule):
    falls = np.flatnonzero(gamma("landmarks", landmarks=rule)[:6] < gamma("landmarks")[:6])
    np.testing.assert_array_equal(falls[falls > 0], [1, 3, 4, 5])


@pytest.mark.slow
def test_single_points_spread_with_a_larger_mu_or_sigma():
    story = presets.for_story("single-points")
    shown = eigen_view(story)
    assert len(shown.localised) >= 3
    assert fits.method(shown.settings).centres.shape == (178, 13), "all samples are landmarks"
    words = " ".join(hint.on_a_page for hint in shown.hints)
    assert "Take fewer test functions" in words
    assert "Raise p" not in words
    assert eigen_view(story.change(mu=0.01)).localised == ()
    assert eigen_view(story.change(sigma=16.0)).localised == ()


@pytest.mark.slow
def test_rotation_pairs_split_with_few_samples():
    def gaps(n):
        values = eigen_view(presets.for_story("rotation").change(n=n)).gamma[1:9]
        return np.diff(values)[::2].max()

    assert gaps(5000) < 0.2 < gaps(300)


@pytest.mark.slow
def test_ornstein_loses_the_high_degrees_first():
    views = [eigen_view(presets.for_story("ornstein").change(n=n)) for n in (20_000, 1000)]
    many, few = (np.abs(view.gamma[1:] / view.truth[1:] - 1) for view in views)
    assert many[:2].max() < 0.03
    assert many[5:9].max() > many[:2].max()
    assert few.sum() > many.sum()
