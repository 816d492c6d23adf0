"""A scene as bytes: a container of JSON and raw arrays that JavaScript reads without copying.

Layout: uint32 length of the header (little endian), 12 bytes of content hash, the header (JSON,
UTF-8, padded with spaces to a multiple of 8), then the arrays, each at a multiple of 8. In the
header an array is ``{"at": offset, "shape": [...], "type": ...}`` of type "f4", "f2", "i4" or
"u1", with offsets from the end of the header.

Half floats have one ``scale`` per leading index: the largest entry becomes 2^15, so a mode that
decays over eight orders of magnitude keeps its sign and three digits everywhere, which level lines
far from the data need.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from lapviz.contract import CONTRACT
from lapviz.estimates.filters import first_energy
from lapviz.estimates.labelled import RIDGE_FLOOR
from lapviz.figures.near import near_of
from lapviz.figures.stage.rows import row_of
from lapviz.scenes import Array, Known, Modes, Panel, RidgeModel, Scene

START = CONTRACT["blob"]["start"]  # where the header starts
HALF_TOP = CONTRACT["blob"]["half_top"]
TYPES = {"f4": "<f4", "f2": "<f2", "i4": "<i4", "u1": "u1"}


@dataclass(frozen=True)
class Half:
    """An array to be sent as scaled half floats."""

    array: Array


def encode(scene: Scene) -> bytes:
    """The whole scene as one blob.

    Returns
    -------
    bytes
        Container with the entries ``static`` and ``answer``; see :func:`encode_parts`.
    """
    return pack({"static": static_part(scene), "answer": answer_part(scene)})


def encode_lasting(scene: Scene) -> bytes:
    """The first of the two blobs of :func:`encode_parts`."""
    return pack({"static": static_part(scene)})


def encode_parts(
    scene: Scene, mount: dict[str, Any] | None = None, lasting: bytes | None = None
) -> tuple[bytes, bytes]:
    """The scene as two blobs: the part that depends on data and spectrum only, and the answer.

    The first (grid, points, modes) makes up most of the bytes. Streamlit does not send an
    unchanged message twice, so a change of lambda or of a label costs only the second blob, which
    names the first by its content hash. ``mount`` (key, height, title, knobs) is sent with it;
    ``lasting`` is the first one, where it is known.
    """
    static = lasting or encode_lasting(scene)
    needs = {"needs": fingerprint(static)}
    return static, pack({"answer": answer_part(scene)} | (mount or {}) | needs)


def encode_waiting(waiting: Any, rev: int | None, mount: dict[str, Any]) -> tuple[bytes, bytes]:
    """Two blobs that tell the stage to keep its picture and say why there is no new one."""
    pending = {"words": waiting.words, "spent": waiting.spent, "seconds": waiting.seconds}
    said = {"failed": waiting.failed} if waiting.failed else {"pending": pending}
    return pack({"static": None}), pack({"answer": None, "rev": rev} | mount | said)


def fingerprint(blob: bytes) -> str:
    """The content hash of a blob, in hexadecimal."""
    return blob[4:START].hex()


def static_part(scene: Scene) -> dict[str, Any]:
    """Grid, points and modes; modes that several panels share are sent once."""
    models = _distinct_modes(scene)
    points = scene.points
    truth = points.truth
    return {
        "grid": _grid(scene),
        "points": {
            "xy": None if points.xyz is not None else np.asarray(points.xy, "f4"),
            "xyz": None if points.xyz is None else np.asarray(points.xyz, "f4"),
            "index": np.asarray(points.index, "i4"),
            "truth": None if truth is None else np.asarray(truth, "i4"),
            "images": points.images,
            "notes": None if points.notes is None else list(points.notes),
        },
        "landmarks": None if scene.landmarks is None else np.asarray(scene.landmarks, "f4"),
        "modes": [
            {
                "gamma": [float(g) for g in modes.gamma],
                "gamma1": first_energy(modes.gamma),
                "grid": None if modes.grid is None else Half(modes.grid),
                "points": Half(modes.points),
            }
            for modes in models
        ],
    }


def answer_part(scene: Scene) -> dict[str, Any]:
    """Everything else: settings, labels, and each panel's exact values."""
    models = _distinct_modes(scene)
    return {
        "kind": scene.kind,
        "classes": list(scene.classes),
        "labels": [row_of(label) for label in scene.labels],
        "view": [float(v) for v in scene.view],
        "view_key": scene.view_key,
        "lam": float(scene.lam),
        "mu": float(scene.mu),
        "filter": scene.filter,
        "data_term": scene.data_term,
        "editable": bool(scene.editable),
        "free_labels": bool(scene.free_labels),
        "axes": list(scene.axes),
        "columns": int(scene.columns),
        "rev": scene.rev,
        "hide": list(scene.hide),
        "first": int(scene.first),
        "n_samples": scene.n_samples,
        "seconds": scene.seconds,
        "light": scene.light,
        "about": scene.about,
        "marked": scene.marked,
        "remark": scene.remark,
        "drawing": scene.drawing,
        "filters": {f.name: {"label": f.title, "formula": f.formula} for f in scene.filters},
        "panels": [_panel(panel, models) for panel in scene.panels],
    }


def _distinct_modes(scene: Scene) -> list[Modes]:
    models: list[Modes] = []
    for panel in scene.panels:
        model = panel.model
        if isinstance(model, Modes) and not any(model.points is m.points for m in models):
            models.append(model)
    return models


def _grid(scene: Scene) -> dict[str, Any] | None:
    if scene.grid is None:
        return None
    x, y = scene.grid.x, scene.grid.y
    return {
        "x": [float(x[0]), float(x[-1]), len(x)],
        "y": [float(y[0]), float(y[-1]), len(y)],
        "near": near_of(scene),
    }


def _panel(panel: Panel, models: list[Modes]) -> dict[str, Any]:
    grid = None
    if panel.grid is not None:
        # The values of one output are shown as numbers; of K scores only the winner and its margin.
        grid = np.asarray(panel.grid, "f4") if len(panel.grid) == 1 else Half(panel.grid)
    return {
        "title": panel.title,
        "subtitle": panel.subtitle,
        "note": panel.note,
        "depends": list(panel.depends),
        "accuracy": panel.accuracy,
        "kind": panel.kind or None,
        "grid": grid,
        "points": None if panel.note else np.asarray(panel.points, "f4"),
        "model": _model(panel.model, models),
    }


def _model(model: Modes | RidgeModel | None, models: list[Modes]) -> dict[str, Any] | None:
    if model is None:
        return None
    if isinstance(model, RidgeModel):
        values, floor = dict(model.values), RIDGE_FLOOR
        kernel = {"argument": model.argument, "formula": model.formula, "values": values}
        return {"is": "ridge", **kernel, "floor": floor}
    which = next(k for k, other in enumerate(models) if other.points is model.points)
    return {
        "is": "modes",
        "modes": which,
        "intercept": bool(model.intercept),
        "balance": model.balance,
        "pseudo": float(model.pseudo),
        "fade": None if model.fade is None else np.asarray(model.fade, "f4"),
        "known": None if model.known is None else _known(model.known),
        **_columns(model),
    }


def _columns(model: Modes) -> dict[str, Any]:
    """Representers, turned to the axes of their Gram matrix.

    An estimate for a small lambda is a sum of large multiples of them that nearly cancel: rounded
    as they are, nothing would be left of it. Along an axis with a small eigenvalue the sum is
    small, and so is its rounding.
    """
    gram = model.columns_gram
    if gram is None:
        return dict.fromkeys(("columns_grid", "columns_points", "columns_gram", "columns_turn"))
    _, turn = np.linalg.eigh(np.asarray(gram, float))

    def turned(columns: Array | None) -> Half | None:
        return None if columns is None else Half(np.tensordot(turn.T, columns, 1))

    return {
        "columns_grid": turned(model.columns_grid),
        "columns_points": turned(model.columns_points),
        "columns_gram": np.asarray(gram, float).tolist(),
        "columns_turn": turn.tolist(),
    }


def _known(known: Known) -> dict[str, Any]:
    return {
        "xy": np.asarray(known.xy, "f4"),
        "index": np.asarray(known.index, "i4"),
        "values": np.asarray(known.values, "f4"),
        "offset": float(known.offset),
    }


def pack(tree: Any) -> bytes:
    """Pack a tree of dicts, lists, JSON values, arrays and :class:`Half` arrays."""
    body = bytearray()
    header = json.dumps(
        _extract_arrays(tree, body), separators=(",", ":"), allow_nan=False
    ).encode()
    header += b" " * (-len(header) % 8)
    content = hashlib.blake2b(header, digest_size=START - 4)
    content.update(body)
    return b"".join((struct.pack("<I", len(header)), content.digest(), header, body))


def unpack(blob: bytes) -> Any:
    """The tree back from :func:`pack`'s bytes, half floats as float32 arrays."""
    (size,) = struct.unpack_from("<I", blob)
    return _insert_arrays(json.loads(blob[START : START + size]), memoryview(blob)[START + size :])


def _extract_arrays(node: Any, body: bytearray) -> Any:
    """Replace the arrays below ``node`` by references into ``body``, which grows."""
    if isinstance(node, dict):
        return {key: _extract_arrays(value, body) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return [_extract_arrays(value, body) for value in node]
    if isinstance(node, Half):
        values, scale = _half_floats(node.array)
        return _append(values, "f2", body) | {"scale": scale}
    if isinstance(node, np.ndarray):
        kind = "u1" if node.dtype == np.uint8 else "i4" if node.dtype.kind in "iub" else "f4"
        return _append(node, kind, body)
    if isinstance(node, float) and not np.isfinite(node):
        return None
    if isinstance(node, np.generic):
        return _extract_arrays(node.item(), body)
    return node


def _append(array: Array, kind: str, body: bytearray) -> dict[str, Any]:
    body.extend(b"\0" * (-len(body) % 8))
    reference = {"at": len(body), "shape": list(array.shape), "type": kind}
    body.extend(np.ascontiguousarray(array, TYPES[kind]).tobytes())
    return reference


def _half_floats(array: Array) -> tuple[Array, list[float]]:
    """Scaled half floats of an array and the scale of each leading index."""
    values = np.asarray(array, np.float32)
    flat = np.abs(values.reshape(len(values), -1))
    flat = np.where(np.isfinite(flat), flat, 0)
    top = flat.max(axis=1, initial=0).astype(float)
    least = HALF_TOP * float(np.finfo(np.float32).tiny)  # below it the scale itself would be 0
    scale = np.where(top > least, top / HALF_TOP, 1.0)
    shape = (-1,) + (1,) * (values.ndim - 1)
    return (values / scale.reshape(shape).astype(np.float32)).astype("<f2"), scale.tolist()


def _insert_arrays(node: Any, body: memoryview) -> Any:
    if isinstance(node, list):
        return [_insert_arrays(value, body) for value in node]
    if not isinstance(node, dict):
        return node
    if "at" not in node or "type" not in node:
        return {key: _insert_arrays(value, body) for key, value in node.items()}
    count = int(np.prod(node["shape"]))
    array = np.frombuffer(body, TYPES[node["type"]], count, node["at"]).reshape(node["shape"])
    if node["type"] != "f2":
        return array
    scale = np.asarray(node["scale"], "f4").reshape((-1,) + (1,) * (array.ndim - 1))
    return array.astype("f4") * scale
