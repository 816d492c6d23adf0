"""The stage of a page, computed beside the script: it answers at once, whatever that takes.

    settings ─> job (a thread) ─> answer ─> stage, then the page below it
                  └─ not ready: the stage keeps its old picture, says so, and looks again

A hand that still moves gets a light answer (fields alone), in a run of the stage's fragment. What
it did when it rests is answered in one run of all that shows it: of the stage and of what stands
beside and below it where the rest of the page is as it was, else of the whole page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar

import streamlit as st

from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Message, Waiting
from lapviz.explorer.compute import cache, jobs
from lapviz.explorer.host import _streamlit, visitors
from lapviz.explorer.session import state, user_data
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stage.component import Encoded, settings_of, stage
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import guide, knobs, leaving, shell
from lapviz.explorer.words import formula_line
from lapviz.progress import Cancelled

QUEUE = 1.0  # seconds that a visitor waits for others without being told
MOST_ANSWERS = 8  # kept for who goes back, and for an audience that opens the same link
BARE = ("lam", "sigma")  # knobs of a stage without its page
PARTS = "lapviz_parts"  # keys of the fragments of the page: the stage, what is beside and below
_LOOKED = "lapviz_looked"  # there while a look at the answer has waited for it already
_BELOW = "lapviz_below"  # by each stage: what the page below was drawn for, and whether it was done


@dataclass(frozen=True)
class LiveStage:
    """A stage: what it computes, how that is drawn, and what a hand changes on it.

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
        The formula for settings, in LaTeX, or "".
    height : int, optional
        The largest height of a picture, in pixels; by default chosen from the window.
    knobs : tuple of str, optional
        Names of its sliders; by default those of the settings.
    stage_settings : tuple of str
        Settings that only the stage and the parts beside and below it show.
    """

    key: str
    subject: str
    view: Callable[[Any, frozenset[str], bool], Any]
    formula: Callable[[Any], str] | None = None
    height: int | None = None
    knobs: tuple[str, ...] | None = None
    stage_settings: tuple[str, ...] = ()

    patience: ClassVar[float] = 0.5  # seconds that a script waits for an answer
    first_patience: ClassVar[float] = 1.0  # before the first one: asking again would take longer
    rough_first: ClassVar[bool] = False  # answer a hand at rest with a light answer, then in full

    def compute(self, settings: Any, hidden: frozenset[str], light: bool) -> Any:
        """The answer, in a thread."""
        content = self.view(settings, hidden, light)
        numbers = knobs.numbers(getattr(content, "settings", settings))  # those it was made with
        return Answer(content, numbers, Encoded.of(content.scene))

    def content(self, answer: Any, light: bool) -> Any:
        """What the page below the stage is about; None if the answer is too light for it."""
        return None if light else answer.content

    def draw(self, answer: Any, last: Shown | None, settings: Any) -> None:
        """Draw an answer or a :class:`Waiting`; ``last`` is what was shown last, or is now."""
        scene = answer
        if not isinstance(answer, Waiting):
            scene = answer.scene.at(channel.revision(self.key), *["tools"] * state.bare())
        current = last is not None and last.settings == settings  # else its numbers are of others
        numbers = last.answer.numbers if last else None
        sliders = knobs.toolbar(settings, numbers, state.hidden(), state.page())
        names = BARE if state.bare() else self.knobs
        stage(
            scene,
            key=self.key,
            height=self.height,
            title=shell.heading(settings),
            words=guide.words(last.answer.content if current else None, self.numbers),
            story=bool(getattr(settings, "story", "")),
            knobs=tuple(knob for knob in sliders if names is None or knob.name in names),
            on_change=partial(_take, self),
            on_cancel=partial(cancel, self.key),
            on_tick=partial(_look, self),
            point=state.pointed(),
            formula=self.formula_of(settings),
            useful=presets.useful(settings.story),
        )

    def numbers(self, settings: Any) -> Any:
        """What stories say of other settings on this stage; in a thread."""
        return self.view(settings, frozenset(), False).numbers

    def formula_of(self, settings: Any) -> str:
        """The formula as HTML, or ""."""
        shown = self.formula is not None and not state.bare()
        return _formula_as_html(self.formula, settings, self.key) if shown else ""

    def apply(self, said: Message) -> None:
        """Change settings by what a hand did; or go to another place in the story."""
        if state.restored():  # the hand had let go before
            return
        changes = settings_of(said)
        if "story" in changes:
            state.turn(changes["story"])
            return
        drawn = changes.pop("drawing", None)
        now = state.settings().change(**changes)
        state.put(now if drawn is None else user_data.take_drawing(now, drawn))

    def drawn_below(self, settings: Any) -> object:
        """What the page below and beside the stage depends on."""
        return settings, self.view


@dataclass(frozen=True, eq=False)
class Answer:
    """What a page shows, numbers for the knobs, and the scene as it is sent."""

    content: Any
    numbers: knobs.Numbers
    scene: Encoded


@dataclass(frozen=True, eq=False)
class Content:
    """What the page below a stage is about: the last whole answer's content and settings.

    Attributes
    ----------
    shown : object
    settings : object
        The page's own, or older ones while their answer is being computed.
    """

    shown: Any
    settings: Any


@dataclass(frozen=True, eq=False)
class Shown:
    """The last answer of a stage, the settings that it is of, and the last whole content."""

    settings: Any
    answer: Any
    whole: Content | None


def show(live: LiveStage) -> None:
    """Draw a stage; to be called from a fragment."""
    state.follow()
    settings, hidden, key = state.settings(), state.hidden(), live.key
    known, hand = _known(key), channel.hand(key)
    rough = live.rough_first and (known is None or known.settings != settings)
    light = hand or rough
    if not hand:
        state.write_url()  # first, so that a reload while this is computed loses nothing
    looked = st.session_state.pop(_LOOKED, False)
    answer, ready = None if light else cache.peek(_whole, live, settings, hidden), True
    if answer is None:
        job = jobs.ask(key, _light if light else _whole, live, settings, hidden)
        ready = job.wait(0.0 if looked else live.patience if known else live.first_patience)
        answer = _answer(job, live.subject) if ready else _waiting(job)
    else:
        jobs.forget(key)
    given = not isinstance(answer, Waiting)
    shown = live.content(answer, light) if given else None
    _let_page_follow(live, settings, shown is not None or (ready and not given), hand)
    if given:
        whole = Content(shown, settings) if shown is not None else known and known.whole
        visitors.session_dict(user_data.PICTURES)[key] = known = Shown(settings, answer, whole)
    live.draw(answer, known, settings)
    current = known is not None and known.whole is not None and known.whole.settings == settings
    # For page.css, which dims what is older below the stage; part of every stage.
    st.html(f'<i class="lv-{"new" if hand or current else "old"}"></i>')


@cache.step(most=MOST_ANSWERS)
def _whole(live: LiveStage, settings: Any, hidden: frozenset[str]) -> Any:
    return live.compute(settings, hidden, False)


def _light(live: LiveStage, settings: Any, hidden: frozenset[str]) -> Any:
    return live.compute(settings, hidden, True)


def _take(live: LiveStage, said: Message) -> None:
    """Change settings by what a hand did, and run what shows them once the hand rests.

    What a hand did while it moved nothing around the stage has shown yet.
    """
    known = _known(live.key)
    before = state.settings() if known is None or known.whole is None else known.whole.settings
    live.apply(said)
    if said.hand:
        return
    now = state.settings()
    same = before.change(**{name: now.get(name) for name in live.stage_settings}) == now
    if same and "story" not in said.changes and not _shown_elsewhere(before, now):
        _run_parts()
    elif _streamlit.fragments():
        st.rerun()


def _shown_elsewhere(before: Settings, now: Settings) -> bool:
    """Whether the page around stage, guide and numbers shows which of these settings it has."""
    return (
        state.bare()  # its head links to the whole page
        or state.kind().has_notes()  # they are for the settings before
        or presets.origin(before, state.page()) != presets.origin(now, state.page())
        or leaving.unsaved(before) != leaving.unsaved(now)
    )


def _run_parts() -> None:
    """From a callback: run the stage and what stands beside and below it, and nothing else.

    Where more than the stage has called the whole page runs.
    """
    if _streamlit.fragments() == 1:
        st.rerun(st.session_state[PARTS])
    elif _streamlit.fragments():
        st.rerun()


def _look(live: LiveStage) -> None:
    """The browser asks again: run what shows the answer if there is one by now."""
    job = jobs.running(live.key)
    if job is None or job.wait(live.patience):
        _run_parts()
    st.session_state[_LOOKED] = True


@lru_cache(maxsize=64)
def _formula_as_html(formula: Callable[[Any], str], settings: Any, key: str) -> str:
    latex = formula(settings)
    return formula_line.as_html(latex, key) if latex else ""


def _let_page_follow(live: LiveStage, settings: Any, ended: bool, hand: bool) -> None:
    """Run the whole page if what stands below and beside the stage was drawn for something else.

    A hand at rest is so answered once: by that run, before anything is drawn in this one.
    """
    below, now = st.session_state.setdefault(_BELOW, {}), (live.drawn_below(settings), ended)
    if _streamlit.fragments() != 1:
        below[live.key] = now
    elif not hand and below.get(live.key) != now and (ended or not live.rough_first):
        st.rerun()


def follow(live: LiveStage) -> None:
    """Let the whole page follow settings that a control below the stage has changed.

    To be called first in the fragment below it. Such a control changes them by a callback: what a
    script does after the answer of a button is lost if the script is cut short before it.
    """
    drawn = st.session_state.get(_BELOW, {}).get(live.key)
    outdated = drawn is not None and drawn[0] != live.drawn_below(state.settings())
    if outdated and not channel.hand(live.key):
        st.rerun()


def content(key: str) -> Content | None:
    """What the page below a stage is about; None before the first answer, and without a page.

    While the next answer is computed it stays, and page.css dims it.
    """
    known = _known(key)
    if known is None or known.whole is None or state.bare():
        return None
    return None if state.kind().is_lost(known.whole.settings) else known.whole


def cancel(key: str) -> None:
    """Give up the computation, and restore the settings of the picture."""
    job, known = jobs.running(key), _known(key)
    if job is None:
        return
    job.cancel()
    if known is not None and known.settings != state.settings():
        state.put(known.settings)
        state.tell("Cancelled; settings restored.")
        st.rerun()


def _known(key: str) -> Shown | None:
    return visitors.session_dict(user_data.PICTURES).get(key)


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


def _answer(job: jobs.Job, what: str) -> Any:
    try:
        return job.result()
    except Cancelled:
        return Waiting(failed="Cancelled. Change a setting to compute again.")
    except Exception as error:
        return Waiting(failed=shell.sentence_of(error, what))
