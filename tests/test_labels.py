"""The label record: what it must have, and what it keeps outside a picture."""

import pytest

from lapviz.labels import Label


def test_a_row_keeps_no_place_and_a_free_label_six_digits():
    row, free = Label(7, 1), Label(-1, 0, (1.23456789, -2e-9))
    assert (row.free, free.free) == (False, True)
    drawn = row.at(0.5, 2)
    assert (drawn.x, drawn.y) == (0.5, 2.0)
    assert drawn.key == row.key == 7
    assert drawn.lasting() == row
    assert free.key == (1.23456789, -2e-9)
    assert free.lasting() == Label(-1, 0, (1.23457, -2e-9))
    assert free.lasting().lasting() == free.lasting()


def test_a_label_says_which_point_it_is():
    with pytest.raises(ValueError, match="needs a place"):
        Label(-1, 0)
    with pytest.raises(ValueError, match="at least -1, got -2"):
        Label(-2, 0, (0.0, 0.0))


def test_candidates_are_in_order_and_hold_the_class_once():
    label = Label(3, 2, None, (4, 0, 2, 4))
    assert label.others == (0, 4)
    assert label.candidates == (2, 0, 4)
    assert label == Label(3, 2, None, (0, 4))
    assert Label(3, 2).candidates == (2,)
    assert label.at(1, 2).lasting() == label
