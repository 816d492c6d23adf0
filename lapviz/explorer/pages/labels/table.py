"""Labels as rows of an editable table, and back."""

from __future__ import annotations

import base64
import io

import numpy as np
import pandas as pd

from lapviz._extras import pillow
from lapviz.labels import Label
from lapviz.tables.names import fresh

COLUMNS = ("image", "row", "class", "or", "x", "y")
CRISP = 32  # pixels along the shorter side: a table smooths an image that it makes larger


def to_frame(
    labels: tuple[Label, ...],
    classes: tuple[str, ...],
    planar: bool,
    images: np.ndarray | None = None,
    numbers: np.ndarray | None = None,
    named: tuple[str, list] | None = None,
) -> pd.DataFrame:
    """One line for each label: row (-1 for a free label), class, other candidates, x and y.

    Rows have their ``numbers`` (n_samples,), by default from 1 on. x and y are there for planar
    data only; other candidate classes are joined by commas. ``images`` (n_labels, height, width),
    bytes with 255 for ink, fill a first column; ``named`` is a column that names the rows.
    """
    rows = [label.index if label.free else _number(label.index, numbers) for label in labels]
    frame = pd.DataFrame(
        {
            "row": pd.array(rows, dtype="Int64"),
            "class": [classes[label.code] for label in labels],
            "or": [", ".join(classes[code] for code in label.others) for label in labels],
        }
    ).astype({"class": "object", "or": "object"})  # also when there is no label
    if planar:
        place = [label.place if label.free else (np.nan, np.nan) for label in labels]
        frame["x"], frame["y"] = np.array(place, dtype=float).reshape(-1, 2).T
    if named is not None:
        frame.insert(
            0, fresh(named[0], COLUMNS), ["" if cell is None else str(cell) for cell in named[1]]
        )
    if images is not None:
        frame.insert(0, "image", [data_url(image) for image in images])
    return frame


def _number(index: int, numbers: np.ndarray | None) -> int:
    return index + 1 if numbers is None else int(numbers[index])


def data_url(image: np.ndarray) -> str:
    """An image as a PNG in black on white; every pixel becomes a square of several."""
    times = -(-CRISP // min(image.shape))
    grey = np.kron(255 - image, np.ones((times, times), np.uint8))
    file = io.BytesIO()
    pillow().fromarray(grey).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def from_frame(
    frame: pd.DataFrame, classes: tuple[str, ...], numbers: np.ndarray, planar: bool
) -> tuple[Label, ...] | str:
    """The labels of an edited table (the last line about a point counts), or an error message.

    ``numbers`` (n_samples,), ascending, are those of the rows.
    """
    labels: dict[object, Label] = {}
    places = {int(number): index for index, number in enumerate(numbers)}
    for line in frame.to_dict("records"):
        row, name = line["row"], line["class"]
        if pd.isna(name) or name not in classes:
            return "A line has no class yet."
        words = line.get("or")
        names = [w.strip() for w in words.split(",")] if isinstance(words, str) else []
        others = tuple(classes.index(n) for n in names if n in classes)
        if unknown := [n for n in names if n and n not in classes]:
            return f"There is no class “{unknown[0][:40]}”: the classes are {', '.join(classes)}."
        code = classes.index(name)
        if pd.notna(row) and int(row) in places:
            label = Label(places[int(row)], code, None, others)
        elif planar and pd.notna(line.get("x")) and pd.notna(line.get("y")):
            label = Label(-1, code, (float(line["x"]), float(line["y"])), others)
        else:
            free = ", or -1 with x and y" if planar else ""
            some = "" if len(numbers) == numbers[-1] - numbers[0] + 1 else " that this page shows"
            return f"A line needs a row from {numbers[0]} to {numbers[-1]}{some}{free}."
        labels[label.key] = label
    return tuple(labels.values())
