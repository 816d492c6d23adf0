"""Uploads of tables, and runs of the scripts that the pages write about them."""

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
