"""Files to take away from a visitor's table: made in memory, when they are asked for."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, is_dataclass
from typing import Any, NamedTuple

import numpy as np

from lapviz.estimates import probabilities
from lapviz.explorer.compute import fits, own_fit, points
from lapviz.explorer.compute.own_fit import Fitted
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share.links import download
from lapviz.explorer.widgets import leaving
from lapviz.graphs import NodeSpace
from lapviz.spaces import DirectSum, KernelSpace, LinearSpace, TrialSpace
from lapviz.tables import write_csv
from lapviz.tables.names import unused_name

Array = np.ndarray
Marks = tuple[tuple[int, int], ...]  # labels by hand: rows of the whole table, and codes


class Estimated(NamedTuple):
    """What a page's estimate says of every row: classes (n,), chances (n, K), and which are far."""

    predicted: Array
    chances: Array
    far: Array


def estimated(settings: Settings) -> Estimated:
    """The kernel Laplacian of the Labels page at every row of the table, not only those shown."""
    if not points.labelled(settings.data, settings.labels).labels:
        raise ValueError("Label a point first.")
    settings, n_classes = fits.for_labels(settings), points.sample(settings.data).n_classes
    problem, solved = fits.problem(settings), fits.solution(settings).value
    X = STORE.get(settings.data.source).prepared.X
    chances, far = np.empty((len(X), n_classes)), np.zeros(len(X), dtype=bool)
    for rows in own_fit.blocks(len(X)):
        seen = points.scaled(settings.data, X[rows])
        scores = problem.scores(seen, solved)
        chances[rows] = probabilities(scores, n_classes, solved.temperature)
        far[rows] = problem.far_from_data(seen)
    return Estimated(chances.argmax(axis=1), chances, far)


def marks_of(data: DataSpec, settings: Settings | None) -> Marks:
    """Labels set by hand on another page."""
    if settings is None or settings.data.source != data.source or settings.labels.chosen is None:
        return ()
    rows = STORE.get(data.source).sample_rows(settings.data.n_samples, settings.data.random_state)
    chosen = settings.labels.chosen
    plain = [m for m in chosen if not m.off_sample and not m.others and m.index < len(rows)]
    return tuple((int(rows[m.index]), m.code) for m in plain)


def predictions(data: DataSpec, found: Fitted | Estimated) -> bytes:
    """CSV: the whole table, what is predicted, chances or std, and whether a row is far away.

    Rows far from the data have no class.
    """
    brought = STORE.get(data.source)
    if isinstance(found, Fitted) and found.std is not None:
        columns = {"predicted": found.predicted, "std": found.std}
        return _csv(brought.prepared.beside(brought.table, columns))
    names = np.array(brought.classes, dtype=object)
    codes = found.model.classes_ if isinstance(found, Fitted) else range(len(names))
    columns = {"predicted": np.where(found.far, "", names[found.predicted])}
    columns |= {f"P({names[c]})": found.chances[:, k].round(6) for k, c in enumerate(codes)}
    columns["far from the data"] = np.where(found.far, "yes", "")
    return _csv(brought.prepared.beside(brought.table, columns))


def _csv(columns: dict[str, Any]) -> bytes:
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding="utf-8", newline="") as file:
        write_csv(columns, file)
        file.flush()
        return raw.getvalue()


def labels(data: DataSpec, marks: Marks) -> bytes:
    """CSV: every row of the file, its label in the file, and the one set by hand."""
    brought = STORE.get(data.source)
    by_hand: list[str | None] = [None] * brought.table.n_rows
    for row, code in marks:
        by_hand[int(brought.prepared.rows[row])] = (*brought.classes, None)[code]
    columns: dict[str, Any] = {"row": np.arange(1, brought.table.n_rows + 1)}
    if label := brought.prepared.roles.label:
        columns[label] = brought.table.column(label)
    return _csv(columns | {unused_name("label by hand", columns): by_hand})


def offer_labels(data: DataSpec, marks: Marks) -> None:
    """A button that saves these; then nothing is lost when the page is left."""
    words = "CSV: every row of the file, its label there, and the one set by hand."
    download("Labels", lambda: labels(data, marks), f"{stem(STORE.get(data.source))}-labels.csv",
             words, on_click=leaving.saved)  # fmt: skip


def embedding(data: DataSpec, n_components: int) -> bytes:
    """CSV: every row's place in the embedding."""
    brought = STORE.get(data.source)
    places = own_fit.coordinates(own_fit.embedded(data, n_components), brought.prepared.X)
    columns = {f"component {k + 1}": places[:, k] for k in range(places.shape[1])}
    return _csv({"row": brought.prepared.rows + 1} | columns)


def parameters(data: DataSpec, fitted: Fitted) -> bytes:
    """JSON: what the model was made with, what it chose, and the numbers that it consists of."""
    brought, model = STORE.get(data.source), fitted.model
    numbers = {
        name: value
        for name, value in sorted(vars(model).items())
        if name.endswith("_") and isinstance(value, int | float | np.ndarray | np.number)
        and not isinstance(value, bool)
    }  # fmt: skip
    said = {
        "estimator": type(model).__name__,
        "parameters": model.get_params(),
        "chosen": {str(c.name): c.value for c in model.report_.choices},
        "kernel": getattr(model.kernel_, "name", type(model.kernel_).__name__),
        "functions": _functions(model.space_),
        "classes": None if fitted.chances is None else [brought.classes[c] for c in model.classes_],
        "balance": getattr(model, "balance_", None),
        "linear": getattr(model, "linear_", None),
        "scaling": model.scaling_,
        "features": brought.prepared.feature_names,
        "encoders": brought.prepared.encoders,
        "fitted": numbers,
    }
    return json.dumps(said, default=_plain, indent=1, allow_nan=False).encode()


def _functions(space: TrialSpace) -> dict[str, object]:
    """Which functions the coefficients are of: the kernel at the landmarks, nodes, or several."""
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


def stem(brought: OwnTable) -> str:
    """The file's name without its ending, for names of downloads."""
    short = "".join(c if c.isalnum() or c in "-_" else "-" for c in brought.table.name)
    return short.rsplit("-", 1)[0][:40].strip("-") or "table"
