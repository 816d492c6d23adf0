"""The glossary: the field's terms in a sentence or two, for tooltips and links into the notes.

Two forms: :func:`help_text` for Streamlit's own ``help=``, and :func:`inline` for HTML by
``st.html``, whose explanation shows on hover, on keyboard focus and on a tap.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from itertools import count

from lapviz.estimates import filters
from lapviz.explorer.words.typeset import typeset

NOTES = "notes"  # path of the page


@dataclass(frozen=True)
class Term:
    """A term: title, explanation, formula in LaTeX or "", and its anchor in the notes."""

    title: str
    text: str
    formula: str = ""
    anchor: str = ""


TERMS = {
    "galerkin": Term(
        "Galerkin method",
        "Solving an operator's equation within the span of p test functions only; the problem "
        "becomes one with p × p matrices.",
        r"g=\varphi^\top c",
        "galerkin",
    ),
    "rkhs": Term(
        "RKHS",
        "Reproducing kernel Hilbert space: the functions that a kernel generates, with a norm "
        "that measures their roughness everywhere, also where there are no data.",
        r"\langle g,k(\cdot,x)\rangle_{\mathcal H}=g(x)",
        "parameters",
    ),
    "test_functions": Term(
        "Test functions",
        "The p functions that are combined: kernel functions at landmarks, and the constant if "
        "it is added.",
        r"\varphi=(1,k(\cdot,c_1),\dots,k(\cdot,c_p))",
        "galerkin",
    ),
    "trial_space": Term(
        "Trial space",
        "The span of the test functions: every function that the method can find.",
        r"\operatorname{span}\{1,k(\cdot,c_1),\dots,k(\cdot,c_p)\}",
        "galerkin",
    ),
    "landmarks": Term(
        "Landmarks",
        "Samples at which the kernel test functions are centred.",
        r"c_1,\dots,c_p",
        "galerkin",
    ),
    "mass": Term(
        "Mass matrix",
        "Products of test functions, averaged over the samples.",
        r"M=E_n[\varphi\varphi^\top]",
        "galerkin",
    ),
    "stiffness": Term(
        "Stiffness matrix",
        "Products of the test functions' slopes, averaged over the samples.",
        r"S=E_n[\sum_l\,\partial_l\varphi\,\partial_l\varphi^\top]",
        "galerkin",
    ),
    "operator": Term(
        "Diffusion operator",
        "The operator whose quadratic form is the Dirichlet energy; its eigenfunctions are the "
        "slow modes of the data.",
        r"\mathcal L=\nabla^*\nabla",
        "operator",
    ),
    "energy": Term(
        "Dirichlet energy",
        "Mean squared slope of a function at the samples: small if it changes only where there "
        "are few data.",
        r"E_n\|\nabla g\|^2",
        "operator",
    ),
    "eigenfunction": Term(
        "Eigenfunction",
        "A mode of the data: of least energy among the functions of mean square 1 that are "
        "orthogonal to the modes before it.",
        r"(S+\mu K)v_i=\gamma_iMv_i,\ e_i=\varphi^\top v_i",
        "spectrum",
    ),
    "eigenvalue": Term(
        "Eigenvalue γ",
        "The energy of an eigenfunction: a squared frequency, in 1/length².",
        r"\gamma_i",
        "spectrum",
    ),
    "null_direction": Term(
        "Null direction",
        "A combination of test functions that vanishes on the samples. It is dropped; otherwise "
        "it would appear as a false eigenvalue.",
        r"c^\top Mc=0",
        "null-directions",
    ),
    "constant": Term(
        "The constant",
        "The function 1. It is the first eigenfunction, and most kernels' spaces lack it. In "
        "estimates it is optional, and carries no penalty.",
        r"\gamma_0=0",
        "constant",
    ),
    "lam": Term(
        "λ",
        "Weight of the Dirichlet energy, in length²: modes with γ above 1/λ are damped.",
        "",
        "parameters",
    ),
    "mu": Term(
        "μ",
        "Weight of the RKHS norm inside the λ-penalty; it forbids spikes at the labels.",
        "",
        "parameters",
    ),
    "sigma": Term(
        "σ",
        "Width of the kernel: the smallest detail that the test functions can show.",
        "",
        "parameters",
    ),
    "p": Term(
        "p",
        "Number of test functions; cost grows as p².",
        "",
        "parameters",
    ),
    "labels": Term(
        "Labels y",
        "The classes of the labelled points, as numbers: ±1, or one-hot − 1/K.",
        "",
        "estimates",
    ),
    "filter": Term(
        "Filter h",
        "How much of a mode of energy γ is kept: near 1 for slow modes, near 0 from about γ = "
        "1/λ on.",
        r"g=\sum_i\,h(\gamma_i)\langle b,v_i\rangle e_i",
        "filters",
    ),
    "data_term": Term(
        "Data term",
        "Where the squared error is taken: over the labelled points, or over all samples with "
        "the labels in the load only.",
        r"E_\ell|g-y|^2",
        "data-terms",
    ),
    "load": Term(
        "Load",
        "What the labels contribute to the equations.",
        r"b=E_\ell[y\,\varphi]",
        "data-terms",
    ),
    "poisson": Term(
        "Poisson load",
        "Labels as sources of heat instead of values to be fitted; good with very few labels.",
        r"(S+\mu K)c=a\sum_\ell\,(y-\bar y)\varphi",
        "poisson",
    ),
    "representer": Term(
        "Representer",
        "The answer to a single label: the estimate is a combination of the labels' representers.",
        r"G(\cdot,x)=\varphi^\top(S+\mu K)^{-1}\varphi(x)",
        "data-terms",
    ),
    "ridge": Term(
        "Kernel ridge",
        "Regression on the labelled points alone, with the RKHS norm as penalty.",
        r"E_\ell|g-y|^2+\lambda\mu\|g\|_{\mathcal H}^2",
        "parameters",
    ),
    "tangents": Term(
        "Tangents",
        "Directions along the data. With learnt tangents only slopes along them count, so that "
        "change across noise costs nothing.",
        r"E_n\|P\nabla g\|^2",
        "tangents",
    ),
    "graph": Term(
        "Graph Laplacian",
        "Differences along the edges of a graph of neighbours in place of slopes; known up to a "
        "factor.",
        r"\frac1n\,g^\top(D-W)g",
        "graphs",
    ),
    "hermite": Term(
        "Hermite regression",
        "A function from values and slopes at the same points.",
        r"E|g-v|^2+w\,E\|\nabla g-t\|^2",
        "hermite",
    ),
    "slopes": Term(
        "Weight of slopes w",
        "Weight of the error in the slopes, in length².",
        "",
        "hermite",
    ),
    "rho": Term(
        "Ridge ρ",
        "Weight of the RKHS norm in Hermite regression: a larger one gives a smoother curve.",
        "",
        "hermite",
    ),
    "conjugate_gradient": Term(
        "Kernel conjugate gradient",
        "Solving for the coefficients step by step, and stopping early in place of a penalty.",
        r"\|Y-K_n\alpha\|_{K_n}",
        "conjugate-gradient",
    ),
    "steps": Term(
        "Steps m",
        "Number of steps of conjugate gradient; fewer steps give a smoother answer.",
        "",
        "conjugate-gradient",
    ),
    "effective_dimension": Term(
        "Effective dimension",
        "How many directions of the kernel matter at level λ.",
        r"\operatorname{tr}\,K(K+\lambda)^{-1}",
        "effective-dimension",
    ),
    "source_condition": Term(
        "Source condition",
        "How smooth the target is: r ≥ ½ puts it into the RKHS.",
        r"f^*=K^ru",
        "effective-dimension",
    ),
    "partial_labels": Term(
        "Partial label",
        "A set of candidate classes; the smoothest consistent choice is taken.",
        r"\min_{y\in s}\,|g(x)-c_y|^2",
        "partial-labels",
    ),
    "next_label": Term(
        "Next point to label",
        "The point whose label would tell most.",
        r"\max_x\,\min_t\,J(x,t)",
        "active",
    ),
}


def term(name: str) -> Term:
    """A term; ``"filter:heat"`` is the filter of that name, with the formula of its class.

    Raises
    ------
    ValueError
        If there is no such term.
    """
    kind, _, which = name.partition(":")
    if kind == "filter" and which:
        rule, general = filters.get(which), TERMS["filter"]
        return Term(
            f"{rule.title} filter", general.text, f"h(\\gamma)={rule.formula}", general.anchor
        )
    if name not in TERMS:
        raise ValueError(f"There is no term {name!r} in the glossary.")
    return TERMS[name]


def link(name: str) -> str:
    """Address of the term's place in the notes, relative to any page."""
    return f"{NOTES}#{term(name).anchor}"


def help_text(*names: str) -> str:
    """Explanations as Markdown, for ``help=``: formulas in KaTeX, a link to the notes."""
    return "\n\n".join(map(_markdown, names))


def _markdown(name: str) -> str:
    its = term(name)
    formula = f" ${its.formula}$" if its.formula else ""
    return f"**{its.title}.** {its.text}{formula} [More in the notes]({link(name)})"


_IDS = count()


def inline(name: str, shown: str = "", *, key: str = "", data: str = "") -> str:
    """HTML of a word or symbol with its explanation; for ``st.html`` together with :data:`CSS`.

    Parameters
    ----------
    name : str
        Of a term.
    shown : str
        HTML to show; by default the term's title.
    key : str
        Makes the id of the explanation unique on the page; by default a running number.
    data : str
        Value of ``data-term``, by which the stage lights the symbol up; "" for none.
    """
    its, mark = term(name), f"lv-{key or next(_IDS)}"
    formula = f'<span class="lv-math">{_formula(its.formula)}</span> ' if its.formula else ""
    lit = f' data-term="{html.escape(data)}"' if data else ""
    return (
        f'<span class="lv-term"{lit} tabindex="0" aria-describedby="{mark}">'
        f"{shown or html.escape(its.title)}"
        f'<span class="lv-tip" role="tooltip" id="{mark}"><b>{html.escape(its.title)}.</b> '
        f"{html.escape(its.text)} {formula}"
        f'<a href="{link(name)}">More in the notes</a></span></span>'
    )


def _formula(latex: str) -> str:
    try:
        return typeset(latex)
    except ValueError:  # of a filter that someone registered
        return f"<code>{html.escape(latex)}</code>"


def prose(*pieces: str) -> str:
    """HTML pieces as one line of text in which terms can be explained, with its style."""
    return f'<style>{CSS}</style><div class="lv-line">{"".join(pieces)}</div>'


# The explanation is placed below the whole line, so that it is never cut off at either side.
CSS = """
.lv-line { position: relative; line-height: 1.7; }
.lv-math { white-space: nowrap; }
.lv-math, .lv-formula { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", Georgia,
  "Times New Roman", serif; }
.lv-formula { font-size: 0.91rem; line-height: 1.6; }
.lv-formula sub, .lv-formula sup, .lv-math sub, .lv-math sup {
  font-size: max(12px, 0.72em); line-height: 0; }
.lv-term { cursor: help; border-radius: 0.25em; padding: 0 0.12em; border-bottom: 1px dotted;
  transition: background-color 0.12s; }
.lv-term:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
[data-term].lit { background: light-dark(#ffd873, #7a5c00);
  box-shadow: 0 0 0 2px light-dark(#ffd873, #7a5c00); }
.lv-tip { visibility: hidden; position: absolute; left: 0; top: 100%; z-index: 1000;
  width: max-content; max-width: min(34rem, 100%); box-sizing: border-box; padding: 0.5rem 0.7rem;
  border: 1px solid light-dark(#c8ccd4, #555a66); border-radius: 0.5rem;
  background: light-dark(#ffffff, #262730); color: light-dark(#262730, #fafafa);
  font: 0.9rem/1.5 "Source Sans", sans-serif; text-align: left; white-space: normal;
  box-shadow: 0 4px 14px rgb(0 0 0 / 25%); transition: visibility 0s 0.25s; }
.lv-tip a { color: light-dark(#1c4db5, #8ab4ff); }
.lv-term:hover > .lv-tip, .lv-term:focus > .lv-tip, .lv-term:focus-within > .lv-tip {
  visibility: visible; transition-delay: 0.1s; }
.lv-term.hush > .lv-tip { visibility: hidden !important; }
@media (prefers-reduced-motion: reduce) { .lv-term { transition: none; } }
@media (forced-colors: active) { [data-term].lit { outline: 2px solid Highlight; } }
"""
