"""What a story says, checked on the numbers of the screen.

A sentence states something, ``read`` has the numbers to fill in, and ``claim`` is the condition
under which the statement is true: an expression of those numbers by the names that each page gives
them, and of those before the step as ``was``, for instance ``laplacian < was.laplacian``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

_FUNCTIONS = {"abs": abs, "max": max, "range": range}


@dataclass(frozen=True)
class Sentence:
    """A sentence about the screen.

    Attributes
    ----------
    text : str
    holds : bool or None
        Whether what the story states is so here; None: it cannot be checked.
    """

    text: str
    holds: bool | None


def check(
    says: str,
    read: str,
    claim: str,
    now: Mapping[str, Any],
    was: Mapping[str, Any] | None = None,
) -> Sentence:
    """A story's sentence for these numbers.

    Parameters
    ----------
    says, read, claim : str
    now : mapping
        Numbers of the screen.
    was : mapping or None
        Those before the step.
    """
    names = {**now, "was": SimpleNamespace(**(was or {}))}
    try:
        numbers = read.format(**names)
        # The expressions are the package's own, none is from outside.
        holds = bool(eval(claim, {"__builtins__": _FUNCTIONS, **names})) if claim else None
    except (AttributeError, IndexError, KeyError, NameError, TypeError):  # a number is missing
        return Sentence(says, None)
    if holds is False:
        return Sentence(f"Expected: “{says}” On this draw it is not so. {numbers}".strip(), False)
    return Sentence(f"{says} {numbers}".strip(), holds)
