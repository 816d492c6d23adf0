"""The registry: every experiment is whole, its configurations check themselves and go into text."""

from dataclasses import replace

import numpy as np
import pytest
from made import Gaussian, Made

from lapviz.experiments import __main__, registry
from lapviz.experiments.registry import Task


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_every_experiment_is_whole(name):
    experiment = registry.get(name)
    assert set(experiment.sizes) == set(registry.SIZES)
    assert experiment.text.endswith(".")
    for config in experiment.sizes.values():
        assert type(config) is experiment.Config
        assert experiment.Config().from_texts(config.texts()) == config
        tasks = experiment.tasks(replace(config, trials=min(config.trials, 2)))
        assert tasks
        if not experiment.table:  # else they are those of another
            assert len({experiment.key(config, task) for task in tasks}) == len(tasks)
        assert experiment.drawn(config)
    small = experiment.sizes["small"]
    assert small.trials > 1, "no error bars"
    assert 0 < experiment.seconds <= 20
    for said in small.settings():
        said.checked(getattr(small, said.name), page=True)  # the page's limits allow what it runs
        assert said.help.endswith(".")


def test_names_are_listed_first_on_a_line(capsys):
    __main__.main(["--list"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(registry.names())
    assert {"landmarks", "tables", "digits", "sweep"} <= set(registry.names())


def test_a_task_has_its_own_numbers_whatever_else_there_is():
    task = Task({"n": 10}, 3)
    first = task.rng("made", 0).normal(size=4)
    np.testing.assert_array_equal(first, Task({"n": 10}, 3).rng("made", 0).normal(size=4))
    for name, seed, other in (
        ("made", 1, task), ("else", 0, task), ("made", 0, Task({"n": 10})),
        ("made", 0, Task({"n": 20}, 3)),
    ):  # fmt: skip
        assert not np.array_equal(first, other.rng(name, seed).normal(size=4))
    paired = Task({"n": 10, "lam": 1.0}, 3, paired=("lam",))
    np.testing.assert_array_equal(first, paired.rng("made", 0).normal(size=4))


def test_title_and_text_are_the_docstring():
    class Said(Gaussian):
        """A title.

        A text that
        goes on.
        """

    assert (Said.title, Said.text, Said.Config) == ("A title", "A text that goes on.", Made)
    assert Gaussian.title == "Made"
