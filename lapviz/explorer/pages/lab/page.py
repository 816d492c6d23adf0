"""Lab: the papers' experiments and one's own sweeps, run here or with stored results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import streamlit as st

from lapviz import figures
from lapviz.charts import points
from lapviz.experiments import records, registry
from lapviz.experiments.records import Results
from lapviz.explorer.compute import jobs
from lapviz.explorer.pages.lab import steps
from lapviz.explorer.pages.lab.settings import LAB, LabSettings, base, controls
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.share import links, script
from lapviz.explorer.stage.page import Page
from lapviz.explorer.widgets import shell
from lapviz.markdown import plain, table

POLL, REDRAW = 0.7, 2.0  # seconds between two checks of a run, and between its figures
MOST_LINES = 300  # of the table behind the figure
FEW_FINDINGS = 8  # of which the fold is open
LONG_TEXT = 320  # characters above which an experiment's text is in a fold, closed beside a run


def _head(title: str, settings: LabSettings) -> None:
    """Draw the choice of experiment and size, its text, and messages."""
    st.title(title, anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        titles = {name: f"{registry.get(name).title} · {name}" for name in registry.names()}
        widget_keys.menu(
            st.selectbox, "Experiment", titles, settings.name,
            lambda name: LAB.replace(base(name, settings.size)), key="w-lab-experiment", width=560,
            help="What is measured; the name is that of the command line.",
        )  # fmt: skip
        full = "As in the paper" if settings.experiment.of_paper else "Full size"
        sizes = {"small": "Small, runs here", "paper": full}
        widget_keys.menu(
            st.segmented_control, "Size", sizes, settings.size,
            lambda size: LAB.replace(base(settings.name, size)), key="w-lab-size", required=True,
            help="Run a small version here, or see what the full one gave: it takes too long for a "
            "page.",
        )  # fmt: skip
    experiment, place = settings.experiment, st.container()
    if len(experiment.text) > LONG_TEXT:
        place = st.expander("What it shows, and what was measured", icon=":material/menu_book:",
                            expanded=settings.size == "paper")  # fmt: skip
    source = f" *{shell.cited(experiment.source)}.*" if experiment.source else ""
    place.markdown(shell.cited(experiment.text) + source)
    shell.show_notes()


def _controls(settings: LabSettings) -> dict[str, Callable[[LabSettings], None]]:
    return {"settings": controls} if settings.size == "small" else {}


def _runs(settings: LabSettings) -> None:
    with shell.guarded("The experiment"):
        if settings.size == "paper":
            _stored(settings)
        else:
            now = _state(settings)
            is_running = now[1]
            st.fragment(_status, run_every=POLL if is_running else None)(now)
            st.fragment(_results, run_every=REDRAW if is_running else None)()


# ---- a run on this page -----------------------------------------------------------------------


def _state(settings: LabSettings) -> tuple[steps.Run, bool, bool]:
    """The run of the settings, whether any is in progress, and whether this one has results."""
    results, _ = steps.results_and_job(settings.run)
    return settings.run, jobs.running(steps.JOB) is not None, results is not None


def _status(drawn: tuple[steps.Run, bool, bool]) -> None:
    """Draw buttons and progress; ``drawn``: the state with which the page was drawn. It is light,
    so that “Cancel” never waits for a figure."""
    settings = state.settings()
    # “Show it” reruns this part alone; a run of finished tasks may end before the first look.
    if drawn != _state(settings):
        st.rerun()
    with shell.guarded("The experiment"):  # here: errors that leave a fragment are Streamlit's
        results, job = steps.results_and_job(settings.run)
        _buttons(settings, results, job)
        if results is None and job is not None and job.state == "failed":
            job.result()


def _results() -> None:
    """Draw the results so far, or else the stored ones."""
    settings = state.settings()
    with shell.guarded("The experiment"):
        results, job = steps.results_and_job(settings.run)
        shown = results or (job.partial if job is not None else None)
        if results is not None or (shown is not None and shown.rows):
            _show(settings, shown)
            return
        stored = records.stored(settings.name)
        if stored is not None and (job is None or job.state != "running"):
            _as_stored(settings, stored)


def _plan(settings: LabSettings) -> str:
    """Say what “Run” will do, and how long it takes."""
    experiment, config = settings.experiment, settings.config
    trials, count = config.trials, len(experiment.tasks(config))
    words = f"Run measures {trials} trial{'s' * (trials > 1)} in {count} task{'s' * (count > 1)}"
    is_default = settings == base(settings.name)
    words += "," if is_default else "; with default settings it takes"
    words += f" about {experiment.seconds:g} s of computing"
    return f"{words}. The figure is drawn as results arrive."


def _buttons(settings: LabSettings, results: Results | None, job: jobs.Job | None) -> None:
    running = job is not None and job.state == "running"
    other = jobs.running(steps.JOB) if not running else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if running:
            words = "End this run; results so far are kept."
            shell.button("Cancel", "lab-cancel", "stop", words, job.cancel)
            st.progress(job.share, _progress(job), width="stretch")
        elif results is None:
            again = job is not None and job.state == "cancelled"
            label = "Go on" if again else "Run"
            words = "Measure with these settings; you can use or leave the page meanwhile."
            shell.button(label, "lab-run", "play_arrow", words, _run, type="primary")
            if again:
                n_done = 0 if job.partial is None else job.partial.done
                st.caption(f"Cancelled after {n_done} of {job.partial.total} tasks; they are kept "
                           "until you reload the page." if n_done
                           else "Cancelled before a task was done.")  # fmt: skip
            else:
                st.caption(_plan(settings))
        else:
            st.caption(f"Measured on {results.date} with these settings; change one, such as the "
                       "seed, to measure anew.")  # fmt: skip
    if other is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            words = "" if results else "; it ends if you run this one, and keeps its finished tasks"
            st.caption(f"Another run is in progress{words}.")
            shell.button("Show it", "lab-back", "", "Its experiment and settings.", _back, other)
            words = "End that run; its finished tasks are kept."
            shell.button("Cancel it", "lab-other", "", words, other.cancel)


def _run() -> None:
    try:
        steps.ask(state.settings().run)
    except ValueError as error:
        state.tell(str(error))


def _back(job: jobs.Job) -> None:
    if job.work:  # else it was discarded
        _, run = job.work
        state.put(LabSettings(run.name, run.config, run.data))


def _progress(job: jobs.Job) -> str:
    place = job.position
    if job.report is None or not job.report.done:
        if job.report is not None and not job.report.total:
            return (
                "The same run is in progress, another visitor’s or yours from before a reload; "
                "the results will be shown here"
            )
        return f"Waiting: number {place} in the queue of this host" if place else "Starting"
    words = f"{job.report.done:g} of {job.report.total:g} tasks, {job.seconds:.0f} s"
    words += f", about {job.left:.0f} s left" if job.left else ""
    return words + ("; others take their turn" if place else "")


# ---- results ----------------------------------------------------------------------------------


def _stored(settings: LabSettings) -> None:
    """Draw the stored results of the paper's settings, or the command that computes them."""
    name, results = settings.name, records.stored(settings.name)
    if results is not None:
        _as_stored(settings, results)
        return
    st.info("No results at this size come with lapviz. This command computes them; run it again to "
            "go on where it stopped.", icon=":material/info:")  # fmt: skip
    st.code(f"python -m lapviz.experiments {name} --size paper --out {name}.parquet",
            language="bash", wrap_lines=True)  # fmt: skip
    links.links(links.address(state.link()), settings.experiment.title, "lab")


def _as_stored(settings: LabSettings, results: Results) -> None:
    """Draw stored results, with their date and settings."""
    part = "" if results.complete else f", {results.done} of {results.total} tasks"
    words = ""
    if settings.experiment.of_paper:
        as_printed = results.config == settings.experiment.sizes["paper"]
        words = f", with {'the paper’s settings' if as_printed else 'settings near the paper’s'}"
    st.caption(
        f"**As measured on {results.date}**{words}: {_trials_stored(settings.name)}, "
        f"seed {results.config.seed}{part}."
    )
    _show(settings, results)


@lru_cache(maxsize=64)
def _trials_stored(name: str) -> str:
    """Number of trials of an experiment's stored results, of which some points may have fewer."""
    results = records.stored(name)
    drawings, trials = registry.get(name).drawn(results.config), results.config.trials
    fewer = any(p.n < trials for drawing in drawings for p in points(results.rows, drawing))
    return f"{'up to ' * fewer}{trials} trials"


def _show(settings: LabSettings, results: Results) -> None:
    """Draw results: the figure that `settings` name, its numbers, findings, and downloads."""
    experiment = settings.experiment
    drawings = experiment.drawn(results.config)
    index = min(settings.figure, len(drawings) - 1)
    drawing = drawings[index]
    if len(drawings) > 1:
        widget_keys.menu(
            st.segmented_control, "Figure",
            {i: drawing.heading for i, drawing in enumerate(drawings)}, index, _choose,
            key="w-lab-figure", required=True, help="Different views of the same rows.",
        )  # fmt: skip
    has_values = bool(points(results.rows, drawing))
    if not has_values:
        st.caption("With these settings no row has a value for this figure.")
    else:
        alt = f"{drawing.title or experiment.title}: the table below has the numbers"
        config = links.config_of("lab-image")
        shell.chart(_chart(results, drawing), "lab-figure", alt, config=config)
        with st.expander("The numbers behind the figure", icon=":material/table:"):
            st.markdown(_numbers(results, drawing))
    findings = [f"- {plain(f.sentence)}" for f in experiment.check(results.rows)]
    if findings:
        with st.expander("What follows from the numbers", icon=":material/functions:",
                         expanded=len(findings) <= FEW_FINDINGS):  # fmt: skip
            st.markdown("\n".join(findings))
    _take_away(settings, results, drawing if has_values else None)


def _choose(figure: int) -> None:
    state.put(replace(state.settings(), figure=figure))
    state.write_url()  # here, since the results run alone


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
        names = [plain(drawing.name_of(getattr(p, part))) for _, part in groups]
        spread = f"{p.high - p.y:.2g}" if means else f"{p.low:.3g} – {p.high:.3g}"
        x = p.x if isinstance(p.x, int | float) else drawing.name_of(p.x)
        lines.append([*names, x, p.y, spread if p.n > 1 else None, p.n, *p.chosen.values()])
    text = table([plain(head) for head in heads], lines)
    left = len(shown) - MOST_LINES
    return text + (f"\n\n{left} more are in the downloads." if left > 0 else "")


def _take_away(settings: LabSettings, results: Results, drawing: registry.Drawing | None) -> None:
    """Draw the downloads, that of the figure if there is one, and the command."""
    name = settings.name
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
        if settings.data is None:
            st.caption("The command that reproduces it:")
            st.code(script.command(results), language="bash", wrap_lines=True)
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
    footer=_runs,
)
