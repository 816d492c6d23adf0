"""What a visitor comes for takes at most three acts; how long: ``python -m benchmarks.ways``."""

from __future__ import annotations

import pytest

from benchmarks.ways import WAYS, Visitor


@pytest.mark.parametrize("title", WAYS)
def test_a_way_is_short(visitor, title):
    tab = visitor(viewport={"width": 1280, "height": 720},
                  permissions=["clipboard-read", "clipboard-write"])  # fmt: skip
    taken = Visitor(tab.page, tab.root)
    WAYS[title](taken)
    tab.fine()
    assert 1 <= len(taken.acts) <= 3
