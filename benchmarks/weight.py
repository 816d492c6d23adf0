"""Size of the code: its lines, and the functions that a fit, a new λ and a label click call.

    python -m benchmarks.weight
    python -m benchmarks.weight --list

Lines of code exclude docstrings, comments and blanks. Functions are this project's own, each
counted once, with the number of their files (``--list`` prints them). Those of the explorer are
called when the Labels page receives a message from its stage: a repeated one, for which all numbers
are cached, or a new λ. Like a browser's, the message names the stage's fragment.
"""

from __future__ import annotations

import ast
import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "lapviz"
STAGE = "lapviz_stage"
NOT_OURS = {"node_modules", "vendor"}

Functions = set[tuple[str, str]]  # file and qualified name


def count_code(text: str) -> int:
    """Number of lines of Python code."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", 0), str):
                docstrings |= set(range(first.lineno, first.end_lineno + 1))
    numbered = enumerate(text.splitlines(), 1)
    return sum(1 for i, line in numbered if i not in docstrings and line.split("#")[0].strip())


def count_script(text: str) -> int:
    """Number of lines of JavaScript code."""
    lines = map(str.strip, text.splitlines())
    return sum(1 for line in lines if line and not line.startswith(("//", "*", "/*")))


def count_folder(folder: Path, suffix: str, count: Callable[[str], int]) -> tuple[int, int]:
    """Number of lines and files of our own in a folder."""
    files = [p for p in folder.rglob(f"*{suffix}") if not NOT_OURS & set(p.parts)]
    return sum(count(p.read_text("utf-8")) for p in files), len(files)


@contextmanager
def entered() -> Iterator[Functions]:
    """Functions of the package that are called in the block, also in threads started there."""
    functions: Functions = set()
    package = str(PACKAGE)

    def record(frame, event, _):
        code = frame.f_code
        anonymous = code.co_name[0] == "<"  # a comprehension, lambda or module
        if event == "call" and code.co_filename.startswith(package) and not anonymous:
            functions.add((code.co_filename, code.co_qualname))

    threading.setprofile(record)
    sys.setprofile(record)
    try:
        yield functions
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def entered_by_fit() -> Functions:
    """Functions that ``LaplacianClassifier().fit(X, y)`` calls."""
    from lapviz import LaplacianClassifier, datasets

    data = datasets.load("blobs", n_samples=300, random_state=0)
    y = data.semi_supervised_target()
    with entered() as functions:
        LaplacianClassifier(random_state=0).fit(data.X, y)
    return functions


def _labels_page() -> None:
    from lapviz.explorer.pages.labels import page

    page.page()


def entered_by_message(name: str, value: object, other: object, known: bool = True) -> Functions:
    """Functions that the Labels page calls when its stage sends ``value`` after ``other``.

    Parameters
    ----------
    name : str
    value, other : object
    known : bool
        Whether the stage has sent the value before.
    """
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_function(_labels_page, default_timeout=120)
    app.query_params["story"] = "circles"
    app.run()
    for rev, sent in enumerate((value, other, value) if known else (other, value), 1):
        stage, header = _stage(app.run())
        while not (answer := header["answer"]):  # it is still being computed
            stage, header = _stage(app.run())
        state = {"rev": rev, "changes": {name: sent}, "view_key": answer["view_key"]}
        states = app._tree.get_widget_states()
        states.widgets.add(id=stage.id, json_value=json.dumps({"state": state}))
        functions: Functions = set()
        while not (header["answer"] and header["rev"] == rev):
            with entered() as called, _stage_fragment_only(app):
                app._run(states)
            functions |= called
            _, header = _stage(app)
    return functions


@contextmanager
def _stage_fragment_only(app) -> Iterator[None]:
    """Make AppTest rerun only the stage's fragment, as after a message from the stage."""
    from streamlit.testing.v1 import local_script_runner

    fragment = app._fragment_storage.resolve_target("stage")[0]
    rerun_data = local_script_runner.RerunData
    local_script_runner.RerunData = partial(rerun_data, fragment_id=fragment)
    try:
        yield
    finally:
        local_script_runner.RerunData = rerun_data


def _stage(app):
    """The stage's message in a page run by AppTest, and its header."""
    from lapviz.explorer.host.check import header_of

    if app.exception:
        raise RuntimeError(app.exception[0].message)
    protos = (element.proto for element in app.get("bidi_component"))
    stage = next(proto for proto in protos if proto.component_name == STAGE)
    return stage, header_of(stage.bytes)


def by_file(functions: Functions) -> dict[str, list[str]]:
    """Names of the functions by file."""
    files: dict[str, list[str]] = {}
    for file, name in sorted(functions):
        files.setdefault(str(Path(file).relative_to(ROOT)), []).append(name)
    return files


def main(listed: bool = False) -> None:
    """Print the tables, and with ``listed`` the functions in the second one."""
    logging.disable(logging.WARNING)  # Streamlit warns that there is no browser
    rows = (
        ("Python in lapviz/", *count_folder(PACKAGE, ".py", count_code)),
        ("of it explorer/", *count_folder(PACKAGE / "explorer", ".py", count_code)),
        (
            "JavaScript of our own",
            *count_folder(PACKAGE / "explorer/stage/js", ".js", count_script),
        ),
        ("tests", *count_folder(ROOT / "tests", ".py", count_code)),
    )
    print(f"{'lines of code':36}{'lines':>9}{'files':>8}")
    for name, lines, files in rows:
        print(f"{name:36}{lines:9,}{files:8}")
    print(f"\n{'entered':36}{'functions':>9}{'files':>8}")
    labels = [[0.0, 0.0, row, row % 2] for row in (0, 1, 2, 3, 50)]  # place, row, class
    for name, functions in (
        ("LaplacianClassifier().fit(X, y)", entered_by_fit()),
        ("a change of λ on Labels", entered_by_message("lam", 3.0, 2.0)),
        ("a λ that is new", entered_by_message("lam", 7.0, 5.0, known=False)),
        ("a click of a label", entered_by_message("labels", labels, labels[:4])),
    ):
        files = by_file(functions)
        print(f"{name:36}{len(functions):9}{len(files):8}")
        if listed:
            for file, names in files.items():
                print(f"    {file}: {', '.join(names)}")


if __name__ == "__main__":
    main("--list" in sys.argv)
