"""Settings as text: written to a link and read back.

The URL holds what differs from the defaults of the data set (or the story), so that links stay
short. URLs are not trusted: an invalid value is ignored, with a message that says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from lapviz import kernels
from lapviz.checks import Refused
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import ALONE, OPERATORS, SETTINGS, Settings
from lapviz.explorer.settings.specs import LEAST_IN_SPACE, N_AXES, TOPICS, ImageSpec, topics_of
from lapviz.labels import MOST_IN_LINK
from lapviz.parameters import Parameter

# The groups of controls, as ``?hide=`` names them, and their titles.
GROUPS = {
    "data": "Data",
    "kernel": "Kernel",
    "operator": "Energy",
    "regularisation": "Estimate",
    "labels": "Labels",
    "graph": "Graph to compare",
    "view": "Picture",
}
# For each page the parts that a link opens (``open=path,plotly``), and the keys of their switches.
PARTS = {
    "labels": {
        "path": "path-on",
        "seeds": "path-seeds",
        "random": "query-on",
        "plotly": "labels-stage-plotly",
    },
    "eigenfunctions": {"plotly": "eigen-stage-plotly"},
    "regression": {"plotly": "regression-fields-plotly"},
}
# Settings that hold parameters of the data set or the kernel: their prefix in links, and the owner.
_OWN = {"options": ("opt_", "data set"), "kernel_params": ("kernel_", "kernel")}
_EXTRA_ROWS = {"four_circles": 4}  # labelled points in addition to n


def own_parameters(settings: Settings, name: str) -> tuple[Parameter, ...]:
    """Parameters of this data set, or this kernel; ``name`` is the setting that holds values."""
    prefix, _ = _OWN[name]
    of_data = name == "options"
    fields = settings.data.info.options if of_data else kernels.parameters(settings.space.kernel)
    return tuple(replace(field, key=field.key or f"{prefix}{field.name}") for field in fields)


def own_values(settings: Settings, name: str) -> dict[str, float]:
    """Values of these parameters, defaults included."""
    defaults = {field.name: field.default for field in own_parameters(settings, name)}
    return defaults | dict(settings.get(name) or ())


def ranged(settings: Settings, name: str) -> Parameter:
    """Description of a setting, with what it can be for these data."""
    info, described = settings.data.info, SETTINGS[name]
    if name == "class_prior":
        assert described.codec is not None
        read, write = described.codec
        return replace(described, codec=(partial(read, n_classes=info.n_classes), write))
    limits = {"n": info.max_samples, "noise": max(info.max_noise, 0.0)}
    return replace(described, high=limits[name]) if name in limits else described


def to_query(settings: Settings, base: Settings) -> dict[str, str]:
    """URL parameters: the data set or story, and everything that differs from ``base``."""
    query = {"story": settings.story} if settings.story else {"data": settings.data.name}
    query |= differing(SETTINGS.values(), settings.get, base.get)
    if len(settings.labels.chosen or ()) > MOST_IN_LINK or settings.data.private:
        query.pop(SETTINGS["marks"].key, None)
    if settings.data.name == drawing.NAME and settings.data.source:
        query["drawing"] = drawing.LARGE if settings.data.private else settings.data.source
    for name in (name for name in _OWN if settings.get(name) != base.get(name)):
        described = own_parameters(settings, name)
        base_values = {field.name: field.default for field in described}
        base_values |= dict(base.get(name) or ())
        query |= differing(described, own_values(settings, name).get, base_values.get)
    return query


def changed(described: Iterable[Parameter], get, base) -> list[Parameter]:
    """The settings whose values differ from the base."""
    return [field for field in described if get(field.name) != base(field.name)]


def differing(described: Iterable[Parameter], get, base) -> dict[str, str]:
    """Texts, by URL keys, of the values that differ from the base."""
    return {field.key: field.write(get(field.name)) for field in changed(described, get, base)}


def read_values(
    described: Sequence[Parameter], query: Mapping[str, str], complaints: list[str]
) -> dict[str, object]:
    """Read these settings from a link; append a complaint about each invalid value."""
    values = {}
    for field in described:
        if field.key in query:
            try:
                values[field.name] = field.read(query[field.key], page=True)
            except (ValueError, OverflowError) as error:
                complaints.append(refusal(field.label, query[field.key], error))
    return values


def refusal(label: str, text: str, error: Exception) -> str:
    """Message for a value in a link that a reader has refused."""
    excerpt = text if len(text) <= 40 else text[:37] + "…"
    reason = error if isinstance(error, Refused) else "is not a value it can take"
    return f"The link's “{label}” ({excerpt}) {reason}. Ignored."


# Complaints about a link's setting, or one value of it, that these data cannot have.
_NOT_HERE = {
    "operator=invariance": "There are no images in “{title}”: the ambient gradient is used "
    "instead.",
    "operator=known": "No tangents are known for “{title}”: the ambient gradient is used instead.",
    "form": "d/dθ is shown for data in the plane, the Ornstein–Uhlenbeck generator for “One "
    "Gaussian”; for “{title}” the Dirichlet energy is shown instead.",
    "plane=space": "“{title}” has fewer than three features here: it is drawn in the plane.",
    "standardise": "Only the real data sets are standardised: “{label}” is ignored.",
    "shift": "Without turns a shift of 0 would leave the images as they are: {now} is used.",
    "topic": "“{asked}” cannot show the data set “{title}”: “{now}” is shown instead.",
    "also": "“{asked}” is not for “{title}”: no second energy is added.",
}
_SILENT = ("marks", "n", "noise", "ax", "ay")  # counted; a drawing's; shown by the picture
_CHANGED = "The link's “{label}” ({asked}) is not for “{title}” here: “{now}” is used instead."
_TITLES = OPERATORS | TOPICS


def from_query(query: Mapping[str, str], base: Settings) -> tuple[Settings, list[str]]:
    """Settings from URL parameters on top of ``base``, and messages about invalid ones."""
    complaints: list[str] = []
    settings = _own_from(query, base, "options", complaints)
    title = settings.data.info.title
    changes = read_values([ranged(settings, name) for name in SETTINGS], query, complaints)
    settings = settings.change(**changes)
    settings = _own_from(query, settings, "kernel_params", complaints)
    tidied = tidy(settings)
    for name, requested in changes.items():
        current, described = tidied.get(name), SETTINGS[name]
        template = _NOT_HERE.get(f"{name}={requested}", _NOT_HERE.get(name, _CHANGED))
        if requested != current and name not in _SILENT:
            asked = _TITLES.get(requested, described.write(requested))
            now = _TITLES.get(current, described.write(current))
            words = {"title": title, "label": described.label, "asked": asked, "now": now}
            complaints.append(template.format(**words))
    n_lost = len(changes.get("marks") or ()) - len(tidied.labels.chosen or ())
    if n_lost > 0:
        complaints.append(
            f"{n_lost} of the link's labels {'was' if n_lost == 1 else 'were'} ignored: a point or "
            "class that this data set does not have, or a point labelled twice."
        )
    return tidied, complaints


def _own_from(
    query: Mapping[str, str], settings: Settings, name: str, complaints: list[str]
) -> Settings:
    """Read from a link the options of a data set, or the shape parameters of a kernel."""
    described, (prefix, whose) = own_parameters(settings, name), _OWN[name]
    keys = {field.key for field in described}
    if any(key.startswith(prefix) and key not in keys for key in query):
        available = ", ".join(sorted(keys)) or "none"
        complaints.append(
            f"The link sets an option that this {whose} does not have (it has: {available}); "
            "it was ignored."
        )
    values = own_values(settings, name) | read_values(described, query, complaints)
    return settings.change(**{name: tuple(sorted(values.items()))})


def tidy(settings: Settings) -> Settings:
    """Replace axes, labels, operators and topics that the data set does not allow."""
    if settings.data.name == drawing.NAME:  # a drawing determines them
        settings = settings.change(n=settings.data.info.n_samples, noise=0.0)
    info, view = settings.data.info, settings.view
    n_classes, plane = info.n_classes, view.plane
    if info.n_features == 2 or (plane == "space" and info.n_features < LEAST_IN_SPACE):
        plane = "features"
    last = N_AXES.get(plane, info.n_features) - 1
    if plane == "pca":
        last = min(last, info.n_features - 1)
    ax, ay = min(view.ax, last), min(view.ay, last)
    if ax == ay and last > 0:
        ay = ax + 1 if ax < last else ax - 1
    changes: dict[str, object] = {"plane": plane, "ax": ax, "ay": ay}
    if settings.space.kernel_params:  # those of this kernel that are not as by default
        values = own_values(settings, "kernel_params")
        described = own_parameters(settings, "kernel_params")
        changes["kernel_params"] = tuple(
            (field.name, values[field.name])
            for field in described
            if values[field.name] != field.default
        )
    if settings.data.standardise and (not info.real or settings.data.private):
        changes["standardise"] = False
    if not settings.allows(settings.energy.operator):
        changes["operator"] = "laplacian"
    if settings.view.form not in settings.forms:
        changes["form"] = "dirichlet"
    if settings.images.shift == settings.images.turn == 0:  # copies would equal the images
        changes["shift"] = ImageSpec.shift
    if settings.mix.second != ALONE and not settings.allows(settings.mix.second):
        changes["also"] = ALONE
    if settings.tangents.n_directions != "auto":
        changes["directions"] = min(settings.tangents.n_directions, info.n_features)
    if settings.regression.topic not in topics_of(info):
        changes["topic"] = topics_of(info)[0]
    if len(settings.estimate.class_prior or ()) not in (0, n_classes):
        changes["class_prior"] = None
    if settings.labels.chosen is not None:
        last_row = settings.data.n_samples + _EXTRA_ROWS.get(settings.data.name, 0)
        changes["marks"] = tuple(
            {  # the last label of each point; off-sample ones for two-dimensional data only
                label.key: label
                for label in settings.labels.chosen
                if label.index < last_row
                and max(label.candidates) < n_classes
                and (not label.off_sample or info.n_features == 2)
            }.values()
        )
    return settings.change(**changes)
