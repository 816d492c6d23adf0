"""Workflows, forms, citation and documents, which contributors rely on, agree with the project."""

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
    """(job, command, folder) of every step of the workflows."""
    for path in WORKFLOWS:
        for name, job in load(path)["jobs"].items():
            for step in job["steps"]:
                if "run" in step:
                    yield f"{path.name}: {name}", step["run"], step.get("working-directory", ".")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_least_privileges_and_pinned_versions(path):
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


def test_the_workflow_has_every_job():
    """Lint, types, fast tests on every version and the oldest, browser, docs, and the packages."""
    jobs = load(ROOT / ".github/workflows/ci.yml")["jobs"]
    assert set(jobs) == set(JOBS)
    versions = [c.rpartition(" ")[2] for c in PYPROJECT["project"]["classifiers"] if " 3." in c or
                ":: 3." in c]  # fmt: skip
    assert jobs["fast"]["strategy"]["matrix"]["python"] == versions
    assert PYPROJECT["project"]["requires-python"] == f">={versions[0]}"
    assert "-W" in str(jobs["docs"]["steps"])


def test_commands_name_files_and_extras_that_exist():
    programs = set()
    for job, text, folder in commands():
        for command in filter(None, re.split(r"\n|&&", text)):
            arguments = shlex.split(command, comments=True)
            programs.add(arguments[0])
            directory = ROOT / folder
            assert directory.is_dir(), job
            if arguments[0].startswith(".ci/"):
                script = ROOT / arguments[0]
                assert script.stat().st_mode & 0o111, f"{job}: {script.name} cannot run"
            for argument in arguments[1:]:
                if extras := re.fullmatch(r"\.\[(.+)\]", argument):
                    assert set(extras[1].split(",")) <= set(EXTRAS), job
                elif argument.startswith(("tests/", "constraints/")):
                    assert (directory / argument).exists(), f"{job}: {argument}"
    assert {"pip", "python", "ruff", ".ci/base", ".ci/wheel"} <= programs


def test_the_tests_that_a_workflow_leaves_out_are_run_by_another():
    runs = [text for _, text, _ in commands() if "-m pytest" in text]
    marks = {mark[1] for text in runs if (mark := re.search(r'-m "([^"]+)"', text))}
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
def test_linked_files_exist(name):
    text = (ROOT / name).read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert "://" in target or (ROOT / target).exists(), target
    for path in re.findall(r"`((?:lapviz|tests|\.ci|constraints)/[\w./-]*)", text):
        assert (ROOT / path).exists(), path


def test_the_first_two_commands_of_the_readme():
    """.ci/run repeats the second; hosts install the contents of requirements.txt."""
    text = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"^pip install .*$", text, re.MULTILINE)
    assert commands[0] == 'pip install -e ".[explorer]" && streamlit run app.py'
    assert [c for c in commands if "pytest" in c] == [
        'pip install -e ".[test]" && python -m pytest -n auto'
    ]
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == [".[explorer]"]


def test_the_oldest_versions_are_the_lower_bounds():
    """CI tests the versions that the project promises."""
    lines = (ROOT / "constraints/oldest.txt").read_text("utf-8").splitlines()
    tested = {r.name: r.specifier for r in map(Requirement, filter(lambda s: s[0] != "#", lines))}
    extras = [r for e in ("explorer", "plot", "tables", "dask") for r in EXTRAS[e]]
    promised = map(Requirement, [*PYPROJECT["project"]["dependencies"], *extras])
    for requirement in promised:
        if requirement.name != PYPROJECT["project"]["name"]:
            bound, *upper = sorted(requirement.specifier, key=lambda s: s.operator, reverse=True)
            assert bound.operator == ">="
            # only Streamlit's private names are used
            assert bool(upper) == (requirement.name == "streamlit")
            assert tested[requirement.name].contains(bound.version), requirement
            (pin,) = tested[requirement.name]
            oldest = Version(pin.version.removesuffix(".*"))
            assert oldest.release[0] == Version(bound.version).release[0], requirement


def test_no_path_of_a_machine_and_no_registry_is_named():
    texts = [*YAML, *SHELLS, *(ROOT / name for name in DOCUMENTS), ROOT / "pyproject.toml"]
    for path in texts:
        text = path.read_text("utf-8")
        assert not re.search(r"/(?:home|root|work|Users)/|pypi\.org|pythonhosted", text), path


def test_every_file_that_the_package_or_a_type_checker_reads_is_shipped():
    """All files beside the modules except the sources of the browser's bundle."""
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
