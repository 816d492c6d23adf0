"""Error and energy against λ for every method of the Labels page, over several seeds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import progress
from lapviz.estimates import decode
from lapviz.explorer.compute import baseline, choices, classes, steps
from lapviz.explorer.scene import label_methods as methods
from lapviz.explorer.scene.placement import plane_of
from lapviz.explorer.settings.records import Settings
from lapviz.spaces import KernelSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Paths:
    """Curves over λ: row 0 has the page's own seed and labels, the others draw both anew.

    Attributes
    ----------
    lams : array (m,)
    error, energy : dict of method to array (n_seeds, m)
        Share of the unlabelled points that is wrong, and Dirichlet energy; NaN where unknown.
    """

    lams: Array
    error: dict[str, Array]
    energy: dict[str, Array]

    @property
    def n_seeds(self) -> int:
        return len(next(iter(self.error.values())))


def label_paths(settings: Settings, lams: tuple[float, ...], n_seeds: int) -> Paths:
    """Curves of all methods; reports the seeds that are done as partial results.

    Raises
    ------
    ValueError
        If no point is labelled, or every one is.
    """
    done: list[dict] = []
    with progress.inside("all methods", n_seeds) as tell:
        for s in range(n_seeds):
            tell(s, _stacked(lams, done), f"seed {s + 1} of {n_seeds}")
            done.append(_one(settings if s == 0 else redrawn(settings, s), lams))
    return _stacked(lams, done)


def redrawn(settings: Settings, s: int) -> Settings:
    """The settings with the s-th seed after theirs; labels are drawn, as many for each class.

    Labels set by hand are rows of the page's own data: in other data as many are drawn at random.
    """
    per_class = settings.labels.per_class
    if settings.labels.chosen is not None:
        count = len(settings.labels.chosen) / settings.data.info.n_classes
        per_class = max(1, round(count))
    seed = (settings.data.random_state + s) % 2**31
    return settings.change(seed=seed, marks=None, per_class=per_class)


def _stacked(lams, done: list[dict]) -> Paths | None:
    """The curves of the seeds so far; methods that only the first has stay alone."""
    if not done:
        return None
    parts = [{name: np.stack([own[name][k] for own in done if name in own]) for name in done[0]}
             for k in (0, 1)]  # fmt: skip
    return Paths(np.array(lams), *parts)


def _one(settings: Settings, lams) -> dict[str, tuple[Array, Array]]:
    """Error and energy (m,) of every method on one draw."""
    data = steps.sample(settings.data)
    given = steps.labelled(settings.data, settings.labels)
    if not given.labels:
        raise ValueError("Label a point first.")
    if given.mask(len(data.X)).all():
        raise ValueError(
            "Every point is labelled: the accuracy is measured on unlabelled points, and there are "
            "none."
        )
    settings = choices.for_labels(settings)
    problem = steps.Problem.of(settings)
    rows = np.arange(len(data.X))
    picture = methods.Picture(settings, problem, given, rows, None, plane_of(settings))
    curves = {
        methods.RIDGE: _ridge,
        methods.LAPLACIAN: _laplacian,
        methods.AVERAGED: _laplacian,
        methods.INFIMUM: _infimum,
        methods.GRAPH: _graph,
    }
    return {name: curves[name](picture, lams) for name in methods.methods(given)}


def _errors(picture: methods.Picture, at: Array) -> Array:
    """Share wrong (m,) on the unlabelled points, from scores (m, n, k)."""
    rows = steps.judged(picture.data, picture.given.mask(len(picture.data.X)))
    if not rows.any():  # a table where nobody knows the other classes
        return np.full(len(at), np.nan)
    return (decode(at)[:, rows] != picture.data.y[rows]).mean(axis=1)


def _evaluated(space, X: Array, C: Array) -> Array:
    """Scores (m, n, k) at X of coefficients (m, p, k), in one pass over the data."""
    m, p, k = C.shape
    return (
        space.evaluate(X, C.transpose(1, 0, 2).reshape(p, m * k)).reshape(-1, m, k).swapaxes(0, 1)
    )


def _ridge(picture: methods.Picture, lams) -> tuple[Array, Array]:
    problem, X = picture.problem, picture.data.X
    C = np.stack([steps.ridge(problem, lam, picture.given).value for lam in lams])
    space = KernelSpace(steps.kernel(problem.data, problem.space), picture.given.X, constant=False)
    forms = steps.ridge_forms(problem, picture.settings.labels)
    at = _evaluated(space, X, C)
    return _errors(picture, at), np.array([forms.energy(c) for c in C])


def _laplacian(picture: methods.Picture, lams) -> tuple[Array, Array]:
    passes = methods.passes_of(picture.settings, picture.given)
    settings = picture.settings.change(passes=passes)
    made = classes.problem(settings)
    found = [classes.solution(settings.change(lam=float(lam))).value for lam in lams]
    C = np.stack([one.coefficients for one in found])
    at = _evaluated(made.assembled.space, picture.data.X, C)
    pairs = zip(found, at, strict=True)
    at = np.stack([one.balance(scores) if one.balance else scores for one, scores in pairs])
    return _errors(picture, at), np.array([made.assembled.forms.energy(c) for c in C])


def _infimum(picture: methods.Picture, lams) -> tuple[Array, Array]:
    settings, problem = picture.settings, picture.problem
    specs = (settings.change(lam=float(lam)).estimate for lam in lams)
    found = [steps.disambiguated(problem, spec, picture.given).value for spec in specs]
    C = np.stack([one.coefficients for one in found])
    basis = steps.assembled(problem, settings.estimate.fit_intercept).value
    at = _evaluated(basis.space, picture.data.X, C)
    return _errors(picture, at), np.array([basis.forms.energy(c) for c in C])


def _graph(picture: methods.Picture, lams) -> tuple[Array, Array]:
    """The graph has no λ: a constant line."""
    settings = picture.settings
    try:
        spec = baseline.spec_of(settings)
        at, _, _ = baseline.scores(settings.data, spec, settings.labels, None)
    except (ValueError, MemoryError):
        return np.full(len(lams), np.nan), np.full(len(lams), np.nan)
    energy = methods.projected_energy(picture, at)
    error = _errors(picture, at[None])[0]
    energies = np.full(len(lams), np.nan if energy is None else energy)
    return np.full(len(lams), error), energies
