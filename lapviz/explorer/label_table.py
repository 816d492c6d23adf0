"""Labels as rows of an editable table, and back."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lapviz.labels import Label


def to_frame(labels: tuple[Label, ...], classes: tuple[str, ...], planar: bool) -> pd.DataFrame:
    """One line for each label: row (-1 for a free label), class, and x and y for planar data."""
    frame = pd.DataFrame(
        {
            "row": pd.array([label.index for label in labels], dtype="Int64"),
            "class": [classes[label.code] for label in labels],
        }
    )
    if planar:
        place = [label.place if label.free else (np.nan, np.nan) for label in labels]
        frame["x"], frame["y"] = np.array(place, dtype=float).reshape(-1, 2).T
    return frame


def from_frame(
    frame: pd.DataFrame, classes: tuple[str, ...], n_samples: int, planar: bool
) -> tuple[Label, ...] | str:
    """The labels of an edited table (the last line about a point counts), or an error message."""
    labels: dict[object, Label] = {}
    for line in frame.to_dict("records"):
        row, name = line["row"], line["class"]
        if pd.isna(name) or name not in classes:
            return "A line has no class yet."
        if pd.notna(row) and 0 <= int(row) < n_samples:
            label = Label(int(row), classes.index(name))
        elif planar and pd.notna(line.get("x")) and pd.notna(line.get("y")):
            label = Label(-1, classes.index(name), (float(line["x"]), float(line["y"])))
        else:
            free = ", or -1 with x and y" if planar else ""
            return f"A line needs a row from 0 to {n_samples - 1}{free}."
        labels[label.key] = label
    return tuple(labels.values())
