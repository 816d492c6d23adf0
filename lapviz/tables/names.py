"""Names of columns: one line, without control characters, unique; and numbers with their nouns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Sequence

LENGTH = 100
# Control characters, direction overrides, zero-width characters, byte order marks, surrogates.
HIDDEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\x{ad}\x{61c}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}"
    r"\x{2060}-\x{2069}\x{feff}\x{fff9}-\x{fffb}"
)
_HIDDEN = re.compile("[" + re.sub(r"\\x\{(\w+)\}", lambda m: f"\\u{m[1]:0>4}", HIDDEN) + "]")


def clean(text: str) -> str:
    """The text on one line, without hidden characters, not too long."""
    text = unicodedata.normalize("NFC", _HIDDEN.sub("", re.sub(r"\s+", " ", text))).strip()
    text = "".join(c for c in text if not 0xD800 <= ord(c) < 0xE000)
    return text if len(text) <= LENGTH else text[: LENGTH - 1].rstrip() + "…"


def fresh(name: str, taken: Container[str]) -> str:
    """The name, with an apostrophe for each time that it is taken."""
    while name in taken:
        name += "'"
    return name


def counted(count: int, noun: str) -> str:
    """The number with its noun: "1 row", "2,000 rows"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def tidy(names: Sequence[str]) -> tuple[list[str], str]:
    """Unique names, and what was done to get them."""
    used, made, filled, doubled, cleaned = set(), [], 0, 0, 0
    taken = {clean(name) for name in names}
    for place, name in enumerate(names, 1):
        new = clean(name)
        cleaned += bool(_HIDDEN.search(name))
        if not new:
            filled += 1
            new = f"column {place}"
        if new in used:
            doubled += 1
            number = 2
            while (other := f"{new} ({number})") in used or other in taken:
                number += 1
            new = other
        used.add(new)
        made.append(new)
    parts = [
        f"{filled} blank column name{'s' * (filled > 1)} filled" * (filled > 0),
        f"{doubled} repeated column name{'s' * (doubled > 1)} numbered" * (doubled > 0),
        f"hidden characters taken out of {cleaned} column name{'s' * (cleaned > 1)}"
        * (cleaned > 0),
    ]
    said = "; ".join(part for part in parts if part)
    return made, said[:1].upper() + said[1:] + "." if said else ""
