"""Progress reports and cancellation."""

import io
import re
import threading
from itertools import pairwise

import numpy as np
import pytest

import lapviz
from lapviz import forms, kernels, progress, spaces


def cancel(report):
    raise progress.Cancelled


def test_tracking_reports_every_item_and_its_share():
    reports = []
    with progress.listening(reports.append):
        assert list(progress.track("abc", "letters")) == ["a", "b", "c"]
    assert [(r.what, r.done, r.total) for r in reports] == [("letters", k, 3) for k in range(4)]
    assert [r.share for r in reports] == [0, 1 / 3, 2 / 3, 1]


def test_nobody_listens_after_the_block_nor_in_another_thread():
    reports = []
    with progress.listening(reports.append):
        thread = threading.Thread(target=progress.report, args=("elsewhere", 1, 1))
        thread.start()
        thread.join()
    progress.report("later", 1, 1)
    assert reports == []


def test_an_assembly_reports_all_rows_and_can_be_ended_between_blocks():
    X = np.random.default_rng(0).normal(size=(100, 2))
    space = spaces.KernelSpace(kernels.get("gaussian", 1.0), X[:5], constant=True)
    reports = []
    with progress.listening(reports.append):
        assembled = forms.assemble(space, X, block=30)
    assert [r.done for r in reports] == [30, 60, 90, 100]
    assert reports[-1].share == 1
    np.testing.assert_array_equal(assembled.mass, forms.assemble(space, X, block=30).mass)

    left = iter(reports)  # it is cancelled at the first
    with pytest.raises(progress.Cancelled), progress.listening(lambda r: cancel(next(left))):
        forms.assemble(space, X, block=30)
    assert len([*left]) == 3


def test_steps_inside_a_longer_task_do_not_move_its_bar():
    reports = []
    with progress.listening(reports.append), progress.inside("all", 2) as report_progress:
        for k in range(2):
            report_progress(k, partial=k or None)
            for _ in progress.track(range(3), "a step"):
                pass
    assert [r.done for r in reports] == sorted(r.done for r in reports)
    assert {r.what for r in reports} == {"all"}
    assert [r.partial for r in reports if r.partial] == [1]


def test_a_step_inside_a_longer_task_can_end_it():
    def stop(report):
        if report.done == 1:
            raise progress.Cancelled

    steps = []

    def work():
        with progress.inside("all", 3) as report_progress:
            for k in range(3):
                report_progress(k)
                steps.append(k)

    with progress.listening(stop), pytest.raises(progress.Cancelled):
        work()
    assert steps == [0]
    work()  # without a listener it costs nothing
    assert steps == [0, 0, 1, 2]


def loud(n=3):
    for done in range(n + 1):
        progress.report("a long work", done, n)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_lines_in_a_file_are_few_and_complete():
    log = io.StringIO()
    with progress.bar(log, plain=True):
        for done in range(1001):
            progress.report("steps", done, 1000)
    assert log.getvalue() == "0 of 1000 steps, 0 s\n1000 of 1000 steps, 0 s, about 0 s left\n"


def test_a_line_of_text_shows_amounts_and_is_ended():
    screen = Terminal()
    with progress.bar(screen, plain=True):
        loud()
    assert re.fullmatch(r"\r0 of 3 a long work, 0 s.*\r3 of 3 a long work.*\n", screen.getvalue())
    screen = Terminal()
    with progress.bar(screen, plain=True):
        pass
    assert screen.getvalue() == ""  # without reports nothing is shown


def test_tqdm_shows_each_kind_of_work(monkeypatch):
    pytest.importorskip("tqdm", reason="tqdm is in the extra 'test'")
    monkeypatch.setattr(progress, "LONG", -1.0)
    screen = io.StringIO()
    with progress.bar(screen):
        loud()
        progress.report("another", 1, 4)
    assert re.search(r"(?s)a long work: 100%.*3/3.*another: ", screen.getvalue())


def test_a_step_ends_an_outermost_task_with_its_result_so_far():
    def end(report):
        if report.done == 2:
            raise progress.StopEarly

    def work():
        for done in range(1, 6):
            if progress.step("steps", done, 5):
                break
        return done

    with progress.listening(end):
        assert work() == 2
    assert work() == 5
    stopped = pytest.raises(progress.StopEarly)
    with stopped, progress.listening(end), progress.inside("all", 9) as report_progress:
        report_progress(2)  # the longer task decides what is kept


def test_a_step_calls_the_callers_function_too():
    reports, calls = [], []
    with progress.listening(reports.append):
        assert progress.step("steps", 1, 2, "partial", calls.append) is False
        assert progress.step("steps", 2, 2, "all", lambda steps: True) is True
    assert calls == ["partial"]
    assert [r.done for r in reports] == [1, 2]


def iterative():
    """A small example of every computation with steps."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y, classes = X[:, 0], np.where(np.arange(40) < 8, np.arange(40) % 2, -1)
    sets = np.eye(2, dtype=bool)[np.arange(40) % 2] | (rng.random((40, 2)) < 0.5)
    model = lapviz.LaplacianClassifier(operator="laplacian", random_state=0)
    W = rng.normal(size=(5, 40))
    codes = np.array([[-1.0], [1.0]])
    return {
        "conjugate gradients": lambda: lapviz.KernelCGRegressor(random_state=0).fit(X, y),
        "candidate classes": lambda: lapviz.PartialLabelClassifier(random_state=0).fit(X, sets),
        "labels": lambda: lapviz.active.query(W, lambda row: row % 2, codes, 1.0, 3, rows=(0, 1)),
        "parameters": lambda: lapviz.select_parameters(model, X, classes, lam=[0.1, 1.0]),
        "assembly": lambda: lapviz.GalerkinEmbedding(random_state=0).fit(X),
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("what", list(iterative()))
def test_every_long_computation_reports_and_can_be_cancelled(what):
    work, reports = iterative()[what], []
    with progress.listening(reports.append):
        work()
    matching = [r for r in reports if r.what.startswith(what)]
    assert matching
    assert all(a.done <= b.done for a, b in pairwise(matching) if a.what == b.what == "parameters")
    with pytest.raises(progress.Cancelled), progress.listening(cancel):
        work()
