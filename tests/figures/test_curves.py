"""Curves, measured tables, spheres and pages: figures show their input; names stay text."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from lapviz import figures
from lapviz.charts import Drawing, Reference, Slope

MOONS = np.array([0, 0, 1, 1, 4, 4, 9, 9.0])
ROWS = [
    {"n": n, "d": d, "method": method, "trial": k, "error": n**-0.5 * d * (1 + 0.1 * k)}
    for d in (2, 3)
    for n in (100, 1000)
    for method in ("kernel", "graph")
    for k in range(3)
]


def test_a_spectrum_with_its_truth():
    learnt = MOONS * 1.02
    figure = figures.spectrum({"learnt": learnt, "graph": MOONS}, truth=[*MOONS, 16, 16])
    truth, *series = figure.data
    assert figure.layout.yaxis.type == "linear"
    np.testing.assert_array_equal([t.y for t in series], [learnt, MOONS])
    np.testing.assert_array_equal(truth.y, MOONS)  # cut to the longest series
    assert ("open" in truth.marker.symbol, truth.line.shape) == (True, "hvh")
    assert series[0].marker.symbol != series[1].marker.symbol
    np.testing.assert_array_equal(figures.spectrum({}, truth=MOONS).data[0].y, MOONS)


def test_a_spectrum_chooses_a_logarithm_and_still_shows_zeros():
    gamma = np.concatenate([[0, 1e-15], 10.0 ** np.arange(-2, 5)])
    figure = figures.spectrum({"learnt": gamma})
    axis, trace = figure.layout.yaxis, figure.data[0]
    assert (axis.type, axis.ticktext[0]) == ("log", "0")
    np.testing.assert_array_equal(trace.y, [axis.tickvals[0]] * 2 + [*gamma[2:]])
    assert 0 < axis.tickvals[0] < 0.01
    np.testing.assert_array_equal(trace.customdata, gamma)  # hover shows the true value
    assert figures.spectrum({"learnt": gamma}, log_y=False).layout.yaxis.type == "linear"
    assert figures.spectrum({"learnt": MOONS}, log_y=True).layout.yaxis.type == "log"
    for values in (np.zeros(5), [0.0], [1.0, np.nan, 2.0]):
        np.testing.assert_array_equal(figures.spectrum({"learnt": values}).data[0].y, values)


def test_a_path_marks_the_current_value():
    lams = np.logspace(-3, 2, 6)
    figure = figures.path(lams[::-1], {"error": np.arange(6.0)}, lam=0.1, y_title="error")
    np.testing.assert_allclose(figure.data[0].x, lams)
    np.testing.assert_array_equal(figure.data[0].y, np.arange(6.0)[::-1])
    line, note = figure.layout.shapes[0], figure.layout.annotations[0]
    assert (line.x0, line.x1) == pytest.approx((0.1, 0.1))
    # Plotly positions annotations on a logarithmic axis in decades
    assert (note.x, note.text) == (pytest.approx(-1), "λ = 0.1")
    linear = figures.path([1, 2, 3], {"a": [1, 2, 3]}, lam=2, log_x=False).layout
    assert (linear.xaxis.type, linear.annotations[0].x) == ("linear", 2)


def test_a_path_from_zero():
    lams = [0, 0.01, 1]
    figure = figures.path(lams, {"error": [1, 2, 3], "energy": [3, np.nan, 1]}, lam=0)
    (zero, *_), (name, *_) = figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext
    assert (0 < zero < 0.01, name) == (True, "0")
    first, second = figure.data
    np.testing.assert_allclose(first.x, [zero, 0.01, 1])
    np.testing.assert_allclose(first.customdata[:, 0], lams)
    assert figure.layout.shapes[0].x0 == pytest.approx(zero)
    assert np.isnan(second.y[1])
    assert first.line.dash != second.line.dash


def test_a_band_is_between_quantiles_and_reaches_the_tick_of_zero():
    """Also where no mean is 0; of one run, or with a gap, there is no band."""
    x, runs = [1, 100, 10], {"a": [[0, 2, 1], [0, 4, 3], [3, 6, 5]], "b": [[1, 2, 3]]}
    options = {"log_x": True, "log_y": True, "quantiles": (0, 1)}
    band, a, b = figures.bands(x, runs, **options).data
    np.testing.assert_allclose(a.y, [1, 3, 4])
    np.testing.assert_allclose(b.y, [1, 3, 2])
    zero = 0.1  # a decade below the smallest value, 1
    np.testing.assert_allclose(band.x, [1, 10, 100, 100, 10, 1])
    np.testing.assert_allclose(band.y, [zero, 1, 2, 6, 5, 3])
    assert band.fillcolor == a.line.color
    assert len(figures.bands(x, {"a": [[1, 2, np.nan], [1, 2, 3]]}).data) == 1
    with pytest.raises(ValueError, match="no run of 'a'"):
        figures.bands(x, {"a": np.empty((0, 3))})
    with pytest.raises(ValueError, match="increasing numbers in"):
        figures.bands(x, runs, quantiles=(0.9, 0.1))


def test_agreement_takes_as_many_predicted_as_observed_values():
    with pytest.raises(ValueError, match="'a' has 3 observed values, 2 predicted"):
        figures.agreement({"a": (np.arange(3.0), np.arange(2.0))})


def test_agreement_is_points_and_a_line_over_the_observed_values():
    observed, predicted = np.random.default_rng(0).standard_normal((2, 30))
    empty = np.empty(0)
    taken = np.r_[observed, np.nan], np.r_[predicted, 0.0]  # unlabelled rows are NaN
    figure = figures.agreement({"taken": taken, "none": (empty, empty)})
    (points,) = figure.data
    np.testing.assert_array_equal([points.x, points.y], [observed, predicted])
    line = figure.layout.shapes[0]
    assert (line.x0, line.y0, line.x1, line.y1) == (*[observed.min()] * 2, *[observed.max()] * 2)


def test_values_within_a_decade_have_ticks_though_no_power_of_ten_is_among_them():
    axis = figures.path([20, 30, 60], {"a": [0.32, 0.35, 0.37]}, log_y=True).layout.yaxis
    assert (axis.type, axis.dtick, axis.nticks) == ("log", None, 7)
    wide = figures.path([20, 30, 60], {"a": [0.32, 0.35, 37]}, log_y=True).layout.yaxis
    assert (wide.type, wide.dtick) == ("log", 1)
    rows = [{"n": n, "error": 2.1 * n} for n in (0, 1, 2)]
    axes = figures.chart(rows, Drawing("n", "error", log_x=True, log_y=True)).layout
    assert (axes.yaxis.dtick, axes.yaxis.nticks) == (None, 7)
    assert list(axes.xaxis.tickvals) == [1, 2]
    assert figures.chart(rows[:1], Drawing("n", "error", log_x=True)).layout.xaxis.type == "log"
    with pytest.raises(ValueError, match="columns must be an integer of at least 1"):
        figures.chart(rows, Drawing("n", "error"), columns=0)


def test_values_of_a_switch_are_bars():
    rows = [{"linear": on, "error": 1.0 + on} for on in (False, True)]
    (bars,) = figures.chart(rows, Drawing("linear", "error")).data
    assert (bars.type, list(bars.x), list(bars.y)) == ("bar", ["False", "True"], [1, 2])


def test_published_numbers_have_no_place_among_bars():
    rows = [{"p": "auto", "error": 1.0}, {"p": 10, "error": 2.0}]
    published = Reference("published", (5, "auto"), (3.0, 4.0))  # there is no bar at 5
    bars, points = figures.chart(rows, Drawing("p", "error", references=(published,))).data
    assert (list(bars.x), list(points.x), list(points.y)) == (["auto", "10"], ["auto"], [4])


@pytest.mark.slow
def test_a_chart_has_means_with_standard_errors_in_panels():
    drawing = Drawing("n", "error", colour="method", facet="d", log_x=True, log_y=True,
                      title="Rates", slopes=(Slope(-0.5, "n^(−1/2)"),),
                      references=(Reference("published", (100,), (0.3,)),))  # fmt: skip
    figure = figures.chart(ROWS, drawing, seed=4)
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [line.name for line in lines] == ["kernel", "graph"] * 2
    values = 2 * 0.1 * np.array([1.0, 1.1, 1.2])
    assert lines[0].y[0] == pytest.approx(values.mean())
    assert lines[0].error_y.array[0] == pytest.approx(values.std(ddof=1) / np.sqrt(3))
    assert "Mean ± standard error of 3 trials, seed 4." in figure.layout.title.text
    assert [a.text for a in figure.layout.annotations] == ["d = 2", "d = 3"]
    named = figures.chart(ROWS, replace(drawing, names=((2, "d = 2"), (3, "space"))))
    assert [a.text for a in named.layout.annotations] == ["d = 2", "space"]
    assert sum(bool(trace.showlegend) for trace in figure.data) == 4
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    slope = next(trace for trace in figure.data if trace.name == "n^(−1/2)")
    assert slope.y[1] / slope.y[0] == pytest.approx(10**-0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "drawing", "text"),
    [
        ([{"case": c, "error": e} for c, e in (("a", 1.0), ("b", -2.0))], Drawing("case", "error"),
         "One trial, so no error bars"),
        (ROWS, Drawing("n", "error", summary="median", best_over=("d",), names=(("d", "δ"),)),
         "Median and quartiles of 6 trials; at each point the best δ in hindsight"),
    ],
)  # fmt: skip
def test_a_caption_says_what_is_drawn(rows, drawing, text):
    figure = figures.chart(rows, drawing)
    assert text in figure.layout.title.text.replace("<br>", " ")
    assert (figure.data[0].type == "bar") == (drawing.x == "case")
    assert ([*figure.data[0].error_y.array] == [0, 0]) == (drawing.x == "case")


@pytest.mark.slow
def test_no_two_of_many_lines_look_alike():
    rows = [{"n": n, "d": d, "error": float(d)} for n in (1, 2) for d in range(3, 39, 2)]
    for theme in ("light", "dark"):
        traces = figures.chart(rows, Drawing("n", "error", colour="d"), theme=theme).data
        assert len({(t.line.color, t.line.dash) for t in traces}) == len(traces) == 18


NASTY = "<a href=x>$y$</a> %{x}"


@pytest.mark.parametrize(
    "draw",
    [
        lambda: figures.spectrum({NASTY: MOONS}),
        lambda: figures.path([1, 2], {NASTY: [1, 2]}),
        lambda: figures.agreement({NASTY: (np.ones(1), np.ones(1))}),
        lambda: figures.chart([{"x": 1, "y": 2.0, "m": NASTY}], Drawing("x", "y", colour="m")),
    ],
)
def test_markup_in_names_stays_text(draw):
    trace = draw().data[0]
    text = trace.name + trace.hovertemplate.split("<extra>")[1]
    assert not [tag for tag in ("<a", "$", "%{x}") if tag in text]


# ---- spheres -------------------------------------------------------------------------------------


def on_sphere(n, radius=1.0):
    X = np.random.default_rng(0).standard_normal((n, 3))
    return radius * X / np.linalg.norm(X, axis=1)[:, None]


@pytest.mark.parametrize(("number", "own"), [(np.int64, int), (np.uint8, int), (np.float32, float)])
def test_numbers_of_numpy_are_drawn_and_named_as_pythons(number, own):
    drawing, places = Drawing("n", "error", colour="d", log_x=True), [(200, 2), (25, 2), (100, 3)]

    def rows(kind):
        return [{"n": kind(n), "d": kind(d), "error": n**-0.5} for n, d in places]

    figure = figures.chart(rows(number), drawing)
    assert [trace.type for trace in figure.data] == ["scatter"] * 2
    assert [trace.name for trace in figure.data] == ["d = 2", "d = 3"]
    assert figure.to_json() == figures.chart(rows(own), drawing).to_json()


def test_a_surface_is_closed_turned_outwards_and_carries_the_values():
    X = on_sphere(300, radius=4.0)
    values = 3 * X[:, 0]
    mesh, points = figures.sphere(X, values, name="e₁").data
    triangles = np.column_stack([mesh.i, mesh.j, mesh.k])
    assert set(triangles.ravel()) == set(range(300))
    edges = Counter((t[a], t[(a + 1) % 3]) for t in triangles.tolist() for a in range(3))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)  # each edge once in either direction
    assert 300 - len(edges) // 2 + len(triangles) == 2  # Euler's number of the sphere
    a, b, c = (X[triangles[:, k]] for k in range(3))
    assert (np.einsum("td,td->t", np.cross(b - a, c - a), a + b + c) > 0).all()
    np.testing.assert_allclose(mesh.intensity, values, atol=1e-6)
    np.testing.assert_array_equal(np.column_stack([mesh.x, mesh.y, mesh.z]), X)
    assert mesh.cmax == -mesh.cmin == pytest.approx(np.abs(values).max())
    assert (mesh.colorbar.title.text, points.type) == ("e₁", "scatter3d")
    assert len(figures.sphere(X, values, points=False).data) == 1


@pytest.mark.parametrize(
    "X",
    [
        np.random.default_rng(0).standard_normal((50, 3)),  # no sphere
        np.column_stack([*(f(np.arange(50)) for f in (np.cos, np.sin)), np.zeros(50)]),  # a circle
        np.eye(3),
    ],
)
def test_points_on_no_sphere_are_points(X):
    values = np.arange(len(X)) - 1.0
    (points,) = figures.sphere(X, values).data
    assert points.type == "scatter3d"
    np.testing.assert_allclose(points.marker.color, values, atol=1e-6)
    assert points.marker.cmax == -points.marker.cmin == np.abs(values).max()


def test_constant_and_missing_values():
    X = on_sphere(20)
    assert figures.sphere(X, np.zeros(20)).data[0].cmax > 0
    values = np.where(np.arange(20) < 3, np.nan, 1.0)
    assert np.isnan(figures.sphere(X, values).data[0].intensity).sum() == 3


# ---- HTML pages ----------------------------------------------------------------------------------


@pytest.fixture
def figure():
    return figures.spectrum({"learnt": np.arange(5.0)}, title="a & b")


@pytest.mark.slow
def test_a_page_links_or_embeds_plotly(figure):
    before = figure.to_json()
    linked = figures.to_html(figure, title="</title><script>")
    embedded = figures.to_html(figure, include_plotlyjs=True)
    assert linked.startswith("<!doctype html>")
    assert "<title>&lt;/title&gt;&lt;script&gt;</title>" in linked
    request = re.compile(r'<script[^>]* src="https://')
    assert request.search(linked)
    assert not request.search(embedded)
    assert len(linked) < 50_000 < 3_000_000 < len(embedded)
    assert figure.to_json() == before


@pytest.mark.parametrize(
    ("theme", "config", "parts"),
    [
        ("auto", figures.CONFIG_PNG, ("color-scheme: light dark;", '"format": "png"')),
        ("dark", figures.CONFIG_SVG, ("color-scheme: dark;", '"format": "svg"')),
    ],
)
def test_the_page_suits_the_theme_and_the_camera_its_format(theme, config, parts):
    figure = figures.spectrum({"learnt": np.arange(5.0)}, theme=theme)
    assert all(part in figures.to_html(figure, config=config) for part in parts)
