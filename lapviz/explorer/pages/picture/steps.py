"""The cached steps of a segmentation, its files, and the script that makes them again."""

from __future__ import annotations

import io
import textwrap
from dataclasses import dataclass

import numpy as np

from lapviz import pictures
from lapviz.explorer.compute.cache import once, step
from lapviz.explorer.host.store import STORE, is_token
from lapviz.explorer.pages.picture.settings import PictureSettings, PixelSpec
from lapviz.markdown import Share
from lapviz.pictures import Picture, Segmentation, Segmenter

Array = np.ndarray

COARSE = 40_000  # pixels of the first answer


@dataclass(frozen=True, eq=False)
class OwnPicture:
    """A picture that a visitor has brought, as the store keeps it."""

    picture: Picture
    info = None  # its pixels are no data set of the other pages

    @property
    def nbytes(self) -> int:
        """Bytes that it takes."""
        return self.picture.rgb.nbytes


@dataclass(frozen=True, eq=False)
class Side:
    """Another method's classes beside the segmentation; ``note`` says what they are of."""

    title: str
    note: str
    mask: Array
    step: int


@dataclass(frozen=True, eq=False)
class Answer:
    """A segmentation of the picture, or of every few pixels of it, and methods beside it."""

    result: Segmentation | None
    sides: tuple[Side, ...]
    fine: bool
    sigma: float
    lattice: int

    @property
    def numbers(self) -> dict[str, object]:
        """What stories say of it: the share of each class."""
        shares = self.result.shares if self.result else {}
        return {"shares": {code: Share(share) for code, share in shares.items()}}


def picture(source: str) -> Picture:
    """The picture of a built-in name or a token."""
    if is_token(source):
        return STORE.get(source).picture
    return once(("picture", source), lambda: pictures.load(source))


@step
def segmenter(spec: PixelSpec) -> Segmenter:
    """All that comes before the strokes."""
    return pictures.prepare(
        picture(spec.source),
        weight=spec.weight,
        n_landmarks=spec.p,
        bandwidth=spec.sigma,
        random_state=spec.seed,
    )


def coarse_step(spec: PixelSpec) -> int:
    """Every which pixel the first answer has."""
    return max(1, int(np.ceil(np.sqrt(picture(spec.source).n_pixels / COARSE))))


def answer(settings: PictureSettings, fine: bool) -> Answer:
    """The answer to the strokes: every few pixels at first, or all of them."""
    asked = settings.pixels, settings.strokes, settings.lam
    spec, strokes, lam = asked
    made, coarse = segmenter(spec), coarse_step(spec)
    if settings.scribbled < 2:
        return Answer(None, (), True, made.bandwidth, made.lattice)
    # the coarse answer and the fine one have the coefficients in common
    c, classes = once(("coefficients", asked), lambda: made.coefficients(strokes, lam))
    result = made.classify(c, classes, 1 if fine else coarse)
    sides = _sides(*asked) if fine and settings.beside else ()
    return Answer(result, sides, fine or coarse == 1, made.bandwidth, made.lattice)


@step
def _sides(spec: PixelSpec, strokes: tuple, lam: float) -> tuple[Side, Side]:
    made, coarse = segmenter(spec), coarse_step(spec)
    ridge = pictures.ridge_classes(made, strokes, lam, coarse)
    graph, every = pictures.graph_classes(made, strokes)
    seen = f"at most {pictures.baselines.MOST_RIDGE:,} scribbled pixels; {_every(coarse)}"
    part = f"too large for all pixels: {_every(every)}" if every > 1 else "all pixels"
    return Side("Kernel ridge", seen, ridge, coarse), Side("Graph Laplacian", part, graph, every)


def _every(step: int) -> str:
    return "all pixels" if step == 1 else f"one pixel of {step} × {step}"


def fine(settings: PictureSettings) -> Segmentation:
    """The whole segmentation, for downloads."""
    return segmenter(settings.pixels).segment(settings.strokes, settings.lam)


# What is taken away.


def mask_file(settings: PictureSettings) -> bytes:
    """The mask as an indexed PNG, as large as the picture's file."""
    return pictures.mask_image(fine(settings).mask, picture(settings.source).own_shape)


def cut_out_file(settings: PictureSettings, code: int) -> bytes:
    """One class as a PNG, all else transparent."""
    return pictures.cut_out(picture(settings.source).rgb, fine(settings).mask, code)


def probabilities_file(settings: PictureSettings) -> bytes:
    """An npz file with ``probabilities`` (h, w, K) in half precision, and ``classes`` (K,)."""
    result = fine(settings)
    out = io.BytesIO()
    np.savez_compressed(out, probabilities=result.probabilities.astype(np.float16),
                        classes=np.array(result.codes))  # fmt: skip
    return out.getvalue()


def recipe(settings: PictureSettings) -> str:
    """The script that reads the same picture and makes the same files."""
    if settings.scribbled < 2:
        return "# Scribble two classes first.\n"
    spec = settings.pixels
    name = picture(spec.source).name
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
