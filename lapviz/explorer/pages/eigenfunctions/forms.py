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
from lapviz.scenes import Panel

Array = np.ndarray


def turning(X: Array) -> Array:
    """The field (−x₂, x₁) at points X (n, 2), along which the slope is the derivative d/dθ."""
    return np.column_stack([-X[:, 1], X[:, 0]])


@step
def decomposed(right: fit.Galerkin, form: str) -> Timed:
    """The singular functions of a form on the sample, smallest values first."""
    return timed(lambda: _decompose(right, form))


def _decompose(right: fit.Galerkin, form: str) -> bilinear.GalerkinSVD:
    X, spec, phi = right.sample.X, right.space, right.basis().space
    if form == "ornstein":
        return bilinear.galerkin_svd("laplacian", phi, None, X, n_components=N_MODES)
    # of first order: images of the right functions must lie in the left space
    fewer = replace(spec, n_landmarks=-(-spec.n_landmarks // 2), bandwidth=right.kernel.bandwidth)
    psi = replace(right, space=fewer).basis().space
    slope = bilinear.Derivative(turning)
    return bilinear.galerkin_svd(slope, phi, psi, X, n_components=N_MODES)


def of_form(settings: Settings, canvas: Canvas, light: bool) -> tuple[list[Panel], dict]:
    """Its functions as panels, and the other fields of the page's view."""
    data, form, method = settings.data, settings.view.form, fits.method(settings)
    timed = decomposed(replace(method, energy=fit.EnergySpec()), form)
    found, n = timed.value, len(canvas.X)
    known = steps.known_eigenvalues(settings, len(found.values))
    right = Functions(found.values, lambda Z, m: found.evaluate_right(Z)[:, :m])
    left = Functions(found.values, lambda Z, m: found.evaluate_left(Z)[:, :m])
    if form == "ornstein":
        panels = _hermite(canvas, right, known)
        words = (
            "ℒg = −Δg + ⟨x, ∇g⟩ has the form E[⟨∇f, ∇g⟩] for normal data; its eigenfunctions are "
            "Hermite polynomials, its eigenvalues their degrees. The true function beside each "
            "learnt one is the nearest in the eigenspace of that number."
        )
    else:
        panels = _rotation(canvas, left, right, known)
        words = (
            "The form is E[f ∂g/∂θ], which is not symmetric: g are right and f left singular "
            "functions, with s·f = ∂g/∂θ up to projection. The left test functions "
            f"({found.left.shape[0] - found.n_dropped[0]} independent ones) are twice as many "
            f"landmarks as the right ones ({found.right.shape[0] - found.n_dropped[1]}), so that "
            "they can express the derivatives. "
        ) + (
            "Functions of the radius alone have s = 0."
            if known is None
            else "On the circle cos kθ and sin kθ form pairs with s = k."
        )
    size = (
        f"{n:,} points ({len(canvas.rows):,} drawn), σ = {method.kernel.bandwidth:.3g}, "
        f"{timed.seconds:.2f} s to compute."
    )
    notes = (f"{words} No RKHS norm is added: μ plays no part here.", size)
    hints = [] if light else [*points_hints(settings)]
    if not light and data.n_samples <= advice.MOST_NODES:
        hints.append(advice.localised(found.evaluate_right(canvas.X)[:, : advice.MODES]))
    return panels, {
        "series": {"learnt": found.values},
        "truth": known,
        "notes": notes,
        "hints": tuple(filter(None, hints)),
    }


def _rotation(
    canvas: Canvas, left: Functions, right: Functions, known: Array | None
) -> list[Panel]:
    """Left and right functions in pairs, and the waves that they should be."""
    count = min((8 if known is None else 4) + 1, len(right.gamma))
    f, g = canvas.draw(left, count), canvas.draw(right, count)
    few, true_f, true_g = canvas.localised(g), None, None
    if known is not None:
        theta, waves = np.arctan2(*canvas.X[canvas.rows].T[::-1]), np.zeros((2, *g.at.shape))
        for i in range(1, count):
            k = int(known[i])
            at = np.sqrt(2) * np.column_stack([np.cos(k * theta), np.sin(k * theta)])
            c = _nearest(g.at[:, i], at)
            # d/dθ (a cos kθ + b sin kθ) = k (b cos kθ − a sin kθ)
            waves[:, :, i] = at @ np.array([c[1], -c[0]]), at @ c
        true_f, true_g = (Drawn(known, values, None) for values in waves)
    pairs = zip(canvas.in_pairs(f, true_f, "true", few, "f", "s"),
                canvas.in_pairs(g, true_g, "true", few, "g", "s"), strict=True)  # fmt: skip
    # f and g as they are learnt, then both as they should be
    return list(chain(*(same for both in pairs for same in zip(*both, strict=True))))


def _hermite(canvas: Canvas, learnt: Functions, known: Array) -> list[Panel]:
    """Each learnt function, and the nearest one in the true eigenspace of the same number."""
    d, count = canvas.X.shape[1], min(9, len(learnt.gamma))
    whole = int(np.sum(gaussian_spectrum(d, 400) <= gaussian_spectrum(d, count)[-1]))
    scale = np.sqrt(gaussian_spectrum(d, 2)[1] / known[1]) if len(known) > 1 else 1.0
    degrees = gaussian_spectrum(d, whole)
    polynomials = Functions(degrees, lambda Z, m: gaussian_eigenfunctions(Z / scale, m))
    own, true = canvas.draw(learnt, count), canvas.draw(polynomials, whole)
    spaces = [degrees == degrees[i] for i in range(1, count)]
    nearest = [_nearest(own.at[:, i], true.at[:, same]) for i, same in enumerate(spaces, 1)]

    def combined(values: Array) -> Array:
        columns = (values[:, same] @ c for same, c in zip(spaces, nearest, strict=True))
        return np.column_stack([np.zeros(len(values)), *columns])

    there = None if true.there is None else combined(true.there)
    pairs = canvas.in_pairs(own, Drawn(known, combined(true.at), there), "true",
                            canvas.localised(own))  # fmt: skip
    return list(chain(*pairs))


def _nearest(values: Array, basis: Array) -> Array:
    """Coefficients of the function of norm 1 in an orthonormal basis that is nearest to another."""
    c = basis.T @ values
    norm = np.linalg.norm(c)
    return c / norm if norm > 0 else np.eye(len(c))[0]
