"""The list of the notes' sections, and the way from an address such as ``notes#ssl21`` to its own.

What stands behind # is never sent to a server, so the browser tells Python which heading it wants
whenever that one is not on the page. All links are therefore plain ones, and *Back* follows them.
"""

from __future__ import annotations

import html
import re

import streamlit as st

from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.pages.notes.settings import show_section
from lapviz.explorer.pages.notes.text import Heading, Section

_KEY = "notes-address"
_ADDRESS = st.components.v2.component(
    "lapviz_notes",
    js="""
let listener, shown, asked;
export default function ({ data, setTriggerValue }) {
  const wanted = () => decodeURIComponent(location.hash.slice(1));
  const look = (name) => {
    if (data.anchors.includes(name)) asked = "";
    else if (name !== asked) setTriggerValue("asked", (asked = name));
  };
  removeEventListener("hashchange", listener);
  addEventListener("hashchange", (listener = () => look(wanted() || data.first)));
  if (wanted()) look(wanted());
  if (data.anchors[0] === shown) return;
  const moved = shown !== undefined || wanted();
  shown = data.anchors[0];
  const name = data.anchors.includes(wanted()) ? wanted() : shown;
  const scroll = (looks) => {
    const head = document.getElementById(name);
    if (head) head.scrollIntoView();
    else if (looks) setTimeout(scroll, 50, looks - 1);
  };
  if (moved) scroll(100);
}
""",
)


def follow(section: Section) -> None:
    """Show the section of the heading that the address names, from the next run on."""

    def take() -> None:
        show_section(str(st.session_state[_KEY].asked or ""))

    first = notes.sections()[0].head.anchor
    _ADDRESS(key=_KEY, data={"anchors": section.anchors, "first": first}, on_asked_change=take)


def listed(section: Section) -> str:
    """HTML of the contents, with the headings of the section that is shown.

    It is written twice: as a list for a wide screen, and folded for a narrow one.
    """
    items = "".join(_item(its, its is section) for its in notes.sections())
    return (
        f'<nav class="lv-wide" aria-label="Contents"><ol>{items}</ol></nav>'
        f'<nav class="lv-narrow" aria-label="Contents"><details><summary>Contents: '
        f"{html.escape(section.head.plain)}</summary><ol>{items}</ol></details></nav>"
    )


def _item(section: Section, is_shown: bool) -> str:
    heads = [part for part in section.parts if isinstance(part, Heading)]
    below = "".join(f"<li>{_link(head)}</li>" for head in heads[1:]) if is_shown else ""
    return f"<li>{_link(heads[0], is_shown)}{below and f'<ul>{below}</ul>'}</li>"


def _link(head: Heading, is_shown: bool = False) -> str:
    current = ' aria-current="page"' if is_shown else ""
    words = re.sub(r" \(.*\)$", "", head.plain)  # without the place in a paper
    return f'<a href="#{head.anchor}"{current}>{html.escape(words)}</a>'


def turned(section: Section) -> str:
    """HTML of the links to the sections before and after."""
    every = notes.sections()
    at = every.index(section)
    before = f"<span>← {_link(every[at - 1].head)}</span>" if at else "<span></span>"
    after = f"<span>{_link(every[at + 1].head)} →</span>" if at + 1 < len(every) else ""
    return f'<nav class="lv-turn" aria-label="Previous and next section">{before}{after}</nav>'
