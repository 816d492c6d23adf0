"""Specification of the Regression page: its topics, and what only they use."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lapviz.checks import Refused
from lapviz.contract import CONTRACT
from lapviz.datasets import Info
from lapviz.explorer.settings.texts import number
from lapviz.figures.curve_scenes import DIGITS, Handle
from lapviz.fit import Spec
from lapviz.parameters import Slider, parameter

TOPICS = {
    "stop": "Stop early",
    "slopes": "Slopes",
    "exact": "Exact against Galerkin",
    "manifold": "Noisy manifold",
}
METHODS = {
    "cg": "Conjugate gradient",
    "pls": "Kernel PLS",
    "ridge": "Ridge",
    "pcr": "Principal components",
    "boosting": "L2-boosting",
}
UNLABELLED = {"ignore": "Leave them out", "response": "Use them (Theorem 2.3)"}
_HANDLES = CONTRACT["changes"]["curve"]["handles"]
MAX_HANDLES, MAX_SIZE = _HANDLES["most"], float(_HANDLES["size"])


START = (
    Handle(0.08, 0.2, 4.0),
    Handle(0.3, 1.0, -2.0),
    Handle(0.55, -0.4, -4.0),
    Handle(0.75, -0.9, 3.0),
    Handle(0.92, 0.5, 2.0),
)


def read_handles(text: str) -> tuple[Handle, ...]:
    """Points from ``0.1,1.5,-2~0.4,1``: input, value and perhaps a slope, joined by ~.

    Raises
    ------
    ValueError
        If a part is not such a point, or there are none or too many.
    """
    if not re.fullmatch(r"[-+.,~\deE]{1,2000}", text):
        raise Refused("must be points like 0.1,1.5,-2~0.4,1")
    parts = text.split("~")
    if not 1 <= len(parts) <= MAX_HANDLES:
        raise Refused(f"must be from 1 to {MAX_HANDLES} points")
    handles = []
    for part in parts:
        values = part.split(",")
        if len(values) not in (2, 3):
            raise Refused("must be points like 0.1,1.5,-2~0.4,1")
        x = number(0, 1)(values[0])
        handles.append(Handle(x, *(number(-MAX_SIZE, MAX_SIZE)(v) for v in values[1:])))
    return tuple(handle.rounded() for handle in handles)


def write_handles(handles: tuple[Handle, ...]) -> str:
    """Inverse of :func:`read_handles`."""

    def numbers(handle: Handle) -> str:
        given = (handle.x, handle.value, handle.slope)
        return ",".join(f"{v:.{DIGITS}g}" for v in given if v is not None)

    return "~".join(map(numbers, handles))


@dataclass(frozen=True)
class RegressionSpec(Spec):
    """What the Regression page shows beside data, kernel and energy."""

    topic: str = parameter(
        "stop", "Topic", "Which of the four questions about regression is shown.",
        names=lambda: tuple(TOPICS), group="view",
    )  # fmt: skip
    method: str = parameter(
        "cg", "Regularisation", "Whose path is shown below the curve.",
        names=lambda: tuple(METHODS), key="along", group="view",
    )  # fmt: skip
    step: int = parameter(
        5, "Position on the path",
        "Iteration m of conjugate gradient, or the place on another method's path.",
        symbol="m", low=0, high=200, key="m", group="view",
    )  # fmt: skip
    known: int | None = parameter(
        None, "Known values",
        "How many of the samples have a known value; the others are unlabelled.",
        kind="integer", low=2, high=100_000, none="all", group="data",
    )  # fmt: skip
    unlabelled: str = parameter(
        "ignore", "Unlabelled samples",
        "Leave samples without a value out, or use their inputs, with the response "
        "(ñ/n)(Y, 0, …, 0).", names=lambda: tuple(UNLABELLED), group="data",
    )  # fmt: skip
    tau: float | str = parameter(
        "auto", "Constant τ of the rules",
        "Multiplies the thresholds of rules (8) and (9). The theory needs 1.1 and 1.6, which is "
        "“auto”; smaller values stop later.", kind="real",
        symbol="τ", low=1e-6, high=10, auto=True, group="regularisation",
        slider=Slider(1e-3, 10, 4, log=True),
    )  # fmt: skip
    weight: float = parameter(
        1.0, "Weight of the slopes w",
        "Weight of the squared error in the slopes, in units of length²; 0 ignores the slopes.",
        symbol="w", low=0, high=1e6, group="regularisation",
        slider=Slider(1e-4, 1e2, 4, log=True, zero=True),
    )  # fmt: skip
    ridge: float = parameter(
        1e-6, "Ridge ρ",
        "Weight of the squared RKHS norm. Larger values give a smoother curve that misses the "
        "given values by more.", symbol="ρ", low=0, high=1e3, group="regularisation",
        slider=Slider(1e-12, 1, 2, log=True, zero=True),
    )  # fmt: skip
    handles: tuple[Handle, ...] = parameter(
        START, "Points and slopes", "The given points: input, value and slope.",
        codec=(read_handles, write_handles), key="points", group="data",
    )  # fmt: skip


def topics_of(info: Info) -> tuple[str, ...]:
    """The topics that a data set can show."""
    if not info.has_values:
        return tuple(TOPICS)
    if info.n_features == 1:
        return ("stop", "slopes", "exact")
    return ("exact",) if info.n_features == 2 else ("manifold",)
