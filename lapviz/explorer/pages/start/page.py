"""Start: one question with an answer to see, and four paths of stories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
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
from lapviz.explorer.widgets import guide
from lapviz.scenes import Panel

STORY = "spread"
LINKED = (STORY, "circles")  # stories that a link may name: of today's picture, and of older links
NAMES, ICONS = ("blue dots", "orange squares"), (":material/circle:", ":material/square:")
MUCH = 0.1  # how much more of the points is right where the data are followed
HEIGHT = 330  # pixels of a picture, so that the paths are in view
_GUESS = "lapviz_guess"  # the guessed class; -1: none
TOOLS = ("filter", "zoom", "tools")  # that Labels has and this page does not


@dataclass(frozen=True, eq=False)
class _Start(state.DataState):
    """The settings of one story, whatever a link says."""

    def read(self, query: dict[str, str], first: Settings) -> tuple[Settings, list[str]]:
        """Settings of a link, if it is about that story; it has seen the answer."""
        linked, problems = super().read(query, first)
        if linked.story not in LINKED:
            return first, problems
        if linked != first:
            st.session_state.setdefault(_GUESS, -1)
        return linked, problems


@dataclass(frozen=True)
class Question:
    """The stage's view: before the guess the points alone, then the answers of two methods.

    Attributes
    ----------
    answered : bool
    graph : bool
        Whether the graph Laplacian stands beside them.
    """

    answered: bool
    graph: bool

    def __call__(self, settings: Settings, hidden: frozenset[str], light: bool) -> LabelsView:
        """The picture of Labels with the panels that are asked for."""
        view = labels_view(settings, hidden | {"data"}, light)  # to draw, go to the page of Labels
        scene, shown, hide = view.scene, view.scene.points, TOOLS
        panels = [panel for panel in scene.panels if self.graph or panel.title != GRAPH]
        if not self.answered:
            first = scene.panels[0]
            blank = None if first.grid is None else np.zeros_like(first.grid)
            panels = [Panel("Points and labels", np.zeros_like(first.points), blank)]
            shown, hide = replace(shown, truth=None), (*TOOLS, "lam")  # a hover would tell
        scene = replace(
            scene,
            panels=tuple(panels),
            points=shown,
            classes=NAMES,
            marked=asked(settings),
            hide=hide,
            editable=self.answered and "labels" not in hidden,
            columns=0,
            first=int(self.answered),
        )
        return replace(view, scene=scene)


def asked(settings: Settings) -> int:
    """The row of the ringed point: near a label of the story, of another class than its own."""
    own = presets.story_start(settings) if settings.story else settings
    return _asked(own.data, own.labels)


@lru_cache(maxsize=16)
def _asked(data, labels) -> int:
    sample, given = points.sample(data), points.labelled(data, labels)
    if not given.labels:
        return 0
    distances = np.linalg.norm(sample.X[:, None] - given.X[None], axis=2)
    wrong = given.codes[distances.argmin(axis=1)] != sample.y
    nearest = distances.min(axis=1)
    return int(np.where(wrong & (nearest > 0), nearest, np.inf).argmin())


def _stage(settings: Settings) -> LiveStage:
    view = Question(_GUESS in st.session_state, settings.view.beside)
    words, alone = "The live picture", ("lam", "filter", "marks")
    return LiveStage("start-stage", words, view, height=HEIGHT, knobs=("lam",), alone=alone)


def _beside(settings: Settings, numbers: Mapping[str, Any] | None, _: object) -> None:
    """The question; after the guess, what is right, and what to do."""
    data = points.sample(settings.data)
    given = len(points.labelled(settings.data, settings.labels).labels)
    others = f"{len(data.X) - given:,}"
    st.title(f"You know the class of {given} points. What are the other {others}?", anchor=False)
    if _GUESS not in st.session_state:
        st.markdown("Which class has the **ringed point**? Guess first, then see.")
        with st.container(key="guess", horizontal=True, gap="small"):
            for code, (name, icon) in enumerate(zip(NAMES, ICONS, strict=True)):
                words = f"The ringed point is one of the {name}."
                st.button(
                    name, key=f"guess-{code}", on_click=_guess, args=(code,), icon=icon, help=words
                )
            words = "See the answers of both methods without a guess."
            st.button(
                "Show me", key="guess-none", on_click=_guess, args=(-1,), type="primary", help=words
            )
        return
    truth, guess = int(data.y[asked(settings)]), st.session_state[_GUESS]
    told = {-1: "The ringed point is one of", truth: "You are right: it is one of"}
    answer = f"{told.get(guess, 'Look again: it is one of')} the **{NAMES[truth]}**"
    if settings.labels == presets.story_start(settings).labels:
        answer += (
            ", like the label on its own circle. The label nearest to it is of the other class"
        )
    st.markdown(f"{answer}.")
    with st.container(key="start-compared"):  # as high without the numbers, while they are computed
        st.markdown(_compared(numbers) if numbers and "laplacian" in numbers else "…")
    st.markdown(
        "Choose a class, **click any point**, and watch it run round that circle. Or move λ, here "
        "a time, on the tinted part of its slider."
    )
    st.caption("× is a wrong point, the colour the score, the line where the class changes.")
    with st.container(key="start-ways", horizontal=True, gap="small"):
        beside = settings.view.beside
        st.toggle("Graph beside", beside, help="The graph Laplacian on the same labels.",
                  **widget_keys.bind("w-start-beside", beside,
                                     lambda on: state.update(beside=on)))  # fmt: skip
        icon, words = ":material/restart_alt:", "The question again, with its own labels."
        st.button("Start again", key="start-again", on_click=_again, icon=icon, help=words)
        st.button(
            "The story",
            key="start-story",
            on_click=state.show_story,
            args=(STORY,),
            icon=":material/arrow_forward:",
            help="The same in steps, with everything explained.",
        )


def _compared(numbers: Mapping[str, Any]) -> str:
    """The two methods in a sentence each."""
    ridge = "**Kernel ridge** knows only distances: {ridge} of the other points are right."
    ours = "The **kernel Laplacian** follows the data: {laplacian}."
    if numbers["laplacian"] < numbers["ridge"] + MUCH:
        ours = "The **kernel Laplacian** has {laplacian} with this λ and these labels."
    return f"{ridge} {ours}".format(**numbers)


def _guess(code: int) -> None:
    st.session_state[_GUESS] = code


def _again() -> None:
    st.session_state.pop(_GUESS, None)
    state.restore(presets.for_story(STORY))


def _paths(settings: Settings) -> None:
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
            st.button(
                story.title,
                key=f"open-{story.name}",
                type="tertiary",
                on_click=state.show_story,
                args=(story.name,),
                help=f"Open “{story.title}” with everything set.",
            )
            st.caption(f"{story.line} {story.minutes} min · {guide.LEVELS[story.level]}")


START = _Start("lapviz_start")
page = Page(
    path="start",
    title="Start",
    kind=START,
    first=lambda: presets.for_story(STORY),
    beside=_beside,
    stage=_stage,
    rest=_paths,
)
