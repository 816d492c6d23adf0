"""Specifications that the explorer adds to those of a fit: data, labels, view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from lapviz import datasets, operators
from lapviz.explorer.host.store import STORE, is_token
from lapviz.fit import Parameter, Spec
from lapviz.fit.specs import described
from lapviz.labels import Label

PLANES = {
    "space": "In space",
    "features": "Two features",
    "pca": "Principal components",
    "modes": "Two learnt eigenfunctions",
    "slice": "Central slice",
}
SHOWN = {
    "learnt": "Learnt operator",
    "graph": "Graph Laplacian",
    "eigenmaps": "Laplacian eigenmaps",
    "diffusion": "Diffusion maps",
    "neural": "Neural network",
}
FORMS = {
    "dirichlet": "Dirichlet energy",
    "rotation": "Derivative d/dθ",
    "ornstein": "Ornstein–Uhlenbeck",
}
# What a visitor brings, and what a link says that was made with such data.
OWN_DATA = {
    "table": "This link is about somebody's own table, which is not in the link: upload the table "
    "on the page “Your data” to see the same.",
}
N_AXES = {"pca": 10, "modes": 16}  # principal components, eigenfunctions that can be an axis
LEAST_IN_SPACE = 3  # features

DATA = Parameter("data", "Data set", "Which data are drawn.", "four_circles", kind="choice",
                 names=datasets.names)  # fmt: skip
N_SAMPLES = Parameter("n_samples", "Samples n", "How many unlabelled points are drawn.", 2000,
                      "n", kind="integer", low=1)  # fmt: skip
NOISE = Parameter("noise", "Noise",
                  "Standard deviation of the normal noise added to every coordinate.",
                  0.0, low=0)  # fmt: skip
SEED = Parameter("random_state", "Seed",
                 "Seed of all random draws: data, labels and landmarks.",
                 0, kind="integer", low=0, high=2**31 - 1)  # fmt: skip
SOURCE = Parameter("source", "Source", "Where a visitor's own data are found.", "")
OPTIONS = Parameter("options", "Options", "The data set's own options.", ())
STANDARDISE = Parameter("standardise", "Standardise features",
                        "Shift and scale every feature to mean 0 and variance 1, so that none "
                        "outweighs the others in distances.", False, kind="flag")  # fmt: skip
PER_CLASS = Parameter("per_class", "Labels per class",
                      "How many random points of each class are labelled at the start.", None,
                      kind="integer", low=1, high=500)  # fmt: skip
LABELS = Parameter("chosen", "Labels", "The labelled points.", None)
N_NEIGHBORS = Parameter("n_neighbors", "Neighbours for tangents",
                        "Local PCA takes this many nearest neighbours of each point.",
                        "auto", kind="integer", low=2, high=200, auto=True)  # fmt: skip
N_DIRECTIONS = Parameter("n_directions", "Tangent dimension",
                         "How many leading directions of the local PCA count as tangents.",
                         "auto", kind="integer", low=1, high=64, auto=True)  # fmt: skip
ENERGY_NEIGHBORS = Parameter("n_neighbors", "Neighbours in the energy",
                             "Neighbours of each sample in the graph whose energy is counted.",
                             7, "k", kind="integer", low=1, high=100)  # fmt: skip
SECOND = Parameter("second", "Second energy",
                   "Add the energy of another operator, scaled to the trace of the first.",
                   "none", kind="choice",
                   names=lambda: ("none", "laplacian", "tangent", "known", "invariance",
                                  "graph"))  # fmt: skip
SHARE = Parameter("share", "Share of the second",
                  "Weight w of the second energy in (1 − w)·first + w·second.",
                  0.5, "w", low=0, high=1)  # fmt: skip
CRITERION = Parameter("criterion", "Which point next",
                      "Score every point for labelling next, by the energy that even its likeliest "
                      "class would cost, or by how much that class would change the estimate.",
                      "off", kind="choice", names=lambda: ("off", "energy", "change"))  # fmt: skip
PLANE = Parameter("plane", "Plane",
                  "What the axes of the picture show, for data with more than two features. “In "
                  "space”: three features, or the first three principal components; drag to turn. "
                  "“Central slice”: two features, and functions where all others are those of the "
                  "point nearest to the medians; the points stand before and behind it.",
                  "features", kind="choice", names=lambda: tuple(PLANES))  # fmt: skip
AX = Parameter("ax", "Horizontal axis", "Which feature or component the horizontal axis shows.",
               0, kind="integer", low=0, high=999)  # fmt: skip
AY = Parameter("ay", "Vertical axis", "Which feature or component the vertical axis shows.",
               1, kind="integer", low=0, high=999)  # fmt: skip
SHOW = Parameter("show", "Eigenfunctions of",
                 "The learnt operator, or another method on the same points.",
                 "learnt", kind="choice", names=lambda: tuple(SHOWN))  # fmt: skip
BESIDE = Parameter("beside", "Beside the learnt ones",
                   "Each learnt eigenfunction next to the other method's, matched in order and "
                   "sign.", False, kind="flag")  # fmt: skip
FORM = Parameter("form", "Bilinear form",
                 "Whose singular functions are shown: the Dirichlet energy, the derivative d/dθ "
                 "around the origin (data in the plane), or the Ornstein–Uhlenbeck generator (one "
                 "Gaussian).", "dirichlet", kind="choice",
                 names=lambda: tuple(FORMS))  # fmt: skip
CENTRES = Parameter("centres", "Show landmarks",
                    "Mark the landmarks, the centres of the test functions.", False,
                    kind="flag")  # fmt: skip
ANGLES = Parameter("angles", "Compare with the truth",
                   "Errors of each method's eigenvalues, and angles of its eigenspaces to the true "
                   "ones, where these are known.", False, kind="flag")  # fmt: skip
SHIFT = Parameter("shift", "Largest shift", "In pixels: copies of an image are moved up, down and "
                  "sideways by at most this.", 0.5, low=0, high=4)  # fmt: skip
TURN = Parameter("turn", "Largest turn", "In degrees: copies of an image are turned either way by "
                 "at most this.", 10.0, low=0, high=90)  # fmt: skip
PAIRS = Parameter("pairs", "Pairs of copies", "How many pairs of altered copies of each image are "
                  "compared.", 2, kind="integer", low=1, high=20)  # fmt: skip
BATCHES = Parameter("batches", "Batches", "How many batches the network is trained on.", 2000,
                    kind="integer", low=50, high=20_000)  # fmt: skip
RATE = Parameter("rate", "Learning rate", "Step of the gradient descent: it is cut to a third "
                 "after a third of the batches, and again after two.", 5e-3, low=1e-6,
                 high=1)  # fmt: skip


@dataclass(frozen=True)
class DataSpec(Spec):
    """The data, without labels: arguments of :func:`lapviz.datasets.load`.

    ``name`` "table" and "drawn" are a visitor's own data. ``source`` says which: a token of
    :mod:`lapviz.explorer.host.visitors`, or, of a small drawing, its code.
    """

    name: str = described(DATA)
    n_samples: int = described(N_SAMPLES)
    noise: float = described(NOISE)
    random_state: int = described(SEED)
    options: tuple[tuple[str, float], ...] = described(OPTIONS)
    standardise: bool = described(STANDARDISE)
    source: str = described(SOURCE)

    @property
    def private(self) -> bool:
        """Whether these are data that only their visitor may see."""
        return is_token(self.source)

    @property
    def keywords(self) -> dict[str, float | str]:
        """The generator's own options, as keyword arguments of :func:`lapviz.datasets.load`."""
        if self.source:
            return {"source": self.source}
        raw = {"raw": True} if self.info.standardised and not self.standardise else {}
        return _keywords(self.name, self.options) | raw

    @property
    def scales(self) -> bool:
        """Whether features are to be standardised that do not come so."""
        return self.standardise and not self.info.standardised

    @property
    def info(self) -> datasets.Info:
        """Description of the data set, without drawing it."""
        if self.private:
            return STORE.get(self.source).info
        return describe(self.name, self.options, self.source)


@dataclass(frozen=True)
class LabelSpec(Spec):
    """Which points are labelled.

    ``per_class`` labels of each class are drawn; None: the data set's own labels. ``chosen`` are
    labels set by hand, which replace the drawn ones.
    """

    per_class: int | None = described(PER_CLASS)
    chosen: tuple[Label, ...] | None = described(LABELS)


@dataclass(frozen=True)
class MixSpec(Spec):
    """A second energy: (1 − share)·first + share·second, matched by their traces."""

    second: str = described(SECOND)
    share: float = described(SHARE)


@dataclass(frozen=True)
class QuerySpec(Spec):
    """By which criterion the next point to label is chosen; "off": not at all."""

    criterion: str = described(CRITERION)


@dataclass(frozen=True)
class ViewSpec(Spec):
    """The plane of the picture, and which operator's eigenfunctions are shown."""

    plane: str = described(PLANE)
    ax: int = described(AX)
    ay: int = described(AY)
    show: str = described(SHOW)
    beside: bool = described(BESIDE)
    form: str = described(FORM)
    centres: bool = described(CENTRES)
    angles: bool = described(ANGLES)


@dataclass(frozen=True)
class ImageSpec(Spec):
    """Altered copies of images, whose differences are the energy (GAL23 eq. 20)."""

    shift: float = described(SHIFT)
    turn: float = described(TURN)
    pairs: int = described(PAIRS)

    @property
    def operator(self) -> operators.AugmentationDifferences:
        """The operator, for images of 8 × 8 pixels."""
        moves = operators.ImageMoves(self.shift, self.turn)
        return operators.AugmentationDifferences(moves, self.pairs)


@dataclass(frozen=True)
class NeuralSpec(Spec):
    """The training of a network."""

    batches: int = described(BATCHES)
    rate: float = described(RATE)


@lru_cache(maxsize=256)
def describe(
    data: str, options: tuple[tuple[str, float], ...] = (), source: str = ""
) -> datasets.Info:
    """Description of a data set, without drawing it."""
    own_source = {"source": source} if source else {}
    return datasets.info(data, **_keywords(data, options), **own_source)


def _keywords(data: str, options: tuple[tuple[str, float], ...]) -> dict:
    whole = {option.name: option.whole for option in datasets.info(data).options}
    return {name: int(value) if whole[name] else value for name, value in options}
