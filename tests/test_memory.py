"""Memory that may be used: the machine's, or less if a container sets a limit."""

import sys

import numpy as np
import pytest

from lapviz import memory


@pytest.fixture
def group(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    return tmp_path


def test_without_a_container_the_limit_is_the_machines(group):
    (group / "memory.max").write_text("max\n")
    assert memory.memory_limit() == 3 * memory._physical() // 4
    assert 0 < memory.available_memory() <= memory.memory_limit()


def test_a_containers_usage_counts_against_its_limit(group):
    (group / "memory.max").write_text(f"{4 << 20}\n")
    assert memory.memory_limit() == 3 << 20
    (group / "memory.current").write_text(f"{2 << 20}\n")
    assert memory.available_memory() == 2 << 20
    (group / "memory.stat").write_text(f"anon 5\ninactive_file {1 << 19}\n")  # reclaimable
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
        # Sequential arrays, each above what glibc ever keeps (32 MB): a peak of 64 MB
        return np.ones(8_000_000).sum() + np.ones(6_000_000).sum()

    assert 63e6 < memory.peak_increase(large)[1] < 80e6
    heap = [np.ones(1000) for _ in range(4000)]  # freed before the next call
    del heap
    arrays, increase = memory.peak_increase(lambda: [np.ones(1000) for _ in range(2000)])
    assert len(arrays) == 2000
    assert 15e6 < increase < 25e6
    assert memory.peak_increase(lambda: None)[1] < 3e6


def test_without_a_known_peak_the_result_is_returned(monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(memory.Path, "write_text", refuse)
    assert memory.peak_increase(lambda: 3) == (3, None)
