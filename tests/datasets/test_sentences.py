"""Error messages for invalid input: one table for all data sets."""

from dataclasses import dataclass

import numpy as np
import pytest

from lapviz import datasets
from lapviz.datasets import draw_labels, truths
from lapviz.datasets.base import Generator, register
from lapviz.datasets.drawings import SHEET, Drawing, encode
from lapviz.parameters import parameter


class Stray(Generator):
    name, group = "stray", "Nowhere"


class Given(Generator):
    name, group = "given", "Line"
    class_names = ("a", "b")
    n_features = 1


class Valued(Generator):
    name, group, has_values = "valued", "Line", True


class Told(Given):
    name, title = "told", "Told"


@dataclass(frozen=True)
class Tall(Given):
    name, title, description = "tall", "Tall", "A set with a switch."
    tall: bool = parameter(False, "Tall", "Whether it is tall.")


def observing(values):
    return giving([[0.0]], [0], has_values=True, target=lambda X: values)


def giving(*drawn, **methods):
    data = Given()
    methods["points"] = lambda n, rng: drawn if len(drawn) > 1 else drawn[0]
    for name, method in methods.items():
        object.__setattr__(data, name, method)
    return data.load(9, 0.0, 0, None)


def drawn(**options):
    points = np.random.default_rng(0).uniform(-0.5, 0.5, (200, 2))
    code = encode(Drawing.of(points, np.arange(200) % 3, np.zeros(200, bool), SHEET))
    return lambda: datasets.load("drawn", **{"source": code} | options)


INTEGER = "must be an integer of at least"
CASES = [
    (lambda: datasets.load("moons"), r"No data set is called 'moons'. Available: half_moons, "),
    (lambda: datasets.info("four circles"), "Available:.*four_circles"),
    (lambda: datasets.load(None), "No data set is called None"),
    (lambda: datasets.load("circle", n_samples=0), "n_samples must be a whole number"),
    (lambda: datasets.load("circle", n_samples=-3), "n_samples must be a whole number"),
    (lambda: datasets.load("circle", n_samples=10.5), "n_samples must be a whole number"),
    (lambda: datasets.load("circle", n_samples=True), "n_samples must be a whole number"),
    (lambda: datasets.load("iris", n_samples=151), "has 150 samples; 151 were requested"),
    (lambda: datasets.load("circle", noise=-0.1), "noise must be a finite number"),
    (lambda: datasets.load("circle", noise=float("nan")), "noise must be a finite number"),
    (lambda: datasets.load("circle", noise=float("inf")), "noise must be a finite number"),
    (lambda: datasets.load("circle", noise="much"), "noise must be a finite number"),
    (lambda: datasets.load("circle", random_state=-1), "random_state must be"),
    (lambda: datasets.load("circle", random_state="x"), "random_state must be"),
    (lambda: datasets.load("circle", labels_per_class=-1), "labels per class must be"),
    (lambda: datasets.load("circle", labels_per_class=1.5), "labels per class must be"),
    (lambda: datasets.load("circle", degree=3), "no option 'degree'. It has no options"),
    (lambda: datasets.load("blobs", degree=3), "Its options are: n_blobs, dimension"),
    (lambda: datasets.names("both"), "classes or values"),
    (lambda: register(Stray), "must be one of Plane, Line"),
    *((lambda X=X, y=y: giving(X, y), "points.9. of 'given' must return rows of finite")
      for X, y in (([[0.0]], [0, 1]), ([[0.0]], [2]), ([[np.nan]], [0]), ([0.0], [0]))),
    (lambda: giving(np.zeros((9, 2))), "points.9. of 'given' must return two arrays"),
    (lambda: giving([[0.0, 1.0]], [0]), "rows of 2 coordinates, and its n_features is 1"),
    *((lambda values=values: observing(values), "target of 'given' must return one value for each")
      for values in ([[0.0]], [0.0, 1.0], None)),
    *((lambda y=y: giving([[0.0]], y), "must be whole numbers, got .*: return codes 0, 1")
      for y in (["a"], [0.5])),
    (lambda: giving([[0.0]], [0], truth=lambda noise: (0.0, 1.0)),
     r"truth of 'given' must return a .*Truth, got \(0\.0, 1\.0\)"),
    (lambda: register(Valued), r"Valued has has_values = True: write target\(self, X\)"),
    (lambda: register(Given), "Given needs a title"),
    (lambda: register(Told), "Told needs a description"),
    (lambda: register(Tall), "field 'tall' of Tall must be a number, since pages show it as a sl"),
    *((lambda y=y: draw_labels(y, 1), "whole class codes")
      for y in ([0.0, 1.0], [[0, 1]], ["a", "b"])),
    # drawings
    (drawn(source="nonsense"), "code of the drawing"),
    (drawn(source="a b"), "letters"),
    (drawn(n_samples=3), "200 points"),
    (drawn(noise=0.1), "no noise"),
    (drawn(dimension=3), "no option"),
    (lambda: Drawing.of([[1.0, np.nan]]), "finite"),
    (lambda: Drawing.of([[1.0, 2.0, 3.0]]), "shape"),
    (lambda: Drawing.of(np.zeros((5001, 2))), "at most 5000"),
    (lambda: Drawing.of([[0.0, 0.0]], [10]), "classes"),
    (lambda: Drawing.of([[0.0, 0.0]], [0, 1]), "one class code"),
    # truths
    (lambda: truths.gaussian_spectrum(0, 3), INTEGER),
    (lambda: truths.cube_spectrum(2, 0), INTEGER),
    (lambda: truths.torus_spectrum(1.5, 3), INTEGER),
    (lambda: truths.sphere_spectrum(1, 3), INTEGER),
    (lambda: truths.sphere_multiplicity(3, -1), INTEGER),
    (lambda: truths.half_moons_spectrum(True), INTEGER),
    (lambda: truths.circle_spectrum(3, radius=0), "radius must be"),
    (lambda: truths.rectangle_spectrum((1.0, -1.0), 3), "lengths must be"),
    (lambda: truths.circles_spectrum((), 3), "at least one circle"),
    (lambda: truths.torus_eigenfunctions(np.ones((4, 3)), 2), "even dimension"),
    (lambda: truths.circle_eigenfunctions(np.ones((4, 4)), 2), "2 columns"),
    (lambda: truths.gaussian_eigenfunctions(np.ones(4), 2), "shape"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), CASES, ids=[sentence for _, sentence in CASES])
def test_invalid_input_gets_a_clear_message(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
