"""Eigenfunctions: the first sixteen, their spectrum beside the true one, diagnostics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from lapviz import figures
from lapviz._extras import command
from lapviz.explorer.compute import fits, jobs
from lapviz.explorer.pages.eigenfunctions import weights
from lapviz.explorer.pages.eigenfunctions.steps import TruthComparison, compare_with_truth
from lapviz.explorer.pages.eigenfunctions.view import EigenView, eigen_view
from lapviz.explorer.pages.eigenfunctions.weights import Network
from lapviz.explorer.scene.sheet import SheetView
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.share import links, recipes
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, shell
from lapviz.explorer.words import formula_line
from lapviz.markdown import short, table

KEY = "eigen-stage"
TRAINING, COMPARISON = "neural", "judging"  # names of the page's jobs
POLL = 0.5  # seconds between two checks of a training
PRETRAINED = (
    "Without it only the trained networks that come with lapviz can be shown: those of the story "
    "“A network learns the harmonics” and of its step. The picture shows the learnt eigenfunctions."
)


def _controls(settings: Settings) -> dict[str, Callable[[Settings], None]]:
    groups = {"data": controls.data, "view": _picture, "kernel": controls.kernel}
    if settings.view.form == "dirichlet":  # they play no part in other forms
        groups["operator"] = lambda s: controls.operator(fits.with_energy(s), automatic=False)
        groups["graph"] = partial(controls.graph, estimate=False)
    return groups


def _lead(settings: Settings) -> None:
    if settings.view.form == "dirichlet":
        controls.origin(settings)


def _picture(settings: Settings) -> None:
    """Draw the controls of which functions are shown, and how."""
    dirichlet = settings.view.form == "dirichlet"
    if len(settings.forms) > 1:
        controls.choice("form", settings, settings.forms)
    if dirichlet:
        controls.choice("show", settings)
        if settings.view.show != "learnt":
            controls.flag("beside", settings)
        if settings.view.show == "neural":
            for name in ("batches", "rate"):
                controls.text(name, settings)
    controls.flag("centres", settings)
    if settings.view.centres and settings.space.landmarks == "fourier":
        st.caption("Random waves have no places: there are no landmarks to mark.")
    elif settings.view.centres and settings.view.plane == "space":
        st.caption("Landmarks are marked in a plane, not in space: choose another “Plane”.")
    if dirichlet:
        controls.flag("angles", settings)
    controls.view(settings)


def _stage(settings: Settings) -> LiveStage:
    """The stage, which also shows the network's functions where they are requested."""
    network = _network(settings)
    return LiveStage(KEY, "The eigenfunctions", eigen_view, _formula, arguments=(network,))


def _formula(settings: Settings) -> str:
    if settings.view.form != "dirichlet" or settings.view.show != "learnt":
        return ""
    return formula_line.eigenfunctions(fits.with_energy(settings))


def _below(shown: EigenView | SheetView, settings: Settings) -> None:
    """Draw what is below the stage; nothing for an empty sheet."""
    if isinstance(shown, SheetView):
        return
    network = _network(settings)
    shell.hints(shown.hints)
    if shown.remark:
        st.caption(shown.remark)
    links.show(shown.scene, KEY)
    links.as_plotly(shown.scene, KEY)
    form = settings.view.form
    with shell.guarded("The spectrum"):
        values = "Singular values" if form == "rotation" else "Eigenvalues"
        heading = "Spectrum" if form == "dirichlet" else values
        symbol = "s" if form == "rotation" else "γ"
        figure = figures.spectrum(shown.series, truth=shown.truth, symbol=symbol, title=heading)
        shell.chart(figure, "spectrum", f"{values} against their number")
        for note in shown.notes:
            st.caption(note)
        if shown.facts:
            if network is not None:
                _trained(network, settings)
            st.markdown("\n".join(f"- {fact}" for fact in shown.facts))
    with shell.guarded("The comparison with the truth"):
        if settings.view.angles and form == "dirichlet":
            _against_truth(settings, network)
    shell.report(shown.settings.chosen.report)
    shell.recipe(lambda: recipes.eigenfunctions(settings, shown.refused))


# The network.


def _train(settings: Settings) -> None:
    """Train the network if the page shows one; draw its loss, “Stop”, and errors."""
    with st.container():  # also when it is empty, so that nothing below moves
        if not _shows_network(settings):
            return
        job = jobs.ask(TRAINING, *weights.work(fits.with_energy(settings)))
        if not job.wait(shell.QUICK):
            st.fragment(_training, run_every=POLL)(job)
            return
        try:
            job.result()
        except (ImportError, ValueError) as error:
            cure = f" {PRETRAINED}" * isinstance(error, ImportError)
            st.info(f"{error}{cure}", icon=":material/info:")


def _network(settings: Settings) -> Network | None:
    """The network for these settings if it is trained and the page shows it."""
    job = jobs.get(TRAINING)
    if job is None or job.state != "done" or not _shows_network(settings):
        return None
    return job.result() if job.work == weights.work(fits.with_energy(settings)) else None


def _shows_network(settings: Settings) -> bool:
    empty = settings.data.n_samples == 0
    return settings.view.show == "neural" and settings.view.form == "dirichlet" and not empty


def _training(job: jobs.Job) -> None:
    if job.wait(0):
        st.rerun()
    report = job.report
    progress = f"{report.done:,} of {report.total:,} batches" if report else "compiling"
    text = f"Training the network: {progress}"
    text += f", about {job.left:.0f} s left" if job.left and job.seconds > 1 else ""
    text += ". Until then the picture shows the learnt functions."
    left, right = st.columns([3, 2])
    with left:
        st.progress(job.share, text)
        words = "End the training, and keep what is learnt so far."
        shell.button("Stop", "neural-stop", "", words, job.stop_early, disabled=report is None)
    with right:
        if job.partial is not None:
            _loss(job.partial, "neural-live")


def _trained(network: Network, settings: Settings) -> None:
    """Draw the loss curve of a trained network."""
    ending = "finished"
    if network.stopped:
        ending = f"stopped by hand; the script below trains all {settings.neural.batches:,}"
    text = f"{network.n_batches:,} batches in {network.seconds:.0f} s, {ending}."
    if network.pretrained:
        text = (
            f"It comes trained: {network.n_batches:,} batches, learning rate "
            f"{settings.neural.rate:g}, seed {settings.data.random_state}. To train one with other "
            f"settings, install JAX: `{command('neural')}`."
        )
    with st.expander("Training of the network", icon=":material/show_chart:"):
        st.caption(text)
        _loss(network.curve, "neural-loss")


def _loss(curve: np.ndarray, key: str) -> None:
    batches, loss, regulariser = curve.T
    series = {"loss": loss, "of it, orthogonality": regulariser}
    figure = figures.path(batches, series, x_title="batches", y_title="loss", log_x=False)
    figure.update_layout(height=260, legend={"y": 1, "yanchor": "bottom"})  # clear of the axis
    shell.chart(figure, key, "The loss of the network against batches")


# The truth.


def _against_truth(settings: Settings, network: Network | None) -> None:
    """Draw the errors of every method against the closed form."""
    with st.expander("Against the truth", icon=":material/straighten:", expanded=True):
        relevant = settings.change(story="", show="learnt", beside=False, lam=1.0)
        try:
            comparison = shell.long_work(COMPARISON, "Comparing with the truth",
                                         compare_with_truth, relevant, network)  # fmt: skip
        except ValueError as error:  # says for which operator the truth is known
            st.caption(str(error))
            return
        if comparison is not None:
            _errors_table(comparison)


def _errors_table(comparison: TruthComparison) -> None:
    """Draw the table of errors, and what they are."""
    notes = ["E_S: relative error of 1/γ over the listed eigenspaces (GAL23, eq. 21), 0 is exact."]
    heads, rows, spaces = ["Method", "E_S"], [], comparison.spaces
    if spaces[0] == (0.0, 1):
        spaces = spaces[1:]
    if any(row.angles for row in comparison.methods):
        heads += [f"γ = {short(g)}" + (f" (×{m})" if m > 1 else "") for g, m in spaces]
        notes.append(
            "Angles: the largest principal angle between each true eigenspace and its estimate; a "
            "basis within an eigenspace is arbitrary."
        )
    for row in comparison.methods:
        angles = row.angles[len(row.angles) - len(spaces) :] if row.angles else ()
        cells = [f"{a:.1f}°" for a in angles] or ["–"] * (len(heads) - 2)
        rows.append([row.method, "–" if row.error is None else f"{row.error:.3f}", *cells])
    if comparison.scaled:
        notes.append("The graph's and the eigenmaps' eigenvalues are scaled to the true sum.")
    reasons = [f"{row.method}: {row.reason}" for row in comparison.methods if row.reason]
    st.markdown(table(heads, rows))
    st.caption(" ".join(filter(None, (*notes, comparison.note, *reasons))))


page = Page(
    path="eigenfunctions",
    title="Eigenfunctions",
    first=lambda: presets.for_data("half_moons"),
    controls=_controls,
    folded=frozenset({"graph"}),
    lead=_lead,
    above=_train,
    stage=_stage,
    below=_below,
)
