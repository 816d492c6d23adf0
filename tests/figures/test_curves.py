import numpy as np
import pytest

from lapviz import figures

MOONS = np.array([0, 0, 1, 1, 4, 4, 9, 9.0])


def named(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def test_spectrum_on_a_linear_axis():
    learnt = MOONS * 1.02 + [0, 0.05, 0, 0, 0, 0, 0, 0]
    figure = figures.spectrum({"learnt": learnt, "graph": MOONS}, truth=[*MOONS, 16, 16])
    assert figure.layout.yaxis.type == "linear"
    np.testing.assert_array_equal(named(figure, "learnt").x, np.arange(8))
    np.testing.assert_array_equal(named(figure, "learnt").y, learnt)
    np.testing.assert_array_equal(named(figure, "graph").y, MOONS)
    truth = named(figure, "truth")
    np.testing.assert_array_equal(truth.y, MOONS)  # only as far as the others go
    assert "open" in truth.marker.symbol
    assert truth.line.shape == "hvh"
    symbols = [named(figure, n).marker.symbol for n in ("learnt", "graph")]
    assert len(set(symbols)) == 2


def test_spectrum_chooses_a_logarithm_and_still_shows_zeros():
    gamma = np.concatenate([[0, 1e-15], 10.0 ** np.arange(-2, 5)])
    figure = figures.spectrum({"learnt": gamma})
    axis, trace = figure.layout.yaxis, figure.data[0]
    assert axis.type == "log"
    np.testing.assert_array_equal(trace.y[2:], gamma[2:])
    np.testing.assert_array_equal(trace.y[:2], axis.tickvals[0])
    assert 0 < axis.tickvals[0] < 0.01
    assert axis.ticktext[0] == "0"
    np.testing.assert_array_equal(trace.customdata, gamma)  # hover tells the true value
    assert figures.spectrum({"learnt": gamma}, log_y=False).layout.yaxis.type == "linear"
    assert figures.spectrum({"learnt": MOONS}, log_y=True).layout.yaxis.type == "log"


@pytest.mark.parametrize("values", [np.zeros(5), [0.0], [1.0, np.nan, 2.0]])
def test_spectrum_of_little(values):
    figure = figures.spectrum({"learnt": values})
    np.testing.assert_array_equal(figure.data[0].y, values)


@pytest.mark.parametrize("series", [{}, {"learnt": []}, {"learnt": [np.nan]}])
def test_spectrum_of_nothing(series):
    with pytest.raises(ValueError, match="no eigenvalue"):
        figures.spectrum(series)


def test_spectrum_of_the_truth_alone():
    np.testing.assert_array_equal(figures.spectrum({}, truth=MOONS).data[0].y, MOONS)


def test_path_marks_the_current_value():
    lams = np.logspace(-3, 2, 6)
    figure = figures.path(lams[::-1], {"error": np.arange(6.0)}, lam=0.1, y_title="error")
    np.testing.assert_allclose(figure.data[0].x, lams)
    np.testing.assert_array_equal(figure.data[0].y, np.arange(6.0)[::-1])
    assert figure.layout.xaxis.type == "log"
    line, words = figure.layout.shapes[0], figure.layout.annotations[0]
    assert line.x0 == line.x1 == pytest.approx(0.1)
    assert words.x == pytest.approx(-1)  # Plotly places words on a logarithmic axis in decades
    assert words.text == "λ = 0.1"


def test_path_from_zero():
    lams = [0, 0.01, 1]
    figure = figures.path(lams, {"error": [1, 2, 3], "energy": [3, np.nan, 1]}, lam=0)
    at = figure.layout.xaxis.tickvals[0]
    assert 0 < at < 0.01
    assert figure.layout.xaxis.ticktext[0] == "0"
    np.testing.assert_allclose(figure.data[0].x, [at, 0.01, 1])
    np.testing.assert_allclose(figure.data[0].customdata[:, 0], lams)
    assert figure.layout.shapes[0].x0 == pytest.approx(at)
    assert np.isnan(figure.data[1].y[1])
    assert figure.data[0].line.dash != figure.data[1].line.dash


def test_path_on_linear_axes():
    figure = figures.path([1, 2, 3], {"a": [1, 2, 3]}, lam=2, log_x=False)
    assert figure.layout.xaxis.type == "linear"
    assert figure.layout.annotations[0].x == 2


@pytest.mark.parametrize(
    ("curves", "message"), [({}, "no curve"), ({"a": [1, 2]}, "2 values for 3 settings")]
)
def test_path_that_cannot_be_drawn(curves, message):
    with pytest.raises(ValueError, match=message):
        figures.path([1, 2, 3], curves)
