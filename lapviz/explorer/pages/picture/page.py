"""A picture as data: scribble two or more classes on it, and the kernel Laplacian does the rest."""

from __future__ import annotations

import streamlit as st

from lapviz import pictures
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Waiting
from lapviz.explorer.compute import jobs
from lapviz.explorer.host import _streamlit
from lapviz.explorer.pages.picture import output as picture_output
from lapviz.explorer.pages.picture import settings as picture_settings
from lapviz.explorer.pages.picture import state as picture_state
from lapviz.explorer.pages.picture import steps
from lapviz.explorer.pages.picture.component import picture_stage
from lapviz.explorer.pages.picture.settings import SETTINGS, PictureSettings
from lapviz.explorer.session import widget_keys
from lapviz.explorer.stories.stories import BY_NAME
from lapviz.explorer.widgets import shell
from lapviz.explorer.widgets.knobs import LANDMARKS, knob
from lapviz.explorer.widgets.stage_knobs import Knob
from lapviz.markdown import table
from lapviz.parameters import AUTO, Slider
from lapviz.progress import Cancelled

KEY = "picture-stage"
TITLES = {"flower": "Flower", "china": "Summer Palace"}
PATIENCE, FIRST = 0.5, 2.0  # seconds that a script waits for an answer
_SHOWN, _BELOW, _FILE = "lapviz_picture_shown", "lapviz_picture_below", "lapviz_picture_file"
NUMBERS = Slider(10, 1000, 16, log=True, values=tuple(p for p in LANDMARKS if 10 <= p <= 1000))


def picture() -> None:
    """The part “Picture” of the page “Your data”."""
    picture_state.enter()
    settings = picture_state.settings()
    _head(settings)
    for sentence in picture_state.notes():
        st.warning(shell.plain(sentence), icon=":material/info:")
    _stage()
    _credit(settings)
    _below()


def _head(settings: PictureSettings) -> None:
    """The story and its steps, the picture to choose, an upload, “Compare” and “Reset”."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        story = BY_NAME.get(settings.story)
        if story is not None:
            with st.popover(story.title, icon=":material/menu_book:",
                            help="What to look for, and what to try."):  # fmt: skip
                st.markdown(f"**Look for:** {story.look}\n\n**Try:** {story.next}\n\n"
                            f"*{shell.cited(story.source)}*")  # fmt: skip
        _choose(settings)
        with st.popover("Upload", icon=":material/upload:",
                        help="A PNG or JPEG file from your device."):  # fmt: skip
            _upload()
        key = widget_keys.bind("w-picture-beside", settings.beside)
        st.toggle(SETTINGS["beside"].label, settings.beside, key=key, help=SETTINGS["beside"].help,
                  on_change=lambda: picture_state.update(beside=st.session_state[key]))  # fmt: skip
        st.button("Reset", icon=":material/restart_alt:", key="picture-reset",
                  on_click=picture_state.reset,
                  help="Restore the story's strokes and settings, or remove all.")  # fmt: skip
    if settings.story in picture_settings.TRIES:
        with st.container(key="tries", horizontal=True, gap="small"):
            st.caption("Try:")
            for i, step in enumerate(picture_settings.TRIES[settings.story]):
                st.button(step.text, key=f"try-{settings.story}-{i}", on_click=_try, args=(step,),
                          help=f"Does it for you; by hand: {step.by}.")  # fmt: skip


def _credit(settings: PictureSettings) -> None:
    """What the picture is, what was done to read it, and whose it is."""
    shown = steps.picture(settings.pixels.source)
    high, wide = shown.rgb.shape[:2]
    words = [f"{wide} × {high} = {shown.n_pixels:,} pixels.", *shown.done]
    words += ["Scribble on it with two classes or more."] if settings.scribbled < 2 else []
    st.caption(shell.plain(" ".join(words)) + (f" {shown.credit}." if shown.credit else ""))


def _try(step: picture_settings.Try) -> None:
    picture_state.put(step.change(picture_state.settings()))


def _choose(settings: PictureSettings) -> None:
    source, mine = settings.pixels.source, picture_state.brought()
    options = [*pictures.names(), *([mine] if mine else [])]
    key = widget_keys.bind("w-picture", source)
    st.selectbox(
        SETTINGS["source"].label, options, widget_keys.place(options, source),
        key=key, help=SETTINGS["source"].help, width=180,
        label_visibility="collapsed",
        format_func=lambda name: TITLES.get(name) or f"Yours: {steps.picture(name).name}",
        on_change=lambda: picture_state.update(source=st.session_state[key]),
    )  # fmt: skip


def _upload() -> None:
    st.caption("It stays in this host's memory, for you alone, until you leave. Above "
               f"{pictures.MOST_PIXELS:,} pixels it is scaled down.")  # fmt: skip

    def use() -> None:
        file = st.session_state.get("picture-file")
        st.session_state[_FILE] = picture_state.bring(file) if file is not None else ""

    # Any file is taken: the reader says what is wrong with others.
    st.file_uploader("PNG or JPEG", key="picture-file", on_change=use, help="At most 32 MB.")
    if st.session_state.get(_FILE):
        st.error(shell.plain(st.session_state[_FILE]), icon=":material/info:")


@st.fragment
def _stage() -> None:
    settings, hand = picture_state.settings(), channel.hand(KEY)
    shown = st.session_state.get(_SHOWN)
    fine = not hand and shown is not None and shown[0] == settings  # the coarse answer is there
    if not hand:
        picture_state.write_url()  # first, so that a reload while this is computed loses nothing
    job = jobs.ask(KEY, steps.answer, settings, fine)
    ready = job.wait(PATIENCE if shown else FIRST)
    said = _answer(job) if ready else Waiting("computing", job.seconds, None)
    if isinstance(said, steps.Answer):
        st.session_state[_SHOWN] = shown = settings, said
    done = settings, bool(shown and shown[0] == settings and shown[1].fine)
    if _streamlit.whole_run():
        st.session_state[_BELOW] = done
    elif not hand and st.session_state.get(_BELOW) != done and done[1]:
        st.session_state[_BELOW] = done
        st.rerun()
    sigma = shown[1].sigma if shown else None
    picture_stage(
        steps.picture(settings.pixels.source),
        settings,
        said,
        key=KEY,
        knobs=_knobs(settings, sigma),
        on_change=picture_state.take,
    )


def _answer(job: jobs.Job) -> steps.Answer | Waiting:
    try:
        return job.result()
    except Cancelled:
        return Waiting(failed="Cancelled. Change a setting to compute again.")
    except Exception as error:
        return Waiting(failed=shell.sentence_of(error, "The segmentation"))


def _knobs(settings: PictureSettings, sigma: float | None) -> tuple[Knob, ...]:
    spec = settings.pixels
    width = sigma if spec.sigma == AUTO else spec.sigma
    made = [knob(SETTINGS["weight"], spec.weight, symbol="w"),
            knob(SETTINGS["lam"], settings.lam, symbol="λ")]  # fmt: skip
    if width:
        made.append(knob(SETTINGS["sigma"], width, symbol="σ", auto=spec.sigma == AUTO))
    return (*made, knob(SETTINGS["p"], spec.p, NUMBERS, symbol="p"))


@st.fragment
def _below() -> None:
    settings, shown = picture_state.settings(), st.session_state.get(_SHOWN)
    if not picture_settings.linked_whole(settings):
        st.caption(
            "This picture stays with you, so the address does not hold it or its strokes: keep the "
            "recipe, which holds the strokes." if settings.pixels.private else
            "These strokes are too long for the address, which is without them: keep the recipe."
        )  # fmt: skip
    if shown is None or shown[0] != settings or shown[1].result is None:
        return
    with shell.guarded("The downloads"):
        _results(settings, shown[1])


def _results(settings: PictureSettings, said: steps.Answer) -> None:
    shares = said.result.shares
    rows = [(f"Class {code + 1}", 100 * share) for code, share in shares.items()]
    st.markdown(table(("Class", "Share of the pixels"), rows, {"Share of the pixels": "{:.1f} %"}))
    picture = steps.picture(settings.pixels.source)
    high, wide = picture.rgb.shape[:2]
    large, small = "", ""
    if picture.own_shape is not None:
        large = f"{picture.own_shape[1]} × {picture.own_shape[0]}, as the file. "
        small = f" {wide} × {high}, as computed."
    every = "" if said.lattice == 1 else f", the energy over one of {said.lattice} × {said.lattice}"
    st.caption(f"{wide * high:,} points in five dimensions{every}; σ = {said.sigma:.3g}.")
    with st.container(horizontal=True):
        _download("Mask (PNG)", lambda: picture_output.mask_file(settings), "mask.png", "image/png",
                  f"{large}Indexed: a pixel's index is its class, from 0.")  # fmt: skip
        for code in shares:
            _download(f"Cut out class {code + 1}",
                      lambda code=code: picture_output.cut_out_file(settings, code),
                      f"class-{code + 1}.png", "image/png",
                      f"The pixels of this class; all others are transparent.{small}")  # fmt: skip
        _download("Probabilities (npz)", lambda: picture_output.probabilities_file(settings),
                  "probabilities.npz", "application/octet-stream",
                  "NumPy arrays: probabilities (rows, columns, classes) and classes."
                  + small)  # fmt: skip
    with st.expander("Copy as Python", icon=":material/code:"):
        st.caption("A script that reads the same picture and writes the same mask and cut-outs.")
        st.code(picture_output.recipe(settings), language="python", wrap_lines=True)


def _download(label: str, data, name: str, mime: str, words: str) -> None:
    st.download_button(label, data=data, file_name=name, mime=mime, key=f"picture-{name}",
                       on_click="ignore", help=words)  # fmt: skip
