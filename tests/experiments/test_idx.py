"""Reader of idx files: written files, test images first; files that cannot be read."""

import gzip
import struct
from functools import partial

import numpy as np
import pytest

from lapviz.experiments import idx

packed = partial(gzip.compress, mtime=0)  # the same bytes, and test names, in every run


def content(values):
    values = np.asarray(values, dtype=np.uint8)
    return struct.pack(f">HBB{values.ndim}I", 0, 8, values.ndim, *values.shape) + values.tobytes()


def write_images(folder, sizes=(3, 4)):
    """Write images of 2 × 3 pixels and their classes, the training files gzipped."""
    rng, parts = np.random.default_rng(0), []
    for part, n, pack, suffix in zip(
        idx.PARTS, sizes, (bytes, gzip.compress), ("", ".gz"), strict=True
    ):
        pixels, classes = rng.integers(0, 256, (n, 2, 3)), rng.integers(0, 10, n)
        (folder / f"{part}-images-idx3-ubyte{suffix}").write_bytes(pack(content(pixels)))
        (folder / f"{part}-labels-idx1-ubyte{suffix}").write_bytes(pack(content(classes)))
        parts.append((pixels.reshape(n, 6), classes))
    return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]


@pytest.mark.parametrize("n", [2, 3, 5, 7])
def test_the_first_images_are_the_test_images(n, tmp_path):
    pixels, classes = write_images(tmp_path)
    X, y = idx.images(tmp_path, n)
    np.testing.assert_array_equal(X, pixels[:n] / 255)
    np.testing.assert_array_equal(y, classes[:n])


@pytest.mark.parametrize(
    ("removed", "labels", "n", "message"),
    [
        ("train-images-idx3-ubyte.gz", None, 4, r"no file train-images-idx3-ubyte or .*\.gz in"),
        ("", None, 8, "has 7 images; 8 were requested"),
        ("", [1, 2], 2, r"do not belong together: .*\(3, 2, 3\), labels \(2,\)"),
    ],
)
def test_a_folder_with_missing_files_is_refused(removed, labels, n, message, tmp_path):
    write_images(tmp_path)
    if removed:
        (tmp_path / removed).unlink()
        assert len(idx.images(tmp_path, 3)[1]) == 3  # files that are not needed are not read
    if labels:
        (tmp_path / "t10k-labels-idx1-ubyte").write_bytes(content(labels))
    with pytest.raises(ValueError, match=message):
        idx.images(tmp_path, n)


@pytest.mark.parametrize(
    ("name", "raw", "message"),
    [
        ("a", content(np.ones((2, 3)))[:-1], "declares 2 × 3 values and has 5: copy it again"),
        ("a", content(np.ones((2, 3))) + b"1", "declares 2 × 3 values and has 7"),
        ("a", content(np.ones((2, 3)))[:10], "values and has 0"),
        ("a", content([1])[:4], "values and has 0"),
        ("a", b"\x89PNG\r\n", "begins with 89504e47, where 000008"),
        ("a", b"\x00\x00\x0d\x01" + bytes(12), "begins with 00000d01"),  # floats
        ("a", b"", "begins with nothing"),
        ("a", b"\x00\x00\x08", "begins with 000008"),
        ("a.gz", packed(content([1, 2, 3]))[:-12], "cannot be unpacked: copy it again"),
        ("a.gz", content([1, 2, 3]), "cannot be unpacked"),
        ("a.gz", packed(b"abc")[:10] + b"\xff" * 9, "cannot be unpacked"),
        ("a", struct.pack(">HBB4I", 0, 8, 4, *[2**16] * 4), "and has 0"),  # 2⁶⁴ values, not none
    ],
)
def test_a_damaged_file_is_refused(name, raw, message, tmp_path):
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(ValueError, match=message):
        idx.read(tmp_path / name)
