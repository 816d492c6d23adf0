"""Random states: page, link in a fresh browser, and *Copy as Python* give the same numbers."""

from __future__ import annotations

import contextlib
import io
import random
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from explorer_page import Explorer

ROOT = Path(__file__).parents[2]
SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 20))]
LABELS = {
    "data": ("half_moons", "four_circles", "blobs", "iris", "wine", "penguins", "two_gaussians"),
    "n": ("150", "240"), "p": ("30", "60"), "seed": ("0", "3"), "noise": ("0.05", "0.2"),
    "per_class": ("1", "2", "5"), "kernel": ("gaussian", "matern32", "exponential"),
    "sigma": ("0.3", "0.9", "auto"), "lam": ("0.001", "0.3", "20", "auto"),
    "mu": ("0.001", "0", "auto"), "term": ("labelled", "all", "poisson"),
    "filter": ("tikhonov", "heat", "landweber"), "balance": ("scale", "shift", "none"),
    "operator": ("laplacian", "tangent", "graph", "auto"), "intercept": ("0", "1"),
    "method": ("harmonic", "spreading"), "graph": ("knn", "dense"),
}  # fmt: skip
EIGEN = {
    "data": ("half_moons", "square", "gaussian", "torus", "sphere", "swiss_roll", "cells"),
    **{key: LABELS[key] for key in ("n", "p", "seed", "noise", "kernel", "sigma")},
    "mu": ("0.001", "auto"), "operator": ("laplacian", "tangent", "graph"),
}  # fmt: skip
STOP = {
    "story": ("stop",), "n": ("60", "120"), "seed": ("0", "5"), "noise": ("0.2", "0.5"),
    "sigma": ("0.2", "0.4"), "tau": ("0.01", "0.5"), "known": ("all", "30"),
}  # fmt: skip
EXACT = {"story": ("exact",), **{k: STOP[k] for k in ("n", "seed", "noise", "sigma")},
         "p": ("4", "12"), "lam": ("0.0001", "0.01")}  # fmt: skip
SLOPES = {"story": ("slopes",), "sigma": ("0.1", "0.2"), "weight": ("0.2", "1")}
PAGES = (("labels", LABELS), ("eigenfunctions", EIGEN), ("regression", STOP), ("labels", LABELS),
         ("regression", EXACT), ("regression", SLOPES))  # fmt: skip
TYPED = {"Width σ": "0.27", "Test functions p": "47"}  # a last act by hand


def shown(here: Explorer) -> dict[str, list]:
    """Tables without times and matrices' sizes, and what stands above each panel."""
    cells = here.page.evaluate(
        """() => [...document.querySelectorAll('table')].map((t) => {
          const heads = [...t.querySelectorAll('th')].map((h) => h.innerText);
          const drop = (_, i) => !/time/i.test(heads[i] ?? '');
          return [...t.querySelectorAll('tbody tr')].map((r) =>
            [...r.cells].map((c) => c.innerText).filter(drop)); })"""
    )
    heads = here.page.locator(".panel > .head").all_inner_texts()
    return {"tables": cells, "heads": [" ".join(h.split("\n")[:2]) for h in heads]}


def printed(here: Explorer) -> tuple[list[str], dict]:
    """What the page's script prints, and its names."""
    here.unfold("Copy as Python")
    code = here.page.get_by_test_id("stExpander").filter(has_text="Copy as Python")
    source, names, out = code.get_by_test_id("stCode").inner_text(), {}, io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, "script", "exec"), names)
    return out.getvalue().splitlines(), names


def check_script(here: Explorer, place: str) -> int:
    """Hold every number that the script prints against the page; how many they were."""
    lines, names = printed(here)
    there = shown(here)
    if place == "eigenfunctions":
        heads = [re.match(r"(e\S+) γ = ([-+.\de]+\b)", head) for head in there["heads"]]
        gammas = {}  # the learnt ones stand before those of a truth or a peer
        for head in filter(None, heads):
            gammas.setdefault(head[1], float(head[2]))
        values = names["embedding"].eigenvalues_[: len(gammas)]
        assert list(gammas.values()) == [float(f"{value:.3g}") for value in values]
        return len(gammas)
    rows = [[cell.lower() for cell in row] for table in there["tables"] for row in table]
    count = 0
    for line in lines:
        labels = re.match(r"((?:kernel|graph) \w+): (\S+ %)", line)
        regression = re.match(r"(.+?): .*error (\S+)$", line)
        slopes = re.match(r"values missed by (?:.*= )?(\S+)$", line)
        if labels or regression:
            name, number = (labels or regression).groups()
        elif slopes:
            name, number = "hermite", f"{float(slopes[1]):.3g}"
        else:
            continue
        assert any(row[0].startswith(name.lower()) and number in row for row in rows), (line, rows)
        count += 1
    return count


@contextlib.contextmanager
def tab(browser, root: str) -> Iterator[Explorer]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Explorer(context.new_page(), root)
    context.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_page_link_and_script_agree(browser, app, seed):
    chance = random.Random(seed)
    place, ranges = PAGES[seed % len(PAGES)]
    keys = [key for key in ranges if key not in ("data", "story")]
    first = next(key for key in ("data", "story") if key in ranges)
    query = {first: chance.choice(ranges[first])}
    query |= {key: chance.choice(ranges[key]) for key in chance.sample(keys, min(5, len(keys)))}
    query.setdefault("n", "200")
    root = app(ROOT / "app.py").partition("/?")[0]
    with tab(browser, root) as mine, tab(browser, root) as fresh:
        mine.open(place, **query)
        name = chance.choice([name for name in TYPED if mine.field(name).count()])
        if mine.field(name).is_enabled():
            value = TYPED[name]
            mine.type(name, value)
            mine.until("sigma" if name == "Width σ" else "p", value)
        mine.fine()
        fresh.page.goto(mine.page.url)
        fresh.rest().fine()
        assert shown(fresh) == shown(mine), mine.page.url
        assert fresh.page.url == mine.page.url
        assert check_script(mine, place) > 0, mine.page.url
