"""Common tasks of a visitor take at most three actions; their times: ``benchmarks.ways``."""

import pytest

from benchmarks.ways import WAYS, Visitor


@pytest.mark.parametrize("title", WAYS)
def test_a_task_takes_at_most_three_actions(visitor, title):
    tab = visitor(viewport={"width": 1280, "height": 720},
                  permissions=["clipboard-read", "clipboard-write"])  # fmt: skip
    user = Visitor(tab.page, tab.root)
    WAYS[title](user)
    tab.fine()
    assert 1 <= len(user.acts) <= 3
