"""The pictures as Plotly figures, for notebooks and for export from the explorer.

Apart from the explorer, this is the only package that imports Plotly, and it does so when the first
figure is drawn. Every figure has a transparent background and, by default, grey text that is
readable on white and on black; ``theme="light"`` or ``"dark"`` gives the explorer's colours.

>>> from lapviz import GalerkinEmbedding, datasets, figures
>>> data = datasets.load("half_moons", n_samples=500)
>>> embedding = GalerkinEmbedding(random_state=0).fit(data.X)
>>> figure = figures.eigenfunctions(embedding, data.X)
"""

from lapviz.figures.curves import agreement, bands, path, spectrum
from lapviz.figures.export import CONFIG_PNG, CONFIG_SVG, to_html
from lapviz.figures.fitted_scenes import (
    decision,
    decision_scene,
    eigenfunction_scene,
    eigenfunctions,
)
from lapviz.figures.lab import chart
from lapviz.figures.live_picture import LivePicture, live, live_page
from lapviz.figures.planes import scene
from lapviz.figures.surfaces import sphere

__all__ = [
    "CONFIG_PNG",
    "CONFIG_SVG",
    "LivePicture",
    "agreement",
    "bands",
    "chart",
    "decision",
    "decision_scene",
    "eigenfunction_scene",
    "eigenfunctions",
    "live",
    "live_page",
    "path",
    "scene",
    "spectrum",
    "sphere",
    "to_html",
]
