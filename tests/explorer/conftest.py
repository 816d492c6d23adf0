"""Shared by the explorer's tests: pages, visitors with their tables, runs of scripts."""

import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from lapviz.explorer.compute import own_table
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.host.visitors import Visitor
from lapviz.explorer.settings.specs import DataSpec

HERE = Path(__file__).parent
sys.path.append(str(HERE))
PENGUINS = files("lapviz.datasets").joinpath("data/penguins.csv").read_bytes()


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


@pytest.fixture
def bring(visitor, tmp_path, monkeypatch) -> Callable:
    """Upload a file, also to the folder of the scripts; return the table and its data."""
    monkeypatch.chdir(tmp_path)

    def brought(raw=PENGUINS, name="penguins.csv", **roles) -> tuple[OwnTable, DataSpec]:
        (tmp_path / name).write_bytes(raw)
        table = own_table.read(raw, name)
        if roles:
            changed = replace(table.roles, **roles)
            table = OwnTable(table.table, table.table.prepare(changed), changed)
        return table, DataSpec("table", source=STORE.add(visitor, table))

    return brought


@pytest.fixture
def run(tmp_path) -> Callable:
    """Run a script; return its names, and the predictions that it wrote, if any."""

    def names_and_file(text: str) -> tuple[dict, bytes]:
        names: dict = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "recipe", "exec"), names)
        file = tmp_path / "predictions.csv"
        return names, file.read_bytes() if file.exists() else b""

    return names_and_file
