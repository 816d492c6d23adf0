"""Widgets: one function for each group of settings, all built from the same table of fields."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lapviz import datasets, kernels
from lapviz.estimates import filters
from lapviz.explorer import hands, presets, shell, state, steps
from lapviz.explorer.fields import BY_NAME
from lapviz.explorer.settings import KNOWN_TANGENTS, OPERATORS, Settings
from lapviz.explorer.specs import N_AXES, PLANES, describe

_SIZES = (10, 20, 30, 50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000, 20_000,
          50_000, 100_000)  # fmt: skip
_OWN_RUNGS = "lapviz_rungs"
_KEPT_RUNGS = 8
_PER_DECADE, _DECADES = 16, 3  # of the widths that the slider offers
_LANDMARKS = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400, 500, 700, 1000, 1200, 1500, 2000)
_TITLES = {
    "stratified": "Stratified",
    "uniform": "Uniform",
    "kmeans++": "k-means++",
    "labelled": "Labelled points",
    "all": "All samples",
    "knn": "k nearest neighbours",
    "dense": "All pairs",
    "harmonic": "Harmonic",
    "spreading": "Spreading",
    "learnt": "Learnt operator",
    "graph": "Graph Laplacian",
    **OPERATORS,
    **PLANES,
}


def _bind(name: str, value: object, kind: str = "") -> dict:
    """Arguments that bind a widget to a setting, in both directions.

    ``kind`` distinguishes widgets of the same setting whose options have different names.
    """
    key = _key(f"w-{name}{kind}")
    hands.follow(key, value)

    def use(new: object) -> None:
        if new is not None:  # a pill that was clicked off keeps its setting
            state.update(**{name: new})

    text = BY_NAME[name].help if name in BY_NAME else ""
    return {"key": key, "on_change": hands.moved, "args": (key, use), "help": text}


def _key(name: str) -> str:
    """A widget's key on this page: Streamlit discards a page's widgets when another one opens."""
    return f"{name}@{state.page()}" if state.page() else name


def _title(value: str) -> str:
    for registry in (kernels, filters):  # asked each time: a kernel may be registered later
        if value in registry.names():
            return registry.get(value).title
    return _TITLES.get(value, value)


def choice(name: str, settings: Settings, options=None, label: str | None = None) -> None:
    field = BY_NAME[name]
    options = list(options or field.choices)
    st.selectbox(label or field.label, options, format_func=_title,
                 **_bind(name, settings.get(name)))  # fmt: skip


def _ladder(name: str, value: float, rungs, label: str | None = None, show="{:.3g}".format) -> None:
    """A slider over a fixed list of values; a current value outside the list is added to it.

    The browser names an entry by its text, and its message may arrive after the next run began.
    So added values stay for a few changes, and the list must not depend on what sliders set.
    """
    own = st.session_state.setdefault(_OWN_RUNGS, {}).setdefault(_key(name), [])
    if value not in rungs:
        own[:] = [*(v for v in own if v != value), value][-_KEPT_RUNGS:]
    options = sorted({*rungs, *own})
    texts = {show(option): option for option in options}  # one entry per text, the current one's
    texts[show(value)] = value
    options = sorted(texts.values())
    if len(options) < 2:
        options = [value, value + 1]
    st.select_slider(label or BY_NAME[name].label, options, format_func=show,
                     **_bind(name, value))  # fmt: skip


def _auto(name: str, automatic: bool, value: float, label: str) -> None:
    key = _key(f"auto-{name}")
    hands.follow(key, automatic)

    def use(ticked: bool) -> None:
        state.update(**{name: "auto" if ticked else value})

    st.checkbox(label, key=key, on_change=hands.moved, args=(key, use),
                help="Choose this value from the data, by a documented rule.")  # fmt: skip


def _logs(low: float, high: float, per_decade: int) -> list[float]:
    count = round((np.log10(high) - np.log10(low)) * per_decade) + 1
    return [float(f"{v:.3g}") for v in np.geomspace(low, high, count)]


def _widths(settings: Settings) -> tuple[float, ...]:
    """Rungs for σ around what suits the data set as it starts: they do not move with n or p."""
    start = presets.for_data(settings.data.name).change(sigma="auto", kernel=settings.space.kernel)
    start = start.change(options=settings.data.options)
    usual = steps.kernel(start.data, start.space.relevant()).bandwidth
    middle = round(_PER_DECADE * np.log10(usual))
    half = _PER_DECADE * _DECADES // 2
    ks = range(middle - half, middle + half + 1)
    return tuple(float(f"{10 ** (k / _PER_DECADE):.3g}") for k in ks)


def data(settings: Settings) -> None:
    """Which data, how many, how noisy, which seed."""
    info, spec = settings.data.info, settings.data
    st.selectbox("Data set", list(datasets.names()), format_func=lambda n: describe(n).title,
                 **_bind("data", spec.name) | {"help": info.description})  # fmt: skip
    sizes = [n for n in _SIZES if n < info.max_samples] + [info.max_samples]
    _ladder("n", spec.n_samples, sizes, show="{:,}".format)
    if info.max_noise > 0:
        st.slider(BY_NAME["noise"].label, 0.0, float(max(info.max_noise, spec.noise)),
                  step=info.max_noise / 60, format="%.3g",
                  **_bind("noise", spec.noise))  # fmt: skip
    for option in info.options:
        low = max(option.low, 2) if option.name == "dimension" else option.low
        value = dict(spec.options).get(option.name, option.default)
        low = min(low, value)  # a link may ask for one dimension
        kind = int if option.whole else float

        def taken(new, name=option.name):
            return tuple(sorted((dict(spec.options) | {name: new}).items()))

        key = _key(f"w-option-{option.name}")
        hands.follow(key, kind(value))

        def use(new, taken=taken):
            state.update(options=taken(new))

        st.slider(option.label, kind(low), kind(option.high), key=key, help=option.help,
                  on_change=hands.moved, args=(key, use))  # fmt: skip
    st.number_input(BY_NAME["seed"].label, 0, 2**31 - 1, step=1,
                    **_bind("seed", spec.random_state))  # fmt: skip


def kernel(settings: Settings) -> None:
    """The trial space: kernel, width, number and centres of the test functions."""
    choice("kernel", settings)
    spec = settings.space
    value = float(f"{steps.kernel(settings.data, spec.relevant()).bandwidth:.3g}")
    own = presets.base_of(settings).space.bandwidth  # stays on the slider, to return to
    rungs = _widths(settings)
    _ladder("sigma", value, rungs if own == "auto" else (*rungs, own))
    _auto("sigma", spec.bandwidth == "auto", value, "σ from the data")
    if "degree" in kernels.options(spec.kernel):
        st.slider(BY_NAME["degree"].label, 1, 12, **_bind("degree", spec.degree))
    n = settings.data.n_samples
    _ladder("p", spec.n_landmarks, _LANDMARKS, show="{:,}".format)
    if spec.n_landmarks > n:
        st.caption(f"There are only {n} samples: all of them are landmarks.")
    choice("landmarks", settings)


def operator(settings: Settings) -> None:
    """Which derivatives the energy counts."""
    options = [o for o in OPERATORS if o != "known" or settings.data.name in KNOWN_TANGENTS]
    choice("operator", settings, options)
    if settings.energy.operator == "tangent":
        asked = settings.tangents
        learnt = steps.tangents(settings.data, asked)
        last = min(200, settings.data.n_samples - 1)
        k, q = learnt.n_neighbors, learnt.n_directions
        d = settings.data.info.n_features
        if last > 2:
            most = 60 if k <= 60 else 200  # whatever n: the slider stays the same one
            st.slider(BY_NAME["neighbors"].label, 2, most, **_bind("neighbors", k))
            _auto("neighbors", asked.n_neighbors == "auto", k, "neighbours from the data")
        if d > 1:
            st.slider(BY_NAME["directions"].label, 1, max(min(d, 20), q), **_bind("directions", q))
            _auto("directions", asked.n_directions == "auto", q, "dimension from the data")


def regularisation(settings: Settings, *, estimate: bool) -> None:
    """μ, and for estimates the data term and the constant."""
    value = float(f"{steps.mu(steps.Problem.of(settings)):.3g}")
    _ladder("mu", value, [0.0, *_logs(1e-10, 1e2, 4)])
    _auto("mu", settings.energy.mu == "auto", value, "μ from the data")
    if estimate:
        choice("term", settings)
        st.checkbox(BY_NAME["intercept"].label,
                    **_bind("intercept", settings.estimate.fit_intercept))  # fmt: skip


def labels(settings: Settings) -> None:
    """How many labels to start from."""
    count = settings.labels.per_class
    if count is not None:
        counts = [1, 2, 3, 5, 10, 20, 50]
        _ladder("per_class", count, counts, show=str)


def graph(settings: Settings, *, estimate: bool) -> None:
    """The graph to compare with."""
    choice("graph", settings)
    if settings.baseline.graph == "knn":
        st.slider(BY_NAME["graph_neighbors"].label, 1, 100,
                  **_bind("graph_neighbors", settings.baseline.n_neighbors))  # fmt: skip
    if estimate:
        choice("method", settings)
        if settings.baseline.method == "spreading":
            st.slider(BY_NAME["alpha"].label, 0.001, 0.999,
                      **_bind("alpha", settings.baseline.alpha))  # fmt: skip


def view(settings: Settings) -> None:
    """The plane of the picture, for data with more than two features."""
    if settings.data.info.n_features == 2:
        return
    choice("plane", settings)
    names, plane = steps.sample(settings.data).feature_names, settings.view.plane
    count = N_AXES.get(plane, len(names))
    count = min(count, len(names)) if plane == "pca" else count

    def shown(a: int) -> str:
        if plane == "features":
            return names[a]
        return f"component {a + 1}" if plane == "pca" else f"eigenfunction {a + 1}"

    for name, value in (("ax", settings.view.ax), ("ay", settings.view.ay)):
        st.selectbox(BY_NAME[name].label, list(range(count)), format_func=shown,
                     **_bind(name, value, kind=f"-{settings.data.name}-{plane}"))  # fmt: skip


def exact(settings: Settings, names: tuple[str, ...]) -> None:
    """The same settings as text fields, with an error message for an invalid value."""
    info = settings.data.info
    for name in names:
        field = BY_NAME[name]
        key = _key(f"t-{name}")
        shown = field.write(settings.get(name))
        hands.follow(key, shown)

        def use(text, field=field, key=key, shown=shown) -> None:
            text = text.strip()
            try:
                value = field.read(text)
                if field.name == "n" and not 1 <= value <= info.max_samples:
                    raise ValueError(f"must be a whole number from 1 to {info.max_samples}")
                if field.name == "noise" and not 0 <= value <= info.max_noise:
                    raise ValueError(f"must be from 0 to {info.max_noise:g}")
            except (ValueError, OverflowError) as error:
                why = str(error) if str(error).startswith("must") else "is not a number it can take"
                said = f"“{text[:40]}” for {field.label} {why}; it stays at {shown}."
                st.session_state[f"{key}-said"] = said
                return
            state.update(**{field.name: value})

        st.text_input(field.label, key=key, on_change=hands.moved, args=(key, use),
                      help=field.help)  # fmt: skip
        if said := st.session_state.pop(f"{key}-said", ""):  # here, where the eye is
            st.warning(shell.plain(said), icon=":material/info:")
