"""Widgets, one function for each group of settings, built from the table of descriptions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from lapviz import datasets
from lapviz.checks import Refused
from lapviz.datasets import drawings
from lapviz.explorer.compute import fits, points
from lapviz.explorer.session import state, user_data, widget_keys
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.fields import own_parameters, own_values, ranged
from lapviz.explorer.settings.records import ALONE, AUTO, OPERATORS, SETTINGS, Settings
from lapviz.explorer.settings.specs import LEAST_IN_SPACE, N_AXES, OWN_DATA, PLANES, DataSpec
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import knobs
from lapviz.explorer.words.glossary import help_of, title_of
from lapviz.labels import FARTHEST
from lapviz.markdown import plain
from lapviz.parameters import Slider
from lapviz.tables.names import counted

# Where settings come from; short, to fit on one line.
ORIGINS = {AUTO: "From data", presets.PAPERS: "Paper’s", presets.OWN: "Own"}
_KEYS = "lapviz_keys"  # for each setting: the key of its current widget


def _bind(name: str, value: object, kind: str = "") -> dict:
    """Arguments that bind a widget to a setting, in both directions.

    ``kind`` distinguishes widgets of the same setting whose options have different names.
    """

    def use(new: Any) -> None:
        if new is None:  # a deselected pill keeps its setting
            return
        field = SETTINGS.get(name)
        none = field.none if field else ""
        try:
            state.update(**{name: None if none and none == new else new})
        except ValueError:  # no widget sends such a value, but a message may
            state.tell("That is not one of the choices. Ignored; previous value kept.")

    return _bound(name, value, use, kind)


def _bound(name: str, value: object, use: Callable[[Any], object], kind: str = "") -> dict:
    bound = widget_keys.bind(key_of(f"w-{name}{kind}"), value, use)
    st.session_state.setdefault(_KEYS, {})[name] = bound["key"]
    return bound | {"help": help_of(name)}


def key_of(name: str) -> str:
    """Key of a widget on this page: Streamlit discards widgets when another page opens."""
    return f"{name}@{state.page()}" if state.page() else name


def choice(
    name: str,
    settings: Settings,
    options: Iterable | None = None,
    title: Callable[[Any], str] = title_of,
    *,
    value: object = None,
    kind: str = "",
) -> None:
    """Menu for a setting; ``value`` is the value in effect, if that differs from the setting."""
    field = SETTINGS[name]
    options = list(options or field.choices)
    value = settings.get(name) if value is None else value
    if field.none:  # in a widget None means that nothing is chosen
        options, value = [field.none, *options], field.write(value)
    if field.auto:
        options = [AUTO, *options]
    st.selectbox(field.label, options, widget_keys.place(options, value),
                 format_func=title, **_bind(name, value, kind))  # fmt: skip


def flag(name: str, settings: Settings, draw: Callable = st.toggle, **options: object) -> None:
    """Switch or checkbox for a setting."""
    value = settings.get(name)
    draw(SETTINGS[name].label, value, **options, **_bind(name, value))


def origin(settings: Settings) -> None:
    """One control for the origin of all settings that the data can choose."""
    names, papers = presets.choosable(state.page()), presets.papers_of(settings)
    current = presets.origin(settings, state.page())

    def use(new: str | None) -> None:
        if new == AUTO:
            state.update(**dict.fromkeys(names, AUTO))
        elif new == presets.PAPERS:
            state.update(**{name: papers.get(name) for name in names})
        elif new == presets.OWN:
            state.tell("Changing a setting switches to “Own”.")

    widget_keys.menu(
        st.segmented_control, "Settings", ORIGINS, current, use, key=key_of("w-whole"),
        help="Where energy, p, σ, μ, λ, class balance and passes come from: all chosen from the "
        "data by the library’s rules, all as in the papers (or the story), or set by hand.",
    )  # fmt: skip


def entry(name: str) -> str:
    """Entry of a data set in the menu: its group and title."""
    info = (user_data.latest(name) or DataSpec(name)).info
    return f"{info.group} · {info.title}"


def data(settings: Settings, names: tuple[str, ...] | None = None) -> None:
    """Controls for the data set, its size, noise, options and seed; ``names`` restrict the menu."""
    info, spec = settings.data.info, settings.data
    brought = () if names else tuple(n for n in OWN_DATA if user_data.latest(n))
    builtin = names or (*datasets.names(), drawing.NAME)
    options = [*brought, *builtin]
    st.selectbox("Data set", options, widget_keys.place(options, spec.name), format_func=entry,
                 **_bind("data", spec.name) | {"help": info.about})  # fmt: skip
    sliders = []
    if spec.name == drawing.NAME:
        n = spec.n_samples
        count = counted(n, "point")
        caption = f"{count}, in the link of this page." if n else "Nothing is drawn yet."
        if spec.private:
            caption = (
                f"{count}: too many for a link (at most {drawings.MOST_IN_LINK}). They stay with "
                "you until you leave: save them by “File”, behind “More” on the picture's toolbar."
            )
        st.caption(caption)
    else:
        sizes = (*(n for n in knobs.SIZES if n < info.max_samples), info.max_samples)
        slider = Slider(sizes[0], sizes[-1], 16, log=True, values=sizes)
        sliders.append(knobs.of(settings, "n", slider=slider))
    if info.max_noise > 0:
        slider = Slider(0.0, info.max_noise, info.max_noise / 60)
        sliders.append(knobs.of(settings, "noise", slider=slider))
    _sliders("data", sliders, settings, "options")
    if info.real and not settings.data.private:  # own tables are scaled on “Your data”
        flag("standardise", settings)
    text("seed", settings)  # a number field keeps refused input, and reads 1e9 as 1


def text(name: str, settings: Settings, empty: str = "") -> None:
    """Text field for a setting; without any text, None, it shows ``empty``."""
    field, value = ranged(settings, name), settings.get(name)
    written = "" if value is None else field.write(value)

    def use(new: str) -> None:
        try:
            state.update(**{name: field.read(new.strip() or field.none, page=True)})
        except ValueError as error:
            reason = error if isinstance(error, Refused) else "cannot be read"
            st.toast(f"{field.label} {reason}. Ignored; previous value kept.")

    st.text_input(field.label, written, max_chars=400, placeholder=empty,
                  **_bound(name, written, use))  # fmt: skip


def _sliders(group: str, sliders: list[knobs.Knob], settings: Settings, setting: str) -> None:
    """Show sliders, and those for parameters of a data set or kernel, held by ``setting``."""
    values, prefix = own_values(settings, setting), f"{setting}-"
    for field in own_parameters(settings, setting):
        value = values[field.name]
        lowest, highest = field.range(page=True)
        low, high = sorted((field.default / 100, 4 * field.default or 1.0))
        if field.integral:
            low, high = math.ceil(low), math.floor(high)
        low, high = low if lowest is None else lowest, high if highest is None else highest
        limits = -FARTHEST if lowest is None else low, FARTHEST if highest is None else high
        if field.name == "dimension":  # 1 can be typed
            low = max(low, 2)
        step = 1 if field.integral else (high - low) / 100
        named, slider = replace(field, name=prefix + field.name), Slider(low, high, step)
        sliders.append(knobs.knob(named, value, field.slider or slider, limits=limits))

    def take(new: dict) -> None:
        changed = {n.removeprefix(prefix): v for n, v in new.items() if n.startswith(prefix)}
        changes = {name: v for name, v in new.items() if not name.startswith(prefix)}
        if changed:
            changes[setting] = tuple(sorted((values | changed).items()))
        state.update(**changes)

    if sliders:
        knobs.sidebar_sliders(group, sliders, take)


def kernel(settings: Settings, space: bool = True) -> None:
    """Controls for the kernel, its parameters and, with ``space``, the landmarks."""
    choice("kernel", settings)
    _sliders("kernel", [], settings, "kernel_params")
    if not space:
        return
    n, p = settings.data.n_samples, settings.space.n_landmarks
    if p != AUTO and p > n > 0:
        several = f"There are only {n} samples: all are landmarks."
        st.caption(several if n > 1 else "There is only one sample.")
    choice("landmarks", settings)


def operator(settings: Settings, automatic: bool = True) -> None:
    """Controls for the operator of the energy; ``automatic``: the data may choose it."""
    options = [o for o in OPERATORS if settings.allows(o) and (automatic or o != AUTO)]
    chosen = "From the data: k-NN graph"
    choice("operator", settings, options, title=lambda o: chosen if o == AUTO else title_of(o))
    if settings.energy.operator == AUTO:
        return
    options = [o for o in options if o != AUTO]
    if "invariance" in settings.energies:
        knobs.sidebar_sliders(
            "images", [knobs.of(settings, name) for name in ("shift", "turn", "pairs")]
        )
    if "tangent" in settings.energies and settings.data.n_samples > 0:
        _tangents(settings)
    _second_energy(settings, options)


def _tangents(settings: Settings) -> None:
    """Sliders for the neighbours and directions of learnt tangents, within the sample's limits."""
    learnt = fits.method(settings).tangents(settings.tangents)
    k, q, d = learnt.n_neighbors, learnt.n_directions, settings.data.info.n_features
    sliders = []
    if settings.data.n_samples > 3:
        largest = 60 if k <= 60 else 200  # for any n, so that the slider stays the same
        sliders.append(knobs.of(settings, "neighbors", k, Slider(2, largest, 1)))
    if d > 1:
        slider = Slider(1, min(d, 20), 1)
        sliders.append(knobs.of(settings, "directions", q, slider, limits=(1, d)))
    knobs.sidebar_sliders("tangents", sliders)
    if settings.tangents.n_directions == d:
        st.caption("All directions are tangents: neighbours play no part.")


def _second_energy(settings: Settings, options: list[str]) -> None:
    """Controls for a second energy and its share, and a note on the scale of a graph's energy."""
    second_options = [ALONE, *(o for o in options if o != settings.energy.operator)]
    second = settings.mix.second if settings.mixes else ALONE
    choice("also", settings, second_options, value=second)
    if settings.mixes:
        knobs.sidebar_sliders("mix", [knobs.of(settings, "share")])
    if "graph" in settings.energies:
        knobs.sidebar_sliders("energy", [knobs.of(settings, "energy_k")])
        st.caption(
            "A graph determines its energy up to a factor only. Here it is scaled "
            + ("to the trace of the first energy" if second == "graph"
               else "so that the coordinates have a total energy of 1")
            + ": γ, λ and μ compare with those of other operators only roughly."
        )  # fmt: skip


def regularisation(settings: Settings) -> None:
    """Controls for estimates of classes: data term, balance, passes (MBO iterations), constant."""
    estimate = fits.estimate_of(settings)
    chosen = f"From the data: {estimate.balance or 'none'}"
    choice("term", settings)
    choice("balance", settings, title=lambda b: chosen if b == AUTO else title_of(b))
    unbalanced, passes = estimate.balance is None, estimate.n_passes
    knobs.sidebar_sliders("passes", [knobs.of(settings, "passes", passes, disabled=unbalanced)])
    if unbalanced:
        st.caption("Passes need a class balance.")
    elif estimate.balance == "shift" and passes:
        words = "Passes scale the shares: to shift scores has no effect with them"
        if settings.energy.operator == AUTO:
            words += ", except that the estimate is kept off the graph’s nodes"
        st.caption(f"{words}.")
    idle = settings.energy.operator != AUTO or unbalanced or not passes
    flag("linear", settings, st.checkbox, disabled=idle)
    choice("scaling", settings)
    flag("intercept", settings, st.checkbox)


def labels(settings: Settings) -> None:
    """Controls for the number of labels, and for the next point to label."""
    if settings.labels.per_class is not None:
        knobs.sidebar_sliders("per_class", [knobs.of(settings, "per_class")])
    balanced, prior = fits.estimate_of(settings).balance is not None, settings.estimate.class_prior
    if balanced or prior:
        text("class_prior", settings, "Estimated")
        if prior:
            names = settings.data.info.class_names
            shares = (f"{plain(name)}: {100 * share / sum(prior):.3g} %"
                      for name, share in zip(names, prior, strict=True))  # fmt: skip
            unused = "" if balanced else ". Without a class balance they have no effect here."
            st.caption(", ".join(shares) + unused)
    choice("ask", settings)


def graph(settings: Settings, *, estimate: bool) -> None:
    """Controls for the graph baseline; ``estimate``: also for its method."""
    choice("graph", settings)
    eigenmaps = not estimate and (settings.view.show == "eigenmaps" or settings.view.angles)
    if settings.baseline.graph == "knn" or eigenmaps:
        knobs.sidebar_sliders("graph", [knobs.of(settings, "graph_neighbors")])
    if estimate:
        choice("method", settings)
        if settings.baseline.method == "spreading":
            knobs.sidebar_sliders("spreading", [knobs.of(settings, "alpha")])


def view(settings: Settings) -> None:
    """Controls for the plane of the picture, for data with more than two features."""
    if settings.data.info.n_features == 2:
        return
    options = [name for name in PLANES if name != "space"
               or settings.data.info.n_features >= LEAST_IN_SPACE]  # fmt: skip
    choice("plane", settings, options)
    if settings.view.plane == "space":
        return
    names, plane = points.sample(settings.data).feature_names, settings.view.plane
    count = N_AXES.get(plane, len(names))
    count = min(count, len(names)) if plane == "pca" else count

    def axis_title(a: int) -> str:
        if plane in ("features", "slice"):
            return names[a]
        return f"component {a + 1}" if plane == "pca" else f"eigenfunction {a + 1}"

    for name in ("ax", "ay"):
        choice(name, settings, range(count), axis_title, kind=f"-{settings.data.name}-{plane}")


def pointer() -> None:
    """Draw a ring for a few seconds around the widget that the last step has changed."""
    point = state.pointed()
    key = st.session_state.get(_KEYS, {}).get(point.get("name"))
    if key:
        # A new name each time: the same animation would not run again.
        ring = f"lapviz-point-{point['count']}"
        css = re.sub(r"[^a-zA-Z0-9_-]", "-", key)
        glow = "50% { box-shadow: 0 0 0 4px var(--st-primary-color, #ff4b4b); }"
        st.html(
            f"<style>.st-key-{css} {{ border-radius: 8px; animation: {ring} .65s 4; }} "
            f"@keyframes {ring} {{ {glow} }}</style>"
        )
