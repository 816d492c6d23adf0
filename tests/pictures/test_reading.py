"""Pictures from files: every kind is read or refused with a sentence, in bounded memory."""

import io
import re
import struct
import textwrap
import zlib

import numpy as np
import pytest
from PIL import Image, ImageOps
from sklearn.datasets import load_sample_images

from lapviz import pictures
from tests.helpers import printed

RGB = np.random.default_rng(0).integers(0, 256, (20, 30, 3), dtype=np.uint8)


def encoded(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def png(image):
    return encoded(image, "PNG")


def jpeg(image, **options):
    return encoded(image, "JPEG", **options)


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def declared(wide, high, body=b"", depth=8, colour=2):
    """A PNG whose header declares a size, with any compressed body."""
    head = struct.pack(">IIBBBBB", wide, high, depth, colour, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(body))
            + chunk(b"IEND", b""))  # fmt: skip


def read(data, **options):
    return pictures.read(io.BytesIO(data), "test", **options)


# ---- valid files ---------------------------------------------------------------------------


def test_a_png_is_read_unchanged():
    picture = read(png(Image.fromarray(RGB)))
    np.testing.assert_array_equal(picture.rgb, RGB)
    assert (picture.name, picture.done, picture.n_pixels) == ("test", (), 600)


def test_the_built_in_pictures_are_scikit_learns():
    china, flower = load_sample_images().images
    np.testing.assert_array_equal(pictures.load("flower").rgb, flower)
    np.testing.assert_array_equal(pictures.load("china").rgb, china)
    for name in pictures.names():
        assert "CC BY 2.0" in pictures.load(name).credit
    with pytest.raises(ValueError, match="flower, china"):
        pictures.load("mona lisa")


def test_transparent_parts_are_white():
    alpha = np.full((20, 30, 1), 255, np.uint8)
    alpha[:10] = 0
    picture = read(png(Image.fromarray(np.dstack([RGB, alpha]))))
    assert (picture.rgb[:10] == 255).all()
    np.testing.assert_array_equal(picture.rgb[10:], RGB[10:])
    assert "white" in picture.done[0]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_every_mode_becomes_rgb(mode):
    grey = np.tile(np.linspace(0, 255, 30).astype(np.uint8), (20, 1))
    if mode == "I;16":
        image, save = Image.fromarray(grey.astype(np.uint16) * 257), png
    else:
        image = Image.fromarray(grey).convert("RGB").convert(mode)
        save = jpeg if mode == "CMYK" else png
    picture = read(save(image))
    assert picture.rgb.shape == (20, 30, 3)
    tolerance = 128 if mode == "1" else 25 if mode in ("CMYK", "P") else 3
    assert np.abs(picture.rgb.mean(axis=2) - grey).mean() <= tolerance
    if mode == "I;16":
        assert "16 bits" in picture.done[0]
        np.testing.assert_array_equal(picture.rgb[..., 0], grey)


def test_sixteen_bits_a_channel_are_reduced():
    values = np.random.default_rng(0).integers(0, 1 << 16, (20, 30, 3), dtype=np.uint16)
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    picture = read(declared(30, 20, rows, depth=16))
    assert picture.done == ("Its 16 bits were reduced to 8.",)
    assert np.abs(picture.rgb - values / 257).max() < 1


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_is_turned_upright(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    quarters = np.zeros((40, 60, 3), np.uint8)
    quarters[:, 30:, 0] = 255
    quarters[20:, :, 1] = 255
    data = jpeg(Image.fromarray(quarters), exif=exif, quality=95)
    expected = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))))
    picture = read(data)
    np.testing.assert_array_equal(picture.rgb, expected)
    assert picture.rgb.shape[:2] == ((60, 40) if orientation > 4 else (40, 60))


@pytest.mark.parametrize("save", [png, jpeg])
def test_a_large_picture_is_scaled_down(save):
    x = np.linspace(0, 255, 1200).astype(np.uint8)
    large = np.dstack([np.tile(x, (800, 1))] * 3)
    picture = read(save(Image.fromarray(large)), most_pixels=60_000)
    high, wide = picture.rgb.shape[:2]
    assert 57_000 < high * wide <= 60_000
    assert wide / high == pytest.approx(1.5, rel=0.01)
    expected = np.interp(np.linspace(0, 1, wide), np.linspace(0, 1, 1200), x)
    assert np.abs(picture.rgb[..., 0] - expected).max() < 4
    assert "scaled down from 1200 × 800" in picture.done[0]


@pytest.mark.parametrize("most", [0, -5, 2.5, "a"])
def test_a_wrong_number_of_pixels_is_not_the_files_fault(most):
    with pytest.raises(ValueError, match="most_pixels must be an integer of at least 1"):
        read(png(Image.fromarray(RGB)), most_pixels=most)


# ---- invalid files --------------------------------------------------------------------------

GOOD = png(Image.fromarray(RGB))
JPG = jpeg(Image.fromarray(RGB))
PROGRESSIVE = encoded(Image.fromarray(RGB), "JPEG", progressive=True)


def many_chunks():
    """A text chunk that expands to 64 MB."""
    body = b"k\0\0" + zlib.compress(b"\0" * (64 << 20))
    return GOOD[:33] + chunk(b"zTXt", body) + GOOD[33:]


REFUSED = {
    "empty": (b"", "empty"),
    "text": (b"hello, I am no picture", "no PNG or JPEG"),
    "html": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no PNG or JPEG"),
    "gif": (encoded(Image.fromarray(RGB), "GIF"), "no PNG or JPEG"),
    "webp": (encoded(Image.fromarray(RGB), "WEBP"), "no PNG or JPEG"),
    "zip": (b"PK\x03\x04" + b"\0" * 200, "no PNG or JPEG"),
    "eps": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "no PNG or JPEG"),
    "png signature alone": (GOOD[:8], "no PNG or JPEG|broken"),
    "png cut in the header": (GOOD[:20], "no PNG or JPEG|broken"),
    "png cut in the middle": (GOOD[:-700], "broken"),
    "png with flipped bytes": (GOOD[:60] + bytes(b ^ 255 for b in GOOD[60:200]) + GOOD[200:],
                               "broken"),
    "png without data": (declared(30, 20), "broken"),
    "png with too little data": (declared(30, 20, b"\0" * 100), "broken"),
    "bomb of a header": (declared(60_000, 60_000), "too many pixels"),
    "bomb within the sides": (declared(25_000, 25_000), "too many pixels"),
    "bomb with a body": (declared(20_000, 20_000, b"\0" * (1 << 20)), "too many pixels"),
    "bomb of 17 million": (declared(4200, 4200), "16 million"),
    "no width": (declared(0, 20), "broken|no PNG"),
    "huge side": (declared(2**31 - 1, 1), "pixels|broken"),
    "a line": (png(Image.fromarray(np.zeros((1, 300, 3), np.uint8))), "at least 8"),
    "a strip": (png(Image.fromarray(np.zeros((10, 600, 3), np.uint8))), "50 times"),
    "odd bit depth": (declared(30, 20, b"\0" * 2000, depth=7), "broken|no PNG"),
    "text chunk bomb": (many_chunks(), "broken"),
    "jpeg cut": (JPG[: len(JPG) // 2], "broken"),
    "jpeg of markers": (b"\xff\xd8\xff\xe0\0\x10JFIF" + b"\xff" * 400, "broken|no PNG"),
    "jpeg header alone": (JPG[:30], "broken|no PNG"),
    "jpeg bomb": (JPG.replace(struct.pack(">HH", 20, 30), struct.pack(">HH", 65_500, 65_500), 1),
                  "too many pixels"),
    "progressive jpeg of 30 million": (
        PROGRESSIVE.replace(struct.pack(">HH", 20, 30), struct.pack(">HH", 5000, 6000), 1),
        "6,000 × 5,000 pixels; a progressive JPEG may have 24 million"),
    "too many bytes": (GOOD + b"\0" * (33 << 20), "32 MB"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_is_refused_with_one_sentence(name):
    data, pattern = REFUSED[name]
    with pytest.raises(ValueError, match=pattern) as caught:
        read(data)
    message = str(caught.value)
    assert re.fullmatch(r"[A-Z].{,298}\.", message)
    assert "Traceback" not in message


def test_random_damage_gives_a_picture_or_a_sentence():
    for seed in range(60):
        rng, picture, message = np.random.default_rng(seed), None, ""
        data = bytearray(GOOD if seed % 2 else JPG)
        for position in rng.integers(0, len(data), rng.integers(1, 30)):
            data[position] = rng.integers(256)
        try:
            picture = read(bytes(data))
        except ValueError as error:
            message = str(error)
        assert message.endswith(".") if picture is None else picture.rgb.dtype == np.uint8, seed
        assert picture is None or picture.n_pixels <= pictures.MOST_PIXELS


def test_a_text_file_or_a_missing_one_is_refused(tmp_path):
    with pytest.raises(ValueError, match="binary"):
        pictures.read(io.StringIO("text"))
    with pytest.raises(ValueError, match="cannot be read"):
        pictures.read(tmp_path / "nothing.png")
    with pytest.raises(ValueError, match="cannot be read"):
        pictures.read(tmp_path)


@pytest.mark.slow
def test_bombs_take_no_memory(tmp_path):
    """The largest file that is decoded, and all refused ones, in a process limited to 900 MB."""
    for i, (data, _) in enumerate(REFUSED.values()):
        (tmp_path / f"{i}.bin").write_bytes(data)
    largest = Image.new("RGB", (9000, 9000), "red")
    (tmp_path / "large.jpg").write_bytes(jpeg(largest))
    (tmp_path / "large.png").write_bytes(png(Image.new("RGBA", (4000, 4000), "red")))
    script = textwrap.dedent(
        """
        import resource, sys
        from pathlib import Path
        from lapviz import pictures
        from benchmarks.process import peak_mb
        pictures.load("flower")
        before = peak_mb()
        resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))
        for path in sorted(Path(sys.argv[1]).iterdir()):
            try:
                print(path.name, pictures.read(path).rgb.shape)
            except ValueError as error:
                print(path.name, error)
        print("grown", peak_mb() - before)
        """
    )
    lines = printed("-c", script, tmp_path).splitlines()
    assert "large.jpg (632, 632, 3)" in lines
    assert "large.png (632, 632, 3)" in lines
    assert float(lines[-1].split()[1]) < 200
