"""Images and classes from idx files, the format of MNIST and its successors."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import numpy as np

Array = np.ndarray

PARTS = "t10k", "train"  # test images first
_BYTES = b"\x00\x00\x08"  # start of a file of unsigned bytes; the number of axes follows


def read(path: Path) -> Array:
    """Read an idx file of unsigned bytes, gzipped if its name ends in .gz.

    Raises
    ------
    ValueError
        If the file has another format or is damaged.
    """
    try:
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{path.name} cannot be unpacked: copy it again.") from None
    if raw[:3] != _BYTES or len(raw) < 4:
        raise ValueError(
            f"{path.name} is not an idx file of bytes: it begins with "
            f"{raw[:4].hex() or 'nothing'}, where 000008 and the number of axes are expected."
        )
    start = 4 + 4 * raw[3]
    shape = tuple(np.frombuffer(raw[4:start][: 4 * ((len(raw) - 4) // 4)], dtype=">u4").tolist())
    if len(raw) < start or len(raw) - start != np.prod(shape, dtype=object):
        sizes = " × ".join(map(str, shape))
        raise ValueError(
            f"{path.name} declares {sizes} values and has {max(len(raw) - start, 0)}: copy it "
            "again."
        )
    return np.frombuffer(raw, dtype=np.uint8, offset=start).reshape(shape)


def images(folder: str | Path, n: int) -> tuple[Array, Array]:
    """Read the first n images of a folder in the layout of MNIST, test images first.

    Parameters
    ----------
    folder : path
        Contains ``t10k-images-idx3-ubyte`` and ``t10k-labels-idx1-ubyte``, with or without
        ``.gz``, and the ``train`` files if n exceeds the number of test images.
    n : int

    Returns
    -------
    X : array (n, number of pixels)
        Values between 0 and 1.
    y : int array (n,)

    Raises
    ------
    ValueError
        If a file is missing or damaged, or there are fewer images.
    """
    pixels, classes, n_left = [], [], n
    for part in PARTS:
        x = read(_existing_path(Path(folder), f"{part}-images-idx3-ubyte"))
        y = read(_existing_path(Path(folder), f"{part}-labels-idx1-ubyte"))
        if x.ndim != 3 or y.ndim != 1 or len(x) != len(y):
            raise ValueError(
                f"The {part} files in {folder} do not belong together: images have shape "
                f"{x.shape}, labels {y.shape}."
            )
        pixels.append(x[:n_left].reshape(-1, x.shape[1] * x.shape[2]))
        classes.append(y[:n_left])
        n_left -= len(classes[-1])
        if not n_left:
            return np.vstack(pixels) / 255.0, np.concatenate(classes).astype(int)
    raise ValueError(f"{folder} has {n - n_left} images; {n} were requested.")


def _existing_path(folder: Path, name: str) -> Path:
    path = next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)
    if path is None:
        raise ValueError(f"There is no file {name} or {name}.gz in {folder}.")
    return path
