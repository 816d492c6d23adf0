"""Mounting the stage in a Streamlit page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from lapviz.explorer.stage.messages import StageState, clean, limits
from lapviz.explorer.stage.payload import encode_parts
from lapviz.scenes import Scene

HERE = Path(__file__).parent
MIN_HEIGHT, MAX_HEIGHT = 160, 1200

# Two components: the store carries the code and the large part of a scene that rarely changes
# (modes, points), the stage the current answer. Streamlit does not resend an unchanged message.
# bundle.js is built from js/, by build.mjs.
_STORE = st.components.v2.component("lapviz_store", js=(HERE / "bundle.js").read_text("utf-8"))
_STAGE = st.components.v2.component(
    "lapviz_stage",
    js=(HERE / "loader.js").read_text("utf-8"),
    css=(HERE / "stage.css").read_text("utf-8"),
)


def stage(
    scene: Scene,
    *,
    key: str,
    height: int | None = None,
    on_change: Callable[[StageState], None] | None = None,
) -> StageState | None:
    """Show a scene on the interactive canvas and return the browser's last message.

    Parameters
    ----------
    scene : Scene
        What to show; its ``rev`` is the ``StageState.rev`` that it is the answer to.
    key : str
        Name of this stage, unique in the app. Zoom is kept for each key and ``scene.view_key``.
    height : int or None
        Maximal height of each panel's picture in pixels; None: chosen from the window.
    on_change : callable or None
        Called with the new :class:`StageState` before the page is run again.

    Returns
    -------
    StageState or None
        None as long as nothing was sent for this ``view_key``.

    Raises
    ------
    ValueError
        If ``key`` contains "__", which Streamlit reserves.
    """
    if "__" in key:
        raise ValueError(f"The stage's key {key!r} contains '__': choose one without it.")
    allowed = limits(scene)

    def relay() -> None:
        state = _read(st.session_state.get(key), allowed)
        if on_change is not None and state is not None:
            on_change(state)

    static, answer = encode_parts(scene, key=key, height=_height(height))
    with st.container(gap=None):
        _STORE(key=f"{key}.store", data=static)
        result = _STAGE(key=key, data=answer, on_state_change=relay)
    return _read(result, allowed)


def _read(result: object, allowed: object) -> StageState | None:
    state = result.get("state") if hasattr(result, "get") else None
    return clean(state, allowed)


def _height(height: int | None) -> int:
    return 0 if height is None else min(max(int(height), MIN_HEIGHT), MAX_HEIGHT)
