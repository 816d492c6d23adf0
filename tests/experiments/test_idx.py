"""The reader of idx files: what a test wrote, test images first; files that cannot be read."""

import gzip
import struct

import numpy as np
import pytest

from lapviz.experiments import idx


def content(values):
    values = np.asarray(values, dtype=np.uint8)
    return struct.pack(f">HBB{values.ndim}I", 0, 8, values.ndim, *values.shape) + values.tobytes()


def written(folder, sizes=(3, 4)):
    """Images of 2 × 3 pixels and their classes, the training files gzipped."""
    rng, made = np.random.default_rng(0), []
    for part, n, pack, end in zip(
        idx.PARTS, sizes, (bytes, gzip.compress), ("", ".gz"), strict=True
    ):
        pixels, classes = rng.integers(0, 256, (n, 2, 3)), rng.integers(0, 10, n)
        (folder / f"{part}-images-idx3-ubyte{end}").write_bytes(pack(content(pixels)))
        (folder / f"{part}-labels-idx1-ubyte{end}").write_bytes(pack(content(classes)))
        made.append((pixels.reshape(n, 6), classes))
    return [np.concatenate(its) for its in zip(*made, strict=True)]


@pytest.mark.parametrize("n", [2, 3, 5, 7])
def test_the_first_images_are_the_test_images(n, tmp_path):
    pixels, classes = written(tmp_path)
    X, y = idx.images(tmp_path, n)
    np.testing.assert_array_equal(X, pixels[:n] / 255)
    np.testing.assert_array_equal(y, classes[:n])


def test_what_is_not_needed_is_not_read(tmp_path):
    written(tmp_path)
    (tmp_path / "train-images-idx3-ubyte.gz").unlink()
    assert len(idx.images(tmp_path, 3)[1]) == 3
    with pytest.raises(ValueError, match=r"no file train-images-idx3-ubyte or .*\.gz in"):
        idx.images(tmp_path, 4)


def test_more_than_there_are(tmp_path):
    written(tmp_path)
    with pytest.raises(ValueError, match="has 7 images; 8 were asked for"):
        idx.images(tmp_path, 8)


def test_images_and_labels_of_different_sets(tmp_path):
    written(tmp_path)
    (tmp_path / "t10k-labels-idx1-ubyte").write_bytes(content([1, 2]))
    with pytest.raises(ValueError, match=r"do not belong together: .*\(3, 2, 3\), labels \(2,\)"):
        idx.images(tmp_path, 2)


@pytest.mark.parametrize(
    ("name", "raw", "words"),
    [
        ("a", content(np.ones((2, 3)))[:-1], "says 2 × 3 values and has 5: copy it anew"),
        ("a", content(np.ones((2, 3))) + b"1", "says 2 × 3 values and has 7"),
        ("a", content(np.ones((2, 3)))[:10], "values and has 0"),
        ("a", content([1])[:4], "values and has 0"),
        ("a", b"\x89PNG\r\n", "begins with 89504e47, where 000008"),
        ("a", b"\x00\x00\x0d\x01" + bytes(12), "begins with 00000d01"),  # floats
        ("a", b"", "begins with nothing"),
        ("a", b"\x00\x00\x08", "begins with 000008"),
        ("a.gz", gzip.compress(content([1, 2, 3]))[:-12], "cannot be unpacked: copy it anew"),
        ("a.gz", content([1, 2, 3]), "cannot be unpacked"),
        ("a.gz", gzip.compress(b"abc")[:10] + b"\xff" * 9, "cannot be unpacked"),
    ],
)
def test_a_damaged_file_gets_a_sentence(name, raw, words, tmp_path):
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(ValueError, match=words):
        idx.read(tmp_path / name)


def test_sizes_that_no_memory_has(tmp_path):
    """2⁶⁴ values are not 0 values."""
    path = tmp_path / "a"
    path.write_bytes(struct.pack(">HBB4I", 0, 8, 4, *[2**16] * 4))
    with pytest.raises(ValueError, match="and has 0"):
        idx.read(path)
