"""Runs of experiments at sizes for tests."""

from dataclasses import replace

import pytest

from lapviz.experiments import registry, runs


@pytest.fixture(scope="session")
def rows_of():
    """(name, changed settings) to the rows of the small size with these changes."""

    def run(name, **changes):
        experiment = registry.get(name)
        return runs.run(experiment, replace(experiment.sizes["small"], **changes)).rows

    return run
