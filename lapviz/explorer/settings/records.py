"""All settings of a page as one frozen record of specifications.

It holds the specifications of :mod:`lapviz.fit` unchanged: the cached steps use them as keys, and
*Copy as Python* writes them out. Controls, URL and presets use short names for single settings,
listed in :data:`PLACES`; their descriptions are with the fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lapviz import fit, operators
from lapviz.checks import Refused
from lapviz.contract import CONTRACT
from lapviz.explorer.host.limits import MAX_LANDMARKS
from lapviz.explorer.settings.specs import (
    DataSpec,
    ImageSpec,
    LabelSpec,
    MixSpec,
    NeuralSpec,
    QuerySpec,
    RegressionSpec,
    ViewSpec,
)
from lapviz.parameters import AUTO, Parameter, Slider, descriptions

OPERATORS = {
    AUTO: "From the data",
    "laplacian": "Ambient gradient",
    "tangent": "Learnt tangents",
    "known": "Known tangents",
    "graph": "Graph Laplacian",
    "invariance": "Image shifts and turns",
}
IMAGES = ("digits",)  # data sets of 8 × 8 pixels
ALONE = "none"  # no second energy
# Settings that the data can choose, in the order in which they are chosen; OF_MODES are those that
# the estimator of eigenfunctions has.
CHOOSABLE = ("operator", "p", "sigma", "balance", "passes", "mu", "lam")
OF_MODES = ("p", "sigma", "mu")
KNOWN_TANGENTS = {
    "sphere": "sphere",
    "circle": "sphere",
    "four_circles": "sphere",
    "torus": "torus",
}


@dataclass(frozen=True)
class Chosen:
    """What the data have chosen in settings with numbers in place of "auto".

    Attributes
    ----------
    report : fit.Report
    automatic : bool
        Whether the operator is automatic; scores then fade far from the data.
    required : tuple of int or None
        Labelled rows that the graph over a subsample must contain; None: it is over all rows.
    nodes : bool
        Whether the functions are on the graph's nodes, and not kernel functions.
    """

    report: fit.Report = field(default_factory=fit.Report)
    automatic: bool = False
    required: tuple[int, ...] | None = None
    nodes: bool = False


@dataclass(frozen=True)
class Settings:
    """Specifications of data, labels, fit and view.

    Here ``energy.operator`` may also be "known", for data on a manifold whose tangents are known,
    or "invariance", for images, and ``mix`` may add a second energy; :attr:`operator` resolves all
    this. Settings of :data:`CHOOSABLE` may be "auto"; :mod:`lapviz.explorer.compute.fits` replaces
    them, and records this in ``chosen``.
    """

    data: DataSpec = field(default_factory=DataSpec)
    labels: LabelSpec = field(default_factory=LabelSpec)
    space: fit.SpaceSpec = field(
        default_factory=lambda: fit.SpaceSpec(n_landmarks=200, random_state=0)
    )
    tangents: operators.Tangent = field(default_factory=operators.Tangent)
    images: ImageSpec = field(default_factory=ImageSpec)
    graph_energy: operators.Graph = field(default_factory=operators.Graph)
    mix: MixSpec = field(default_factory=MixSpec)
    energy: fit.EnergySpec = field(default_factory=lambda: fit.EnergySpec(mu="floor"))
    estimate: fit.EstimateSpec = field(default_factory=fit.EstimateSpec)
    baseline: fit.GraphSpec = field(default_factory=fit.GraphSpec)
    query: QuerySpec = field(default_factory=QuerySpec)
    view: ViewSpec = field(default_factory=ViewSpec)
    regression: RegressionSpec = field(default_factory=RegressionSpec)
    neural: NeuralSpec = field(default_factory=NeuralSpec)
    story: str = ""
    chosen: Chosen = field(default_factory=Chosen)

    @property
    def operator(self):
        """Operator in use, a name or an object; "auto" as long as it is not chosen."""
        first = self._single(self.energy.operator)
        if not self.mixes:
            return first
        parts, share = (first, self._single(self.mix.second)), self.mix.share
        return operators.Sum(parts, (round(1 - share, 12), share), match=True)

    @property
    def mixes(self) -> bool:
        """Whether the energy is a sum of two."""
        alone = self.energy.operator == AUTO
        return not alone and self.mix.second not in (ALONE, self.energy.operator)

    @property
    def energies(self) -> tuple[str, ...]:
        """Names of the energies in use."""
        return (self.energy.operator, *([self.mix.second] if self.mixes else []))

    def _single(self, name: str):
        if name == "known":
            return KNOWN_TANGENTS[self.data.name]
        parametrised = {"tangent": self.tangents, "graph": self.graph_energy}
        return self.images.operator if name == "invariance" else parametrised.get(name, name)

    def allows(self, operator: str) -> bool:
        """Whether the data set has what an operator of :data:`OPERATORS` needs."""
        needs = {"known": KNOWN_TANGENTS, "invariance": () if self.data.standardise else IMAGES}
        return operator not in needs or self.data.name in needs[operator]

    @property
    def forms(self) -> tuple[str, ...]:
        """The bilinear forms that make sense for these data."""
        planar, normal = self.data.info.n_features == 2, self.data.name == "gaussian"
        return ("dirichlet", *["rotation"] * planar, *["ornstein"] * normal)

    def automatic(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these settings that the data choose."""
        return tuple(name for name in names if self.get(name) == AUTO)

    def get(self, name: str) -> object:
        """A setting by its short name."""
        value: object = self
        for part in PLACES[name][0].split("."):
            value = getattr(value, part)
        return value

    def change(self, **values: object) -> Settings:
        """Copy with changes, by short names."""
        changes: dict[str, dict[str, object]] = {}
        top_level = {}
        changed = {name: value for name, value in values.items() if self.get(name) != value}
        for name, value in changed.items():
            for place in PLACES[name]:
                spec, _, attribute = place.rpartition(".")
                (changes.setdefault(spec, {}) if spec else top_level)[attribute] = value
        parts = {spec: replace(getattr(self, spec), **new) for spec, new in changes.items()}
        return replace(self, **parts, **top_level) if changed else self


# The group of controls of each specification; single fields may be in another group.
_GROUPS = {
    "data": "data", "labels": "labels", "space": "kernel", "tangents": "operator",
    "images": "operator", "graph_energy": "operator", "mix": "operator", "energy": "operator",
    "estimate": "regularisation", "baseline": "graph", "query": "labels", "view": "view",
    "regression": "view", "neural": "view",
}  # fmt: skip
# Fields that have no control of their own.
_INNER = (
    "space.degree", "space.kernel_params", "space.random_state", "baseline.weights",
    "baseline.bandwidth",
)  # fmt: skip


def read_proportions(text: str, n_classes: int = 0) -> tuple[float, ...]:
    """Class proportions from ``3,1,2``, of any number of classes if ``n_classes`` is 0."""
    try:
        values = tuple(map(float, re.split(r"[\s,:]+", text.strip())))
    except ValueError:
        values = ()
    complete = len(values) == n_classes if n_classes else bool(values)
    if not complete or not all(0 < v < 1e9 for v in values):
        count = f"{n_classes} " if n_classes else ""
        raise Refused(f"must be {count}positive numbers with commas between, one for each class")
    return values


def write_proportions(values: tuple[float, ...]) -> str:
    """Inverse of :func:`read_proportions`."""
    return ",".join(f"{v:.12g}" for v in values)


# What the explorer adds to descriptions: short names, ranges on a page, and sliders.
_ADDED: dict[str, dict] = {
    "data.n_samples": {"name": "n"},
    "data.random_state": {"name": "seed"},
    "labels.chosen": {"name": "marks"},
    "space.bandwidth": {
        "name": "sigma", "page_low": 1e-12, "page_high": 1e12,
        "slider": Slider(0.003, 3, 16, log=True),
    },
    "space.n_landmarks": {"name": "p", "page_high": MAX_LANDMARKS},
    "tangents.n_neighbors": {"name": "neighbors"},
    "tangents.n_directions": {"name": "directions"},
    "graph_energy.n_neighbors": {"name": "energy_k"},
    "mix.second": {"name": "also"},
    "energy.operator": {"names": lambda: tuple(OPERATORS)},
    "energy.mu": {
        "group": "regularisation", "page_high": 1e24,
        "slider": Slider(1e-10, 1e2, 4, log=True, zero=True),
    },
    "estimate.lam": {
        "page_high": CONTRACT["lam"]["limit"], "auto": True,
        "slider": Slider(CONTRACT["lam"]["least"], CONTRACT["lam"]["most"], 1, log=True),
    },
    "estimate.data_term": {"name": "term"},
    "estimate.fit_intercept": {"name": "intercept"},
    "estimate.balance": {"none": "none", "auto": True},
    "estimate.class_prior": {
        "group": "labels", "none": "estimated", "codec": (read_proportions, write_proportions),
    },
    "estimate.scaling": {"none": "none"},
    "estimate.n_passes": {
        "name": "passes", "page_high": 100, "auto": True, "slider": Slider(0, 30, 1),
    },
    "baseline.n_neighbors": {
        "name": "graph_neighbors", "key": "graph_k", "page_high": 100, "slider": Slider(1, 100, 1),
    },
    "baseline.alpha": {
        "page_low": 0.001, "page_high": 0.999, "slider": Slider(0.001, 0.999, 0.01),
    },
    "query.criterion": {"name": "ask"},
    "regression.method": {"name": "along"},
}  # fmt: skip


def _described() -> Iterator[tuple[str, Parameter]]:
    """Places in :class:`Settings`, as “specification.field”, and their descriptions."""
    start = Settings()
    for spec, group in _GROUPS.items():
        for setting in descriptions(getattr(start, spec)):
            place = f"{spec}.{setting.name}"
            if place not in _INNER:
                setting = replace(setting, **_ADDED.get(place, {}))
                key = setting.key or setting.name
                yield place, replace(setting, key=key, group=setting.group or group)


_DESCRIBED = dict(_described())
# Descriptions of the settings by short name; and the fields that hold each one.
SETTINGS: dict[str, Parameter] = {setting.name: setting for setting in _DESCRIBED.values()}
PLACES: dict[str, tuple[str, ...]] = {
    "data": ("data.name",),
    "options": ("data.options",),
    "source": ("data.source",),
    "kernel_params": ("space.kernel_params",),
    "story": ("story",),
} | {setting.name: (place,) for place, setting in _DESCRIBED.items()}
PLACES["seed"] += ("space.random_state",)
