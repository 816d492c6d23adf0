"""The script of the page Your data, which reads a visitor's file and fits the whole table."""

from __future__ import annotations

from sklearn.base import BaseEstimator

from lapviz.explorer.compute import own_fit
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import script


def fit(data: DataSpec, marks: tuple[tuple[int, int], ...], model: BaseEstimator) -> str:
    """Script of the model's fit to the whole table: predictions, chances, and their file."""
    user_table = STORE.get(data.source)
    task, weights = user_table.prepared.task, user_table.prepared.weights
    values, drawn = task == "values", own_fit.targets(data, marks).held_out.size
    is_known, blank = ("~np.isnan({})", "np.nan") if values else ("{} >= 0", "-1")
    lines = [user_table.prepared.script(user_table.table.file)]
    if task == "none":
        lines.append("y = np.full(len(X), -1)  # -1: unlabelled")
    if marks:
        rows, codes = [row for row, _ in marks], [code for _, code in marks]
        lines += [f"by_hand = {rows}  # rows of the labels set by hand", f"y[by_hand] = {codes}"]
    if weights is not None and (weights == 0).any():
        lines.append(f"y[weights == 0] = {blank}  # these rows do not count")
    if drawn:
        lines.append(f"""\
known = y  # more labels than a fit needs: the others check it
rows = np.flatnonzero({is_known.format("y")})
taken = np.random.default_rng(0).permutation(rows)[:{own_fit.MOST_LABELS}]""")
        if marks:
            lines.append("taken = np.union1d(taken, rows[np.isin(rows, by_hand)])")
        if not values:
            lines.append(
                "taken = np.union1d(taken, rows[np.unique(y[rows], return_index=True)[1]])"
            )
        lines += [f"y = np.full(len(known), {blank})", "y[taken] = known[taken]"]
    weighted = ", weights" * (weights is not None)
    lines.append(f"\nmodel = {script.as_source(model)}.fit(X, y{weighted})")
    lines.append(_VALUES if values else _classes(user_table.classes))
    if drawn:
        held_out = f"({is_known.format('known')}) & ~({is_known.format('y')})"
        lines.append(f"held = {held_out}  # held out")
        lines.append(f"mass = {'weights[held]' if weighted else 'np.ones(held.sum())'}")
        lines.append(_R2 if values else _SHARE)
    return script.with_imports("\n".join(lines))


def _classes(names: tuple[str, ...]) -> str:
    probabilities, far = "model.predict_proba(X)", "model.far_from_data(X)"
    return f"""\
names = np.array({list(names)!r}, dtype=object)
{script.every_row(probabilities, far, "model.classes_", "data")}
predicted = codes[probabilities.argmax(axis=1)]
for code in codes:
    print(f"{{names[code]}}: {{(predicted[~far] == code).sum()}} rows")
print(f"far from the data: {{far.sum()}} rows")
"""


_VALUES = f"""\
predicted, std = model.predict(X, return_std=True)  # std of new values, the noise included
print(model.report_)
print(f"mean prediction {{predicted.mean():.6g}}")

columns = {{"predicted": predicted, "std": std}}
{script.file_of("data")}"""


_SHARE = """\
right = np.average((known == predicted)[held], weights=mass)
print(f"{100 * right:.2f} % right on {held.sum()} held-out labels")
"""
_R2 = """\
mean = np.average(known[held], weights=mass)
missed = mass @ (known - predicted)[held] ** 2 / (mass @ (known[held] - mean) ** 2)
print(f"R² = {1 - missed:.4f} on {held.sum()} held-out values")
"""
