"""Every setting as text: into a link and back.

The URL holds what differs from the data set's own defaults (or the story's), so that links stay
short. Nothing from a URL is trusted: an invalid value is ignored, with a message that says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lapviz import kernels
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import ALONE, OPERATORS, SETTINGS, Settings
from lapviz.explorer.settings.specs import LEAST_IN_SPACE, N_AXES, TOPICS, ImageSpec, topics_of
from lapviz.explorer.settings.texts import MAX_URL_LABELS, refusal
from lapviz.parameters import Parameter

GROUPS = ("data", "kernel", "operator", "regularisation", "labels", "graph", "view")
# Of each page the parts that a link switches on (``open=path,plotly``), and their switches' keys.
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
_EXTRA_ROWS = {"four_circles": 4}  # labelled points that are not counted in n


def own_parameters(settings: Settings) -> dict[str, tuple[Parameter, ...]]:
    """What only this data set and this kernel have, by the setting that holds their values."""
    options = (replace(own, key=f"opt_{own.name}") for own in settings.data.info.options)
    shape = kernels.parameters(settings.space.kernel)
    shape = (replace(own, key=own.key or f"kernel_{own.name}") for own in shape)
    return {"options": tuple(options), "kernel_params": tuple(shape)}


def own_values(settings: Settings, name: str) -> dict[str, float]:
    """The values of these, defaults included."""
    defaults = {own.name: own.default for own in own_parameters(settings)[name]}
    return defaults | dict(settings.get(name) or ())


def ranged(settings: Settings, name: str) -> Parameter:
    """A setting with the range that it has on these data."""
    info, described = settings.data.info, SETTINGS[name]
    limits = {"n": info.max_samples, "noise": max(info.max_noise, 0.0)}
    return replace(described, high=limits[name]) if name in limits else described


def to_query(settings: Settings, base: Settings) -> dict[str, str]:
    """URL parameters: the data set or story, and whatever differs from ``base``."""
    query = {"story": settings.story} if settings.story else {"data": settings.data.name}
    query |= differing(list(SETTINGS.values()), settings.get, base.get)
    if len(settings.labels.chosen or ()) > MAX_URL_LABELS:
        query.pop(SETTINGS["marks"].key, None)
    if settings.data.name == drawing.NAME and settings.data.source:
        query["drawing"] = drawing.in_link(settings.data)
    for name, described in own_parameters(settings).items():
        before = {own.name: own.default for own in described} | dict(base.get(name) or ())
        query |= differing(described, own_values(settings, name).get, before.get)
    return query


def differing(described: Sequence[Parameter], get, base) -> dict[str, str]:
    """Texts by keys of the values that are not those of the base."""
    return {
        own.key: own.write(get(own.name)) for own in described if get(own.name) != base(own.name)
    }


def read_values(
    described: Sequence[Parameter], query: Mapping[str, str], complaints: list[str]
) -> dict[str, object]:
    """The values that a link has of these settings; what cannot be used is complained of."""
    values = {}
    for own in described:
        if own.key in query:
            try:
                values[own.name] = own.read(query[own.key], page=True)
            except (ValueError, OverflowError) as error:
                complaints.append(refusal(own.label, query[own.key], error))
    return values


# What is said of a link's setting, or of one value of it, that these data cannot have.
_NOT_HERE = {
    "operator=invariance": "There are no images in “{title}”: the ambient gradient is used "
    "instead.",
    "operator=known": "No tangents are known for “{title}”: the ambient gradient is used instead.",
    "form": "d/dθ is shown for data in the plane, the Ornstein–Uhlenbeck generator for “One "
    "Gaussian”; for “{title}” the Dirichlet energy is shown instead.",
    "plane=space": "“{title}” has fewer than three features here: it is drawn in the plane.",
    "topic": "“{asked}” cannot show the data set “{title}”: “{now}” is shown instead.",
    "also": "“{asked}” is not for “{title}”: no second energy is added.",
}
_TITLES = OPERATORS | TOPICS


def from_query(query: Mapping[str, str], base: Settings) -> tuple[Settings, list[str]]:
    """Settings from URL parameters on top of ``base``, and messages about invalid ones."""
    complaints: list[str] = []
    settings = _own_from(query, base, "options", "opt_", "data set", complaints)
    title = settings.data.info.title
    changes = read_values([ranged(settings, name) for name in SETTINGS], query, complaints)
    settings = settings.change(**changes)
    settings = _own_from(query, settings, "kernel_params", "kernel_", "kernel", complaints)
    tidied = tidy(settings)
    for name in ("operator", "form", "plane", "topic", "also"):
        asked, now = changes.get(name), tidied.get(name)
        words = _NOT_HERE.get(f"{name}={asked}") or _NOT_HERE.get(name)
        if asked not in (None, now) and words:
            titles = {"asked": _TITLES.get(asked), "now": _TITLES.get(now)}
            complaints.append(words.format(title=title, **titles))
    lost = len(changes.get("marks") or ()) - len(tidied.labels.chosen or ())
    if lost > 0:
        complaints.append(
            f"{lost} of the link's labels {'was' if lost == 1 else 'were'} ignored: a point or "
            "class that this data set does not have, or a point labelled twice."
        )
    return tidied, complaints


def _own_from(
    query: Mapping[str, str],
    settings: Settings,
    name: str,
    prefix: str,
    whose: str,
    complaints: list[str],
) -> Settings:
    """Settings with the options of a data set, or the shape of a kernel, that a link has."""
    described = own_parameters(settings)[name]
    keys = {own.key for own in described}
    if any(key.startswith(prefix) and key not in keys for key in query):
        have = ", ".join(sorted(keys)) or "none"
        complaints.append(
            f"The link sets an option that this {whose} does not have (it has: {have}); "
            "it was ignored."
        )
    values = own_values(settings, name) | read_values(described, query, complaints)
    return settings.change(**{name: tuple(sorted(values.items()))})


def tidy(settings: Settings) -> Settings:
    """The same settings, with axes, labels and tangents that the data set allows."""
    if settings.data.name == drawing.NAME:  # its points are what they are
        settings = settings.change(n=settings.data.info.n_samples, noise=0.0)
    info, view = settings.data.info, settings.view
    given = own_values(settings, "kernel_params")
    shape = tuple(
        (own.name, given[own.name])
        for own in own_parameters(settings)["kernel_params"]
        if given[own.name] != own.default
    )
    plane = view.plane
    if info.n_features == 2 or (plane == "space" and info.n_features < LEAST_IN_SPACE):
        plane = "features"
    last = N_AXES.get(plane, info.n_features) - 1
    if plane == "pca":
        last = min(last, info.n_features - 1)
    ax, ay = min(view.ax, last), min(view.ay, last)
    if ax == ay and last > 0:
        ay = ax + 1 if ax < last else ax - 1
    changes: dict[str, object] = {"kernel_params": shape, "plane": plane, "ax": ax, "ay": ay}
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
        changes["marks"] = tuple(
            {  # the last label of each point; free ones only where the data are two-dimensional
                label.key: label
                for label in settings.labels.chosen
                if label.index < last_row
                and max(label.candidates) < info.n_classes
                and (not label.off_sample or info.n_features == 2)
            }.values()
        )
    return settings.change(**changes)
