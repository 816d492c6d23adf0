"""Quadratic objectives minimised by brute force, as one stacked least-squares problem.

And a Galerkin problem to test them on.
"""

import numpy as np

from lapviz import kernels, operators
from lapviz.estimates import factorise, labelled_estimate
from lapviz.spaces import KernelSpace


def galerkin(X, landmarks, kernel, sigma, constant=False, mu=1e-2):
    """Space, forms over X, and the factor of S + μK."""
    space = KernelSpace(kernels.get(kernel, sigma), landmarks, constant)
    forms = operators.assemble(space, X)
    return space, forms, factorise(forms, mu, constant)


def square_root(A):
    """R with RᵀR = A, for a positive semi-definite A."""
    values, vectors = np.linalg.eigh(A)
    return (vectors * np.sqrt(np.maximum(values, 0.0))).T


def minimiser(penalty, *terms):
    """argmin Σ weight · |Ac − y|² + cᵀ(penalty)c over c, with terms (weight, A, y)."""
    rows = [np.sqrt(weight) * A for weight, A, _ in terms] + [square_root(penalty)]
    right = [np.sqrt(weight) * y for weight, _, y in terms]
    right += [np.zeros((len(penalty), right[0].shape[1]))]
    return np.linalg.lstsq(np.vstack(rows), np.vstack(right), rcond=None)[0]


def refit(factor, penalty, phi, y, lam):
    """Coefficients of the estimate from y at φ, its mean squared misfit, and its energy."""
    c = labelled_estimate(factor, phi, y, lam)
    return c, np.mean(((phi @ c - y) ** 2).sum(axis=1)), np.trace(c.T @ penalty @ c)
