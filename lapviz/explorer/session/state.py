"""Settings of the current page: read from the URL once, changed, and written back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import streamlit as st

from lapviz import datasets
from lapviz.explorer.host import _streamlit
from lapviz.explorer.host.store import DataExpired
from lapviz.explorer.session import user_data
from lapviz.explorer.session.page_state import PageState
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.fields import GROUPS, PARTS, from_query, tidy, to_query
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import OWN_DATA, TOPICS, DataSpec, topics_of
from lapviz.explorer.stories import presets, steps
from lapviz.labels import MOST_IN_LINK

PAGES: dict[str, Any] = {}  # by name, for st.switch_page
_HIDE, _OPEN, _PAGE, _STORY = "lapviz_hide", "lapviz_asked", "lapviz_page", "lapviz_story"
_ASKED, _POINT, _RESTORED = "lapviz_asked_page", "lapviz_point", "lapviz_restored"
SWITCHES = "lapviz_switches"  # by key: positions that Streamlit drops with the switches' page
_OF_CLASSES = ("operator", "p", "lam", "balance", "passes")  # no rules choose them for values
_LASTING = ("show", "beside", "centres", "angles")  # kept when the data set changes


@dataclass(frozen=True, eq=False)
class DataState(PageState):
    """Settings of a data set and of what is learnt from it.

    Attributes
    ----------
    kind : {"classes", "values"}
        What the data sets of its pages have.
    fallback : str
        Data set that replaces lost data.
    """

    family: str = "lapviz"
    lasting: tuple[str, ...] = ("stage", *PageState.lasting)  # known to the browser alone
    hideable: tuple[str, ...] = (*GROUPS, "page")  # groups of controls; "page" is all but the stage
    kind: str = "classes"
    fallback: str = DataSpec.name

    source = staticmethod(attrgetter("data.source"))

    def base(self, settings: Settings) -> Settings:
        """Settings that “Reset” restores; a topic of Regression that the data can show stays."""
        base, topic = presets.base_of(settings), settings.regression.topic
        stays = self.kind == "values" and not settings.story and topic in topics_of(base.data.info)
        return base.change(topic=topic) if stays else base

    def read(self, query: dict[str, str], first: Settings) -> tuple[Settings, list[str]]:
        """Settings of a link; also store which parts it hides and opens."""
        hide, hideable = _names(query.get("hide", "")), frozenset(self.hideable)
        if hide - hideable:
            self.tell(f"hide= takes {', '.join(self.hideable)}; everything else in it was ignored.")
        st.session_state[_HIDE] = hide & hideable
        base, data = self._base(query, first), query.get("data")
        is_lost = data in OWN_DATA and not user_data.latest(data)
        linked, problems = from_query({} if is_lost else query, base)  # not for other data
        last = self.of_own_data().get(linked.data.source) if linked.data.private else None
        if last is not None and last.data == linked.data and linked.labels.chosen is None:
            linked = linked.change(marks=last.labels.chosen)  # links hold none of a table
        opened, parts = _names(query.get("open", "")), PARTS.get(page(), {})
        for name, key in parts.items():  # other parts are closed
            st.session_state[key] = name in opened
        st.session_state[_OPEN] = opened
        if opened - parts.keys():
            available = ", ".join(parts) or "nothing here"
            problems = [f"open= takes {available}; everything else in it was ignored.", *problems]
        return linked, problems

    def write(self, settings: Settings) -> dict[str, str]:
        """Query with the settings, hidden groups and open parts."""
        query = to_query(settings, presets.base_of(settings))
        if hide := hidden():
            query["hide"] = ",".join(sorted(hide))
        parts = PARTS.get(page(), {}).items()
        if opened := [name for name, key in parts if st.session_state.get(key)]:
            query["open"] = ",".join(opened)
        return query

    def place(self, settings: Settings) -> steps.Place | None:
        """Position of the settings in their story; None on other pages than that of the story."""
        story = presets.BY_NAME.get(settings.story)
        return steps.place_of(settings) if story and story.page == page() else None

    def tidy(self, settings: Settings) -> Settings:
        """Settings without contradictions; for values with numbers in place of "auto"."""
        automatic = settings.automatic(_OF_CLASSES) if self.kind == "values" else ()
        if automatic:
            base = presets.papers_for(settings.data.name)
            settings = settings.change(**{name: base.get(name) for name in automatic})
            self.tell(
                "Only settings for classes can be chosen from the data; here they have numbers."
            )
        return tidy(settings)

    def keep(self) -> None:
        """Keep settings that others are about to replace, those of a visitor's data in any case."""
        current = self.settings()
        if current is not None and current.data.source:
            st.session_state.setdefault(f"{self.slot}_own", {})[current.data.name] = current
        super().keep()

    def of_own_data(self) -> dict[str, Settings]:
        """By source the settings with which a visitor's own data are shown, or were last."""
        last = (*st.session_state.get(f"{self.slot}_own", {}).values(), self.settings())
        return {s.data.source: s for s in last if s is not None and s.data.source}

    def replacement(self, settings: Settings) -> tuple[Settings, str]:
        """Defaults of the visitor's other data, or of the fallback, with a message."""
        if brought := user_data.latest(settings.data.name):  # another table, or other columns
            return presets.for_spec(brought), ""
        return presets.for_data(self.fallback), str(DataExpired())

    def has_unsaved(self) -> bool:
        """Whether there are more labels, or more points drawn, than a link holds."""
        settings = self.settings()
        if settings is None:
            return False
        is_large_drawing = settings.data.name == drawing.NAME and settings.data.private
        return is_large_drawing or len(settings.labels.chosen or ()) > MOST_IN_LINK

    def changed(self, settings: Settings, **changes: object) -> Settings:
        """Settings with changes; a new data set brings its own defaults and drops the labels.

        A visitor's own data bring the settings that they had last.
        """
        if "data" in changes and changes["data"] != settings.data.name:
            self.keep()
            name = str(changes["data"])
            last_drawing = user_data.last_drawing() if name == drawing.NAME else None
            brought = last_drawing or user_data.latest(name)
            if brought and (last := self.of_own_data().get(brought.source)):
                return last
            defaults = presets.for_spec(brought) if brought else presets.for_data(name)
            lasting = (*_LASTING, "topic") if self.kind == "values" else _LASTING
            kept = {name: settings.get(name) for name in lasting}
            return defaults.change(seed=settings.data.random_state, **kept)
        if {"n", "seed", "noise", "options", "per_class"} & changes.keys():
            if settings.labels.chosen is not None and "marks" not in changes:
                self.keep()
                same_points = "per_class" in changes
                what = "The labels" if same_points else "The points are others now, so the labels"
                self.tell(f"{what} are those of the data set again; “Revert” brings yours back.")
            changes.setdefault("marks", None)  # rows are other points now
        if "standardise" in changes and settings.labels.chosen is not None:
            # Off-sample labels are in the old units.
            kept = tuple(label for label in settings.labels.chosen if not label.off_sample)
            changes.setdefault("marks", kept)
        return settings.change(**changes)

    def _base(self, query: Mapping[str, str], default: Settings) -> Settings:
        """Base settings of a link: those of its story, its data set, or the default."""
        story, data = query.get("story"), query.get("data")
        preset, has_values = presets.BY_NAME.get(story), self.kind == "values"
        if preset and preset.page != "data" and (preset.page == "regression") == has_values:
            return presets.for_story(story)
        if story is not None:
            fault = "This page does not show the" if preset else "There is no"
            self.tell(f"{fault} story “{story[:40]}”; the start page lists them.")
        if data in datasets.names(self.kind):
            return presets.for_data(data)
        if data == drawing.NAME and not has_values:
            base, message = user_data.linked_drawing(query.get("drawing"))
            if message:
                self.tell(message)
            return base
        if data in OWN_DATA:
            brought = user_data.latest(data)
            if brought:
                return presets.for_spec(brought)
            self.tell(OWN_DATA[data])
            return default
        if data is not None:
            exists = data in (*datasets.names("classes"), *datasets.names("values"))
            fault = "This page does not show the" if exists else "There is no"
            self.tell(f"{fault} data set “{data[:40]}”; choose one from the list.")
        elif has_values and query.get("topic") in TOPICS:
            return presets.for_topic(query["topic"])
        return default


SHARED = DataState("lapviz_settings")  # of Labels and Eigenfunctions, whichever page runs
REGRESSION = DataState("lapviz_regression", kind="values", fallback="waves")
_NOWHERE = "", SHARED


# ---- the current page -------------------------------------------------------------------------


def enter(page: str, kind: PageState = SHARED, first: Callable[[], object] | None = None) -> None:
    """Record which page runs, and take the settings of a new link.

    Parameters
    ----------
    page : str
        Name of the page, part of the widgets' keys.
    kind : PageState
        Kind of its settings.
    first : callable, optional
        Returns the initial settings; without it the link of the page holds none.
    """
    if st.session_state.get(_PAGE) != (page, kind):
        kind.forget_links()
        st.session_state.update(st.session_state.get(SWITCHES, {}))
    st.session_state[_PAGE] = page, kind
    for state in {SHARED, REGRESSION, kind}:
        state.repair()
    if first is not None:
        kind.follow(first)
    if _streamlit.embedded() == "stage":  # the same as hide=page
        st.session_state[_HIDE] = st.session_state.get(_HIDE, frozenset()) | {"page"}


def page() -> str:
    """Name of the page that runs, in full or a fragment of it."""
    return st.session_state.get(_PAGE, _NOWHERE)[0]


def kind() -> PageState:
    """Kind of settings of that page."""
    return st.session_state.get(_PAGE, _NOWHERE)[1]


def settings() -> Any:
    """Current settings of the page."""
    return st.session_state.get(kind().slot)


def put(new: object) -> None:
    """Show these settings from the next run on."""
    kind().put(new)


def update(**changes: object) -> None:
    """Change some settings, and those that depend on them."""
    put(kind().changed(settings(), **changes))


def restore(new: object, at: str = "") -> None:
    """Show a button's settings, drop earlier changes on the stage, end play, point at ``at``."""
    put(new)
    count = st.session_state.get(_POINT, {}).get("count", 0) + 1
    st.session_state[_POINT] = {"name": at, "count": count}
    st.session_state[_RESTORED] = True


def reset() -> None:
    """Restore the story's settings, or the defaults."""
    kind().keep()
    restore(kind().base(settings()))


def revert() -> None:
    """Bring back the changed settings that were replaced last."""
    if (kept := kind().kept()) is not None:
        kind().keep()
        restore(kept)


def tell(sentence: str) -> None:
    """Show a message until a setting changes."""
    kind().tell(sentence)


def link() -> dict[str, str]:
    """Query that reproduces this page."""
    return kind().write(settings())


def write_url() -> None:
    """Write everything that differs from the base into the URL."""
    kind().write_url(link())


def hidden() -> frozenset[str]:
    """Groups of controls that the link hides (``?hide=data,graph``)."""
    return st.session_state.get(_HIDE, frozenset()) & frozenset(kind().hideable)


def bare() -> bool:
    """Whether only the stage, a few controls and a sentence are shown (``?hide=page``)."""
    return "page" in hidden()


def is_opened(name: str) -> bool:
    """Whether the link opens a part; then the fold around its switch starts unfolded."""
    return name in st.session_state.get(_OPEN, ())


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(",")))


def pointed() -> dict[str, object]:
    """Control to point at: its name, and a count that distinguishes repetitions; or {}."""
    st.session_state.pop(_RESTORED, None)
    return st.session_state.get(_POINT, {})


def restored(point: float | None = None) -> bool:
    """Whether a button has set the settings since the last run, or since the one that ``point``
    counts.

    Streamlit may run the callbacks of a button and of an earlier change on the stage together, in
    any order.
    """
    count = st.session_state.get(_POINT, {}).get("count", 0)
    return _RESTORED in st.session_state or (point is not None and point < count)


# ---- from page to page ------------------------------------------------------------------------


def open_page(name: str) -> None:
    """Open a page at the next run; for callbacks, which cannot switch pages."""
    st.session_state[_ASKED] = name


def follow() -> None:
    """Open the page that a callback has requested, if any."""
    if name := st.session_state.pop(_ASKED, ""):
        st.switch_page(PAGES[name])


def hand_over(new: Settings) -> None:
    """Put settings in the state of the page of their story, whichever page runs now."""
    story = presets.BY_NAME.get(new.story)
    target = REGRESSION if story and story.page == "regression" else SHARED
    current = target.settings()
    shown = None if current is None else target.place(current)
    if shown is not None and not shown.changed:  # nothing but what its story has
        target.put(new)
    else:
        target.replace(new)


def show_story(name: str) -> None:
    """Open a story on its page."""
    page = presets.BY_NAME[name].page
    if page == "data":  # pictures have settings of another kind
        st.session_state[_STORY] = name
    else:
        hand_over(presets.for_story(name))
    open_page(page)


def has_story_of_picture() -> bool:
    """Whether a picture's story was handed over and not yet taken."""
    return _STORY in st.session_state


def story_of_picture() -> str:
    """Take the picture's story that was handed over; "" if there is none."""
    return st.session_state.pop(_STORY, "")


def place() -> steps.Place | None:
    """Position of the page in its story; None if it shows no story."""
    current = settings()
    return None if current is None else kind().place(current)


def go_to(index: int) -> None:
    """Show a state of the page's story, and point at the control that its step changes."""
    current = place()
    if current is None:
        return
    index = min(max(index, 0), len(current.steps))
    restore(current.states[index], current.steps[index - 1].at if index else "")


def turn(step: int) -> None:
    """Go a step forward or back in large type; past the ends, to the next story or the last one's
    last state. Stories of curves and of the picture, which have no large type, are left out."""
    current = place()
    if current is not None and 0 <= current.at + step < len(current.states):
        go_to(current.at + step)
        return
    story = presets.neighbour(settings().story, step)
    while story.page == "data" or presets.for_story(story.name).data.info.n_features == 1:
        story = presets.neighbour(story.name, step)
    show_story(story.name)
    if step < 0:  # its last state
        hand_over(steps.walk(presets.for_story(story.name), steps.STEPS[story.name])[-1])
