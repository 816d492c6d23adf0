"""The registry and its runs: any order and processes, cancelling, files, the command line."""

import inspect
import re
from dataclasses import replace

import numpy as np
import pytest
from joblib import parallel_config

from lapviz import progress
from lapviz.charts import Drawing, points
from lapviz.experiments import __main__, records, registry, runs
from lapviz.experiments.registry import Experiment, Task, setting


class Gaussian(Experiment):
    """Not in the registry, since its module is not part of lapviz."""

    name = "gaussian"
    settings = {  # noqa: RUF012
        "n": setting((10, 20), "Numbers.", 1, 100, page_high=50, grid=True),
        "width": setting(0.5, "A width.", 0, 10),
        "kind": setting("a", "A kind.", choices=("a", "b")),
        "flag": setting(False, "A flag."),
    }
    paper = {"trials": 20}  # noqa: RUF012
    grid = {"n": "n"}  # noqa: RUF012

    def run(self, config, task, rng):
        return [{"mean": rng.normal(size=task["n"]).mean()}]


GaussianConfig = Gaussian.Config


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
        if not experiment.table:  # otherwise the tasks are another experiment's
            assert len({experiment.key(config, task) for task in tasks}) == len(tasks)
        assert experiment.drawn(config)
    # Rows depend on a grid by their task alone: its key does not hold the grids.
    read = re.findall(r"config\.(\w+)", inspect.getsource(type(experiment).run))
    assert set(read) <= set(experiment.Config().result_settings())
    small = experiment.sizes["small"]
    assert small.trials > 1, "no error bars"
    assert 0 < experiment.seconds <= 20
    for field in small.settings():
        field.checked(getattr(small, field.name), page=True)  # within the page's limits
        assert field.help.endswith(".")


def test_names_are_listed_first_on_a_line(capsys):
    __main__.main(["--list"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(registry.names())
    assert {"landmarks", "tables", "digits", "sweep"} <= set(registry.names())


def test_a_task_has_its_own_numbers_whatever_else_there_is():
    task = Task({"n": 10}, 3)
    first = task.rng("gaussian", 0).normal(size=4)
    np.testing.assert_array_equal(first, Task({"n": 10}, 3).rng("gaussian", 0).normal(size=4))
    for name, seed, other in (
        ("gaussian", 1, task), ("else", 0, task), ("gaussian", 0, Task({"n": 10})),
        ("gaussian", 0, Task({"n": 20}, 3)),
    ):  # fmt: skip
        assert not np.array_equal(first, other.rng(name, seed).normal(size=4))
    paired = Task({"n": 10, "lam": 1.0}, 3, paired=("lam",))
    np.testing.assert_array_equal(first, paired.rng("gaussian", 0).normal(size=4))


def test_title_and_text_are_the_docstring():
    class Documented(Gaussian):
        """A title.

        A text that
        goes on.
        """

    fields = (Documented.title, Documented.text, Documented.Config)
    assert fields == ("A title", "A text that goes on.", GaussianConfig)


def rows_by_task(results):
    return {(row["n"], row["trial"]): row["mean"] for row in results.rows}


def small_run(**options):
    """Four tasks of a real experiment."""
    landmarks = registry.get("landmarks")
    return runs.run(landmarks, landmarks.Config(trials=2, counts=(10, 20), n=200), **options).rows


def test_neither_order_nor_size_matter():
    results = runs.run(Gaussian(), GaussianConfig(trials=4))
    assert results.complete
    assert len(results.rows) == 8
    larger = rows_by_task(runs.run(Gaussian(), GaussianConfig(trials=6, n=(20, 5, 10))))
    assert rows_by_task(results).items() <= larger.items()


@pytest.mark.slow
def test_neither_threads_nor_processes_nor_a_dask_cluster_matter():
    expected = small_run()
    assert small_run(n_jobs=2) == expected
    with parallel_config(n_jobs=2, backend="threading"):
        assert small_run() == expected
    distributed = pytest.importorskip("distributed")
    with (
        distributed.Client(n_workers=1, threads_per_worker=2, processes=False,
                           dashboard_address=None),
        parallel_config(backend="dask"),
    ):  # fmt: skip
        assert small_run() == expected


@pytest.mark.slow
def test_processes_end_on_a_stop():
    landmarks = registry.get("landmarks")
    with stop_after(1, progress.StopEarly):
        part = runs.run(landmarks, landmarks.Config(trials=50, counts=(100,), n=1000), n_jobs=2)
    assert 1 <= part.done < 50
    assert len(part.rows) == 4 * part.done


def test_progress_and_partial_results():
    reports = []
    with progress.listening(reports.append):
        runs.run(Gaussian(), GaussianConfig(trials=2))
    done = [(report.done, report.total) for report in reports if report.partial is not None]
    assert done == [(k, 4) for k in range(5)]
    assert [len(report.partial.rows) for report in reports if report.partial] == [0, 1, 2, 3, 4]


def stop_after(count, error):
    def stop(report):
        if report.done >= count:
            raise error

    return progress.listening(stop)


def test_stop_early_keeps_what_is_done_and_cancelled_ends(tmp_path):
    with stop_after(3, progress.StopEarly):
        part = runs.run(Gaussian(), GaussianConfig(trials=4), store=tmp_path)
    assert (part.done, part.total, part.complete) == (3, 8, False)
    with stop_after(5, progress.Cancelled), pytest.raises(progress.Cancelled):
        runs.run(Gaussian(), GaussianConfig(trials=4), store=tmp_path)
    assert len(list(tmp_path.iterdir())) == 5


def test_a_run_goes_on_where_it_stopped(tmp_path):
    class Counted(Gaussian):
        ran = 0

        def run(self, config, task, rng):
            Counted.ran += 1
            return super().run(config, task, rng)

    with stop_after(3, progress.StopEarly):
        runs.run(Counted(), GaussianConfig(trials=4), store=tmp_path)
    next(tmp_path.iterdir()).write_bytes(b"PAR1 broken")
    resumed = runs.run(Counted(), GaussianConfig(trials=4), store=tmp_path)
    assert Counted.ran == 3 + 1 + 5  # the broken one is run again
    assert resumed.rows == runs.run(Gaussian(), GaussianConfig(trials=4)).rows
    runs.run(Counted(), GaussianConfig(trials=4, width=0.7), store=tmp_path)
    assert Counted.ran == 9 + 8  # another setting has other tasks


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_results_are_read_back_with_their_configuration(tmp_path, suffix):
    landmarks = registry.get("landmarks")
    config = landmarks.Config(trials=2, counts=(10,), n=200, seed=7)
    results = runs.run(landmarks, config)
    flagged = [
        row | {"smallest": row["error"] < 0.1, "text": "a,b", "ridge": "1e-10"}
        for row in results.rows
    ]
    results = replace(results, rows=tuple(flagged))
    results.write(tmp_path / f"rows{suffix}")
    read = records.read(tmp_path / f"rows{suffix}")
    assert read.rows == results.rows
    assert (read.config, read.done, read.date) == (config, 2, results.date)
    quoted = replace(results, config=registry.get("sweep").Config(values=("it's",)))
    assert "'it'\\''s'" in replace(quoted, experiment="sweep").command()
    assert read.command() == (
        "python -m lapviz.experiments landmarks --size small --trials 2 --seed 7 --set counts=10 "
        "--set n=200 --out landmarks.parquet"
    )


def test_files_without_results_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("n,error\n1,2\n")
    foreign = {"b.csv": "# {}\na\n1\n", "c.csv": "# hello\na\n1\n", "d.csv": "# []\n",
               "e.csv": "", "f.parquet": "n,error\n1,2\n"}  # fmt: skip
    for name, text in foreign.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "g.csv").write_bytes(b"\xff\xfe\x00")
    for name, message in (
        ("a.csv", "does not name its experiment"),
        ("a.xlsx", r"\.csv or a \.parquet"),
        *((name, f"{name} does not name its experiment") for name in (*foreign, "g.csv")),
    ):
        with pytest.raises(ValueError, match=message):
            records.read(tmp_path / name)


@pytest.mark.slow
def test_the_command_line(tmp_path, capsys):
    out = tmp_path / "rows.csv"
    command = ["landmarks", "--trials", "2", "--set", "counts=10, 20", "--set", "n=200"]
    __main__.main([*command, "--out", str(out)])
    assert "| number of landmarks p | uniform |" in capsys.readouterr().out
    assert records.read(out).config.counts == (10, 20)
    assert len(list(out.with_name("rows.csv.parts").iterdir())) == 4
    __main__.main([*command, "--settings"])
    assert "counts=10,20" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "which experiment"),
        (["nothing"], "No experiment is called"),
        (["landmarks", "--set", "n"], "FIELD=VALUE"),
        (
            ["landmarks", "--set", "counts=10,x"],
            "must be a whole number from 5 to 2000, or several joined by commas; got '10,x'",
        ),
        (["landmarks", "--set", "nothing=1"], "no setting 'nothing'"),
        (["sweep", "--set", "data=c"], "one of "),
        (["landmarks", "--trials", "0"], "from 1 to"),
        (["landmarks", "--out", "rows.xlsx"], ".parquet"),
        (["landmarks", "--out", ""], ".parquet"),
        (["landmarks", "--size", "huge"], "invalid choice"),
        (["sweep", "--set", "parameter=alpha"], "has no parameter"),
        (["landmarks", "--jobs", "0"], "--jobs is a number of processes"),
    ],
)
def test_a_wrong_command_is_refused(arguments, message, capsys):
    with pytest.raises(SystemExit):
        __main__.main(arguments)
    assert message in capsys.readouterr().err


def test_a_folder_is_refused_before_the_run(tmp_path, capsys):
    (tmp_path / "rows.csv").mkdir()
    with pytest.raises(SystemExit):
        __main__.main(["landmarks", "--out", str(tmp_path / "rows.csv")])
    printed = capsys.readouterr()
    assert (printed.out, "is a folder" in printed.err) == ("", True)


def with_run(rows):
    return type("Made", (Gaussian,), {"run": lambda self, config, task, rng: rows})()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: runs.run(Gaussian, GaussianConfig()), r"is the class Gaussian: .*, Gaussian\(\)"),
        (lambda: runs.run(Gaussian(), GaussianConfig), r"Gaussian\.Config\(…\); got the class"),
        (lambda: runs.run(Gaussian(), registry.configuration("C", {})()), "; got C"),
        (lambda: runs.run(Gaussian(), type("G", (Gaussian,), {"settings": {}, "grid": {},
                                                             "paper": {}, "__qualname__": "Gaussian"
                                                             }).Config()), "an older definition"),
        (lambda: runs.run(with_run(None), GaussianConfig()), "list of rows, each a dict.*got None"),
        (lambda: runs.run(with_run({"a": 1}), GaussianConfig()), "each a dict.*got {'a': 1}"),
        (lambda: runs.run(type("Nameless", (Experiment,), {"run": Gaussian.run})(),
                          registry.Config()), "Nameless needs a name"),
        (lambda: type("Wrong", (Gaussian,), {"grid": {"n": "m"}}),
         "'n' takes its values from the setting 'm', which .*: trials, seed, n, width"),
        (lambda: type("Wrong", (Gaussian,), {"grid": {"w": "width"}})().tasks(GaussianConfig()),
         r"'w' of the grid needs several values, got 0\.5"),
        (lambda: Task({"n": 1})["m"], "no factor 'm'; the grid's factors are: n"),
    ],
)  # fmt: skip
def test_a_wrong_experiment_gets_a_clear_message(call, sentence):
    with pytest.raises((ValueError, KeyError), match=sentence):
        call()


def test_a_drawing_of_a_column_that_no_row_has_warns_and_keeps_the_rows():
    made = type("Made", (Gaussian,), {"drawings": (Drawing("n", "meen"),)})()
    with pytest.warns(
        UserWarning, match="No row of gaussian has the column 'meen'.*n, trial, mean"
    ):
        assert runs.run(made, GaussianConfig()).complete


def test_points_are_means_with_standard_errors():
    values = {("a", 1): (1.0, 2.0, 4.0), ("a", 2): (3.0,), ("b", 1): (5.0, 7.0)}
    rows = [{"m": m, "x": x, "y": y} for (m, x), ys in values.items() for y in ys]
    rows += [{"m": "a", "x": 1, "y": float("nan")}, {"m": "a", "x": 1}]
    first, second, third = points(rows, Drawing("x", "y", colour="m"))
    error = np.std((1, 2, 4), ddof=1) / np.sqrt(3)
    assert (first.y, first.n) == (pytest.approx(7 / 3), 3)
    assert (first.low, first.high) == pytest.approx((7 / 3 - error, 7 / 3 + error))
    assert (second.x, second.n) == (2, 1)
    assert np.isnan(second.low)
    assert (third.colour, third.y) == ("b", 6)
    best = points(rows, Drawing("m", "y", best_over=("x",), best="most"))
    assert [(p.x, p.y, p.chosen["x"]) for p in best] == [("a", 3.0, 2), ("b", 6.0, 1)]
    middle = points(rows, Drawing("x", "y", colour="m", summary="median"))[0]
    assert (middle.y, middle.low, middle.high) == (2.0, 1.5, 3.0)
