"""Other bilinear forms by GAL23's Algorithm 1: d/dθ, and the Ornstein–Uhlenbeck generator."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np

from lapviz import bilinear, fit
from lapviz.datasets.truths import gaussian_eigenfunctions, gaussian_spectrum
from lapviz.estimators import advice
from lapviz.explorer.compute import fits
from lapviz.explorer.compute.cache import Timed, step, timed
from lapviz.explorer.pages.eigenfunctions import steps
from lapviz.explorer.pages.eigenfunctions.canvas import Canvas, Drawn
from lapviz.explorer.pages.eigenfunctions.steps import N_MODES, Functions
from lapviz.explorer.scene.labels import points_hints
from lapviz.explorer.settings.records import Settings
from lapviz.markdown import short
from lapviz.scenes import Panel

Array = np.ndarray


def rotation_field(X: Array) -> Array:
    """The field (−x₂, x₁) at points X (n, 2), along which the derivative is d/dθ."""
    return np.column_stack([-X[:, 1], X[:, 0]])


@step
def decomposed(right: fit.Galerkin, form: str) -> Timed:
    """Singular functions of a form on the sample, by ascending singular value."""
    return timed(lambda: _decompose(right, form))


def _decompose(right: fit.Galerkin, form: str) -> bilinear.GalerkinSVD:
    X, spec, phi = right.sample.X, right.space, right.trial_space()
    if form == "ornstein":
        return bilinear.galerkin_svd("laplacian", phi, None, X, n_components=N_MODES)
    # first order: the left space must contain the images of the right functions
    n_landmarks = fits.landmarks_of_right(right)
    fewer = replace(spec, n_landmarks=n_landmarks, bandwidth=right.kernel.bandwidth)
    psi = replace(right, space=fewer).trial_space()
    slope = bilinear.Derivative(rotation_field)
    return bilinear.galerkin_svd(slope, phi, psi, X, n_components=N_MODES)


def form_view(settings: Settings, canvas: Canvas, light: bool) -> tuple[list[Panel], dict]:
    """Return the panels of a form's functions, and the other fields of the page's view."""
    data, form, method = settings.data, settings.view.form, fits.method(settings)
    timed = decomposed(replace(method, energy=fit.EnergySpec()), form)
    svd, n = timed.value, len(canvas.X)
    truth = steps.known_eigenvalues(settings, len(svd.values))
    right = Functions(svd.values, lambda Z, m: svd.evaluate_right(Z)[:, :m])
    left = Functions(svd.values, lambda Z, m: svd.evaluate_left(Z)[:, :m])
    if form == "ornstein":
        panels, v = _hermite(canvas, right, truth), 1 + data.noise**2
        drift, variance, scaled = "⟨x, ∇g⟩", "", ""
        if data.noise:
            variance, scaled = f" of variance {v:.3g}", f" over {v:.3g}"
            drift += f"/{v:.3g}"
        text = (
            f"ℒg = −Δg + {drift} has the form E[⟨∇f, ∇g⟩] for normal data{variance}; its "
            f"eigenfunctions are Hermite polynomials, its eigenvalues their degrees{scaled}. The "
            "true function beside each learnt one is the nearest in the eigenspace of that number."
        )
    else:
        panels = _rotation(canvas, left, right, truth)
        text = (
            "The form is E[f ∂g/∂θ], which is not symmetric: g are right and f left singular "
            "functions, with s·f = ∂g/∂θ up to projection. The left space, which has to "
            f"express the derivatives, has {svd.left.shape[0] - svd.n_dropped[0]} independent test "
            f"functions, the right one {svd.right.shape[0] - svd.n_dropped[1]}. "
        ) + (
            "Functions of the radius alone have s = 0."
            if truth is None
            else "On the circle cos kθ and sin kθ form pairs with s = k."
        )
    size = (
        f"{n:,} points ({len(canvas.rows):,} drawn), σ = {method.kernel.bandwidth:.3g}, "
        f"{timed.seconds:.2f} s to compute."
    )
    notes = (f"{text} No RKHS norm is added: μ plays no part here.", size)
    hints = [] if light else [*points_hints(settings)]
    if not light and data.n_samples <= advice.MOST_NODES:
        g = svd.evaluate_right(canvas.X)[:, 1 : advice.MODES + 1]
        hints.append(advice.localised(g, uses_mu=False))
    return panels, {
        "series": {"learnt": svd.values},
        "truth": truth,
        "notes": notes,
        "hints": tuple(filter(None, hints)),
        "other": f"σ = {short(method.kernel.bandwidth)}",
    }


def _rotation(
    canvas: Canvas, left: Functions, right: Functions, truth: Array | None
) -> list[Panel]:
    """Panels of left and right functions in pairs, each pair before its true waves."""
    count = min((8 if truth is None else 4) + 1, len(right.gamma))
    f, g = canvas.draw(left, count), canvas.draw(right, count)
    counts, true_f, true_g = canvas.localised(g), None, None
    if truth is not None:
        theta, waves = np.arctan2(*canvas.X[canvas.rows].T[::-1]), np.zeros((2, *g.at_rows.shape))
        for i in range(1, count):
            k = int(truth[i])
            basis = np.sqrt(2) * np.column_stack([np.cos(k * theta), np.sin(k * theta)])
            c = _nearest(g.at_rows[:, i], basis)
            # d/dθ (a cos kθ + b sin kθ) = k (b cos kθ − a sin kθ)
            waves[:, :, i] = basis @ np.array([c[1], -c[0]]), basis @ c
        true_f, true_g = (Drawn(truth, values, None) for values in waves)
    pairs = zip(canvas.pairs(f, true_f, "true", counts, "f", "s"),
                canvas.pairs(g, true_g, "true", counts, "g", "s"), strict=True)  # fmt: skip
    # f and g as learnt, then the true f and g
    return list(chain(*(kind for f_and_g in pairs for kind in zip(*f_and_g, strict=True))))


def _hermite(canvas: Canvas, learnt: Functions, truth: Array) -> list[Panel]:
    """Panels of each learnt function, and of the nearest in the true eigenspace of its number."""
    d, count = canvas.X.shape[1], min(9, len(learnt.gamma))
    n_true = int(np.sum(gaussian_spectrum(d, 400) <= gaussian_spectrum(d, count)[-1]))
    scale = np.sqrt(gaussian_spectrum(d, 2)[1] / truth[1]) if len(truth) > 1 else 1.0
    degrees = gaussian_spectrum(d, n_true)
    polynomials = Functions(degrees, lambda Z, m: gaussian_eigenfunctions(Z / scale, m))
    drawn, true = canvas.draw(learnt, count), canvas.draw(polynomials, n_true)
    T = np.zeros((n_true, count))
    for i in range(1, count):
        space = degrees == degrees[i]
        T[space, i] = _nearest(drawn.at_rows[:, i], true.at_rows[:, space])
    nearest = true.combined(T, truth)
    return list(chain(*canvas.pairs(drawn, nearest, "true", canvas.localised(drawn))))


def _nearest(values: Array, basis: Array) -> Array:
    """Coefficients in an orthonormal basis of the unit-norm function nearest to these values."""
    c = basis.T @ values
    norm = np.linalg.norm(c)
    return c / norm if norm > 0 else np.eye(len(c))[0]
