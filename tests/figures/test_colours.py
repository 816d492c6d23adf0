"""Colours of the figures: contrast with the page, and scales that colour-blind people can read."""

import numpy as np
import pytest

from lapviz.figures import colours

WHITE, DARK_PAGE = "#ffffff", "#0e1117"
PAGES = {"auto": (WHITE, DARK_PAGE), "light": (WHITE,), "dark": (DARK_PAGE,)}


def luminance(colour):
    """WCAG 2 relative luminance, written out."""
    c = colours.rgb(colour) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def deuteranope(colour):
    """An sRGB colour (3,) as seen without green cones (Vienot, Brettel & Mollon 1999)."""
    linear = (colours.rgb(colour) / 255) ** 2.2
    matrix = [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]
    return 255 * np.clip(np.array(matrix) @ linear, 0, 1) ** (1 / 2.2)


@pytest.mark.parametrize("theme", PAGES)
def test_text_and_curves_stand_out_from_the_page(theme):
    look = colours.theme(theme)
    for page in PAGES[theme]:
        assert contrast(look.text, page) >= (4.25 if theme == "auto" else 7)
        assert all(contrast(c, page) >= 2.5 for c in look.series)


@pytest.mark.parametrize("theme", PAGES)
@pytest.mark.parametrize("name", ["functions", "pair", "dots"])
def test_both_signs_are_distinguishable_without_green(theme, name):
    positions, shades = zip(*getattr(colours.theme(theme), name), strict=True)
    assert (positions[0], positions[-1]) == (0, 1)
    assert (np.diff(positions) > 0).all()
    np.testing.assert_allclose(np.add(positions, positions[::-1]), 1)  # symmetric about 0
    for k in range(len(positions) // 4):
        low, high = deuteranope(shades[k]), deuteranope(shades[-1 - k])
        assert np.linalg.norm(low - high) > 60


def test_class_scale_shows_each_class_in_its_own_segment():
    look = colours.theme("light")
    assert len(set(colours.SYMBOLS)) == len(set(look.classes)) == 10
    scale = colours.class_scale(look, 3)
    assert (np.diff([p for p, _ in scale]) >= 0).all()
    for code in range(3):
        strongest = next(css for p, css in scale if np.isclose(p, (code + 1) / 3))
        distances = [np.linalg.norm(colours.rgb(strongest) - colours.rgb(c)) for c in look.classes]
        assert np.argmin(distances) == code


def test_a_hundred_classes_have_different_marks():
    look = colours.theme("light")
    assert len({tuple(look.symbol(code).values()) for code in range(100)}) == 100
