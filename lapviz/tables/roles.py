"""A suggestion of what the columns are used for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lapviz.tables.records import Column, Roles

LABELS = ("label", "labels", "class", "target", "species", "y", "category", "outcome", "diagnosis",
          "response", "group", "type", "klasse")  # fmt: skip
WEIGHTS = ("weight", "weights", "sample_weight", "sampleweight", "row_weight")
IDENTIFIERS = ("id", "index", "row", "rowid", "row_id", "uuid", "key", "unnamed: 0", "nr", "no")
FEATURES = ("real", "integer", "category", "boolean")
MOST_CLASSES = 20
BLANK = 0.8  # share of the rows from which a column that is blank in them is mostly blank
_ID = re.compile(r"(?i:(^|[\W_])id$)|[a-z0-9]I[dD]$")


def suggest(columns: Sequence[Column]) -> Roles:
    """Roles by names and kinds.

    The label is the one column of few levels that is mostly blank, since its blanks are what is
    to be predicted; else that with a name such as "label" or "species"; else the last category.
    A date, a text, a constant and what numbers or names the rows are no features.
    """
    plain = {column.name: column.name.strip().lower() for column in columns}
    weight = next(
        (c.name for c in columns if plain[c.name] in WEIGHTS and c.kind in ("real", "integer")),
        None,
    )
    label = _label([c for c in columns if c.name != weight], plain)
    features = tuple(c.name for c in columns if c.name not in (label, weight) and usable(c))
    if not features:  # dates are better than nothing
        features = tuple(
            c.name for c in columns if c.kind == "date" and c.name not in (label, weight)
        )
    return Roles(features, label, weight)


def usable(column: Column) -> bool:
    """Whether a column is suggested as a feature, if it has no other role."""
    return column.kind in FEATURES and not column.identifier and not names_rows(column)


def names_rows(column: Column) -> bool:
    """Whether a column is called as what names the rows, and has many values; some may repeat."""
    name, n = column.name.strip(), len(column.values)
    called = name.lower() in IDENTIFIERS or _ID.search(name) is not None
    return called and column.n_distinct > (0.9 * n if column.kind == "real" else min(20, 0.4 * n))


def with_changes(columns: Sequence[Column], roles: Roles, **changes) -> Roles:
    """Suggested roles with some named: what is named overrides what was suggested.

    A column that is no longer the label is a feature, if it can be one.
    """
    now = replace(roles, **changes)
    if now.weight == now.label and "weight" not in changes:
        now = replace(now, weight=None)
    if "features" in changes or not {"label", "weight"} & changes.keys():
        return now
    free = {roles.label} if now.label not in (None, roles.label) else set()
    return replace(
        now,
        features=tuple(
            c.name
            for c in columns
            if (c.name in roles.features or (c.name in free and usable(c)))
            and c.name not in (now.label, now.weight)
        ),
    )


def _label(columns: Sequence[Column], plain: dict[str, str]) -> str | None:
    fit = [c for c in columns if c.n_distinct > 1 and c.kind not in ("date", "empty")]
    fit = [c for c in fit if c.kind != "text" or c.n_distinct <= MOST_CLASSES]
    fit = [c for c in fit if not (c.is_text and c.n_distinct == len(c.values))]
    blank = [c for c in fit if _mostly_blank(c)]
    fit = blank if len(blank) == 1 else fit
    blank = [c for c in fit if _mostly_blank(c)]
    named = _named(blank, plain) or (blank[0].name if len(blank) == 1 else _named(fit, plain))
    if named:
        return named
    classes = [c for c in fit if c.kind in ("category", "text") and c.n_distinct <= MOST_CLASSES]
    if len(classes) < len(fit):  # something is left for the features
        return classes[-1].name if classes else None
    return classes[-1].name if len(classes) > 1 else None


def _named(columns: Sequence[Column], plain: dict[str, str]) -> str | None:
    for name in LABELS:
        if name == "y" and "z" in plain.values():  # coordinates
            continue
        named = [c for c in columns if plain[c.name] == name and not c.identifier]
        if named:
            return named[0].name
    return None


def _mostly_blank(column: Column) -> bool:
    """Whether a few rows have one of few classes, as where a part has been labelled."""
    n = len(column.values)
    few = column.n_distinct <= min(MOST_CLASSES, (n - column.n_missing) / 2)
    return few and column.n_missing >= BLANK * n and column.kind != "real"
