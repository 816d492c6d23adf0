"""Start: a live stage, and a gallery of stories."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from lapviz.explorer.scene.labels import LabelsView, labels_view
from lapviz.explorer.session import navigation, state
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import shell


@dataclass(frozen=True, eq=False)
class _Start(state.DataState):
    """The settings of one story, whatever a link says."""

    def read(self, query: dict[str, str], first: Settings) -> tuple[Settings, list[str]]:
        """Settings of a link, if it is about that story."""
        linked, problems = super().read(query, first)
        return linked if linked.story == first.story else first, problems


def _head(title: str, settings: Settings) -> None:
    st.title("lapviz", anchor=False)
    st.markdown(
        "Learn the diffusion operator of your data from a few kernel functions, and use it: for "
        "eigenfunctions, and for classification from a handful of labels. Drag **λ**, click "
        "points to label them, and watch the kernel Laplacian spread each label along the data."
    )
    shell.show_notes()


def _picture(settings: Settings, hidden: frozenset[str], light: bool) -> LabelsView:
    return labels_view(settings, hidden | {"data"}, light)  # to draw, go to the page of Labels


def _gallery(settings: Settings) -> None:
    st.header("Stories")
    st.caption("One click opens the page with everything set.")
    for first in range(0, len(presets.STORIES), 3):
        for column, story in zip(st.columns(3), presets.STORIES[first : first + 3], strict=False):
            with column, st.container(border=True):
                st.image(presets.picture_of(story.name), width="stretch",
                         alt=f"{story.title}: its pictures",
                         link=f"{story.page}?story={story.name}")  # fmt: skip
                st.subheader(story.title, anchor=False)
                st.markdown(f"**Look for:** {story.look}")
                st.markdown(f"**Try:** {story.next}")
                st.caption(shell.cited(story.source))
                st.button(f"Open “{story.title}”", key=f"open-{story.name}", width="stretch",
                          on_click=_open, args=(story,),
                          help=f"Open “{story.title}” with everything set.")  # fmt: skip


def _open(story: presets.Story) -> None:
    state.open_story(story.name)
    navigation.ask(story.page)


START = _Start("lapviz_start")
page = Page(
    path="start",
    title="Start",
    kind=START,
    first=lambda: presets.for_story("circles"),
    head=_head,
    stage=LiveStage("start-stage", "The live picture", _picture),
    rest=_gallery,
)
