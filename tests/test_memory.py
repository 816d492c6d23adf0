"""Memory that may be used: the machine's, or less if a container sets a limit."""

import sys

import numpy as np
import pytest

from lapviz import memory


@pytest.fixture
def group(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    return tmp_path


def test_without_a_container_it_is_the_machines(group):
    (group / "memory.max").write_text("max\n")
    assert memory.memory_limit() == 3 * memory._physical() // 4
    assert 0 < memory.available_memory() <= memory.memory_limit()


def test_a_container_has_its_limit_less_what_is_used(group):
    (group / "memory.max").write_text(f"{4 << 20}\n")
    assert memory.memory_limit() == 3 << 20
    (group / "memory.current").write_text(f"{2 << 20}\n")
    assert memory.available_memory() == 2 << 20
    (group / "memory.stat").write_text(f"anon 5\ninactive_file {1 << 19}\n")  # can be given up
    assert memory.available_memory() == (2 << 20) + (1 << 19)
    (group / "memory.current").write_text(f"{9 << 20}\n")
    assert memory.available_memory() == 0


def test_the_first_version_of_control_groups(group):
    (group / "memory").mkdir()
    (group / "memory/memory.limit_in_bytes").write_text(f"{8 << 20}\n")
    (group / "memory/memory.usage_in_bytes").write_text(f"{7 << 20}\n")
    assert (memory.memory_limit(), memory.available_memory()) == (6 << 20, 1 << 20)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks are forgotten on Linux")
def test_the_peak_of_a_call_is_its_own():
    def large():
        # One after the other, each above what glibc ever keeps for itself (32 MB): 64 MB
        return np.ones(8_000_000).sum() + np.ones(6_000_000).sum()

    assert 63e6 < memory.grown(large)[1] < 80e6
    many = [np.ones(1000) for _ in range(4000)]  # from the heap, and free when it is called again
    del many
    answer, more = memory.grown(lambda: [np.ones(1000) for _ in range(2000)])
    assert len(answer) == 2000
    assert 15e6 < more < 25e6
    assert memory.grown(lambda: None)[1] < 3e6


def test_where_no_peak_is_known_there_is_an_answer(monkeypatch):
    def refused(*_):
        raise PermissionError

    monkeypatch.setattr(memory.Path, "write_text", refused)
    assert memory.grown(lambda: 3) == (3, None)
