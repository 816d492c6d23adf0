"""The guide beside the picture of a story: a sentence, the steps, and links to other stories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from lapviz.explorer.compute import jobs
from lapviz.explorer.session import state
from lapviz.explorer.stories import presets
from lapviz.explorer.stories.steps import Place, Sentence
from lapviz.explorer.widgets import shell

BEFORE = "story-before"  # place of the job that computes the numbers before a step
PATIENCE = 1.0  # seconds that a sentence waits for the numbers before the step
LEVELS = {1: "for everyone", 2: "some machine learning", 3: "for the initiated"}


def show(settings: Any, numbers: Mapping[str, Any] | None, measure: Callable) -> None:
    """Show the guide of the page's story.

    Parameters
    ----------
    settings : object
        Settings of the page.
    numbers : mapping or None
        Numbers on the screen; None while they are computed.
    measure : callable
        ``measure(settings)`` returns the numbers of other settings; called in a thread.
    """
    place = state.place()
    if place is None:  # the visitor has just left it: the page runs again
        return
    story = place.story
    path = next(path for path in presets.PATHS if path.name == story.path)
    stories = path.stories
    with st.container(key="guide-path"):
        st.caption(f"{path.title}: story {stories.index(story) + 1} of {len(stories)}")
    st.title(story.title, anchor=False)
    _sentence(place, numbers, measure)
    with st.container(key="guide-list"):
        for i, step in enumerate(place.steps, 1):
            # Steps up to the current one have a tick, in a circle while they are in force; the next
            # one is bold, for the style sheet to highlight: with another type a button loses the
            # focus. No help text: it would cover the sentence that a click brings.
            is_current = i == place.at and not place.changed
            text = f"{i}. {step.text}"
            icon = "circle" if i > place.at else "check_circle" if place.in_force(i) else "check"
            st.button(
                f"**{text}**" if i == place.at + 1 and not place.changed else text,
                key=f"step-{story.name}-{i}",
                icon=f":material/{icon}:",
                on_click=_go,
                args=((-1 if step.after_last else -i) if is_current else i - place.at,),
                width="stretch",
            )
    with st.container(key="guide-steps", horizontal=True, gap="small"):
        _button("back", "Back", "undo", "To the step before.", _go, -1, disabled=not place.at)
        at_start = state.settings() == state.kind().base(state.settings())
        words = "Back to the story’s own settings."
        _button("start", "Start again", "restart_alt", words, state.reset, disabled=at_start)
        if story.draws:
            words = "The same step on other random points: does it still hold?"
            _button("draw", "Another draw", "casino", words, _draw)
    if not state.hidden():  # the link may hide the controls to try
        with st.expander("More to try, and the source"):
            st.markdown(f"{story.next}\n\n*{shell.cited(story.source)}*")
    following = presets.neighbour(story.name, 1)
    with st.container(key="guide-ways"):
        way = partial(_button, type="tertiary")
        title, words = f"Next story: {following.title}", "Open it with everything set."
        way("following", title, "arrow_forward", words, state.show_story, following.name)
        way("all", "All stories", "apps", "The four paths, on Start.", state.open_page, "start")
        words = "Keep the settings, without the story: all controls open."
        way("leave", "Leave the story", "tune", words, _leave)


def _button(name: str, label: str, icon: str, help: str, act: Callable, *args, **options) -> None:
    """Show a button of the guide, which calls ``act`` with the arguments."""
    shell.button(label, f"guide-{name}", icon, help, act, *args, **options)


def sentence(place: Place | None, content: Any, measure: Callable) -> str:
    """Sentence at a place in a story, as far as its numbers are known; "" without a story.

    ``content`` is what the stage shows, or None while that is computed; ``measure`` is as in
    :func:`show`.
    """
    if place is None or place.changed:
        return ""
    return _checked(place, content and content.numbers, measure)[0].text


def _checked(
    place: Place, numbers: Mapping[str, Any] | None, measure: Callable
) -> tuple[Sentence, jobs.Job | None]:
    """The sentence; and the job for the numbers before the step, as long as these are computed.

    The picture and the sentence beside it share the job.
    """
    if place.before is None or numbers is None:
        return place.sentence(numbers or {}), None
    job = jobs.get(BEFORE)
    if job is None or job.abandoned or job.work[1:] != (place.before,):
        job = jobs.ask(BEFORE, measure, place.before)
    job.wait(PATIENCE)
    state_now = job.state
    sentence = place.sentence(numbers, job.result() if state_now == "done" else None)
    return sentence, job if state_now == "running" else None


def _sentence(place: Place, numbers: Mapping[str, Any] | None, measure: Callable) -> None:
    """Show the story's sentence with its numbers, or how the settings differ from the story's."""
    with st.container(key="guide-sentence"):
        if place.changed:
            origin = f"step {place.at}" if place.at else "the story"
            st.markdown(f"Not as in {origin} any more: {', '.join(place.changed)}.")
            help_text = "Restore its settings."
            _button("restore", f"Back to {origin}", "restart_alt", help_text, state.go_to, place.at)
            return
        # If the picture, drawn first, has its sentence without the numbers before the step.
        awaited = None not in (place.before, numbers) and jobs.running(BEFORE) is not None
        sentence, job = _checked(place, numbers, measure)
        if awaited and job is None:
            st.rerun()
        if job is not None:
            shell.unfinished(BEFORE, "What it was before", job)
        st.markdown(f"{':orange[≠] ' * (sentence.holds is False)}{sentence.text}")
        if place.step is not None:
            replaces = place.at > 1 and not place.step.after_last
            from_where = "Starts from the story’s own settings. " if replaces else ""
            st.caption(f"{from_where}By hand: {place.step.by}. Click the step again to undo it.")


def _go(step: int) -> None:
    """Go so many steps forward, or back, from the current step."""
    if (place := state.place()) is not None:
        state.go_to(place.at + step)


def _draw() -> None:
    """Show the same step with the next seed."""
    place, settings = state.place(), state.settings()
    if place is not None:
        seed = (settings.data.random_state + 1) % 2**31
        redrawn = state.kind().place(presets.story_start(settings).change(seed=seed))
        state.restore(redrawn.states[place.at])


def _leave() -> None:
    state.put(state.settings().change(story=""))
