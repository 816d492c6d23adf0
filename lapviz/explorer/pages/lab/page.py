"""Lab: the papers' experiments and one's own sweeps, run here or as measured."""

from __future__ import annotations

import streamlit as st

from lapviz.experiments import records, registry
from lapviz.experiments.records import Results
from lapviz.explorer.compute import cache, jobs
from lapviz.explorer.pages.lab import controls as lab_controls
from lapviz.explorer.pages.lab import results as lab_results
from lapviz.explorer.pages.lab import runs as lab_runs
from lapviz.explorer.pages.lab import settings as lab_settings
from lapviz.explorer.pages.lab import state as lab_state
from lapviz.explorer.pages.lab.settings import LabSettings, Run
from lapviz.explorer.session import widget_keys
from lapviz.explorer.share import links
from lapviz.explorer.widgets import shell

LOOK, REDRAW = 0.7, 2.0  # seconds between two looks at a run, and between its pictures
LONG_TEXT = 320  # characters of an experiment's text that is folded beside a run
SIZES = {"small": "Small, runs here", "paper": "As in the paper"}


def page() -> None:
    """The page, for `st.Page`."""
    lab_state.enter()
    settings = lab_state.settings()
    st.title("Lab", anchor=False)
    _choose(settings)
    for sentence in lab_state.notes():
        st.warning(shell.plain(sentence), icon=":material/info:")
    if settings.size == "small":
        with st.sidebar:
            st.button("Reset", key="lab-reset", icon=":material/restart_alt:", width="stretch",
                      on_click=lab_state.choose, args=(settings.run.name, settings.size),
                      help="Restore the experiment's own settings.")  # fmt: skip
            with (
                st.expander("Settings", expanded=True),
                shell.guarded("“Settings”"),
            ):
                lab_controls.show(settings)
    with shell.guarded("The experiment"):
        if settings.size == "paper":
            _stored(settings)
        else:
            runs = jobs.running(lab_runs.JOB) is not None
            st.fragment(_control, run_every=LOOK if runs else None)(runs)
            st.fragment(_measured, run_every=REDRAW if runs else None)()
    lab_state.write_url()


def _choose(settings: LabSettings) -> None:
    """Experiment and size, and what it is."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        titles = {name: registry.get(name).title for name in registry.names()}
        key = widget_keys.bind("w-lab-experiment", settings.run.name)
        st.selectbox(
            "Experiment", list(titles), widget_keys.place(list(titles), settings.run.name),
            key=key, width=560,
            format_func=lambda name: f"{titles[name]} · {name}",
            on_change=lambda: lab_state.choose(st.session_state[key], settings.size),
            help="What is measured; the name is that of the command line.",
        )  # fmt: skip
        size = widget_keys.bind("w-lab-size", settings.size)
        st.segmented_control(
            "Size", list(SIZES), default=settings.size, key=size, format_func=SIZES.get,
            required=True,
            on_change=lambda: lab_state.choose(settings.run.name, st.session_state[size]),
            help="Run a small version here, or see what the paper's settings gave: they take too "
            "long for a page.",
        )  # fmt: skip
    experiment = settings.experiment
    source = f" *{shell.cited(experiment.source)}.*" if experiment.source else ""
    if len(experiment.text) <= LONG_TEXT:
        st.markdown(shell.cited(experiment.text) + source)
        return
    with st.expander("What it shows, and what was measured", icon=":material/menu_book:",
                     expanded=settings.size == "paper"):  # fmt: skip
        st.markdown(shell.cited(experiment.text) + source)


# ---- a run on this page -----------------------------------------------------------------------


def _control(looks: bool) -> None:
    """Buttons and progress; ``looks``: whether it runs again and again. Light, so that “Cancel”
    never waits for a figure."""
    if looks != (jobs.running(lab_runs.JOB) is not None):
        st.rerun()
    settings = lab_state.settings()
    with shell.guarded("The experiment"):  # here: what leaves a fragment is shown by Streamlit
        done, job = _done(settings.run)
        _buttons(settings, done, job)
        if done is None and job is not None and job.state == "failed":
            job.result()


def _measured() -> None:
    """What there is of the run."""
    settings = lab_state.settings()
    with shell.guarded("The experiment"):
        done, job = _done(settings.run)
        shown = done or (job.partial if job is not None else None)
        if shown is not None and shown.rows:
            lab_results.show(settings, shown)
        elif job is None or job.state != "running":
            _as_stored(settings, records.stored(settings.run.name))


def _plan(settings: LabSettings) -> str:
    """What “Run” will do, and how long it takes."""
    experiment, config = settings.experiment, settings.config
    trials, count = config.trials, len(experiment.tasks(config))
    words = f"Run measures {trials} trial{'s' * (trials > 1)} in {count} task{'s' * (count > 1)}"
    if settings == lab_settings.base(settings.run.name):
        words += f", about {experiment.seconds:g} s of computing"
    else:
        words += f"; the settings it comes with take about {experiment.seconds:g} s of computing"
    return f"{words}. The figure is drawn as they come."


def _done(run: Run) -> tuple[Results | None, jobs.Job | None]:
    """The run's results if it is done, and its job if it is the one that was asked for."""
    done, job = cache.peek(lab_runs.measured, run), _job(run)
    if done is None and job is not None and job.state == "done":
        done = job.result()  # too large for the cache
    return done, job


def _job(run: Run) -> jobs.Job | None:
    """The job of this run, if it is the one that was asked for; looking at it keeps it alive."""
    if lab_state.asked() != run:
        return None
    job = jobs.known(lab_runs.JOB)
    if job is None or job.work != (lab_runs.measured, run):
        return None
    job.wait(0)
    return job


def _buttons(settings: LabSettings, done: Results | None, job: jobs.Job | None) -> None:
    running = job is not None and job.state == "running"
    other = jobs.running(lab_runs.JOB) if not running else None
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
    try:
        lab_runs.ask(lab_state.settings().run)
    except ValueError as error:
        lab_state.tell(str(error))
        return
    lab_state.ask()


def _back() -> None:
    run = lab_state.asked()
    if run is not None:
        lab_state.put(LabSettings(run))


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
    results = records.stored(settings.run.name)
    name = settings.run.name
    if results is None:
        st.info("No run at this size comes with lapviz. This command makes one; it goes on where "
                "it stopped when it is given again.", icon=":material/info:")  # fmt: skip
        st.code(f"python -m lapviz.experiments {name} --size paper --out {name}.parquet",
                language="bash", wrap_lines=True)  # fmt: skip
        links.links(links.address(lab_state.link()), settings.experiment.title, "lab")
        return
    _as_stored(settings, results)


def _as_stored(settings: LabSettings, results: Results | None) -> None:
    """The table that comes with lapviz, if there is one, with what it is."""
    if results is None:
        return
    config = results.config
    whole = "" if results.complete else f", {results.done} of {results.total} tasks"
    exactly = config == settings.experiment.sizes["paper"]
    st.caption(
        f"**As measured on {results.date}**, with {'' if exactly else 'settings near '}the paper's"
        f"{' settings' if exactly else ''}: {config.trials} trials, seed {config.seed}{whole}."
    )
    lab_results.show(settings, results)
