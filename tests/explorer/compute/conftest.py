"""A visitor who brings tables, and the scripts that the pages write about them."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files

import pytest

from lapviz.explorer.compute import own_table
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec

PENGUINS = files("lapviz.datasets").joinpath("data/penguins.csv").read_bytes()


@pytest.fixture
def bring(visitor, tmp_path, monkeypatch) -> Callable:
    """Upload a file, which also lies in the folder of the scripts: the table and its settings."""
    monkeypatch.chdir(tmp_path)

    def brought(raw=PENGUINS, name="penguins.csv", **roles) -> tuple[OwnTable, DataSpec]:
        (tmp_path / name).write_bytes(raw)
        thing = own_table.read(raw, name)
        if roles:
            asked = replace(thing.roles, **roles)
            thing = OwnTable(thing.table, thing.table.prepare(asked), asked)
        return thing, DataSpec("table", source=STORE.add(visitor, thing))

    return brought


@pytest.fixture
def run(tmp_path) -> Callable:
    """Run a script: its names, and the predictions that it wrote, if any."""

    def names_and_file(text: str) -> tuple[dict, bytes]:
        names: dict = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "recipe", "exec"), names)
        wrote = tmp_path / "predictions.csv"
        return names, wrote.read_bytes() if wrote.exists() else b""

    return names_and_file
