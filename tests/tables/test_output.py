"""CSV for spreadsheets: nothing is executed, numbers stay numbers, and it reads back."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from lapviz import tables

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", '=cmd|" /C calc"!A0', "＝1"]


def test_a_formula_is_made_harmless():
    for text in FORMULAS:
        written = tables.csv_text({text: [text, "plain"]})
        rows = list(csv.reader(io.StringIO(written, newline="")))
        assert rows == [["'" + text], ["'" + text], ["plain"]]


def test_numbers_stay_numbers():
    columns = {
        "a": np.array([-1.5, 2.0, np.nan]),
        "b": [-3, None, 4],
        "c": np.array([1, -2, 3]),
        "d": [np.float64(-0.1), np.int64(-7), True],
        "e": np.array(["2020-01-02", "2020-01-03", "NaT"], "M8[D]"),
    }
    text = tables.csv_text(columns)
    assert text.splitlines()[1:] == [
        "-1.5,-3,1,-0.1,2020-01-02",
        "2.0,,-2,-7,2020-01-03",
        ",4,3,True,",
    ]


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="different lengths: \\[1, 2\\]"):
        tables.csv_text({"a": [1], "b": [1, 2]})
