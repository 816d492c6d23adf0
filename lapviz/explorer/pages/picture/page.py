"""A picture as data: scribble two or more classes on it, and the kernel Laplacian does the rest."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import streamlit as st

from lapviz import pictures
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Message, Waiting
from lapviz.explorer.pages.picture import steps, view
from lapviz.explorer.pages.picture.settings import (
    PICTURE,
    SETTINGS,
    STORIES,
    PictureSettings,
    fits_in_link,
)
from lapviz.explorer.session import state, user_data, widget_keys
from lapviz.explorer.share.links import download
from lapviz.explorer.stage import live
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.widgets import shell
from lapviz.explorer.widgets.files import FileInput
from lapviz.explorer.widgets.knobs import LANDMARKS, Knob, knob
from lapviz.markdown import plain, table
from lapviz.parameters import AUTO, Slider
from lapviz.pictures import reading

KEY = "picture-stage"
TITLES = {"flower": "Flower", "china": "Summer Palace"}
_FILE = FileInput("picture-file")
NUMBERS = Slider(10, 1000, 16, log=True, values=tuple(p for p in LANDMARKS if 10 <= p <= 1000))


def is_requested() -> bool:
    """Whether a story or a new link requests a picture."""
    query = PICTURE.query()
    linked = "picture" in query or query.get("story") in STORIES
    return (linked and PICTURE.is_new(query)) or state.has_story_of_picture()


def in_story() -> bool:
    """Whether the picture's page shows a story, or is about to."""
    settings, query = PICTURE.settings(), PICTURE.query()
    linked = PICTURE.is_new(query) and query.get("story") in STORIES
    open_story = settings is not None and bool(settings.story)
    return linked or state.has_story_of_picture() or open_story


def take(message: Message, view_key: str) -> None:
    """Apply strokes, classes and knobs from the browser, if they are of the present picture."""
    # Else another one was chosen just now, or the message is older than a button's click.
    if view_key == PICTURE.settings().view_key and not state.restored():
        state.update(**message.changes)


def _head(title: str, settings: PictureSettings) -> None:
    _tools(settings)
    shell.show_notes()


def _tools(settings: PictureSettings) -> None:
    """Draw the choice of a picture, an upload, “Compare” and “Reset”."""
    titles, described = {name: TITLES[name] for name in pictures.names()}, SETTINGS["source"]
    for token in user_data.tokens_of(steps.OwnPicture):
        titles[token] = f"Yours: {steps.picture(token).name}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        widget_keys.menu(
            st.selectbox, described.label, titles, settings.source,
            lambda name: state.update(source=name), key="w-picture", help=described.help,
            width=180, label_visibility="collapsed",
        )  # fmt: skip
        with st.popover("Upload", icon=":material/upload:",
                        help="A PNG or JPEG file from your device."):  # fmt: skip
            _upload()
        st.toggle(SETTINGS["beside"].label, settings.beside, help=SETTINGS["beside"].help,
                  **widget_keys.bind("w-picture-beside", settings.beside,
                                     lambda on: state.update(beside=on)))  # fmt: skip
        help = "Restore the story's strokes and settings, or remove all."
        shell.reset_buttons("picture", help)


def _credit(settings: PictureSettings) -> None:
    """Draw the size of the picture, what was done to read it, and whose it is."""
    picture = steps.picture(settings.source)
    high, wide = picture.rgb.shape[:2]
    words = [f"{wide} × {high} = {picture.n_pixels:,} pixels.", *picture.done]
    has_script = steps.scribbled(settings) >= 2
    words += [] if has_script else ["Scribble on it with two classes or more."]
    st.caption(plain(" ".join(words)) + (f" {picture.credit}." if picture.credit else ""))
    if not fits_in_link(settings):
        words = "These strokes are too long for the address"
        if settings.private:
            words = "This picture stays with you, so the address does not hold it or its strokes"
        st.caption(f"{words}: “Copy as Python” holds the strokes." if has_script else f"{words}.")


def _upload() -> None:
    """Draw the upload; keep a picture for this visitor and show it."""
    st.caption("It stays in this host's memory, for you alone, until you leave or upload another. "
               f"Above {pictures.MOST_PIXELS:,} pixels it is scaled down.")  # fmt: skip
    # Any file is accepted: the reader says what is wrong with others.
    most = reading.MOST_BYTES >> 20
    _FILE.take(_use, "PNG or JPEG", f"At most {most} MB.", max_upload_size=most)


def _use(raw: bytes, name: str) -> None:
    token = user_data.add(steps.OwnPicture(pictures.read(io.BytesIO(raw), name)))
    for other in user_data.tokens_of(steps.OwnPicture)[:-1]:  # one picture at a time
        user_data.forget(other)
    state.update(source=token)


@dataclass(frozen=True)
class PictureStage(LiveStage):
    """The stage for a picture: every few pixels first, then all of them."""

    first_patience: ClassVar[float] = 2.0
    rough_first: ClassVar[bool] = True

    def compute(
        self, settings: PictureSettings, hidden: frozenset[str], light: bool
    ) -> steps.Answer:
        """Compute the segmentation and its numbers."""
        return self.view(settings, hidden, light)

    def content(self, answer: steps.Answer, light: bool) -> steps.Answer | None:
        """Return the answer, if it is of all pixels."""
        return answer if answer.fine else None

    def draw(
        self, answer: steps.Answer | Waiting, last: live.Shown | None, settings: PictureSettings
    ) -> None:
        """Draw the picture, and its credit below."""
        state.pointed()  # later messages are newer than the last click
        picture, view_key = steps.picture(settings.source), settings.view_key
        knobs = _knobs(settings, last and last.answer.sigma)
        channel.show(
            view.message(settings, answer, knobs),
            key=self.key,
            allowed=view.allowed_on(picture.rgb.shape[:2], view_key, knobs),
            lasting=view.static_blob(picture),
            on_change=lambda message: take(message, view_key),
            on_cancel=partial(live.cancel, self.key),
        )
        _credit(settings)


def _knobs(settings: PictureSettings, sigma: float | None) -> tuple[Knob, ...]:
    auto = settings.sigma == AUTO
    width = sigma if auto else settings.sigma
    knobs = [knob(SETTINGS["weight"], settings.weight), knob(SETTINGS["lam"], settings.lam)]
    if width:
        knobs.append(knob(SETTINGS["sigma"], width, auto=auto))
    return (*knobs, knob(SETTINGS["p"], settings.p, NUMBERS))


def _below(answer: steps.Answer, settings: PictureSettings) -> None:
    """Draw the shares of the classes, and downloads, once two classes have strokes."""
    if answer.result is not None:
        with shell.guarded("The downloads"):
            _results(settings, answer, answer.result.shares)


def _results(settings: PictureSettings, answer: steps.Answer, shares: dict[int, float]) -> None:
    rows = [(f"Class {code + 1}", 100 * share) for code, share in shares.items()]
    head = "Share of the pixels"
    st.markdown(table(("Class", head), rows, {head: "{:.1f} %"}))
    picture = steps.picture(settings.source)
    high, wide = picture.rgb.shape[:2]
    large, small = "", ""
    if picture.own_shape is not None:
        large = f"{picture.own_shape[1]} × {picture.own_shape[0]}, as the file. "
        small = f" {wide} × {high}, as computed."
    k = answer.lattice
    lattice = f", the energy over one of {k} × {k}" if k > 1 else ""
    st.caption(f"{wide * high:,} points in five dimensions{lattice}; σ = {answer.sigma:.3g}.")
    with st.container(horizontal=True):
        download("Mask (PNG)", lambda: steps.mask_file(settings), "mask.png",
                 f"{large}Indexed: a pixel's index is its class, from 0.")  # fmt: skip
        for code in shares:
            download(
                f"Cut out class {code + 1}", lambda code=code: steps.cut_out_file(settings, code),
                f"class-{code + 1}.png",
                f"The pixels of this class; all others are transparent.{small}",
            )  # fmt: skip
        download("Probabilities (npz)", lambda: steps.probabilities_file(settings),
                 "probabilities.npz", "NumPy arrays: probabilities (rows, columns, classes) and "
                 f"classes.{small}")  # fmt: skip
    words = "A script that reads the same picture and writes the same mask and cut-outs."
    shell.recipe(lambda: steps.recipe(settings), words)


STAGE = PictureStage(
    KEY, "The segmentation", lambda settings, hidden, light: steps.answer(settings, not light)
)
page = Page(
    path="picture",
    title="Picture",
    kind=PICTURE,
    first=PictureSettings,
    head=_head,
    tools=_tools,
    stage=lambda _: STAGE,
    below=_below,
)
