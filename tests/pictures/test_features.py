"""CIELAB against published values, and the features computed from it."""

import numpy as np
import pytest

from lapviz import pictures

# Bruce Lindbloom's calculator: sRGB, D65, no adaptation.
PUBLISHED = {
    (255, 0, 0): (53.2408, 80.0925, 67.2032),
    (0, 255, 0): (87.7347, -86.1827, 83.1793),
    (0, 0, 255): (32.2970, 79.1875, -107.8602),
    (255, 255, 0): (97.1393, -21.5537, 94.4780),
    (0, 255, 255): (91.1132, -48.0875, -14.1312),
    (255, 0, 255): (60.3242, 98.2343, -60.8249),
    (255, 255, 255): (100, 0, 0),
    (128, 128, 128): (53.5850, 0, 0),
    (0, 0, 0): (0, 0, 0),
    (1, 1, 1): (0.2742, 0, 0),  # on the straight part of both curves
}


def test_cielab_has_the_published_values():
    rgb = np.array(list(PUBLISHED), np.uint8)
    np.testing.assert_allclose(pictures.cielab(rgb), list(PUBLISHED.values()), atol=1e-3)


def image(h=12, w=20, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (h, w, 3), dtype=np.uint8)


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_the_weight_is_the_positions_share_of_squared_distance(weight):
    X = pictures.features(image(), weight).astype(float)
    gaps = X[:, None] - X
    squares = (gaps**2).mean(axis=(0, 1))
    assert squares.sum() == pytest.approx(2.0, rel=1e-5)
    assert squares[3:].sum() / squares.sum() == pytest.approx(weight, abs=1e-6)


def test_a_picture_of_one_colour_has_no_colour_part():
    X = pictures.features(np.full((4, 5, 3), 77, np.uint8), 0.5)
    assert not X[:, :3].any()
    assert np.isfinite(X).all()


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_a_weight_out_of_range_is_refused(weight):
    with pytest.raises(ValueError, match="weight"):
        pictures.features(image(), weight)
