"""Suggest what the columns of a table are used for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lapviz.tables.encoders import CLASSES, too_many
from lapviz.tables.names import counted
from lapviz.tables.records import Column, Roles

LABELS = ("label", "labels", "class", "target", "species", "y", "category", "outcome", "diagnosis",
          "response", "group", "type", "klasse")  # fmt: skip
WEIGHTS = ("weights", "sample_weight", "sampleweight", "row_weight")  # “weight” may be measured
IDENTIFIERS = ("id", "index", "row", "rowid", "row_id", "uuid", "key", "unnamed: 0", "nr", "no",
               "__index_level_0__")  # fmt: skip
FEATURES = ("real", "integer", "category", "boolean")
LABELLED = ("labelled", "labeled")  # columns that say which labels are given
MOST_CLASSES = 20
BLANK = 0.8  # share of blank cells from which a column is mostly blank
# names of what is measured of bodies and things, beside which a weight is a measurement too
_MEASURED = re.compile(
    r"height|(?<![a-z])(length|width|thickness|diameter|waist|girth|horsepower|acceleration)"
    r"|(?<![a-z])(mpg|bmi|pulse|diet)(?![a-z])",
    re.IGNORECASE,
)
_ID = re.compile(r"(?i:(^|[\W_])id$)|[a-z0-9]I[dD]$")


def suggest(columns: Sequence[Column]) -> Roles:
    """Suggest roles by the names and kinds of the columns.

    The label is the one column of few levels that is mostly blank, since its blanks are to be
    predicted; else the one with a name such as "label" or "species"; else the last category, or, if
    the last column has yes and no, that one. Numbers with a name such as "sample_weight" are the
    weights of the rows; else those of a column “weight”, unless :func:`measured_weight`. Dates,
    texts, constants, further weights and columns that number or name the rows are not features,
    nor are categories of too many levels, which are no label either.
    """
    lower = {column.name: column.name.strip().lower() for column in columns}
    weights = [c.name for c in columns if says_weights(c)] or [
        c.name for c in columns if _may_weight(c) and not measured_weight(c, columns)
    ]
    weight = weights[0] if weights else None
    label = _label([c for c in columns if c.name != weight], lower)
    others = [c for c in columns if c.name not in (label, weight)]
    # dates are better than nothing
    features = list(filter(usable, others)) or [c for c in others if c.kind == "date"]
    if not features and weight:  # a measurement
        return Roles((weight,), label)
    return Roles(tuple(c.name for c in features), label, weight)


def usable(column: Column) -> bool:
    """Whether a column without another role is suggested as a feature."""
    is_measured = column.kind in FEATURES and not (says_labelled(column) or says_weights(column))
    return not (not is_measured or column.identifier or names_rows(column) or too_many(column))


def says_labelled(column: Column) -> bool:
    """Whether a column of two values says by its name which rows are labelled."""
    return column.name.strip().lower() in LABELLED and column.n_distinct <= 2


def says_weights(column: Column) -> bool:
    """Whether a column of numbers says by its name that it holds the weights of the rows."""
    return column.name.strip().lower() in WEIGHTS and column.kind in ("real", "integer")


def measured_weight(column: Column, columns: Sequence[Column]) -> str:
    """Sentence that a column “weight” is a feature, and why: its cells or a measurement or weights
    beside it; "" if it may be the weights of the rows, or has another name."""
    if not _may_weight(column):
        return ""
    n_negative = int((column.values < 0).sum())
    beside = [c.name for c in columns if says_weights(c) or _MEASURED.search(c.name)]
    if column.n_missing:
        reason = f"it is missing or infinite in {counted(column.n_missing, 'row')}"
    elif n_negative:
        reason = f"it is negative in {counted(n_negative, 'row')}"
    elif beside:
        reason = f"it is beside {beside[0]!r}"
    else:
        return ""
    return f"Column {column.name!r} is a feature and not used for weights, since {reason}."


def _may_weight(column: Column) -> bool:
    return column.name.strip().lower() == "weight" and column.kind in ("real", "integer")


def names_rows(column: Column) -> bool:
    """Whether a column has a name such as "id" and many distinct values; some may repeat."""
    name, n = column.name.strip(), len(column.values)
    has_name = name.lower() in IDENTIFIERS or _ID.search(name) is not None
    return has_name and column.n_distinct > (0.9 * n if column.kind == "real" else min(20, 0.4 * n))


def with_changes(columns: Sequence[Column], roles: Roles, **changes) -> Roles:
    """Return the suggested roles with changes, which override the suggestion.

    A column that is no longer the label or the weights becomes a feature, if it can be one. Without
    another label only a real one does, as classes would give away what is then labelled by hand.
    """
    new = replace(roles, **changes)
    if "label" not in changes and new.label in changes.get("features", ()):
        new = replace(new, label=None)
    used = new.label, *changes.get("features", ())
    if "weight" not in changes and new.weight in used:
        new = replace(new, weight=None)
    if "features" in changes or not {"label", "weight"} & changes.keys():
        return new

    def freed(c: Column) -> bool:
        was_label = c.name == roles.label and (bool(new.label) or c.kind == "real")
        return (was_label or c.name == roles.weight) and usable(c)

    return replace(
        new,
        features=tuple(
            c.name
            for c in columns
            if (c.name in roles.features or freed(c)) and c.name not in (new.label, new.weight)
        ),
    )


def _label(columns: Sequence[Column], lower: dict[str, str]) -> str | None:
    columns = [c for c in columns if c.kind not in ("date", "empty") and (
        c.n_distinct > 1 or (c.n_missing and lower[c.name] in LABELS))]  # fmt: skip
    columns = [c for c in columns if not c.is_text
               or c.n_distinct <= (MOST_CLASSES if c.kind == "text" else CLASSES)]  # fmt: skip
    columns = [c for c in columns if not (c.is_text and c.n_distinct == len(c.values))]
    blank = [c for c in columns if _mostly_blank(c)]
    columns = blank if len(blank) == 1 else columns
    blank = [c for c in columns if _mostly_blank(c)]
    named = _named(blank, lower) or (blank[0].name if len(blank) == 1 else _named(columns, lower))
    if named:
        return named
    classes = [c for c in columns if c.kind in ("category", "text")]
    classes = [c for c in classes if c.n_distinct <= MOST_CLASSES]
    if columns and columns[-1].words:
        classes.append(columns[-1])
    if len(classes) < len(columns):  # something is left for the features
        return classes[-1].name if classes else None
    return classes[-1].name if len(classes) > 1 else None


def _named(columns: Sequence[Column], lower: dict[str, str]) -> str | None:
    has_classes = any(column.kind == "category" for column in columns)
    beside = {"z", "x"} if has_classes else {"z"}  # columns with which y is a coordinate
    for name in LABELS:
        if name == "y" and beside & set(lower.values()):
            continue
        # a single label of each class looks like a name of its row
        named = [c for c in columns if lower[c.name] == name
                 and (not c.identifier or _is_blank(c))]  # fmt: skip
        if named:
            return named[0].name
    return None


def _mostly_blank(column: Column) -> bool:
    """Whether only a few rows have a value, one of few: a part has been labelled."""
    few = column.n_distinct <= min(MOST_CLASSES, (len(column.values) - column.n_missing) / 2)
    return few and _is_blank(column) and column.kind != "real"


def _is_blank(column: Column) -> bool:
    return column.n_missing >= BLANK * len(column.values)
