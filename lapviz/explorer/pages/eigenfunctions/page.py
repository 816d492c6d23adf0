"""Eigenfunctions: the first sixteen, their spectrum beside the true one, diagnostics."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from lapviz import figures
from lapviz.estimators import advice
from lapviz.explorer.compute import fits
from lapviz.explorer.pages.eigenfunctions import parts as eigen_parts
from lapviz.explorer.pages.eigenfunctions.bilinear import FormView, form_view
from lapviz.explorer.pages.eigenfunctions.neural import Network
from lapviz.explorer.pages.eigenfunctions.panels import title
from lapviz.explorer.pages.eigenfunctions.view import N_PANELS, EigenView, eigen_view
from lapviz.explorer.scene.sheet import SheetView, is_empty, sheet_view
from lapviz.explorer.session import state
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import SHOWN
from lapviz.explorer.share import links, recipes
from lapviz.explorer.stage import live
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, defaults_switch, shell
from lapviz.explorer.words import formula_line

KEY = "eigen-stage"


def page() -> None:
    """The page, for `st.Page`."""
    state.enter("eigenfunctions")
    state.read_url(presets.for_data("half_moons"))
    settings = state.settings()
    shell.headline("Eigenfunctions", settings)
    _controls(settings)
    network = eigen_parts.network(fits.named(settings))
    _stage(View(network))
    _below(network)


@dataclass(frozen=True)
class View:
    """What the stage shows; called in a thread. Equal ones show the same."""

    network: Network | None = None

    def __call__(
        self, settings: Settings, hidden: frozenset[str], light: bool
    ) -> EigenView | FormView | SheetView:
        if is_empty(settings):
            titles = tuple(title(i) for i in range(N_PANELS))
            hide = ("lam", "filter", "labels")
            return sheet_view(settings, titles, "functions", hidden, hide=hide, columns=4)
        if settings.view.form != "dirichlet":
            return form_view(settings, light=light, hidden=hidden)
        return eigen_view(settings, light=light, network=self.network, hidden=hidden)


@st.fragment
def _stage(view: View) -> None:
    if state.settings().view.form == "dirichlet":
        named = fits.named(state.settings())
        formula_line.show(formula_line.eigenfunctions(named), KEY)
    live.show(KEY, view, "The eigenfunctions")


@st.fragment
def _below(network: Network | None) -> None:
    now = live.content(KEY)
    if now is None or isinstance(now.shown, SheetView):
        return
    with live.below(KEY):
        _about(now.shown, now.settings, network)


def _about(shown: EigenView | FormView, settings: Settings, network: Network | None) -> None:
    """The page below the stage, for a picture and its settings."""
    shell.hints(shown.hints)
    if isinstance(shown, FormView):
        links.show(shown.scene, KEY)
        shell.as_plotly(shown.scene, KEY)
        with shell.guarded("The spectrum"):
            eigen_parts.bilinear(shown, settings)
    else:
        eigen_parts.about_method(shown, settings)
        links.show(shown.scene, KEY)
        shell.as_plotly(shown.scene, KEY)
        with shell.guarded("The spectrum"):
            _spectrum(shown)
            eigen_parts.trained(network, settings)
            _diagnostics(shown)
        with shell.guarded("The comparison with the truth"):
            eigen_parts.against_truth(settings, network)
    shell.report(shown.settings.chosen.report)
    shell.recipe(recipes.eigenfunctions(settings))


def _controls(settings: Settings) -> None:
    made = {
        "data": ("Data", lambda: controls.data(settings)),
        "view": ("Picture", lambda: _view(settings)),
        "kernel": ("Kernel", lambda: controls.kernel(settings)),
        "operator": ("Energy", lambda: controls.operator(fits.named(settings), free=False)),
        "graph": ("Graph to compare", lambda: controls.graph(settings, estimate=False)),
    }
    if settings.view.form != "dirichlet":  # they play no part in other forms
        made = {name: its for name, its in made.items() if name not in ("operator", "graph")}
    control = defaults_switch.control if settings.view.form == "dirichlet" else None
    shell.sidebar("eigen", made, {"data", "view", "kernel", "operator"}, control)


def _view(settings) -> None:
    eigen_parts.methods(settings)
    controls.view(settings)


def _spectrum(shown: EigenView) -> None:
    series = {"learnt": shown.gamma}
    if shown.graph is not None:
        series["graph, scaled"] = shown.graph
    if shown.other is not None:
        series[SHOWN[shown.method].lower()] = shown.other
    figure = figures.spectrum(series, truth=shown.truth, title="Spectrum")
    st.plotly_chart(figure, key="spectrum", theme=None, alt="Eigenvalues against their number")
    if shown.graph is not None:
        st.caption("A graph Laplacian is known up to a factor: here the median ratio of the learnt "
                   f"eigenvalues to the graph's. {shown.graph_note}")  # fmt: skip
    elif shown.graph_note:
        st.caption(f"No graph spectrum: {shown.graph_note}")
    if shown.truth_note:
        st.caption(f"Truth: {shown.truth_note}")


def _diagnostics(shown: EigenView) -> None:
    n, change = shown.n_samples, advice.moved(shown.gamma, shown.gamma_of_half)
    used = shown.n_functions - shown.n_dropped
    first = shown.gamma[1] if len(shown.gamma) > 1 else 0.0
    more = not shown.lonely and shown.n_functions <= n
    lines = [
        f"**Null directions dropped:** {shown.n_dropped} of {shown.n_functions}. The other "
        f"{used} test functions are linearly independent on the data.",
        f"**Is p enough?** With half of the test functions the first {advice.MODES} eigenvalues "
        f"above 0 move by at most {100 * change:.1f} % of the largest"
        + (": p is enough." if change < advice.MOVED
           else ": a larger p would still change them." if more else "."),
        f"**Is the constant in the span?** It has been added. Without it the kernel "
        f"functions give γ₀ = {shown.constant_energy:.2g}"
        + (", which is almost zero." if shown.constant_energy < 0.01 * max(first, 1e-12)
           else f", to be compared with γ₁ = {first:.2g}."),
        f"**Size:** {n:,} points ({shown.drawn:,} drawn), σ = {shown.bandwidth:.3g}, "
        f"μ = {shown.mu:.3g}, {shown.seconds:.2f} s to assemble.",
    ]  # fmt: skip
    if shown.tangents is not None:
        t, d = shown.tangents, shown.tangents.frames.shape[2]
        lines.append(
            f"**Tangents:** {t.n_directions} of {d} directions from {t.n_neighbors} neighbours; "
            f"they explain {100 * t.explained:.0f} % of the local variance."
        )
    st.markdown("\n".join(f"- {line}" for line in lines))
