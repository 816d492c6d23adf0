"""The stage of a page, computed beside the script: it answers at once, whatever that takes.

    settings ─> job (a thread) ─> picture ─> stage, then the page below it
                  └─ not ready: the stage keeps its old picture, says so, and looks again

A hand that still moves gets a light picture (fields alone), in a run of the stage's fragment. What
it did when it rests concerns the whole page, which then runs once: the answer and all that depends
on it come together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.messages import Message
from lapviz.explorer.compute import jobs
from lapviz.explorer.host import _streamlit, visitors
from lapviz.explorer.session import navigation, state
from lapviz.explorer.session.user_data import PICTURES
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stage import Waiting, events, stage
from lapviz.explorer.widgets import knobs, shell
from lapviz.explorer.widgets.stage_knobs import Knob
from lapviz.figures.stage import encode_lasting
from lapviz.progress import Cancelled

PATIENCE = 0.25  # seconds that a script waits for a picture
QUEUE = 1.0  # seconds that a visitor waits for others without being told
FIRST = 1.0  # the same while there is none: to ask again would take longer
BARE = ("lam", "sigma")  # knobs of a stage without its page
_BELOW = "lapviz_below"


@dataclass(frozen=True, eq=False)
class Picture:
    """What a job yields: a page's content, numbers for the knobs, and the bytes that last."""

    content: object
    numbers: knobs.Numbers
    lasting: bytes


def _picture(view: Callable, settings: Settings, hidden: frozenset[str], light: bool) -> Picture:
    content = view(settings, hidden, light)
    numbers = knobs.numbers(_numbered(content, settings))
    return Picture(content, numbers, encode_lasting(content.scene))


def _numbered(content: object, settings: Settings) -> Settings:
    """The settings with the numbers that the content was made with; regression has no others."""
    return getattr(content, "settings", settings)


@dataclass(frozen=True, eq=False)
class Content:
    """What the page below a stage is about: the last whole picture's content and settings.

    Attributes
    ----------
    shown : object
    settings : Settings
        The page's own, or older ones while their picture is being computed.
    """

    shown: object
    settings: Settings


@dataclass(frozen=True, eq=False)
class _Shown:
    """The last picture of a stage, the settings that it is of, and the last whole content."""

    settings: Settings
    picture: Picture
    whole: Content | None


def show(key: str, view: Callable[[Settings, frozenset[str], bool], object], what: str) -> None:
    """Draw the stage ``key``; to be called from a fragment.

    Parameters
    ----------
    key : str
        Of the stage.
    view : callable
        ``view(settings, hidden, light)`` returns a record with a ``scene``; it runs in a thread.
    what : str
        What the picture shows, as the subject of a sentence.
    """
    navigation.follow()
    settings, hidden = state.settings(), state.hidden()
    light = channel.hand(key)
    known = _known(key)
    if not light:
        state.write_url()  # first, so that a reload while this is computed loses nothing
    job = jobs.ask(key, _picture, view, settings, hidden, light)
    ready = job.wait(PATIENCE if known else FIRST)
    below = st.session_state.setdefault(_BELOW, {})
    if _streamlit.whole_run():
        below[key] = settings, ready
    elif not light and below.get(key) != (settings, ready):
        st.rerun()  # what stands below and beside the stage follows, with the stage
    picture = None
    if not ready:
        answer = _waiting(job)
    else:
        picture, answer = _answer(job, what)
    if picture is not None:
        whole = Content(picture.content, settings)
        if light:
            whole = known and known.whole
        visitors.held(PICTURES)[key] = known = _Shown(settings, picture, whole)
        answer = replace(answer, rev=channel.revision(key))
        if state.bare():
            answer = replace(answer, hide=(*answer.hide, "tools"))
    numbers = known.picture.numbers if known else None
    stage(
        answer,
        key=key,
        title=shell.heading(settings),
        knobs=_knobs(settings, numbers, hidden),
        on_change=_take,
        on_cancel=lambda: _cancel(key),
        point=state.pointed(),
        lasting=picture.lasting if picture is not None else None,
    )
    old = known is None or known.whole is None or known.whole.settings != settings
    mark(old=old and not light)


def _take(said: Message) -> None:
    """Take a message of a stage; that of a hand at rest is answered by a run of the whole page."""
    events.take_stage(said)
    if not said.hand:
        st.rerun()


def _knobs(
    settings: Settings, numbers: knobs.Numbers | None, hidden: frozenset[str]
) -> tuple[Knob, ...]:
    made = knobs.toolbar(settings, numbers, hidden, state.page())
    return tuple(knob for knob in made if knob.name in BARE) if state.bare() else made


def follow(key: str) -> None:
    """Let the whole page follow settings that a control below the stage has changed.

    To be called first in the fragment below it. Such a control changes them by a callback: what a
    script does after the answer of a button is lost if the script is cut short before it.
    """
    below = st.session_state.get(_BELOW, {}).get(key)
    if below is not None and below[0] != state.settings() and not channel.hand(key):
        st.rerun()


def content(key: str) -> Content | None:
    """What the page below a stage is about; None before the first picture, and without a page.

    While the next picture is computed it stays, and page.css dims it: draw it in :func:`below`.
    """
    known = _known(key)
    if known is None or known.whole is None or state.bare():
        return None
    of, now = known.whole.settings.data, state.settings().data
    return None if of.private and of != now else known.whole  # they may not be here any more


def mark(old: bool) -> None:
    """Say to page.css whether what stands below the stage is old; part of every stage."""
    st.html(f'<i class="lv-{"old" if old else "new"}"></i>')


def below(key: str) -> DeltaGenerator:
    """The container of the page below a stage."""
    return st.container(key=f"below-{key}")


def _known(key: str) -> _Shown | None:
    return visitors.held(PICTURES).get(key)


def _waiting(job: jobs.Job) -> Waiting:
    ahead = job.ahead
    if ahead and job.seconds > QUEUE:
        return Waiting(f"queued: {ahead} ahead of you", job.seconds)
    words, seconds = "computing", None
    if job.report is not None:
        words = job.report.what
        if job.left is not None and words == "assembly":  # the longest part, and its share is known
            seconds = job.seconds + job.left
    return Waiting(words, job.seconds, seconds)


def _answer(job: jobs.Job, what: str) -> tuple[Picture | None, object]:
    try:
        picture = job.result()
    except Cancelled:
        return None, Waiting(failed="Cancelled. Change a setting to compute again.")
    except Exception as error:
        return None, Waiting(failed=shell.sentence_of(error, what))
    return picture, picture.content.scene


def _cancel(key: str) -> None:
    """Give up the computation, and restore the settings of the picture."""
    job, known = jobs.running(key), _known(key)
    if job is None:
        return
    job.cancel()
    if known is not None and known.settings != state.settings():
        state.put(known.settings)
        state.tell("Cancelled; settings restored.")
        st.rerun()
