"""A picture in the explorer: links, messages, recipe, and that an own picture stays private."""

import io
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st
from page_tests import Session
from PIL import Image

from lapviz.explorer.channel.component import Message
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.picture import steps as picture_steps
from lapviz.explorer.pages.picture.settings import (
    MOST_LINKED,
    PICTURE,
    STEPS,
    STORIES,
    PictureSettings,
    fits_in_link,
)
from lapviz.explorer.pages.picture.view import LEVELS, codes_of, static_blob
from lapviz.explorer.stories.steps import walk
from lapviz.figures.stage.container import unpack
from lapviz.pictures import ERASER, Picture, Stroke, write_strokes
from lapviz.pictures.segment import Segmentation

FLOWER = STORIES["flower"]


def disc(name="mine.png"):
    y, x = np.mgrid[:40, :56]
    mask = ((x - 30) ** 2 + (y - 20) ** 2 < 120).astype(int)
    noise = np.random.default_rng(0).normal(0, 5, (40, 56, 3))
    rgb = np.array([[40, 60, 160], [230, 190, 40]])[mask] + noise
    return Picture(name, np.clip(rgb, 0, 255).astype(np.uint8))


STROKES = (Stroke(0, 1, ((3, 3), (3, 36))), Stroke(1, 1, ((27, 20), (33, 20))))


@pytest.fixture
def mine(visitor):
    """Settings of the picture that a visitor brought."""
    return PictureSettings(STORE.add(visitor, picture_steps.OwnPicture(disc())), strokes=STROKES)


# ---- links ---------------------------------------------------------------------------------


LINKED = [
    PictureSettings(),
    FLOWER,
    FLOWER.change(weight=0.25, lam=1e-3, beside=True),
    PictureSettings(strokes=STROKES, classes=4, source="china", p=75, sigma=0.5, seed=9),
    *(state for name, steps in STEPS.items() for state in walk(STORIES[name], steps)),
]


@pytest.mark.parametrize("settings", LINKED)
def test_a_link_gives_the_same_settings(settings):
    assert PICTURE.read(PICTURE.write(settings), PictureSettings()) == (settings, [])


def test_a_story_in_a_link_gives_way_to_another_picture():
    """It kept the story's strokes, and its name in the address."""
    settings, complaints = PICTURE.read({"story": "flower", "picture": "china"}, PictureSettings())
    assert (settings, complaints) == (PictureSettings("china"), [])
    same, _ = PICTURE.read({"story": "flower", "picture": "flower"}, PictureSettings())
    assert same == FLOWER


def test_long_strokes_stay_out_of_the_link_and_the_browser_asks_before_it_leaves(monkeypatch):
    path = tuple((i % 600, (i * 37) % 400) for i in range(2000))
    settings = PictureSettings(strokes=(Stroke(0, 3, path),))
    assert len(write_strokes(settings.strokes)) > MOST_LINKED
    assert "strokes" not in PICTURE.write(settings)
    assert not fits_in_link(settings)
    assert fits_in_link(FLOWER)
    own = PictureSettings("@" + 32 * "a")
    for shown, is_unsaved in ((settings, True), (FLOWER, False), (own, False),
                              (own.change(strokes=STROKES), True)):  # fmt: skip
        monkeypatch.setattr(st, "session_state", {PICTURE.slot: shown})
        assert PICTURE.has_unsaved() == is_unsaved


BAD = {
    "w": ["-1", "2", "nan", "x", ""],
    "lam": ["-1", "inf", "1e400", "x"],
    "p": ["0", "1", "1e9", "2.5", "-3"],
    "sigma": ["0", "-1", "nan", "automatic"],
    "classes": ["1", "10", "x"],
    "beside": ["maybe", "2"],
    "seed": ["-1", "9" * 30],
    "strokes": ["<script>", "1r3", "9r1p1p1", "1r5" + "p1m1" * 30_000],
    "picture": ["../../etc/passwd", "@token", "mona"],
    "story": ["circles", "nothing"],
}


@pytest.mark.parametrize(("key", "text"), [(k, t) for k, texts in BAD.items() for t in texts])
def test_a_bad_value_is_reported_and_left_out(key, text):
    settings, complaints = PICTURE.read({key: text}, PictureSettings())
    assert settings == PictureSettings()
    assert len(complaints) == 1
    assert complaints[0].endswith((".", "list."))
    assert len(complaints[0]) < 250


def test_more_strokes_than_classes_make_more_classes():
    settings, complaints = PICTURE.read({"strokes": "6r2p1p1.0r2p9p9"}, PictureSettings())
    assert (settings.classes, complaints) == (7, [])


def test_reset_restores_the_story_or_the_empty_picture():
    assert PICTURE.base(FLOWER.change(lam=3.0, strokes=())) == FLOWER
    drawn = PictureSettings(strokes=STROKES, source="china", weight=0.1)
    assert PICTURE.base(drawn) == PictureSettings(source="china")


# ---- bytes ---------------------------------------------------------------------------------


def test_the_bytes_of_an_answer_hold_class_and_certainty():
    probabilities = np.array([[[0.0, 1.0], [0.5, 0.5], [0.8, 0.2]]], dtype=np.float32)
    result = Segmentation((2, 5), probabilities, np.array([[5, 2, 2]], np.uint8))
    codes = codes_of(result)
    np.testing.assert_array_equal(codes // LEVELS, [[5, 2, 2]])
    np.testing.assert_array_equal(codes % LEVELS, [[LEVELS - 1, 0, 16]])
    assert int(8 * LEVELS + LEVELS - 1) < 256


def test_the_browser_gets_the_picture_as_a_jpeg():
    static = unpack(static_blob(disc()))["static"]
    image = Image.open(io.BytesIO(bytes(static["image"])))
    assert image.size == (static["width"], static["height"]) == (56, 40)


# ---- answers -------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_two_classes_there_is_no_answer():
    covered = (*STROKES, replace(STROKES[0], points=STROKES[1].points, radius=3))
    erased = (*STROKES, replace(covered[-1], code=ERASER))
    for strokes in ((), STROKES[:1], covered, erased):
        settings = PictureSettings(strokes=strokes)
        answer = picture_steps.answer(settings, fine=False)
        assert answer.result is None
        assert answer.fine
        assert picture_steps.recipe(settings).startswith("#")


@pytest.mark.slow
def test_the_coarse_answer_comes_first():
    coarse, fine = (picture_steps.answer(FLOWER, fine=fine) for fine in (False, True))
    assert (coarse.fine, fine.fine) == (False, True)
    assert coarse.result.mask.size <= picture_steps.COARSE < fine.result.mask.size


@pytest.mark.slow
def test_ridge_and_graph_are_beside_it_and_say_of_which_pixels(mine):
    settings = mine.change(beside=True)
    assert picture_steps.answer(FLOWER.change(beside=True), fine=False).sides == ()
    only = picture_steps.answer(settings, fine=False)  # of all pixels: no finer one is asked for
    assert only.fine
    assert len(only.sides) == 2
    ridge, graph = picture_steps.answer(settings, fine=True).sides
    assert (ridge.title, graph.title) == ("Kernel ridge", "Graph Laplacian")
    main = picture_steps.fine(settings).mask
    for side in (ridge, graph):
        assert side.step == 1
        assert (side.mask == main).mean() > 0.95
    large = picture_steps.answer(FLOWER.change(beside=True), fine=True).sides[1]
    assert "too large for all pixels: one pixel of 6 × 6" in large.note
    dots = Stroke(0, 0, ((0, 0),)), Stroke(1, 0, ((1, 0),))  # in one square
    (ridge,) = picture_steps.answer(FLOWER.change(beside=True, strokes=dots), fine=True).sides
    assert ridge.note.endswith("no graph: its squares are too coarse for these strokes")


# ---- an own picture ------------------------------------------------------------------------


@pytest.mark.slow
def test_an_own_picture_is_in_no_link_and_in_no_shared_cache(mine, visitor):
    settings, token = mine, mine.source
    assert STORE.owned(visitor)[token].nbytes == 40 * 56 * 3
    picture_steps.answer(settings.change(beside=True), fine=True)
    assert len(STORE.kept(visitor)) == 3
    query = PICTURE.write(settings)
    assert query == {"picture": "own"}
    assert token not in str(query)


def test_a_link_to_somebodys_picture_says_so(mine):
    settings, complaints = PICTURE.read({"picture": "own"}, PictureSettings())
    assert settings == PictureSettings()
    assert "a picture of somebody's own" in complaints[0]
    own, complaints = PICTURE.read({"picture": "own"}, mine)
    assert own.source == mine.source
    assert complaints == []


# ---- downloads -----------------------------------------------------------------------------


def run(script, folder, monkeypatch):
    monkeypatch.chdir(folder)
    exec(compile(script, "recipe", "exec"), {})


@pytest.mark.slow
def test_the_recipe_of_the_flower_makes_the_pages_files(tmp_path, monkeypatch, capsys):
    settings = FLOWER.change(weight=0.4, p=80, lam=0.02)
    run(picture_steps.recipe(settings), tmp_path, monkeypatch)
    assert (tmp_path / "mask.png").read_bytes() == picture_steps.mask_file(settings)
    cut = (tmp_path / "class-2.png").read_bytes()
    assert cut == picture_steps.cut_out_file(settings, 1)
    shares = picture_steps.answer(settings, fine=True).result.shares
    assert f"class 2: {100 * shares[1]:.1f} %" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["mine.png", "a'b\".png", "x\\n'); import os #.png", "é\u202e.png"]
)
def test_the_recipe_of_an_own_picture_reads_the_file_whatever_its_name(
    name, visitor, tmp_path, monkeypatch
):
    token = STORE.add(visitor, picture_steps.OwnPicture(disc(name)))
    settings = PictureSettings(token, strokes=STROKES)
    Image.fromarray(disc().rgb).save(tmp_path / name, "PNG")
    script = picture_steps.recipe(settings)
    assert "@" not in script
    run(script, tmp_path, monkeypatch)
    mask = np.asarray(Image.open(tmp_path / "mask.png"))
    np.testing.assert_array_equal(mask, picture_steps.fine(settings).mask)


def test_probabilities_as_arrays(mine):
    with np.load(io.BytesIO(picture_steps.probabilities_file(mine))) as file:
        assert file["probabilities"].shape == (40, 56, 2)
        np.testing.assert_allclose(file["probabilities"].sum(axis=2), 1, atol=2e-3)
        np.testing.assert_array_equal(file["classes"], [0, 1])


def test_no_recipe_without_strokes():
    assert picture_steps.recipe(PictureSettings()).startswith("#")


# ---- the session ---------------------------------------------------------------------------


def _page() -> None:
    import streamlit as st

    from lapviz.explorer.pages.picture import page as picture
    from lapviz.explorer.session import state

    st.session_state["requested"] = picture.is_requested()
    state.enter("picture", picture.PICTURE, picture.PictureSettings)
    for name, args, changes in st.session_state.pop("calls", ()):
        getattr(picture if name == "take" else state, name)(*args, **changes)
    st.session_state["current_settings"] = state.settings()
    st.session_state["shown_notes"] = state.kind().notes()
    state.write_url()


def scribble(session: Session, settings: PictureSettings) -> PictureSettings:
    message = Message(4, {"strokes": STROKES, "weight": 0.25})
    return session.do("take", message, settings.pixels.view_key)


def test_a_link_is_read_and_the_address_follows_the_picture_that_was_meant():
    session = Session(_page, story="flower", w="0.75")
    older = session.query
    assert session.settings == FLOWER.change(weight=0.75)
    assert scribble(session, PictureSettings("china")) == FLOWER.change(weight=0.75)
    assert scribble(session, FLOWER) == FLOWER.change(weight=0.25, strokes=STROKES)
    assert session.query == PICTURE.write(session.settings)
    assert session.go(**older).strokes == STROKES  # an older address is no link
    assert not session.app.session_state["requested"]
    fresh = session.go(picture="china")
    assert (fresh.source, fresh.strokes, fresh.story) == ("china", (), "")
    assert session.app.session_state["requested"]
    scribble(session, fresh)
    session.do("update", source="flower")
    assert session.settings == PictureSettings("flower", weight=0.25)
    assert session.do("revert") == fresh.change(weight=0.25, strokes=STROKES)
    before = session.settings
    session.do("show_story", "flower")
    assert session.go() == FLOWER
    assert session.do("revert") == before


def test_a_stroke_older_than_the_click_of_a_button_is_dropped():
    """Streamlit runs the button's callback first where both are in one run."""
    session = Session(_page, story="flower", w="0.75")
    stroke = "take", (Message(4, {"strokes": STROKES}), FLOWER.pixels.view_key), {}
    session.app.session_state["calls"] = [("reset", (), {}), stroke]
    assert session.run() == FLOWER
    session.do("pointed")  # as the stage does when it is drawn
    assert scribble(session, FLOWER).strokes == STROKES


@pytest.mark.parametrize("token", ["@stolen", "own"])
def test_somebodys_token_shows_the_default_and_says_so(token):
    session = Session(_page, picture=token)
    assert session.settings == PictureSettings()
    assert len(session.notes) == 1
    session.do("put", PictureSettings("@stolen"))
    assert session.run() == PictureSettings()
    assert any("not here any more" in sentence for sentence in session.notes)
