"""The pictures as Plotly figures, for notebooks and for export from the explorer.

Apart from the explorer, the only package that imports Plotly, and only for what needs it. Every
figure has a transparent background and, by default, grey text that is readable on white and on
black; ``theme="light"`` or ``"dark"`` gives the colours of the explorer.

>>> from lapviz import GalerkinEmbedding, datasets, figures
>>> data = datasets.load("half_moons", n_samples=500)
>>> embedding = GalerkinEmbedding(random_state=0).fit(data.X)
>>> figure = figures.eigenfunctions(embedding, data.X)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # at run time a name is imported when it is first used
    from lapviz.figures.curves import agreement, bands, path, spectrum
    from lapviz.figures.export import CONFIG_PNG, CONFIG_SVG, to_html
    from lapviz.figures.fitted import decision, eigenfunctions
    from lapviz.figures.fitted_scenes import decision_scene, eigenfunction_scene
    from lapviz.figures.lab import chart
    from lapviz.figures.live_picture import LivePicture, live, live_page
    from lapviz.figures.planes import scene
    from lapviz.figures.surfaces import sphere

_HOMES = {
    "curves": ("agreement", "bands", "path", "spectrum"),
    "export": ("CONFIG_PNG", "CONFIG_SVG", "to_html"),
    "fitted": ("decision", "eigenfunctions"),
    "fitted_scenes": ("decision_scene", "eigenfunction_scene"),
    "lab": ("chart",),
    "live_picture": ("LivePicture", "live", "live_page"),
    "planes": ("scene",),
    "surfaces": ("sphere",),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

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


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return value
