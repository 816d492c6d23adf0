"""The script that reads a visitor's file again and reproduces the page's numbers."""

from __future__ import annotations

import ast
import re

from lapviz.explorer.compute import own_fit
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec


def fit(data: DataSpec, marks: tuple[tuple[int, int], ...] = ()) -> str:
    """Script of the fit to the whole table: predictions, chances, and their file."""
    thing = STORE.get(data.source)
    values = thing.prepared.task == "values"
    told = own_fit.targets(data, marks)
    weighted = told.weights is not None
    lines = [_targets(thing, marks), _taken(values) if told.drawn else ""]
    lines.append(_regression(weighted) if values else _classes(thing.classes, weighted))
    if told.drawn:
        lines.append(_score(values, weighted))
    text = "import numpy as np\n\n" + thing.prepared.script(thing.table.name) + "\n".join(lines)
    text = re.sub(r"\n{3,}", "\n\n", text)
    ast.parse(text)
    return text


def loaded(settings: Settings) -> str:
    """Lines that define ``data``, the part of the table that the pages show."""
    spec, per_class = settings.data, settings.labels.per_class
    thing = STORE.get(spec.source)
    n_samples, random_state = spec.n_samples, spec.random_state
    lines = [thing.prepared.script(thing.table.name).rstrip()]
    if thing.prepared.task != "classes":
        lines.append("y = np.full(len(X), -1)  # no class is known")
    n, weighted = len(thing.counted), thing.prepared.weights is not None
    if weighted:
        lines.append("counted = np.flatnonzero(weights > 0)  # rows of weight 0 do not count")
    if n_samples < n:
        draw = f"np.random.default_rng({random_state}).permutation"
        lines += [
            f"order = counted[{draw}(len(counted))]" if weighted else f"order = {draw}(len(X))",
            "known = y[order] >= 0",
            f"if known.sum() <= {n_samples // 2}:  # known classes first",
            "    order = np.r_[order[known], order[~known]]",
            f"rows = np.sort(order[:{n_samples}])",
        ]
    elif n < thing.n_rows:
        lines.append("rows = counted")
    some = n_samples < n or n < thing.n_rows
    part = "X[rows], y[rows]" if some else "X, y"
    each = thing.per_class(thing.sample(n_samples, random_state).y)
    of_part = "y[rows]" if some else "y"
    given = (
        f"{of_part} >= 0"
        if each is None
        else f"datasets.draw_labels({of_part}, {each}, {random_state})"
    )
    lines += [
        "sample = datasets.Dataset(",
        f"    {part}, {given}, 'table', datasets.Truth(),",
        f"    {thing.classes!r}, data.feature_names,",
        *["    weights=weights[rows]," if some else "    weights=weights,"] * weighted,
        ")",
    ]
    if per_class is not None:
        lines.append(f"sample = datasets.relabel(sample, {per_class}, {random_state})")
    return "\n".join([*lines, "prepared, data = data, sample"])


def predictions(model: str, far: str) -> str:
    """Lines that write the chances of every row of the table."""
    return f"""
# the whole table; far from the data all classes are equally likely
names = np.array(data.class_names, dtype=object)
chances, far = {model}, {far}
chances[far] = 1 / len(names)
columns = {{"predicted": np.where(far, "", names[chances.argmax(axis=1)])}}
columns |= {{f"P({{names[c]}})": chances[:, c].round(6) for c in range(len(names))}}
columns["far from the data"] = np.where(far, "yes", "")
with open("predictions.csv", "w", newline="", encoding="utf-8") as file:
    tables.write_csv(prepared.beside(table, columns), file)
"""


def _targets(thing: OwnTable, marks: tuple[tuple[int, int], ...]) -> str:
    lines = []
    if thing.prepared.task == "none":
        lines.append("y = np.full(len(X), -1)  # -1: unlabelled")
    weights = thing.prepared.weights
    blank = "np.nan" if thing.prepared.task == "values" else "-1"
    if marks:
        rows, codes = [row for row, _ in marks], [code for _, code in marks]
        lines += ["# the labels set by hand", f"y[{rows}] = {codes}"]
    if weights is not None and (weights == 0).any():
        lines.append(f"y[weights == 0] = {blank}  # these rows do not count")
    return "\n".join(lines)


def _taken(values: bool) -> str:
    given, blank = ("~np.isnan(y)", "np.nan") if values else ("y >= 0", "-1")
    each = "" if values else (
        "\ntaken = np.union1d(taken, rows[np.unique(y[rows], return_index=True)[1]])"
    )  # fmt: skip
    return f"""\
known = y  # more labels than a fit needs: the others check it
rows = np.flatnonzero({given})
taken = np.random.default_rng(0).permutation(rows)[:{own_fit.MOST_LABELS}]{each}
y = np.full(len(known), {blank})
y[taken] = known[taken]
"""


def _classes(names: tuple[str, ...], weighted: bool) -> str:
    weights = ", weights" * weighted
    return f"""\

from lapviz import LaplacianClassifier

classes = np.array({list(names)!r}, dtype=object)
model = LaplacianClassifier(random_state=0).fit(X, y{weights})
chances = model.predict_proba(X)
predicted = model.classes_[chances.argmax(axis=1)]
far = model.far_from_data(X)  # equal chances for every class: no prediction
for code in model.classes_:
    print(f"{{classes[code]}}: {{(predicted[~far] == code).sum()}} rows")
print(f"far from the data: {{far.sum()}} rows")

columns = {{"predicted": np.where(far, "", classes[predicted])}}
columns |= {{f"P({{classes[c]}})": chances[:, k].round(6) for k, c in enumerate(model.classes_)}}
columns["far from the data"] = np.where(far, "yes", "")
with open("predictions.csv", "w", newline="", encoding="utf-8") as file:
    tables.write_csv(data.beside(table, columns), file)
"""


def _regression(weighted: bool) -> str:
    part = ", sample_weight=weights[part]" * weighted
    weights = ", weights" * weighted
    return f"""\

from lapviz import LaplacianRegressor, select_parameters

# λ by labels that are hidden in turn, on a part of the rows
order = np.random.default_rng(0).permutation(len(y))
given = ~np.isnan(y[order])
half = order[given][:{own_fit.TUNED_ROWS // 2}]
rest = order[~given][:{own_fit.TUNED_ROWS} - len(half)]
more = order[given][len(half):{own_fit.TUNED_ROWS} - len(rest)]
part = np.sort(np.r_[half, more, rest])
model = LaplacianRegressor(random_state=0)
found = select_parameters(model, X[part], y[part], lam={list(own_fit.LAMBDAS)}{part})
model.set_params(lam=found.best.lam).fit(X, y{weights})
predicted = model.predict(X)
print(f"λ = {{found.best.lam:g}}, mean prediction {{predicted.mean():.6g}}")

with open("predictions.csv", "w", newline="", encoding="utf-8") as file:
    tables.write_csv(data.beside(table, {{"predicted": predicted}}), file)
"""


def _score(values: bool, weighted: bool) -> str:
    mass = "weights[held]" if weighted else "np.ones(held.sum())"
    if values:
        return (
            f"""\
held = ~np.isnan(known) & np.isnan(y)
mass, mean = {mass}, np.average(known[held], weights={mass})
missed = mass @ (known - predicted)[held] ** 2 / (mass @ (known[held] - mean) ** 2)
"""
            + """\
print(f"R² = {1 - missed:.4f} on {held.sum()} labels that the fit did not take")
"""
        )
    return (
        f"""\
held = (known >= 0) & (y < 0)
right = np.average((known == predicted)[held], weights={mass})
"""
        + """\
print(f"{100 * right:.2f} % right on {held.sum()} labels that the fit did not take")
"""
    )
