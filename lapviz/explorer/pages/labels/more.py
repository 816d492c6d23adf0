"""Parts of the Labels page below the stage: next point, path over λ, tuning."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lapviz import figures
from lapviz.explorer.compute import own_rows, points
from lapviz.explorer.pages.labels import path as label_path
from lapviz.explorer.pages.labels import query_curve, tuning, tuning_plans
from lapviz.explorer.pages.labels import table as label_table
from lapviz.explorer.scene.labels import LabelsView
from lapviz.explorer.session import open_panels, state
from lapviz.explorer.settings.records import AUTO, Settings
from lapviz.explorer.widgets import shell
from lapviz.markdown import table

PATH_LAMBDAS = tuple(float(lam) for lam in np.geomspace(1e-5, 1e4, 37))
SEEDS, CURVE_SEEDS = 10, 10
_TURN = "lapviz_tuning_turn"
PLANS = "plans"
MOST_ROWS = 12  # of the table of candidates
MOST_COLUMNS, MOST_TEXT = 20, 4000  # of a row that is shown


def next_point(shown: LabelsView, settings: Settings) -> None:
    """Which point to label next: the criterion, “Ask the truth”, and the curve against chance."""
    asked = settings.query.criterion != "off"
    if not asked:
        return
    with st.expander("Which point next", icon=":material/help_center:", expanded=True):
        _ask(settings, shown)
        if st.toggle("Compare with random choice", open_panels.is_on("query-on"),
                     key="query-on", on_change=state.write_url,
                     help=f"Label one point after the other on {CURVE_SEEDS} draws of the data, "
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
    st.caption(
        f"Best{more}: the point marked “?”, {called}; by the present estimate it is of "
        f"class “{shell.plain(names[following.likeliest])}”."
    )


def _about(settings: Settings, row: int) -> None:
    """What there is to see of a row: its image, or the columns of the visitor's table."""
    image = points.sample(settings.data).images(np.array([row]))
    if image is not None:
        st.image(label_table.data_url(image[0]), width=72)
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
    done = shell.long_work("labels-query", "Labels one by one", query_curve.query_curves,
                           plain, CURVE_SEEDS, draw=_draw_curves)  # fmt: skip
    if done is not None:
        _draw_curves(done)
        st.caption(query_curve.verdict(done))


def _draw_curves(curves: query_curve.QueryCurves) -> None:
    runs = {query_curve.NAMES[choice]: 1 - right for choice, right in curves.right.items()}
    n = len(next(iter(runs.values())))
    figure = figures.bands(curves.counts, runs, log_x=False, x_title="labels",
                           y_title="share of the points wrong")  # fmt: skip
    st.plotly_chart(figure, key=f"query-curve-{n}", theme=None,
                    alt="Share of the points wrong against the number of labels")  # fmt: skip
    _seeds(n, CURVE_SEEDS)


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

        def draw(paths: label_path.Paths) -> None:
            _draw_paths(paths, lam, count)

        done = shell.long_work("labels-path", "The path", label_path.label_paths,
                               key, PATH_LAMBDAS, count, draw=draw)  # fmt: skip
        if done is not None:
            draw(done)
            if many and settings.labels.chosen is not None:
                st.caption("Your labels are on this draw only: on the others as many are drawn "
                           "at random for each class.")  # fmt: skip


def _draw_paths(paths: label_path.Paths, lam: float, count: int) -> None:
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
        offered = {PLANS: "Whole plans"} | ({} if free else tuning.PAIRS)
        pair = st.segmented_control(
            "Tune", list(offered), default=PLANS if free else "sigma", format_func=offered.get,
            key=f"tune-pair-{free}", help="Plans in which the data choose nearly everything, or "
            "two settings from a grid around the present ones. Labels are hidden in turn and "
            "guessed from the others.",
        )  # fmt: skip
        # A search that was applied is over: the next one, around the new settings, is asked for.
        turn = st.session_state.setdefault(_TURN, 0)
        if not pair or not st.toggle("Search", key=f"tune-on-{turn}", help="Fit every combination "
                                     "of the grid; this can be cancelled."):  # fmt: skip
            return
        key = settings.change(ask="off", plane="features", ax=0, ay=1)
        if pair == PLANS:
            _plans(key)
            return
        done = shell.long_work("labels-tune", "The search", tuning.tune, key, pair,
                               draw=_draw_rows)  # fmt: skip
        if done is None:
            return
        _draw_rows(done.rows)
        st.caption(tuning.verdict(done))
        if done.best is done.present:
            return
        changes = done.changes
        words = ", ".join(f"{'σμλ'[['sigma', 'mu', 'lam'].index(k)]} = {v:.3g}"
                          for k, v in changes.items())  # fmt: skip
        _button(f"Use {words}", "Take the best row over to the page.", changes)


def _button(label: str, words: str, changes: dict) -> None:
    """Take a result of the search over to the page, and end the search."""
    st.button(label, key="tune-apply", help=words, on_click=_apply, args=(changes,))


def _apply(changes: dict) -> None:
    st.session_state[_TURN] += 1
    state.update(**changes)


def _plans(key: Settings) -> None:
    """The table of plans in words, the verdict, and a button that takes the best one."""
    done = shell.long_work("labels-tune", "The search", tuning_plans.tune_plans, key,
                           draw=_draw_plans)  # fmt: skip
    if done is None:
        return
    _draw_plans(done.rows)
    st.caption(tuning_plans.verdict(done))
    changes = done.changes
    if all(key.get(name) == value for name, value in changes.items()):
        return
    label = "Use the best plan" if done.best else "Use the automatic plan"
    _button(label, "Take this plan over to the page.", changes)


def _draw_plans(rows: tuple) -> None:
    heads = ("Plan", "Hidden labels wrong", "Squared error")
    lines = [(tuning_plans.words(r, rows[0]), 100 * r.error, r.squared_error) for r in rows]
    st.markdown(table(heads, lines, {"Hidden labels wrong": "{:.1f} %"}))


def _draw_rows(rows: tuple) -> None:
    ordered = sorted(rows, key=lambda row: (row.error, row.squared_error))[:MOST_ROWS]
    heads = ("σ", "μ", "λ", "Hidden labels wrong", "Squared error")
    lines = [(r.bandwidth, r.mu, r.lam, 100 * r.error, r.squared_error) for r in ordered]
    st.markdown(table(heads, lines, {"Hidden labels wrong": "{:.1f} %"}))
    st.caption(f"The best {len(ordered)} of {len(rows)} combinations tried, best first.")
