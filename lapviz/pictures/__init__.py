"""Pictures as data: one point for each pixel, segmented from a few scribbles.

    file ─read─> Picture ─prepare─> Segmenter ─segment(strokes)─> Segmentation
                   features: CIELAB colour and position, and a weight between the two

Everything that does not depend on the strokes is done once, by :func:`prepare`.
"""

from lapviz.pictures.baselines import graph_classes, ridge_classes
from lapviz.pictures.features import cielab, features
from lapviz.pictures.output import cut_out, mask_image
from lapviz.pictures.reading import MOST_PIXELS, Picture, load, names, read
from lapviz.pictures.segment import Segmentation, Segmenter, prepare
from lapviz.pictures.strokes import ERASER, Stroke, paint, read_strokes, write_strokes

__all__ = [
    "ERASER",
    "MOST_PIXELS",
    "Picture",
    "Segmentation",
    "Segmenter",
    "Stroke",
    "cielab",
    "cut_out",
    "features",
    "graph_classes",
    "load",
    "mask_image",
    "names",
    "paint",
    "prepare",
    "read",
    "read_strokes",
    "ridge_classes",
    "write_strokes",
]
