r"""One line on each page that says what is computed, with the symbol of every slider.

The formulas are LaTeX for :func:`lapviz.explorer.words.typeset.typeset`; ``\term{lam}{\lambda}``
marks a symbol that the stage lights up while a hand moves it (``stage/js/bars/formula.js``)
and that explains
itself on hover, focus or tap. They follow the settings: data term, filter, constant, energy, trial
space.
"""

from __future__ import annotations

import html
import re

import streamlit as st

from lapviz.estimates import filters
from lapviz.explorer.compute.fits import estimate_of
from lapviz.explorer.settings.records import AUTO, Settings
from lapviz.explorer.words import glossary
from lapviz.explorer.words.typeset import typeset
from lapviz.operators import Sum

LAM, MU, SIGMA = r"\term{lam}{\lambda}", r"\term{mu}{\mu}", r"\term{sigma}{\sigma}"
LABELS, FILTER, P = r"\term{labels}{y}", r"\term{filter}{h}", r"\term{p}{p}"
NARROW = " of\u00a0width\u00a0"  # no line breaks within
WIDTH = rf"k\text{{{NARROW}}}{SIGMA}"
NORM = rf"{MU}\|g\|_{{\mathcal H}}^2"
TERMS = ("lam", "mu", "sigma", "p", "filter", "labels", "steps", "slopes", "rho")


def energy(operator: object, function: str = "g") -> str:
    """The energy that an operator, a name or an object, takes of a function."""
    if isinstance(operator, Sum):
        parts = zip(operator.weights, operator.parts, strict=True)
        whole = "+".join(f"{weight:.3g}\\,{energy(part, function)}" for weight, part in parts)
        return f"({whole})"
    name = getattr(operator, "name", operator)
    name = "graph" if name == AUTO else name
    slope = rf"\nabla {function}"
    if name == "laplacian":
        return rf"E_n\|{slope}\|^2"
    if name in ("tangent", "sphere", "torus"):
        return rf"E_n\|P{slope}\|^2"
    if name == "graph":
        return rf"\frac1n\,{function}^\top(D-W){function}"
    return rf"\mathcal E({function})"


def _where(settings: Settings) -> str:
    """What the symbols mean: the kernel's width, the tangents, the graph's weights."""
    words = [WIDTH]
    name = getattr(settings.operator, "name", settings.operator)
    name = "graph" if name == AUTO else name
    if name in ("tangent", "sphere", "torus"):
        words.append(r"P\text{: projection on the tangents}")
    if name == "graph":
        words.append(r"W\text{: weights of the graph}")
    return "; ".join(words)


def space(settings: Settings, constant: bool) -> str:
    """The trial space as a span."""
    one = "1," if constant else ""
    if settings.space.landmarks == "fourier":
        waves = rf"\cos(\omega_1^\top x+b_1),\dots,\cos(\omega_{{{P}}}^\top x+b_{{{P}}})"
        return rf"\operatorname{{span}}\{{{one}{waves}\}}"
    return rf"\operatorname{{span}}\{{{one}k(\cdot,c_1),\dots,k(\cdot,c_{{{P}}})\}}"


def labels(settings: Settings) -> str:
    """The kernel Laplacian's estimate on the Labels page."""
    spec = settings.estimate
    rule = filters.get(spec.filter)
    penalty = f"{energy(settings.operator)}+{NORM}"
    where = _where(settings)
    h = rf"{FILTER}(\gamma)={_marked(rule.formula)}"
    if spec.data_term == "all":
        found = rf"g=\sum_i\,{FILTER}(\gamma_i)\,E_\ell[{LABELS}e_i]\,e_i,\ {h}"
        modes = rf"\gamma_i,e_i\text{{: energies and modes of }}{penalty}\text{{ over }}"
        return rf"{found};\ {modes}{space(settings, spec.fit_intercept)};\ {where}"
    if spec.data_term == "poisson":
        load = rf"(S+{MU}K)c=a\sum_\ell\,({LABELS}-\bar y)\varphi,\ g=\varphi^\top c"
        forms = rf"c^\top Sc={energy(settings.operator)},\ c^\top Kc=\|g\|_{{\mathcal H}}^2"
        return rf"{load},\ {forms},\ g\in {space(settings, spec.fit_intercept)};\ {where}"
    if rule.name != "tikhonov":
        one = r"\text{constant}+" if spec.fit_intercept else ""
        found = rf"g={one}G(\cdot,X_\ell)\,\psi(G_{{\ell\ell}}/n_\ell)\,{LABELS}/n_\ell"
        psi = rf"\psi(s)={FILTER}(1/s)/s,\ {h}"
        representer = rf"G\text{{: kernel of the norm }}{penalty}\text{{ on }}"
        return rf"{found},\ {psi};\ {representer}{space(settings, False)};\ {where}"
    least = rf"E_\ell|g-{LABELS}|^2+{LAM}({penalty})"
    free = r"; 1\text{ unpenalised}" if spec.fit_intercept else ""
    spec = estimate_of(settings)
    count = spec.n_passes if spec.balance else 0
    passes = rf"; \text{{then {count} passes of thresholding}}" if count else ""
    return (
        rf"g=\operatorname{{arg\,min}}\ {least}\text{{ over }}"
        rf"g\in {space(settings, spec.fit_intercept)}{free};\ {where}{passes}"
    )


def eigenfunctions(settings: Settings) -> str:
    """The modes on the Eigenfunctions page."""
    norm = rf"{MU}\|e\|_{{\mathcal H}}^2"
    least = f"{energy(settings.operator, 'e')}+{norm}"
    return (
        rf"\gamma_i=\min\ {least}\text{{, attained by }}e_i\text{{, over }}"
        rf"e\in {space(settings, True)}\text{{ with }}E_n\,e^2=1,\ "
        rf"e\perp e_0,\dots,e_{{i-1}};\ {_where(settings)}"
    )


_RKHS = rf"\|f\|_{{\mathcal H}}^2;\ {WIDTH}"
_SPAN = rf"\operatorname{{span}}\{{k(\cdot,c_1),\dots,k(\cdot,c_{{{P}}})\}}"
REGRESSION = {
    "ridge": rf"f=\operatorname{{arg\,min}}\ E_n|f-{LABELS}|^2+{LAM}{_RKHS}",
    "cg": r"f=\frac1n\,\sum_i\,\alpha_i\,k(x_i,\cdot),\ \alpha=\operatorname{arg\,min}\ "
    rf"\|{LABELS}-K_n\alpha\|_{{K_n}}\text{{ over }}\alpha\in\operatorname{{span}}"
    rf"\{{y,K_ny,\dots,K_n^{{\term{{steps}}{{m}}-1}}y\}};\ {WIDTH}",
    "pls": r"f=\frac1n\,\sum_i\,\alpha_i\,k(x_i,\cdot),\ \alpha=\operatorname{arg\,min}\ "
    rf"\|{LABELS}-K_n\alpha\|\text{{ over }}\alpha\in\operatorname{{span}}"
    rf"\{{y,K_ny,\dots,K_n^{{\term{{steps}}{{m}}-1}}y\}};\ {WIDTH}",
    "hermite": rf"f=\operatorname{{arg\,min}}\ E|f-{LABELS}|^2+\term{{slopes}}{{w}}\,"
    rf"E\|\nabla f-t\|^2+\term{{rho}}{{\rho}}\|f\|_{{\mathcal H}}^2\text{{ over }}"
    rf"f\in {_SPAN};\ {WIDTH}",
    "exact": rf"f=\operatorname{{arg\,min}}\ E_\ell|f-{LABELS}|^2+{LAM}(E_n\|\nabla f\|^2+{MU}"
    rf"\|f\|_{{\mathcal H}}^2)\text{{ over all }}f\in\mathcal H;\ {WIDTH}",
    "galerkin": rf"f=\operatorname{{arg\,min}}\ E_\ell|f-{LABELS}|^2+{LAM}(E_n\|\nabla f\|^2+{MU}"
    rf"\|f\|_{{\mathcal H}}^2)\text{{ over }}f\in {_SPAN};\ {WIDTH}",
    "tangent": rf"f=\operatorname{{arg\,min}}\ E_\ell|f-{LABELS}|^2+{LAM}(E_n\|P\nabla f\|^2+{MU}"
    rf"\|f\|_{{\mathcal H}}^2)\text{{ over }}f\in {_SPAN};\ {WIDTH}"
    r"; P\text{: projection on the tangents}",
}


def regression(method: str) -> str:
    """A method of the Regression page, one of :data:`REGRESSION`.

    Raises
    ------
    ValueError
        If there is no such method.
    """
    if method not in REGRESSION:
        raise ValueError(f"No formula for {method!r}: there are {', '.join(REGRESSION)}.")
    return REGRESSION[method]


def _marked(formula: str) -> str:
    """A filter's formula with λ marked."""
    return re.sub(r"\\lambda(?![a-zA-Z])", lambda _: LAM, formula)


def as_html(latex: str, key: str) -> str:
    """A formula as HTML with its style; every marked symbol explains itself.

    Parameters
    ----------
    latex : str
        From one of the functions above.
    key : str
        Unique on the page.
    """
    marks: list[str] = []

    def explained(name: str, shown: str) -> str:
        marks.append(name)
        return glossary.inline(name, shown, key=f"{key}-{len(marks)}", data=name)

    try:
        line = typeset(latex, explained)
    except ValueError:  # of a filter or kernel that someone registered
        line = f"<code>{html.escape(latex)}</code>"
    return (
        f"<style>{glossary.CSS}</style>"
        f'<div class="lv-line lv-formula" role="group" aria-label="What is computed">{line}</div>'
    )


def show(latex: str, key: str) -> None:
    """Draw a formula line on the page."""
    st.html(as_html(latex, key))
