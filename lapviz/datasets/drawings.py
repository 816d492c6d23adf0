"""Drawings: points on a sheet of 4096 × 4096 cells, with a compact code for links and scripts.

The code is text in the URL-safe base64 alphabet. Its bytes:

- version (1); the number of classes K, plus 16 if the sheet is not the default one;
- such a sheet: x₀, y₀ and the steps in x and y, four little-endian 32-bit floats;
- the size of every group as a base-128 number, lowest digits first: points without a class, then
  for each class its unlabelled and its labelled points;
- a bit stream, padded with zeros: for each non-empty group the Rice parameter k in five bits, then
  the gaps between its cells in ascending order, each as gap >> k in unary (ones, then a zero) and
  its k lowest bits. The number of a cell interleaves the bits of its column and row (Morton), so
  that neighbours have close numbers and the gaps are small;
- the three lowest bytes of the CRC-32 of all preceding bytes.

k is the smallest with the shortest stream, so that a drawing has exactly one code.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from dataclasses import dataclass, field

import numpy as np

from lapviz.contract import CONTRACT

Array = np.ndarray
RULES = CONTRACT["drawing"]
BITS, MOST, MOST_IN_LINK = RULES["bits"], RULES["most"], RULES["most_in_link"]
CLASSES, VERSION = RULES["classes"], RULES["version"]
CELLS = 1 << BITS
SHEET: tuple[float, float, float, float] = tuple(map(float, RULES["sheet"]))  # type: ignore[assignment]
CUSTOM_SHEET = 16  # added to the number of classes
FAR = 2.0**30  # largest distance of a sheet's corner from the origin, in steps
UNKNOWN = -1  # class of a point without one
BROKEN = "The code of the drawing is not complete, or was changed on its way: copy it again."


@dataclass(frozen=True, eq=False)
class Drawing:
    """Points on a sheet, in the order of their code.

    Attributes
    ----------
    cells : int array (n, 2)
        Column and row of each point, from 0 to 4095.
    codes : int array (n,)
        Class codes, -1 for a point without a class.
    labelled : boolean array (n,)
        True for points painted as labels; they have a class.
    sheet : tuple of four float
        x and y of cell (0, 0), and the steps between the cells in x and y.
    """

    cells: Array
    codes: Array
    labelled: Array
    sheet: tuple[float, float, float, float] = field(default=SHEET)

    @property
    def X(self) -> Array:
        """Coordinates (n, 2), the same floating-point numbers on every machine."""
        x0, y0, dx, dy = self.sheet
        return np.array([x0, y0]) + np.array([dx, dy]) * self.cells

    @property
    def n_classes(self) -> int:
        """Number of classes, at least two."""
        return max(2, int(self.codes.max(initial=1)) + 1)

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The sheet's x₀, x₁, y₀, y₁."""
        x0, y0, dx, dy = self.sheet
        return x0, x0 + CELLS * dx, y0, y0 + CELLS * dy

    @classmethod
    def of(cls, X, codes=None, labelled=None, sheet=None) -> Drawing:
        """Return the drawing of points, each in the nearest cell.

        Parameters
        ----------
        X : array (n, 2)
        codes : int array (n,), optional
            Class codes from 0 to 9, -1 for none; none by default.
        labelled : boolean array (n,), optional
        sheet : tuple of four float, optional
            By default a sheet around the points with a margin; rounded to 32-bit floats.

        Raises
        ------
        ValueError
            If there are too many points or classes, or shapes do not fit.
        """
        X = np.asarray(X, dtype=float)
        if X.ndim != 2 or X.shape[1] != 2 or not np.isfinite(X).all():
            raise ValueError(f"A drawing has finite points (n, 2); got shape {X.shape}.")
        codes = np.full(len(X), UNKNOWN) if codes is None else np.asarray(codes, dtype=int)
        labelled = np.zeros(len(X), bool) if labelled is None else np.asarray(labelled, bool)
        if codes.shape != (len(X),) or labelled.shape != (len(X),):
            raise ValueError("A drawing needs one class code and one flag for each point.")
        if len(X) > MOST:
            raise ValueError(f"A drawing has at most {MOST} points; got {len(X)}.")
        if len(X) and not UNKNOWN <= codes.min() <= codes.max() < CLASSES:
            raise ValueError(f"A drawing has classes 0 to {CLASSES - 1}, or -1 for none.")
        x0, y0, dx, dy = sheet = _check_sheet(_sheet_around(X) if sheet is None else sheet)
        cells = np.rint((X - [x0, y0]) / [dx, dy]).clip(0, CELLS - 1).astype(int)
        return _ordered(cells, _groups(codes, labelled), sheet)

    @property
    def numbers(self) -> Array:
        """Points (n,) as in the browser: group, row and column as one number each."""
        groups = _groups(self.codes, self.labelled)
        return (groups * CELLS + self.cells[:, 1]) * CELLS + self.cells[:, 0]

    @classmethod
    def of_numbers(cls, numbers, sheet) -> Drawing:
        """The drawing with these numbers (see :attr:`numbers`) on a sheet.

        Raises
        ------
        ValueError
            If there are too many points, or a number is invalid.
        """
        numbers = np.asarray(numbers, dtype=np.int64).reshape(-1)
        groups, cells = np.divmod(numbers, CELLS * CELLS)
        if len(numbers) > MOST or ((groups < 0) | (groups > 2 * CLASSES)).any():
            raise ValueError(BROKEN)
        cells = np.stack([cells % CELLS, cells // CELLS], axis=1)
        return _ordered(cells, groups, _check_sheet(sheet))


def empty() -> Drawing:
    """The empty sheet."""
    return Drawing.of(np.zeros((0, 2)), sheet=SHEET)


def encode(drawing: Drawing) -> str:
    """Encode a drawing as URL-safe text."""
    numbers, groups = _morton(drawing.cells), _groups(drawing.codes, drawing.labelled)
    n_classes, is_custom = drawing.n_classes, drawing.sheet != SHEET
    header = bytes([VERSION, n_classes + CUSTOM_SHEET * is_custom])
    if is_custom:
        header += struct.pack("<4f", *drawing.sheet)
    bits = []
    for group in range(1 + 2 * n_classes):
        members = np.sort(numbers[groups == group])
        size = len(members)  # in base 128, lowest digit first; at most two digits
        header += bytes([size] if size < 128 else [size % 128 + 128, size // 128])
        if size:
            bits.append(_rice(np.diff(members, prepend=0).tolist()))
    stream = "".join(bits)
    stream += "0" * (-len(stream) % 8)
    body = header + int("1" + stream, 2).to_bytes(len(stream) // 8 + 1, "big")[1:]
    text = base64.urlsafe_b64encode(body + _checksum(body))
    return text.decode().rstrip("=")


def decode(code: str) -> Drawing:
    """Decode a drawing.

    Raises
    ------
    ValueError
        If it is not the code of a drawing; the message says why.
    """
    if not isinstance(code, str) or not re.fullmatch(r"[A-Za-z0-9_-]+", code):
        raise ValueError("The code of a drawing has letters, digits, “-” and “_” only.")
    try:
        raw = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    except ValueError as error:
        raise ValueError(BROKEN) from error
    if len(raw) < 5 or raw[-3:] != _checksum(raw[:-3]):
        raise ValueError(BROKEN)
    if raw[0] != VERSION:
        raise ValueError("This drawing was made with another version of this program.")
    drawing = _read(raw[:-3])
    if encode(drawing) != code:  # every drawing has exactly one code
        raise ValueError(BROKEN)
    return drawing


def _read(raw: bytes) -> Drawing:
    n_classes, is_custom = raw[1] % CUSTOM_SHEET, raw[1] >= CUSTOM_SHEET
    position, sheet = 2, SHEET
    if not 2 <= n_classes <= CLASSES:
        raise ValueError(BROKEN)
    if is_custom:
        if len(raw) < position + 16:
            raise ValueError(BROKEN)
        sheet, position = _check_sheet(struct.unpack_from("<4f", raw, position)), position + 16
    sizes = []
    for _ in range(1 + 2 * n_classes):
        size, position = _from_base128(raw, position)
        sizes.append(size)
    if sum(sizes) > MOST:
        raise ValueError(f"A drawing has at most {MOST} points; this one has more.")
    bits = bin(int.from_bytes(b"\1" + raw[position:], "big"))[3:]
    numbers, position = [], 0
    for size in filter(None, sizes):
        members, position = _from_rice(bits, position, size)
        numbers.append(members)
    cells = _from_morton(np.concatenate(numbers) if numbers else np.zeros(0, int))
    return _ordered(cells, np.repeat(np.arange(len(sizes)), sizes), sheet)


def _ordered(cells: Array, groups: Array, sheet: tuple) -> Drawing:
    """Drawing with its points in the order of the code, read-only."""
    order = np.lexsort((_morton(cells), groups))
    groups = groups[order]
    arrays = cells[order], (groups + 1) // 2 - 1, (groups > 0) & (groups % 2 == 0)
    for array in arrays:
        array.flags.writeable = False
    return Drawing(*arrays, sheet)


def _groups(codes: Array, labelled: Array) -> Array:
    """0 for points without a class, then 2c + 1 and, labelled, 2c + 2 for class c."""
    return np.where(codes < 0, 0, 2 * codes + 1 + labelled)


def _sheet_around(X: Array) -> tuple[float, float, float, float]:
    """Sheet around points with a margin of 6 % on each side."""
    if not len(X):
        return SHEET
    low, high = X.min(axis=0), X.max(axis=0)
    span = np.maximum(high - low, 0.4 * (high - low).max())
    span = np.where(span > 0, span, 1.0)
    x0, y0 = 0.5 * (low + high) - 0.56 * span
    dx, dy = 1.12 * span / CELLS
    return x0, y0, dx, dy


def _check_sheet(sheet) -> tuple[float, float, float, float]:
    """Validate a sheet and round its numbers to 32-bit floats."""
    with np.errstate(over="ignore"):  # overflows become infinite, and are refused below
        x0, y0, dx, dy = (float(np.float32(v)) for v in sheet)
    for corner, step in ((x0, dx), (y0, dy)):
        if not (1e-30 <= step <= 1e30 and abs(corner) <= FAR * step):  # NaN is refused too
            raise ValueError("The sheet of the drawing is empty or too far from the origin.")
    return x0, y0, dx, dy


def _checksum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(4, "little")[:3]


def _from_base128(raw: bytes, position: int) -> tuple[int, int]:
    value = 0
    for digit, byte in enumerate(raw[position : position + 2]):  # two digits: up to 16 383
        value += (byte % 128) << (7 * digit)
        if byte < 128:
            return value, position + digit + 1
    raise ValueError(BROKEN)


def _rice(gaps: list[int]) -> str:
    """Encode the gaps of a group: k, then the gaps."""
    k = min(range(2 * BITS), key=lambda k: sum(gap >> k for gap in gaps) + k * len(gaps))
    words = ["1" * (gap >> k) + "0" + (f"{gap % (1 << k):0{k}b}" if k else "") for gap in gaps]
    return f"{k:05b}" + "".join(words)


def _from_rice(bits: str, position: int, size: int) -> tuple[Array, int]:
    """Decode the numbers of a group; returns also the start of the next group."""
    k, position = int(bits[position : position + 5] or "0", 2), position + 5
    numbers, number = np.empty(size, int), 0
    for i in range(size):
        end = bits.find("0", position)
        if end < 0 or end + 1 + k > len(bits):
            raise ValueError(BROKEN)
        number += ((end - position) << k) + int(bits[end + 1 : end + 1 + k] or "0", 2)
        if number >= CELLS * CELLS:
            raise ValueError(BROKEN)
        numbers[i], position = number, end + 1 + k
    return numbers, position


_SPREAD = ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555))


def _morton(cells: Array) -> Array:
    """Number (n,) of each cell, interleaving the bits of column and row."""
    spread = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
    for shift, mask in _SPREAD:
        spread = (spread | spread << shift) & mask
    return spread[:, 0] | spread[:, 1] << 1


def _from_morton(numbers: Array) -> Array:
    """Inverse of :func:`_morton`: cells (n, 2)."""
    cells = np.stack([numbers, numbers >> 1], axis=1).astype(np.int64) & _SPREAD[-1][1]
    for shift, mask in ((1, 0x33333333), (2, 0x0F0F0F0F), (4, 0x00FF00FF), (8, 0x0000FFFF)):
        cells = (cells | cells >> shift) & mask
    return cells
