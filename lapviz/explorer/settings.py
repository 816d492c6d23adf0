"""Every setting of the explorer in one frozen record, and its way to the URL and back.

The URL holds what differs from the data set's own defaults (or the story's), so that links stay
short. Nothing from a URL is trusted: a value that cannot be is left out, with a sentence why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from lapviz import datasets, kernels
from lapviz.estimates import filters
from lapviz.explorer.hosting import MAX_LANDMARKS
from lapviz.spaces import landmarks

MAX_URL_LABELS = 400


@dataclass(frozen=True, order=True)
class Mark:
    """A label that somebody set: row of the data (or -1 and a place in the plane), class code."""

    index: int
    code: int
    place: tuple[float, float] | None = None


@dataclass(frozen=True)
class Settings:
    """All that determines what is on screen. ``None`` means "auto" where a number is expected."""

    data: str = "four_circles"
    n: int = 2000
    noise: float = 0.0
    seed: int = 0
    options: tuple[tuple[str, float], ...] = ()
    per_class: int | None = None
    kernel: str = "gaussian"
    sigma: float | None = None
    degree: int = 3
    p: int = 200
    landmarks: str = "stratified"
    operator: str = "laplacian"
    neighbors: int | None = None
    directions: int | None = None
    mu: float | None = None
    lam: float = 1.0
    filter: str = "tikhonov"
    term: str = "labelled"
    intercept: bool = False
    graph: str = "knn"
    method: str = "harmonic"
    graph_neighbors: int = 10
    alpha: float = 0.99
    plane: str = "features"
    ax: int = 0
    ay: int = 1
    show: str = "learnt"
    marks: tuple[Mark, ...] | None = None
    story: str = ""


@dataclass(frozen=True)
class Field:
    """How one setting is read from text, what it may be, and what to say about it."""

    name: str
    key: str  # in the URL
    group: str  # for ?hide=
    label: str
    help: str
    read: Callable[[str], object]
    write: Callable[[object], str] = str
    choices: tuple[str, ...] = ()


OPERATORS = {
    "laplacian": "Ambient gradient",
    "tangent": "Tangents, learnt",
    "known": "Tangents, known",
}
_EXTRA_ROWS = {"four_circles": 4}  # labelled points that n does not count
KNOWN_TANGENTS = {
    "sphere": "sphere",
    "circle": "sphere",
    "four_circles": "sphere",
    "torus": "torus",
}
PLANES = {
    "features": "Two features",
    "pca": "Principal components",
    "modes": "Two learnt eigenfunctions",
}
GROUPS = ("data", "kernel", "operator", "regularisation", "labels", "graph", "view")


def _number(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = float(text)
        if not low <= value <= high:  # not a number is neither
            raise ValueError(f"must be from {low:g} to {high:g}")
        return value

    return read


def _integer(text: str) -> int:
    """A whole number as people write it: 2000, 2,000 or 2e3."""
    if re.fullmatch(r"\d{1,3}(,\d{3})+", text):
        text = text.replace(",", "")
    if re.fullmatch(r"\d(\.\d+)?[eE]\d{1,2}", text) and float(text) == int(float(text)):
        return int(float(text))
    return int(text)


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = _integer(text)
        if not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return value

    return read


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return read


def _or_auto(read: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: None if text == "auto" else read(text)


def _auto(value: object) -> str:
    return "auto" if value is None else _short(value)


def _short(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _flag(text: str) -> bool:
    return _one_of("0", "1")(text) == "1"


def read_marks(text: str) -> tuple[Mark, ...]:
    """Labels from ``12c1~1.5,-2c0``: row and class, or a place and class, joined by ~."""
    marks = []
    for part in filter(None, text.split("~")):
        where, _, code = part.rpartition("c")
        if "," in where:
            x, y = (_number(-1e9, 1e9)(v) for v in where.split(","))
            marks.append(Mark(-1, _whole(0, 99)(code), (x, y)))
        else:
            marks.append(Mark(_whole(0, 10**9)(where), _whole(0, 99)(code)))
    if len(marks) > MAX_URL_LABELS:
        raise ValueError(f"holds more than {MAX_URL_LABELS} labels")
    return tuple(marks)


def write_marks(marks: tuple[Mark, ...] | None) -> str:
    """Inverse of :func:`read_marks`; places are kept to six digits."""
    where = (f"{m.place[0]:.6g},{m.place[1]:.6g}" if m.place else str(m.index) for m in marks or ())
    return "~".join(f"{w}c{m.code}" for w, m in zip(where, marks or (), strict=True))


FIELDS = (
    Field("n", "n", "data", "Samples n", "How many unlabelled points are drawn.", _integer),
    Field("noise", "noise", "data", "Noise",
          "Standard deviation of the normal noise added to every coordinate.", float, _short),
    Field("seed", "seed", "data", "Seed",
          "Everything random follows this number: data, labels and landmarks.",
          _whole(0, 2**31 - 1)),
    Field("per_class", "per_class", "labels", "Labels per class",
          "How many points of each class are labelled at the start.",
          _or_auto(_whole(1, 500)), _auto),
    Field("kernel", "kernel", "kernel", "Kernel",
          "Shape of the test functions k(·, c). The Gaussian is smoothest; the exponential "
          "follows finer detail.", _one_of(*kernels.names()), choices=kernels.names()),
    Field("sigma", "sigma", "kernel", "Width σ",
          "How far one test function reaches, in the units of the data. Too small and nothing "
          "is shared between points; too large and all detail is lost.",
          _or_auto(_number(1e-12, 1e12)), _auto),
    Field("degree", "degree", "kernel", "Degree",
          "Degree of the polynomial kernel.", _whole(1, 12)),
    Field("p", "p", "kernel", "Test functions p",
          "How many kernel functions span the trial space (at most one per sample). More of "
          "them resolve more detail and cost p² memory.", _whole(1, MAX_LANDMARKS)),
    Field("landmarks", "landmarks", "kernel", "Landmarks",
          "How the centres of the test functions are picked among the samples: one from each "
          "cell of a tree (stratified, no gaps), uniformly at random, or far apart (k-means++).",
          _one_of(*landmarks.names()), choices=landmarks.names()),
    Field("operator", "operator", "operator", "Gradient",
          "Which derivatives the energy counts. The ambient gradient also punishes change "
          "across a noisy curve; tangents, learnt from the data by local PCA or known as on a "
          "sphere, do not.", _one_of(*OPERATORS), choices=tuple(OPERATORS)),
    Field("neighbors", "neighbors", "operator", "Neighbours for tangents",
          "Local PCA takes this many nearest neighbours of each point.",
          _or_auto(_whole(2, 200)), _auto),
    Field("directions", "directions", "operator", "Tangent dimension",
          "How many leading directions of the local PCA count as tangent.",
          _or_auto(_whole(1, 64)), _auto),
    Field("mu", "mu", "regularisation", "RKHS weight μ",
          "Weight of the squared RKHS norm inside the λ-penalty; it keeps the estimate stable "
          "where there is no data.", _or_auto(_number(0, 1e24)), _auto),
    Field("lam", "lam", "regularisation", "Energy weight λ",
          "Weight of the Dirichlet energy: small λ follows the labels, large λ is smooth along "
          "the data.", _number(0, 1e12), _short),
    Field("filter", "filter", "regularisation", "Filter",
          "How frequencies γ are damped by λ.", _one_of(*filters.names()),
          choices=filters.names()),
    Field("term", "term", "regularisation", "Data term",
          "Where the squared error is measured: on the labelled points (the papers' figures) or "
          "over all samples, in frequency form.", _one_of("labelled", "all"),
          choices=("labelled", "all")),
    Field("intercept", "intercept", "regularisation", "Unpenalised constant",
          "Put the constant into the trial space of the estimate. Natural, but with few labels "
          "it can flip whole clusters: try it on the four circles.", _flag,
          lambda v: "1" if v else "0"),
    Field("graph", "graph", "graph", "Graph",
          "Weights of the graph Laplacian: nearest neighbours with self-tuning widths, or all "
          "pairs with a Gaussian of width σ.", _one_of("knn", "dense"), choices=("knn", "dense")),
    Field("method", "method", "graph", "Graph method",
          "Harmonic functions clamp the labels; spreading softens them.",
          _one_of("harmonic", "spreading"), choices=("harmonic", "spreading")),
    Field("graph_neighbors", "graph_k", "graph", "Graph neighbours",
          "Neighbours of each node in the k-NN graph.", _whole(1, 100)),
    Field("alpha", "alpha", "graph", "Spreading α",
          "Share that a node takes from its neighbours; the rest from its own label.",
          _number(0.001, 0.999), _short),
    Field("plane", "plane", "view", "Plane",
          "What the picture's two axes are, for data of more than two features.",
          _one_of(*PLANES), choices=tuple(PLANES)),
    Field("ax", "ax", "view", "Horizontal axis", "Which feature or component runs to the right.",
          _whole(0, 999)),
    Field("ay", "ay", "view", "Vertical axis", "Which feature or component runs upwards.",
          _whole(0, 999)),
    Field("show", "show", "view", "Eigenfunctions of",
          "The learnt operator, or the graph Laplacian on the same points.",
          _one_of("learnt", "graph"), choices=("learnt", "graph")),
    Field("marks", "labels", "labels", "Labels", "The labelled points.", read_marks, write_marks),
)  # fmt: skip
BY_NAME = {field.name: field for field in FIELDS}


@lru_cache(maxsize=256)
def describe(data: str, options: tuple[tuple[str, float], ...] = ()) -> datasets.Info:
    """What is known of a data set before it is drawn."""
    return datasets.info(data, **_options(data, options))


def _options(data: str, options: tuple[tuple[str, float], ...]) -> dict:
    whole = {option.name: option.whole for option in datasets.info(data).options}
    return {name: int(value) if whole[name] else value for name, value in options}


def dataset_options(settings: Settings) -> dict:
    """The generator's own options, as keyword arguments of :func:`lapviz.datasets.load`."""
    return _options(settings.data, settings.options)


def to_query(settings: Settings, base: Settings) -> dict[str, str]:
    """URL parameters: the data set or story, and whatever differs from ``base``."""
    query = {"story": settings.story} if settings.story else {"data": settings.data}
    for field in FIELDS:
        value = getattr(settings, field.name)
        if value != getattr(base, field.name):
            if field.name == "marks" and len(value or ()) > MAX_URL_LABELS:
                continue
            query[field.key] = field.write(value)
    for name, value in settings.options:
        if dict(base.options).get(name) != value:
            query[f"opt_{name}"] = _short(value)
    return query


def from_query(query: Mapping[str, str], base: Settings) -> tuple[Settings, list[str]]:
    """Settings from URL parameters on top of ``base``, and sentences on what was not usable."""
    complaints: list[str] = []
    options = dict(base.options)
    for option in describe(base.data).options:
        text = query.get(f"opt_{option.name}")
        if text is not None:
            low, high = option.low, option.high
            read = _whole(int(low), int(high)) if option.whole else _number(low, high)
            _take(option.label, text, read, lambda v, o=option: options.update({o.name: v}),
                  complaints)  # fmt: skip
    known = {f"opt_{option.name}" for option in describe(base.data).options}
    if any(key.startswith("opt_") and key not in known for key in query):
        have = ", ".join(sorted(known)) or "none"
        complaints.append(
            f"The link sets an option that this data set does not have (it has: {have}); "
            "it was left out."
        )
    settings = replace(base, options=tuple(sorted(options.items())))
    info = describe(settings.data, settings.options)
    limits = {"n": _whole(1, info.max_samples), "noise": _number(0, max(info.max_noise, 0.0))}
    changes: dict[str, object] = {}
    for field in FIELDS:
        if field.key in query:
            read = limits.get(field.name, field.read)
            _take(field.label, query[field.key], read,
                  lambda v, f=field: changes.update({f.name: v}), complaints)  # fmt: skip
    found = tidy(replace(settings, **changes))
    lost = len(changes.get("marks") or ()) - len(found.marks or ())
    if lost > 0:
        complaints.append(
            f"{lost} of the link's labels {'is' if lost == 1 else 'are'} of a point or class that "
            "this data set does not have, or stand twice; left out."
        )
    return found, complaints


def tidy(settings: Settings) -> Settings:
    """The same settings with what cannot be brought back into range: axes, labels, tangents."""
    info = describe(settings.data, settings.options)
    changes: dict[str, object] = {}
    if info.n_features == 2 and settings.plane != "features":
        changes["plane"] = "features"
    plane = changes.get("plane", settings.plane)
    last = {"features": info.n_features, "pca": min(info.n_features, 10), "modes": 16}[plane] - 1
    ax, ay = min(settings.ax, last), min(settings.ay, last)
    if ax == ay and last > 0:
        ay = ax + 1 if ax < last else ax - 1
    changes["ax"], changes["ay"] = ax, ay
    if settings.operator == "known" and settings.data not in KNOWN_TANGENTS:
        changes["operator"] = "laplacian"
    if settings.directions is not None:
        changes["directions"] = min(settings.directions, info.n_features)
    if settings.marks is not None:
        last_row = settings.n + _EXTRA_ROWS.get(settings.data, 0)
        kept = [m for m in settings.marks if m.index < last_row]
        changes["marks"] = _tidy_marks(tuple(kept), info)
    return replace(settings, **changes)


def _tidy_marks(marks: tuple[Mark, ...], info: datasets.Info) -> tuple[Mark, ...]:
    """One label a point, the last one; places only where the data are the plane itself."""
    kept = {
        m.index if m.place is None else m.place: m
        for m in marks
        if m.code < info.n_classes and (m.place is None or info.n_features == 2)
    }
    return tuple(kept.values())


def _take(label, text, read, use, complaints) -> None:
    shown = text if len(text) <= 40 else text[:37] + "…"
    try:
        use(read(text))
    except (ValueError, OverflowError) as error:
        said = str(error)
        why = said if said.startswith(("must", "holds")) else "is not a value it can take"
        complaints.append(f"The link's “{label}” ({shown}) {why}; it was left as it was.")


assert {f.name for f in FIELDS} <= {f.name for f in fields(Settings)}
