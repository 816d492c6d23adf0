"""The session's picture and strokes: from the URL, the browser and an upload, and back."""

from __future__ import annotations

import io

import streamlit as st

from lapviz import pictures
from lapviz.explorer.channel.messages import Message
from lapviz.explorer.host.store import DataExpired, is_token
from lapviz.explorer.pages.picture import settings as picture_settings
from lapviz.explorer.pages.picture.settings import PictureSettings
from lapviz.explorer.pages.picture.steps import OwnPicture
from lapviz.explorer.session import state, user_data
from lapviz.explorer.session.address import Address

_SETTINGS = "lapviz_picture"


def enter() -> None:
    """Begin a run of the page: take what a new link says, drop what is lost."""
    state.enter("picture", ADDRESS)
    story = state.story_of_picture()
    if story:
        put(picture_settings.STORIES[story])
    else:
        _read_url()
    source = settings().pixels.source
    if is_token(source) and user_data.get(source) is None:
        put(PictureSettings())
        tell(str(DataExpired()))


def asked() -> bool:
    """Whether a story or a new link asks for a picture."""
    query = ADDRESS.query()
    linked = ADDRESS.is_new(query) and (
        "picture" in query or query.get("story") in picture_settings.STORIES
    )
    return linked or state.has_story_of_picture()


def settings() -> PictureSettings:
    """What the page shows now."""
    return st.session_state[_SETTINGS]


ADDRESS = Address(_SETTINGS, lambda: st.session_state.get(_SETTINGS), others=("part",))
tell, notes = ADDRESS.tell, ADDRESS.notes


def put(new: PictureSettings) -> None:
    """Show these settings from the next run on."""
    st.session_state[_SETTINGS] = picture_settings.tidy(new)


def update(**changes: object) -> None:
    """Change some settings; on another picture there are no strokes."""
    now = settings()
    if changes.get("source", now.pixels.source) != now.pixels.source:
        changes = {"strokes": (), "story": "", **changes}
    put(now.change(**changes))


def reset() -> None:
    """Restore the story's settings, or the picture without strokes."""
    put(picture_settings.base_of(settings()))


def take(said: Message, view_key: str) -> None:
    """Take strokes, classes and knobs from the browser, if they are of the present picture."""
    if view_key == settings().pixels.view_key:  # else another one was chosen in the same moment
        update(**said.changes)


def bring(file) -> str:
    """Keep an uploaded picture for this visitor and show it; else a sentence why not."""
    try:
        read = pictures.read(io.BytesIO(file.getvalue()), file.name)
        mine = user_data.all_mine()
        old = [token for token, thing in mine.items() if isinstance(thing, OwnPicture)]
        for token in old:  # one picture at a time
            user_data.forget(token)
        token = user_data.add(OwnPicture(read))
    except ValueError as error:
        return str(error)
    update(source=token)
    return ""


def brought() -> str:
    """Token of this session's own picture, or ""."""
    things = user_data.all_mine().items()
    return next((token for token, thing in things if isinstance(thing, OwnPicture)), "")


def _read_url() -> None:
    """Take settings from the URL when the session starts or another link is followed."""
    if not ADDRESS.is_linked():
        return
    before = st.session_state.get(_SETTINGS, PictureSettings())
    linked, complaints = picture_settings.from_query(ADDRESS.query(), before)
    put(linked)
    for sentence in complaints:
        tell(sentence)


def write_url() -> None:
    """Put all that differs from the base into the URL."""
    ADDRESS.write(picture_settings.to_query(settings()))
