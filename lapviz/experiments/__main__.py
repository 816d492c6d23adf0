"""``python -m lapviz.experiments NAME`` runs an experiment, ``--list`` names those that there are.

A run that was interrupted goes on where it stopped when the same command is given again.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from lapviz import progress
from lapviz.charts import points
from lapviz.experiments import registry, runs
from lapviz.experiments.records import Results, checked_path
from lapviz.experiments.registry import SIZES, Config, Drawing, Experiment
from lapviz.markdown import table


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(
        prog="python -m lapviz.experiments",
        description="Run one experiment and print its table.",
        epilog="Ctrl+C ends a run and keeps what is done.",
    )
    command.add_argument("name", nargs="?", metavar="NAME", help="which experiment")
    command.add_argument("--list", action="store_true", help="name all experiments, one a line")
    command.add_argument("--size", choices=SIZES,
                      help="settings; by default small, of documented tables paper")  # fmt: skip
    command.add_argument("--out", metavar="FILE", help="write all rows to a .csv or .parquet file")
    command.add_argument("--shown", action="store_true",
                      help="write only the rows that a figure shows")  # fmt: skip
    command.add_argument("--store", metavar="FOLDER",
                      help="where finished tasks are kept; by default beside --out")  # fmt: skip
    command.add_argument("--trials", metavar="N", help="how often everything is drawn anew")
    command.add_argument("--seed", metavar="N", help="of all that is random")
    command.add_argument("--jobs", type=int, metavar="N",
                      help="processes; −1 for one on every core (1)")  # fmt: skip
    command.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE",
                      help="another setting; several values with commas")  # fmt: skip
    command.add_argument("--settings", action="store_true", help="list what NAME can be set to")
    return command


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the arguments say."""
    command = parser()
    options = command.parse_args(arguments)
    if options.list:
        print("\n".join(f"{n:20} {registry.get(n).title}" for n in registry.names()))
        return
    if options.name is None:
        command.error("say which experiment to run; --list names them.")
    try:
        experiment = registry.get(options.name)
        config = configured(experiment, options)
        out = checked_path(options.out) if options.out else None
        if options.settings:
            texts = config.texts()
            print("\n".join(f"{s.name}={texts[s.name]}\t{s.help}" for s in config.settings()))
            return
        store = options.store or (out and out.with_name(out.name + ".parts"))
        results = listened(experiment, config, options.jobs, store)
    except (ValueError, ImportError, OSError) as error:
        command.exit(2, f"{error}\n")
    print(shown(experiment, results))
    if out is not None:
        results = results.shown() if options.shown else results
        results.write(out)
        print(f"{len(results.rows)} rows in {out}, finished tasks in {store}.", file=sys.stderr)
    if not results.complete:
        summary = f"{results.done} of {results.total} tasks were done."
        command.exit(1, f"{summary}{' The same command goes on.' if store else ''}\n")


def configured(experiment: Experiment, options: argparse.Namespace) -> Config:
    """The size's configuration with the settings of the command line."""
    texts = {}
    for text in options.set:
        name, sign, value = text.partition("=")
        if not sign:
            raise ValueError(f"Write --set FIELD=VALUE; got {text!r}.")
        texts[name.strip()] = value
    texts |= {n: v for n in ("trials", "seed") if (v := getattr(options, n)) is not None}
    return experiment.sizes[options.size or experiment.usual].from_texts(texts)


def listened(
    experiment: Experiment, config: Config, n_jobs: int | None, store: Path | None
) -> Results:
    """Run with progress on the error stream; Ctrl+C ends with what is done."""

    def enough(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second one ends at once
        raise progress.StopEarly

    before = signal.signal(signal.SIGINT, enough)
    try:
        with progress.bar(plain=True):
            return runs.run(experiment, config, n_jobs=n_jobs, store=store)
    finally:
        signal.signal(signal.SIGINT, before)


def shown(experiment: Experiment, results: Results) -> str:
    """The experiment's own table, or the means of its drawings; then what they say."""
    if not results.rows:
        return "No task was done."
    parts = [experiment.markdown(results.rows)]
    if not parts[0]:
        parts = [means(results, drawing) for drawing in results.drawings()]
    parts.append("\n".join(f"- {finding.sentence}" for finding in results.findings()))
    return "\n\n".join(part for part in parts if part)


def means(results: Results, drawing: Drawing) -> str:
    """A table of what a drawing shows: centre and error at each point."""
    heads = [n for n in (drawing.facet, drawing.colour, drawing.x) if n]
    heads += [drawing.y, "low", "high", "trials", *drawing.best_over]
    lines = []
    for p in points(results.rows, drawing):
        place = [v for n, v in ((drawing.facet, p.facet), (drawing.colour, p.colour)) if n]
        ends = (None, None) if p.n < 2 else (p.low, p.high)
        lines.append([*place, p.x, p.y, *ends, p.n, *p.chosen.values()])
    return table(heads, lines)


if __name__ == "__main__":
    main()
