"""Shared fixture: rows of experiments at sizes for tests."""

from dataclasses import replace

import pytest

from lapviz.experiments import registry, runs


@pytest.fixture(scope="session")
def rows_of():
    """Function of a name and changed settings that returns the rows of the small size."""

    def run(name, **changes):
        experiment = registry.get(name)
        return runs.run(experiment, replace(experiment.sizes["small"], **changes)).rows

    return run
