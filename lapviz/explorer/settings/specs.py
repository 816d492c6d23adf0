"""Specifications that the explorer adds to those of a fit: data, labels, view and others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from lapviz import datasets, operators
from lapviz.estimates.kernel_filters import METHODS
from lapviz.explorer.host.store import STORE, is_token, public_key
from lapviz.figures.curve_scenes import Handle, read_handles, write_handles
from lapviz.fit import Scaling, Spec
from lapviz.labels import Label, read_labels, write_labels
from lapviz.parameters import AUTO, Slider, parameter

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
TOPICS = {
    "stop": "Stop early",
    "slopes": "Slopes",
    "exact": "Exact against Galerkin",
    "manifold": "Noisy manifold",
}
UNLABELLED = {"ignore": "Leave them out", "response": "Use them (Theorem 2.3)"}
START = (
    Handle(0.08, 0.2, 4.0),
    Handle(0.3, 1.0, -2.0),
    Handle(0.55, -0.4, -4.0),
    Handle(0.75, -0.9, 3.0),
    Handle(0.92, 0.5, 2.0),
)
# Kinds of visitors' own data, with the message for a link that was made with such data.
OWN_DATA = {
    "table": "This link is about a table of somebody's own, which is in no link, and which a "
    "reload or two minutes without a connection forgets: another data set is shown. With the "
    "table, begin on the page “Your data”.",
}
N_AXES = {"pca": 10, "modes": 16}  # principal components, and eigenfunctions, that an axis can show
LEAST_IN_SPACE = 3  # features that a picture in space needs


@dataclass(frozen=True)
class DataSpec(Spec):
    """The data, without labels: arguments of :func:`lapviz.datasets.load`.

    ``name`` "table" and "drawn" are a visitor's own data. ``source`` identifies them: a token of
    :mod:`lapviz.explorer.host.visitors`, or the code of a small drawing.
    """

    name: str = "four_circles"
    n_samples: int = parameter(
        2000,
        "Samples n",
        "How many points are drawn, with and without a label or value: more of them show the shape "
        "of the data better, and take longer.",
        symbol="n",
        low=1,
    )
    noise: float = parameter(
        0.0,
        "Noise",
        "Standard deviation of the normal noise added to every coordinate, or to a curve's values.",
        low=0,
    )
    random_state: int = parameter(
        0, "Seed", "Seed of all random draws: data, labels and landmarks.", low=0, high=2**31 - 1
    )
    options: tuple[tuple[str, float], ...] = ()
    standardise: bool = parameter(
        False, "Standardise features",
        "Shift and scale every feature to mean 0 and variance 1, so that none outweighs the "
        "others in distances.",
    )  # fmt: skip
    source: str = ""
    scaling: Scaling | None = None  # of an estimate: how it scales the columns

    @property
    def private(self) -> bool:
        """Whether only their visitor may see these data."""
        return is_token(self.source)

    @property
    def view_key(self) -> str:
        """Name of the data for the browser: while it stays the same, the stage keeps its zoom."""
        parts = (self.name, self.n_samples, self.noise, self.random_state, self.options,
                 self.standardise, public_key(self.source))  # fmt: skip
        return "-".join(map(str, parts))

    @property
    def keywords(self) -> dict[str, float | str]:
        """Options of the generator, as keyword arguments of :func:`lapviz.datasets.load`."""
        if self.source:
            return {"source": self.source}
        raw = {"raw": True} if self.info.standardised and not self.standardise else {}
        return _keywords(self.name, self.options) | raw

    @property
    def scales(self) -> bool:
        """Whether features are to be standardised that are not standardised already."""
        return self.standardise and not self.info.standardised

    @property
    def in_units(self) -> DataSpec:
        """The same data without scaling."""
        return self if self.scaling is None else replace(self, scaling=None)

    @property
    def info(self) -> datasets.Info:
        """Description of the data set, without drawing it."""
        if self.private:
            return STORE.get(self.source).info
        return describe(self.name, self.options, self.source)


@dataclass(frozen=True)
class LabelSpec(Spec):
    """Which points are labelled.

    ``per_class`` labels of each class are drawn; None: the default labels of the data set.
    ``chosen`` are labels set by hand, which replace the drawn ones.
    """

    per_class: int | None = parameter(
        None, "Labels per class", "How many random points of each class are labelled at the start.",
        kind="integer", low=1, high=500, none=AUTO,
        slider=Slider(1, 50, 8, log=True, values=(1, 2, 3, 5, 10, 20, 50)),
    )  # fmt: skip
    chosen: tuple[Label, ...] | None = parameter(
        None, "Labels", "The labelled points.",
        none="drawn", codec=(read_labels, write_labels), key="labels",
    )  # fmt: skip

    @property
    def partial(self) -> bool:
        """Whether a label has several candidate classes; there are no passes then."""
        return any(label.others for label in self.chosen or ())


@dataclass(frozen=True)
class MixSpec(Spec):
    """A second energy: (1 − share)·first + share·second, scaled to equal traces."""

    second: str = parameter(
        "none", "Second energy",
        "Add the energy of another operator, scaled to the trace of the first.",
        names=lambda: ("none", "laplacian", "tangent", "known", "invariance", "graph"),
    )  # fmt: skip
    share: float = parameter(
        0.5, "Share of the second", "Weight w of the second energy in (1 − w)·first + w·second.",
        symbol="w", low=0, high=1, slider=Slider(0.0, 1.0, 0.05),
    )  # fmt: skip


@dataclass(frozen=True)
class QuerySpec(Spec):
    """Criterion that chooses the next point to label; "off": none is chosen."""

    criterion: str = parameter(
        "off", "Which point next",
        "Score every point for labelling next, by the energy that even its likeliest class would "
        "cost, or by how much that class would change the estimate.",
        names=lambda: ("off", "energy", "change"),
    )  # fmt: skip


@dataclass(frozen=True)
class ViewSpec(Spec):
    """The plane of the picture, and which operator's eigenfunctions are shown."""

    plane: str = parameter(
        "features", "Plane",
        "What the axes of the picture show, for data with more than two features. “In space”: "
        "three features, or the first three principal components; drag to turn. “Central slice”: "
        "two features, and functions where all others are those of the point nearest to the "
        "medians; the points stand before and behind it.", names=lambda: tuple(PLANES),
    )  # fmt: skip
    ax: int = parameter(
        0, "Horizontal axis", "Which feature or component the horizontal axis shows.",
        low=0, high=999,
    )  # fmt: skip
    ay: int = parameter(
        1, "Vertical axis", "Which feature or component the vertical axis shows.", low=0, high=999
    )
    show: str = parameter(
        "learnt", "Eigenfunctions of", "The learnt operator, or another method on the same points.",
        names=lambda: tuple(SHOWN),
    )  # fmt: skip
    beside: bool = parameter(
        False, "Beside the learnt ones",
        "Each learnt eigenfunction next to the other method's, matched in order and sign.",
    )  # fmt: skip
    form: str = parameter(
        "dirichlet", "Bilinear form",
        "The form whose singular functions are shown: Dirichlet energy, derivative d/dθ around the "
        "origin (data in the plane), or Ornstein–Uhlenbeck generator (one Gaussian).",
        names=lambda: tuple(FORMS),
    )  # fmt: skip
    centres: bool = parameter(
        False, "Show landmarks", "Mark the landmarks, the centres of the test functions.",
    )  # fmt: skip
    angles: bool = parameter(
        False, "Compare with the truth",
        "Errors of each method's eigenvalues, and angles of its eigenspaces to the true ones, "
        "where these are known.",
    )  # fmt: skip


@dataclass(frozen=True)
class ImageSpec(Spec):
    """Altered copies of images, whose differences are the energy (GAL23 eq. 20)."""

    shift: float = parameter(
        0.5, "Largest shift",
        "In pixels: copies of an image are moved up, down and sideways by at most this.",
        low=0, high=4, slider=Slider(0.0, 2.0, 0.05),
    )  # fmt: skip
    turn: float = parameter(
        10.0, "Largest turn",
        "In degrees: copies of an image are turned either way by at most this.",
        low=0, high=90, slider=Slider(0.0, 45.0, 1.0),
    )  # fmt: skip
    pairs: int = parameter(
        2, "Pairs of copies", "How many pairs of altered copies of each image are compared.",
        low=1, high=20, slider=Slider(1, 10, 1),
    )  # fmt: skip

    @property
    def operator(self) -> operators.AugmentationDifferences:
        """The operator, for images of 8 × 8 pixels."""
        moves = operators.ImageMoves(self.shift, self.turn)
        return operators.AugmentationDifferences(moves, self.pairs)


@dataclass(frozen=True)
class NeuralSpec(Spec):
    """The training of a network."""

    batches: int = parameter(
        2000, "Batches", "How many batches the network is trained on.", low=50, high=20_000
    )
    rate: float = parameter(
        5e-3, "Learning rate",
        "Step of the gradient descent: it is cut to a third after a third of the batches, and "
        "again after two.", low=1e-6, high=1,
    )  # fmt: skip


@dataclass(frozen=True)
class RegressionSpec(Spec):
    """What the Regression page shows, besides data, kernel and energy."""

    topic: str = parameter(
        "stop", "Topic", "Which of the four questions about regression is shown.",
        names=lambda: tuple(TOPICS),
    )  # fmt: skip
    method: str = parameter(
        "cg", "Regularisation", "The method whose path is shown below the curve.",
        names=lambda: tuple(METHODS), key="along",
    )  # fmt: skip
    step: int = parameter(
        5, "Position on the path",
        "Iteration m of conjugate gradient, or the place on another method's path.",
        symbol="m", low=0, high=200, key="m",
    )  # fmt: skip
    known: int | None = parameter(
        None, "Known values",
        "How many of the samples have a known value; the others are unlabelled.",
        kind="integer", low=2, high=100_000, none="all", group="data",
    )  # fmt: skip
    unlabelled: str = parameter(
        "ignore", "Unlabelled samples",
        "Leave samples without a value out, or use their inputs, with the response "
        "(ñ/n)(Y, 0, …, 0).", names=lambda: tuple(UNLABELLED), group="data",
    )  # fmt: skip
    tau: float | str = parameter(
        "auto", "Threshold τ",
        "A larger τ stops earlier: it multiplies the thresholds of rules (8) and (9). Theory needs "
        "more than 1 and more than 1.5; “auto” is 1.1 and 1.6.",
        kind="real", symbol="τ", low=1e-6, high=10, auto=True, group="regularisation",
        slider=Slider(1e-3, 10, 4, log=True),
    )  # fmt: skip
    weight: float = parameter(
        1.0, "Weight of the slopes w",
        "A larger w follows the given slopes more closely, 0 ignores them: weight of the squared "
        "error in the slopes, in units of length².",
        symbol="w", low=0, high=1e6, group="regularisation",
        slider=Slider(1e-4, 1e2, 4, log=True, zero=True),
    )  # fmt: skip
    ridge: float = parameter(
        1e-6, "Ridge ρ",
        "Weight of the squared RKHS norm. Larger values give a smoother curve that misses the "
        "given values by more.", symbol="ρ", low=0, high=1e3, group="regularisation",
        slider=Slider(1e-12, 1, 2, log=True, zero=True),
    )  # fmt: skip
    handles: tuple[Handle, ...] = parameter(
        START, "Points and slopes", "The given points: input, value and slope.",
        codec=(read_handles, write_handles), key="points", group="data",
    )  # fmt: skip


@lru_cache(maxsize=256)
def describe(
    data: str, options: tuple[tuple[str, float], ...] = (), source: str = ""
) -> datasets.Info:
    """Description of a data set, without drawing it."""
    own_source = {"source": source} if source else {}
    return datasets.info(data, **_keywords(data, options), **own_source)


def _keywords(data: str, options: tuple[tuple[str, float], ...]) -> dict:
    described = {option.name: option for option in datasets.info(data).options}
    return {name: int(value) if described[name].integral else value for name, value in options}


def topics_of(info: datasets.Info) -> tuple[str, ...]:
    """Topics that a data set can show."""
    if not info.has_values:
        return tuple(TOPICS)
    if info.n_features == 1:
        return ("stop", "slopes", "exact")
    return ("exact",) if info.n_features == 2 else ("manifold",)
