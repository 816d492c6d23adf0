"""Start: one question, whose answer can be seen, and four paths of stories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from lapviz.explorer.compute import points
from lapviz.explorer.scene.label_methods import GRAPH
from lapviz.explorer.scene.labels import LabelsView, labels_view
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import guide, shell
from lapviz.scenes import Panel
from lapviz.tables.names import counted

STORY = "spread"
LINKED = (STORY, "circles")  # stories that a link may name: the present one, and that of old links
NAMES, ICONS = ("blue dots", "orange squares"), ("circle", "square")
MARGIN = 0.1  # of accuracy over kernel ridge, from which the text says that data are followed
HEIGHT = 330  # pixels of a picture, so that the paths are in view
_GUESS = "lapviz_guess"  # the guessed class; -1: none
HIDDEN = ("filter", "zoom", "tools")  # of Labels, not on this page


@dataclass(frozen=True, eq=False)
class _Start(state.DataState):
    """The settings of one story, whatever a link says."""

    def read(self, query: dict[str, str], first: Settings) -> tuple[Settings, list[str]]:
        """Read the settings of a link, if it is about that story; changed ones show the answer."""
        linked, problems = super().read(query, first)
        if linked.story not in LINKED:
            return first, [*problems, "This page has a story of its own: choose others below."]
        if linked != first:
            st.session_state.setdefault(_GUESS, -1)
        return linked, problems

    def write(self, settings: Settings) -> dict[str, str]:
        """The settings in a link, without the page's own story: on Labels it is another link."""
        query = super().write(settings)
        return {name: text for name, text in query.items() if (name, text) != ("story", STORY)}


def question_view(
    settings: Settings, hidden: frozenset[str], light: bool, answered: bool, graph: bool
) -> LabelsView:
    """Compute the picture of Labels: before the guess the points alone, then the answers of two
    methods, with ``graph`` also of the graph Laplacian."""
    view = labels_view(settings, hidden | {"data"}, light)  # points are drawn on Labels only
    scene, shown, hide = view.scene, view.scene.points, HIDDEN
    panels = [panel for panel in scene.panels if graph or panel.title != GRAPH]
    if not answered:
        first = scene.panels[0]
        blank = None if first.grid is None else np.zeros_like(first.grid)
        panels = [Panel("Points and labels", np.zeros_like(first.points), blank)]
        shown, hide = replace(shown, truth=None), (*HIDDEN, "lam")  # a hover would show it
    scene = replace(
        scene,
        panels=tuple(panels),
        points=shown,
        classes=NAMES,
        marked=ringed_row(settings),
        hide=hide,
        editable=answered and "labels" not in hidden,
        columns=0,
        first=int(answered),
    )
    return replace(view, scene=scene)


def ringed_row(settings: Settings) -> int:
    """Row of the ringed point: the closest one whose nearest story label has another class."""
    start = presets.story_start(settings) if settings.story else settings
    sample, labelled = points.sample(start.data), points.labelled(start.data, start.labels)
    if not labelled.labels:
        return 0
    distances = np.linalg.norm(sample.X[:, None] - labelled.X[None], axis=2)
    wrong = labelled.codes[distances.argmin(axis=1)] != sample.y
    nearest = distances.min(axis=1)
    return int(np.where(wrong & (nearest > 0), nearest, np.inf).argmin())


def _stage(settings: Settings) -> LiveStage:
    # Without the question, of which nothing is left in an embedded stage, the answers.
    answered = state.bare() or _GUESS in st.session_state
    return LiveStage(
        "start-stage", "The live picture", question_view, height=HEIGHT, knobs=("lam",),
        stage_settings=("lam", "filter", "marks"), arguments=(answered, settings.view.beside),
    )  # fmt: skip


def _beside(settings: Settings, numbers: Mapping[str, Any] | None, _: object) -> None:
    """Draw the question; after the guess, the answer, and what to try."""
    data = points.sample(settings.data)
    n_labels = len(points.labelled(settings.data, settings.labels).labels)
    known = counted(n_labels, "point")
    others = f"{len(data.X) - n_labels:,}"
    st.title(f"You know the class of {known}. What are the other {others}?", anchor=False)
    if _GUESS not in st.session_state:
        st.markdown("Which class has the **ringed point**? Guess first, then see.")
        with st.container(key="guess", horizontal=True, gap="small"):
            for code, (name, icon) in enumerate(zip(NAMES, ICONS, strict=True)):
                words = f"The ringed point is one of the {name}."
                shell.button(name, f"guess-{code}", icon, words, _guess, code)
            words = "See the answers of both methods without a guess."
            shell.button("Show me", "guess-none", "", words, _guess, -1, type="primary")
        return
    truth, guess = int(data.y[ringed_row(settings)]), st.session_state[_GUESS]
    heads = {-1: "The ringed point is one of", truth: "You are right: it is one of"}
    answer = f"{heads.get(guess, 'Look again: it is one of')} the **{NAMES[truth]}**"
    if settings.labels == presets.story_start(settings).labels:
        answer += (
            ", like the label on its own circle. The label nearest to it is of the other class"
        )
    st.markdown(f"{answer}.")
    with st.container(key="start-compared"):  # keeps its height while numbers are computed
        if not n_labels:
            st.markdown("Without a label neither method says anything.")
        else:
            st.markdown(_compared(numbers) if numbers and "laplacian" in numbers else "…")
    as_time = ", which is a time here, on the tinted part of its slider"
    st.markdown(
        "Choose a class, **click any point**, and watch it run round that circle. Or move λ"
        f"{as_time * (settings.story == STORY)}."
    )
    st.caption("× marks a wrong point, the colour shows the score; at the line the class changes.")
    with st.container(key="start-ways", horizontal=True, gap="small"):
        beside = settings.view.beside
        st.toggle("Graph beside", beside, help="The graph Laplacian on the same labels.",
                  **widget_keys.bind("w-start-beside", beside,
                                     lambda on: state.update(beside=on)))  # fmt: skip
        words = "The question again, with its own labels."
        shell.button("Start again", "start-again", "restart_alt", words, _again)
        words = "The same in steps, with everything explained."
        story = settings.story or STORY
        shell.button("The story", "start-story", "arrow_forward", words, state.show_story, story)


def _compared(numbers: Mapping[str, Any]) -> str:
    """Compare the two methods, in a sentence each."""
    ridge = "**Kernel ridge** knows only distances: {ridge} of the other points are right."
    laplacian = "The **kernel Laplacian** follows the data: {laplacian}."
    if numbers["laplacian"] < numbers["ridge"] + MARGIN:
        laplacian = "The **kernel Laplacian** has {laplacian} with this λ and these labels."
    return f"{ridge} {laplacian}".format(**numbers)


def _guess(code: int) -> None:
    st.session_state[_GUESS] = code


def _again() -> None:
    st.session_state.pop(_GUESS, None)
    state.restore(presets.for_story(STORY))


def _paths(settings: Settings) -> None:
    if state.bare():
        return
    with st.container(key="paths"):
        for column, path in zip(st.columns(len(presets.PATHS)), presets.PATHS, strict=True):
            with column:
                st.header(path.title, anchor=path.name)
                st.caption(path.line)
                for story in path.stories:
                    _story(story)


def _story(story: presets.Story) -> None:
    with st.container(key=f"story-{story.name}", horizontal=True, gap="small"):
        with st.container(width=88):
            picture, alt = presets.picture_of(story.name), f"{story.title}: its pictures"
            st.image(picture, width="stretch", alt=alt)
        with st.container(gap=None):
            words = f"Open “{story.title}” with everything set."
            shell.button(story.title, f"open-{story.name}", "", words, state.show_story, story.name,
                         type="tertiary")  # fmt: skip
            st.caption(f"{story.line} {story.minutes} min · {guide.LEVELS[story.level]}")


START = _Start("lapviz_start")
page = Page(
    path="start",
    title="Start",
    kind=START,
    first=lambda: presets.for_story(STORY),
    beside=_beside,
    stage=_stage,
    footer=_paths,
)
