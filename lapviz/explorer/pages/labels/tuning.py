"""*Tune for me* on the Labels page: the search by hiding labels, its table and its verdict."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace

import numpy as np
import streamlit as st

from lapviz import LaplacianClassifier, progress, select_parameters
from lapviz.estimates import data_terms
from lapviz.estimators.tuning import Candidate
from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.labels.steps import picture_of
from lapviz.explorer.scene.label_methods import laplacian
from lapviz.explorer.session import state
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, Settings
from lapviz.explorer.widgets import shell
from lapviz.markdown import table

Array = np.ndarray
PLANS = "plans"
PAIRS = {"sigma": "σ and λ", "mu": "μ and λ"}
_SETTING = {"operator": "operator", "n_landmarks": "p", "bandwidth": "sigma", "mu": "mu",
            "lam": "lam", "balance": "balance", "n_passes": "passes",
            "scaling": "scaling"}  # fmt: skip
WIDTHS = np.geomspace(0.25, 4.0, 7)  # times the present σ
WEIGHTS = np.geomspace(1e-3, 1e3, 7)  # times the present μ
LAMS = tuple(float(f"{lam:.3g}") for lam in np.geomspace(1e-4, 1e3, 15))
FEW = 5  # labels per class below which leaving one out says little
_TURN = "lapviz_tuning_turn"
MOST_ROWS = 12  # of the table of candidates
_WHOLE = "Everything from the data"


@dataclass(frozen=True, eq=False)
class Search:
    """Candidates and their errors on labels that were hidden in turn.

    Attributes
    ----------
    what : {"plans", "sigma", "mu"}
        Whole plans; or σ and λ, or μ and λ.
    rows : tuple of Candidate
    best, start : Candidate
        The one to take; the page's present settings, or of whole plans the automatic one.
    counts : array (n_classes,)
        How many labels each class has.
    n_left_out : int
        How many labels could not be used.
    accuracy : tuple of float, or None
        Shares of the unlabelled points right with the page's settings, of whole plans with the
        automatic one, and with the best: what only a data set with known classes tells.
    also : dict
        Settings of the page that every candidate has.
    """

    what: str
    rows: tuple[Candidate, ...]
    best: Candidate
    start: Candidate
    counts: Array
    n_left_out: int
    accuracy: tuple[float, ...] | None = None
    also: dict[str, object] = field(default_factory=dict)

    @property
    def changes(self) -> dict[str, object]:
        """Settings of the page that apply the best candidate."""
        return self.changes_of(self.best)

    def changes_of(self, row: Candidate) -> dict[str, object]:
        """Settings of the page that apply a candidate; a plan leaves the rest to the data."""
        rest = dict.fromkeys(CHOOSABLE, AUTO) if self.what == PLANS else self.also
        return rest | {
            _SETTING[name]: float(f"{value:.4g}") if isinstance(value, float) else value
            for name, value in row.parameters.items()
        }


def search(settings: Settings, what: str) -> Search:
    """Choose by hiding labels: of whole plans, or from a grid around the present settings.

    Reports every row.

    Raises
    ------
    ValueError
        If the labels or the data term do not allow it.
    """
    X, y, n_left_out = target(settings)
    rows: list[Candidate] = []
    if what == PLANS:
        model, grid, total, start = _automatic(settings), {}, 0, {}
    else:
        model, grid, start = _grid(settings, what)
        total = int(np.prod([len(values) for values in grid.values()]))
    with progress.inside(PLANS if what == PLANS else "combinations", total) as tell:

        def hear(now) -> None:
            rows.append(now.candidate)
            words = [f"plan {now.done} of {now.total}"] * (what == PLANS)
            tell(now.done, tuple(rows), *words)

        weights = points.weights(settings.data)
        chosen = select_parameters(model, X, y, sample_weight=weights, callback=hear, **grid)
    best = chosen.best
    if what == PLANS:
        first = chosen.rows[0]
    else:
        first = next(row for row in chosen.rows if start.items() <= row.parameters.items())
        best = best if _errors(best) < _errors(first) else first
    counts = np.bincount(y[y >= 0])
    also = {"scaling": model.scaling} if model.scaling != settings.estimate.scaling else {}
    found = Search(what, chosen.rows, best, first, counts[counts > 0], n_left_out, also=also)
    shown = [settings] + [settings.change(**found.changes_of(first))] * (what == PLANS)
    known = tuple(map(accuracy, (*shown, settings.change(**found.changes))))
    return found if None in known else replace(found, accuracy=known)


def _errors(row: Candidate) -> tuple[float, float]:
    return row.error, row.squared_error


def target(settings: Settings) -> tuple[Array, Array, int]:
    """Points, classes with -1 where unlabelled, and how many labels could not be used."""
    if data_terms.get(settings.estimate.data_term).unused:
        raise ValueError(
            "With labels as sources (Poisson) there is no λ: choose another data term."
        )
    data, given = points.sample(settings.data), points.labelled(settings.data, settings.labels)
    y = np.full(len(data.X), -1)
    plain = [label for label in given.labels if not label.off_sample and not label.others]
    for label in plain:
        y[label.index] = label.code
    if len(plain) < 2 or len({label.code for label in plain}) < 2:
        raise ValueError(
            "Label at least two points of two classes first: tuning hides each label in turn and "
            "guesses it from the others."
        )
    return data.X, y, len(given.labels) - len(plain)


def _automatic(settings: Settings) -> LaplacianClassifier:
    """The page's kernel and data term; the data choose the rest."""
    own = settings.space.arguments() | settings.estimate.arguments()
    names = ("kernel", "kernel_params", "landmarks", "filter", "data_term", "fit_intercept",
             "scaling", "random_state")  # fmt: skip
    return LaplacianClassifier(**{name: own[name] for name in names if name in own})


def _grid(
    asked: Settings, pair: str
) -> tuple[LaplacianClassifier, dict[str, list[float]], dict[str, float]]:
    """The page's classifier, the values of both arguments, and their present ones."""
    settings = fits.for_labels(asked)
    method = fits.method(settings)
    present = method.kernel.bandwidth if pair == "sigma" else method.mu or 1e-6  # of 0 no multiples
    first, lam = float(present), settings.estimate.lam
    scale = WIDTHS if pair == "sigma" else WEIGHTS
    around = sorted({first, *(float(f"{first * factor:.4g}") for factor in scale)})
    parts = method.space, settings.estimate
    own = {f.name: getattr(spec, f.name) for spec in parts for f in fields(spec)}
    if settings.data.scaling is not None:  # numbers are in these units
        own["scaling"] = "standard"
    # μ is as asked for: by its rule it follows each σ.
    model = LaplacianClassifier(**own, mu=asked.energy.mu, operator=method.operator)
    name = "bandwidth" if pair == "sigma" else "mu"
    return model, {name: around, "lam": sorted({lam, *LAMS})}, {name: first, "lam": lam}


def accuracy(settings: Settings) -> float | None:
    """Share of the unlabelled points that the kernel Laplacian gets right with these settings."""
    picture = picture_of(settings)
    (found,) = laplacian(picture, [picture.settings])
    return picture.accuracy(found.at_samples)


def words(row: Candidate, first: Candidate) -> str:
    """A plan in words; ``first`` is the automatic one."""
    own = row.parameters
    if not own:
        return _WHOLE
    if "operator" in own:
        return (
            f"Energy along the coordinate axes, μ = {row.mu:.3g}, λ = {row.lam:.3g}, class shares "
            "balanced, no passes"
        )
    off_nodes = row.n_landmarks != first.n_landmarks
    if "mu" not in own:
        return f"{_WHOLE}, but no passes" + ", with kernel functions" * off_nodes
    if off_nodes:
        return f"{_WHOLE}, but with kernel functions, μ = {row.mu:.3g}"
    factor = row.mu / first.mu if first.mu else np.nan
    return f"{_WHOLE}, but {factor:.3g} times the μ: {row.mu:.3g}"


def verdict(found: Search) -> str:
    """What the table says, and how far to trust it."""
    sentence = _on_plans(found) if found.what == PLANS else _on_grid(found)
    if found.n_left_out:
        sentence += f" {found.n_left_out} labels (free, or of several classes) were left out."
    return sentence


_KNOWN = " On the unlabelled points, whose classes are known here, the accuracy is "


def _on_grid(found: Search) -> str:
    best, own, n = found.best, found.start, found.counts.sum()
    wrong = f"{round(best.error * n)} of {n} hidden labels wrong"
    if best.error < own.error:
        sentence = f"The best row guesses {wrong}, the present settings {round(own.error * n)}."
    else:
        sentence = f"No row guesses fewer hidden labels wrong than the present settings ({wrong})."
        if _errors(best) < _errors(own):
            sentence += " The best row differs by a smaller squared error only."
    if n < FEW * len(found.counts):
        sentence += " With so few labels this is a rough estimate."
    if found.accuracy is not None:
        before, after = (100 * share for share in found.accuracy)
        sentence += (
            f"{_KNOWN}{before:.1f} % with the present settings and {after:.1f} % with the best "
        )
        sentence += "row." if after > before + 0.05 else "row: the tuned settings are not better."
    return sentence


def _on_plans(found: Search) -> str:
    best, first, n = found.best, found.start, found.counts.sum()
    wrong = f"{round(first.error * n)} of {n} hidden labels wrong"
    if found.counts.min() == 1:
        sentence = (
            "A class has a single label, which nobody can guess while it is hidden: the automatic "
            "plan stays."
        )
    elif best is first:
        sentence = (
            f"The automatic plan stays ({wrong}): no other guesses better by more than two "
            "standard errors."
        )
    else:
        sentence = (
            f"“{words(best, first)}” is ahead by more than two standard errors: "
            f"{round(best.error * n)} of {n} hidden labels wrong, the automatic plan "
            f"{round(first.error * n)}."
        )
    if found.accuracy is not None:
        now, automatic, tuned = (100 * share for share in found.accuracy)
        sentence += (
            f"{_KNOWN}{now:.1f} % with the present settings, {automatic:.1f} % with the automatic "
            "plan"
        )
        sentence += "." if best is first else f" and {tuned:.1f} % with the best."
    return sentence


# ---- on the page ------------------------------------------------------------------------------


def tune(settings: Settings) -> None:
    """*Tune for me*: whole plans, or σ and λ, or μ and λ, by hiding labels."""
    with st.expander("Tune for me", icon=":material/tune:"):
        # Where the data choose the energy, plans are compared as a whole.
        free = settings.energy.operator == AUTO
        offered = {PLANS: "Whole plans"} | ({} if free else PAIRS)
        what = st.segmented_control(
            "Tune", list(offered), default=PLANS if free else "sigma",
            format_func=offered.get,
            key=f"tune-pair-{free}", help="Plans in which the data choose nearly everything, or "
            "two settings from a grid around the present ones. Labels are hidden in turn and "
            "guessed from the others.",
        )  # fmt: skip
        # A search that was applied is over: the next one, around the new settings, is asked for.
        turn = st.session_state.setdefault(_TURN, 0)
        if not what or not st.toggle("Search", key=f"tune-on-{turn}", help="Fit every combination "
                                     "of the grid; this can be cancelled."):  # fmt: skip
            return
        key = settings.change(ask="off", plane="features", ax=0, ay=1)
        draw = _draw_plans if what == PLANS else _draw_rows
        done = shell.long_work("labels-tune", "The search", search, key, what, draw=draw)
        if done is None:
            return
        draw(done.rows)
        st.caption(verdict(done))
        changes = done.changes
        if what == PLANS:
            is_new = any(key.get(name) != value for name, value in changes.items())
            plan = "automatic" if done.best is done.start else "best"
            label, words = f"Use the {plan} plan", "Take this plan over to the page."
        else:
            is_new = done.best is not done.start
            symbols = {"sigma": "σ", "mu": "μ", "lam": "λ"}
            values = ", ".join(f"{symbols[k]} = {v:.3g}" for k, v in changes.items())
            label, words = f"Use {values}", "Take the best row over to the page."
        if is_new:
            st.button(label, key="tune-apply", help=words, on_click=_apply, args=(changes,))


def _apply(changes: dict) -> None:
    """Take a result of the search over to the page, and end the search."""
    st.session_state[_TURN] += 1
    state.update(**changes)


def _draw_plans(rows: tuple) -> None:
    _draw(("Plan",), [((words(row, rows[0]),), row) for row in rows])


def _draw_rows(rows: tuple) -> None:
    ordered = sorted(rows, key=_errors)[:MOST_ROWS]
    _draw(("σ", "μ", "λ"), [((row.bandwidth, row.mu, row.lam), row) for row in ordered])
    st.caption(f"The best {len(ordered)} of {len(rows)} combinations tried, best first.")


def _draw(heads: tuple[str, ...], rows: list[tuple[tuple, Candidate]]) -> None:
    wrong = "Hidden labels wrong"
    lines = [(*what, 100 * row.error, row.squared_error) for what, row in rows]
    st.markdown(table((*heads, wrong, "Squared error"), lines, {wrong: "{:.1f} %"}))
