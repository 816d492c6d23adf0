"""``python -m lapviz.experiments NAME`` runs an experiment, ``--list`` names all of them.

Repeating the command continues an interrupted run.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from lapviz import progress
from lapviz.experiments import registry, runs
from lapviz.experiments.rates import drawing_table
from lapviz.experiments.records import Results, checked_path
from lapviz.experiments.registry import SIZES, Config, Experiment


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    command = argparse.ArgumentParser(
        prog="python -m lapviz.experiments",
        description="Run one experiment and print its table.",
        epilog="Ctrl+C ends a run and keeps the finished tasks.",
    )
    command.add_argument("name", nargs="?", metavar="NAME", help="which experiment")
    command.add_argument("--list", action="store_true", help="name all experiments, one per line")
    command.add_argument("--size", choices=SIZES,
                         help="settings; by default small, of documented tables paper")  # fmt: skip
    command.add_argument("--out", metavar="FILE", help="write all rows to a .csv or .parquet file")
    command.add_argument("--shown", action="store_true",
                         help="write only the rows that a figure shows")  # fmt: skip
    command.add_argument("--store", metavar="FOLDER",
                         help="folder of finished tasks; by default beside --out")  # fmt: skip
    command.add_argument("--trials", metavar="N", help="number of repetitions with new draws")
    command.add_argument("--seed", metavar="N", help="seed of all random numbers")
    command.add_argument("--jobs", type=int, metavar="N",
                         help="number of processes; −1 for one per core (1)")  # fmt: skip
    command.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE",
                         help="another setting; separate several values by commas, or by "
                         "semicolons where a name has a comma")  # fmt: skip
    command.add_argument("--settings", action="store_true", help="list the settings of NAME")
    return command


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    command = parser()
    options = command.parse_args(arguments)
    if options.list:
        print("\n".join(f"{n:20} {registry.get(n).title}" for n in registry.names()))
        return
    if options.name is None:
        command.error("say which experiment to run; --list names them.")
    if options.jobs == 0:
        command.error("--jobs is a number of processes: 1 or more, or −1 for one per core.")
    try:
        experiment = registry.get(options.name)
        config = configuration(experiment, options)
        out = None if options.out is None else checked_path(options.out)
        if options.shown and out is None:
            raise ValueError("--shown is about the file: give one with --out.")
        if options.settings:
            texts = config.texts()
            print("\n".join(f"{s.name}={texts[s.name]}\t{s.help}" for s in config.settings()))
            return
        store = options.store or (out and out.with_name(out.name + ".parts"))
        results = run_with_progress(experiment, config, options.jobs, store)
        print(summary(experiment, results))
        if out is not None:
            results = results.shown() if options.shown else results
            results.write(out)
            print(f"{len(results.rows)} rows in {out}, finished tasks in {store}.", file=sys.stderr)
    except (ValueError, ImportError, OSError) as error:
        command.exit(2, f"{error}\n")
    if not results.complete:
        count = f"{results.done} of {results.total} tasks were done."
        command.exit(1, f"{count}{' Repeat the command to continue.' if store else ''}\n")


def configuration(experiment: Experiment, options: argparse.Namespace) -> Config:
    """Return the configuration of the size with the settings of the command line."""
    texts = {}
    for text in options.set:
        name, sign, value = text.partition("=")
        if not sign:
            raise ValueError(f"Write --set FIELD=VALUE; got {text!r}.")
        texts[name.strip()] = value
    texts |= {n: v for n in ("trials", "seed") if (v := getattr(options, n)) is not None}
    return experiment.sizes[options.size or experiment.usual].from_texts(texts)


def run_with_progress(
    experiment: Experiment, config: Config, n_jobs: int | None, store: Path | None
) -> Results:
    """Run with progress on the error stream; Ctrl+C ends it and keeps the finished tasks."""

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second one ends at once
        raise progress.StopEarly

    previous = signal.signal(signal.SIGINT, stop)
    try:
        with progress.bar(plain=True):
            return runs.run(experiment, config, n_jobs=n_jobs, store=store)
    finally:
        signal.signal(signal.SIGINT, previous)


def summary(experiment: Experiment, results: Results) -> str:
    """Return the experiment's own tables, or those of its drawings, and the findings."""
    if not results.rows:
        return "These settings measure nothing." if results.done else "No task was done."
    parts = [experiment.markdown(results.rows)]
    if not parts[0]:
        parts = [drawing_table(results.rows, drawing) for drawing in results.drawings()]
    parts.append("\n".join(f"- {finding.sentence}" for finding in results.findings()))
    return "\n\n".join(part for part in parts if part)


if __name__ == "__main__":
    main()
