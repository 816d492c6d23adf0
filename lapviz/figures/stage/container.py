"""A container of JSON and raw arrays that JavaScript reads without copying.

Layout: uint32 length of the header (little endian), 12 bytes of content hash, the header (JSON,
UTF-8, padded with spaces to a multiple of 8), then the arrays, each at a multiple of 8. In the
header an array is ``{"at": offset, "shape": [...], "type": ...}`` of type "f4", "f8", "f2", "i4"
or "u1", with offsets from the end of the header.

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

Array = np.ndarray
START = CONTRACT["blob"]["start"]  # where the header starts
HALF_TOP = CONTRACT["blob"]["half_top"]
TYPES = {"f4": "<f4", "f8": "<f8", "f2": "<f2", "i4": "<i4", "u1": "u1"}


def f4(array: Array) -> Array:
    """Convert an array to single floats, as it is sent."""
    return np.asarray(array, "f4")


@dataclass(frozen=True)
class Half:
    """An array to be sent as scaled half floats."""

    array: Array


@dataclass(frozen=True)
class Signed:
    """An array whose signs matter however small its entries.

    It is sent as doubles if a single float would round an entry to 0, else as single floats.
    """

    array: Array


def fingerprint(blob: bytes) -> str:
    """The content hash of a blob, in hexadecimal."""
    return blob[4:START].hex()


def pack(tree: Any) -> bytes:
    """Pack a tree of dicts, lists, JSON values, arrays, :class:`Half` and :class:`Signed`."""
    body = bytearray()
    header = json.dumps(
        _extract_arrays(tree, body), separators=(",", ":"), allow_nan=False
    ).encode()
    header += b" " * (-len(header) % 8)
    content = hashlib.blake2b(header, digest_size=START - 4)
    content.update(body)
    return b"".join((struct.pack("<I", len(header)), content.digest(), header, body))


def unpack(blob: bytes) -> Any:
    """Invert :func:`pack`; half floats become float32 arrays."""
    (size,) = struct.unpack_from("<I", blob)
    return _insert_arrays(json.loads(blob[START : START + size]), memoryview(blob)[START + size :])


def _extract_arrays(node: Any, body: bytearray) -> Any:
    """Append the arrays below ``node`` to ``body`` and replace them by references."""
    if isinstance(node, dict):
        return {key: _extract_arrays(value, body) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return [_extract_arrays(value, body) for value in node]
    if isinstance(node, Half):
        values, scale = _half_floats(node.array)
        return _append(values, "f2", body) | {"scale": scale}
    if isinstance(node, Signed):
        underflow = (node.array != 0) & (f4(node.array) == 0)
        return _append(node.array, "f8" if underflow.any() else "f4", body)
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
    """Convert an array to scaled half floats; also return the scale of each leading index."""
    values = np.asarray(array, np.float32)
    flat = np.abs(values.reshape(len(values), -1))
    flat = np.where(np.isfinite(flat), flat, 0)
    top = flat.max(axis=1, initial=0).astype(float)
    least = HALF_TOP * float(np.finfo(np.float32).tiny)  # below it the scale would be 0
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
