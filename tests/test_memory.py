"""Memory that may be used: the machine's, or less if a container sets a limit."""

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
    (group / "memory" / "memory.limit_in_bytes").write_text(f"{8 << 20}\n")
    (group / "memory" / "memory.usage_in_bytes").write_text(f"{7 << 20}\n")
    assert memory.memory_limit() == 6 << 20
    assert memory.available_memory() == 1 << 20
