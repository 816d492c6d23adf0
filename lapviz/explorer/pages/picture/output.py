"""What a segmented picture gives to take away: files, and the script that makes them again."""

from __future__ import annotations

import io
import textwrap

import numpy as np

from lapviz import pictures
from lapviz.explorer.pages.picture import steps as picture_steps
from lapviz.explorer.pages.picture.settings import PictureSettings


def mask_file(settings: PictureSettings) -> bytes:
    """The mask as an indexed PNG, as large as the picture's file."""
    shape = picture_steps.picture(settings.pixels.source).own_shape
    return pictures.mask_image(picture_steps.fine(settings).mask, shape)


def cut_out_file(settings: PictureSettings, code: int) -> bytes:
    """One class as a PNG, all else transparent."""
    rgb = picture_steps.picture(settings.pixels.source).rgb
    return pictures.cut_out(rgb, picture_steps.fine(settings).mask, code)


def probabilities_file(settings: PictureSettings) -> bytes:
    """An npz file with ``probabilities`` (h, w, K) in half precision, and ``classes`` (K,)."""
    result = picture_steps.fine(settings)
    out = io.BytesIO()
    np.savez_compressed(out, probabilities=result.probabilities.astype(np.float16),
                        classes=np.array(result.codes))  # fmt: skip
    return out.getvalue()


def recipe(settings: PictureSettings) -> str:
    """The script that reads the same picture and makes the same files."""
    if settings.scribbled < 2:
        return "# Scribble two classes first.\n"
    spec = settings.pixels
    name = picture_steps.picture(spec.source).name
    source = f"read({name!r})" if spec.private else f"load({spec.source!r})"
    text = pictures.write_strokes(settings.strokes)
    lines = "\n".join(f'    "{line}"' for line in textwrap.wrap(text, 88))
    return f"""\
from pathlib import Path

from lapviz import pictures

picture = pictures.{source}
strokes = pictures.read_strokes(
{lines}
)
segmenter = pictures.prepare(
    picture,
    weight={spec.weight!r},
    n_landmarks={spec.p!r},
    bandwidth={spec.sigma!r},
    random_state={spec.seed!r},
)
result = segmenter.segment(strokes, lam={settings.lam!r})  # and .probabilities

Path("mask.png").write_bytes(pictures.mask_image(result.mask, picture.own_shape))
for code in result.codes:
    Path(f"class-{{code + 1}}.png").write_bytes(pictures.cut_out(picture.rgb, result.mask, code))
for code, share in result.shares.items():
    print(f"class {{code + 1}}: {{100 * share:.1f}} % of the pixels")
"""
