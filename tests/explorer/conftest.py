"""What the tests of the explorer share: its pages without a browser, the estimators of settings."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lapviz.explorer.host.visitors import Visitor

HERE = Path(__file__).parent
sys.path.append(str(HERE))


def pytest_collection_modifyitems(config, items):
    if not config.pluginmanager.hasplugin("rerunfailures"):  # as with the base install
        return
    for item in items:
        if HERE in item.path.parents:
            # Threads, processes and pages' time limits beside other work, as in tests/browser: one
            # miss is said at the end, two are a failure.
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture
def visitor():
    made = Visitor("a session")
    yield made
    made.forget()
