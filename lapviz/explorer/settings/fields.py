"""Every setting as text: its name in the URL, how it is read and written, its range.

The URL holds what differs from the data set's own defaults (or the story's), so that links stay
short. Nothing from a URL is trusted: an invalid value is ignored, with a message that says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

from lapviz import datasets
from lapviz.contract import CONTRACT
from lapviz.explorer.host.limits import MAX_LANDMARKS
from lapviz.explorer.settings import drawing, specs
from lapviz.explorer.settings.records import ALONE, AUTO, OPERATORS, PLACES, Settings
from lapviz.explorer.settings.regression_specs import TOPICS, read_handles, topics_of, write_handles
from lapviz.explorer.settings.specs import ImageSpec
from lapviz.explorer.settings.texts import (
    MAX_URL_LABELS,
    integer,
    number,
    one_of,
    read_labels,
    refusal,
    short,
    whole,
    write_labels,
)
from lapviz.fit import Parameter
from lapviz.labels import Label

GROUPS = ("data", "kernel", "operator", "regularisation", "labels", "graph", "view")
_DEFAULTS = Settings()
MOST_PASSES = 100
_READERS = {"marks": read_labels, "handles": read_handles}  # of settings that are lists
_WRITERS = {"marks": write_labels, "handles": write_handles}
_EXTRA_ROWS = {"four_circles": 4}  # labelled points that are not counted in n


@dataclass(frozen=True)
class Field:
    """One setting: its name in the URL, its group, and this host's limits.

    ``name`` is the short name (:data:`lapviz.explorer.settings.records.PLACES`), ``key`` the name
    in the URL, ``group`` what ``?hide=`` refers to. Everything else comes from the parameter.
    """

    name: str
    group: str
    key: str = ""
    low: float | None = None
    high: float | None = None
    only: Callable[[], tuple[str, ...]] | None = None  # fewer choices than the parameter has
    empty: str = ""  # text for None
    auto: bool = False  # whether the data can choose it, though its parameter says nothing of that

    def __post_init__(self):
        object.__setattr__(self, "key", self.key or self.name)

    @property
    def parameter(self) -> Parameter:
        """The description, as the estimators use it."""
        own = {
            "neighbors": specs.N_NEIGHBORS,
            "directions": specs.N_DIRECTIONS,
            "energy_k": specs.ENERGY_NEIGHBORS,
        }
        if self.name in own:  # parameters of an operator, not of a specification
            return own[self.name]
        spec, _, attribute = PLACES[self.name][0].partition(".")
        described = fields(getattr(_DEFAULTS, spec))
        return next(f.metadata["parameter"] for f in described if f.name == attribute)

    @property
    def chooses(self) -> bool:
        """Whether the data can choose it."""
        return self.parameter.auto or self.auto

    @property
    def label(self) -> str:
        """Title of its control."""
        return self.parameter.label

    @property
    def help(self) -> str:
        """A sentence for its control."""
        return self.parameter.help

    @property
    def choices(self) -> tuple[str, ...]:
        """The menu's entries, as registered now."""
        return self.only() if self.only else self.parameter.choices

    def read(self, text: str) -> object:
        """The value of a text.

        Raises
        ------
        ValueError
            If the text is not a valid value; :class:`lapviz.checks.Refused` says why.
        """
        parameter = self.parameter
        if self.name == "marks" and text == self.empty:
            return None  # the drawn labels: written where a story has its own
        if self.name in _READERS:
            return _READERS[self.name](text)
        if text in parameter.words:
            return text
        if self.chooses and text == AUTO:
            return AUTO
        if self.empty and text == self.empty:
            return None
        if parameter.kind == "choice":
            return one_of(lambda: self.choices)(text)
        if parameter.kind == "flag":
            return one_of(lambda: ("0", "1"))(text) == "1"
        low = parameter.low if self.low is None else self.low
        high = parameter.high if self.high is None else self.high
        if parameter.kind == "integer":
            return integer(text) if high is None else whole(int(low), int(high))(text)
        return float(text) if high is None else number(low, high)(text)

    def write(self, value: object) -> str:
        """Inverse of :meth:`read`."""
        if self.name in _WRITERS and not (value is None and self.empty):
            return _WRITERS[self.name](value)
        if self.parameter.kind == "flag":
            return "1" if value else "0"
        return self.empty if value is None else short(value)


FIELDS = (
    Field("n", "data"),
    Field("noise", "data"),
    Field("seed", "data"),
    Field("standardise", "data"),
    Field("per_class", "labels", empty="auto"),
    Field("kernel", "kernel"),
    Field("sigma", "kernel", low=1e-12, high=1e12),
    Field("degree", "kernel", high=12),
    Field("p", "kernel", high=MAX_LANDMARKS),
    Field("landmarks", "kernel"),
    Field("operator", "operator", only=lambda: tuple(OPERATORS)),
    Field("neighbors", "operator"),
    Field("directions", "operator"),
    Field("shift", "operator"),
    Field("turn", "operator"),
    Field("pairs", "operator"),
    Field("energy_k", "operator"),
    Field("also", "operator"),
    Field("share", "operator"),
    Field("mu", "regularisation", high=1e24),
    Field("lam", "regularisation", high=CONTRACT["lam"]["limit"], auto=True),
    Field("filter", "regularisation"),
    Field("term", "regularisation"),
    Field("intercept", "regularisation"),
    Field("balance", "regularisation", empty="none", auto=True),
    Field("passes", "regularisation", high=MOST_PASSES, auto=True),
    Field("ask", "labels"),
    Field("graph", "graph"),
    Field("method", "graph"),
    Field("graph_neighbors", "graph", key="graph_k", high=100),
    Field("alpha", "graph", low=0.001, high=0.999),
    Field("plane", "view"),
    Field("ax", "view"),
    Field("ay", "view"),
    Field("show", "view"),
    Field("beside", "view"),
    Field("form", "view"),
    Field("centres", "view"),
    Field("angles", "view"),
    Field("batches", "view"),
    Field("rate", "view"),
    Field("marks", "labels", key="labels", empty="drawn"),
    Field("topic", "view"),
    Field("along", "view"),
    Field("step", "view", key="m"),
    Field("known", "data", empty="all"),
    Field("unlabelled", "data"),
    Field("tau", "regularisation"),
    Field("weight", "regularisation"),
    Field("ridge", "regularisation"),
    Field("handles", "data", key="points"),
)
BY_NAME = {field.name: field for field in FIELDS}


def to_query(settings: Settings, base: Settings) -> dict[str, str]:
    """URL parameters: the data set or story, and whatever differs from ``base``."""
    query = {"story": settings.story} if settings.story else {"data": settings.data.name}
    for field in FIELDS:
        value = settings.get(field.name)
        if value != base.get(field.name):
            if field.name == "marks" and len(value or ()) > MAX_URL_LABELS:
                continue
            query[field.key] = field.write(value)
    if (drawn := drawing.in_link(settings.data)) is not None:
        query["drawing"] = drawn
    for name, value in settings.data.options:
        if dict(base.data.options).get(name) != value:
            query[f"opt_{name}"] = short(value)
    return query


def from_query(query: Mapping[str, str], base: Settings) -> tuple[Settings, list[str]]:
    """Settings from URL parameters on top of ``base``, and messages about invalid ones."""
    complaints: list[str] = []
    options = dict(base.data.options)
    known = base.data.info.options
    for option in known:
        text = query.get(f"opt_{option.name}")
        if text is not None:
            low, high = option.low, option.high
            read = whole(int(low), int(high)) if option.whole else number(low, high)
            _take(option.label, text, read, lambda v, o=option: options.update({o.name: v}),
                  complaints)  # fmt: skip
    keys = {f"opt_{option.name}" for option in known}
    if any(key.startswith("opt_") and key not in keys for key in query):
        have = ", ".join(sorted(keys)) or "none"
        complaints.append(
            f"The link sets an option that this data set does not have (it has: {have}); "
            "it was ignored."
        )
    settings = base.change(options=tuple(sorted(options.items())))
    info = settings.data.info
    limits = {"n": whole(1, info.max_samples), "noise": number(0, max(info.max_noise, 0.0))}
    changes: dict[str, object] = {}
    for field in FIELDS:
        if field.key in query:
            read = limits.get(field.name, field.read)
            _take(field.label, query[field.key], read,
                  lambda v, f=field: changes.update({f.name: v}), complaints)  # fmt: skip
    tidied = tidy(settings.change(**changes))
    asked = changes.get("operator", tidied.energy.operator)
    if asked != tidied.energy.operator:
        why = "No tangents are known for" if asked == "known" else "There are no images in"
        complaints.append(f"{why} “{info.title}”: the ambient gradient is used instead.")
    if changes.get("form", tidied.view.form) != tidied.view.form:
        complaints.append(
            "d/dθ is shown for data in the plane, the Ornstein–Uhlenbeck generator for “One "
            f"Gaussian”; for “{info.title}” the Dirichlet energy is shown instead."
        )
    if changes.get("plane") == "space" and tidied.view.plane != "space":
        complaints.append(
            f"“{info.title}” has fewer than three features here: it is drawn in the plane."
        )
    if changes.get("topic", tidied.regression.topic) != tidied.regression.topic:
        complaints.append(
            f"“{TOPICS[changes['topic']]}” cannot show the data set “{info.title}”: "
            f"“{TOPICS[tidied.regression.topic]}” is shown instead."
        )
    asked = changes.get("also", ALONE)
    if asked != tidied.mix.second and not tidied.allows(asked):
        complaints.append(
            f"“{OPERATORS[asked]}” is not for “{info.title}”: no second energy is added."
        )
    lost = len(changes.get("marks") or ()) - len(tidied.labels.chosen or ())
    if lost > 0:
        complaints.append(
            f"{lost} of the link's labels {'was' if lost == 1 else 'were'} ignored: a point or "
            "class that this data set does not have, or a point labelled twice."
        )
    return tidied, complaints


def tidy(settings: Settings) -> Settings:
    """The same settings, with axes, labels and tangents that the data set allows."""
    info, view = settings.data.info, settings.view
    changes: dict[str, object] = {}
    if drawing.is_drawn(settings.data):  # its points are what they are
        settings = settings.change(n=info.n_samples, noise=0.0)
    if info.n_features == 2 and view.plane != "features":
        changes["plane"] = "features"
    if view.plane == "space" and info.n_features < specs.LEAST_IN_SPACE:
        changes["plane"] = "features"
    plane = changes.get("plane", view.plane)
    axes = dict.fromkeys(("features", "space", "slice"), info.n_features) | specs.N_AXES
    last = min(axes[plane], info.n_features if plane == "pca" else axes[plane]) - 1
    ax, ay = min(view.ax, last), min(view.ay, last)
    if ax == ay and last > 0:
        ay = ax + 1 if ax < last else ax - 1
    changes["ax"], changes["ay"] = ax, ay
    if settings.data.standardise and not info.real:
        changes["standardise"] = False
    if not settings.allows(settings.energy.operator):
        changes["operator"] = "laplacian"
    if settings.view.form not in settings.forms:
        changes["form"] = "dirichlet"
    if settings.images.shift == settings.images.turn == 0:  # copies would be the images themselves
        changes["shift"] = ImageSpec.shift
    if settings.mix.second != ALONE and not settings.allows(settings.mix.second):
        changes["also"] = ALONE
    if settings.tangents.n_directions != "auto":
        changes["directions"] = min(settings.tangents.n_directions, info.n_features)
    if settings.regression.topic not in topics_of(info):
        changes["topic"] = topics_of(info)[0]
    if settings.labels.chosen is not None:
        last_row = settings.data.n_samples + _EXTRA_ROWS.get(settings.data.name, 0)
        kept = [label for label in settings.labels.chosen if label.index < last_row]
        changes["marks"] = _tidy_labels(kept, info)
    return settings.change(**changes)


def _tidy_labels(labels: list[Label], info: datasets.Info) -> tuple[Label, ...]:
    """The last label of each point; free labels only where the data are two-dimensional."""
    kept = {
        label.key: label
        for label in labels
        if max(label.candidates) < info.n_classes and (not label.free or info.n_features == 2)
    }
    return tuple(kept.values())


def _take(label, text, read, use, complaints) -> None:
    try:
        use(read(text))
    except (ValueError, OverflowError) as error:
        complaints.append(refusal(label, text, error))


assert {field.name for field in FIELDS} <= set(PLACES)
