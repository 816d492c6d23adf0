r"""The rules of a regressor with default settings: model averaging over a Gaussian process.

The estimate is the posterior mean of a Gaussian process, g = constant + linear + smooth, with the
prior covariance s²(1 + ρ ⟨x − x̄, x′ − x̄⟩/V + (1 − ρ) G(x, x′)), V the variance of the sample, and
noise of variance s²ν (:mod:`lapviz.estimates.gaussian_process`). Hyperparameters are not fitted but
averaged over by their posterior weights: the evidence times a prior that does not see the targets.
With ten values many of them fit equally well, and their mean is better than the best of them; with
a hundred, a few remain. The average is one function, in the sum of their trial spaces.

- **G, from the values alone**: the Gaussian kernel with functions at the labelled points, σ from
  √V/32 to 8√V by factors of 2; log σ has a normal prior around log √V, of standard deviation log 3.
  This is the limit of the penalty λ(E‖∇g‖² + μ‖g‖²_H) for large μ and fixed λμ: kernel ridge.
- **G, from the sample**: φ(x)ᵀ(S + μK)⁻¹φ(x′) with the energy of the sample's k-NN graph, over at
  most 10 000 rows, centred, and scaled to a mean of 1 over the sample. p, σ and μ are those of
  :mod:`lapviz.fit.few_labels`, p at most 300. Its prior weight is that of the width σ = √V.
- **ρ**: 0, 0.1, 0.5, 0.9; or 1, linear alone. Uniform prior.
- **ν**: from 10⁻⁵ to 30, four per decade, uniform prior. s² is integrated out.

Of more than 300 labelled rows, 300 decide, and only the likeliest G and ρ are then used with all of
them; ν is averaged over again, by the evidence of all. With a kernel and more than 2000 labelled
rows, 1000, drawn as landmarks are, have functions, and ν is the likeliest for 1000 of the rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from lapviz import kernels, operators
from lapviz.checks import check_powers
from lapviz.estimates.gaussian_process import Modes, Posterior
from lapviz.fit import few_labels
from lapviz.fit.galerkin import Galerkin
from lapviz.fit.process import Prior, Process, Smooth
from lapviz.fit.reports import Report
from lapviz.fit.sample import Sample
from lapviz.fit.specs import EnergySpec, SpaceSpec
from lapviz.spaces import KernelSpace, LinearSpace, auto_bandwidth, landmarks, sampling

Array = np.ndarray

WIDTHS = 2.0 ** np.arange(-5, 4)  # σ/√V
WIDTH_SD = np.log(3.0)  # standard deviation of log σ
LINEAR_SHARES = (0.0, 0.1, 0.5, 0.9)  # ρ beside a smooth part
NOISE = np.logspace(-5, 1.5, 27)  # ν
FEWEST_NODES = 10  # rows from which on the graph of the sample is used
NEIGHBORS = 10
FUNCTIONS = 300  # p with a graph, at most
DECIDING = 300  # labelled rows that decide, at most
MOST_CENTRES, CENTRES = 2000, 1000  # centres: all labelled points up to the first, then the second
KEPT_WEIGHT = 0.98  # posterior weight of the priors that are kept
MIN_NOISE_WEIGHT = 1e-3  # of a noise level that is kept, relative to the likeliest


@dataclass(frozen=True, eq=False)
class Chosen:
    """The process for given targets.

    Attributes
    ----------
    process : Process
    main : Smooth, of the likeliest prior with a smooth part
    lam : float, λ of that prior
    report : Report
    log_evidence : float
        Of the (deciding) targets, averaged over priors and noise, up to a constant of these alone:
        comparable between other points for the same targets.
    """

    process: Process
    main: Smooth
    lam: float
    report: Report
    log_evidence: float


def choose(
    sample: Sample,
    labelled: Array,
    y: Array,
    weights: Array | None = None,
    random_state=None,
    above: float = -np.inf,
) -> Chosen | None:
    """The process for standardised targets; None if their log evidence is not ``above`` a number.

    Parameters
    ----------
    sample : Sample
        The rows in use.
    labelled : int array (m,)
        The labelled ones among them.
    y : array (m, k)
        Their targets, of mean 0 and variance 1.
    weights : array (m,), optional
        Weights of these rows in the data term, of mean 1.
    random_state : int, RandomState or None
        Seed of the landmarks.
    above : float, default −∞

    Returns
    -------
    Chosen or None
    """
    X, m = sample.X, len(y)
    points = X[labelled]
    deciding = sampling.rows(m, DECIDING)
    deciding_weights = None if weights is None else weights[deciding]
    priors = _priors(sample, points[deciding], random_state)
    modes = [
        Modes.of(prior.features(points[deciding])[0], y[deciding], deciding_weights)
        for prior in priors
    ]
    scores = np.array(
        [
            mode.log_evidence(NOISE) + (prior.smooth.log_prior if prior.smooth else 0.0)
            for prior, mode in zip(priors, modes, strict=True)
        ]
    )
    joint = np.exp(scores - scores.max())
    log_evidence = float(scores.max() + np.log(joint.sum()))
    if not log_evidence > above:
        return None
    joint /= joint.sum()
    prior_weights = joint.sum(axis=1)
    order = np.argsort(-prior_weights, kind="stable")
    if m <= DECIDING:
        selected = order[: int(np.searchsorted(np.cumsum(prior_weights[order]), KEPT_WEIGHT)) + 1]
        parts = tuple((priors[i], _posterior(modes[i], joint[i])) for i in selected)
    else:
        selected = order[:1]
        best, posterior = _refit(priors[selected[0]], points, y, weights, random_state)
        priors[selected[0]], parts = best, ((best, posterior),)
    i = next(i for i in order if priors[i].smooth is not None)
    noise = parts[0][1].likeliest if i == order[0] else float(NOISE[scores[i].argmax()])
    main, rho = priors[i].smooth, priors[i].rho
    assert main is not None
    process = Process(parts, prior_weights[selected] / prior_weights[selected].sum())
    return Chosen(
        process,
        main,
        noise * main.unit**2 / (m * (1 - rho)),
        _report(priors, prior_weights, order, process.linear_share),
        log_evidence,
    )


def _posterior(modes: Modes, weights: Array) -> Posterior:
    """The posterior with the noise levels that matter."""
    selected = weights > MIN_NOISE_WEIGHT * weights.max()
    return Posterior(modes, NOISE[selected], weights[selected] / weights[selected].sum())


def _priors(sample: Sample, centres: Array, random_state) -> list[Prior]:
    X = sample.X
    center = X.mean(axis=0)
    spread = _spread(X - center)
    linear = LinearSpace(center, spread)
    smooth = [
        Smooth.of_kernel(
            kernels.get("gaussian", float(factor * spread)),
            centres,
            -0.5 * float(np.log(factor) / WIDTH_SD) ** 2,
        )
        for factor in WIDTHS
    ]
    graph = _graph_prior(sample, random_state) if len(X) >= FEWEST_NODES else None
    smooth += [] if graph is None else [graph]
    return [Prior(linear), *(Prior(linear, part, rho) for part in smooth for rho in LINEAR_SHARES)]


def _spread(X: Array) -> float:
    """√V, the root mean square norm of centred points; 1 if they coincide."""
    largest = float(np.abs(X).max()) or 1.0
    spread = largest * float(np.sqrt(((X / largest) ** 2).sum() / len(X))) or 1.0
    check_powers(spread)
    return spread


def _graph_prior(sample: Sample, random_state) -> Smooth | None:
    """The energy of the sample's graph; None if its edges join only coinciding points."""
    X = sample.X
    p = min(FUNCTIONS, few_labels.landmarks(len(X)))
    width = float(auto_bandwidth(X, "gaussian", p))
    operator = operators.Graph(n_neighbors=NEIGHBORS, weights="shared")
    space = SpaceSpec(n_landmarks=p, bandwidth=width, random_state=random_state)
    method = Galerkin(sample, space, EnergySpec(operator=operator))
    assembled = method.assembled(False)
    mu = few_labels.mu(assembled.forms, len(X))
    if mu == 0:
        return None
    functions = cast(KernelSpace, assembled.space)  # its landmarks are points
    factor = method.with_mu(mu).solver()
    W = factor.whiten(functions.phi(X))
    level = W.mean(axis=1)
    unit = float(np.sqrt(((W - level[:, None]) ** 2).sum() / len(X))) or 1.0
    return Smooth(functions, factor, operator, mu, level, unit)


def _refit(
    prior: Prior, X: Array, y: Array, weights: Array | None, random_state
) -> tuple[Prior, Posterior]:
    """The same prior with all labelled rows, and functions at all or many of them.

    Without a kernel, or with functions at all rows, one eigenproblem gives the evidence of every
    noise level. Otherwise some rows decide about the level, and the part of k(x, x) that functions
    at few points miss becomes independent noise at each labelled point, as in the fully independent
    training conditional (Snelson and Ghahramani, 2006).
    """
    has_kernel = prior.smooth is not None and prior.smooth.operator is None
    if len(X) <= MOST_CENTRES or not has_kernel:
        prior, modes = _with_functions(prior, X, X, y, weights)
        evidence = modes.log_evidence(NOISE)
        return prior, _posterior(modes, np.exp(evidence - evidence.max()))
    some = sampling.rows(len(X), CENTRES)
    some_weights = None if weights is None else weights[some]
    some_modes = _with_functions(prior, X[some], X[some], y[some], some_weights)[1]
    noise = NOISE[[some_modes.log_evidence(NOISE).argmax()]]
    pool = sampling.sampled(X, CENTRES)
    centres = landmarks.choose(pool, CENTRES, random_state=random_state)
    prior, modes = _with_functions(prior, centres, X, y, weights, noise)
    return prior, Posterior(modes, noise, np.ones(1))


def _with_functions(
    prior: Prior,
    centres: Array,
    X: Array,
    y: Array,
    weights: Array | None,
    noise: Array | None = None,
) -> tuple[Prior, Modes]:
    """The prior with its kernel's functions at the centres; and its modes, with ``noise`` where
    these functions miss a part of k(x, x)."""
    smooth = prior.smooth
    if smooth is not None and smooth.operator is None:
        smooth = Smooth.of_kernel(smooth.space.kernel, centres, smooth.log_prior)
    prior = replace(prior, smooth=smooth)
    F, variance = prior.features(X)
    if noise is not None:
        residual = np.maximum(variance - (F**2).sum(axis=0), 0.0)
        w = np.ones(len(X)) if weights is None else weights
        weights = noise * w / (noise + w * residual)
    return prior, Modes.of(F, y, weights)


def _report(priors: list[Prior], weights: Array, order: Array, linear: float) -> Report:
    """A report of the likeliest prior, its weight and the runner-up."""
    first, second = order[:2]
    gap = np.log(weights[first] / max(weights[second], 1e-300))
    next_best = f"next: {priors[second]}, by {gap:.2g} in log weight"
    reason = f"{weights[first]:.0%} of the posterior weight of {len(priors)} priors; {next_best}"
    report = Report().choose("prior", str(priors[first]), reason)
    graph = sum(
        weight
        for prior, weight in zip(priors, weights, strict=True)
        if prior.smooth and prior.smooth.operator
    )
    report = report.choose("graph_share", float(graph), "posterior weight of the graph's priors")
    return report.choose("linear_share", linear, "mean ρ of the priors in use")
