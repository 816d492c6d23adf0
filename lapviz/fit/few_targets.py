r"""The rules by which a regressor as it comes chooses, from the labelled values, what it is.

The estimate is the posterior mean of a Gaussian process, g = constant + linear + smooth, with the
prior covariance s²(1 + ρ ⟨x − x̄, x′ − x̄⟩/V + (1 − ρ) G(x, x′)), V the variance of the sample, and
noise of variance s²ν (:mod:`lapviz.estimates.gaussian_process`). Hyperparameters are not fitted but
averaged over, by their posterior weights: the evidence times a prior that does not see the targets.
With ten values many of them explain these alike, and their mean is better than the best of them;
with a hundred a few are left. The average is one function, in the sum of their trial spaces.

- **G, from the values alone**: the Gaussian kernel with functions at the labelled points, σ from
  √V/32 to 8√V by factors of 2; log σ has a normal prior around log √V, of standard deviation log 3.
  This is the limit of the penalty λ(E‖∇g‖² + μ‖g‖²_H) for large μ and fixed λμ: kernel ridge.
- **G, from the sample**: φ(x)ᵀ(S + μK)⁻¹φ(x′) with the energy of the sample's k-NN graph, over at
  most 10 000 rows, centred, and scaled to a mean of 1 over the sample. p, σ and μ are those of
  :mod:`lapviz.fit.few_labels`, p at most 300. It is as likely as one width where σ is √V.
- **ρ**: 0, 0.1, 0.5, 0.9; or 1, linear alone. All alike.
- **ν**: from 10⁻⁵ to 30, four in a decade, all alike. s² is integrated out.

Of more than 300 labelled rows 300 decide, and only the likeliest G, ρ, ν are then used with all of
them. Of more than 2000 labelled rows 1000, drawn as landmarks are, have kernel functions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from lapviz import kernels, operators
from lapviz.checks import check_powers
from lapviz.estimates.gaussian_process import Modes, Posterior
from lapviz.fit import few_labels, steps
from lapviz.fit.galerkin import Galerkin, Sample
from lapviz.fit.process import Prior, Process, Smooth
from lapviz.fit.specs import EnergySpec, Report, SpaceSpec
from lapviz.spaces import KernelSpace, LinearSpace, auto_bandwidth, landmarks, sampling

Array = np.ndarray

WIDTHS = 2.0 ** np.arange(-5, 4)  # σ/√V
SPREAD = np.log(3.0)  # standard deviation of log σ
SHARES = (0.0, 0.1, 0.5, 0.9)  # ρ beside a smooth part
NOISE = np.logspace(-5, 1.5, 27)  # ν
FEWEST_NODES = 10  # rows of a sample whose graph says something
NEIGHBORS = 10
FUNCTIONS = 300  # p beside a graph, at most
DECIDING = 300  # labelled rows that choose, at most
MOST_CENTRES, CENTRES = 2000, 1000  # all labelled points up to the first, then the second
COVERED = 0.98  # of the posterior weight that is kept
LEAST_SHARE = 1e-3  # of a noise, of the likeliest one's, to be kept


@dataclass(frozen=True, eq=False)
class Choice:
    """What was made of the targets.

    Attributes
    ----------
    process : Process
    main : Smooth, of the likeliest prior that has a smooth part
    lam : float, λ of that prior
    report : Report
    """

    process: Process
    main: Smooth
    lam: float
    report: Report


def choose(
    sample: Sample,
    labelled: Array,
    y: Array,
    weights: Array | None = None,
    random_state=None,
) -> Choice:
    """The process for standardised targets.

    Parameters
    ----------
    sample : Sample
        The rows that are looked at.
    labelled : int array (m,)
        Which of them are labelled.
    y : array (m, k)
        Their targets, of mean 0 and variance 1.
    weights : array (m,), optional
        Of these rows in the data term, of mean 1.
    random_state : int, RandomState or None
        Seed of the landmarks.

    Returns
    -------
    Choice
    """
    X, m = sample.X, len(y)
    points = X[labelled]
    deciding = sampling.rows(m, DECIDING)
    of_few = None if weights is None else weights[deciding]
    priors = _priors(sample, points[deciding], random_state)
    modes = [Modes.of(prior.features(points[deciding])[0], y[deciding], of_few) for prior in priors]
    scores = np.array(
        [
            its.log_evidence(NOISE) + (prior.smooth.log_prior if prior.smooth else 0.0)
            for prior, its in zip(priors, modes, strict=True)
        ]
    )
    joint = np.exp(scores - scores.max())
    joint /= joint.sum()
    of_prior = joint.sum(axis=1)
    order = np.argsort(-of_prior, kind="stable")
    if m <= DECIDING:
        kept = order[: int(np.searchsorted(np.cumsum(of_prior[order]), COVERED)) + 1]
        parts = tuple((priors[i], _posterior(modes[i], joint[i])) for i in kept)
    else:
        kept = order[:1]
        noise = float(NOISE[joint[kept[0]].argmax()])
        best, posterior = _of_all(priors[kept[0]], noise, points, y, weights, random_state)
        priors[kept[0]], parts = best, ((best, posterior),)
    curved = np.array([prior.smooth is not None for prior in priors])
    i, j = np.unravel_index(np.where(curved[:, None], scores, -np.inf).argmax(), scores.shape)
    main, rho = priors[i].smooth, priors[i].rho
    assert main is not None
    return Choice(
        Process(parts, of_prior[kept] / of_prior[kept].sum()),
        main,
        float(NOISE[j] * main.unit**2 / (m * (1 - rho))),
        _report(priors, of_prior, order),
    )


def _posterior(modes: Modes, shares: Array) -> Posterior:
    """With the noises that count."""
    kept = shares > LEAST_SHARE * shares.max()
    return Posterior(modes, NOISE[kept], shares[kept] / shares[kept].sum())


def _priors(sample: Sample, centres: Array, random_state) -> list[Prior]:
    X = sample.X
    center = X.mean(axis=0)
    spread = _spread(X - center)
    linear = LinearSpace(center, spread)
    smooth = [
        Smooth.of_kernel(
            kernels.get("gaussian", float(factor * spread)),
            centres,
            -0.5 * float(np.log(factor) / SPREAD) ** 2,
        )
        for factor in WIDTHS
    ]
    graph = _of_graph(sample, random_state) if len(X) >= FEWEST_NODES else None
    smooth += [] if graph is None else [graph]
    return [Prior(linear), *(Prior(linear, one, rho) for one in smooth for rho in SHARES)]


def _spread(X: Array) -> float:
    """√V, the root mean square norm of centred points; 1 if they coincide."""
    most = float(np.abs(X).max()) or 1.0
    spread = most * float(np.sqrt(((X / most) ** 2).sum() / len(X))) or 1.0
    check_powers(spread)
    return spread


def _of_graph(sample: Sample, random_state) -> Smooth | None:
    """The energy of the sample's graph; None if it joins points that coincide alone."""
    X = sample.X
    p = min(FUNCTIONS, few_labels.landmarks(len(X)))
    width = float(auto_bandwidth(X, "gaussian", p))
    operator = operators.Graph(n_neighbors=NEIGHBORS, weights="shared")
    space = SpaceSpec(n_landmarks=p, bandwidth=width, random_state=random_state)
    assembled = Galerkin(sample, space, EnergySpec(operator=operator)).assembled(False)
    mu = few_labels.mu(assembled.forms, len(X))
    if mu == 0:
        return None
    functions = cast(KernelSpace, assembled.space)  # its landmarks are points
    factor = steps.factor(assembled, mu)
    W = factor.whiten(functions.phi(X))
    level = W.mean(axis=1)
    unit = float(np.sqrt(((W - level[:, None]) ** 2).sum() / len(X))) or 1.0
    return Smooth(functions, factor, operator, mu, level, unit)


def _of_all(
    prior: Prior, noise: float, X: Array, y: Array, weights: Array | None, random_state
) -> tuple[Prior, Posterior]:
    """The same prior and noise with all labelled rows, and functions at all or many of them.

    What functions at few points leave of k(x, x) is noise of its own at each labelled point, as in
    the fully independent training conditional (Snelson and Ghahramani, 2006).
    """
    smooth = prior.smooth
    if smooth is not None and smooth.operator is None:
        centres = X
        if len(X) > MOST_CENTRES:
            pool = sampling.sampled(X, CENTRES)
            centres = landmarks.choose(pool, CENTRES, random_state=random_state)
        smooth = Smooth.of_kernel(smooth.space.kernel, centres, smooth.log_prior)
    prior = replace(prior, smooth=smooth)
    F, variance = prior.features(X)
    missing = np.maximum(variance - (F**2).sum(axis=0), 0.0)
    own = np.ones(len(X)) if weights is None else weights
    modes = Modes.of(F, y, noise * own / (noise + own * missing))
    return prior, Posterior(modes, np.array([noise]), np.ones(1))


def _report(priors: list[Prior], shares: Array, order: Array) -> Report:
    """What is likeliest, how likely, and what comes next."""
    first, second = order[:2]
    gap = np.log(shares[first] / max(shares[second], 1e-300))
    next_best = f"next: {priors[second]}, by {gap:.2g} in log evidence"
    reason = f"{shares[first]:.0%} of the posterior weight of {len(priors)} priors; {next_best}"
    report = Report().choose("prior", str(priors[first]), reason)
    graph = sum(
        share
        for prior, share in zip(priors, shares, strict=True)
        if prior.smooth and prior.smooth.operator
    )
    linear = float(shares @ [prior.rho for prior in priors])
    report = report.choose("graph_share", float(graph), "of the weight: the sample's graph")
    return report.choose("linear_share", linear, "mean ρ by these weights")
