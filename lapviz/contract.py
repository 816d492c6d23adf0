"""Constants that Python and the browser have in common, from one file: ``contract.json``.

Colours, line widths and panel sizes of the pictures; the range of λ and the limits of messages from
the browser. Python reads the file at import; the stage's bundle includes a copy (see
``explorer/stage/build.mjs``), so that a change needs a new bundle.

``lam``: the slider's ends, and the largest λ that is taken at all. ``knobs``: the stage's own
sliders, for λ and for the mode shown large. ``labels``: the digits that are kept of a free label's
place, and the share of the view's span below which a coordinate is 0.
``changes``: what each kind of stage may change in Python, the schema of its messages.
``drawing``: of drawn points, the version of their code, the bits of a coordinate, how many points a
drawing and a link may have, and the empty sheet (x and y of its corner, steps between the cells).
``accuracy``: how a panel's share of points right is written. ``fade``: estimates fall off by orders
of magnitude away from the labels, a root (``power``) keeps their sign visible; ``knee`` is the
strength half-way to a class's colour, ``weakest`` and ``range`` span the shades of a win.
``scale``: a function that varies by less than ``flat_below`` of its size stands at 1 /
``flat_room`` of its colour scale, not at the end, where it would be one glaring block. ``lines``:
where a field fades, its zero line means less and less: faint below the first share of the largest
value, and not drawn below the second, where only rounding is left.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

CONTRACT: dict[str, Any] = json.loads(
    resources.files("lapviz").joinpath("contract.json").read_text("utf-8")
)
