"""Requirements of every registered data set: shapes, seeds, labels, and errors for bad input."""

import dataclasses

import numpy as np
import pytest

from lapviz import datasets
from lapviz.datasets import draw_labels

ALL = datasets.names()
OPTIONS = [(name, option) for name in ALL for option in datasets.info(name).options]


def same(a, b):
    return all(np.array_equal(getattr(a, k), getattr(b, k)) for k in ("X", "y", "labelled"))


def test_the_documented_data_sets_exist():
    documented = [
        "half_moons", "four_circles", "two_gaussians", "gaussian", "square", "circle", "torus",
        "sphere", "swiss_roll", "blobs", "digits", "iris", "wine", "breast_cancer",
        "penguins", "cells",
    ]  # fmt: skip
    assert set(ALL) >= set(documented)
    assert [datasets.info(name).real for name in documented] == [False] * 10 + [True] * 6
    real = [datasets.info(name).real for name in ALL]
    assert real == sorted(real), "the real ones come last"


@pytest.mark.parametrize("name", ALL)
def test_defaults_load(name):
    data, info = datasets.load(name), datasets.info(name)
    n = info.n_samples + (4 if name == "four_circles" else 0)
    assert data.X.shape == (n, info.n_features)
    assert data.X.dtype == np.float64
    assert np.isfinite(data.X).all()
    assert data.y.shape == data.labelled.shape == (n,)
    assert np.issubdtype(data.y.dtype, np.integer)
    assert data.labelled.dtype == bool
    assert data.name == name
    assert data.class_names == info.class_names
    assert data.n_classes == info.n_classes == len(np.unique(data.y)) == data.y.max() + 1
    assert len(data.feature_names) == info.n_features
    assert info.planar == (info.n_features == 2)


@pytest.mark.parametrize("name", ALL)
def test_every_class_is_labelled_and_most_points_are_not(name):
    data, info = datasets.load(name), datasets.info(name)
    counts = np.bincount(data.y[data.labelled], minlength=data.n_classes)
    assert counts.min() >= 1
    if info.labels_per_class is not None:
        assert set(counts) == {info.labels_per_class}
    assert data.labelled.mean() <= 0.1
    target = data.semi_supervised_target()
    np.testing.assert_array_equal(target == -1, ~data.labelled)
    np.testing.assert_array_equal(target[data.labelled], data.y[data.labelled])


@pytest.mark.parametrize("name", ALL)
def test_the_seed_determines_the_data(name):
    first = datasets.load(name, n_samples=60, random_state=3)
    assert same(first, datasets.load(name, n_samples=60, random_state=3))
    assert not np.array_equal(
        first.X, datasets.load(name, n_samples=60, noise=1.0, random_state=4).X
    )
    assert same(first, datasets.load(name, n_samples=60, random_state=np.random.default_rng(3)))
    legacy = [np.random.RandomState(5) for _ in range(2)]
    assert same(*[datasets.load(name, n_samples=60, random_state=rs) for rs in legacy])


@pytest.mark.parametrize("name", ALL)
def test_labels_are_nested(name):
    n = None if name == "cells" else 100  # which has types with 8 and 13 cells
    one, three = [datasets.load(name, n_samples=n, labels_per_class=k) for k in (1, 3)]
    assert np.array_equal(one.X, three.X)
    assert np.array_equal(np.bincount(one.y[one.labelled]), np.ones(one.n_classes))
    assert not np.any(one.labelled & ~three.labelled)
    assert three.labelled.sum() == 3 * three.n_classes
    assert not datasets.load(name, n_samples=100, labels_per_class=0).labelled.any()


@pytest.mark.parametrize("name", ALL)
def test_the_truth_is_well_formed(name):
    truth = datasets.load(name).truth
    assert truth.note
    assert truth.operator in ("laplacian", "tangent", None)
    assert (truth.eigenvalues is None) == (truth.operator is None)
    if truth.eigenvalues is not None:
        assert len(truth.eigenvalues) == 32
        assert truth.eigenvalues[0] == 0
        assert list(truth.eigenvalues) == sorted(truth.eigenvalues)
    noisy = datasets.load(name, n_samples=50, noise=0.25).truth
    if truth.eigenvalues is not None:
        assert "noise" in noisy.note  # the note says that noise changes them


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=lambda v: getattr(v, "name", v))
def test_options_work_over_their_range(name, option):
    assert option.low <= option.default <= option.high
    assert option.help.endswith(".")
    for value in (option.low, option.high):
        data = datasets.load(name, n_samples=50, **{option.name: value})
        info = datasets.info(name, **{option.name: value})
        assert data.X.shape == (50, info.n_features)
        assert data.n_classes == info.n_classes
        assert info.planar == (info.n_features == 2)
    for value in (option.low - 1, option.high + 1, float("nan"), "3", None, True):
        with pytest.raises(ValueError, match=rf"The {option.name} of '{name}' must be"):
            datasets.load(name, **{option.name: value})


def test_records_are_frozen_and_safe_to_cache():
    data = datasets.load("iris")
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.name = "roses"
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 7
    target = data.semi_supervised_target()
    target[:] = 0  # a copy
    assert data.semi_supervised_target().min() == -1


def test_images_are_the_rows_as_bytes():
    digits = datasets.load("digits", n_samples=20)
    assert digits.image_shape == datasets.info("digits").image_shape == (8, 8)
    images = digits.images(np.array([3, 7]))
    assert (images.shape, images.dtype) == ((2, 8, 8), np.uint8)
    np.testing.assert_allclose(images[1].ravel() / 255, digits.X[7], atol=0.5 / 255)
    noisy = datasets.load("digits", n_samples=20, noise=0.5)
    assert noisy.images(np.arange(20)).max() == 255, "noise beyond ink and paper is clipped"
    assert datasets.load("iris").images(np.arange(3)) is None


def test_draw_labels_is_stratified():
    y = np.repeat([0, 1, 2, -1], [50, 3, 20, 30])
    mask = draw_labels(y, 5, random_state=0)
    np.testing.assert_array_equal(np.bincount(y[mask]), [5, 3, 5])
    assert not mask[y == -1].any()  # unknown classes are never labelled
    np.testing.assert_array_equal(mask, draw_labels(y, 5, random_state=0))
    masks = [draw_labels(y, 5, random_state=seed) for seed in range(400)]
    frequency = np.mean(masks, axis=0)[y == 0]
    np.testing.assert_allclose(frequency, 0.1, atol=0.06)  # all points are equally likely
