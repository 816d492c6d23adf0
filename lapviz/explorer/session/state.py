"""What the page that runs shows: its settings, from the URL once, changed, and written back."""

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
from lapviz.explorer.settings.specs import OWN_DATA, DataSpec
from lapviz.explorer.stories import presets, steps

PAGES: dict[str, Any] = {}  # by name, for st.switch_page
_HIDE, _OPEN, _PAGE, _STORY = "lapviz_hide", "lapviz_asked", "lapviz_page", "lapviz_story"
_ASKED, _POINT, _RESTORED = "lapviz_asked_page", "lapviz_point", "lapviz_restored"
_OF_CLASSES = ("operator", "p", "lam", "balance", "passes")  # regression has no rules for them
_LASTING = ("topic", "show", "beside", "centres", "angles")  # settings kept with other data


@dataclass(frozen=True, eq=False)
class DataState(PageState):
    """Settings of a data set and of what is learnt from it.

    Attributes
    ----------
    kind : {"classes", "values"}
        What the data sets of its pages have.
    fallback : str
        The data set in place of lost ones.
    """

    family: str = "lapviz"
    lasting: tuple[str, ...] = ("stage", *PageState.lasting)  # what the browser alone knows
    hideable: tuple[str, ...] = (*GROUPS, "page")  # groups of controls; all but the stage
    kind: str = "classes"
    fallback: str = DataSpec.name

    base = staticmethod(presets.base_of)
    source = staticmethod(attrgetter("data.source"))

    def read(self, query: dict[str, str], first: Settings) -> tuple[Settings, list[str]]:
        """Settings of a link; what it hides and opens is taken, too."""
        hide, known = _names(query.get("hide", "")), frozenset(SHARED.hideable)
        if hide - known:
            self.tell(
                f"hide= takes {', '.join(SHARED.hideable)}; everything else in it was ignored."
            )
        st.session_state[_HIDE] = hide & known
        linked, problems = from_query(query, self._base(query, first))
        opened, parts = _names(query.get("open", "")), PARTS.get(page(), {})
        for name, key in parts.items():  # and everything else is closed
            st.session_state[key] = name in opened
        st.session_state[_OPEN] = opened
        if opened - parts.keys():
            have = ", ".join(parts) or "nothing here"
            problems = [f"open= takes {have}; everything else in it was ignored.", *problems]
        return linked, problems

    def write(self, settings: Settings) -> dict[str, str]:
        """Settings, what is hidden, what is open."""
        query = to_query(settings, presets.base_of(settings))
        if hide := hidden():
            query["hide"] = ",".join(sorted(hide))
        parts = PARTS.get(page(), {}).items()
        if opened := [name for name, key in parts if st.session_state.get(key)]:
            query["open"] = ",".join(opened)
        return query

    def place(self, settings: Settings) -> steps.Place | None:
        """Where the settings are in their story; None on other pages than the story's."""
        story = presets.BY_NAME.get(settings.story)
        return steps.place_of(settings) if story and story.page == page() else None

    def tidy(self, settings: Settings) -> Settings:
        """The same without what contradicts itself; of values with numbers."""
        chosen = settings.automatic(_OF_CLASSES) if self.kind == "values" else ()
        if chosen:
            base = presets.papers_for(settings.data.name)
            settings = settings.change(**{name: base.get(name) for name in chosen})
            self.tell(
                "Only the settings of classes are chosen from the data: here they have numbers."
            )
        return tidy(settings)

    def replacement(self, settings: Settings) -> tuple[Settings, str]:
        """What the visitor brought otherwise, or the default data."""
        if brought := user_data.latest(settings.data.name):  # another table, or other columns
            return presets.for_spec(brought), ""
        return presets.for_data(self.fallback), str(DataExpired())

    def changed(self, settings: Settings, **changes: object) -> Settings:
        """A new data set brings its own defaults and drops the labels."""
        if "data" in changes and changes["data"] != settings.data.name:
            drawn = user_data.last_drawing() if changes["data"] == drawing.NAME else None
            brought = drawn or user_data.latest(str(changes["data"]))
            fresh = presets.for_spec(brought) if brought else presets.for_data(str(changes["data"]))
            kept = {name: settings.get(name) for name in _LASTING}
            return fresh.change(seed=settings.data.random_state, **kept)
        if {"n", "seed", "noise", "options", "per_class"} & changes.keys():
            if settings.labels.chosen is not None and "marks" not in changes:
                self.tell("The data have changed, so the labels are those of the data set again.")
            changes.setdefault("marks", None)  # rows no longer mean the same points
        if "standardise" in changes and settings.labels.chosen is not None:
            # Free labels stand in the old units.
            kept = tuple(label for label in settings.labels.chosen if not label.off_sample)
            changes.setdefault("marks", kept)
        return settings.change(**changes)

    def _base(self, query: Mapping[str, str], default: Settings) -> Settings:
        """Where a link begins: its story, its data set, the default."""
        story, data = query.get("story"), query.get("data")
        known, of_values = presets.BY_NAME.get(story), self.kind == "values"
        if known and known.page != "data" and (known.page == "regression") == of_values:
            return presets.for_story(story)
        if story is not None:
            self.tell(f"There is no story “{story[:40]}”; the start page lists them.")
        if data in datasets.names(self.kind):
            return presets.for_data(data)
        if data == drawing.NAME and not of_values:
            base, said = user_data.linked_drawing(query.get("drawing"))
            if said:
                self.tell(said)
            return base
        if data in OWN_DATA:
            brought = user_data.latest(data)
            if brought:
                return presets.for_spec(brought)
            self.tell(OWN_DATA[data])
            return default
        if data is not None:
            self.tell(f"There is no data set “{data[:40]}”; choose one from the list.")
        return default


SHARED = DataState("lapviz_settings")  # of Labels, whichever page runs, and of Eigenfunctions
REGRESSION = DataState("lapviz_regression", kind="values", fallback="waves")
_NOWHERE = "", SHARED


# ---- the page that runs -----------------------------------------------------------------------


def enter(page: str, kind: PageState = SHARED, first: Callable[[], object] | None = None) -> None:
    """Record which page runs, and take what a new link says.

    Parameters
    ----------
    page : str
        Its name, part of the widgets' keys.
    kind : PageState
        Its settings.
    first : callable, optional
        What it begins with; without it the page has no link of its own.
    """
    if st.session_state.get(_PAGE) != (page, kind):
        SHARED.forget_links()
        kind.forget_links()
    st.session_state[_PAGE] = page, kind
    for each in {SHARED, REGRESSION, kind}:
        each.repair()
    if first is not None:
        kind.follow(first)
    if _streamlit.embedded() == "stage":  # short for hide=page
        st.session_state[_HIDE] = st.session_state.get(_HIDE, frozenset()) | {"page"}


def page() -> str:
    """The page that runs, or runs a fragment of itself."""
    return st.session_state.get(_PAGE, _NOWHERE)[0]


def kind() -> PageState:
    """The kind of settings of that page."""
    return st.session_state.get(_PAGE, _NOWHERE)[1]


def settings() -> Any:
    """What the page shows now."""
    return st.session_state.get(kind().slot)


def put(new: object) -> None:
    """Show these settings from the next run on."""
    kind().put(new)


def update(**changes: object) -> None:
    """Change some settings, with what follows from that."""
    put(kind().changed(settings(), **changes))


def restore(new: object) -> None:
    """Show the settings that a button stands for, over what a hand did before its click."""
    put(new)
    st.session_state[_RESTORED] = True


def reset() -> None:
    """Restore the story's settings, or the defaults."""
    restore(kind().base(settings()))


def tell(sentence: str) -> None:
    """Show a message until a setting changes."""
    kind().tell(sentence)


def link() -> dict[str, str]:
    """The query that gives this page."""
    return kind().write(settings())


def write_url() -> None:
    """Put all that differs from the base into the URL."""
    kind().write_url(link())


def hidden() -> frozenset[str]:
    """Groups of controls that the link hides (``?hide=data,graph``)."""
    return st.session_state.get(_HIDE, frozenset()) & frozenset(kind().hideable)


def bare() -> bool:
    """Whether the link shows the stage, a few of its controls and a sentence (``?hide=page``)."""
    return "page" in hidden()


def is_opened(name: str) -> bool:
    """Whether the link asked for a part: then the fold around its switch starts unfolded."""
    return name in st.session_state.get(_OPEN, ())


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(",")))


def pointed() -> dict[str, object]:
    """What to point at: name and a count that tells one time from the next; or {}."""
    st.session_state.pop(_RESTORED, None)
    return st.session_state.get(_POINT, {})


def restored() -> bool:
    """Whether a button has set the settings since the last run.

    Streamlit may call back for a button and for what a hand did before it in one go, in any order.
    """
    return _RESTORED in st.session_state


# ---- from page to page ------------------------------------------------------------------------


def open_page(name: str) -> None:
    """Open a page at the next run: for callbacks, which cannot switch themselves."""
    st.session_state[_ASKED] = name


def follow() -> None:
    """Open the page that a callback asked for; for the whole script, and fragments with one."""
    if name := st.session_state.pop(_ASKED, ""):
        st.switch_page(PAGES[name])


def hand_over(new: Settings) -> None:
    """Settings for the page of their story, or the other pages, whichever page runs now."""
    story = presets.BY_NAME.get(new.story)
    (REGRESSION if story and story.page == "regression" else SHARED).put(new)


def show_story(name: str) -> None:
    """Open a story on its page."""
    page = presets.BY_NAME[name].page
    if page == "data":  # a picture has settings of another kind
        st.session_state[_STORY] = name
    else:
        hand_over(presets.for_story(name))
    open_page(page)


def has_story_of_picture() -> bool:
    """Whether the story of a picture was handed over and not yet taken."""
    return _STORY in st.session_state


def story_of_picture() -> str:
    """The story of a picture that was handed over, once; else ""."""
    return st.session_state.pop(_STORY, "")


def place() -> steps.Place | None:
    """Where the page is in its story; None if it shows none."""
    now = settings()
    return None if now is None else kind().place(now)


def go_to(at: int) -> None:
    """Show that state of the page's story, and the control that its step changes."""
    now = place()
    if now is None:
        return
    at = min(max(at, 0), len(now.steps))
    restore(now.states[at])
    count = st.session_state.get(_POINT, {}).get("count", 0) + 1
    st.session_state[_POINT] = {"name": now.steps[at - 1].at if at else "", "count": count}


def turn(step: int) -> None:
    """Go a step further in the story, or back; from its end to the next story,
    from its own state to the end of the one before."""
    now = place()
    if now is not None and 0 <= now.at + step < len(now.states):
        go_to(now.at + step)
        return
    story = presets.neighbour(settings().story, step)
    show_story(story.name)
    if step < 0 and story.page != "data":  # to where one came from
        hand_over(steps.walk(presets.for_story(story.name), steps.for_story(story.name))[-1])
