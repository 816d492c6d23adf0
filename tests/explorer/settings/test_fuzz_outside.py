"""Hypothesis on what comes from outside: addresses, and messages from the browser.

Any text gives valid settings that can be written again; what is read from any message is within the
limits of the scene.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import SCHEMA
from lapviz.explorer.pages.picture.settings import PICTURE, PictureSettings
from lapviz.explorer.pages.picture.view import allowed_on
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import from_query, tidy, to_query
from lapviz.explorer.settings.records import SETTINGS
from lapviz.explorer.stage.component import allowed_by
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets.knobs import Knob

pytestmark = pytest.mark.slow

FEW = settings(
    max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
SCRAPS = st.sampled_from(
    ["", "auto", "0", "-1", "1", "1e999", "-inf", "nan", "NaN", "1_000", "٣", "0x10", "1e-400", "∞",
     "true", "1c0", "1c0~2c1", "f0.1,0.2c1", "~", "1c0|1", "99999999999999999999", "tangent",
     "graph", "gaussian", "spreading", "none", "drawn", "table", "all", "\0", "\ud800", "<b>",
     "a" * 5000]
)  # fmt: skip
TEXTS = st.one_of(SCRAPS, st.text(max_size=30), st.floats().map(str), st.integers().map(str))
KEYS = st.sampled_from([*(f.key for f in SETTINGS.values()), "data", "story", "hide",
                        "opt_dimension", "opt_x", "degree", "kernel_x",
                        "part", "picture", "drawing", "strokes", "open", "stage"])  # fmt: skip
QUERIES = st.dictionaries(KEYS, TEXTS, max_size=6)
BASES = ["four_circles", "gaussian", "digits", "wine", "swiss_roll"]


@FEW
@given(QUERIES, st.sampled_from(BASES))
def test_any_address_gives_settings_that_write_themselves(query, name):
    base = presets.for_data(name)
    read, complaints = from_query(query, base)
    assert read == tidy(read)
    assert all(text[0].isupper() and text.endswith(".") for text in complaints)
    reread, no_complaints = from_query(to_query(read, base), base)
    assert reread == read
    assert no_complaints == []


@FEW
@given(QUERIES)
def test_any_address_of_a_picture_gives_settings_that_write_themselves(query):
    start = PictureSettings()
    read, complaints = PICTURE.read(query, start)
    assert all(text.endswith(".") for text in complaints)
    assert math.isfinite(read.pixels.weight)
    reread, no_complaints = PICTURE.read(PICTURE.write(read), start)
    assert (reread, no_complaints) == (read, [])


ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.binary(max_size=4)
)
ANYTHING = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner,
                                                                       max_size=4), max_leaves=12
)  # fmt: skip
NAMES = [*{name for names in SCHEMA.values() for name in names}, "sigma"]
ROWS = st.lists(st.lists(st.one_of(st.integers(-3, 80), st.floats(), ANYTHING), max_size=6),
                max_size=6)  # fmt: skip
CHANGES = st.dictionaries(st.sampled_from(NAMES), st.one_of(ANYTHING, ROWS))
SIGMA = Knob("sigma", "Width", 1.0, 0.1, 10.0, 1, limits=(0.01, 100.0))


@pytest.fixture(scope="module")
def scene():
    return labels_view(presets.for_data("four_circles").change(n=40, p=10)).scene


@FEW
@given(changes=st.one_of(ANYTHING, CHANGES), rev=ANYTHING, hand=ANYTHING)
def test_any_message_stays_within_the_limits(scene, changes, rev, hand):
    stage = replace(allowed_by(scene), knobs=(SIGMA,))
    for allowed in (stage, allowed_on((20, 30), scene.view_key, (SIGMA,))):
        raw = {"view_key": scene.view_key, "changes": changes, "rev": rev, "hand": hand}
        message = channel.read(raw, allowed)
        if message is None:
            continue
        assert 0 <= message.rev <= channel.MOST_REV
        assert 0 <= message.changes.get("lam", 0) <= SCHEMA["stage"]["lam"]["most"]
        assert 2 <= message.changes.get("classes", 2) <= 9
        assert 0.01 <= message.changes.get("sigma", 1) <= 100
        assert message.changes.get("filter") in (None, *(f.name for f in scene.filters))
        for label in message.changes.get("labels", ()):
            assert all(0 <= code < len(scene.classes) for code in label.candidates)
            assert label.off_sample or label.index < 40
            assert np.isfinite(label.place).all()
