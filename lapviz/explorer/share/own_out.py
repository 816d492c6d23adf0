"""Files to take away from a visitor's table: made in memory, when they are asked for."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np

from lapviz.explorer.compute import own_fit
from lapviz.explorer.compute.own_fit import Fitted
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share.own_labels import Estimated
from lapviz.tables import write_csv
from lapviz.tables.names import fresh

Array = np.ndarray


def predictions(data: DataSpec, fitted: Fitted) -> bytes:
    """CSV: the whole table, what is predicted, chances, and whether a row is far away."""
    thing = STORE.get(data.source)
    if fitted.chances is None:
        return written(thing.prepared.beside(thing.table, {"predicted": fitted.predicted}))
    return chances(thing, fitted.predicted, fitted.chances, fitted.far, fitted.model.classes_)


def chances(thing: OwnTable, predicted: Array, shares: Array, far: Array, codes: Array) -> bytes:
    """CSV of class predictions beside the table; rows far from the data have none."""
    names = np.array(thing.classes, dtype=object)
    columns = {"predicted": np.where(far, "", names[predicted])}
    columns |= {f"P({names[c]})": shares[:, k].round(6) for k, c in enumerate(codes)}
    columns["far from the data"] = np.where(far, "yes", "")
    return written(thing.prepared.beside(thing.table, columns))


def written(columns: dict[str, Any]) -> bytes:
    """CSV of columns."""
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding="utf-8", newline="") as file:
        write_csv(columns, file)
        file.flush()
        return raw.getvalue()


def estimates(settings: Settings, found: Estimated) -> bytes:
    """CSV of the Labels page's kernel Laplacian, for every row."""
    thing = STORE.get(settings.data.source)
    return chances(thing, found.predicted, found.chances, found.far, np.arange(len(thing.classes)))


def labels(data: DataSpec, marks: tuple[tuple[int, int], ...]) -> bytes:
    """CSV: every row of the file, its label in the file, and the one set by hand."""
    thing = STORE.get(data.source)
    names = (*thing.classes, None)
    by_hand: list[str | None] = [None] * thing.table.n_rows
    for row, code in marks:
        by_hand[int(thing.prepared.rows[row])] = names[code]
    columns: dict[str, Any] = {"row": np.arange(1, thing.table.n_rows + 1)}
    label = thing.prepared.roles.label
    if label:
        columns[label] = thing.table.column(label)
    return written(columns | {fresh("label by hand", columns): by_hand})


def embedding(data: DataSpec, n_components: int) -> bytes:
    """CSV: every row's place in the embedding."""
    thing = STORE.get(data.source)
    places = own_fit.coordinates(own_fit.embedded(data, n_components), thing.prepared.X)
    columns = {f"component {k + 1}": places[:, k] for k in range(places.shape[1])}
    return written({"row": thing.prepared.rows + 1} | columns)


def parameters(data: DataSpec, fitted: Fitted) -> bytes:
    """JSON: what the model was made with, what it chose, and the numbers that it consists of."""
    thing, model = STORE.get(data.source), fitted.model
    chosen = {name: getattr(model, name) for name in sorted(vars(model)) if _numbers(model, name)}
    kernel = getattr(model.kernel_, "name", type(model.kernel_).__name__)
    said = {
        "estimator": type(model).__name__,
        "parameters": model.get_params(),
        "chosen": {str(c.name): c.value for c in model.report_.choices},
        "kernel": kernel,
        "classes": None if fitted.chances is None else [thing.classes[c] for c in model.classes_],
        "balance": getattr(model, "balance_", None),
        "features": thing.prepared.feature_names,
        "encoders": thing.prepared.encoders,
        "fitted": chosen,
    }
    return json.dumps(said, default=_plain, indent=1, allow_nan=False).encode()


def _numbers(model: object, name: str) -> bool:
    value = getattr(model, name)
    plain = isinstance(value, int | float | np.ndarray | np.number)
    return name.endswith("_") and plain and not isinstance(value, bool)


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return repr(value)


def stem(thing: OwnTable) -> str:
    """The file's name without its ending, for names of downloads."""
    short = "".join(c if c.isalnum() or c in "-_" else "-" for c in thing.table.name)
    return short.rsplit("-", 1)[0][:40].strip("-") or "table"
