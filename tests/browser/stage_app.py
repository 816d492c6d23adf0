"""The smallest page around a stage: Python answers with the labels and λ that it was sent."""

import dataclasses
import sys
import time
from pathlib import Path

import streamlit as st

sys.path.append(str(Path(__file__).parents[1] / "explorer" / "stage"))
import stage_scenes

from lapviz.explorer.channel import component as channel
from lapviz.explorer.host import preload
from lapviz.explorer.stage.component import stage
from lapviz.labels import Label

FIRST = (Label(-1, 0, (0.2, 0.3)), Label(-1, 1, (0.8, 0.7)))

st.set_page_config(layout="wide")
preload.show()
last = st.session_state.get("last", {})
labels = last.get("labels", FIRST)
if "empty" in st.query_params and not last:
    labels = ()
digits = "digits" in st.query_params
scene = stage_scenes.scene(labels, with_columns=True, intercept=True, n_classes=10 if digits else 2)
if digits:
    scene = dataclasses.replace(scene, classes=tuple("0123456789"))
if "hide" in st.query_params:
    scene = dataclasses.replace(scene, hide=tuple(st.query_params["hide"].split(",")))
if "axes" in st.query_params:
    scene = dataclasses.replace(scene, axes=("component 1", "component 2"))
if "notes" in st.query_params and not labels:
    notes = tuple(
        dataclasses.replace(panel, model=None, note="No label yet.") for panel in scene.panels
    )
    scene = dataclasses.replace(scene, panels=notes)
if "seconds" in st.query_params:
    scene = dataclasses.replace(scene, seconds=2.2)
rev = channel.heard("demo").rev
scene = dataclasses.replace(scene, **last | {"labels": labels, "rev": rev})
if "slow" in st.query_params and last:
    time.sleep(1.0)


def on_change(message) -> None:
    """As in the explorer, off-sample labels are rounded to six digits, which fit a link."""
    changes = dict(message.changes)
    if "labels" in changes:
        changes["labels"] = tuple(p.lasting() if p.off_sample else p for p in changes["labels"])
    st.session_state["last"] = last | changes


if st.checkbox("elsewhere"):
    st.stop()  # as if on another page
stage(scene, key="demo", on_change=on_change)
st.write(f"rev={rev} labels={len(labels)}")
st.session_state["runs"] = st.session_state.get("runs", 0) + 1
st.write(f"run {st.session_state['runs']}")
st.button("again")
