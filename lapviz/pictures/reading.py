"""Reading pictures from PNG and JPEG files, with bounded memory.

A few bytes can declare any number of pixels. So the format and size are first read from the file's
header, and files that are too large are not decoded; a large JPEG is decoded at a half, a quarter
or an eighth of its size.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, replace
from importlib import resources
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from lapviz._extras import pillow
from lapviz.checks import check_count, quiet

if TYPE_CHECKING:
    from PIL.Image import Image

Array = np.ndarray

MOST_PIXELS = 400_000  # of a segmented picture; larger ones are scaled down
MOST_BYTES = 32 << 20  # of a file
# Pixels that a file may declare; of a progressive JPEG all coefficients are kept in memory.
MOST_DECODED = {"JPEG": 120_000_000, "progressive JPEG": 24_000_000, "PNG": 16_000_000}
LONGEST_SIDE = 30_000
LEAST_SIDE = 8
MOST_RATIO = 50  # of the sides
_WIDE = ("I", "F", "I;16", "I;16B", "I;16L", "I;16N")  # modes of one channel, over 8 bits
_PNG_BITS = 24  # place of the bits of a channel in a PNG file
_ORIENTATION = 0x0112  # EXIF's tag, and the transposes that undo its values
_TURNS = {
    2: "FLIP_LEFT_RIGHT",
    3: "ROTATE_180",
    4: "FLIP_TOP_BOTTOM",
    5: "TRANSPOSE",
    6: "ROTATE_270",
    7: "TRANSVERSE",
    8: "ROTATE_90",
}
_BUILT_IN = {
    "flower": ("flower.jpg", "Photograph of a dahlia: vultilion on Flickr, CC BY 2.0, "
               "from scikit-learn"),
    "china": ("china.jpg", "Photograph of the Summer Palace, Beijing: danielbuechele on Flickr, "
              "CC BY 2.0, from scikit-learn"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture in sRGB.

    Attributes
    ----------
    name : str
    rgb : uint8 array (h, w, 3)
    done : tuple of str
        What was changed in reading, in sentences.
    credit : str
        Author and licence, if known.
    own_shape : (int, int) or None
        Rows and columns of the file's picture, upright, if ``rgb`` was scaled down from it.
    """

    name: str
    rgb: Array
    done: tuple[str, ...] = ()
    credit: str = ""
    own_shape: tuple[int, int] | None = None

    @property
    def n_pixels(self) -> int:
        """Rows times columns."""
        return self.rgb.shape[0] * self.rgb.shape[1]


def names() -> tuple[str, ...]:
    """Names of the built-in pictures.

    Returns
    -------
    tuple of str
        In menu order.
    """
    return tuple(_BUILT_IN)


def load(name: str) -> Picture:
    """Load a built-in picture: scikit-learn's photographs, CC BY 2.0.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    Picture
        Pixels, name, credit, and what was changed in reading.

    Raises
    ------
    ValueError
        If there is no such picture.
    ImportError
        If Pillow is missing.
    """
    if name not in _BUILT_IN:
        raise ValueError(f"There is no picture {name!r}: choose one of {', '.join(names())}.")
    file, credit = _BUILT_IN[name]
    with resources.files("sklearn.datasets.images").joinpath(file).open("rb") as source:
        picture = read(cast(BinaryIO, source), name)
    return replace(picture, credit=credit)


def read(
    source: str | os.PathLike | BinaryIO,
    name: str | None = None,
    *,
    most_pixels: int = MOST_PIXELS,
) -> Picture:
    """Read a PNG or JPEG file, whatever its name says.

    The picture is turned upright by its EXIF orientation and converted to 8-bit sRGB: transparent
    parts are put on white, 16 bits and CMYK are converted, of an animation the first image is
    taken. Colour profiles are ignored. A picture of more than ``most_pixels`` is scaled down.

    Parameters
    ----------
    source : path or binary file object
        The file; an open file stays open.
    name : str, optional
        By default the file's name.
    most_pixels : int, default 400 000
        Largest number of pixels of the result.

    Returns
    -------
    Picture
        Pixels, name, credit, and what was changed in reading.

    Raises
    ------
    ValueError
        If the file cannot be used, or ``most_pixels`` is no whole number from 1 on; the message
        says why and what to change.
    ImportError
        If Pillow is missing.
    """
    image_module = pillow()
    check_count("most_pixels", most_pixels)
    data = _bytes_of(source)
    if name is None:
        path = source if isinstance(source, str | os.PathLike) else getattr(source, "name", "")
        name = os.path.basename(str(path)) or "picture"
    try:
        with quiet():  # Pillow warns of sizes, which are checked here
            return _decoded(data, name, most_pixels)
    except _Refused:
        raise
    except image_module.DecompressionBombError:
        limits = ", ".join(f"{n // 10**6} million ({kind})" for kind, n in MOST_DECODED.items())
        raise ValueError(
            f"This picture announces too many pixels, of which it may have {limits}: scale it down "
            "first."
        ) from None
    except Exception as error:  # a broken file can make a decoder raise anything
        raise ValueError(
            f"This file is broken: it cannot be decoded as a picture ({_short(error)}). Open it "
            "in an image editor and save it again as PNG or JPEG."
        ) from None


class _Refused(ValueError):
    """Why a file is not decoded, as a sentence."""


def _bytes_of(source) -> bytes:
    try:
        if isinstance(source, str | os.PathLike):
            with open(source, "rb") as file:
                data = file.read(MOST_BYTES + 1)
        else:
            data = source.read(MOST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"The file cannot be read: {error.strerror or error}.") from None
    if not isinstance(data, bytes):
        raise ValueError("The file must be opened in binary mode, open(path, 'rb').")
    if not data:
        raise ValueError("The file is empty: choose a PNG or JPEG file.")
    if len(data) > MOST_BYTES:
        raise ValueError(
            f"The file has more than {MOST_BYTES >> 20} MB: scale the picture down first, or save "
            "it as JPEG."
        )
    return data


def _decoded(data: bytes, name: str, most_pixels: int) -> Picture:
    image_module = pillow()
    try:
        image = image_module.open(io.BytesIO(data), formats=("PNG", "JPEG"))
    except image_module.UnidentifiedImageError:
        raise _Refused("This is no PNG or JPEG file: save the picture in one of them.") from None
    wide, high = image.size
    kind = "PNG" if image.format == "PNG" else "JPEG"
    _check_size(wide, high, "progressive JPEG" if image.info.get("progressive") else kind)
    done, n_frames = [], getattr(image, "n_frames", 1)
    if n_frames > 1 and image.format == "PNG":
        done.append(f"Of its {n_frames} images the first was taken.")
    if image.format == "PNG" and data[_PNG_BITS] == 16:
        done.append("Its 16 bits were reduced to 8.")
    size = _fitting(wide, high, most_pixels)
    if size != image.size and image.format != "PNG":  # decoded at a size that still suffices
        image.draft("RGB", size)
    image.load()
    orientation = image.getexif().get(_ORIENTATION, 1)
    original = (wide, high) if orientation in (5, 6, 7, 8) else (high, wide)  # upright
    image = _eight_bits(image, done)
    image = image.resize(_fitting(*image.size, most_pixels), image_module.Resampling.BOX)
    image = _opaque(image, done)
    if orientation in _TURNS:
        image = image.transpose(image_module.Transpose[_TURNS[orientation]])
        done.append("It was turned upright, as its EXIF data say.")
    scaled = image.size[::-1] != original
    if scaled:
        done.append(
            f"It was scaled down from {original[1]} × {original[0]} to {image.width} × "
            f"{image.height} pixels."
        )
    rgb = np.asarray(image, dtype=np.uint8).copy()
    return Picture(name, rgb, tuple(done), own_shape=original if scaled else None)


def _check_size(wide: int, high: int, kind: str) -> None:
    limit = MOST_DECODED[kind]
    if wide * high > limit or max(wide, high) > LONGEST_SIDE:
        raise _Refused(
            f"The picture says that it has {wide:,} × {high:,} pixels; a {kind} may have "
            f"{limit // 1_000_000} million here, and no side over {LONGEST_SIDE:,}: scale it down "
            "first."
        )
    if min(wide, high) < LEAST_SIDE or max(wide, high) > MOST_RATIO * min(wide, high):
        raise _Refused(
            f"The picture has {wide} × {high} pixels: both sides must have at least {LEAST_SIDE}, "
            f"and one not more than {MOST_RATIO} times the other."
        )


def _eight_bits(image: Image, done: list[str]) -> Image:
    """The picture as RGB, or RGBA where it has transparent parts."""
    mode = image.mode
    if mode in _WIDE:
        values = np.asarray(image, dtype=np.float32) / np.float32(257)
        return pillow().fromarray(np.clip(values, 0, 255).round().astype(np.uint8)).convert("RGB")
    if mode == "CMYK":
        done.append("It was converted from CMYK, without a colour profile.")
    transparent = mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
    target = "RGBA" if transparent else "RGB"
    return image if mode == target else image.convert(target)


def _opaque(image: Image, done: list[str]) -> Image:
    """The picture on white."""
    if image.mode == "RGB":
        return image
    extrema: Any = image.getextrema()  # of each of the four bands
    if extrema[3][0] < 255:
        done.append("Its transparent parts were put on white.")
    white = pillow().new("RGBA", image.size, "white")
    white.alpha_composite(image)
    return white.convert("RGB")


def _fitting(wide: int, high: int, most_pixels: int) -> tuple[int, int]:
    """Width and height of at most so many pixels in all, in the same proportion."""
    scale = min(1.0, np.sqrt(most_pixels / (wide * high)))
    return max(int(wide * scale), 1), max(int(high * scale), 1)


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 80 else text[:77] + "…"
