"""Labels as rows of an editable table, and back."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lapviz.figures.fields import png
from lapviz.labels import Label

CRISP = 32  # pixels along the shorter side: a table smooths an image that it makes larger


def to_frame(
    labels: tuple[Label, ...],
    classes: tuple[str, ...],
    planar: bool,
    images: np.ndarray | None = None,
) -> pd.DataFrame:
    """One line for each label: row (-1 for a free label), class, and x and y for planar data.

    ``images`` (n_labels, height, width), bytes with 255 for ink, fill a first column.
    """
    frame = pd.DataFrame(
        {
            "row": pd.array([label.index for label in labels], dtype="Int64"),
            "class": [classes[label.code] for label in labels],
        }
    )
    if planar:
        place = [label.place if label.free else (np.nan, np.nan) for label in labels]
        frame["x"], frame["y"] = np.array(place, dtype=float).reshape(-1, 2).T
    if images is not None:
        frame.insert(0, "image", [data_url(image) for image in images])
    return frame


def data_url(image: np.ndarray) -> str:
    """An image as a PNG in black on white; every pixel becomes a square of several."""
    times = -(-CRISP // min(image.shape))
    grey = np.kron(255 - image, np.ones((times, times), np.uint8))
    return png(np.dstack([grey, grey, grey, np.full_like(grey, 255)]).astype(np.uint8))


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
