"""Progress and cancelling by one protocol."""

import threading

import numpy as np
import pytest

from lapviz import forms, kernels, progress, spaces


def test_tracking_reports_every_item_and_its_share():
    heard = []
    with progress.listening(heard.append):
        assert list(progress.track("abc", "letters")) == ["a", "b", "c"]
    assert [(r.what, r.done, r.total) for r in heard] == [("letters", k, 3) for k in range(4)]
    assert [r.share for r in heard] == [0, 1 / 3, 2 / 3, 1]


def test_an_unknown_total_has_no_share():
    heard = []
    with progress.listening(heard.append):
        list(progress.track(iter("ab"), "letters"))
    assert {r.share for r in heard} == {None}


def test_nobody_listens_after_the_block_nor_in_another_thread():
    heard = []
    with progress.listening(heard.append):
        thread = threading.Thread(target=progress.report, args=("elsewhere", 1, 1))
        thread.start()
        thread.join()
    progress.report("later", 1, 1)
    assert heard == []


def test_an_assembly_reports_all_rows_and_can_be_ended_between_blocks():
    X = np.random.default_rng(0).normal(size=(100, 2))
    space = spaces.KernelSpace(kernels.get("gaussian", 1.0), X[:5], constant=True)
    heard = []
    with progress.listening(heard.append):
        whole = forms.assemble(space, X, block=30)
    assert [r.done for r in heard] == [30, 60, 90, 100]
    assert heard[-1].share == 1
    np.testing.assert_array_equal(whole.mass, forms.assemble(space, X, block=30).mass)

    def end(report):
        heard.append(report)
        raise progress.Cancelled

    heard.clear()
    with pytest.raises(progress.Cancelled), progress.listening(end):
        forms.assemble(space, X, block=30)
    assert len(heard) == 1


def test_steps_inside_a_longer_work_do_not_move_its_bar():
    heard = []
    with progress.listening(heard.append), progress.inside("all", 2) as tell:
        for k in range(2):
            tell(k, partial=k or None)
            for _ in progress.track(range(3), "a step"):
                pass
    assert [r.done for r in heard] == sorted(r.done for r in heard)
    assert {r.what for r in heard} == {"all"}
    assert [r.partial for r in heard if r.partial] == [1]


def test_a_step_inside_a_longer_work_can_end_it():
    def stop(report):
        if report.done == 1:
            raise progress.Cancelled

    seen = []

    def work():
        with progress.listening(stop), progress.inside("all", 3) as tell:
            for k in range(3):
                tell(k)
                seen.append(k)

    with pytest.raises(progress.Cancelled):
        work()
    assert seen == [0]
    with progress.inside("all", 3) as tell:
        tell(1)  # without a listener it costs nothing
