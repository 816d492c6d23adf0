"""Parts of the Eigenfunctions page: methods, training, truth, bilinear forms."""

from __future__ import annotations

import streamlit as st

from lapviz import figures
from lapviz._extras import command
from lapviz.explorer.compute import jobs
from lapviz.explorer.pages.eigenfunctions import neural
from lapviz.explorer.pages.eigenfunctions.bilinear import FormView
from lapviz.explorer.pages.eigenfunctions.truth import Judgement, judge
from lapviz.explorer.pages.eigenfunctions.view import EigenView
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import SHOWN
from lapviz.explorer.widgets import controls, shell
from lapviz.markdown import table

TRAINING, JUDGING = "neural", "judging"  # places of jobs on the page
LOOK = 0.5  # seconds between two looks at a training
CAME = (
    "Without it there are the networks that come trained: those of the story “A network learns the "
    "harmonics” and of its step."
)


def methods(settings: Settings) -> None:
    """Which functions are shown: controls of the group “Picture”."""
    if len(settings.forms) > 1:
        controls.choice("form", settings, settings.forms)
    if settings.view.form == "dirichlet":
        controls.choice("show", settings)
        if settings.view.show != "learnt":
            controls.flag("beside", settings)
        if settings.view.show == "neural":
            for name in ("batches", "rate"):
                controls.number(name, settings)
    controls.flag("centres", settings)
    if settings.view.centres and settings.space.landmarks == "fourier":
        st.caption("Random waves have no places: there are no landmarks to mark.")
    elif settings.view.centres and settings.view.plane == "space":
        st.caption("Landmarks are marked in a plane, not in space: choose another “Plane”.")
    if settings.view.form == "dirichlet":
        controls.flag("angles", settings)


# ---- the network --------------------------------------------------------------------------------


def network(settings: Settings) -> neural.Network | None:
    """The trained network if the page shows one; while it trains, its loss and “Stop”."""
    with st.container():  # present even when it is empty, so that nothing below moves
        if settings.view.show != "neural" or settings.view.form != "dirichlet":
            return None
        if settings.data.n_samples == 0:  # an empty sheet
            return None
        job = jobs.ask(TRAINING, *neural.work(settings))
        if job.state == "cancelled":
            st.caption("The training was cancelled.")
            st.button("Train again", key="neural-again", on_click=jobs.forget, args=(TRAINING,),
                      help="Train the network after all.")  # fmt: skip
            return None
        if not job.wait(shell.QUICK):
            st.fragment(_training, run_every=LOOK)(job)
            return None
        try:
            return job.result()
        except ImportError as error:
            st.info(f"{error} {CAME}", icon=":material/info:")
        except ValueError as error:
            st.info(str(error), icon=":material/info:")
        return None


def _training(job: jobs.Job) -> None:
    if job.wait(0):
        st.rerun()
    now = job.report
    words = "Training the network"
    words += f": {now.done:,} of {now.total:,} batches" if now else ": compiling"
    words += f", about {job.left:.0f} s left" if job.left and job.seconds > 1 else ""
    words += ". Until then the picture shows the learnt functions."
    left, right = st.columns([3, 2])
    with left:
        st.progress((now.share if now else 0.0) or 0.0, words)
        st.button("Stop", key="neural-stop", on_click=job.stop_early, disabled=now is None,
                  help="End the training, and keep what is learnt so far.")  # fmt: skip
    with right:
        if job.partial is not None:
            _loss(job.partial, "neural-live", height=170)


def trained(found: neural.Network | None, settings: Settings) -> None:
    """The loss curve of a trained network."""
    if found is None:
        return
    how = "stopped by hand" if found.stopped else "finished"
    words = f"{found.n_batches:,} batches in {found.seconds:.0f} s, {how}."
    if found.came:
        words = (
            f"It came trained: {found.n_batches:,} batches, learning rate "
            f"{settings.neural.rate:g}, seed {settings.data.random_state}. To train one with other "
            f"settings, install JAX: `{command('neural')}`."
        )
    with st.expander("Training of the network", icon=":material/show_chart:"):
        st.caption(words)
        _loss(found.curve, "neural-loss")


def _loss(curve: neural.Curve, key: str, height: int = 260) -> None:
    series = {"loss": curve.loss, "of it, orthogonality": curve.regulariser}
    figure = figures.path(curve.batches, series, x_title="batches", y_title="loss", log_x=False)
    figure.update_layout(height=height)
    st.plotly_chart(figure, key=key, theme=None, alt="The loss of the network against batches")


# ---- the truth ----------------------------------------------------------------------------------


def against_truth(settings: Settings, network: neural.Network | None) -> None:
    """Errors of every method against the closed form, when asked for."""
    if not settings.view.angles:
        return
    with st.expander("Against the truth", icon=":material/straighten:", expanded=True):
        relevant = settings.change(story="", show="learnt", beside=False, lam=1.0)
        try:
            found = shell.long_work(JUDGING, "Comparing with the truth", judge, relevant, network)
        except ValueError as error:  # what is not known, and for which operator it is
            st.caption(str(error))
            return
        if found is not None:
            st.markdown(judgement_table(found))
            st.caption(_about(found))


def judgement_table(found: Judgement) -> str:
    """The table as Markdown."""
    whole = any(row.angles for row in found.methods)
    spaces = found.spaces[1:] if found.spaces[0] == (0.0, 1) else found.spaces
    heads = ["Method", "E_S"]
    heads += [f"γ = {g:.3g}" + (f" (×{m})" if m > 1 else "") for g, m in spaces] if whole else []
    rows = []
    for row in found.methods:
        angles = row.angles[len(row.angles) - len(spaces) :] if row.angles else ()
        cells = [f"{a:.1f}°" for a in angles] or ["–"] * (len(heads) - 2)
        rows.append([row.method, "–" if row.error is None else f"{row.error:.3f}", *cells])
    return table(heads, rows)


def _about(found: Judgement) -> str:
    words = "E_S: relative error of 1/γ over the listed eigenspaces (GAL23, eq. 21), 0 is exact. "
    if any(row.angles for row in found.methods):
        words += (
            "Angles: the largest principal angle between each true eigenspace and its estimate; a "
            "basis within an eigenspace is arbitrary. "
        )
    if found.scaled:
        words += "The graph's and the eigenmaps' eigenvalues are scaled to the true sum. "
    whys = " ".join(f"{row.method}: {row.why}" for row in found.methods if row.why)
    return " ".join(filter(None, (words.strip(), found.note, whys)))


# ---- two methods --------------------------------------------------------------------------------


def about_method(shown: EigenView, settings: Settings) -> None:
    """What was drawn, and how two methods were matched."""
    view = settings.view
    if view.show == "learnt":
        return
    if shown.method == "learnt" and shown.method_note and view.show != "neural":
        st.caption(f"{SHOWN[view.show]}: {shown.method_note}")
    elif shown.method != "learnt":
        how = (
            "Each learnt function is paired with the other method's that it is most correlated "
            "with. Where learnt eigenvalues are within 15 % of each other, the partners are "
            "rotated together, since a basis of an eigenspace is arbitrary; otherwise only signs "
            "are matched. The angle says how far the two still are apart."
            if view.beside
            else "Order by the method's own eigenvalues; signs as in the learnt functions."
        )
        st.caption(" ".join(filter(None, (shown.method_note, how))))


# ---- bilinear forms -----------------------------------------------------------------------------


def bilinear(shown: FormView, settings: Settings) -> None:
    """The singular values of another form, and what they are."""
    _values(shown, settings.view.form)


def _values(shown: FormView, form: str) -> None:
    title = "Singular values" if form == "rotation" else "Eigenvalues"
    figure = figures.spectrum({"learnt": shown.values}, truth=shown.truth, title=title)
    if form == "rotation":
        figure.update_yaxes(title_text="s<sub>i</sub>")
    st.plotly_chart(figure, key="values", theme=None, alt=f"{title} against their number")
    if form == "rotation":
        words = (
            "The form is E[f ∂g/∂θ], which is not symmetric: g are right and f left singular "
            f"functions, with s·f = ∂g/∂θ up to projection. The left test functions "
            f"({shown.left} independent ones) are twice as many landmarks as the right ones "
            f"({shown.right}), so that they can express the derivatives."
        )
        if shown.truth is not None:
            words += " On the circle cos kθ and sin kθ form pairs with s = k."
        else:
            words += " Functions of the radius alone have s = 0."
    else:
        words = (
            "ℒg = −Δg + ⟨x, ∇g⟩ has the form E[⟨∇f, ∇g⟩] for normal data; its eigenfunctions are "
            "Hermite polynomials, its eigenvalues their degrees. The true function beside each "
            "learnt one is the nearest in the eigenspace of that number."
        )
    words += " No RKHS norm is added: μ plays no part here."
    st.caption(words)
    st.caption(f"{shown.n_samples:,} points ({shown.drawn:,} drawn), σ = {shown.bandwidth:.3g}, "
               f"{shown.seconds:.2f} s to compute.")  # fmt: skip
