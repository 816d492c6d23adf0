"""Every link inside the built documentation leads somewhere.

    python docs/check_links.py docs/_build

Looks at the pages as they are: files, anchors, pictures, frames and scripts. Addresses of other
sites are not visited, but nothing that a page loads by itself may come from one.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "iframe": "src", "link": "href", "source": "src"}
NOT_PAGES = {"_static"}  # live pages, which stand alone


@dataclass
class Page(HTMLParser):
    """Anchors of a page, and what it links to or loads."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self):
        super().__init__()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        used = tag != "link" or given.get("rel") in ("stylesheet", "icon", "preload")
        if tag in LOADED and given.get(LOADED[tag]) and used:
            self.loaded.append(given[LOADED[tag]])


def read(root: Path) -> dict[Path, Page]:
    """All pages below a folder."""
    pages = {}
    for path in sorted(root.rglob("*.html")):
        if not NOT_PAGES & set(path.relative_to(root).parts):
            pages[path] = page = Page()
            page.feed(path.read_text("utf-8"))
    return pages


def faults(root: Path) -> list[str]:
    """A sentence for each link that leads nowhere."""
    root = root.resolve()
    pages, said = read(root), []
    for path, page in pages.items():
        name = path.relative_to(root)
        for address in (*page.links, *page.loaded):
            parts = urlsplit(address)
            if parts.scheme in ("http", "https", "mailto") or parts.netloc:
                if address in page.loaded:
                    said.append(f"{name} loads {address} from another site.")
                continue
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                said.append(f"{name} links to {address}, which is not there.")
            elif not target.is_relative_to(root):
                said.append(f"{name} links to {address}, outside the site.")
            elif (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].anchors
            ):
                said.append(f"{name} links to {address}, and there is no such anchor.")
    return said if pages else [f"There are no pages in {root}."]


if __name__ == "__main__":
    found = faults(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/_build"))
    print(*found, sep="\n")
    print(f"{len(found)} links are broken." if found else "Every link leads somewhere.")
    raise SystemExit(bool(found))
