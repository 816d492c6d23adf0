"""Widgets of the Regression page's own settings."""

from __future__ import annotations

import streamlit as st

from lapviz import datasets
from lapviz.explorer.compute import fits
from lapviz.explorer.pages.regression.slopes import slopes_width
from lapviz.explorer.pages.regression.view import kernel_of
from lapviz.explorer.session import state
from lapviz.explorer.session import widget_keys as hands
from lapviz.explorer.settings.fields import BY_NAME
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.regression_specs import TOPICS, topics_of
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, knobs
from lapviz.explorer.widgets.controls import key_of

STARTS = {"stop": "waves", "slopes": "waves", "exact": "waves", "manifold": "swiss_roll"}
FIRST = {"manifold": {"noise": 0.5}}
_KEPT = "lapviz_topics"
COUNTS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000)
TAU = 1.1  # of rule (8); rule (9) has 1.6


def topic(settings: Settings) -> None:
    """Which of the four questions is shown."""
    key = hands.bind(key_of("w-topic"), settings.regression.topic)

    def switch() -> None:
        new, now = st.session_state[key], state.settings()
        kept = st.session_state.setdefault(_KEPT, {})
        kept[now.regression.topic] = now  # each topic keeps its own settings
        if new in kept:
            state.put(kept[new])
        elif new in topics_of(now.data.info):
            state.update(topic=new, story="")
        elif new in TOPICS:
            state.put(presets.for_data(STARTS[new]).change(topic=new, **FIRST.get(new, {})))

    st.segmented_control(BY_NAME["topic"].label, list(TOPICS), format_func=TOPICS.get, key=key,
                         label_visibility="collapsed", on_change=switch,
                         help=BY_NAME["topic"].help, width="stretch")  # fmt: skip


def data(settings: Settings) -> None:
    """The data that the topic can show, and how many of the values are known."""
    shown = settings.regression.topic
    able = [name for name in datasets.names("values") if shown in topics_of(datasets.info(name))]
    controls.data(settings, able)
    n, known = settings.data.n_samples, settings.regression.known
    most = settings.data.info.max_samples
    rungs = (*(c for c in COUNTS if c < most), most)
    value = n if known is None else min(known, n)
    knobs.sheet("known", [knobs.of("known", value, rungs[0], most, 16, scale="log", rungs=rungs,
                                   whole=True, limits=(2, 100_000))])  # fmt: skip
    if shown == "stop":
        controls.choice("unlabelled", settings)


def kernel(settings: Settings) -> None:
    """Kernel and width; with landmarks where the topic has a trial space."""
    topic, asked = settings.regression.topic, settings.space.bandwidth
    controls.kernel(settings, space=topic in ("exact", "manifold"))
    if on_line(settings):  # over two inputs and more, σ stands on the stage
        slopes = topic == "slopes"
        value = slopes_width(settings) if slopes else kernel_of(settings).bandwidth
        knobs.sheet("sigma", [knobs.of("sigma", value, 0.003, 3, 16, scale="log",
                                       auto=asked == "auto", limits=(1e-12, 1e12))])  # fmt: skip


def regularisation(settings: Settings) -> None:
    """The weights that the topic uses."""
    shown = settings.regression
    if shown.topic == "stop":
        tau = TAU if shown.tau == "auto" else shown.tau
        made = [knobs.of("tau", tau, 1e-3, 10, 4, scale="log", auto=shown.tau == "auto",
                         limits=(1e-6, 10))]  # fmt: skip
    elif shown.topic == "slopes":
        made = [
            knobs.of("weight", shown.weight, 1e-4, 1e2, 4, scale="log", zero=True,
                     limits=(0, 1e6)),
            knobs.of("ridge", shown.ridge, 1e-12, 1, 2, scale="log", zero=True, limits=(0, 1e3)),
        ]  # fmt: skip
    else:
        lam = settings.estimate.lam
        made = [knobs.of("lam", lam, 1e-8, 1e4, 4, scale="log", zero=True, limits=(0, 1e12))]
        if on_line(settings):
            mu = fits.method(settings).mu
            made.append(knobs.of("mu", mu, **knobs.MU, scale="log",
                                 auto=settings.energy.mu == "auto"))  # fmt: skip
    knobs.sheet("weights", made)


def on_line(settings: Settings) -> bool:
    """Whether the stage shows curves, not fields."""
    return settings.regression.topic != "manifold" and settings.data.info.n_features == 1
