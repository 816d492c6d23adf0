"""Below the stage of the Labels page: numbers, labels, the next point, curves, searches, files."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lapviz import figures
from lapviz.estimators.tuning import Candidate
from lapviz.explorer.compute import own_rows, points
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.labels import steps, tuning
from lapviz.explorer.pages.labels.table import data_url, edit_labels
from lapviz.explorer.scene.labels import LabelsView, labels_view
from lapviz.explorer.scene.sheet import SheetView
from lapviz.explorer.session import state
from lapviz.explorer.settings.records import AUTO, Settings
from lapviz.explorer.share import links, own_out, recipes
from lapviz.explorer.widgets import shell
from lapviz.markdown import Share, plain, short, table
from lapviz.scenes import Scene

KEY = "labels-stage"
PATH_LAMBDAS = tuple(float(lam) for lam in np.geomspace(1e-5, 1e4, 37))
SEEDS = 10  # of paths, and of curves over the labels
MOST_CONFUSIONS = 3  # named in the caption
MOST_CANDIDATES = 12  # in the table of a search
_TURN = "lapviz_tuning_turn"
MOST_COLUMNS, MOST_TEXT = 20, 4000  # columns of a row, and characters of a cell, that are shown


def below(shown: LabelsView | SheetView, settings: Settings) -> None:
    """Draw what is below the stage; nothing for an empty sheet."""
    if isinstance(shown, SheetView):
        return
    shell.hints(shown.hints)
    with st.container(key="scores"):  # dimmed while the stage shows newer ones
        scores(shown)
        confusions(shown)
    shell.report(shown.settings.chosen.report)
    hidden, n_functions = state.hidden(), int(shown.settings.space.n_landmarks) + 1

    def saved() -> Scene:  # with all functions of the trial space, if a page can hold them
        return labels_view(settings, hidden, complete=True).scene

    links.show(shown.scene, KEY, saved, n_functions)
    links.as_plotly(shown.scene, KEY)
    if "labels" not in hidden:
        fold = shell.fold("Labels as a table", "table", "table")
        with shell.guarded("The table of labels"), fold:
            if fold.open:
                edit_labels(settings)
        with shell.guarded("The next point"):
            next_point(shown, settings)
    with shell.guarded("The regularisation path"):
        path(shown, settings)
    with shell.guarded("The search"):
        tune(settings)
    shell.warn_before_leaving("labels")
    with shell.guarded("“Take away”"):
        take_away(settings)
    shell.recipe(lambda: recipes.labels(settings, shown.refused))


def scores(shown: LabelsView) -> None:
    """Draw a folded table of each method's accuracy, energy and time, if there are any."""
    if not shown.scores:
        return
    heads = ("Method", "Accuracy (unlabelled)", "Dirichlet energy", "Fit time")
    rows = []
    for s in shown.scores:
        share = None if s.accuracy is None else Share(s.accuracy)
        time = None if s.seconds is None else 1000 * s.seconds
        rows.append((s.method, share, s.energy, time))
    formats = {"Accuracy (unlabelled)": "{}", "Fit time": "{:.0f} ms"}
    scene = shown.scene
    n, n_drawn, n_labels = scene.n_samples, len(scene.points.index), len(scene.labels)
    words = f"{n:,} point{'s' * (n != 1)}, {n_labels} label{'s' * (n_labels != 1)}, "
    words += f"σ = {short(shown.bandwidth)}, μ = {short(scene.mu)}, λ = {short(scene.lam)}"
    if n_drawn < n:
        words += f"; {n_drawn:,} of the points are drawn"
    with st.expander("Accuracy, energy and time", icon=":material/leaderboard:"):
        st.markdown(
            table(heads, rows, formats),
            help="Accuracy: share of the unlabelled points that get their true class. Energy: what "
            "is penalised, the mean squared gradient of the estimate along the chosen directions, "
            "or its energy on the graph or between altered copies. The graph's function is known "
            "at the points only: its energy is that of its projection on the first 64 "
            "eigenfunctions (not computed above 20,000 points). With class balance: the energy "
            "before it.  Fit time: of a fit from scratch on this host.",
        )
        st.caption(words)


def confusions(shown: LabelsView) -> None:
    """Name the main method's most frequent confusions, and draw the whole matrix, folded."""
    main = shown.scene.panels[shown.scene.first].title
    counts = np.array(next((s.confusion for s in shown.scores if s.method == main), ()), dtype=int)
    wrong = counts.sum() - np.trace(counts) if counts.size else 0
    if not wrong:
        return
    names = [plain(name) for name in shown.scene.classes]
    off_diagonal = counts - np.diag(np.diag(counts))
    worst = np.argsort(off_diagonal, axis=None, kind="stable")[::-1][:MOST_CONFUSIONS]
    pairs = [divmod(int(index), len(names)) for index in worst]
    phrases = (f"{names[true]} taken for {names[predicted]} ({off_diagonal[true, predicted]:,})"
               for true, predicted in pairs if off_diagonal[true, predicted])  # fmt: skip
    verb = "is" if wrong == 1 else "are"
    st.caption(
        f"{main}: {wrong:,} of {counts.sum():,} {verb} wrong, most often {', '.join(phrases)}."
    )
    if len(names) == 2:
        return
    with shell.fold("Which class is taken for which", "grid_on", "confusions") as fold:
        if not fold.open:
            return
        rows = [[name, *(int(count) or None for count in row)]
                for name, row in zip(names, counts, strict=True)]  # fmt: skip
        st.markdown(
            table(["True class", *names], rows, missing="·"),
            help="Rows: the true class; columns: the class that its unlabelled points get.",
        )


def next_point(shown: LabelsView, settings: Settings) -> None:
    """Draw the point to label next, “Ask the truth”, and the curves against random choice."""
    if settings.query.criterion == "off":
        return
    with shell.fold("Which point next", "help_center", "next", unfolded=True) as fold:
        _ask(settings, shown)
        words = (
            f"Label one point after the other on {SEEDS} draws of the data, by each criterion and "
            "at random, and measure the accuracy."
        )
        if not shell.switch("Compare with random choice", key="query-on", help=words):
            return
        if not fold.open:
            return
        base = settings.change(marks=None, ask="off", show="learnt", plane="features", ax=0, ay=1)
        with shell.guarded("The comparison"):
            curves = shell.long_work("labels-query", "Labels one by one", steps.query_curves,
                                     base, SEEDS, draw=_draw_curves)  # fmt: skip
            if curves is not None:
                _draw_curves(curves)
                st.caption(steps.compare_with_chance(curves))


def _ask(settings: Settings, shown: LabelsView) -> None:
    suggestion, scene = shown.next, shown.scene
    if suggestion is None:
        st.caption("No point to suggest: the panel on the stage says why.")
        return
    names = settings.data.info.class_names
    _about(settings, suggestion.row)
    if suggestion.truth < 0:  # the visitor alone may know it
        _choose_class(suggestion.row, names, suggestion.predicted)
    else:
        words = "Give the marked point its true class. Undo on the stage takes it back."
        shell.button("Ask the truth", "ask-truth", "new_label", words, _label, suggestion.row,
                     suggestion.truth)  # fmt: skip
    n_drawn = len(scene.points.index)
    scope = "" if n_drawn == scene.n_samples else f" of the {n_drawn:,} drawn points"
    row_name = plain(own_rows.name(settings.data, suggestion.row))
    guess = f"the present estimate puts it in class “{plain(names[suggestion.predicted])}”"
    if scene.panels[scene.first].note:
        guess = "without an estimate nothing is known of its class"
    st.caption(f"Best{scope}: the point marked “?”, {row_name}; {guess}.")


def _about(settings: Settings, row: int) -> None:
    """Draw a row's image, or its cells in the visitor's table."""
    image = points.sample(settings.data).images(np.array([row]))
    if image is not None:
        st.image(data_url(image[0]), width=72)
    cells = own_rows.cells(settings.data, row)
    lines = [f"**{plain(name)}** {plain(_cut(text))}" for name, text in cells]
    if len(lines) > MOST_COLUMNS:
        lines = [*lines[:MOST_COLUMNS], f"… and {len(lines) - MOST_COLUMNS} more columns"]
    if lines:
        st.markdown("  \n".join(lines))


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


def _choose_class(row: int, names: tuple[str, ...], predicted: int) -> None:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    key = f"ask-class-{row}-{predicted}"  # one for each class: a box keeps what it began with
    left.selectbox(
        "Class of the point marked “?”", range(len(names)), index=predicted,
        format_func=lambda k: names[k], key=key,
        help="Its class is not in your table: what is it? That of the estimate is chosen.",
    )  # fmt: skip
    words = "Give the marked point this class. Undo on the stage takes it back."
    with right:
        shell.button("Label it", f"ask-give-{row}", "new_label", words,
                     lambda: _label(row, st.session_state[key]))  # fmt: skip


def _label(row: int, code: int) -> None:
    settings = state.settings()
    state.update(marks=points.with_label(settings.data, settings.labels, row, code))


def _draw_curves(curves: dict[str, np.ndarray]) -> None:
    errors = {steps.NAMES[choice]: 1 - accuracy for choice, accuracy in curves.items()}
    n, n_labels = curves[steps.RANDOM].shape
    figure = figures.bands(np.arange(1, n_labels + 1), errors, log_x=False, x_title="labels",
                           y_title="share of the points wrong")  # fmt: skip
    shell.chart(
        figure, f"query-curve-{n}", "Share of the points wrong against the number of labels"
    )
    _seed_caption(n)


def _seed_caption(n: int) -> None:
    words = f"Mean over {n} seeds; the band goes from the 10 % to the 90 % quantile."
    st.caption(words if n > 1 else f"One draw so far, of {SEEDS}: bands need two.")


def path(shown: LabelsView, settings: Settings) -> None:
    """Draw error and energy of all methods against λ."""
    unfolded = state.is_opened("path")
    with shell.fold("Regularisation path", "show_chart", "path", unfolded) as fold:
        words = "Fit every method for 37 values of λ and plot error and energy against λ."
        if not shell.switch("Compute", key="path-on", help=words):
            return
        with_bands = shell.switch(
            f"Bands over {SEEDS} seeds", key="path-seeds",
            help="Draw data and labels anew with the seeds that follow the page's own, and show "
            "the mean and the band from the 10 % to the 90 % quantile.",
        )  # fmt: skip
        if not fold.open:
            return
        if not shown.scene.labels:
            st.caption("Label a point first.")
            return
        lam = shown.settings.estimate.lam
        # λ is the axis: moving it does not recompute the curves.
        base = settings.change(lam=1.0, ask="off")
        chosen = settings.labels.chosen or ()
        unknown = bool(chosen) and bool((points.sample(settings.data).y < 0).any())
        here_only = unknown or any(label.others for label in chosen)
        count = SEEDS if with_bands and not here_only else 1

        def draw(paths: steps.Paths) -> None:
            _draw_paths(paths, lam, count)

        final = shell.long_work("labels-path", "The path", steps.label_paths,
                                base, PATH_LAMBDAS, count, draw=draw)  # fmt: skip
        if final is not None:
            draw(final)
            if with_bands and here_only:
                whose = "points whose class only you know" if unknown else "several classes"
                st.caption(f"Labels of {whose} are on this draw only: there are no bands.")
            elif with_bands and chosen:
                st.caption("Your labels are on this draw only: on the others as many are drawn "
                           "at random for each class.")  # fmt: skip


def _draw_paths(paths: steps.Paths, lam: float, count: int) -> None:
    for title, curves, name in (("Error (unlabelled)", paths.error, "error"),
                                ("Dirichlet energy", paths.energy, "energy")):  # fmt: skip
        finite = {method: rows for method, rows in curves.items() if np.isfinite(rows).any()}
        if not finite:
            st.caption("Errors are not known: your table has no classes of unlabelled rows.")
            continue
        figure = figures.bands(paths.lams, finite, lam=lam, y_title=title)
        shell.chart(figure, f"path-{name}-{paths.n_seeds}", f"{title} against λ")
    if count > 1:
        _seed_caption(paths.n_seeds)


def tune(settings: Settings) -> None:
    """Draw *Tune for me*: choose whole plans, or σ and λ, or μ and λ, by held-out labels."""
    with shell.fold("Tune for me", "tune", "tune") as fold:
        # Where the data choose the energy, only whole plans are compared.
        automatic = settings.energy.operator == AUTO
        titles = {tuning.PLANS: "All settings"} | ({} if automatic else tuning.PAIRS)
        kind = st.segmented_control(
            "Tune", list(titles), default=tuning.PLANS if automatic else "sigma",
            format_func=titles.get,
            key=f"tune-pair-{automatic}",
            help="Plans in which the data choose nearly everything, or two settings from a grid "
            "around the present ones. Labels are hidden in turn and guessed from the others.",
        )  # fmt: skip
        # Applying a result ends the search: the next one, around the new settings, is on request.
        turn = st.session_state.setdefault(_TURN, 0)
        if not kind or not st.toggle("Search", key=f"tune-on-{turn}", help="Fit every combination "
                                     "of the grid; this can be cancelled."):  # fmt: skip
            return
        if not fold.open:
            return
        base = settings.change(ask="off", plane="features", ax=0, ay=1)
        draw = _draw_plans if kind == tuning.PLANS else _draw_rows
        result = shell.long_work("labels-tune", "The search", tuning.search, base, kind, draw=draw)
        if result is None:
            return
        draw(result.rows)
        st.caption(tuning.verdict(result))
        changes = result.changes_of(result.best)
        if kind == tuning.PLANS:
            is_new = any(base.get(name) != value for name, value in changes.items())
            plan = "automatic" if result.best is result.reference else "best"
            label, words = f"Use the {plan} plan", "Take this plan over to the page."
        else:
            is_new = result.best is not result.reference
            symbols = {"sigma": "σ", "mu": "μ", "lam": "λ"}
            values = ", ".join(f"{symbols[k]} = {short(v)}" for k, v in changes.items())
            label, words = f"Use {values}", "Take the best row over to the page."
        if is_new:
            shell.button(label, "tune-apply", "", words, _use, changes)


def _use(changes: dict) -> None:
    """Apply a result of the search to the page, and end the search."""
    st.session_state[_TURN] += 1
    state.kind().keep()
    state.update(**changes)


def _draw_plans(rows: tuple) -> None:
    _draw_candidates(("Plan",), [((tuning.describe(row, rows[0]),), row) for row in rows])


def _draw_rows(rows: tuple) -> None:
    ordered = sorted(rows, key=tuning.errors_of)[:MOST_CANDIDATES]
    _draw_candidates(("σ", "μ", "λ"), [((row.bandwidth, row.mu, row.lam), row) for row in ordered])
    st.caption(f"The best {len(ordered)} of {len(rows)} combinations tried, best first.")


def _draw_candidates(heads: tuple[str, ...], rows: list[tuple[tuple, Candidate]]) -> None:
    wrong = "Hidden labels wrong"
    lines = [(*cells, 100 * row.error, row.squared_error) for cells, row in rows]
    st.markdown(table((*heads, wrong, "Squared error"), lines, {wrong: "{:.1f} %"}))


# ---- downloads ------------------------------------------------------------------------------


def take_away(settings: Settings) -> None:
    """Offer predictions for every row, and the labels; nothing for built-in data."""
    if settings.data.name != "table":
        return
    user_table = STORE.get(settings.data.source)
    stem = own_out.stem(user_table)
    with shell.fold("Take away", "download", "take") as fold, shell.guarded("The predictions"):
        if not fold.open:
            return
        st.caption(
            f"For all {user_table.n_rows:,} rows of your table, with the settings of this page. "
            "“Copy as Python” below is the script that computes them."
        )
        estimate = None
        words = "Evaluate the estimate at every row; then it can be downloaded."
        if shell.switch("Predictions of the kernel Laplacian", "own-take", words):
            estimate = shell.long_work("own-predictions", "Every row", own_out.estimated, settings)
        with st.container(horizontal=True):
            if estimate is not None:
                links.download(
                    "Predictions", lambda: own_out.predictions(settings.data, estimate),
                    f"{stem}-predictions.csv", "CSV: the whole table, with the number of each row "
                    "(the first below the header is 1; rows left out in reading have none), its "
                    "class, and the chances of all classes.",
                )  # fmt: skip
            marks = own_out.marks_of(user_table, settings)
            own_out.offer_labels(settings.data, marks, own_out.left_out(settings))
