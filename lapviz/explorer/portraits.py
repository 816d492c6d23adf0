"""Small images of data rows as data URLs, for tables."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np

LEAST = 32  # pixels along the shorter side: a table scales images smoothly, which blurs small ones


def data_url(image: np.ndarray) -> str:
    """A PNG of an image, bytes (height, width) with 255 for ink, in black on white.

    Every pixel becomes a square of several, so that it stays crisp.
    """
    times = max(1, -(-LEAST // min(image.shape)))
    paper = np.kron(255 - image, np.ones((times, times), np.uint8)).astype(np.uint8)
    height, width = paper.shape
    lines = np.hstack([np.zeros((height, 1), np.uint8), paper])  # every line starts with its filter
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),  # 8 bits, grey
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    )
    png = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in parts)
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _chunk(name: bytes, body: bytes) -> bytes:
    check = zlib.crc32(name + body)
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", check)
