"""Every setting as text: into a link and back.

The URL holds what differs from the data set's own defaults (or the story's), so that links stay
short. Nothing from a URL is trusted: an invalid value is ignored, with a message that says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lapviz import datasets, kernels
from lapviz.explorer.settings import drawing, specs
from lapviz.explorer.settings.records import ALONE, OPERATORS, SETTINGS, Settings
from lapviz.explorer.settings.regression_specs import TOPICS, topics_of
from lapviz.explorer.settings.specs import ImageSpec
from lapviz.explorer.settings.texts import MAX_URL_LABELS, refusal
from lapviz.labels import Label
from lapviz.parameters import Parameter

GROUPS = ("data", "kernel", "operator", "regularisation", "labels", "graph", "view")
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
    if (drawn := drawing.in_link(settings.data)) is not None:
        query["drawing"] = drawn
    for name, described in own_parameters(settings).items():
        before = {own.name: own.default for own in described} | dict(base.get(name) or ())
        query |= differing(described, own_values(settings, name).get, before.get)
    return query


def differing(described: Sequence[Parameter], get, base) -> dict[str, str]:
    """Texts by keys of the values that are not those of the base."""
    return {
        own.key: own.write(get(own.name)) for own in described if get(own.name) != base(own.name)
    }


def said(
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


def from_query(query: Mapping[str, str], base: Settings) -> tuple[Settings, list[str]]:
    """Settings from URL parameters on top of ``base``, and messages about invalid ones."""
    complaints: list[str] = []
    settings = _own_from(query, base, "options", "opt_", "data set", complaints)
    info = settings.data.info
    changes = said([ranged(settings, name) for name in SETTINGS], query, complaints)
    settings = settings.change(**changes)
    settings = _own_from(query, settings, "kernel_params", "kernel_", "kernel", complaints)
    tidied = tidy(settings)
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
    values = own_values(settings, name) | said(described, query, complaints)
    return settings.change(**{name: tuple(sorted(values.items()))})


def tidy(settings: Settings) -> Settings:
    """The same settings, with axes, labels and tangents that the data set allows."""
    info, view = settings.data.info, settings.view
    changes: dict[str, object] = {}
    if drawing.is_drawn(settings.data):  # its points are what they are
        settings = settings.change(n=info.n_samples, noise=0.0)
    shape = own_parameters(settings)["kernel_params"]
    given = own_values(settings, "kernel_params")
    changes["kernel_params"] = tuple(
        (own.name, given[own.name]) for own in shape if given[own.name] != own.default
    )
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
