"""``python -m benchmarks [--quick] [--only NAME …] [--repeats N] [--json FILE] [--live]``.

``--check docs/performance.md`` runs nothing but compares the table there with the stored run.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy
import scipy

from benchmarks import report
from benchmarks.cases import CASES, Row
from benchmarks.child import CaseFailed, in_child
from benchmarks.live import run as live


def run_cases(names, repeats: int, quick: bool, log=print) -> tuple[list[Row], dict, list[str]]:
    """Rows, all measurements by case, and one message for each case that crashed."""
    rows, measured, crashed, reported = [], {}, [], set()
    for name in names:
        case, results = CASES[name], {}
        if reason := case.missing():
            if reason not in reported:
                log(reason)
            reported.add(reason)
            continue

        def runner(task, results=results, **options):
            labels = [str(v) for k, v in options.items() if k == "workers" or isinstance(v, str)]
            result = in_child(task, options, repeats)
            results["/".join([task, *labels])] = asdict(result)
            return result

        log(f"… {case.title}")
        try:
            rows += case.rows(runner, quick)
        except CaseFailed as error:
            crashed.append(f"The case {name!r} crashed: {error}")
        measured[name] = results
    return rows, measured, crashed


def check(file: Path) -> int:
    """Print where a document's table differs from the stored run, then that run's table."""
    rows = report.stored()
    differences = report.differences(file.read_text("utf-8"), rows)
    if differences:
        print("\n".join([*differences, "", report.table(rows)]))
    return 1 if differences else 0


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks; the exit status is 1 if a case crashed, not if a bound is missed."""
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, without bounds")
    choices = f"some of: {', '.join(CASES)}; with --live: {', '.join(live.PARTS)}"
    parser.add_argument("--only", nargs="+", metavar="NAME", help=choices)
    parser.add_argument("--repeats", type=int, default=5, help="runs behind each median")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all measurements")
    parser.add_argument("--live", action="store_true", help="the explorer in Chromium instead")
    parser.add_argument("--check", type=Path, metavar="FILE",
                        help="run nothing: compare its table with the stored run")  # fmt: skip
    options = parser.parse_args(arguments)
    if options.check:
        try:
            return check(options.check)
        except (OSError, UnicodeDecodeError) as error:
            parser.error(f"--check: {error}")
    if options.repeats < 1:
        parser.error("--repeats must be at least 1.")
    if options.json and (options.json.is_dir() or not options.json.parent.is_dir()):
        parser.error(f"--json: there is no folder for {options.json}, or it is one itself.")
    available = live.PARTS if options.live else CASES
    for name in set(options.only or ()) - set(available):
        parser.error(f"--only does not know {name!r}; available: {', '.join(available)}.")
    log = partial(print, file=sys.stderr, flush=True)
    if options.live:
        rows, measured, crashed = live.run(options.only, log)
    else:
        names = options.only or CASES
        rows, measured, crashed = run_cases(names, options.repeats, options.quick, log)
    if rows:
        print(report.table(rows))
    for message in crashed:
        print(message)
    if options.json:
        host = {"machine": platform.machine(), "python": platform.python_version(),
                "numpy": numpy.__version__, "scipy": scipy.__version__}  # fmt: skip
        results = {"host": host, "repeats": options.repeats, "rows": list(map(asdict, rows)),
                   "measured": measured, "crashed": crashed}  # fmt: skip
        options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 1 if crashed else 0


if __name__ == "__main__":
    raise SystemExit(main())
