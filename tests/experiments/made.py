"""An experiment made for tests."""

from dataclasses import dataclass

from lapviz.experiments.registry import Config, Experiment, Task, setting


@dataclass(frozen=True)
class Made(Config):
    n: tuple[int, ...] = setting((10, 20), "Numbers.", 1, 100, page_high=50, grid=True)
    width: float = setting(0.5, "A width.", 0, 10)
    kind: str = setting("a", "A kind.", choices=("a", "b"))
    flag: bool = setting(False, "A flag.")


class Gaussian(Experiment):
    """Not in the registry: its module is not lapviz's."""

    name, title, Config = "made", "Made", Made
    sizes = {"small": Made(), "paper": Made(trials=20)}  # noqa: RUF012

    def tasks(self, config):
        return [Task({"n": n}, k) for k in range(config.trials) for n in config.n]

    def run(self, config, task, rng):
        return [{"mean": rng.normal(size=task["n"]).mean()}]
