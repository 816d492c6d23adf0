"""Downloads: the mask as an indexed PNG, and a cut-out with transparency."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from lapviz._extras import pillow
from lapviz.contract import CONTRACT

if TYPE_CHECKING:
    from PIL.Image import Image

Array = np.ndarray
_COLOURS = CONTRACT["themes"]["light"]["classes"]


def mask_image(mask: Array, shape: tuple[int, int] | None = None) -> bytes:
    """Encode the mask as an indexed PNG: a pixel's index is its class code.

    Parameters
    ----------
    mask : uint8 array (h, w)
        Class codes.
    shape : (int, int), optional
        Rows and columns of the PNG, for a picture that was scaled down
        (:attr:`Picture.own_shape`). Each pixel of the PNG has the class of the nearest one of the
        mask.

    Returns
    -------
    bytes
        A PNG file.

    Raises
    ------
    ImportError
        If Pillow is missing.
    """
    pixels = np.ascontiguousarray(mask, np.uint8)
    image = pillow().frombytes("P", mask.shape[::-1], pixels.tobytes())
    palette = [int(c[i : i + 2], 16) for c in _COLOURS for i in (1, 3, 5)]
    image.putpalette(palette)
    if shape is not None:
        height, width = shape
        image = image.resize((width, height), pillow().Resampling.NEAREST)
    return _png(image)


def cut_out(rgb: Array, mask: Array, code: int) -> bytes:
    """Encode the pixels of one class as a PNG, with all others transparent.

    Parameters
    ----------
    rgb : uint8 array (h, w, 3)
        The picture.
    mask : uint8 array (h, w)
        Class codes.
    code : int
        The class.

    Returns
    -------
    bytes
        A PNG file with an alpha channel.

    Raises
    ------
    ImportError
        If Pillow is missing.
    """
    alpha = np.where(mask == code, 255, 0).astype(np.uint8)
    return _png(pillow().fromarray(np.dstack([np.where(alpha[..., None] > 0, rgb, 0), alpha])
                                   .astype(np.uint8)))  # fmt: skip


def _png(image: Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
