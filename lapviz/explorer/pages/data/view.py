"""The fit to a visitor's whole table: its numbers, pictures and downloads."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from lapviz import figures
from lapviz.explorer.compute import own_fit
from lapviz.explorer.compute.own_fit import Fitted
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.limits import GRID_SMALL, MAX_DRAWN
from lapviz.explorer.pages.data import script
from lapviz.explorer.scene.placement import components, grid_of, view_of
from lapviz.explorer.session import state
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import own_out
from lapviz.explorer.share.links import download
from lapviz.explorer.share.own_out import Marks
from lapviz.explorer.widgets import shell
from lapviz.markdown import Share, plain, short, table
from lapviz.scenes import Panel, Points, Scene
from lapviz.tables.names import counted, unused_name
from lapviz.tables.rows import names

Array = np.ndarray
MOST_COMPONENTS = 16
_REQUESTED = "lapviz_table_go"  # arguments with which the fit to a large table was requested


def fit(user_table: OwnTable, spec: DataSpec) -> None:
    """Draw the section of the page."""
    st.header("Predictions for every row", anchor=False)
    shown = state.SHARED.of_own_data().get(spec.source)
    marks, left_out = _marks(user_table, spec)
    class_prior = None if shown is None else shown.estimate.class_prior
    arguments = spec, marks, class_prior
    try:
        targets = own_fit.targets(spec, marks)
    except ValueError as error:
        st.caption(plain(str(error)) + _removed(marks) + _left_out(left_out))
        with st.expander("Take away", icon=":material/download:"):
            _embedding(user_table, spec)
        return
    st.caption(_rows_used(user_table, targets, marks) + _left_out(left_out))
    if class_prior is not None:
        st.caption(_proportions(user_table, targets, class_prior))
    with shell.guarded("The fit"):
        if user_table.n_rows > own_fit.LARGE and st.session_state.get(_REQUESTED) != arguments:
            words = "A large table takes a while; it can be cancelled."
            shell.button("Fit", "table-go", "play_arrow", words, st.session_state.update,
                         {_REQUESTED: arguments}, type="primary")  # fmt: skip
            return
        fitted = shell.long_work("table-fit", "The fit", own_fit.fitted, *arguments)
        if fitted is None:
            return
        _summary(user_table, fitted)
        if fitted.probabilities is None:
            _pictures(user_table, spec, fitted)
        with shell.guarded("The check"):
            _check(user_table, *arguments)
        _take_away(user_table, fitted, spec, marks, left_out)


def _marks(user_table: OwnTable, spec: DataSpec) -> tuple[Marks, str]:
    """Labels of the page “Labels” that the fit takes, and a count of the others.

    For values, which are no classes, there are none.
    """
    if user_table.prepared.task == "values":
        return (), ""
    shown = state.SHARED.of_own_data().get(spec.source)
    return own_out.marks_of(user_table, shown), own_out.left_out(shown)


def _left_out(count: str) -> str:
    return f" Left out: {count}, set on the page “Labels”." if count else ""


def _rows_used(user_table: OwnTable, targets: own_fit.Targets, marks: Marks) -> str:
    kind = "values" if user_table.prepared.task == "values" else "labels"
    rows = f"all {user_table.n_rows:,} rows"
    if targets.weights is not None:
        rows = f"{len(user_table.counted):,} rows of positive weight"
    words = f"From {len(targets.used):,} {kind}"
    if kind == "labels":  # a regression looks at a sample of the others
        words += f" and {rows}"
    if targets.held_out.size:
        words += (
            f": more than {own_fit.MOST_LABELS:,} are not needed, and the other "
            f"{len(targets.held_out):,} known {kind} check the fit"
        )
    if by_hand := sum(code >= 0 for _, code in marks):
        whose = "is that" if by_hand == 1 else "are those"
        words += f". {by_hand:,} of them {whose} of the page “Labels”"
    return words + "." + _removed(marks)


def _removed(marks: Marks) -> str:
    count = sum(code < 0 for _, code in marks)
    words = f" {counted(count, 'label')} of the table, removed on the page “Labels”, left out."
    return words * bool(count)


def _proportions(
    user_table: OwnTable, targets: own_fit.Targets, class_prior: tuple[float, ...]
) -> str:
    labelled = targets.y[targets.used]
    left_out = [f"“{plain(name)}”" for code, name in enumerate(user_table.classes)
                if class_prior[code] and code not in labelled]  # fmt: skip
    words = "With the class proportions of the page “Labels”"
    if left_out:
        words += f", without {' and '.join(left_out)}: no row has that label"
    return words + "."


def _summary(user_table: OwnTable, fitted: Fitted) -> None:
    if fitted.probabilities is not None:
        predicted = fitted.predicted[~fitted.far]
        rows = [(plain(user_table.classes[code]), int((fitted.targets.known == code).sum()),
                 int((predicted == code).sum())) for code in fitted.model.classes_]  # fmt: skip
        st.markdown(table(("Class", "Labelled", "Predicted"), rows))
        if far := int(fitted.far.sum()):
            st.caption(f"{counted(far, 'row')} far from the data, where nothing is predicted.")
    quick = fitted.seconds < 0.1
    if fitted.probabilities is None:
        st.markdown(f"Mean prediction: {short(fitted.predicted.mean(), 6)}")
    words = f"Fitted in {'less than a tenth of a second' if quick else f'{fitted.seconds:.1f} s'}"
    if fitted.score is not None:
        kind = "held-out label" if fitted.probabilities is not None else "held-out value"
        held_out = counted(len(fitted.targets.held_out), kind)
        words += f". On {held_out}: {_rate(fitted.score, user_table)}"
    st.caption(words + ".")
    with st.expander("What was chosen from the data", icon=":material/tune:"):
        st.markdown("\n".join(f"- {plain(str(c))}" for c in fitted.model.report_))


def _rate(score: float, user_table: OwnTable) -> str:
    values = user_table.prepared.task == "values"
    words = f"R² = {score:.3f}" if values else f"{Share(score)} right"
    return words if user_table.prepared.weights is None else f"{words} by weight"


def _check(user_table: OwnTable, *arguments: Any) -> None:
    if not shell.switch(
        "Check by hiding labels", "table-check",
        f"Hide each of {own_fit.SPLITS} parts of the labels in turn and predict it from the "
        "others: about as many fits. A class's only label does not count.",
    ):  # fmt: skip
        return
    score = shell.long_work("table-checked", "The check", own_fit.cross_validated, *arguments)
    if score is not None:
        st.markdown(f"On hidden labels: **{_rate(score, user_table)}**.")


def _take_away(
    user_table: OwnTable, fitted: Fitted, spec: DataSpec, marks: Marks, left_out: str
) -> None:
    stem, recipe = own_out.stem(user_table), script.fit(spec, marks, fitted.model)
    with st.expander("Take away", icon=":material/download:", expanded=True):
        with st.container(horizontal=True):
            download(
                "Predictions", lambda: own_out.predictions(spec, fitted), f"{stem}-predictions.csv",
                "CSV: the whole table, with the number of each row (the first below the header is "
                "1; rows left out in reading have none), the prediction, and the chances of all "
                "classes; for values the standard deviation of a new one.",
            )  # fmt: skip
            download(
                "Parameters", lambda: own_out.parameters(spec, fitted), f"{stem}-model.json",
                "JSON: the estimator, what it chose, its landmarks and coefficients.",
            )  # fmt: skip
            download(
                "Recipe", recipe, f"{stem}.py",
                "The script below as a file: it reads the table and reproduces these numbers.",
            )  # fmt: skip
            if fitted.probabilities is not None:
                own_out.offer_labels(spec, marks, left_out)
        _embedding(user_table, spec)
    shell.recipe(lambda: recipe)


def _embedding(user_table: OwnTable, spec: DataSpec) -> None:
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    n_max = min(MOST_COMPONENTS, max(user_table.n_rows - 3, 1))
    count = left.selectbox(
        "Components", range(1, n_max + 1), min(4, n_max) - 1, key="take-count",
        help="How many eigenfunctions the embedding has; the constant is not among them.",
    )  # fmt: skip
    with right:
        words = "Fit it to all rows; then it can be downloaded."
        if not shell.switch("Make the embedding", "take-embed", words):
            return
    embedding = shell.long_work("table-embed", "The embedding", own_fit.embedded, spec, count)
    if embedding is not None:
        if (found := embedding.n_components_ - 1) < count:
            st.caption(f"The rows have no more than {counted(found, 'independent function')}.")
        download(
            "Embedding", lambda: own_out.embedding(spec, count),
            f"{own_out.stem(user_table)}-embedding.csv",
            "CSV: for every row its number and its place in the embedding.",
        )  # fmt: skip


# ---- values and their predictions, as pictures -----------------------------------------------


def _pictures(user_table: OwnTable, spec: DataSpec, fitted: Fitted) -> None:
    """Draw known and predicted values over chosen axes, and one against the other."""
    axes = axes_of(user_table)
    if len(axes) > 1:
        chosen = [
            column.selectbox(f"{('Horizontal', 'Vertical')[k]} axis", range(len(axes)), k,
                             lambda k: axes[k], key=f"values-{'xy'[k]}-{len(axes)}",
                             help="A feature, or a principal component.")
            for k, column in enumerate(st.columns(2))
        ]  # fmt: skip
        figure = figures.scene(scene(user_table, spec, fitted, *chosen))
        shell.chart(figure, "values-plane", "Given and predicted values over the chosen axes")
    with shell.guarded("The comparison"):
        shell.chart(against(fitted), "values-against", "Predicted against given values")


def axes_of(user_table: OwnTable) -> list[str]:
    """Names of the axes: the features, from three on after two principal components."""
    features = list(user_table.axes)
    if len(features) < 3:
        return features
    return [*(unused_name(f"component {k}", features) for k in (1, 2)), *features]


def drawn(fitted: Fitted) -> Array:
    """Rows in the picture, a bounded number: those with known values first, then others."""
    known = np.flatnonzero(~np.isnan(fitted.targets.known))
    unknown = np.flatnonzero(np.isnan(fitted.targets.known))
    rng = np.random.default_rng(0)
    sampled = rng.permutation(known)[: max(MAX_DRAWN // 2, MAX_DRAWN - len(unknown))]
    return np.sort(np.r_[sampled, rng.permutation(unknown)[: MAX_DRAWN - len(sampled)]])


def scene(user_table: OwnTable, spec: DataSpec, fitted: Fitted, ax: int, ay: int) -> Scene:
    """Scene of predictions at the points that are drawn; over two features of the whole field.

    ``ax`` and ``ay`` are indices into :func:`axes_of`.
    """
    rows, X, axes = drawn(fitted), user_table.prepared.X, axes_of(user_table)
    n_scores = len(axes) - X.shape[1]
    part = DataSpec("table", n_samples=user_table.info.max_samples, source=spec.source)
    if min(ax, ay) < n_scores:  # components are those of the rows that the pages show
        scores = components(part)
        shown_rows = user_table.sample_rows(part.n_samples, part.random_state)
        if len(shown_rows) < user_table.n_rows:
            rows = shown_rows[np.isin(shown_rows, rows)]
        indices = np.searchsorted(shown_rows, rows)
    columns = [scores[indices, k] if k < n_scores else X[rows, k - n_scores] for k in (ax, ay)]
    xy = np.column_stack(columns)
    view = view_of(xy)
    mean = fitted.targets.known[fitted.targets.used].mean()
    grid, field = None, None
    if X.shape[1] == 2 and {ax, ay} == {0, 1}:
        grid = grid_of(view, GRID_SMALL)
        sites = grid.sites() if ax == 0 else grid.sites()[:, ::-1]
        field = grid.fields(fitted.model.predict(sites)) - mean
    title = f"Predicted minus {mean:.4g}, the given mean".replace("-", "−")
    row_names = names(user_table.table, user_table.prepared.roles, user_table.prepared.rows[rows])
    return Scene(
        panels=(Panel(title, (fitted.predicted[rows] - mean)[None], field),),
        points=Points(xy, rows, notes=tuple(row_names)),
        view=view,
        view_key=f"{axes[ax], axes[ay]}",
        grid=grid,
        kind="functions",
        axes=(axes[ax], axes[ay]),
        hide=("lam", "filter", "labels"),
        n_samples=user_table.n_rows,
    )


def against(fitted: Fitted):
    """Figure of predicted against known values: those used by the fit, and those held out."""
    rng, targets = np.random.default_rng(0), fitted.targets
    groups = {}
    for name, rows in (("taken by the fit", targets.used), ("not taken", targets.held_out)):
        sampled = rng.permutation(rows)[:MAX_DRAWN]
        groups[name] = targets.known[sampled], fitted.predicted[sampled]
    return figures.agreement(groups)
