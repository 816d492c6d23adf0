"""Controls of the Eigenfunctions page: whose functions are shown, and of what."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from lapviz.explorer.compute import fits
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.widgets import controls


def groups(settings: Settings) -> dict[str, tuple[str, Callable[[], None]]]:
    """The groups of controls: their titles, and what draws them."""
    made = {
        "data": ("Data", lambda: controls.data(settings)),
        "view": ("Picture", lambda: _view(settings)),
        "kernel": ("Kernel", lambda: controls.kernel(settings)),
        "operator": ("Energy", lambda: controls.operator(fits.named(settings), free=False)),
        "graph": ("Graph to compare", lambda: controls.graph(settings, estimate=False)),
    }
    if settings.view.form != "dirichlet":  # they play no part in other forms
        del made["operator"], made["graph"]
    return made


def lead(settings: Settings) -> None:
    """The control above the groups."""
    if settings.view.form == "dirichlet":
        controls.origin(settings)


def _view(settings: Settings) -> None:
    dirichlet = settings.view.form == "dirichlet"
    if len(settings.forms) > 1:
        controls.choice("form", settings, settings.forms)
    if dirichlet:
        controls.choice("show", settings)
        if settings.view.show != "learnt":
            controls.flag("beside", settings)
        if settings.view.show == "neural":
            for name in ("batches", "rate"):
                controls.number(name, settings)
    controls.flag("centres", settings)
    if settings.view.centres and settings.space.landmarks == "fourier":
        st.caption("Random waves have no places: there are no landmarks to mark.")
    elif settings.view.centres and settings.view.plane == "space":
        st.caption("Landmarks are marked in a plane, not in space: choose another “Plane”.")
    if dirichlet:
        controls.flag("angles", settings)
    controls.view(settings)
