"""Specification of the Regression page: its topics, and what only they use."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lapviz.checks import Refused
from lapviz.datasets import Info
from lapviz.explorer.settings.texts import number
from lapviz.figures.curve_scenes import DIGITS, Handle
from lapviz.fit import Parameter, Spec
from lapviz.fit.specs import described

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
MAX_HANDLES, MAX_SIZE = 30, 100.0


START = (
    Handle(0.08, 0.2, 4.0),
    Handle(0.3, 1.0, -2.0),
    Handle(0.55, -0.4, -4.0),
    Handle(0.75, -0.9, 3.0),
    Handle(0.92, 0.5, 2.0),
)


TOPIC = Parameter("topic", "Topic", "Which of the four questions about regression is shown.",
                  "stop", kind="choice", names=lambda: tuple(TOPICS))  # fmt: skip
METHOD = Parameter("method", "Regularisation", "Whose path is shown below the curve.", "cg",
                   kind="choice", names=lambda: tuple(METHODS))  # fmt: skip
STEP = Parameter("step", "Position on the path",
                 "Iteration m of conjugate gradient, or the place on another method's path.",
                 5, "m", kind="integer", low=0, high=200)  # fmt: skip
KNOWN = Parameter("known", "Known values",
                  "How many of the samples have a known value; the others are unlabelled.", None,
                  kind="integer", low=2, high=100_000)  # fmt: skip
UNKNOWN = Parameter("unlabelled", "Unlabelled samples",
                    "Leave samples without a value out, or use their inputs, with the response "
                    "(ñ/n)(Y, 0, …, 0).", "ignore", kind="choice",
                    names=lambda: tuple(UNLABELLED))  # fmt: skip
TAU = Parameter("tau", "Constant τ of the rules",
                "Multiplies the thresholds of rules (8) and (9). The theory needs 1.1 and 1.6, "
                "which is “auto”; smaller values stop later.",
                "auto", "τ", low=1e-6, high=10, auto=True)  # fmt: skip
WEIGHT = Parameter("weight", "Weight of the slopes w",
                   "Weight of the squared error in the slopes, in units of length²; 0 ignores "
                   "the slopes.", 1.0, "w", low=0, high=1e6)  # fmt: skip
RIDGE = Parameter("ridge", "Ridge ρ",
                  "Weight of the squared RKHS norm. Larger values give a smoother curve that "
                  "misses the given values by more.", 1e-6, "ρ", low=0, high=1e3)  # fmt: skip
HANDLES = Parameter("handles", "Points and slopes", "The given points: input, value and slope.",
                    START)  # fmt: skip


@dataclass(frozen=True)
class RegressionSpec(Spec):
    """What the Regression page shows beside data, kernel and energy."""

    topic: str = described(TOPIC)
    method: str = described(METHOD)
    step: int = described(STEP)
    known: int | None = described(KNOWN)
    unlabelled: str = described(UNKNOWN)
    tau: float | str = described(TAU)
    weight: float = described(WEIGHT)
    ridge: float = described(RIDGE)
    handles: tuple[Handle, ...] = described(HANDLES)


def topics_of(info: Info) -> tuple[str, ...]:
    """The topics that a data set can show."""
    if not info.has_values:
        return tuple(TOPICS)
    if info.n_features == 1:
        return ("stop", "slopes", "exact")
    return ("exact",) if info.n_features == 2 else ("manifold",)


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
