"""Constants that Python and the browser have in common, from one file: ``contract.json``.

Colours, line widths and panel sizes of the pictures; the range of λ and the limits of messages from
the browser. Python reads the file at import; the stage's bundle includes a copy (see
``explorer/stage/build.mjs``), so that a change needs a new bundle.

``lam``: the slider's ends, and the largest λ that is accepted. ``labels``: the largest number in a
message, and the digits of a free label's place. ``fade``: estimates decay by orders of magnitude
away from the labels, a root (``power``) keeps their sign visible; ``knee`` is the strength half-way
to a class's colour, ``weakest`` and ``range`` the range of a class's shades. ``lines``: the zero
line of a field is faint below the first share of the largest value, and not drawn below the second,
where the field is only rounding error.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

CONTRACT: dict[str, Any] = json.loads(
    resources.files("lapviz").joinpath("contract.json").read_text("utf-8")
)
