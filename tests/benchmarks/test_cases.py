"""The benchmark measures what it claims, judges bounds correctly, and exits cleanly."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import browser, cases, child, measure, report, tasks
from benchmarks.cases import CASES, Row
from benchmarks.child import CaseFailed
from benchmarks.live import page
from benchmarks.live import run as live
from benchmarks.measure import Measurement, Task
from tests.helpers import printed


def measured(seconds=None, peak_mb=200.0, **facts) -> Measurement:
    return Measurement(seconds or {}, {}, peak_mb, 150.0, 1, facts)


def test_a_time_is_the_median_over_rounds_of_alternating_calls(monkeypatch):
    order, clock = [], iter([0, 5, 5, 6, 10, 11, 11, 13, 20, 22, 22, 25])
    monkeypatch.setattr(measure.time, "process_time", lambda: next(clock))
    task = Task(
        timed={"a": lambda: order.append("a"), "b": lambda: order.append("b")},
        warm_up=lambda: order.append("warm"),
    )
    result = measure.measure(task, repeats=3)
    assert order == ["warm", "a", "b", "a", "b", "a", "b"]
    assert result.runs == {"a": [5, 1, 2], "b": [1, 2, 3]}
    assert result.seconds == {"a": 2, "b": 2}


@pytest.mark.slow
def test_seconds_are_cpu_time_not_wall_time():
    result = measure.measure(Task({"sleep": lambda: time.sleep(0.2)}), repeats=1)
    assert result.seconds["sleep"] < 0.1


@pytest.mark.slow
def test_memory_is_that_of_the_task_not_of_its_parent():
    ballast = np.ones(40_000_000)  # 320 MB here must not count in the child
    script = (
        "import numpy as np; from benchmarks.measure import Task, measure\n"
        "r = measure(Task({'make': lambda: np.ones(20_000_000).sum()}), 2)\n"
        "print(r.before_mb, r.peak_mb)"
    )
    before, peak = map(float, printed("-c", script).split())
    assert ballast.nbytes > 300e6 > peak
    assert 150 < peak - before < 185


@pytest.mark.slow
def test_a_child_has_one_thread_and_reports_what_it_measured():
    result = child.in_child("modes", {"n": 150, "kernel": "exponential", "bandwidth": 0.5,
                                      "n_modes": 12}, repeats=2)  # fmt: skip
    assert result.threads == 1
    assert [len(runs) for runs in result.runs.values()] == [2, 2]
    assert 0 < result.seconds["ours"] < 5
    assert 50 < result.before_mb <= result.peak_mb < 1000
    # Both sides solve the same problem, so their times can be compared.
    facts = result.facts
    assert facts["n_dropped"] == 0
    np.testing.assert_allclose(facts["eigenvalues"], facts["dense_eigenvalues"], rtol=1e-3)


@pytest.mark.parametrize(
    ("task", "options", "timeout", "word"),
    [
        pytest.param("fit_million", {"n": -1, "p": 5}, 60, "ValueError", marks=pytest.mark.slow),
        ("fit_million", {"n": 100, "p": 5}, 0.01, "no answer"),
    ],
)
def test_a_child_that_fails_is_named(task, options, timeout, word):
    with pytest.raises(CaseFailed, match=word) as caught:
        child.in_child(task, options, 1, timeout)
    assert str(caught.value).startswith(task)
    assert "\n" not in str(caught.value)


def test_ours_and_the_peer_fit_the_same_test_functions():
    X = tasks.points("gaussian", 300)
    assert X.shape == (300, 10)
    np.testing.assert_array_equal(X, tasks.points("gaussian", 300))
    model = tasks.fit_ours("gaussian", 300, 20, 3.0).timed["fit"]()
    np.testing.assert_array_equal(model.landmarks_, X[:20])
    assert model.n_components_ == tasks.N_MODES
    assert (model.kernel_.name, model.bandwidth_) == ("exponential", 3.0)


@pytest.mark.slow
def test_accuracy_and_nan_rows_are_counted():
    ours = tasks.label("ours", 500, 20, 15)
    facts = ours.facts({"run": ours.timed["run"]()})
    assert facts["accuracy"] > 0.95
    assert facts["nan_grid_rows"] == 0
    knn = tasks.label("knn", 500, 20, 15)
    model, probabilities = knn.timed["run"]()
    probabilities[:3] = np.nan
    assert knn.facts({"run": (model, probabilities)})["nan_grid_rows"] >= 3


def scaled(factor: float, **facts):
    """Results in which our figures are ``factor`` times those of the peers."""
    peer = {"floor": 1.0, "brute": 1.0, "floor, 512 rows": 2.0, "dense": 1.0, "float64": 1.0}
    ours = ("fit", "calibrated", "assembly", "ours", "float32", "coarse", "fine", "run")
    seconds = peer | dict.fromkeys(ours, factor) | {"once": 1.0}

    def runner(task, workers=1, method="ours", **options):
        base = {"n_dropped": 0, "apart": 1e-5, "n_pixels": 9, "accuracy": 1.0, "nan_grid_rows": 0,
                "same": 1.0, "wall": factor if workers == 2 else 1.0, "worker_mb": 10}  # fmt: skip
        times = {"fit": 1.0} if task == "fit_klap" else seconds
        return measured(times, 10 * factor, **base | facts)

    return runner


LIMITS = {  # of the factor
    "klap-moons": 1 / 20, "klap-gaussian": 1 / 30, "floor-moons": 1.5, "floor-gaussian": 1.5,
    "single": 1 / 1.7, "cluster": 0.6, "million": 40, "modes-gaussian": 1, "modes-exponential": 1,
    "neighbours": 0.7, "picture": 0.15, "labels": 0.3,
}  # fmt: skip


def test_every_bound_is_judged():
    """The fastest floor is the peer, both parts of a stroke count, small sizes are not judged."""
    assert set(LIMITS) == set(CASES)
    for name, limit in LIMITS.items():
        for share in (0.99, 1.01):
            rows = list(CASES[name].rows(scaled(share * limit), False))
            verdicts = [row.ok for row in rows if row.bound]
            assert verdicts == [share < 1], name
            assert {row.case for row in rows} == {name}
        assert {row.ok for row in CASES[name].rows(scaled(1.0), True)} == {None}
    for name, facts in (("single", {"apart": 2e-4}), ("single", {"apart": np.nan}),
                        ("cluster", {"worker_mb": 1001})):  # fmt: skip
        assert [row.ok for row in CASES[name].rows(scaled(1e-3, **facts), False)] == [False]


def test_a_delay_is_judged_by_its_median():
    assert page.delay("w", [10, 20, 500], "<", 50).ok is True
    assert page.delay("w", [10, 50, 60], "<", 50).ok is False
    assert page.delay("w", [300, 300], "≤", 300).ok is True
    assert page.delay("w", [300, 300], "≤", 300).bound == "≤ 300 ms"


def test_without_a_browser_the_message_says_what_to_install(monkeypatch, capsys):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    part = next(iter(live.IN_CHROMIUM))  # the others need no browser and would really run
    assert command.main(["--live", "--only", part]) == 1
    assert "install Chromium" in capsys.readouterr().out


def test_the_table_reads_as_markdown():
    lines = report.table([Row("b", "1 s", "2 s", 2.0, "≥ 1", True, case="a")]).splitlines()
    assert [len(set(map(len, lines))), len(lines)] == [1, 3]
    assert [cell.strip() for cell in lines[0].split("|")[1:-1]] == list(report.HEADER)
    assert lines[2].split("|")[5].strip() == "2"
    assert lines[2].rstrip("| ").endswith("yes")


PERFORMANCE = Path(__file__).parents[2] / "docs" / "performance.md"


def test_the_documentation_has_the_figures_of_the_stored_run(capsys):
    assert command.main(["--check", str(PERFORMANCE)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("change", ["figure", "row"])
def test_a_page_with_other_figures_is_reported(change, tmp_path, capsys):
    text, row = PERFORMANCE.read_text("utf-8"), report.stored()[0]
    line = next(line for line in text.splitlines() if line.startswith(f"| {row.case} "))
    replacement = {"figure": line.replace(row.ours, "0.1 s"), "row": f"{line}\n{line}"}
    file = tmp_path / "page.md"
    file.write_text(text.replace(line, replacement[change], 1), "utf-8")
    assert command.main(["--check", str(file)]) == 1
    output = capsys.readouterr().out
    assert report.table(report.stored()) in output
    if change == "figure":
        assert f"{row.what}: ours is '0.1 s', the run gave {row.ours!r}." in output


@pytest.mark.slow
def test_the_command_runs_a_case_and_writes_json(tmp_path, capsys):
    file = tmp_path / "out.json"
    arguments = ["--quick", "--repeats", "1", "--only", "floor-gaussian", "--json", str(file)]
    assert command.main(arguments) == 0
    out = capsys.readouterr().out
    assert out.startswith("| case ")
    report = json.loads(file.read_text())
    (row,) = report["rows"]
    assert row["case"] == "floor-gaussian"
    assert row["ok"] is None
    (measured,) = report["measured"]["floor-gaussian"].values()
    floors = [s for name, s in measured["seconds"].items() if name.startswith("floor")]
    assert row["ratio"] == pytest.approx(measured["seconds"]["assembly"] / min(floors))
    assert report["crashed"] == []


def test_without_klap_there_is_a_message_and_the_rest_runs(monkeypatch, capsys):
    monkeypatch.setattr(cases._extras, "find_spec", lambda name: None)
    measurement = measured({"fit": 1.0}, 300.0)
    monkeypatch.setattr(command, "in_child", lambda task, options, repeats: measurement)
    only = ["klap-moons", "klap-gaussian", "million"]
    assert command.main(["--only", *only]) == 0
    out, err = capsys.readouterr()
    assert err.count("lapviz-explorer[bench]") == 1
    assert "| million" in out
    assert "| klap" not in out


@pytest.mark.parametrize("arguments", [["--only", "live-lam"], ["--live", "--only", "million"]])
def test_an_unknown_name_is_refused_with_the_available_ones(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        command.main(arguments)
    output = capsys.readouterr().err
    assert "--only does not know" in output
    assert ("live-click" if "--live" in arguments else "floor-moons") in output


@pytest.mark.parametrize("option", ["--json", "--check"])
def test_a_missing_file_or_folder_is_refused_before_the_run(option, tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        command.main([option, str(tmp_path / "none" / "file")])
    assert f"{option}: " in capsys.readouterr().err


def test_a_crash_is_reported_and_the_rest_runs(monkeypatch, capsys):
    def failing(task, options, repeats):
        if task == "assembly":
            raise CaseFailed("assembly: out of memory (signal 9).")
        return measured({"fit": 1.0}, 300.0)

    monkeypatch.setattr(command, "in_child", failing)
    assert command.main(["--only", "floor-moons", "million"]) == 1
    out = capsys.readouterr().out
    assert "'floor-moons' crashed: assembly: out of memory (signal 9)." in out
    assert "| million" in out
