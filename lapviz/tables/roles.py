"""A suggestion of what the columns are used for."""

from __future__ import annotations

from collections.abc import Sequence

from lapviz.tables.records import Column, Roles

LABELS = ("label", "labels", "class", "target", "species", "y", "category", "outcome", "diagnosis",
          "response", "group", "type", "klasse")  # fmt: skip
WEIGHTS = ("weight", "weights", "sample_weight", "sampleweight", "row_weight")
IDENTIFIERS = ("id", "index", "row", "rowid", "row_id", "uuid", "key", "unnamed: 0", "nr", "no")
FEATURES = ("real", "integer", "category", "boolean")
MOST_CLASSES = 20


def suggest(columns: Sequence[Column]) -> Roles:
    """Roles by names and kinds.

    The label is the column with a name such as "label" or "species"; else the last category.
    A date, a text, a constant and what numbers the rows are no features.
    """
    plain = {column.name: column.name.strip().lower() for column in columns}
    weight = next(
        (c.name for c in columns if plain[c.name] in WEIGHTS and c.kind in ("real", "integer")),
        None,
    )
    label = _label([c for c in columns if c.name != weight], plain)
    features = tuple(
        c.name
        for c in columns
        if c.kind in FEATURES
        and c.name not in (label, weight)
        and not c.identifier
        and not (plain[c.name] in IDENTIFIERS and c.n_distinct > 0.9 * len(c.values))
    )
    if not features:  # dates are better than nothing
        features = tuple(
            c.name for c in columns if c.kind == "date" and c.name not in (label, weight)
        )
    return Roles(features, label, weight)


def _label(columns: Sequence[Column], plain: dict[str, str]) -> str | None:
    fit = [c for c in columns if c.n_distinct > 1 and c.kind not in ("date", "empty")]
    fit = [c for c in fit if c.kind != "text" or c.n_distinct <= MOST_CLASSES]
    fit = [c for c in fit if not (c.is_text and c.n_distinct == len(c.values))]
    for name in LABELS:
        if name == "y" and "z" in plain.values():  # coordinates
            continue
        named = [c for c in fit if plain[c.name] == name and not c.identifier]
        if named:
            return named[0].name
    classes = [c for c in fit if c.kind in ("category", "text") and c.n_distinct <= MOST_CLASSES]
    if len(classes) < len(fit):  # something is left for the features
        return classes[-1].name if classes else None
    return classes[-1].name if len(classes) > 1 else None
