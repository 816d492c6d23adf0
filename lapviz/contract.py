"""Constants shared by Python and the browser, from one file: ``contract.json``.

Colours, line widths and panel sizes of the pictures; the range of λ and the limits of messages from
the browser. Python reads the file at import; the stage's bundle includes a copy (see
``explorer/stage/build.mjs``), so that a change requires a new bundle.

``lam``: the slider's ends, and the largest λ that is accepted. ``knobs``: the stage's own sliders,
for λ and for the enlarged mode. ``labels``: the number of digits of an off-sample label's
coordinates, and the share of the view's span below which a coordinate is 0.
``changes``: what each kind of stage may change in Python, the schema of its messages.
``drawing``: for drawn points, the version of their code, the bits of a coordinate, the largest
number of points in a drawing and in a link, and the empty sheet (x and y of its corner, steps
between the cells). ``accuracy``: the format of a panel's accuracy. ``fade``: estimates decay by
orders of magnitude away from the labels, and a root (``power``) keeps their sign visible; ``knee``
is the strength half-way to a class's colour, ``weakest`` and ``range`` span the shades of a win.
``scale``: a function that varies by less than ``flat_below`` of its size is put at 1 /
``flat_room`` of its colour scale, not at the end, where it would be one glaring block. ``lines``:
as a field fades, its zero line loses its meaning: it is faint below the first share of the largest
value, and not drawn below the second, where only rounding is left.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

CONTRACT: dict[str, Any] = json.loads(
    resources.files("lapviz").joinpath("contract.json").read_text("utf-8")
)
