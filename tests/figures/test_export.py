"""Pages of HTML around a figure."""

import re

import numpy as np
import pytest

from lapviz import figures


@pytest.fixture
def figure():
    return figures.spectrum({"learnt": np.arange(5.0)}, title="a & b")


@pytest.mark.slow
def test_a_small_page_or_a_whole_one(figure):
    before = figure.to_json()
    small = figures.to_html(figure, title="</title><script>")
    whole = figures.to_html(figure, include_plotlyjs=True)
    assert small.startswith("<!doctype html>")
    assert "<title>&lt;/title&gt;&lt;script&gt;</title>" in small
    fetched = re.compile(r'<script[^>]* src="https://')
    assert fetched.search(small)
    assert not fetched.search(whole)
    assert len(small) < 50_000 < 3_000_000 < len(whole)
    assert figure.to_json() == before


@pytest.mark.parametrize(
    ("theme", "config", "words"),
    [
        ("auto", figures.CONFIG_PNG, ("color-scheme: light dark;", '"format": "png"')),
        ("dark", figures.CONFIG_SVG, ("color-scheme: dark;", '"format": "svg"')),
    ],
)
def test_the_page_suits_the_theme_and_the_camera_its_format(theme, config, words):
    figure = figures.spectrum({"learnt": np.arange(5.0)}, theme=theme)
    assert all(word in figures.to_html(figure, config=config) for word in words)
