"""Parts common to all pages, and error messages in place of tracebacks."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from lapviz.estimators.advice import Advice
from lapviz.explorer.compute import jobs
from lapviz.explorer.session import state, user_data
from lapviz.explorer.session.page_state import KINDS
from lapviz.explorer.settings.fields import GROUPS, PARTS
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.stories import presets
from lapviz.explorer.stories.steps import Place
from lapviz.explorer.widgets import controls
from lapviz.fit import Report
from lapviz.markdown import plain

QUICK, LOOK = 0.3, 0.5  # seconds before a progress bar is shown, and between its updates

_BY_ESTIMATORS = (
    "A script with lapviz's estimators that computes this page's estimates and prints numbers "
    "that are shown here."
)
_BY_FUNCTIONS = (
    "A script that prints numbers that are shown here. Labels in empty space, several candidates "
    "or classes without a label need the functions of lapviz.fit, on which the estimators are "
    "built."
)
_LOG = logging.getLogger("lapviz.explorer")
_LOG.addHandler(logging.StreamHandler())  # the library's own is silent
_SAVED = "lapviz_labels_saved"  # the table and the labels that were downloaded last
_LEAVING = st.components.v2.component(
    "lapviz_leaving",
    js="""
export default function ({ data }) {
  const guard = (globalThis.__lapvizLeaving ??= (event) => event.preventDefault());
  if (data.unsaved) window.addEventListener("beforeunload", guard);
  else window.removeEventListener("beforeunload", guard);
}
""",
)


@contextmanager
def guarded(subject: str) -> Iterator[None]:
    """Show an error as a message on the page; the rest of the page is still drawn."""
    try:
        yield
    except Exception as error:
        st.error(sentence_of(error, subject), icon=":material/info:")


def sentence_of(error: Exception, subject: str) -> str:
    """Sentence about an error, starting with its subject; unexpected errors are logged, too."""
    if isinstance(error, np.linalg.LinAlgError):  # a ValueError, too
        _LOG.error("linear algebra failed in %s", subject, exc_info=error)
        return (
            f"{subject} cannot be computed with these settings: the matrices are too close to "
            "singular. Use a larger σ or μ."
        )
    if isinstance(error, ValueError | MemoryError):
        return f"{subject} cannot be computed with these settings. {error}"
    _LOG.error("unexpected error in %s", subject, exc_info=error)
    return (
        f"{subject} failed with an unexpected error. Press “Reset”, and please report the link of "
        "this page."
    )


def cited(text: str) -> str:
    """Text in which the papers' short names link to the references."""
    return re.sub(
        r"\b(SSL21|KRR20|GAL23|KCG10)\b", lambda m: f"[{m[0]}](notes#{m[0].lower()})", text
    )


def show_notes() -> None:
    """Show messages about input that could not be used."""
    with st.container():  # always present: else the expanders below would move and close
        for sentence in state.kind().notes():
            st.warning(plain(sentence), icon=":material/info:")


def warning(sentence: str) -> None:
    """Show a warning below the stage; its container is present even without one."""
    with st.container():
        if sentence:
            st.warning(sentence, icon=":material/info:")


def hints(advice: Sequence[Advice]) -> None:
    """Show advice below the stage; its container is present even without any."""
    with st.container():
        for item in advice:
            st.info(plain(item.on_a_page), icon=":material/lightbulb:")


def report(chosen: Report) -> None:
    """Show what was chosen from the data, and why; the same text as in ``estimator.report_``."""
    with st.container():
        if not chosen.choices:
            return
        with st.expander("What was chosen from the data, and why", icon=":material/rule:"):
            lines = (f"- **`{choice.name}` = {plain(choice.shown)}:** {plain(choice.reason)}"
                     for choice in chosen)  # fmt: skip
            st.markdown("\n".join(lines))
            st.caption("Under the estimator’s own names; `print(model.report_)` says the same.")


def long_work(
    name: str,
    title: str,
    function: Callable,
    *arguments: object,
    draw: Callable[[object], None] | None = None,
) -> object:
    """Result of a long computation; while it runs, show progress and “Cancel” and return None.

    Parameters
    ----------
    name : str
        Place on the page, unique in the app: it has one job at a time.
    title : str
        Name of what is computed.
    function : callable
        Called with the arguments in a thread; must not call Streamlit. It may report partial
        results (:mod:`lapviz.progress`).
    arguments : hashable
        Equal arguments mean the same work.
    draw : callable, optional
        Draws a partial result, while the work runs and after it was cancelled.

    Raises
    ------
    Exception
        The error of the function.
    """
    job = jobs.ask(name, function, *arguments)
    if job.wait(QUICK) and job.state != "cancelled":
        return job.result()
    unfinished(name, title, job, draw)
    return None


def unfinished(
    name: str, title: str, job: jobs.Job, draw: Callable[[object], None] | None = None
) -> None:
    """Show progress and “Cancel” in place of a job's result, or, if cancelled, “Start again”."""
    if job.state != "cancelled":
        st.fragment(_progress, run_every=LOOK)(name, title, job, draw)
        return
    if draw is not None and job.partial is not None:
        draw(job.partial)
    st.caption(f"{title}: cancelled.")
    button("Start again", f"{name}-again", "", "Compute it after all.", jobs.forget, name)


def _progress(name: str, title: str, job: jobs.Job, draw: Callable | None) -> None:
    if job.wait(0):
        st.rerun()
    text = f"{title}: {job.report.what if job.report else 'starting'}, {job.seconds:.0f} s"
    text += f", about {job.left:.0f} s left" if job.left and job.seconds > 1 else ""
    st.progress(job.share, text)
    words = "End this computation; what is done so far is kept."
    button("Cancel", f"{name}-cancel", "", words, job.cancel)
    if draw is not None and job.partial is not None:
        draw(job.partial)


def sidebar(
    name: str,
    groups: dict[str, Callable[[Any], None]],
    folded: frozenset[str] = frozenset(),
    lead: Callable[[Any], None] | None = None,
) -> None:
    """Show the page's controls, with a fold for each group that the link does not hide.

    Parameters
    ----------
    name : str
        Name of the page, for keys.
    groups : dict
        For each group ``draw(settings)``, which draws its controls.
    folded : set of str
        Groups that are folded initially.
    lead : callable, optional
        ``lead(settings)`` draws the control above the groups.
    """
    hidden = state.hidden()
    if not groups.keys() - hidden or state.bare():
        return
    point = state.pointed().get("name")
    pointed_at = SETTINGS[point].group if point in SETTINGS else ""
    with st.sidebar:
        settings = state.settings()
        whose = "story" if getattr(settings, "story", "") else state.kind().whose
        with st.container(horizontal=True, gap="small"):
            reset_buttons(name, f"Restore the {whose}'s own settings.", "stretch")
        if lead is not None and not hidden:
            lead(settings)
        for group, draw in groups.items():
            if group not in hidden:
                title = GROUPS.get(group, group.capitalize())
                unfold = group not in folded or group == pointed_at
                with st.expander(title, expanded=unfold), guarded(f"“{title}”"):
                    draw(settings)
        controls.pointer()


def button(
    label: str, key: str, icon: str, help: str, act: Callable, *args: object, **options: object
) -> None:
    """A button with an icon, or "", that calls ``act`` with the arguments."""
    icon = icon and f":material/{icon}:"
    st.button(label, key=key, help=help, on_click=act, args=args, icon=icon or None, **options)


def reset_buttons(name: str, help: str, width: str = "content") -> None:
    """“Reset”, explained by ``help``; and “Revert”, once that or others replaced the settings."""
    if state.kind().kept() is not None:
        before = (
            "Bring back your changed settings and labels, as before the last Reset, link, story, "
            "search or other data."
        )
        button("Revert", f"{name}-revert", "history", before, state.revert, width=width)
    button("Reset", f"{name}-reset", "restart_alt", help, state.reset, width=width)


def headline(title: str, settings: Settings) -> None:
    """Show the title and messages; for a stage without its page a sentence and a link to it."""
    if state.bare():
        place = state.place()
        statement = place.statement[0] if place and not place.changed else ""
        query = state.link() | {"hide": ",".join(sorted(state.hidden() - {"page"}))}
        kept = {name: value for name, value in query.items() if value or name != "hide"}
        text = urlencode(kept, safe=",~:")
        with st.container(key="bare"):
            st.title(heading(settings, place), anchor=False)
            st.caption(f"{plain(statement)} [Open with all controls](?{text})")
        return
    with st.container(key="headline"):
        st.title(title, anchor=False)
    show_notes()


def chart(figure: Any, key: str, alt: str, **options: object) -> None:
    """Show a Plotly figure in its own colours; ``alt`` is its description.

    One that needs more room than a phone has is scrolled sideways.
    """
    least = (figure.layout.meta or {}).get("least", 0)
    with st.container(key=f"chart-{key}"):
        if least:
            st.html(f"<style>.st-key-{key} {{ min-width: {least}px }}</style>")
        st.plotly_chart(figure, key=key, theme=None, alt=alt, **options)


def switch(label: str, key: str, help: str) -> bool:
    """A switch, which keeps its position while other pages are shown; those of a page's
    :data:`lapviz.explorer.settings.fields.PARTS` are in its link."""
    is_on, in_link = bool(st.session_state.get(key)), key in PARTS.get(state.page(), {}).values()
    follow = state.write_url if in_link else None
    is_on = st.toggle(label, is_on, key=key, on_change=follow, help=help)
    st.session_state.setdefault(state.SWITCHES, {})[key] = is_on
    return is_on


def fold(title: str, icon: str, name: str, unfolded: bool = False) -> Any:
    """A fold, whose content is to be drawn if it is ``open``; ``name`` is unique on the page."""
    key, icon = f"fold-{name}@{state.page()}", f":material/{icon}:"
    return st.expander(title, expanded=unfolded, key=key, icon=icon, on_change="rerun")


# A table and its labels are in the visitor's session only: reloading the page loses both.


def warn_before_leaving(place: str) -> None:
    """Let the browser ask before it leaves the page, as long as there are labels, points drawn, or
    strokes, in no file or link."""
    of_tables = any(map(has_unsaved_labels, state.SHARED.of_own_data().values()))
    unsaved = of_tables or any(kind.has_unsaved() for kind in KINDS)
    _LEAVING(key=f"leaving-{place}", data={"unsaved": unsaved})  # page.css hides it


def has_unsaved_labels(settings: Settings | None) -> bool:
    """Whether a table has labels set by hand that were changed since they were downloaded."""
    if settings is None or settings.data.name != "table" or not settings.labels.chosen:
        return False
    exists = user_data.get(settings.data.source) is not None
    return exists and (settings.data, settings.labels.chosen) != st.session_state.get(_SAVED)


def labels_saved() -> None:
    """Record that the current labels were downloaded."""
    spec = user_data.latest("table")
    settings = spec and state.SHARED.of_own_data().get(spec.source)
    st.session_state[_SAVED] = settings and (settings.data, settings.labels.chosen)


def recipe(text: Callable[[], str], caption: str = "") -> None:
    """Show the script that reproduces the numbers on screen, with a caption."""
    with fold("Copy as Python", "code", "recipe") as expander:
        if expander.open:
            script = text()
            st.caption(caption or (_BY_FUNCTIONS if "fit.problem" in script else _BY_ESTIMATORS))
            st.code(script, language="python", wrap_lines=True)


def heading(settings: Settings, place: Place | None) -> str:
    """Title of what the page shows: of the story with its step, or of the data set."""
    if place is not None:
        return f"{place.story.title}: {place.step.text}" if place.step else place.story.title
    if (story := presets.BY_NAME.get(settings.story)) is not None:
        return story.title
    by_hand = state.page() == "regression" and settings.regression.topic == "slopes"
    return "Values and slopes" if by_hand else settings.data.info.title
