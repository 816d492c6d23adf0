"""The explorer's notes as pages, with headings one level higher, live pictures and tables."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

_HEADING = re.compile(r"^#(#+ )", re.MULTILINE)


def raise_headings(app, path, parent, content) -> None:
    """Raise the headings of the notes, whose files start at level 2, by one level."""
    if Path(path).parts[-3:-1] == ("notes", "text"):
        pieces = re.split(r"(^```.*?^```$)", content[0], flags=re.MULTILINE | re.DOTALL)
        pieces[::2] = [_HEADING.sub(r"\1", text) for text in pieces[::2]]
        content[0] = "".join(pieces)


class NoteStage(SphinxDirective):
    """A stage of the notes as a live picture; below it, unless ``picture-only``, its table."""

    required_arguments = 1
    option_spec = {"picture-only": directives.flag}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        from lapviz.explorer.pages.notes.settings import STAGES
        from lapviz.explorer.pages.notes.view import draw
        from lapviz.figures import LivePicture
        from lapviz.markdown import table
        from lapviz_docs.live import frame

        stage = STAGES[self.arguments[0]]
        shown = draw(stage, {})
        picture = LivePicture(shown.scene, stage.title)
        markup = frame(picture, f"notes-{stage.name}", self.env.docname)
        picture_node = nodes.raw("", markup, format="html")
        if "picture-only" in self.options:
            return [picture_node]
        below = [shown.caption] if shown.caption else []
        if shown.rows:
            below = [table(shown.heads, shown.rows), "", *below]
        return [picture_node, *self.parse(below)]

    def parse(self, parts: list[str]) -> list[nodes.Node]:
        return parsed(self, "\n".join(parts))


class NoteTable(SphinxDirective):
    """A table generated from the code: the filters."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        from lapviz.estimates import filters
        from lapviz.markdown import table

        if self.arguments[0] != "filters":
            raise self.error(f"There is no table {self.arguments[0]!r}.")
        rules = map(filters.get, filters.names())
        rows = [(rule.title, f"${rule.formula}$") for rule in rules]
        return parsed(self, table(("Filter", "Factor $h(\\gamma)$"), rows))


def parsed(directive: SphinxDirective, markdown: str) -> list[nodes.Node]:
    """Markdown as docutils nodes."""
    container = nodes.container()
    lines = StringList(markdown.splitlines(), source=directive.get_source_info()[0])
    directive.state.nested_parse(lines, directive.content_offset, container)
    return container.children


def setup(app) -> None:
    """Register the notes' two directives."""
    app.add_directive("lapviz-stage", NoteStage)
    app.add_directive("lapviz-table", NoteTable)
    app.connect("include-read", raise_headings)
