from itertools import combinations

import numpy as np
import pytest

from lapviz.figures import colours

WHITE, BLACK, DARK_PAGE = "#ffffff", "#000000", "#0e1117"


def luminance(colour):
    """WCAG 2 relative luminance, written out."""
    c = colours.rgb(colour) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def deuteranope(colour):
    """What is left of an sRGB colour (3,) without green cones (Vienot, Brettel & Mollon 1999)."""
    linear = (np.asarray(colour) / 255) ** 2.2
    matrix = [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]
    return 255 * np.clip(np.array(matrix) @ linear, 0, 1) ** (1 / 2.2)


@pytest.mark.parametrize(
    ("theme", "pages", "least"),
    [("auto", (WHITE, DARK_PAGE), 4.25), ("light", (WHITE,), 7), ("dark", (DARK_PAGE,), 7)],
)
def test_words_stand_out_from_the_page(theme, pages, least):
    for page in pages:
        assert contrast(colours.theme(theme).text, page) >= least


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_curves_stand_out_from_the_page(theme):
    look = colours.theme(theme)
    pages = {"auto": (WHITE, DARK_PAGE), "light": (WHITE,), "dark": (DARK_PAGE,)}[theme]
    assert all(contrast(c, page) >= 2.5 for c in look.series for page in pages)


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
@pytest.mark.parametrize("name", ["functions", "pair", "dots"])
def test_both_signs_are_told_apart_without_green(theme, name):
    scale = getattr(colours.theme(theme), name)
    at = np.array([p for p, _ in scale])
    assert (at[0], at[-1]) == (0, 1)
    assert (np.diff(at) > 0).all()
    np.testing.assert_allclose(at + at[::-1], 1)  # symmetric about 0
    half = len(scale) // 2
    for k in range(half // 2):
        low, high = (deuteranope(colours.rgb(scale[i][1])) for i in (k, -1 - k))
        assert np.linalg.norm(low - high) > 60


def test_ten_classes_have_ten_colours_and_shapes():
    assert len(set(colours.SYMBOLS)) == 10
    for palette in [colours.theme(name).classes for name in ("light", "dark")]:
        assert len(palette) == 10
        gaps = [
            np.linalg.norm(colours.rgb(a) - colours.rgb(b)) for a, b in combinations(palette, 2)
        ]
        assert min(gaps) > 30


def test_class_scale_shows_each_class_in_its_own_segment():
    look = colours.theme("light")
    scale = colours.class_scale(look, 3)
    at = np.array([p for p, _ in scale])
    assert (np.diff(at) >= 0).all()
    for code in range(3):
        clearest = next(css for p, css in scale if np.isclose(p, (code + 1) / 3))
        apart = [np.linalg.norm(colours.rgb(clearest) - colours.rgb(c)) for c in look.classes]
        assert np.argmin(apart) == code
