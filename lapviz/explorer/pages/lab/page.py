"""Lab: the papers' experiments and one's own sweeps, run here or as measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from lapviz import figures
from lapviz.charts import points
from lapviz.experiments import records, registry
from lapviz.experiments.records import Results
from lapviz.explorer.compute import jobs
from lapviz.explorer.pages.lab import steps
from lapviz.explorer.pages.lab.settings import LAB, LabSettings, base, controls
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.share import links
from lapviz.explorer.stage.page import Page
from lapviz.explorer.widgets import shell
from lapviz.markdown import table

LOOK, REDRAW = 0.7, 2.0  # seconds between two looks at a run, and between its pictures
MOST_LINES = 300  # of the table of numbers
LONG_TEXT = 320  # characters of an experiment's text that is folded beside a run
_ASKED = "lapviz_lab_asked"  # the run that was asked for last
SIZES = {"small": "Small, runs here", "paper": "As in the paper"}


def _head(title: str, settings: LabSettings) -> None:
    """Experiment and size, what it is, and messages."""
    st.title(title, anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        titles = {name: registry.get(name).title for name in registry.names()}
        st.selectbox(
            "Experiment", list(titles), widget_keys.place(list(titles), settings.run.name),
            width=560,
            format_func=lambda name: f"{titles[name]} · {name}",
            **widget_keys.bind("w-lab-experiment", settings.run.name,
                               lambda name: state.put(base(name, settings.size))),
            help="What is measured; the name is that of the command line.",
        )  # fmt: skip
        st.segmented_control(
            "Size", list(SIZES), default=settings.size, format_func=SIZES.get,
            required=True,
            **widget_keys.bind("w-lab-size", settings.size,
                               lambda size: state.put(base(settings.run.name, size))),
            help="Run a small version here, or see what the paper's settings gave: they take too "
            "long for a page.",
        )  # fmt: skip
    experiment, place = settings.experiment, st.container()
    if len(experiment.text) > LONG_TEXT:
        place = st.expander("What it shows, and what was measured", icon=":material/menu_book:",
                            expanded=settings.size == "paper")  # fmt: skip
    source = f" *{shell.cited(experiment.source)}.*" if experiment.source else ""
    place.markdown(shell.cited(experiment.text) + source)
    shell.show_notes()


def _controls(settings: LabSettings) -> dict[str, tuple[str, Callable[[], None]]]:
    own = {"settings": ("Settings", lambda: controls(settings))}
    return own if settings.size == "small" else {}


def _runs(settings: LabSettings) -> None:
    with shell.guarded("The experiment"):
        if settings.size == "paper":
            _stored(settings)
        else:
            runs = jobs.running(steps.JOB) is not None
            st.fragment(_control, run_every=LOOK if runs else None)(runs)
            st.fragment(_measured, run_every=REDRAW if runs else None)()


# ---- a run on this page -----------------------------------------------------------------------


def _control(looks: bool) -> None:
    """Buttons and progress; ``looks``: whether it runs again and again. Light, so that “Cancel”
    never waits for a figure."""
    if looks != (jobs.running(steps.JOB) is not None):
        st.rerun()
    settings = state.settings()
    with shell.guarded("The experiment"):  # here: what leaves a fragment is shown by Streamlit
        done, job = steps.found(settings.run, st.session_state.get(_ASKED))
        _buttons(settings, done, job)
        if done is None and job is not None and job.state == "failed":
            job.result()


def _measured() -> None:
    """What there is of the run."""
    settings = state.settings()
    with shell.guarded("The experiment"):
        done, job = steps.found(settings.run, st.session_state.get(_ASKED))
        shown = done or (job.partial if job is not None else None)
        if shown is not None and shown.rows:
            _show(settings, shown)
            return
        stored = records.stored(settings.run.name)
        if stored is not None and (job is None or job.state != "running"):
            _as_stored(settings, stored)


def _plan(settings: LabSettings) -> str:
    """What “Run” will do, and how long it takes."""
    experiment, config = settings.experiment, settings.config
    trials, count = config.trials, len(experiment.tasks(config))
    words = f"Run measures {trials} trial{'s' * (trials > 1)} in {count} task{'s' * (count > 1)}"
    its = "" if settings == base(settings.run.name) else "; the settings it comes with take"
    words += f"{its or ','} about {experiment.seconds:g} s of computing"
    return f"{words}. The figure is drawn as they come."


def _buttons(settings: LabSettings, done: Results | None, job: jobs.Job | None) -> None:
    running = job is not None and job.state == "running"
    other = jobs.running(steps.JOB) if not running else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if running:
            st.button("Cancel", key="lab-cancel", icon=":material/stop:", on_click=job.cancel,
                      help="End this run; what is measured so far stays.")  # fmt: skip
            share = job.report.share if job.report else None
            st.progress(share or 0.0, _progress(job), width="stretch")
        elif done is None:
            again = job is not None and job.state == "cancelled"
            st.button("Go on" if again else "Run", key="lab-run", type="primary",
                      icon=":material/play_arrow:", on_click=_ask,
                      help="Measure with these settings; the page can be used meanwhile, and "
                      "left.")  # fmt: skip
            if again:
                had = job.partial
                kept = had is not None and had.done > 0
                st.caption(f"Cancelled after {had.done} of {had.total} tasks; they are kept."
                           if kept else "Cancelled before a task was done.")  # fmt: skip
            else:
                st.caption(_plan(settings))
    if other is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Another run is in progress.")
            st.button("Show it", key="lab-back", on_click=_back,
                      help="Its experiment and settings.")  # fmt: skip
            st.button("Cancel it", key="lab-other", on_click=other.cancel,
                      help="End that run; its finished tasks are kept.")  # fmt: skip


def _ask() -> None:
    run = state.settings().run
    try:
        steps.ask(run)
        st.session_state[_ASKED] = run
    except ValueError as error:
        state.tell(str(error))


def _back() -> None:
    if run := st.session_state.get(_ASKED):
        state.put(LabSettings(run))


def _progress(job: jobs.Job) -> str:
    place = job.position
    if job.report is None or not job.report.done:
        if job.report is not None and not job.report.total:
            return "Another visitor runs the same; its results will be shown here"
        return f"Waiting: number {place} in the queue of this host" if place else "Starting"
    words = f"{job.report.done:g} of {job.report.total:g} tasks, {job.seconds:.0f} s"
    words += f", about {job.left:.0f} s left" if job.left else ""
    return words + ("; others take their turn" if place else "")


# ---- what was measured ------------------------------------------------------------------------


def _stored(settings: LabSettings) -> None:
    """The paper's settings: the table that comes with lapviz, and the command."""
    name, results = settings.run.name, records.stored(settings.run.name)
    if results is not None:
        _as_stored(settings, results)
        return
    st.info("No run at this size comes with lapviz. This command makes one; it goes on where it "
            "stopped when it is given again.", icon=":material/info:")  # fmt: skip
    st.code(f"python -m lapviz.experiments {name} --size paper --out {name}.parquet",
            language="bash", wrap_lines=True)  # fmt: skip
    links.links(links.address(state.link()), settings.experiment.title, "lab")


def _as_stored(settings: LabSettings, results: Results) -> None:
    """The table that comes with lapviz, with what it is."""
    config = results.config
    whole = "" if results.complete else f", {results.done} of {results.total} tasks"
    same = config == settings.experiment.sizes["paper"]
    what = "the paper's settings" if same else "settings near the paper's"
    st.caption(
        f"**As measured on {results.date}**, with {what}: {config.trials} trials, seed "
        f"{config.seed}{whole}."
    )
    _show(settings, results)


def _show(settings: LabSettings, results: Results) -> None:
    """Draw the results; `settings` say which figure."""
    experiment = settings.experiment
    drawings = experiment.drawn(results.config)
    at = min(settings.figure, len(drawings) - 1)
    if len(drawings) > 1:
        st.segmented_control(
            "Figure", range(len(drawings)), default=at,
            required=True,
            format_func=lambda i: drawings[i].title or f"Figure {i + 1}",
            **widget_keys.bind("w-lab-figure", settings.figure,
                               lambda figure: state.put(replace(settings, figure=figure))),
            help="Different views of the same rows.",
        )  # fmt: skip
    drawing = drawings[at] if drawings else None
    if drawing is not None and points(results.rows, drawing):
        alt = f"{drawing.title or experiment.title}: the table below has the numbers"
        config = links.config_of("lab-image")
        shell.chart(_chart(results, drawing), "lab-figure", alt, config=config)
        with st.expander("The numbers behind the figure", icon=":material/table:"):
            st.markdown(_numbers(results, drawing))
    found = [f"- {shell.plain(f.sentence)}" for f in experiment.check(results.rows)]
    if found:
        st.markdown("\n".join(found))
    _take_away(settings, results, drawing)


def _chart(results: Results, drawing: registry.Drawing):
    return figures.chart(results.rows, drawing, seed=results.config.seed)


def _numbers(results: Results, drawing: registry.Drawing) -> str:
    shown, means = points(results.rows, drawing), drawing.summary == "mean"
    groups = [(name, part) for part in ("facet", "colour") if (name := getattr(drawing, part))]
    heads = [*(name for name, _ in groups), drawing.x_label or drawing.x,
             drawing.y_label or drawing.y, "Standard error" if means else "Quartiles", "Trials",
             *drawing.best_over]  # fmt: skip
    lines = []
    for p in shown[:MOST_LINES]:
        names = [shell.plain(drawing.name_of(getattr(p, part))) for _, part in groups]
        spread = f"{p.high - p.y:.2g}" if means else f"{p.low:.3g} – {p.high:.3g}"
        x = p.x if isinstance(p.x, int | float) else drawing.name_of(p.x)
        lines.append([*names, x, p.y, spread if p.n > 1 else None, p.n, *p.chosen.values()])
    text = table([shell.plain(head) for head in heads], lines)
    left = len(shown) - MOST_LINES
    return text + (f"\n\n{left} more are in the downloads." if left > 0 else "")


def _take_away(settings: LabSettings, results: Results, drawing: registry.Drawing | None) -> None:
    name = settings.run.name
    with st.expander("Take away", icon=":material/download:", expanded=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            links.download("CSV", results.to_csv, f"{name}.csv",
                           "All rows; the first line has the whole configuration.")  # fmt: skip
            links.download("Parquet", results.to_parquet, f"{name}.parquet",
                           "All rows; the metadata have the whole configuration.")  # fmt: skip
            if drawing is not None:
                links.download(
                    "Figure (HTML)", lambda: figures.to_html(
                        _chart(results, drawing), include_plotlyjs=True,
                        title=drawing.title or "lapviz"),
                    f"{name}.html", "One file that opens in any browser, with zoom and hover.",
                )  # fmt: skip
                links.image_format("lab-image")
        if settings.run.data is None:
            st.caption("The command that reproduces it:")
            st.code(results.command(), language="bash", wrap_lines=True)
        else:
            st.caption(
                "Your data stay with you, so no command or link holds them. In Python, "
                "`Sweep().on(load)` of `lapviz.experiments.sweep` runs on your own X and y."
            )
        links.links(links.address(state.link()), settings.experiment.title, "lab")


page = Page(
    path="lab",
    title="Lab",
    kind=LAB,
    first=base,
    head=_head,
    controls=_controls,
    rest=_runs,
)
