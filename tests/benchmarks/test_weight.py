"""What counts as a line of code, and as a function entered."""

import pytest

from benchmarks import weight

PYTHON = '''"""A docstring
of two lines."""

# a comment
def f(x):
    """Another."""
    return x  # code


TEXT = """
no docstring"""
'''


def test_lines_are_without_docstrings_comments_and_blanks():
    assert weight.count_code(PYTHON) == 4
    assert weight.count_script("// no\n/* no\n * no */\n\nlet x = 1; // yes\n") == 1


@pytest.mark.slow
def test_functions_are_ours_and_counted_once():
    from lapviz import metrics
    from lapviz.datasets import load

    with weight.entered() as functions:
        for _ in range(2):
            load("blobs", n_samples=9, random_state=0)
    names = [name for _, name in functions]
    assert len(names) == len(set(functions)) > 3
    assert "load" in names
    assert not [file for file, _ in functions if file == metrics.__file__ or "sklearn" in file]


@pytest.mark.slow
def test_a_message_of_the_stage_reaches_the_page():
    lam = weight.entered_by_message("lam", 3.0, 1.0)
    assert {"show", "LiveStage.draw"} <= {name for _, name in lam}
