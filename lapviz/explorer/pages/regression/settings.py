"""Widgets of the Regression page's own settings."""

from __future__ import annotations

import streamlit as st

from lapviz import datasets
from lapviz.explorer.compute import fits
from lapviz.explorer.pages.regression.steps import kernel_of, slopes_width
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.settings.specs import TOPICS, topics_of
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, knobs
from lapviz.explorer.widgets.controls import key_of
from lapviz.parameters import AUTO, Slider

STARTS = {"stop": "waves", "slopes": "waves", "exact": "waves", "manifold": "swiss_roll"}
FIRST = {"manifold": {"noise": 0.5}}
_KEPT = "lapviz_topics"
COUNTS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000)
LAM = Slider(1e-8, 1e4, 4, log=True, zero=True)
TAU = 1.1  # of rule (8); rule (9) has 1.6


def topic(settings: Settings) -> None:
    """Which of the four questions is shown."""

    def switch(new: str) -> None:
        now = state.settings()
        kept = st.session_state.setdefault(_KEPT, {})
        kept[now.regression.topic] = now  # each topic keeps its own settings
        if new in kept:
            state.put(kept[new])
        elif new in topics_of(now.data.info):
            state.update(topic=new, story="")
        elif new in TOPICS:
            state.put(presets.for_data(STARTS[new]).change(topic=new, **FIRST.get(new, {})))

    now = settings.regression.topic
    st.segmented_control(SETTINGS["topic"].label, list(TOPICS), format_func=TOPICS.get,
                         default=now, label_visibility="collapsed",
                         help=SETTINGS["topic"].help, width="stretch",
                         **widget_keys.bind(key_of("w-topic"), now, switch))  # fmt: skip


def data(settings: Settings) -> None:
    """The data that the topic can show, and how many of the values are known."""
    shown = settings.regression.topic
    able = [name for name in datasets.names("values") if shown in topics_of(datasets.info(name))]
    controls.data(settings, able)
    n, known = settings.data.n_samples, settings.regression.known
    most = settings.data.info.max_samples
    counts = (*(c for c in COUNTS if c < most), most)
    value = n if known is None else min(known, n)
    slider = Slider(counts[0], most, 16, log=True, values=counts)
    knobs.sidebar_sliders("known", [knobs.of(settings, "known", value, slider)])
    if shown == "stop":
        controls.choice("unlabelled", settings)


def kernel(settings: Settings) -> None:
    """Kernel and width; with landmarks where the topic has a trial space."""
    topic = settings.regression.topic
    controls.kernel(settings, space=topic in ("exact", "manifold"))
    if on_line(settings):  # over two inputs and more, σ stands on the stage
        slopes = topic == "slopes"
        value = slopes_width(settings) if slopes else kernel_of(settings).bandwidth
        knobs.sidebar_sliders("sigma", [knobs.of(settings, "sigma", value)])


def regularisation(settings: Settings) -> None:
    """The weights that the topic uses."""
    shown = settings.regression
    if shown.topic == "stop":
        made = [knobs.of(settings, "tau", TAU if shown.tau == AUTO else shown.tau)]
    elif shown.topic == "slopes":
        made = [knobs.of(settings, name) for name in ("weight", "ridge")]
    else:
        made = [knobs.of(settings, "lam", slider=LAM, auto=None)]
        if on_line(settings):
            made.append(knobs.of(settings, "mu", fits.method(settings).mu))
    knobs.sidebar_sliders("weights", made)


def on_line(settings: Settings) -> bool:
    """Whether the stage shows curves, not fields."""
    return settings.regression.topic != "manifold" and settings.data.info.n_features == 1
