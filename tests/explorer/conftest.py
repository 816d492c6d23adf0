"""Shared by the explorer's tests: pages without a browser, and the estimators of settings."""

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
            # These tests use threads, processes and time limits, as in tests/browser: a first
            # failure is listed at the end, a second one fails the run.
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture
def visitor():
    visitor = Visitor("a session")
    yield visitor
    visitor.forget()
