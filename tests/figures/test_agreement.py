"""Predicted against given values, and the line on which they agree."""

import numpy as np
import pytest

from lapviz import figures


def test_groups_are_points_and_the_line_spans_the_given_values():
    rng = np.random.default_rng(0)
    given, predicted = rng.standard_normal(30), rng.standard_normal(30)
    empty = np.empty(0)
    figure = figures.agreement({"taken": (given, predicted), "none": (empty, empty)})
    (points,) = figure.data
    np.testing.assert_array_equal(points.x, given)
    np.testing.assert_array_equal(points.y, predicted)
    line = figure.layout.shapes[0]
    assert (line.x0, line.y0, line.x1, line.y1) == (*[given.min()] * 2, *[given.max()] * 2)


def test_names_are_no_markup():
    one = np.ones(1)
    figure = figures.agreement({"<b>a</b> %{x}": (one, one)})
    assert "<b>" not in figure.data[0].name + figure.data[0].hovertemplate.split("<extra>")[1]


def test_no_point_gets_a_sentence():
    with pytest.raises(ValueError, match="no given value"):
        figures.agreement({"none": (np.empty(0), np.empty(0))})
