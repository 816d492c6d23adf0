"""What a contributor relies on: workflows, forms, citation and documents agree with the project."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

yaml = pytest.importorskip("yaml", reason='install the extra: pip install -e ".[test]"')

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
YAML = sorted(
    [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml", ROOT / "CITATION.cff"]
)
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DOCUMENTS = ("CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "README.md")
SHELLS = sorted(path for path in (ROOT / ".ci").iterdir() if not path.suffix)


def load(path):
    return yaml.safe_load(path.read_text("utf-8"))


def commands():
    """(where, command) of every step of the workflows, and of the scripts in .ci."""
    for path in WORKFLOWS:
        for name, job in load(path)["jobs"].items():
            for step in job["steps"]:
                if "run" in step:
                    yield f"{path.name}: {name}", step["run"], step.get("working-directory", ".")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_least_rights_and_named_versions(path):
    workflow = load(path)
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert "permissions" not in job, name
        assert job["timeout-minutes"] <= 60, name
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]), step
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
    assert "secrets." not in path.read_text("utf-8")


JOBS = ("lint", "types", "fast", "base", "oldest", "browser", "long", "docs", "wheel")


def test_workflows_do_all_that_they_should():
    """Lint, types, fast tests on every version, the oldest, browser, docs, and the packages."""
    jobs = load(ROOT / ".github/workflows/ci.yml")["jobs"]
    assert set(jobs) == set(JOBS)
    known = [c.rpartition(" ")[2] for c in PYPROJECT["project"]["classifiers"] if " 3." in c or
             ":: 3." in c]  # fmt: skip
    assert jobs["fast"]["strategy"]["matrix"]["python"] == known
    assert PYPROJECT["project"]["requires-python"] == f">={known[0]}"
    assert "-W" in str(jobs["docs"]["steps"])


def test_commands_name_files_and_extras_that_exist():
    seen = set()
    for where, text, folder in commands():
        for command in filter(None, re.split(r"\n|&&", text)):
            words = shlex.split(command, comments=True)
            seen.add(words[0])
            here = ROOT / folder
            assert here.is_dir(), where
            if words[0].startswith(".ci/"):
                assert (ROOT / words[0]).stat().st_mode & 0o111, f"{where}: {words[0]} cannot run"
            for word in words[1:]:
                if inner := re.fullmatch(r"\.\[(.+)\]", word):
                    assert set(inner[1].split(",")) <= set(EXTRAS), where
                elif word.startswith(("tests/", "constraints/")):
                    assert (here / word).exists(), f"{where}: {word}"
    assert {"pip", "python", "ruff", ".ci/base", ".ci/wheel"} <= seen


def test_the_tests_that_a_workflow_leaves_out_are_run_by_another():
    asked = [text for _, text, _ in commands() if "-m pytest" in text]
    marks = {mark[1] for text in asked if (mark := re.search(r'-m "([^"]+)"', text))}
    assert {"not slow and not browser", "slow or browser", "long and not browser"} <= marks


def test_the_citation_is_of_this_version_and_names_the_four_papers():
    citation, project = load(ROOT / "CITATION.cff"), PYPROJECT["project"]
    assert citation["cff-version"] == "1.2.0"
    for key in ("version", "license", "authors"):
        assert citation[key] == project[key]
    notes = (ROOT / "lapviz/explorer/pages/notes/text/14-references.md").read_text("utf-8")
    papers = re.findall(r"### [A-Z0-9]+\n\n(.+?) \((\d{4})\)\.\n\*(.+?)\.\*", notes)
    assert len(papers) == 4
    for paper, (authors, year, title) in zip(citation["references"], papers, strict=True):
        names = [f"{a['given-names']} {a['family-names']}" for a in paper["authors"]]
        assert names == re.split(", | and ", authors)
        assert (str(paper["year"]), paper["title"].lower()) == (year, title.lower())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_documents_link_to_is_there(name):
    text = (ROOT / name).read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert "://" in target or (ROOT / target).exists(), target
    for place in re.findall(r"`((?:lapviz|tests|\.ci|constraints)/[\w./-]*)", text):
        assert (ROOT / place).exists(), place


def test_the_first_two_commands_of_the_readme():
    """.ci/run copies the second; hosts install what requirements.txt says."""
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.findall(r"^pip install .*$", text, re.MULTILINE)
    assert found[0] == 'pip install -e ".[explorer]" && streamlit run app.py'
    assert [c for c in found if "pytest" in c] == [
        'pip install -e ".[test]" && python -m pytest -n auto'
    ]
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == [".[explorer]"]


def test_the_oldest_versions_are_the_lower_bounds():
    """What CI tries is what the project promises."""
    lines = (ROOT / "constraints/oldest.txt").read_text("utf-8").splitlines()
    tried = {r.name: r.specifier for r in map(Requirement, filter(lambda s: s[0] != "#", lines))}
    extras = [r for e in ("explorer", "plot", "tables", "dask") for r in EXTRAS[e]]
    promised = map(Requirement, [*PYPROJECT["project"]["dependencies"], *extras])
    for requirement in promised:
        if requirement.name != PYPROJECT["project"]["name"]:
            bound, *upper = sorted(requirement.specifier, key=lambda s: s.operator, reverse=True)
            assert bound.operator == ">="
            assert bool(upper) == (requirement.name == "streamlit"), "whose private names are used"
            assert tried[requirement.name].contains(bound.version), requirement
            (pin,) = tried[requirement.name]
            oldest = Version(pin.version.removesuffix(".*"))
            assert oldest.release[0] == Version(bound.version).release[0], requirement


def test_no_path_of_a_machine_and_no_registry_is_named():
    texts = [*YAML, *SHELLS, *(ROOT / name for name in DOCUMENTS), ROOT / "pyproject.toml"]
    for path in texts:
        text = path.read_text("utf-8")
        assert not re.search(r"/(?:home|root|work|Users)/|pypi\.org|pythonhosted", text), path


def test_every_file_that_the_package_or_a_type_checker_reads_is_shipped():
    """What stands beside the modules, but for the sources of the browser's bundle."""
    package = ROOT / "lapviz"
    kinds = {".toml", ".md", ".json", ".css", ".html", ".npz", ".png", ".csv", ".gz", ".parquet"}
    patterns = PYPROJECT["tool"]["setuptools"]["package-data"]
    shipped = {
        path
        for name, ends in patterns.items()
        for end in ends
        for path in ROOT.joinpath(*name.split(".")).glob(end)
    }
    read = {path for path in package.rglob("*") if path.suffix in kinds} | {package / "py.typed"}
    sources = package / "explorer" / "stage"
    assert len(read) > 40
    assert (package / "py.typed").is_file()
    assert PYPROJECT["tool"]["pyright"]["typeCheckingMode"] == "basic"
    assert {path for path in read - shipped if not path.is_relative_to(sources)} == set()
