"""The session's settings: read from the URL once, changed by controls, written back."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lapviz import datasets
from lapviz.explorer.host.store import DataExpired
from lapviz.explorer.session import drawing_state, navigation, open_panels, user_data
from lapviz.explorer.session.address import Address
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.fields import GROUPS, from_query, tidy, to_query
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import OWN_DATA, DataSpec
from lapviz.explorer.stories import presets

_SETTINGS, _HIDE = "lapviz_settings", "lapviz_hide"
_PAGE, _STORY = "lapviz_page", "lapviz_story"
_POINT = "lapviz_point"
_VIEW = "stage"  # in the address: how the browser looks at the scene, which it knows alone
_HIDEABLE = (*GROUPS, "page")  # groups of controls; all but the stage
_OWN = {"start": "lapviz_start", "regression": "lapviz_regression"}  # pages with their own settings
_KINDS = {"regression": "values"}  # of data sets, where a page needs other than classes
_OF_CLASSES = ("operator", "p", "lam", "balance", "passes")  # regression has no rules for them
_FALLBACK = {"lapviz_regression": "waves"}  # data in place of lost ones; elsewhere the first set
_LASTING = ("topic", "show", "beside", "centres", "angles")  # settings kept with other data


def enter(page: str, *own: Address) -> None:
    """Record which page runs: its name is part of the widgets' keys."""
    if st.session_state.get(_PAGE) != page:
        for address in (ADDRESS, *own):
            address.enter()
    st.session_state[_PAGE] = page
    _without_lost_data()


def _without_lost_data() -> None:
    """The default data in place of a visitor's own that are not here any more."""
    for slot in {_SETTINGS, *_OWN.values()} & set(st.session_state.keys()):
        spec = st.session_state[slot].data
        if spec.private and user_data.get(spec.source) is None:
            brought = user_data.latest(spec.name)  # another table, or other columns of the same
            if brought:
                st.session_state[slot] = presets.for_own(brought)
                continue
            st.session_state[slot] = presets.for_data(_FALLBACK.get(slot, DataSpec.name))
            tell(str(DataExpired()))


def page() -> str:
    """The page that runs, or runs a fragment of itself."""
    return st.session_state.get(_PAGE, "")


def _slot() -> str:
    return _OWN.get(page(), _SETTINGS)


# Of all pages that have no address of their own.
ADDRESS = Address("lapviz", lambda: st.session_state.get(_slot()), lasting=(_VIEW,))
tell, notes = ADDRESS.tell, ADDRESS.notes


def settings() -> Settings:
    """What the page shows now."""
    return st.session_state[_slot()]


def labels_settings() -> Settings | None:
    """What the Labels page shows, whichever page runs; None before its first run."""
    return st.session_state.get(_SETTINGS)


def put(new: Settings) -> None:
    """Show these settings from the next run on."""
    if page() == "regression" and (chosen := new.automatic(_OF_CLASSES)):
        base = presets.papers_for(new.data.name)
        new = new.change(**{name: base.get(name) for name in chosen})
        tell("Only the settings of classes are chosen from the data: here they have numbers.")
    st.session_state[_slot()] = tidy(new)


def hand_over(new: Settings) -> None:
    """Settings for the page of their story, or the other pages, whichever page runs now."""
    story = presets.BY_NAME.get(new.story)
    st.session_state[_OWN.get(story.page if story else "", _SETTINGS)] = tidy(new)


def open_story(name: str) -> None:
    """The settings of a story, for its page or the pages that share them."""
    if presets.BY_NAME[name].page == "data":  # a picture has settings of another kind
        st.session_state[_STORY] = name
    else:
        hand_over(presets.for_story(name))


def has_story_of_picture() -> bool:
    """Whether the story of a picture was handed over and not yet taken."""
    return _STORY in st.session_state


def story_of_picture() -> str:
    """The story of a picture that was handed over, once; else ""."""
    return st.session_state.pop(_STORY, "")


def update(**changes: object) -> None:
    """Change some settings; a new data set brings its own defaults and drops the labels."""
    current = settings()
    if "data" in changes and changes["data"] != current.data.name:
        drawn = drawing_state.last() if changes["data"] == drawing.NAME else None
        brought = drawn or user_data.latest(str(changes["data"]))
        fresh = presets.for_own(brought) if brought else presets.for_data(str(changes["data"]))
        kept = {name: current.get(name) for name in _LASTING}
        put(fresh.change(seed=current.data.random_state, **kept))
        return
    if {"n", "seed", "noise", "options", "per_class"} & changes.keys():
        if current.labels.chosen is not None and "marks" not in changes:
            tell("The data have changed, so the labels are those of the data set again.")
        changes.setdefault("marks", None)  # rows no longer mean the same points
    if "standardise" in changes and current.labels.chosen is not None:
        # Free labels stand in the old units.
        kept = tuple(label for label in current.labels.chosen if not label.free)
        changes.setdefault("marks", kept)
    put(current.change(**changes))


def reset() -> None:
    """Restore the story's settings, or the data set's defaults."""
    put(presets.base_of(settings()))


def point_at(name: str, act: str = "") -> None:
    """Let the page show the control of a setting at its next run, and the stage do something."""
    count = st.session_state.get(_POINT, {}).get("count", 0) + 1
    st.session_state[_POINT] = {"name": name, "act": act, "count": count}


def pointed() -> dict[str, object]:
    """What to point at: name, act and a count that tells one time from the next; or {}."""
    return st.session_state.get(_POINT, {})


def hidden() -> frozenset[str]:
    """Groups of controls that the link hides (``?hide=data,graph``)."""
    return st.session_state.get(_HIDE, frozenset())


def bare() -> bool:
    """Whether the link shows the stage, a few of its controls and a sentence (``?hide=page``)."""
    return "page" in hidden()


def read_url(default: Settings) -> None:
    """Take settings from the URL when the session starts or another link is followed."""
    if not ADDRESS.is_linked():
        return
    query = ADDRESS.query()
    if not query:
        put(default)
        return
    st.session_state[_HIDE] = _hidden_groups(query.get("hide", ""))
    linked, problems = from_query(query, _base(query, default))
    put(linked)
    if said := open_panels.read(page(), query.get("open", "")):
        tell(said)
    for sentence in problems:
        tell(sentence)


def link() -> dict[str, str]:
    """The query that gives this page: settings, what is hidden, what is open."""
    query = to_query(settings(), presets.base_of(settings()))
    if hidden():
        query["hide"] = ",".join(sorted(hidden()))
    if shown := open_panels.opened(page()):
        query["open"] = ",".join(shown)
    return query


def write_url() -> None:
    """Put all that differs from the base into the URL."""
    ADDRESS.write(link())


def _hidden_groups(text: str) -> frozenset[str]:
    asked = frozenset(filter(None, text.split(",")))
    if asked - set(_HIDEABLE):
        tell(f"hide= takes {', '.join(_HIDEABLE)}; everything else in it was ignored.")
    return asked & set(_HIDEABLE)


def _base(query: Mapping[str, str], default: Settings) -> Settings:
    story, data = query.get("story"), query.get("data")
    known = presets.BY_NAME.get(story)
    if known and known.page != "data" and _KINDS.get(known.page) == _KINDS.get(page()):
        return presets.for_story(story)
    if story is not None:
        tell(f"There is no story “{story[:40]}”; the start page lists them.")
    if data in datasets.names(_KINDS.get(page(), "classes")):
        return presets.for_data(data)
    if data == drawing.NAME and page() not in _KINDS:
        base, said = drawing_state.linked(query.get("drawing"))
        if said:
            tell(said)
        return base
    if data in OWN_DATA:
        brought = user_data.latest(data)
        if brought:
            return presets.for_own(brought)
        tell(OWN_DATA[data])
        return default
    if data is not None:
        tell(f"There is no data set “{data[:40]}”; choose one from the list.")
    return default


def turn(step: int) -> None:
    """Go to the story ``step`` further; its page opens at the next run."""
    names = [story.name for story in presets.STORIES]
    now = settings().story
    at = names.index(now) if now in names else (-1 if step > 0 else 0)
    new = names[(at + step) % len(names)]
    open_story(new)
    navigation.ask(presets.BY_NAME[new].page)
