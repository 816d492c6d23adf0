"""Markdown tables."""

import numpy as np
import pytest

from lapviz.markdown import table


def test_cells_are_written_by_type():
    rows = [("a", 3, 0.12345, None), ("b", np.int64(4000), np.float64(1234.5), 0.5)]
    assert table(("name", "n", "x", "y"), rows).splitlines() == [
        "| name | n | x | y |",
        "|---|--:|--:|--:|",
        "| a | 3 | 0.123 | – |",
        "| b | 4000 | 1.23e+03 | 0.5 |",
    ]


def test_formats_for_all_columns_or_by_name():
    rows = [(0.5, 0.25)]
    assert table(("a", "b"), rows, "{:.1f}").splitlines()[2] == "| 0.5 | 0.2 |"
    assert table(("a", "b"), rows, {"b": "{:.0%}"}).splitlines()[2] == "| 0.5 | 25% |"


def test_missing_cells_and_escaped_bars():
    rows = [(None, "a|b"), (None, "c"), (None, r"a\|b"), (None, r"a\\|b")]
    lines = table(("x", "y"), rows, missing="more").splitlines()
    assert lines[1:4] == ["|---|---|", r"| more | a\|b |", "| more | c |"]
    # already escaped; an escaped backslash does not escape the bar
    assert lines[4:] == [r"| more | a\|b |", r"| more | a\\\|b |"]


def test_padded_columns_line_up():
    lines = table(("case", "n"), [("long name", 1), ("b", 1000)], pad=True).splitlines()
    assert lines == [
        "| case      |    n |",
        "|-----------|-----:|",
        "| long name |    1 |",
        "| b         | 1000 |",
    ]


def test_no_rows_and_rows_of_another_length():
    assert table(("a", "b"), []).splitlines() == ["| a | b |", "|---|---|"]
    with pytest.raises(ValueError, match="zip"):
        table(("a", "b"), [(1,)])
