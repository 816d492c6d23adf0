"""The cached steps of a segmentation, its files, and the script that reproduces them."""

from __future__ import annotations

import io
import textwrap
from dataclasses import dataclass, replace

import numpy as np

from lapviz import pictures
from lapviz.explorer.compute.cache import once, step
from lapviz.explorer.host.store import STORE, is_token
from lapviz.explorer.pages.picture.settings import PictureSettings, PixelSpec
from lapviz.markdown import Share
from lapviz.pictures import Picture, Segmentation, Segmenter

Array = np.ndarray

COARSE = 40_000  # pixels of the first answer
NO_GRAPH = "no graph: its squares are too coarse for these strokes"


@dataclass(frozen=True, eq=False)
class OwnPicture:
    """A visitor's own picture, as the store keeps it."""

    picture: Picture
    info = None  # its pixels are no data set for the other pages

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return self.picture.rgb.nbytes


@dataclass(frozen=True, eq=False)
class Side:
    """Another method's classes beside the segmentation; ``note`` says of which pixels."""

    title: str
    note: str
    mask: Array
    step: int


@dataclass(frozen=True, eq=False)
class Answer:
    """A segmentation of all pixels (``fine``), or of every few, and other methods beside it."""

    result: Segmentation | None
    sides: tuple[Side, ...]
    fine: bool
    sigma: float
    lattice: int

    @property
    def numbers(self) -> dict[str, object]:
        """Numbers that stories quote: the share of each class."""
        shares = self.result.shares if self.result else {}
        return {"shares": {code: Share(share) for code, share in shares.items()}}


def picture(source: str) -> Picture:
    """The picture with a built-in name or a token."""
    if is_token(source):
        return STORE.get(source).picture
    return once(("picture", source), lambda: pictures.load(source))


def scribbled(settings: PictureSettings) -> int:
    """How many classes are left under the strokes, of which later ones cover earlier ones."""
    source, strokes = settings.source, settings.strokes

    def count() -> int:
        codes = pictures.paint(strokes, picture(source).rgb.shape[:2])
        return len(np.unique(codes[codes >= 0]))

    return once(("scribbled", source, strokes), count)


@step
def segmenter(spec: PixelSpec) -> Segmenter:
    """The steps that come before the strokes."""
    return pictures.prepare(
        picture(spec.source),
        weight=spec.weight,
        n_landmarks=spec.p,
        bandwidth=spec.sigma,
        random_state=spec.seed,
    )


def coarse_step(spec: PixelSpec) -> int:
    """Stride over rows and columns with which the first answer samples the pixels."""
    return max(1, int(np.ceil(np.sqrt(picture(spec.source).n_pixels / COARSE))))


def answer(settings: PictureSettings, fine: bool) -> Answer:
    """Classify the pixels by the strokes: every few pixels, or all of them."""
    arguments = settings.pixels, settings.strokes, settings.lam
    spec, strokes, lam = arguments
    prepared, stride = segmenter(spec), coarse_step(spec)
    fine = fine or stride == 1
    if scribbled(settings) < 2:
        return Answer(None, (), True, prepared.bandwidth, prepared.lattice)
    # the coarse and the fine answer share the coefficients
    c, classes = once(("coefficients", arguments), lambda: prepared.coefficients(strokes, lam))
    result = prepared.classify(c, classes, 1 if fine else stride)
    sides = _sides(*arguments) if fine and settings.beside else ()
    return Answer(result, sides, fine, prepared.bandwidth, prepared.lattice)


@step
def _sides(spec: PixelSpec, strokes: tuple, lam: float) -> tuple[Side, ...]:
    prepared, ridge_step = segmenter(spec), coarse_step(spec)
    ridge = pictures.ridge_classes(prepared, strokes, lam, ridge_step)
    note = f"at most {pictures.baselines.MOST_RIDGE:,} scribbled pixels; {_pixels(ridge_step)}"
    ridge_side = Side("Kernel ridge", note, ridge, ridge_step)
    try:
        graph, graph_step = pictures.graph_classes(prepared, strokes)
    except ValueError:  # too coarse for these scribbles
        return (replace(ridge_side, note=f"{note}; {NO_GRAPH}"),)
    note = f"too large for all pixels: {_pixels(graph_step)}" if graph_step > 1 else "all pixels"
    return ridge_side, Side("Graph Laplacian", note, graph, graph_step)


def _pixels(step: int) -> str:
    return "all pixels" if step == 1 else f"one pixel of {step} × {step}"


def fine(settings: PictureSettings) -> Segmentation:
    """The segmentation of all pixels, for downloads."""
    return segmenter(settings.pixels).segment(settings.strokes, settings.lam)


# Downloads.


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
    """Script that reads the same picture and writes the same files."""
    if scribbled(settings) < 2:
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
