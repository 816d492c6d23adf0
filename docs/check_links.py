"""Check that every link inside the built documentation has a target.

    python docs/check_links.py docs/_build

Checks files, anchors, pictures, frames and scripts. Links to other sites are not visited, but no
page may load anything from another site.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "iframe": "src", "link": "href", "source": "src"}
NOT_PAGES = {"_static"}  # standalone live pages


@dataclass
class Page(HTMLParser):
    """Anchors, links and loaded files of a page."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self):
        super().__init__()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        used = tag != "link" or attributes.get("rel") in ("stylesheet", "icon", "preload")
        if tag in LOADED and attributes.get(LOADED[tag]) and used:
            self.loaded.append(attributes[LOADED[tag]])


def read(root: Path) -> dict[Path, Page]:
    """All pages below a folder."""
    pages = {}
    for path in sorted(root.rglob("*.html")):
        if not NOT_PAGES & set(path.relative_to(root).parts):
            pages[path] = page = Page()
            page.feed(path.read_text("utf-8"))
    return pages


def faults(root: Path) -> list[str]:
    """One message for each broken link."""
    root = root.resolve()
    pages, messages = read(root), []
    for path, page in pages.items():
        name = path.relative_to(root)
        for address in (*page.links, *page.loaded):
            parts = urlsplit(address)
            if parts.scheme in ("http", "https", "mailto") or parts.netloc:
                if address in page.loaded:
                    messages.append(f"{name} loads {address} from another site.")
                continue
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                messages.append(f"{name} links to {address}, which is not there.")
            elif not target.is_relative_to(root):
                messages.append(f"{name} links to {address}, outside the site.")
            elif (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].anchors
            ):
                messages.append(f"{name} links to {address}, and there is no such anchor.")
    return messages if pages else [f"There are no pages in {root}."]


if __name__ == "__main__":
    messages = faults(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/_build"))
    print(*messages, sep="\n")
    print(f"{len(messages)} links are broken." if messages else "Every link leads somewhere.")
    raise SystemExit(bool(messages))
