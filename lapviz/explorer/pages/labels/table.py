"""The labels of the Labels page as a table to edit."""

from __future__ import annotations

import base64
import io

import numpy as np
import pandas as pd
import streamlit as st

from lapviz._extras import pillow
from lapviz.explorer.compute import own_rows, points
from lapviz.explorer.session import state
from lapviz.explorer.settings.records import Settings
from lapviz.labels import FARTHEST, Label
from lapviz.markdown import plain
from lapviz.tables.names import joined, split, unused_name

COLUMNS = ("image", "row", "class", "or", "x", "y")
# The number of the table, the labels that it began with and says now, and the data, classes and
# labels that the page shows. The table, and the cell in which one types, stay over its own edits.
_TABLE = "lapviz_label_table"
MIN_SIDE = 32  # pixels of an image: a table smooths those that it enlarges


def edit_labels(settings: Settings) -> None:
    """Draw the labels as a table to edit."""
    data = points.sample(settings.data)
    labelled = points.labelled(settings.data, settings.labels)
    st.caption("Change a class, add a row of the data, or delete lines: the pictures follow.")
    shown = settings.data, data.class_names, labelled.labels
    count, began, given, after = st.session_state.get(_TABLE, (0, (), (), ()))
    current = settings == state.settings()  # else the next answer is still being computed
    # Labels changed elsewhere, or the fold was closed, which makes Streamlit forget the edits.
    if (current and after != shown) or f"label-table-{count}" not in st.session_state:
        count, began, given, after = count + 1, labelled.labels, labelled.labels, shown
    st.session_state[_TABLE] = count, began, given, after
    planar, rows = data.X.shape[1] == 2, np.array([label.index for label in began], dtype=int)
    off_sample = (rows < 0).any()
    images = None if off_sample else data.images(rows)
    row_names = None if off_sample else own_rows.identities(settings.data, rows)
    numbers = own_rows.numbers(settings.data)
    frame = to_frame(began, data.class_names, planar, numbers, images, row_names)
    edited = st.data_editor(
        frame,
        key=f"label-table-{count}",
        num_rows="dynamic",
        hide_index=True,
        placeholder="",
        disabled=[name for name in frame if name not in COLUMNS[1:]],
        row_height=44 if images is not None else None,
        column_config={
            "image": st.column_config.ImageColumn("Image", help="The row as an image."),
            "row": st.column_config.NumberColumn(
                "Row", step=1,  # others get a sentence: within limits the browser would move them
                help="Row of the data, counted from 1; -1: a point added at x, y.",
            ),
            "class": st.column_config.SelectboxColumn(
                "Class", options=list(data.class_names), help="The label of the point."
            ),
            "or": st.column_config.TextColumn(
                "Or", help="Further classes that the point may have, joined by commas."
            ),
            "x": st.column_config.NumberColumn("x", help="Only for a point added to the data."),
            "y": st.column_config.NumberColumn("y", help="Only for a point added to the data."),
        },
    )  # fmt: skip
    unedited = edited.equals(frame)  # also where names do not bring back a label
    marks = began if unedited else from_frame(edited, data.class_names, numbers, planar)
    if isinstance(marks, str):
        st.caption(plain(marks))
    elif marks != given and current:
        same_rows = [label.index for label in marks] == rows.tolist()
        stays = same_rows or (images is None and row_names is None)
        state.update(marks=marks)
        after = (*shown[:2], points.labelled(settings.data, state.settings().labels).labels)
        st.session_state[_TABLE] = count, began, marks, after if stays else ()
        st.rerun()


def to_frame(
    labels: tuple[Label, ...],
    classes: tuple[str, ...],
    planar: bool,
    numbers: np.ndarray,
    images: np.ndarray | None = None,
    row_names: tuple[str, list] | None = None,
) -> pd.DataFrame:
    """Return one line for each label: row (-1 off the sample), class, other candidates, x and y.

    Rows have their ``numbers`` (n_samples,). Planar data alone have x and y;
    other candidate classes are joined by commas. ``images`` (n_labels, height, width), bytes with
    255 for ink, fill a first column; ``row_names`` is a column that names the rows.
    """
    rows = [label.index if label.off_sample else int(numbers[label.index]) for label in labels]
    frame = pd.DataFrame(
        {
            "row": pd.array(rows, dtype="Int64"),
            "class": [classes[label.code] for label in labels],
            "or": [joined(classes[code] for code in label.others) for label in labels],
        }
    ).astype({"class": "object", "or": "object"})  # also when there is no label
    if planar:
        places = [label.place if label.off_sample else (np.nan, np.nan) for label in labels]
        frame["x"], frame["y"] = np.array(places, dtype=float).reshape(-1, 2).T
    if row_names is not None:
        title, cells = unused_name(row_names[0], COLUMNS), row_names[1]
        frame.insert(0, title, ["" if cell is None else str(cell) for cell in cells])
    if images is not None:
        frame.insert(0, "image", [data_url(image) for image in images])
    return frame


def data_url(image: np.ndarray) -> str:
    """Return an image as a PNG in black on white, each pixel enlarged to a square."""
    scale = -(-MIN_SIDE // min(image.shape))
    grey = np.kron(255 - image, np.ones((scale, scale), np.uint8))
    file = io.BytesIO()
    pillow().fromarray(grey).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def from_frame(
    frame: pd.DataFrame, classes: tuple[str, ...], numbers: np.ndarray, planar: bool
) -> tuple[Label, ...] | str:
    """Return the labels of an edited table (a point's last line counts), or an error message.

    ``numbers`` (n_samples,) are those of the rows, ascending.
    """
    labels: dict[object, Label] = {}
    index_of = {int(number): index for index, number in enumerate(numbers)}
    for line in frame.to_dict("records"):
        row, name = line["row"], line["class"]
        if pd.isna(name) or name not in classes:
            return "A line has no class yet."
        text = line.get("or")
        candidates = split(text) if isinstance(text, str) else []
        others = tuple(classes.index(n) for n in candidates if n in classes)
        if unknown := [n for n in candidates if n not in classes]:
            return f"There is no class “{unknown[0][:40]}”: the classes are {joined(classes)}."
        code = classes.index(name)
        if pd.notna(row) and int(row) in index_of:
            label = Label(index_of[int(row)], code, None, others)
        elif planar and (pd.isna(row) or row == -1) and _in_link(line.get("x"), line.get("y")):
            label = Label(-1, code, (float(line["x"]), float(line["y"])), others)
        else:
            first, last = numbers[0], numbers[-1]
            shown = "" if len(numbers) == last - first + 1 else " that this page shows"
            off_sample = ", or -1 with x and y" if planar else ""
            return f"A line needs a row from {first} to {last}{shown}{off_sample}."
        labels[label.key] = label
    return tuple(labels.values())


def _in_link(*place: object) -> bool:
    """Whether these are coordinates that a link can hold."""
    return all(pd.notna(v) and abs(v) <= FARTHEST for v in place)
