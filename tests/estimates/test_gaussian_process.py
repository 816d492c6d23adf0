"""Gaussian processes: scikit-learn's on the same kernel, quadrature over s², and identities."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaln
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

from lapviz import kernels
from lapviz.estimates import factorise
from lapviz.estimates.gaussian_process import RATE, SHAPE, Modes, Posterior
from lapviz.forms import Forms
from lapviz.spaces import KernelSpace

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(25, 2)), RNG.normal(size=(8, 2))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2]) + 0.1 * RNG.normal(size=(25, 2))
NOISE = np.array([0.03, 0.2, 1.5])
ONE = np.ones(1)


@pytest.fixture(scope="module")
def factor():
    gram = KernelSpace(kernels.get("gaussian", 0.8), X, constant=False).gram
    return factorise(Forms(gram, np.zeros_like(gram), gram, 25), 1.0, constant=False)


@pytest.fixture(scope="module")
def features(factor):
    """Features of a Gaussian kernel, with functions at all points: F(x)ᵀF(x′) = k(x, x′)."""
    kernel = kernels.get("gaussian", 0.8)
    return factor.whiten(kernel(X, X)), factor.whiten(kernel(NEW, X))


def peer(noise, y):
    kernel = RBF(0.8) + WhiteKernel(noise)
    return GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0).fit(X, y)


@pytest.mark.parametrize("noise", NOISE)
def test_it_matches_scikit_learn(features, noise):
    F, new = features
    modes = Modes.of(F, Y)
    likelihood = [peer(noise, y).log_marginal_likelihood_value_ for y in Y.T]
    nu = np.array([noise])
    evidence = -0.5 * (modes.log_determinant(nu) + modes.squares(nu)[0] + 25 * np.log(2 * np.pi))
    np.testing.assert_allclose(evidence, likelihood)
    mean, square = Posterior(modes, nu, ONE).moments(new, np.ones(8))
    deviation = np.sqrt(square - mean**2)
    for o, y in enumerate(Y.T):
        expected, std = peer(noise, y).predict(NEW, return_std=True)
        np.testing.assert_allclose(mean[:, o], expected, atol=1e-8)
        scale = modes.scales(nu)[0, o]
        np.testing.assert_allclose(deviation[:, o] / np.sqrt(scale), std, atol=1e-6)


def test_the_evidence_integrates_the_scale_out(features):
    """p(y) = ∫ N(y; 0, s²(C + νI)) InvGamma(s²; a, b) ds², up to a constant in ν; and s² is its
    posterior mean, so that deviations are those of the model."""
    modes, expected, means = Modes.of(features[0], Y[:, :1]), [], []
    for ld, q in zip(modes.log_determinant(NOISE), modes.squares(NOISE)[:, 0], strict=True):

        def density(s2, ld=ld, q=q):
            gamma = SHAPE * np.log(RATE) - gammaln(SHAPE) - (SHAPE + 1) * np.log(s2) - RATE / s2
            return np.exp(gamma - 0.5 * (ld + 25 * np.log(s2) + q / s2))

        total = quad(density, 0.0, np.inf, epsabs=0)[0]
        expected.append(np.log(total))
        means.append(quad(lambda s2: s2 * density(s2), 0.0, np.inf, epsabs=0)[0] / total)
    evidence = modes.log_evidence(NOISE)
    np.testing.assert_allclose(np.diff(evidence), np.diff(expected), rtol=1e-6)
    np.testing.assert_allclose(modes.scales(NOISE)[:, 0], means, rtol=1e-6)


def test_the_eigenproblems_of_features_and_labels_agree():
    """With fewer features than labels, and with more (by zeros)."""
    F, y = RNG.normal(size=(6, 25)), Y
    padded = np.vstack([F, np.zeros((30, 25))])
    few, many = Modes.of(F, y), Modes.of(padded, y)
    assert len(few.s) == 6
    np.testing.assert_allclose(few.log_evidence(NOISE), many.log_evidence(NOISE))
    new = RNG.normal(size=(6, 4))
    shares = np.full(3, 1 / 3)
    moments = Posterior(few, NOISE, shares).moments(new, (new**2).sum(axis=0))
    padded_new = np.vstack([new, np.zeros((30, 4))])
    expected = Posterior(many, NOISE, shares).moments(padded_new, (new**2).sum(axis=0))
    np.testing.assert_allclose(moments, expected, rtol=1e-9)


def test_a_weight_counts_like_repeated_observations(features):
    """In the mean; the evidence also contains the spread of repeated observations."""
    F, new = features
    counts = RNG.integers(1, 4, 25)
    weighted = Posterior(Modes.of(F, Y, counts.astype(float)), NOISE[:1], ONE)
    repeated = Modes.of(np.repeat(F, counts, 1), np.repeat(Y, counts, 0))
    expected = new.T @ Posterior(repeated, NOISE[:1], ONE).coefficients
    np.testing.assert_allclose(new.T @ weighted.coefficients, expected, atol=1e-9)


def test_a_mixture_has_the_mean_and_the_mean_square_of_its_components(features):
    F, new = features
    modes, shares = Modes.of(F, Y), np.array([0.2, 0.3, 0.5])
    mixture = Posterior(modes, NOISE, shares)
    components = [Posterior(modes, NOISE[i : i + 1], ONE) for i in range(3)]
    first, second = mixture.moments(new, np.ones(8))
    moments = [component.moments(new, np.ones(8)) for component in components]
    np.testing.assert_allclose(first, np.tensordot(shares, [m[0] for m in moments], 1))
    np.testing.assert_allclose(second, np.tensordot(shares, [m[1] for m in moments], 1))
    np.testing.assert_allclose(first, new.T @ mixture.coefficients, atol=1e-9)
    noises = [component.noise_variance for component in components]
    np.testing.assert_allclose(mixture.noise_variance, shares @ noises)
