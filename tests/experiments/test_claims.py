"""What the papers and this project claim of the figures, measured on a few draws."""

import pytest

from lapviz.charts import points
from lapviz.experiments import registry
from lapviz.experiments.active import SETTINGS


@pytest.fixture
def mean_of(rows_of):
    """(name, changed settings) to what a figure shows, the first one: at(colour, x=…, facet=…)."""

    def measured(name, drawing=0, **changes):
        shown = points(rows_of(name, **changes), registry.get(name).drawings[drawing])

        def at(colour, **place):
            (value,) = (p.y for p in shown if p.colour == colour
                        and all(getattr(p, axis) == v for axis, v in place.items()))  # fmt: skip
            return value

        return at

    return measured


@pytest.mark.long
def test_active_choice_needs_at_most_half_of_the_labels_of_chance(mean_of):
    """SSL21 Figure 6's setting, where a circle needs several labels; both criteria, 3 seeds."""
    at = mean_of("active", trials=3, problems=(SETTINGS[0].name,))
    for choice in ("energy", "change"):
        assert 4 <= at(choice) <= at("random") / 2  # fewer than one label a circle cannot do


@pytest.mark.long
def test_slopes_make_the_error_of_a_constant_smaller_as_measured(mean_of):
    """With a ridge, Hermite's error is about a tenth of plain's at σ = 1, and worse at σ = .1."""
    at = mean_of("hermite", trials=5)
    ridged, bare = {"facet": 1.0, "x": "1e-10"}, {"facet": 1.0, "x": "0"}
    narrow = [{"facet": 0.1, "x": x} for x in ("1e-10", "0")]

    def ratio(place):
        return at("hermite", **place) / at("plain", **place)

    assert ratio(ridged) < 0.2
    assert ratio(ridged) < 0.5 * ratio(bare) < 0.5  # without a ridge the gain is small
    assert at("hermite", **bare) < at("hermite", **ridged) < at("plain", **ridged)
    assert min(map(ratio, narrow)) > 3


@pytest.mark.long
def test_leverage_needs_no_more_landmarks_than_uniform(mean_of):
    at = mean_of("landmarks", counts=(50, 100, 200), trials=3)
    for p in (50, 100, 200):
        assert at("leverage", x=p) < 0.5 * min(at("uniform", x=p), at("stratified", x=p))
    assert at("leverage", x=50) < at("stratified", x=200)  # a quarter of them does better


@pytest.mark.long
def test_only_the_energy_sees_the_circles(mean_of):
    """SSL21 Figure 6 at σ = .3: every point right with the Laplacian, few with the covariance."""
    at = mean_of("ssl21-fig6", n=1200, p=400, sigmas=(0.3,), trials=1)
    assert at("covariance") < 0.8
    assert at("ambient") > 0.95
    assert at("tangential") > 0.99


@pytest.mark.long
def test_the_width_of_figure_6_cannot_be_what_is_printed(mean_of):
    """At σ = .5 nothing helps: no λ, no filter, no μ; at .5/√2 most points are right."""
    mus = (1e-12, 1e-7, 5e-4)
    at = mean_of("ssl21-fig6", sigmas=(0.354, 0.5), mus=mus, trials=1)
    for mu in mus:
        assert at("ambient", x=0.5, facet=mu) < 0.82
        assert at("ambient", x=0.354, facet=mu) > 0.85


@pytest.mark.long
def test_labels_only_is_the_data_term_that_makes_figure_1(mean_of):
    at = mean_of("ssl21-fig1", sizes=(1000,), trials=2)
    assert at("kernel ridge") < 0.65
    assert at("(5), ambient") > at("(9), ambient") > at("kernel ridge")


@pytest.mark.long
def test_the_graphs_estimate_is_almost_constant_with_ln(mean_of):
    at = mean_of("ssl21-fig5", drawing=1, sizes=(400,), trials=3)
    assert at("ln", x="graph") < 0.1 < at("ln", x="kernel")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "changes", "words", "expected", "between"),
    [
        ("kcg10-inner", {"trials": 12, "smoothness": (1.0,)}, "best m", -0.8, (-1.1, -0.5)),
        ("krr20-thm5", {"trials": 8, "dimensions": (2,)}, "d = 2", -0.5, (-9, -0.3)),
        ("ssl21-thm1", {"trials": 8, "dimensions": (2,)}, "d = 2", -0.5, (-9, -0.3)),
    ],
)
def test_the_error_falls_at_the_theorems_rate(name, changes, words, expected, between, rows_of):
    slope = registry.get(name).check(rows_of(name, **changes))[0]
    assert words in slope.text
    assert slope.expected == expected
    assert slope.holds, slope.sentence
    assert between[0] < slope.value < between[1]
