"""Mounting the stage in a Streamlit page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import streamlit as st

from lapviz.explorer.host import preload as opening
from lapviz.explorer.stage.messages import Limits, StageState, clean, limits
from lapviz.explorer.widgets.stage_knobs import Knob
from lapviz.figures.stage import PLACE, encode_parts, encode_waiting
from lapviz.scenes import Scene

MIN_HEIGHT, MAX_HEIGHT = 160, 1200
_LIMITS = "lapviz_limits"  # of each stage's last scene

# Two components: the store carries the large part of a scene that rarely changes (modes, points),
# the stage the current answer. Streamlit does not resend an unchanged message. The code of both
# comes once, with lapviz.explorer.host.preload.
STORE = st.components.v2.component("lapviz_store", js=opening.waiting_for("__lapvizStore"))
_STAGE = st.components.v2.component(
    "lapviz_stage",
    js=opening.waiting_for("__lapvizStage"),
    css=(PLACE / "stage.css").read_text("utf-8"),
)


@dataclass(frozen=True)
class Waiting:
    """What the stage shows while there is no answer: it keeps its last picture, marked as old.

    Attributes
    ----------
    words : str
        What is being done, or "".
    spent : float
        Seconds so far.
    seconds : float or None
        Seconds expected in all.
    failed : str
        A sentence in place of the answer, if there will be none.
    """

    words: str = ""
    spent: float = 0.0
    seconds: float | None = None
    failed: str = ""


def stage(
    scene: Scene | Waiting,
    *,
    key: str,
    height: int | None = None,
    title: str = "",
    on_change: Callable[[StageState], None] | None = None,
    on_cancel: Callable[[], None] | None = None,
    knobs: tuple[Knob, ...] = (),
    rev: int | None = None,
    point: dict[str, object] | None = None,
    lasting: bytes | None = None,
) -> StageState | None:
    """Show a scene on the interactive canvas and return the browser's last message.

    Parameters
    ----------
    scene : Scene or Waiting
        What to show; its ``rev`` is the ``StageState.rev`` that it is the answer to.
    key : str
        Name of this stage, unique in the app. Zoom is kept for each key and ``scene.view_key``.
    height : int or None
        Maximal height of each panel's picture in pixels; None: chosen from the window.
    title : str
        What the pictures are about, seen above them in present mode.
    on_change : callable or None
        Called with the new :class:`StageState` before the page is run again.
    on_cancel : callable or None
        Called when a visitor gives up waiting.
    knobs : tuple of Knob
        Sliders of the strip above the picture.
    rev : int or None
        The revision of a scene that waits.
    point : dict or None
        ``{"name", "act", "count"}``: a control to point at and an act, once for each count.
    lasting : bytes or None
        The scene's :func:`~lapviz.figures.stage.encode_lasting`, where it is known.

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
    kept = st.session_state.setdefault(_LIMITS, {})
    mount = {
        "key": key,
        "height": _height(height),
        "title": title,
        "knobs": [asdict(knob) for knob in knobs],
        "point": point or None,
    }
    if isinstance(scene, Waiting):
        allowed = replace(kept[key], knobs=knobs) if key in kept else None
        static, answer = encode_waiting(scene, rev, mount)
    else:
        allowed = kept[key] = limits(scene, knobs)
        static, answer = encode_parts(scene, mount, lasting)

    def relay() -> None:
        state = _read(st.session_state.get(key), allowed)
        if on_change is not None and state is not None:
            on_change(state)

    with st.container(gap=None, key=f"place-{key}"):
        STORE(key=f"{key}.store", data=static)
        result = _STAGE(key=key, data=answer, on_state_change=relay, on_tick_change=_look,
                        on_cancel_change=on_cancel or _look)  # fmt: skip
    return _read(result, allowed)


def _look() -> None:
    """To be run again is all that the browser wants."""


def _read(result: object, allowed: Limits | None) -> StageState | None:
    state = result.get("state") if hasattr(result, "get") else None
    return None if allowed is None else clean(state, allowed)


def _height(height: int | None) -> int:
    return 0 if height is None else min(max(int(height), MIN_HEIGHT), MAX_HEIGHT)
