"""What the tests here share: an experiment made for them, and runs at sizes for tests."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lapviz.experiments import registry, runs

sys.path.append(str(Path(__file__).parent))


@pytest.fixture(scope="session")
def rows_of():
    """(name, changed settings) to the rows of the small size with these changes."""

    def run(name, **changes):
        experiment = registry.get(name)
        return runs.run(experiment, replace(experiment.sizes["small"], **changes)).rows

    return run
