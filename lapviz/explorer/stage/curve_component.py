"""Mounting the curve stage in a Streamlit page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from lapviz.explorer.host import preload as opening
from lapviz.explorer.stage.component import STORE
from lapviz.explorer.stage.curve_messages import CurveState, clean_curve, curve_limits
from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.stage import PLACE, encode_curves

_CURVE = st.components.v2.component(
    "lapviz_curve",
    js=opening.waiting_for("__lapvizCurve"),
    css="\n".join((PLACE / name).read_text("utf-8") for name in ("stage.css", "curve.css")),
)


def curve_stage(
    scene: CurveScene, *, key: str, on_change: Callable[[CurveState], None] | None = None
) -> None:
    """Show curves; scrubbed paths and dragged points are answered in the browser first.

    Parameters
    ----------
    scene : CurveScene
        What to show; its ``rev`` is the revision of the message that it answers.
    key : str
        Name of this stage, unique in the app.
    on_change : callable or None
        Called with the new :class:`CurveState` before the page is run again.
    """
    allowed = curve_limits(scene)

    def relay() -> None:
        result = st.session_state.get(key)
        raw = result.get("state") if hasattr(result, "get") else None
        said = clean_curve(raw, allowed)
        if on_change is not None and said is not None:
            on_change(said)

    static, answer = encode_curves(scene, key=key)
    with st.container(gap=None):
        STORE(key=f"{key}.store", data=static)
        _CURVE(key=key, data=answer, on_state_change=relay)
