"""Drawn data in the explorer: small drawings are part of links, larger ones are stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache

from lapviz import datasets
from lapviz.datasets import drawings
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.labels import Label

NAME = "drawn"
LARGE = "large"  # in a link, in place of the code of a stored drawing
TOO_LARGE = (
    f"The drawing of this link has more than {drawings.MOST_IN_LINK} points, too many for "
    "a link: its author can save it as a file. Here is an empty sheet."
)
MOST_KEPT = 4  # stored drawings of a visitor; older ones are dropped


@dataclass(frozen=True, eq=False)
class LargeDrawing:
    """A drawing that is too large for a link, stored for its visitor."""

    code: str
    info: datasets.Info

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return len(self.code)

    def sample(self, n_samples: int, random_state: int) -> datasets.Dataset:
        """All its points."""
        return datasets.load(NAME, source=self.code, random_state=random_state)


def code_of(data: DataSpec) -> str:
    """Code of drawn data; "" for the empty sheet.

    Raises
    ------
    DataExpired
        If the drawing was stored for a visitor who has left.
    """
    return STORE.get(data.source).code if data.private else data.source


def of(data: DataSpec) -> drawings.Drawing:
    """The drawing of drawn data."""
    code = code_of(data)
    if not code:
        return drawings.empty()
    return drawings.decode(code) if data.private else _decoded(code)


@lru_cache(maxsize=32)
def _decoded(code: str) -> drawings.Drawing:
    return drawings.decode(code)


def read(text: str) -> str:
    """Source of drawn data from the text in a link.

    Raises
    ------
    ValueError
        If the text has no such drawing; the message is for the visitor.
    """
    if text == LARGE:
        raise ValueError(TOO_LARGE)
    drawing = drawings.decode(text)
    if len(drawing.cells) > drawings.MOST_IN_LINK:
        raise ValueError(
            f"The link's drawing has {len(drawing.cells)} points; a link has at most "
            f"{drawings.MOST_IN_LINK}. Here is an empty sheet."
        )
    return text if len(drawing.cells) or drawing.sheet != drawings.SHEET else ""


def with_drawing(settings: Settings, fresh: Settings) -> Settings:
    """Settings with a drawing in place of their data; ``fresh`` are the drawing's defaults."""
    before, data, info = settings.data, fresh.data, fresh.data.info
    default = info.labels_per_class
    if before.name == NAME:
        previous = before.info.labels_per_class
        per_class = default if settings.labels.per_class == previous else settings.labels.per_class
        return settings.change(source=data.source, n=info.n_samples, per_class=per_class,
                               marks=labels_in(settings, data))  # fmt: skip
    seed = before.random_state
    if of(data).sheet == drawings.SHEET:  # from an empty sheet
        return fresh.change(seed=seed)
    return settings.change(data=NAME, source=data.source, n=info.n_samples, per_class=default,
                           options=(), noise=0.0, marks=None, story="")  # fmt: skip


def labels_in(settings: Settings, data: DataSpec) -> tuple[Label, ...] | None:
    """Labels set by hand, with the rows of their points in another drawing.

    Labels of points that it does not have are dropped. With an empty sheet, or without any such
    point, labels begin anew: None.
    """
    chosen = settings.labels.chosen
    if chosen is None or not len(of(data).cells):
        return None
    before, after, rows = _keys(of(settings.data)), _keys(of(data)), defaultdict(list)
    for row, key in enumerate(after):
        rows[key].append(row)
    moved, labels = _moved(before, after), []
    for label in sorted(chosen, key=lambda label: label.index):
        if label.off_sample:
            labels.append(label)
        elif label.index < len(before):
            key = before[label.index]
            places = rows[key] or rows[moved.get(key, key)]
            labels += [replace(label, index=places.pop(0))] if places else []
    return tuple(labels) if labels or not chosen else None


def _moved(before: list[tuple], after: list[tuple]) -> dict[tuple, tuple]:
    """Points of a drawing that were all moved by one step, by their keys before."""
    old, new = Counter(before), Counter(after)
    pairs = list(zip(*(sorted(keys.elements()) for keys in (old - new, new - old)), strict=False))
    steps = {tuple(y - x for x, y in zip(a, b, strict=True)) for a, b in pairs}
    is_move = len(before) == len(after) and len(steps) == 1
    return dict(pairs) if is_move and steps.pop()[-1] == 0 else {}  # of the same classes


def _keys(drawing: drawings.Drawing) -> list[tuple]:
    x0, y0, *_ = drawing.sheet
    codes = drawing.codes.tolist()
    return [(x0, y0, *cell, code) for cell, code in zip(drawing.cells.tolist(), codes, strict=True)]
