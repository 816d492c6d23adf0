"""The controls of the Labels page."""

from __future__ import annotations

from collections.abc import Callable

from lapviz.explorer.settings.records import Settings
from lapviz.explorer.widgets import controls


def groups(settings: Settings) -> dict[str, tuple[str, Callable[[], None]]]:
    """The groups of controls: their titles, and what draws them."""
    made = {
        "data": ("Data", lambda: controls.data(settings)),
        "labels": ("Labels", lambda: controls.labels(settings)),
        "view": ("Picture", lambda: controls.view(settings)),
        "kernel": ("Kernel", lambda: controls.kernel(settings)),
        "operator": ("Energy", lambda: controls.operator(settings)),
        "regularisation": ("Estimate", lambda: controls.regularisation(settings)),
        "graph": ("Graph to compare", lambda: controls.graph(settings, estimate=True)),
    }
    if settings.data.info.n_features == 2:
        del made["view"]
    return made
