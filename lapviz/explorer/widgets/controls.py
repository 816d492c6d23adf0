"""Widgets: one function for each group of settings, all built from the same table of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from lapviz import datasets
from lapviz.datasets import drawings
from lapviz.explorer.compute import fits, points
from lapviz.explorer.session import state, user_data, widget_keys
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.fields import own_parameters, own_values
from lapviz.explorer.settings.records import ALONE, AUTO, OPERATORS, SETTINGS, Settings
from lapviz.explorer.settings.specs import LEAST_IN_SPACE, N_AXES, OWN_DATA, PLANES, describe
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import knobs
from lapviz.explorer.words.glossary import help_of, title_of
from lapviz.parameters import Slider

# Short: they share a line.
ORIGINS = {AUTO: "From data", presets.PAPERS: "Paper’s", presets.OWN: "Own"}
_KEYS = "lapviz_keys"  # of the widgets that stand, by setting


def _bind(name: str, value: object, kind: str = "") -> dict:
    """Arguments that bind a widget to a setting, in both directions.

    ``kind`` distinguishes widgets of the same setting whose options have different names.
    """

    def use(new: Any) -> None:
        if new is None:  # a pill that was clicked off keeps its setting
            return
        described = SETTINGS.get(name)
        none = described.none if described else ""
        try:
            state.update(**{name: None if none and none == new else new})
        except ValueError:  # no widget sends such a value, but a message may hold anything
            state.tell("That is not one of the choices. Ignored; previous value kept.")

    return _bound(name, value, use, kind)


def _bound(name: str, value: object, use: Callable[[Any], object], kind: str = "") -> dict:
    bound = widget_keys.bind(key_of(f"w-{name}{kind}"), value, use)
    st.session_state.setdefault(_KEYS, {})[name] = bound["key"]
    return bound | {"help": help_of(name)}


def key_of(name: str) -> str:
    """A widget's key on this page: Streamlit discards a page's widgets when another one opens."""
    return f"{name}@{state.page()}" if state.page() else name


def choice(
    name: str,
    settings: Settings,
    options: Iterable | None = None,
    shown: Callable[[Any], str] = title_of,
    *,
    value: object = None,
    kind: str = "",
) -> None:
    """A menu of a setting; ``value`` is what it has in effect, if that is not what is set."""
    described = SETTINGS[name]
    options = list(options or described.choices)
    value = settings.get(name) if value is None else value
    if described.none:  # a widget's None would mean: nothing is chosen
        options, value = [described.none, *options], described.write(value)
    if described.auto:
        options = [AUTO, *options]
    st.selectbox(described.label, options, widget_keys.place(options, value),
                 format_func=shown, **_bind(name, value, kind))  # fmt: skip


def flag(name: str, settings: Settings, draw: Callable = st.toggle, **more: object) -> None:
    """A switch, or a box to check."""
    value = settings.get(name)
    draw(SETTINGS[name].label, value, **more, **_bind(name, value))


def number(name: str, settings: Settings) -> None:
    """A number field over the range that the setting has."""
    described, value = SETTINGS[name], settings.get(name)
    low, high = map(type(value), described.range(page=True))
    own = {"step": 50} if described.integral else {"format": "%.3g"}
    st.number_input(described.label, low, high, value, **own, **_bind(name, value))


def origin(settings: Settings) -> None:
    """Where all settings come from that the data can choose: one control for the lot."""
    names, papers = presets.choosable(state.page()), presets.papers_of(settings)
    now = presets.origin(settings, state.page())

    def use(new: str | None) -> None:
        if new == AUTO:
            state.update(**dict.fromkeys(names, AUTO))
        elif new == presets.PAPERS:
            state.update(**{name: papers.get(name) for name in names})
        elif new == presets.OWN:
            state.tell("Changing a setting switches to “Own”.")

    st.segmented_control(
        "Settings", list(ORIGINS), default=now, format_func=ORIGINS.get,
        help="Where energy, p, σ, μ, λ, class balance and passes come from: all chosen from the "
        "data by the library’s rules, all as in the papers (or the story), or set by hand.",
        **widget_keys.bind(key_of("w-whole"), now, use),
    )  # fmt: skip


def entry(name: str) -> str:
    """A data set in the menu: its group and its title."""
    brought = user_data.latest(name)
    info = brought.info if brought else describe(name)
    return f"{info.group} · {info.title}"


def data(settings: Settings, names: tuple[str, ...] | None = None) -> None:
    """Which data, how many, how noisy, which seed; of all data sets or of those named."""
    info, spec = settings.data.info, settings.data
    own = () if names else tuple(n for n in OWN_DATA if user_data.latest(n))
    known = names or (*datasets.names(), drawing.NAME)
    options = [*own, *known]
    st.selectbox("Data set", options, widget_keys.place(options, spec.name), format_func=entry,
                 **_bind("data", spec.name) | {"help": info.about})  # fmt: skip
    made = []
    if spec.name == drawing.NAME:
        n = spec.n_samples
        many = f"{n:,} point{'s' * (n != 1)}"
        words = f"{many}, in the link of this page." if n else "Nothing is drawn yet."
        if spec.private:
            words = (
                f"{many}: too many for a link (at most {drawings.MOST_IN_LINK}). They stay with "
                "you until you leave; save them as a file on the picture's toolbar."
            )
        st.caption(words)
    else:
        sizes = (*(n for n in knobs.SIZES if n < info.max_samples), info.max_samples)
        slider = Slider(sizes[0], sizes[-1], 16, log=True, values=sizes)
        made.append(knobs.of(settings, "n", slider=slider))
    if info.max_noise > 0:
        slider = Slider(0.0, info.max_noise, info.max_noise / 60)
        made.append(knobs.of(settings, "noise", slider=slider))
    _sliders("data", made, settings, "options")
    if info.real:
        flag("standardise", settings)
    _seed(spec.random_state)


def _seed(value: int) -> None:
    """The seed as text: Streamlit's field of numbers keeps what it refuses, and reads 1e9 as 1."""
    described = SETTINGS["seed"]

    def use(text: str) -> bool:
        try:
            new = described.read(text, page=True)
        except ValueError:
            most = f"{described.high:,.0f}"
            st.toast(f"The seed is a whole number from 0 to {most}. Ignored; {value} is kept.")
            return False
        state.update(seed=new)
        return True

    st.text_input(described.label, str(value), max_chars=20, **_bound("seed", str(value), use))


def _sliders(group: str, made: list[knobs.Knob], settings: Settings, own: str) -> None:
    """Sliders of settings, and of what only this data set or kernel has: ``own`` holds those."""
    values, mark = own_values(settings, own), f"{own}-"
    for described in own_parameters(settings)[own]:
        value = values[described.name]
        low, high = described.range(page=True)
        low = value / 100 if low is None else low
        high = 4 * abs(value) or 1.0 if high is None else high
        if described.name == "dimension":  # a link may ask for one
            low = max(low, 2)
        step = 1 if described.integral else (high - low) / 100
        slider = described.slider or Slider(low, high, step)
        made.append(knobs.knob(replace(described, name=mark + described.name), value, slider))

    def take(new: dict) -> None:
        changed = {name.removeprefix(mark): v for name, v in new.items() if name.startswith(mark)}
        changes = {name: v for name, v in new.items() if not name.startswith(mark)}
        if changed:
            changes[own] = tuple(sorted((values | changed).items()))
        state.update(**changes)

    if made:
        knobs.sidebar_sliders(group, made, take)


def kernel(settings: Settings, space: bool = True) -> None:
    """The kernel, its own parameters and, with ``space``, where the test functions are centred."""
    choice("kernel", settings)
    _sliders("kernel", [], settings, "kernel_params")
    if not space:
        return
    n, p = settings.data.n_samples, settings.space.n_landmarks
    if p != AUTO and p > n > 0:
        st.caption(f"There are only {n} samples: all of them are landmarks.")
    choice("landmarks", settings)


def operator(settings: Settings, free: bool = True) -> None:
    """Which derivatives the energy counts; ``free``: the data may choose it."""
    options = [o for o in OPERATORS if settings.allows(o) and (free or o != AUTO)]
    chosen = "From the data: k-NN graph"
    choice("operator", settings, options, shown=lambda o: chosen if o == AUTO else title_of(o))
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
    """Neighbours and directions of learnt tangents, as far as the sample has them."""
    learnt = fits.tangents(settings.data, settings.tangents)
    k, q, d = learnt.n_neighbors, learnt.n_directions, settings.data.info.n_features
    made = []
    if settings.data.n_samples > 3:
        most = 60 if k <= 60 else 200  # whatever n: the slider stays the same one
        made.append(knobs.of(settings, "neighbors", k, Slider(2, most, 1)))
    if d > 1:
        slider = Slider(1, min(d, 20), 1)
        made.append(knobs.of(settings, "directions", q, slider, limits=(1, d)))
    knobs.sidebar_sliders("tangents", made)


def _second_energy(settings: Settings, options: list[str]) -> None:
    """An energy that is added to the first, its share, and a word about a graph's scale."""
    others = [ALONE, *(o for o in options if o != settings.energy.operator)]
    second = settings.mix.second if settings.mixes else ALONE
    choice("also", settings, others, value=second)
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
    """Of an estimate of classes: the data term, the balance, and the constant."""
    made = fits.estimate_of(settings)
    chosen = f"From the data: {made.balance or 'none'}"
    choice("term", settings)
    choice("balance", settings, shown=lambda b: chosen if b == AUTO else title_of(b))
    reason = ""
    if made.balance is None:
        reason = "Passes need a class balance."
    elif made.fit_intercept:
        reason = "Passes need a space without the unpenalised constant."
    passes = knobs.of(settings, "passes", made.n_passes, disabled=reason)
    knobs.sidebar_sliders("passes", [passes])
    idle = settings.energy.operator != AUTO or not made.n_passes
    flag("linear", settings, st.checkbox, disabled=idle)
    choice("scaling", settings)
    flag("intercept", settings, st.checkbox)


def labels(settings: Settings) -> None:
    """How many labels to start from, and which point to ask for next."""
    if settings.labels.per_class is not None:
        knobs.sidebar_sliders("per_class", [knobs.of(settings, "per_class")])
    choice("ask", settings)


def graph(settings: Settings, *, estimate: bool) -> None:
    """The graph to compare with."""
    choice("graph", settings)
    if settings.baseline.graph == "knn":
        knobs.sidebar_sliders("graph", [knobs.of(settings, "graph_neighbors")])
    if estimate:
        choice("method", settings)
        if settings.baseline.method == "spreading":
            knobs.sidebar_sliders("spreading", [knobs.of(settings, "alpha")])


def view(settings: Settings) -> None:
    """The plane of the picture, for data with more than two features."""
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

    def shown(a: int) -> str:
        if plane in ("features", "slice"):
            return names[a]
        return f"component {a + 1}" if plane == "pca" else f"eigenfunction {a + 1}"

    for name in ("ax", "ay"):
        choice(name, settings, range(count), shown, kind=f"-{settings.data.name}-{plane}")


def pointer() -> None:
    """Draw a ring around the widget that the last “Try” has moved, for a few seconds."""
    point = state.pointed()
    key = st.session_state.get(_KEYS, {}).get(point.get("name"))
    if key:
        # A name of its own for each time: else the same animation would not run again.
        ring = f"lapviz-point-{point['count']}"
        css = re.sub(r"[^a-zA-Z0-9_-]", "-", key)
        glow = "50% { box-shadow: 0 0 0 4px var(--st-primary-color, #ff4b4b); }"
        st.html(
            f"<style>.st-key-{css} {{ border-radius: 8px; animation: {ring} .65s 4; }} "
            f"@keyframes {ring} {{ {glow} }}</style>"
        )
