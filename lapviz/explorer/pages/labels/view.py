"""What stands below the stage of the Labels page: numbers, labels as a table, further work."""

from __future__ import annotations

import base64
import io

import numpy as np
import pandas as pd
import streamlit as st

from lapviz import figures
from lapviz._extras import pillow
from lapviz.explorer.compute import own_rows, points
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.labels import steps
from lapviz.explorer.scene.labels import LabelsView
from lapviz.explorer.session import open_panels, state
from lapviz.explorer.settings.records import AUTO, Settings
from lapviz.explorer.share import own_out
from lapviz.explorer.widgets import leaving, shell
from lapviz.labels import Label
from lapviz.markdown import table
from lapviz.tables.names import fresh

PATH_LAMBDAS = tuple(float(lam) for lam in np.geomspace(1e-5, 1e4, 37))
SEEDS = 10  # of paths, and of curves over the labels
_TURN = "lapviz_tuning_turn"
MOST_CONFUSIONS = 3  # told in a line
MOST_ROWS = 12  # of the table of candidates
MOST_COLUMNS, MOST_TEXT = 20, 4000  # of a row that is shown
COLUMNS = ("image", "row", "class", "or", "x", "y")
CRISP = 32  # pixels along the shorter side: a table smooths an image that it makes larger


def scores(shown: LabelsView) -> None:
    """Accuracy, energy and time of each method, and what they are of: a fold, if there are any."""
    if shown.scores:
        with st.expander("Accuracy, energy and time", icon=":material/leaderboard:"):
            _scores(shown)


def _scores(shown: LabelsView) -> None:
    heads = ("Method", "Accuracy (unlabelled)", "Dirichlet energy", "Fit time")
    rows = []
    for s in shown.scores:
        share = None if s.accuracy is None else 100 * s.accuracy
        time = None if s.seconds is None else 1000 * s.seconds
        rows.append((s.method, share, s.energy, time))
    formats = {"Accuracy (unlabelled)": "{:.1f} %", "Fit time": "{:.0f} ms"}
    st.markdown(
        table(heads, rows, formats),
        help="Accuracy: share of the unlabelled points that get their true class. Energy: mean "
        "squared gradient of the estimate along the chosen directions; the graph's function has "
        "no gradient, so its energy is that of its projection on the first 64 eigenfunctions "
        "(not computed above 20 000 points). With class balance: the energy before it. "
        " Fit time: of a fit from scratch on this host.",
    )
    n, labels = shown.n_samples, f"{shown.n_labels} label{'s' * (shown.n_labels != 1)}"
    lam = shown.settings.estimate.lam
    words = f"{n:,} points, {labels}, σ = {shown.bandwidth:.3g}, μ = {shown.mu:.3g}, λ = {lam:.3g}"
    if shown.drawn < n:
        words += f"; {shown.drawn:,} of the points are drawn"
    st.caption(words)


def confusions(shown: LabelsView) -> None:
    """Which classes the main method takes for which: the largest in a line, all of them folded."""
    main = shown.scene.panels[shown.scene.first].title
    counts = np.array(next((s.confusion for s in shown.scores if s.method == main), ()), dtype=int)
    wrong = counts.sum() - np.trace(counts) if counts.size else 0
    if not wrong:
        return
    names = [shell.plain(name) for name in shown.scene.classes]
    off = counts - np.diag(np.diag(counts))
    worst = np.argsort(off, axis=None, kind="stable")[::-1][:MOST_CONFUSIONS]
    pairs = [divmod(int(at), len(names)) for at in worst]
    told = (f"{names[true]} taken for {names[given]} ({off[true, given]:,})"
            for true, given in pairs if off[true, given])  # fmt: skip
    st.caption(f"{main}: {wrong:,} of {counts.sum():,} are wrong, most often {', '.join(told)}.")
    if len(names) == 2:
        return
    with st.expander("Which class is taken for which", icon=":material/grid_on:"):
        rows = [[name, *(int(count) or None for count in row)]
                for name, row in zip(names, counts, strict=True)]  # fmt: skip
        st.markdown(
            table(["True class", *names], rows, missing="·"),
            help="Rows: the true class; columns: the class that its unlabelled points get.",
        )


def next_point(shown: LabelsView, settings: Settings) -> None:
    """Which point to label next: the criterion, “Ask the truth”, and the curve against chance."""
    if settings.query.criterion == "off":
        return
    with st.expander("Which point next", icon=":material/help_center:", expanded=True):
        _ask(settings, shown)
        if st.toggle("Compare with random choice", open_panels.is_on("query-on"),
                     key="query-on", on_change=state.write_url,
                     help=f"Label one point after the other on {SEEDS} draws of the data, "
                     "by each criterion and at random, and count what is right."):  # fmt: skip
            _curve(settings)


def _ask(settings: Settings, shown: LabelsView) -> None:
    following = shown.next
    if following is None:
        st.caption("There is no point to ask for: the panel on the stage says why.")
        return
    names = settings.data.info.class_names
    called = shell.plain(own_rows.name(settings.data, following.row))
    _about(settings, following.row)
    if following.truth < 0:
        _tell(following.row, called, names, following.likeliest)
    else:
        st.button("Ask the truth", key="ask-truth", icon=":material/new_label:",
                  on_click=_label, args=(following.row, following.truth),
                  help="Give the marked point its true class. Undo on the stage takes it back.",
                  )  # fmt: skip
    more = "" if shown.drawn == shown.n_samples else f" of the {shown.drawn:,} drawn points"
    told = f"by the present estimate it is of class “{shell.plain(names[following.likeliest])}”"
    told = told if shown.n_labels else "no label tells its class yet"
    st.caption(f"Best{more}: the point marked “?”, {called}; {told}.")


def _about(settings: Settings, row: int) -> None:
    """What there is to see of a row: its image, or the columns of the visitor's table."""
    image = points.sample(settings.data).images(np.array([row]))
    if image is not None:
        st.image(data_url(image[0]), width=72)
    held = own_rows.cells(settings.data, row)
    lines = [f"**{shell.plain(name)}** {shell.plain(_cut(text))}" for name, text in held]
    if len(lines) > MOST_COLUMNS:
        lines = [*lines[:MOST_COLUMNS], f"… and {len(lines) - MOST_COLUMNS} more columns"]
    if lines:
        st.markdown("  \n".join(lines))


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


def _tell(row: int, called: str, names: tuple[str, ...], likeliest: int) -> None:
    """Ask the visitor, who alone may know the class."""
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    key = f"ask-class-{row}"
    left.selectbox(
        f"Class of the point marked “?” ({called})", range(len(names)), index=likeliest,
        format_func=lambda k: names[k], key=key,
        help="Its class is not in your table: what is it? The likeliest one is chosen.",
    )  # fmt: skip
    words = "Give the marked point this class. Undo on the stage takes it back."
    right.button("Label it", key=f"ask-give-{row}", icon=":material/new_label:", help=words,
                 on_click=lambda: _label(row, st.session_state[key]))  # fmt: skip


def _label(row: int, code: int) -> None:
    settings = state.settings()
    state.update(marks=points.with_label(settings.data, settings.labels, row, code))


def _curve(settings: Settings) -> None:
    plain = settings.change(marks=None, ask="off", show="learnt", plane="features", ax=0, ay=1)
    done = shell.long_work("labels-query", "Labels one by one", steps.query_curves,
                           plain, SEEDS, draw=_draw_curves)  # fmt: skip
    if done is not None:
        _draw_curves(done)
        st.caption(steps.on_chance(done))


def _draw_curves(curves: steps.QueryCurves) -> None:
    runs = {steps.NAMES[choice]: 1 - right for choice, right in curves.right.items()}
    n = len(next(iter(runs.values())))
    figure = figures.bands(curves.counts, runs, log_x=False, x_title="labels",
                           y_title="share of the points wrong")  # fmt: skip
    st.plotly_chart(figure, key=f"query-curve-{n}", theme=None,
                    alt="Share of the points wrong against the number of labels")  # fmt: skip
    _seeds(n, SEEDS)


def _seeds(n: int, total: int) -> None:
    words = f"Mean over {n} seeds; the band goes from the 10 % to the 90 % quantile."
    st.caption(words if n > 1 else f"One draw so far, of {total}: bands need two.")


def path(shown: LabelsView, settings: Settings) -> None:
    """Error and energy against λ for all methods."""
    unfolded = open_panels.asked_for("path")
    with st.expander("Regularisation path", icon=":material/show_chart:", expanded=unfolded):
        if not st.toggle("Compute", open_panels.is_on("path-on"),
                         key="path-on", on_change=state.write_url,
                         help="Fit every method for 37 values of λ and plot error and energy "
                         "against λ."):  # fmt: skip
            return
        many = st.toggle(
            f"Bands over {SEEDS} seeds", open_panels.is_on("path-seeds"),
            key="path-seeds", on_change=state.write_url,
            help="Draw data and labels anew with the seeds that follow the page's own, and show "
            "the mean and the band from the 10 % to the 90 % quantile.",
        )  # fmt: skip
        lam = shown.settings.estimate.lam
        # λ is the axis: moving it does not compute the curves anew.
        key = settings.change(lam=1.0, ask="off")
        count = SEEDS if many else 1

        def draw(paths: steps.Paths) -> None:
            _draw_paths(paths, lam, count)

        done = shell.long_work("labels-path", "The path", steps.label_paths,
                               key, PATH_LAMBDAS, count, draw=draw)  # fmt: skip
        if done is not None:
            draw(done)
            if many and settings.labels.chosen is not None:
                st.caption("Your labels are on this draw only: on the others as many are drawn "
                           "at random for each class.")  # fmt: skip


def _draw_paths(paths: steps.Paths, lam: float, count: int) -> None:
    for title, runs, name in (("Error (unlabelled)", paths.error, "error"),
                              ("Dirichlet energy", paths.energy, "energy")):  # fmt: skip
        known = {method: rows for method, rows in runs.items() if np.isfinite(rows).any()}
        figure = figures.bands(paths.lams, known, lam=lam, y_title=title)
        st.plotly_chart(figure, key=f"path-{name}-{paths.n_seeds}", theme=None,
                        alt=f"{title} against λ")  # fmt: skip
    if count > 1:
        _seeds(paths.n_seeds, count)


def tune(settings: Settings) -> None:
    """*Tune for me*: whole plans, or σ and λ, or μ and λ, by hiding labels."""
    with st.expander("Tune for me", icon=":material/tune:"):
        # Where the data choose the energy, plans are compared as a whole.
        free = settings.energy.operator == AUTO
        offered = {steps.PLANS: "Whole plans"} | ({} if free else steps.PAIRS)
        what = st.segmented_control(
            "Tune", list(offered), default=steps.PLANS if free else "sigma",
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
        draw = _draw_plans if what == steps.PLANS else _draw_rows
        done = shell.long_work("labels-tune", "The search", steps.tune, key, what, draw=draw)
        if done is None:
            return
        draw(done.rows)
        st.caption(steps.verdict(done))
        changes = done.changes
        if what == steps.PLANS:
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
    heads = ("Plan", "Hidden labels wrong", "Squared error")
    lines = [(steps.words(r, rows[0]), 100 * r.error, r.squared_error) for r in rows]
    st.markdown(table(heads, lines, {"Hidden labels wrong": "{:.1f} %"}))


def _draw_rows(rows: tuple) -> None:
    ordered = sorted(rows, key=lambda row: (row.error, row.squared_error))[:MOST_ROWS]
    heads = ("σ", "μ", "λ", "Hidden labels wrong", "Squared error")
    lines = [(r.bandwidth, r.mu, r.lam, 100 * r.error, r.squared_error) for r in ordered]
    st.markdown(table(heads, lines, {"Hidden labels wrong": "{:.1f} %"}))
    st.caption(f"The best {len(ordered)} of {len(rows)} combinations tried, best first.")


# ---- the labels as a table ------------------------------------------------------------------


def label_table(settings: Settings) -> None:
    """The labels to edit as a table."""
    with st.expander("Labels as a table", icon=":material/table:"):
        data = points.sample(settings.data)
        given = points.labelled(settings.data, settings.labels)
        st.caption("Change a class, add a row of the data, or delete lines: the pictures follow.")
        planar = data.X.shape[1] == 2
        images = None if (given.index < 0).any() else data.images(given.index)
        numbers = own_rows.numbers(settings.data)
        named = None if (given.index < 0).any() else own_rows.identities(settings.data, given.index)
        frame = to_frame(given.labels, data.class_names, planar, images, numbers, named)
        edited = st.data_editor(
            frame,
            key=f"label-table-{hash(tuple(label.lasting() for label in given.labels))}",
            num_rows="dynamic",
            hide_index=True,
            disabled=[name for name in frame if name not in COLUMNS[1:]],
            row_height=44 if images is not None else None,
            column_config={
                "image": st.column_config.ImageColumn("Image", help="The row as an image."),
                "row": st.column_config.NumberColumn(
                    "Row", min_value=-1, max_value=int(numbers[-1]), step=1,
                    help="Row of the data, counted from 1; -1: a point added at x, y.",
                ),
                "class": st.column_config.SelectboxColumn(
                    "Class", options=list(data.class_names), help="The label of the point."
                ),
                "or": st.column_config.TextColumn(
                    "Or", help="Further classes that the point may have, joined by commas."
                ),
                "x": st.column_config.NumberColumn("x", help="Only for an added point."),
                "y": st.column_config.NumberColumn("y", help="Only for an added point."),
            },
        )  # fmt: skip
        if not edited.equals(frame):
            marks = from_frame(edited, data.class_names, numbers, planar)
            if isinstance(marks, str):
                st.caption(marks)
            elif marks != given.labels and settings == state.settings():
                state.update(marks=marks)
                st.rerun()


def to_frame(
    labels: tuple[Label, ...],
    classes: tuple[str, ...],
    planar: bool,
    images: np.ndarray | None = None,
    numbers: np.ndarray | None = None,
    named: tuple[str, list] | None = None,
) -> pd.DataFrame:
    """One line for each label: row (-1 for a free label), class, other candidates, x and y.

    Rows have their ``numbers`` (n_samples,), by default from 1 on. x and y are there for planar
    data only; other candidate classes are joined by commas. ``images`` (n_labels, height, width),
    bytes with 255 for ink, fill a first column; ``named`` is a column that names the rows.
    """
    rows = [label.index if label.free else _number(label.index, numbers) for label in labels]
    frame = pd.DataFrame(
        {
            "row": pd.array(rows, dtype="Int64"),
            "class": [classes[label.code] for label in labels],
            "or": [", ".join(classes[code] for code in label.others) for label in labels],
        }
    ).astype({"class": "object", "or": "object"})  # also when there is no label
    if planar:
        place = [label.place if label.free else (np.nan, np.nan) for label in labels]
        frame["x"], frame["y"] = np.array(place, dtype=float).reshape(-1, 2).T
    if named is not None:
        frame.insert(
            0, fresh(named[0], COLUMNS), ["" if cell is None else str(cell) for cell in named[1]]
        )
    if images is not None:
        frame.insert(0, "image", [data_url(image) for image in images])
    return frame


def _number(index: int, numbers: np.ndarray | None) -> int:
    return index + 1 if numbers is None else int(numbers[index])


def data_url(image: np.ndarray) -> str:
    """An image as a PNG in black on white; every pixel becomes a square of several."""
    times = -(-CRISP // min(image.shape))
    grey = np.kron(255 - image, np.ones((times, times), np.uint8))
    file = io.BytesIO()
    pillow().fromarray(grey).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def from_frame(
    frame: pd.DataFrame, classes: tuple[str, ...], numbers: np.ndarray, planar: bool
) -> tuple[Label, ...] | str:
    """The labels of an edited table (the last line about a point counts), or an error message.

    ``numbers`` (n_samples,), ascending, are those of the rows.
    """
    labels: dict[object, Label] = {}
    places = {int(number): index for index, number in enumerate(numbers)}
    for line in frame.to_dict("records"):
        row, name = line["row"], line["class"]
        if pd.isna(name) or name not in classes:
            return "A line has no class yet."
        words = line.get("or")
        names = [w.strip() for w in words.split(",")] if isinstance(words, str) else []
        others = tuple(classes.index(n) for n in names if n in classes)
        if unknown := [n for n in names if n and n not in classes]:
            return f"There is no class “{unknown[0][:40]}”: the classes are {', '.join(classes)}."
        code = classes.index(name)
        if pd.notna(row) and int(row) in places:
            label = Label(places[int(row)], code, None, others)
        elif planar and pd.notna(line.get("x")) and pd.notna(line.get("y")):
            label = Label(-1, code, (float(line["x"]), float(line["y"])), others)
        else:
            free = ", or -1 with x and y" if planar else ""
            some = "" if len(numbers) == numbers[-1] - numbers[0] + 1 else " that this page shows"
            return f"A line needs a row from {numbers[0]} to {numbers[-1]}{some}{free}."
        labels[label.key] = label
    return tuple(labels.values())


# ---- what is taken away ---------------------------------------------------------------------


def take_away(settings: Settings) -> None:
    """Predictions for every row, and the labels; nothing for other data."""
    if settings.data.name != "table":
        return
    leaving.guard("labels")
    thing = STORE.get(settings.data.source)
    stem = own_out.stem(thing)
    with st.expander("Take away", icon=":material/download:"), shell.guarded("The predictions"):
        st.caption(
            f"For all {thing.n_rows:,} rows of your table, with the settings of this page. “Copy "
            "as Python” below is the recipe."
        )
        made = None
        words = "Evaluate the estimate at every row; then it can be downloaded."
        if st.toggle("Predictions of the kernel Laplacian", key="own-take", help=words):
            made = shell.long_work("own-predictions", "Every row", own_out.estimated, settings)
        with st.container(horizontal=True):
            if made is not None:
                st.download_button(
                    "Predictions", lambda: own_out.predictions(settings.data, made),
                    key="own-take-predictions", file_name=f"{stem}-predictions.csv",
                    mime="text/csv", on_click="ignore",
                    help="CSV: the whole table, with the number of each row (the first below the "
                    "header is 1), its class, and the chances of all classes.",
                )  # fmt: skip
            marks = own_out.marks_of(settings.data, settings)
            st.download_button(
                "Labels", lambda: own_out.labels(settings.data, marks), mime="text/csv",
                key="own-take-labels", file_name=f"{stem}-labels.csv", on_click=leaving.saved,
                help="CSV: every row of the file, its label there, and the one set by hand.",
            )  # fmt: skip
