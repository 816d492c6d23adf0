"""Text on pages and in tables: short numbers, shares, and Markdown."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Number


class Share(float):
    """A fraction that is formatted in per cent with one decimal."""

    def __format__(self, spec: str) -> str:
        return f"{f'{100 * float(self):.1f}':{spec}}\N{NO-BREAK SPACE}%"


def short(value: float, digits: int = 3) -> str:
    """Format a number to a few digits, with a true minus sign, as sliders do: 0.001, 1e−6, 10000;
    "–" if it is not finite."""
    if not math.isfinite(value):
        return "–"
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, power = text.split("e")
        text = f"{float(text):.0f}" if 0 < int(power) < 5 else f"{mantissa}e{int(power)}"
    return text.replace("-", "−")


def plain(text: str) -> str:
    """Escape text for Markdown, so that text from a URL cannot become a picture or a link."""
    text = re.sub(r"://|www\.|@", lambda match: match[0][:-1] + "\u2060" + match[0][-1], text)
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(text.split()))


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence],
    formats: str | Mapping[str, str] = "{:.3g}",
    *,
    missing: str = "–",
    pad: bool = False,
) -> str:
    """Format rows as a Markdown table; columns of numbers are aligned to the right.

    Parameters
    ----------
    heads : sequence of str
        Column titles.
    rows : iterable of sequences
        Cells: text, numbers, or None. Text and integers are written unchanged.
    formats : str or dict of str
        Pattern of ``str.format`` for floating-point numbers: one for all columns, or a dict from
        heads to patterns, by default ``"{:.3g}"``.
    missing : str
        Text for None.
    pad : bool
        Whether to pad the cells with spaces, so that columns line up in plain text.

    Returns
    -------
    str
        Lines without a trailing newline.
    """
    rows = [list(row) for row in rows]
    if isinstance(formats, str):
        patterns = [formats] * len(heads)
    else:
        patterns = [formats.get(head, "{:.3g}") for head in heads]
    right = [_is_numeric(column) for column in zip(*rows, strict=True)] or [False] * len(heads)
    lines = [list(heads)]
    for row in rows:
        lines.append([_cell(v, p, missing) for v, p in zip(row, patterns, strict=True)])
    widths = [max(map(len, column)) if pad else 1 for column in zip(*lines, strict=True)]
    rule = "".join(
        "|" + "-" * (width + 1) + (":" if numeric else "-")
        for width, numeric in zip(widths, right, strict=True)
    )
    if pad:
        lines = [
            [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, right, strict=True)]
            for line in lines
        ]
    head, *body = ("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join([head, rule + "|", *body])


def _is_numeric(column: Iterable) -> bool:
    present = [value for value in column if value is not None]
    return bool(present) and all(isinstance(value, Number) for value in present)


def _cell(value, pattern: str, missing: str) -> str:
    if value is None:
        return missing
    if isinstance(value, Number) and not isinstance(value, Integral):
        return pattern.format(value)
    # an unescaped bar would start a new cell
    return re.sub(r"(?<!\\)((?:\\\\)*)\|", r"\1\\|", str(value))
