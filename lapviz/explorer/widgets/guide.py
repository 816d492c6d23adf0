"""The guide beside the picture of a story: what is seen, the steps, and the ways on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from lapviz.explorer.compute import jobs
from lapviz.explorer.session import state
from lapviz.explorer.stories import presets
from lapviz.explorer.stories.steps import Place
from lapviz.explorer.widgets import shell

BEFORE = "story-before"  # the place of its job
PATIENCE = 1.0  # seconds that a sentence waits for the numbers before the step
LEVELS = {1: "for everyone", 2: "some machine learning", 3: "for the initiated"}


def show(settings: Any, numbers: Mapping[str, Any] | None, measure: Callable) -> None:
    """The guide of the page's story.

    Parameters
    ----------
    settings : object
        The page's.
    numbers : mapping or None
        What is read from the screen; None while that is computed.
    measure : callable
        ``measure(settings)`` returns the numbers of other settings; called in a thread.
    """
    place = state.place()
    if place is None:  # left just now: the page runs again
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
            # Up to the present one they have a tick, in a circle while they are in force, and the
            # next one is offered. No help of their own: that would open over the sentence which the
            # click has brought.
            here = i == place.at and not place.changed
            icon = "circle" if i > place.at else "check_circle" if place.in_force(i) else "check"
            st.button(
                f"{i}. {step.text}",
                key=f"step-{story.name}-{i}",
                icon=f":material/{icon}:",
                on_click=_go,
                args=(-1 if here else i - place.at,),
                type="primary" if i == place.at + 1 and not place.changed else "secondary",
                width="stretch",
            )
    with st.container(key="guide-steps", horizontal=True, gap="small"):
        _button("back", "Back", "undo", "Undo this step.", _go, -1, disabled=not place.at)
        there = not (place.at or place.changed)
        words = "Back to the story’s own state."
        _button("start", "Start again", "restart_alt", words, _go, -place.at, disabled=there)
        if story.draws:
            words = "The same step on other random points: is it still so?"
            _button("draw", "Another draw", "casino", words, _draw)
    if not state.hidden():  # what to try may be a control that the link hides
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


def _button(name: str, label: str, icon: str, help: str, act: Callable, *args, **more) -> None:
    """A button of the guide, which calls ``act`` with the arguments."""
    icon = f":material/{icon}:"
    st.button(label, key=f"guide-{name}", help=help, on_click=act, args=args, icon=icon, **more)


def words(content: Any, measure: Callable) -> str:
    """The sentence of the page's story, as far as its numbers are known; "" where there is none.

    ``content`` is what the stage shows, None while that is computed; ``measure`` as of
    :func:`show`.
    """
    place = state.place()
    if place is None or place.changed:
        return ""
    numbers = None if content is None else content.numbers
    job = _before(place, numbers, measure)
    was = job.result() if job is not None and job.state == "done" else None
    return place.sentence(numbers or {}, was).text


def _before(place: Place, numbers: Mapping[str, Any] | None, measure: Callable) -> jobs.Job | None:
    """The numbers before the step, if these are to be compared with them.

    One job for the picture and for the sentence beside it.
    """
    if place.before is None or numbers is None:
        return None
    job = jobs.known(BEFORE)
    if job is None or job.abandoned or job.work[1:] != (place.before,):
        job = jobs.ask(BEFORE, measure, place.before)
    job.wait(PATIENCE)
    return job


def _sentence(place: Place, numbers: Mapping[str, Any] | None, measure: Callable) -> None:
    """What is seen here, with its numbers; or how the settings differ from the story's."""
    with st.container(key="guide-sentence"):
        if place.changed:
            where = f"step {place.at}" if place.at else "the story"
            st.markdown(f"Not as in {where} any more: {', '.join(place.changed)}.")
            words = "Restore its settings."
            _button("restore", f"Back to {where}", "restart_alt", words, state.go_to, place.at)
            return
        job = _before(place, numbers, measure)
        if job is not None and job.state == "running":
            shell.unfinished(BEFORE, "What it was before", job)
        was = job.result() if job is not None and job.state == "done" else None
        sentence = place.sentence(numbers or {}, was)
        st.markdown(f"{':orange[≠] ' * (sentence.holds is False)}{sentence.text}")
        if place.step is not None:
            replaces = place.at > 1 and not place.step.after_last
            from_where = "From the story’s own state again. " if replaces else ""
            st.caption(f"{from_where}By hand: {place.step.by}. Click the step again to undo it.")


def _go(step: int) -> None:
    """That many steps further, or back, from where the page is now."""
    if (place := state.place()) is not None:
        state.go_to(place.at + step)


def _draw() -> None:
    """The same step with the next seed."""
    place, now = state.place(), state.settings()
    if place is not None:
        seed = now.data.random_state + 1
        at = state.kind().place(presets.story_start(now).change(seed=seed))
        state.restore(at.states[place.at])


def _leave() -> None:
    state.put(state.settings().change(story=""))
