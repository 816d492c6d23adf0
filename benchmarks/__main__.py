"""``python -m benchmarks [--quick] [--only NAME …] [--repeats N] [--json FILE] [--live]``.

``--check docs/performance.md`` runs nothing, and compares the table there with the stored run.
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


def run_cases(names, repeats: int, quick: bool, say=print) -> tuple[list[Row], dict, list[str]]:
    """Rows, all measurements by case, and one message for each case that crashed."""
    rows, measured, crashed, told = [], {}, [], set()
    for name in names:
        case, results = CASES[name], {}
        if absent := case.missing():
            if absent not in told:
                say(absent)
            told.add(absent)
            continue

        def runner(task, results=results, **options):
            which = [str(v) for k, v in options.items() if k == "workers" or isinstance(v, str)]
            result = in_child(task, options, repeats)
            results["/".join([task, *which])] = asdict(result)
            return result

        say(f"… {case.title}")
        try:
            rows += case.rows(runner, quick)
        except CaseFailed as error:
            crashed.append(f"The case {name!r} crashed: {error}")
        measured[name] = results
    return rows, measured, crashed


def check(file: Path) -> int:
    """Print what a document's table has otherwise than the stored run, then that run's table."""
    rows = report.stored()
    differences = report.differences(file.read_text("utf-8"), rows)
    if differences:
        print("\n".join([*differences, "", report.table(rows)]))
    return 1 if differences else 0


def main(arguments: list[str] | None = None) -> int:
    """Exit status: 0, or 1 if a case crashed; a missed bound is in the table."""
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes; judges no bound")
    names = f"some of: {', '.join(CASES)}; with --live: {', '.join(live.PARTS)}"
    parser.add_argument("--only", nargs="+", metavar="NAME", help=names)
    parser.add_argument("--repeats", type=int, default=5, help="runs behind each median")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured")
    parser.add_argument("--live", action="store_true", help="the explorer in Chromium instead")
    parser.add_argument("--check", type=Path, metavar="FILE",
                        help="run nothing: compare its table with the stored run")  # fmt: skip
    chosen = parser.parse_args(arguments)
    if chosen.check:
        return check(chosen.check)
    if chosen.repeats < 1:
        parser.error("--repeats must be at least 1.")
    known = live.PARTS if chosen.live else CASES
    for name in set(chosen.only or ()) - set(known):
        parser.error(f"--only does not know {name!r}; there are: {', '.join(known)}.")
    say = partial(print, file=sys.stderr, flush=True)
    if chosen.live:
        rows, measured, crashed = live.run(chosen.only, say)
    else:
        rows, measured, crashed = run_cases(chosen.only or CASES, chosen.repeats, chosen.quick, say)
    if rows:
        print(report.table(rows))
    for sentence in crashed:
        print(sentence)
    if chosen.json:
        host = {"machine": platform.machine(), "python": platform.python_version(),
                "numpy": numpy.__version__, "scipy": scipy.__version__}  # fmt: skip
        results = {"host": host, "repeats": chosen.repeats, "rows": list(map(asdict, rows)),
                   "measured": measured, "crashed": crashed}  # fmt: skip
        chosen.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 1 if crashed else 0


if __name__ == "__main__":
    raise SystemExit(main())
