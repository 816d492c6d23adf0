"""The stage of a page, computed in a thread, so that the page always answers at once.

    settings ─> job (a thread) ─> answer ─> stage, then the page below it
                  └─ not ready: the stage keeps its old picture, says so, and asks again

While the user is moving something, answers are light (fields alone), in runs of the stage's
fragment. When the hand rests, one run updates everything that shows the change: the fragments of
the stage and of the parts beside and below it, or the full page if other parts change, too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, ClassVar

import streamlit as st

from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import NOTHING, Allowed, Message, Waiting
from lapviz.explorer.compute import cache, jobs
from lapviz.explorer.host import _streamlit, visitors
from lapviz.explorer.host.store import DataExpired
from lapviz.explorer.session import state, user_data
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stage.component import Encoded, settings_of, stage
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import guide, knobs, shell
from lapviz.explorer.words import formula_line
from lapviz.progress import Cancelled

QUEUE = 1.0  # seconds before a visitor is told the position in the queue
MOST_ANSWERS = 32  # cached for those who go back, and for an audience that opens the same link
BARE = ("lam", "sigma")  # knobs of a stage shown without its page
FRAGMENTS = "lapviz_parts"  # keys of the page's fragments: the stage, the parts beside and below it
_LOOKED = "lapviz_looked"  # set while a callback has already waited for the answer
_BELOW = "lapviz_below"  # for each stage: what the page below was drawn for, and if it was done


@dataclass(frozen=True)
class LiveStage:
    """A stage: what it computes, how that is drawn, and what the user can change on it.

    Equal stages compute the same for the same settings.

    Attributes
    ----------
    key : str
        Name of the stage, unique in the app.
    subject : str
        Name of what the stage shows, as the subject of a sentence.
    view : callable
        ``view(settings, hidden, light)`` returns the content: a record with a ``scene``. It runs in
        a thread, and must not call Streamlit.
    formula : callable, optional
        ``formula(settings)`` in LaTeX, or "".
    height : int, optional
        Maximal height of a picture in pixels, or 0.38 of the window's height if that is more; by
        default chosen from the window.
    knobs : tuple of str, optional
        Names of the sliders; by default those of the settings.
    stage_settings : tuple of str
        Settings that only the stage and the parts beside and below it show.
    arguments : tuple
        Further arguments of ``view``.
    """

    key: str
    subject: str
    view: Callable[..., Any]
    formula: Callable[[Any], str] | None = None
    height: int | None = None
    knobs: tuple[str, ...] | None = None
    stage_settings: tuple[str, ...] = ()
    arguments: tuple = ()

    patience: ClassVar[float] = 0.5  # seconds that a script waits for an answer
    first_patience: ClassVar[float] = 1.0  # before the first one: asking again would take longer
    rough_first: ClassVar[bool] = False  # answer a hand at rest with a light answer, then in full

    def compute(self, settings: Any, hidden: frozenset[str], light: bool) -> Any:
        """Compute the answer; runs in a thread."""
        content = self.view(settings, hidden, light, *self.arguments)
        resolved = getattr(content, "settings", settings)
        return Answer(content, knobs.numbers(resolved), Encoded.of(content.scene))

    def content(self, answer: Any, light: bool) -> Any:
        """Content for the page below the stage; None if the answer is too light for it."""
        return None if light else answer.content

    def draw(self, answer: Any, last: Shown | None, settings: Any) -> None:
        """Draw an answer or a :class:`Waiting`; ``last`` is what the stage has shown last."""
        scene = last.answer.scene if last else Encoded({}, NOTHING, Allowed("stage"))
        if isinstance(answer, Waiting):  # the last picture stays, and what may be changed on it
            scene = replace(scene, content=answer.payload(), lasting=NOTHING)
        elif state.bare():
            scene = scene.without_tools()
        current = last is not None and last.settings == settings  # else its numbers are outdated
        numbers = last.answer.numbers if last else None
        sliders = knobs.toolbar(settings, numbers, state.hidden(), state.page())
        names = BARE if state.bare() else self.knobs
        place, story = state.place(), presets.BY_NAME.get(settings.story)
        shown = {
            "title": shell.heading(settings, place),
            "words": guide.sentence(place, last.answer.content if current else None, self.numbers),
            "story": bool(settings.story),
            "point": state.pointed() or None,
            "formula": self.formula_of(settings),
            "useful": story.useful if story else (),
        }
        stage(
            scene,
            key=self.key,
            height=self.height,
            knobs=tuple(knob for knob in sliders if names is None or knob.name in names),
            shown=shown,
            on_change=partial(_apply, self),
            on_cancel=partial(cancel, self.key),
            on_tick=partial(_on_tick, self),
        )

    def numbers(self, settings: Any) -> Any:
        """Numbers of other settings on this stage, for stories; runs in a thread."""
        return self.view(settings, frozenset(), False, *self.arguments).numbers

    def formula_of(self, settings: Any) -> str:
        """The formula as HTML, or ""."""
        is_shown = self.formula is not None and not state.bare()
        return _formula_as_html(self.formula, settings, self.key) if is_shown else ""

    def apply(self, message: Message) -> None:
        """Apply the changes of a message to the settings, or go to another step of the story."""
        # Older than a button's click. A change at rest may have been made right after it.
        if state.restored(message.point if message.hand else None):
            return
        changes = settings_of(message)
        if "story" in changes:
            state.turn(changes["story"])
            return
        drawn, settings = changes.pop("drawing", None), state.settings()
        shown = self.shown_settings()
        if "marks" in changes and shown.data != settings.data:  # since then a control has acted
            marks = changes.pop("marks")
            if shown.data.name == settings.data.name == drawing.NAME:
                with suppress(DataExpired):  # the drawing on screen is no longer kept
                    changes["marks"] = drawing.labels_in(shown.change(marks=marks), settings.data)
        settings = settings.change(**changes)
        if drawn is not None:
            if settings.data.name != drawing.NAME:
                state.kind().keep()
            settings = user_data.take_drawing(settings, drawn)
        state.put(settings)

    def shown_settings(self) -> Any:
        """Settings of the picture on screen, to which a message refers."""
        last = _last(self.key)
        return state.settings() if last is None else last.settings

    def drawn_below(self, settings: Any) -> object:
        """Key of what the page below and beside the stage depends on."""
        return settings, self.arguments


@dataclass(frozen=True, eq=False)
class Answer:
    """Content of a page, numbers for the knobs, and the encoded scene."""

    content: Any
    numbers: knobs.Numbers
    scene: Encoded


@dataclass(frozen=True, eq=False)
class Content:
    """Content of the last complete answer of a stage, for the page below it.

    Attributes
    ----------
    shown : object
    settings : object
        Settings of the answer: older than those of the page while the next one is computed.
    """

    shown: Any
    settings: Any


@dataclass(frozen=True, eq=False)
class Shown:
    """The last answer of a stage, its settings, and the content of the last complete answer."""

    settings: Any
    answer: Any
    complete: Content | None


def show(live: LiveStage) -> None:
    """Draw a stage; to be called from a fragment."""
    state.follow()
    settings, hidden, key = state.settings(), state.hidden(), live.key
    last, moving = _last(key), channel.heard(key).hand
    rough = live.rough_first and (last is None or last.settings != settings)
    light = moving or rough
    if not moving:
        state.write_url()  # first, so that a reload during the computation loses nothing
    has_waited = st.session_state.pop(_LOOKED, False)
    answer = None if light else cache.peek(_complete, live, settings, hidden)
    ready = True
    if answer is None:
        arguments = live, settings, hidden
        work = (type(live).compute, *arguments, True) if light else (_complete, *arguments)
        job = jobs.ask(key, *work)
        ready = job.wait(0.0 if has_waited else live.patience if last else live.first_patience)
        answer = _answer(job, live.subject) if ready else _waiting(job)
    else:
        jobs.forget(key)
    answered = not isinstance(answer, Waiting)
    below = live.content(answer, light) if answered else None
    _let_page_follow(live, settings, below is not None or (ready and not answered), moving)
    if answered:
        complete = Content(below, settings) if below is not None else last and last.complete
        visitors.session_dict(user_data.PICTURES)[key] = last = Shown(settings, answer, complete)
    live.draw(answer, last, settings)
    current = last is not None and last.complete is not None and last.complete.settings == settings
    # For page.css, which dims outdated content below the stage; part of every stage.
    st.html(f'<i class="lv-{"new" if moving or current else "old"}"></i>')


@cache.step(most=MOST_ANSWERS)
def _complete(live: LiveStage, settings: Any, hidden: frozenset[str]) -> Any:
    return live.compute(settings, hidden, False)


def _apply(live: LiveStage, message: Message) -> None:
    """Apply a message; once the hand rests, run the parts of the page that show its changes."""
    # The page around the stage shows the last settings at rest. They are those before this message,
    # or while a hand was moving those of the last complete answer, if that is still there.
    last, before = _last(live.key), state.settings()
    complete = None if last is None else last.complete
    live.apply(message)
    if message.hand:
        return
    after = state.settings()
    changes = {name: after.get(name) for name in live.stage_settings}
    only_stage = (
        "story" not in message.changes
        and complete is not None
        and all(
            old.change(**changes) == after and not _shown_elsewhere(old, after)
            for old in (before, complete.settings)
        )
    )
    if only_stage:
        _run_parts()
    elif _streamlit.fragments():
        st.rerun()


def _shown_elsewhere(before: Settings, after: Settings) -> bool:
    """Whether the page around the stage, guide and numbers differs between these settings."""
    return (
        state.bare()  # its head links to the full page
        or state.kind().has_notes()  # messages are about the earlier settings
        or presets.origin(before, state.page()) != presets.origin(after, state.page())
        or shell.has_unsaved_labels(before) != shell.has_unsaved_labels(after)
    )


def _run_parts() -> None:
    """In a callback: run only the fragments of the stage and the parts beside and below it.

    If several fragments called back, run the full page.
    """
    if _streamlit.fragments() == 1:
        st.rerun(st.session_state[FRAGMENTS])
    elif _streamlit.fragments():
        st.rerun()


def _on_tick(live: LiveStage) -> None:
    """The browser asks again: run the parts that show the answer, if it is ready."""
    job = jobs.running(live.key)
    if job is None or job.wait(live.patience):
        _run_parts()
    st.session_state[_LOOKED] = True


@lru_cache(maxsize=64)
def _formula_as_html(formula: Callable[[Any], str], settings: Any, key: str) -> str:
    latex = formula(settings)
    return formula_line.as_html(latex, key) if latex else ""


def _let_page_follow(live: LiveStage, settings: Any, ended: bool, moving: bool) -> None:
    """Run the full page if the parts below and beside the stage are outdated.

    So a hand at rest is answered once: by that run, before this one draws anything.
    """
    drawn, current = st.session_state.setdefault(_BELOW, {}), (live.drawn_below(settings), ended)
    if _streamlit.fragments() != 1:
        drawn[live.key] = current
    elif not moving and drawn.get(live.key) != current and (ended or not live.rough_first):
        st.rerun()


def content(live: LiveStage) -> Content | None:
    """Content for the parts beside and below a stage; None before its first answer, or if bare.

    It stays while the next answer is computed; page.css dims it. To be called first in the
    fragments of these parts: if a control in them has changed settings, the full page runs. Such
    a control changes settings in a callback: code after a button's ``if`` is lost if the script is
    interrupted before it.
    """
    drawn = st.session_state.get(_BELOW, {}).get(live.key)
    outdated = drawn is not None and drawn[0] != live.drawn_below(state.settings())
    if outdated and not channel.heard(live.key).hand:
        st.rerun()
    last = _last(live.key)
    if last is None or last.complete is None or state.bare():
        return None
    return None if state.kind().is_lost(last.complete.settings) else last.complete


def cancel(key: str) -> None:
    """Cancel the computation, and restore the settings of the picture."""
    job, last = jobs.running(key), _last(key)
    if job is None:
        return
    job.cancel()
    if last is not None and last.settings != state.settings():
        state.put(last.settings)
        state.tell("Cancelled; settings restored.")
        st.rerun()


def _last(key: str) -> Shown | None:
    return visitors.session_dict(user_data.PICTURES).get(key)


def _waiting(job: jobs.Job) -> Waiting:
    if (position := job.position) > 1 and job.seconds > QUEUE:
        return Waiting(f"queued: {position - 1} ahead of you", job.seconds)
    phase, total = "computing", None
    if job.report is not None:
        phase = job.report.what
        if job.left is not None and phase == "assembly":  # the longest phase, whose share is known
            total = job.seconds + job.left
    return Waiting(phase, job.seconds, total)


def _answer(job: jobs.Job, subject: str) -> Any:
    try:
        return job.result()
    except Cancelled:
        return Waiting(failed="Cancelled. Change a setting to compute again.")
    except Exception as error:
        return Waiting(failed=shell.sentence_of(error, subject))
