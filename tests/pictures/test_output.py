"""Mask and cut-out as files."""

import io

import numpy as np
from PIL import Image

from lapviz import pictures

RGB = np.random.default_rng(0).integers(0, 256, (9, 14, 3), dtype=np.uint8)
MASK = np.random.default_rng(1).integers(0, 9, (9, 14), dtype=np.uint8)


def test_the_masks_index_is_the_class():
    image = Image.open(io.BytesIO(pictures.mask_image(MASK)))
    assert image.mode == "P"
    np.testing.assert_array_equal(np.asarray(image), MASK)
    colours = {tuple(c) for c in np.asarray(image.convert("RGB")).reshape(-1, 3)}
    assert len(colours) == 9


def test_the_cut_out_has_only_its_class():
    image = Image.open(io.BytesIO(pictures.cut_out(RGB, MASK, 4)))
    pixels = np.asarray(image)
    np.testing.assert_array_equal(pixels[..., 3], np.where(MASK == 4, 255, 0))
    np.testing.assert_array_equal(pixels[..., :3][MASK == 4], RGB[MASK == 4])
    assert not pixels[MASK != 4].any()


def test_the_mask_of_a_picture_that_was_scaled_down_is_as_large_as_its_file():
    """1200 × 600, stored on its side: red on the left of the upright picture, blue on the right."""
    upright = np.zeros((1200, 600, 3), np.uint8)
    upright[:, :300, 0] = upright[:, 300:, 2] = 255
    file, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise
    Image.fromarray(np.rot90(upright)).save(file, "JPEG", exif=exif, quality=95)
    file.seek(0)
    picture = pictures.read(file, "sides")
    assert picture.rgb.shape[0] < 1200
    assert picture.own_shape == (1200, 600)
    small = (picture.rgb[..., 2] > picture.rgb[..., 0]).astype(np.uint8)
    mask = np.asarray(Image.open(io.BytesIO(pictures.mask_image(small, picture.own_shape))))
    np.testing.assert_array_equal(mask[:, 2:298], 0)
    np.testing.assert_array_equal(mask[:, 302:], 1)
    assert mask.shape == (1200, 600)
