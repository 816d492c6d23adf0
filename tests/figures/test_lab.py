"""Charts of measured rows: what is drawn is what the rows say, with errors and a caption."""

import numpy as np
import pytest

from lapviz import figures
from lapviz.charts import Drawing, Reference, Slope

ROWS = [
    {"n": n, "d": d, "method": method, "trial": k, "error": n**-0.5 * d * (1 + 0.1 * k)}
    for d in (2, 3)
    for n in (100, 1000)
    for method in ("kernel", "graph")
    for k in range(3)
]
DRAWING = Drawing("n", "error", colour="method", facet="d", log_x=True, log_y=True,
                  title="Rates", slopes=(Slope(-0.5, "n^(−1/2)"),),
                  references=(Reference("published", (100,), (0.3,)),))  # fmt: skip


def test_lines_are_means_with_standard_errors_in_panels():
    figure = figures.chart(ROWS, DRAWING, seed=4)
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [line.name for line in lines] == ["kernel", "graph"] * 2
    values = 2 * 0.1 * np.array([1.0, 1.1, 1.2])
    assert lines[0].y[0] == pytest.approx(values.mean())
    assert lines[0].error_y.array[0] == pytest.approx(values.std(ddof=1) / np.sqrt(3))
    assert "Mean ± standard error of 3 trials, seed 4." in figure.layout.title.text
    assert [a.text for a in figure.layout.annotations] == ["d = 2", "d = 3"]
    assert sum(bool(trace.showlegend) for trace in figure.data) == 4
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    slope = next(trace for trace in figure.data if trace.name == "n^(−1/2)")
    assert slope.y[1] / slope.y[0] == pytest.approx(10**-0.5)


def test_words_make_bars_and_one_trial_has_no_error():
    rows = [{"case": c, "error": e, "trial": 0} for c, e in (("<b>", 1.0), ("b", -2.0))]
    figure = figures.chart(rows, Drawing("case", "error"))
    assert figure.data[0].type == "bar"
    assert list(figure.data[0].error_y.array) == [0, 0]
    assert "no error bars" in figure.layout.title.text


def test_quartiles_and_hindsight_are_said():
    drawing = Drawing("n", "error", summary="median", best_over=("d",))
    words = figures.chart(ROWS, drawing).layout.title.text.replace("<br>", " ")
    assert "Median and quartiles of 6 trials; at each point the best d in hindsight" in words


def test_markup_in_names_stays_text():
    rows = [{"x": 1, "y": 2.0, "m": "<a href=x>$y$</a>"}]
    figure = figures.chart(rows, Drawing("x", "y", colour="m"))
    assert "<a" not in figure.data[0].name


def test_nothing_to_draw_gets_a_sentence():
    with pytest.raises(ValueError, match="nothing to draw"):
        figures.chart([{"n": 1, "error": float("nan")}], Drawing("n", "error"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_two_of_many_lines_look_alike(theme):
    rows = [{"n": n, "d": d, "error": float(d)} for n in (1, 2) for d in range(3, 39, 2)]
    traces = figures.chart(rows, Drawing("n", "error", colour="d"), theme=theme).data
    assert len({(t.line.color, t.line.dash) for t in traces}) == len(traces) == 18
