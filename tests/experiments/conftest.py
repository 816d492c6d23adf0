"""Shared fixture: rows of experiments at sizes for tests."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lapviz.experiments import registry, runs

sys.path.append(str(Path(__file__).parent))


@pytest.fixture(scope="session")
def rows_of():
    """Function of a name and changed settings that returns the rows of the small size."""

    def run(name, **changes):
        experiment = registry.get(name)
        return runs.run(experiment, replace(experiment.sizes["small"], **changes)).rows

    return run
