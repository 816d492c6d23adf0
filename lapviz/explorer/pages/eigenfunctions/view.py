"""Content of the Eigenfunctions page: panels of functions, their spectrum, captions of both."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from lapviz import fit, graphs, spectra
from lapviz.estimators import advice
from lapviz.estimators.advice import Advice
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.cache import step, timed
from lapviz.explorer.host.limits import GRID_SMALL
from lapviz.explorer.pages.eigenfunctions import steps
from lapviz.explorer.pages.eigenfunctions.canvas import Canvas, eigenvalue, support, title
from lapviz.explorer.pages.eigenfunctions.forms import form_view
from lapviz.explorer.pages.eigenfunctions.steps import Functions
from lapviz.explorer.pages.eigenfunctions.weights import Network
from lapviz.explorer.scene import sheet
from lapviz.explorer.scene.labels import points_hints
from lapviz.explorer.scene.placement import (
    Plane,
    about,
    drawn_rows,
    grid_of,
    landmark_places,
    plane_of,
    slice_remark,
)
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import SHOWN
from lapviz.markdown import Share, short
from lapviz.scenes import MOVES, Panel, Scene
from lapviz.tables.names import counted

Array = np.ndarray
N_PANELS = 16


@dataclass(frozen=True, eq=False)
class EigenView:
    """Content of the Eigenfunctions page.

    Attributes
    ----------
    scene : Scene
    series : dict of arrays, the eigenvalues of "learnt" and of others, by their names in the chart
    truth : array (k,) or None
    settings : Settings, with numbers where the data chose them
    localised : tuple of int, the numbers of the drawn functions that live on single points
    remark : str, a sentence about the method that is drawn, or why it cannot be
    refused : str, why the other method cannot be drawn, or empty
    notes, facts : tuples of str, captions of the spectrum, and diagnostics
    hints : tuple of Advice
    """

    scene: Scene
    series: dict[str, Array]
    truth: Array | None
    settings: Settings
    localised: tuple[int, ...] = ()
    remark: str = ""
    refused: str = ""
    notes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    hints: tuple[Advice, ...] = ()

    @property
    def gamma(self) -> Array:
        """The learnt eigenvalues, or singular values of the form, ascending."""
        return self.series["learnt"]

    @property
    def numbers(self) -> dict[str, object]:
        """Numbers that stories quote: eigenvalues; the mean error of the first ten above 0, where
        the truth is known, and that of the method drawn; the number of localised functions."""
        numbers = {"gamma": self.gamma.tolist(), "localised": len(self.localised)}
        shown = self.settings.view.show
        shown = "graph, scaled" if shown == "graph" else SHOWN[shown].lower()
        for name, series in (("error", "learnt"), ("other_error", shown)):
            if self.truth is not None and series in self.series:
                numbers[name] = _mean_error(self.series[series], self.truth)
        return numbers


def _mean_error(values: Array, truth: Array) -> Share:
    """Mean relative error of the first ten values whose truth is not 0."""
    m = min(len(values), len(truth))
    known = np.flatnonzero(truth[:m] > 0)[:10]
    return Share(np.mean(np.abs(values[known] / truth[known] - 1)))


def eigen_view(
    settings: Settings,
    hidden: frozenset[str] = frozenset(),
    light: bool = False,
    network: Network | None = None,
) -> EigenView | sheet.SheetView:
    """Compute the content of the page; ``network`` is drawn if ``show`` requests it.

    ``hidden`` names hidden groups of controls: without that of the data nobody can draw points. A
    ``light`` view, computed while a control moves, has no diagnostics.
    """
    if sheet.is_empty(settings):
        titles = tuple(title(i) for i in range(N_PANELS))
        return sheet.sheet_view(settings, titles, "functions", hidden, hide=MOVES, columns=4)
    settings = fits.for_modes(settings)
    data, plane = points.sample(settings.data), plane_of(settings)
    # No RKHS norm damps singular functions away from the data: d/dθ's are drawn at points only.
    has_field = {"dirichlet": plane.field, "ornstein": plane.flat}.get(settings.view.form, False)
    grid = grid_of(plane.view, GRID_SMALL) if has_field else None
    canvas = Canvas(plane, data.X, drawn_rows(len(data.X)), grid)
    if settings.view.form == "dirichlet":
        panels, view = _operator_view(settings, canvas, light, network)
    else:
        panels, view = form_view(settings, canvas, light)
    method = fits.method(settings)
    scene = Scene(
        tuple(panels),
        **plane.frame(settings.data, canvas.rows, grid),
        classes=data.class_names,
        columns=4,
        hide=MOVES,
        light=light,
        remark=_remark(settings, plane),
        about=view.pop("other", "") or about(settings, method.kernel.bandwidth, method.mu),
        landmarks=landmark_places(settings, plane) if settings.view.centres else None,
        drawing=sheet.code_for_stage(settings, hidden),
    )
    return EigenView(scene, settings=settings, **view)


def _remark(settings: Settings, plane: Plane) -> str:
    """Say what a slice is, and which methods count the rows' weights, if there are any."""
    weighted = points.weights(settings.data) is not None
    if settings.view.form != "dirichlet":
        return "The rows have weights; bilinear forms do not count them." if weighted else ""
    words = [slice_remark(plane, settings)]
    if weighted and settings.view.show != "learnt":
        words.append(
            "The rows have weights; the learnt operator counts them, the other methods do not."
        )
    return " ".join(filter(None, words))


# The learnt operator, alone or beside another method.


def _operator_view(
    settings: Settings, canvas: Canvas, light: bool, network: Network | None
) -> tuple[list[Panel], dict]:
    method, show = fits.method(settings), settings.view.show
    computed = timed(lambda: method.eigenfunctions(N_PANELS + 1))
    pairs = computed.value
    names = {show, "learnt" if light else "graph"} - {"learnt"}
    others = {name: _other(settings, name, pairs.gamma, network) for name in names}
    graph, graph_note = others.get("graph", (None, ""))
    shown, reason = others.get(show, (None, ""))
    learnt = steps.learnt(settings)
    other = ""  # method whose functions alone are drawn
    if settings.view.beside and shown is not None:
        panels, localised = _beside(canvas, learnt, shown, SHOWN[show])
    else:
        panels, localised = _alone(canvas, learnt, shown)
        other = SHOWN[show] if shown is not None else ""

    series, notes = {"learnt": pairs.gamma}, []
    if graph is not None:
        series["graph, scaled"] = graph.gamma
        notes = ["A graph Laplacian is known up to a factor: here the median ratio of the learnt "
                 f"eigenvalues to the graph's. {graph_note}"]  # fmt: skip
    elif graph_note:
        notes = [f"No graph spectrum: {graph_note}"]
    if shown is not None and show != "graph":
        series[SHOWN[show].lower()] = shown.gamma
    truth = steps.known_eigenvalues(settings, len(pairs.gamma))
    about = points.sample(settings.data).truth
    if about.note and (truth is not None or about.eigenvalues is None):
        notes.append(f"Truth: {about.note}")
    remark = _about_other(settings, shown, reason)
    view = {
        "series": series,
        "truth": truth,
        "localised": localised,
        "other": other,
        "remark": remark,
        "refused": "" if shown else remark,
        "notes": tuple(notes),
    }
    if not light:
        view["hints"] = _hints(settings, method, pairs)
        view["facts"] = _facts(settings, canvas, pairs, bool(localised), computed.seconds)
    return panels, view


def _other(settings, name: str, gamma: Array, network) -> tuple[Functions | None, str]:
    """Return another method's functions and a note; or None and the reason."""
    try:
        functions = steps.other(settings, name, gamma, network)
    except (ValueError, MemoryError) as error:
        return None, str(error)
    return functions, functions.note


def _alone(
    canvas: Canvas, learnt: Functions, shown: Functions | None
) -> tuple[list[Panel], tuple[int, ...]]:
    """Panels of one method, with the learnt functions' signs, and the numbers of localised ones."""
    drawn = canvas.draw(shown or learnt, N_PANELS)
    if shown is not None:
        reference = learnt.on_samples(canvas.X, canvas.rows, N_PANELS)
        T = graphs.match_functions(reference, drawn.at_rows)
        signs = np.where(T.sum(axis=1) < 0, -1.0, 1.0)  # of each ±1, or 0 without a partner
        drawn = drawn.combined(np.diag(signs), drawn.gamma)
    counts = canvas.localised(drawn)
    panels = [canvas.panel(title(i), drawn, i, eigenvalue(drawn.gamma[i]), support(count))
              for i, count in enumerate(counts)]  # fmt: skip
    return panels, tuple(i for i, count in enumerate(counts) if count)


def _beside(
    canvas: Canvas, learnt: Functions, shown: Functions, name: str
) -> tuple[list[Panel], tuple[int, ...]]:
    """Each learnt function from e₁ on, beside the other method's match; returns as ``_alone``."""
    m = min(N_PANELS // 2 + 1, len(learnt.gamma))
    ours, theirs = canvas.draw(learnt, m), canvas.draw(shown, len(shown.gamma))
    T = graphs.match_functions(
        ours.at_rows, theirs.at_rows, learnt.gamma[:m], other_gamma=shown.gamma
    )
    matched, counts = theirs.combined(T, (T**2).T @ shown.gamma[: len(T)]), canvas.localised(ours)
    panels = list(chain(*canvas.pairs(ours, matched, name, counts)))
    return panels, tuple(i for i, count in enumerate(counts) if count and i)


def _about_other(settings: Settings, shown: Functions | None, reason: str) -> str:
    """Say what another method was computed on, and how it was matched with the learnt one."""
    view = settings.view
    if shown is None:
        return f"{SHOWN[view.show]}: {reason}" if reason and view.show != "neural" else ""
    matching = (
        "Each learnt function is paired with the other method's that it is most correlated "
        "with. Where learnt eigenvalues are within 15 % of each other, the partners are "
        "rotated together, since a basis of an eigenspace is arbitrary; otherwise only signs "
        "are matched. The angle says how far the two still are apart."
        if view.beside
        else "Order by the method's own eigenvalues; signs as in the learnt functions."
    )
    return " ".join(filter(None, (shown.note, matching)))


def _hints(settings: Settings, method: fit.Galerkin, pairs: spectra.Spectrum) -> tuple:
    """All applicable advice."""
    basis, n = method.assembled(), len(points.sample(settings.data).X)
    values = half = None
    n_functions = basis.space.n_functions - 1
    if method.centres is not None and n_functions > 2 * advice.MODES:
        half = method.eigenvalues_of_half(N_PANELS)
    if n <= advice.MOST_NODES:
        values = _first_modes(method)
    hints = *points_hints(settings), advice.size(values, pairs.gamma, half, n_functions, n)
    return tuple(filter(None, hints))


@step
def _first_modes(method: fit.Galerkin) -> Array:
    """The first modes after the constant at all samples, (n, m)."""
    vectors = method.eigenfunctions(N_PANELS + 1).vectors[:, 1 : advice.MODES + 1]
    return method.assembled().space.evaluate(method.sample.X, vectors)


@step
def _constant_energy(method: fit.Galerkin) -> float:
    """γ₀ without the constant in the space: how well kernel functions alone approximate 1."""
    alone = method.assembled().forms.restrict(slice(1, None))
    return float(spectra.spectrum(alone, method.mu, 1).gamma[0])


def _facts(
    settings: Settings, canvas: Canvas, pairs: spectra.Spectrum, localised: bool, seconds: float
) -> tuple[str, ...]:
    """Diagnostics: whether the trial space suffices, its size, and the tangents, if learnt."""
    method, n, drawn = fits.method(settings), len(canvas.X), len(canvas.rows)
    n_functions = method.assembled().space.n_functions
    of_half = method.eigenvalues_of_half(N_PANELS)
    change, n_compared = advice.moved(pairs.gamma, of_half), min(len(pairs.gamma), len(of_half)) - 1
    can_grow, constant_energy = not localised and n_functions <= n, _constant_energy(method)
    beside = ""
    if len(pairs.gamma) > 1 and short(constant_energy, 2) != "0":
        first = pairs.gamma[1]
        is_small = constant_energy < 0.01 * max(first, 1e-12)
        beside = "almost zero" if is_small else f"to be compared with γ₁ = {short(first, 2)}"
    if n_compared < advice.MODES:
        eigenvalues = counted(n_compared, "eigenvalue")
        enough = f"Half of the test functions give {eigenvalues} above 0: too few to tell"
    else:
        enough = (
            f"With half of the test functions the first {advice.MODES} eigenvalues above 0 move by "
            f"at most {100 * change:.1f} % of the largest"
        )
        if change < advice.MOVED:
            enough += ": p is enough"
        elif can_grow:
            enough += ": a larger p would still change them"
    facts = [
        f"**Null directions dropped:** {pairs.n_dropped} of {n_functions} test functions. The "
        f"remaining space has dimension {n_functions - pairs.n_dropped} on the data.",
        f"**Is p enough?** {enough}.",
        f"**Is the constant in the span?** It has been added. Without it the kernel "
        f"functions give γ₀ = {short(constant_energy, 2)}{beside and f', {beside}'}.",
        f"**Size:** {n:,} point{'s' * (n != 1)} ({drawn:,} drawn), "
        f"σ = {method.kernel.bandwidth:.3g}, μ = {short(method.mu)}, {seconds:.2f} s to assemble.",
    ]  # fmt: skip
    if "tangent" in settings.energies:
        tangents = method.tangents(settings.tangents)
        facts.append(
            f"**Tangents:** {tangents.n_directions} of {tangents.frames.shape[2]} directions from "
            f"{counted(tangents.n_neighbors, 'neighbour')}; they explain "
            f"{100 * tangents.explained:.0f} % of the local variance."
        )
    return tuple(facts)
