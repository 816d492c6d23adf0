"""Validation of scenes and labels, and what a label keeps outside a picture."""

from dataclasses import replace

import numpy as np
import pytest

from lapviz import kernels
from lapviz.labels import Label
from lapviz.scenes import Grid, Modes, Panel, Points, RidgeModel, Scene


def scene(**changes):
    parts = {
        "panels": (Panel("f", np.zeros((1, 4)), np.zeros((1, 3, 2))),),
        "points": Points(np.zeros((4, 2)), np.arange(4)),
        "view": (0.0, 1.0, 0.0, 1.0),
        "view_key": "k",
        "grid": Grid(np.linspace(0, 1, 2), np.linspace(0, 1, 3)),
    }
    return Scene(**parts | changes)


def modes(**changes):
    parts = {"gamma": np.zeros(2), "grid": np.zeros((2, 3, 2)), "points": np.zeros((2, 4))}
    panel_options = {name: changes.pop(name) for name in ("depends", "accuracy") if name in changes}
    return (Panel("m", np.zeros((1, 4)), model=Modes(**parts | changes), **panel_options),)


SPACE = Points(np.zeros((4, 2)), np.arange(4), None, np.zeros((4, 3)))
FLAT = replace(SPACE, xyz=None)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"points": SPACE, "grid": None, "panels": (Panel("f", np.zeros((1, 4))),)},
         "2 names of axes, but needs 3"),
        ({"axes": tuple("xyz")}, "3 names of axes, but needs 2"),
        ({"points": replace(SPACE, xyz=np.zeros((4, 2)))}, "points.xyz has shape"),
        ({"points": SPACE, "axes": tuple("xyz"), "grid": Grid(np.arange(2.0), np.arange(2.0))},
         "no field over a plane"),
        ({"points": replace(FLAT, images=np.zeros((4, 2, 2)))}, "points.images"),
        ({"points": replace(FLAT, images=np.zeros((3, 2, 2), np.uint8))}, "points.images"),
        ({"panels": ()}, "no panel"),
        ({"view": (0.0, np.nan, 0.0, 1.0)}, "finite with x0 < x1"),
        ({"kind": "maps"}, "Scene.kind takes classes, functions; got 'maps'"),
        ({"data_term": "some"}, "Scene.data_term takes labelled, all, poisson; got 'some'"),
        ({"hide": ("lam", "sigma")}, "Scene.hide takes lam, .*, zoom, tools; got 'sigma'"),
        ({"panels": modes(depends=("sigma",))},
         "depends on 'sigma'; known are lam, filter, labels"),
        ({"panels": modes(accuracy=54.5)}, "accuracy 54.5; a share is in"),
        ({"n_samples": 3}, "draws 4 points, but n_samples is 3"),
        ({"labels": (Label(2, 0),)}, "label of row 2 has no place"),
        ({"points": Points(np.zeros((4, 3)), np.arange(4))}, "points.xy has shape"),
        ({"points": Points(np.zeros((4, 2)), np.arange(3))}, "points.index has shape"),
        ({"points": Points(np.zeros((4, 2)), np.arange(4), np.zeros(5))}, "points.truth has shape"),
        ({"panels": (Panel("f", np.zeros((2, 4)), np.zeros((1, 3, 2))),)}, "'f': grid has shape"),
        ({"panels": (Panel("f", np.zeros((1, 5))),)}, "'f': points has shape"),
        ({"grid": None}, "has a field but the scene has no grid"),
        ({"panels": modes(points=np.zeros((3, 4)))}, "modes.points has shape"),
        ({"panels": modes(grid=np.zeros((2, 2, 3)))}, "modes.grid has shape"),
        ({"panels": modes(columns_gram=np.eye(2))}, "columns_gram has shape"),
        ({"panels": modes(columns_points=np.zeros((1, 4)))}, "columns_points has shape"),
        ({"panels": modes(), "grid": None}, "has modes.grid but the scene has no grid"),
    ],
)  # fmt: skip
def test_parts_that_do_not_fit_raise_a_clear_error(changes, message):
    scene(panels=modes())
    with pytest.raises(ValueError, match=message) as caught:
        scene(**changes)
    assert str(caught.value).endswith(".")


def test_the_accuracy_follows_the_subtitle():
    blank = np.zeros((1, 4))
    assert Panel("m", blank).caption == ""
    assert Panel("m", blank, accuracy=0.5454).caption == "accuracy 54.5 %"
    assert Panel("m", blank, subtitle="γ = 2", accuracy=1).caption == "γ = 2 · accuracy 100.0 %"


def test_a_panel_with_a_note_needs_no_values():
    assert scene(panels=(Panel("f", np.zeros((1, 9)), note="Nothing here."),)).panels[0].note


def test_a_ridge_model_is_the_kernels_formula():
    model = RidgeModel.of(kernels.get("polynomial", 0.5, degree=4))
    assert model.argument == "u"
    assert dict(model.values) == {"sigma": 0.5, "degree": 4.0}

    class Silent(kernels.DistanceKernel):
        pass

    assert RidgeModel.of(Silent(1.0)) is None


def test_a_row_keeps_no_place_and_an_off_sample_label_six_digits():
    row, off_sample = Label(7, 1), Label(-1, 0, (1.23456789, -2e-9))
    assert (row.off_sample, off_sample.off_sample) == (False, True)
    drawn = row.at(0.5, 2)
    assert (drawn.x, drawn.y) == (0.5, 2.0)
    assert drawn.key == row.key == 7
    assert drawn.lasting() == row
    assert off_sample.key == (1.23456789, -2e-9)
    assert off_sample.lasting() == Label(-1, 0, (1.23457, -2e-9))
    assert off_sample.lasting().lasting() == off_sample.lasting()


def test_a_label_identifies_its_point():
    with pytest.raises(ValueError, match="needs a place"):
        Label(-1, 0)
    with pytest.raises(ValueError, match="at least -1, got -2"):
        Label(-2, 0, (0.0, 0.0))


def test_candidates_are_ordered_and_contain_the_class_once():
    label = Label(3, 2, None, (4, 0, 2, 4))
    assert label.others == (0, 4)
    assert label.candidates == (2, 0, 4)
    assert label == Label(3, 2, None, (0, 4))
    assert Label(3, 2).candidates == (2,)
    assert label.at(1, 2).lasting() == label
