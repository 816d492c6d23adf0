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


def test_the_cut_out_has_its_class_alone():
    image = Image.open(io.BytesIO(pictures.cut_out(RGB, MASK, 4)))
    found = np.asarray(image)
    np.testing.assert_array_equal(found[..., 3], np.where(MASK == 4, 255, 0))
    np.testing.assert_array_equal(found[..., :3][MASK == 4], RGB[MASK == 4])
    assert not found[MASK != 4].any()
