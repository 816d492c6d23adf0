import re
import subprocess
import sys

import numpy as np
import pytest

from lapviz import figures


@pytest.fixture
def figure():
    return figures.spectrum({"learnt": np.arange(5.0)}, title="a & b")


def test_a_small_page_or_a_whole_one(figure):
    small = figures.to_html(figure, title="</title><script>")
    whole = figures.to_html(figure, include_plotlyjs=True)
    assert small.startswith("<!doctype html>")
    assert "<title>&lt;/title&gt;&lt;script&gt;</title>" in small
    fetched = re.compile(r'<script[^>]* src="https://')
    assert fetched.search(small)
    assert len(small) < 50_000
    assert len(whole) > 3_000_000
    assert not fetched.search(whole)


def test_the_figure_stays_as_it_was(figure):
    before = figure.to_json()
    figures.to_html(figure)
    assert figure.to_json() == before


@pytest.mark.parametrize(("theme", "scheme"), [("auto", "light dark"), ("dark", "dark")])
def test_the_page_suits_the_figures_theme(theme, scheme):
    page = figures.to_html(figures.spectrum({"learnt": np.arange(5.0)}, theme=theme))
    assert f"color-scheme: {scheme};" in page


@pytest.mark.parametrize(
    ("config", "format"), [(figures.CONFIG_PNG, "png"), (figures.CONFIG_SVG, "svg")]
)
def test_the_camera_saves(figure, config, format):
    assert config["toImageButtonOptions"]["format"] == format
    assert f'"format": "{format}"' in figures.to_html(figure, config=config)


@pytest.mark.slow
def test_lapviz_itself_needs_no_plotly():
    code = (
        "import sys, lapviz, lapviz.scenes; "
        "assert not any(m.split('.')[0] in ('plotly', 'streamlit') for m in sys.modules); "
        "import lapviz.figures, lapviz.figures.stage; assert 'plotly' not in sys.modules; "
        "lapviz.figures.scene; assert 'plotly' in sys.modules and 'streamlit' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
