"""Files that a visitor can download about a table, made in memory on request."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, is_dataclass
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lapviz.estimates import probabilities
from lapviz.explorer.compute import fits, own_fit, points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.compute.own_fit import Fitted
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share.links import download
from lapviz.explorer.widgets import shell
from lapviz.graphs import NodeSpace
from lapviz.spaces import DirectSum, KernelSpace, LinearSpace, TrialSpace
from lapviz.tables import write_csv
from lapviz.tables.names import counted, unused_name

Array = np.ndarray
# Labels set by hand: rows of the full table, and class codes, −1 where a label was removed.
Marks = tuple[tuple[int, int], ...]


class Estimated(NamedTuple):
    """A page's estimate at every row: classes (n,), probabilities (n, K), rows far from data."""

    predicted: Array
    probabilities: Array
    far: Array


def estimated(settings: Settings) -> Estimated:
    """Kernel Laplacian of the Labels page at every row of the table, not only at those shown."""
    labelled = points.labelled(settings.data, settings.labels)
    if not labelled.labels:
        raise ValueError("Label a point first.")
    settings, n_classes = fits.for_labels(settings), points.sample(settings.data).n_classes
    problem, solution = fits.problem(settings), fits.solution(settings).value

    def estimate(X: Array) -> tuple[Array, Array]:
        scaled = points.scaled(settings.data, X)
        scores = problem.scores(scaled, solution)
        return (probabilities(scores, n_classes, solution.temperature),
                problem.far_from_data(scaled))  # fmt: skip

    shares, far = own_fit.by_block(estimate, STORE.get(settings.data.source).prepared.X)
    return Estimated(shares.argmax(axis=1), shares, far)


def marks_of(user_table: OwnTable, settings: Settings | None) -> Marks:
    """Labels of the page that shows the table, once some were set by hand; () without such a page.

    If the page began with all labels of its rows, those removed by hand have code −1.
    """
    if settings is None or settings.labels.chosen is None:
        return ()
    shown = settings.data
    rows = user_table.sample_rows(shown.n_samples, shown.random_state)
    at_rows = [m for m in settings.labels.chosen if not m.off_sample and m.index < len(rows)]
    sample, removed = user_table.sample(shown.n_samples, shown.random_state), []
    known = np.flatnonzero(sample.y >= 0)
    if settings.labels.per_class is None and sample.labelled[known].all():
        removed = [(int(rows[i]), -1) for i in np.setdiff1d(known, [m.index for m in at_rows])]
    single = [(int(rows[m.index]), m.code) for m in at_rows if not m.others]
    return tuple(single + removed)


def left_out(settings: Settings | None) -> str:
    """Count the labels that :func:`marks_of` leaves out; "" if there are none."""
    chosen = () if settings is None else settings.labels.chosen or ()
    off_sample = sum(m.off_sample for m in chosen)
    partial = sum(bool(m.others) for m in chosen if not m.off_sample)
    counts = (off_sample, "in empty space"), (partial, "with several candidates")
    return " and ".join(f"{counted(n, 'label')} {where}" for n, where in counts if n)


def predictions(data: DataSpec, estimate: Fitted | Estimated) -> bytes:
    """CSV: the full table, predictions, their probabilities or std, and rows far from the data.

    Rows far from the data have no predicted class.
    """
    user_table = STORE.get(data.source)
    if isinstance(estimate, Fitted) and estimate.std is not None:
        columns = {"predicted": estimate.predicted, "std": estimate.std}
        return _csv(user_table.prepared.beside(user_table.table, columns))
    names = np.array(user_table.classes, dtype=object)
    codes = estimate.model.classes_ if isinstance(estimate, Fitted) else range(len(names))
    columns = {"predicted": np.where(estimate.far, "", names[estimate.predicted])}
    for column, code in enumerate(codes):
        columns[f"P({names[code]})"] = estimate.probabilities[:, column].round(6)
    columns["far from the data"] = np.where(estimate.far, "yes", "")
    return _csv(user_table.prepared.beside(user_table.table, columns))


def _csv(columns: dict[str, Any]) -> bytes:
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding="utf-8", newline="") as file:
        write_csv(columns, file)
        file.flush()
        return raw.getvalue()


@step  # every run of a page offers it
def labels(data: DataSpec, marks: Marks) -> bytes:
    """CSV: the rows of the file, their labels in it, and those of the page “Labels”."""
    user_table = STORE.get(data.source)
    by_hand: list[str | None] = [None] * user_table.table.n_rows
    for row, code in marks:
        by_hand[int(user_table.prepared.rows[row])] = (*user_table.classes, None)[code]
    columns: dict[str, Any] = {"row": np.arange(1, user_table.table.n_rows + 1)}
    if label := user_table.prepared.roles.label:
        columns[unused_name(label, columns)] = user_table.table.column(label)
    return _csv(columns | {unused_name("label on the page", columns): by_hand})


def offer_labels(data: DataSpec, marks: Marks, left_out: str) -> None:
    """Button that downloads the labels; if none is left out, leaving then needs no warning.

    The click reruns the page, which would drop a file that is made at the click before the browser
    has fetched it.
    """
    help_text = "CSV: every row of the file, its label there, and the one on the page “Labels”."
    download("Labels", labels(data, marks), f"{stem(STORE.get(data.source))}-labels.csv",
             help_text, on_click="rerun" if left_out else shell.labels_saved)  # fmt: skip
    if left_out:
        st.caption(f"“Labels” has one class for each row: it leaves out {left_out}.")


def embedding(data: DataSpec, n_components: int) -> bytes:
    """CSV: coordinates of every row in the embedding."""
    user_table = STORE.get(data.source)
    coordinates = own_fit.coordinates(own_fit.embedded(data, n_components), user_table.prepared.X)
    columns = {f"eigenfunction {k}": coordinates[:, k] for k in range(1, coordinates.shape[1])}
    return _csv({"row": user_table.prepared.rows + 1} | columns)


def parameters(data: DataSpec, fitted: Fitted) -> bytes:
    """JSON: parameters of the model, what it chose from the data, and its fitted numbers."""
    user_table, model = STORE.get(data.source), fitted.model
    numbers = {
        name: None if isinstance(value, float) and np.isnan(value) else value  # no spread, no noise
        for name, value in sorted(vars(model).items())
        if name.endswith("_") and isinstance(value, int | float | np.ndarray | np.number)
        and not isinstance(value, bool)
    }  # fmt: skip
    codes = () if fitted.probabilities is None else model.classes_
    content = {
        "estimator": type(model).__name__,
        "parameters": model.get_params(),
        "chosen": {str(c.name): c.value for c in model.report_.choices},
        "kernel": getattr(model.kernel_, "name", type(model.kernel_).__name__),
        "functions": _functions(model.space_),
        "classes": [user_table.classes[code] for code in codes] or None,
        "balance": getattr(model, "balance_", None),
        "linear": getattr(model, "linear_", None),
        "scaling": model.scaling_,
        "features": user_table.prepared.feature_names,
        "encoders": user_table.prepared.encoders,
        "fitted": numbers,
    }
    return json.dumps(content, default=_plain, indent=1, allow_nan=False).encode()


def _functions(space: TrialSpace) -> dict[str, object]:
    """Describe the trial functions of the coefficients: kernel at landmarks, nodes, or a sum."""
    if isinstance(space, DirectSum):
        return {"of": "all parts, in order", "parts": [_part(part) for part in space.parts]}
    if isinstance(space, NodeSpace):
        return {"of": "nodes", "n_neighbors": space.n_neighbors, "weights": space.rule}
    return {"of": "kernel"}


def _part(space: TrialSpace) -> dict[str, object]:
    if isinstance(space, KernelSpace):
        width = space.kernel.bandwidth
        return {"of": "kernel", "bandwidth": width, "landmarks": space.landmarks}
    assert isinstance(space, LinearSpace)
    return {"of": "1 and (x - center) / scale", "center": space.center, "scale": space.scale}


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return repr(value)


def stem(user_table: OwnTable) -> str:
    """The table's file name without its ending, for names of downloads."""
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in user_table.table.name)
    return safe.rsplit("-", 1)[0][:40].strip("-") or "table"
