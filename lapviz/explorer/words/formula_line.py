r"""The formula line: one line on each page that says what is computed, with each slider's symbol.

It is part of the stage, under “More”. The formulas are LaTeX for
:func:`lapviz.explorer.words.typeset.typeset`; ``\term{lam}{\lambda}`` marks a symbol that the stage
highlights while its slider moves (``stage/js/bars/formula.js``), and that has an explanation on
hover, focus or tap. They depend on the settings: data term, filter, constant, energy, trial space.
"""

from __future__ import annotations

import re
from itertools import count

from lapviz.estimates import filters, kernel_filters
from lapviz.explorer.compute.fits import may_be_on_nodes, passes_of
from lapviz.explorer.settings.records import AUTO, Settings
from lapviz.explorer.words import glossary
from lapviz.operators import Sum

LAM, MU, SIGMA = r"\term{lam}{\lambda}", r"\term{mu}{\mu}", r"\term{sigma}{\sigma}"
VALUES = r"\term{values}{y}"
LABELS, FILTER, P = r"\term{labels}{y}", r"\term{filter}{h}", r"\term{p}{p}"
WIDTH = "k\\text{ of\u00a0width\u00a0}" + SIGMA  # non-breaking
_ALONG_TANGENTS = ("tangent", "sphere", "torus")
_TANGENTS = r"P\text{: projection on the tangents}"


_CANDIDATES = (
    rf";\ {LABELS}\text{{: the mean code of the candidates, or, for the infimum loss, that of the "
    r"one that fits best}"
)

# The energy of each operator; @ stands for the function.
_ENERGIES = {
    "laplacian": r"E_n\|\nabla @\|^2",
    "graph": r"\frac1n\,@^\top(D-W)@",
    **dict.fromkeys(_ALONG_TANGENTS, r"E_n\|P\nabla @\|^2"),
}


def _name(operator: object) -> str:
    """Name of an operator; the automatic operator counts as a graph's."""
    name = getattr(operator, "name", operator)
    return "graph" if name == AUTO else name


def energy(operator: object, function: str = "g") -> str:
    """The energy of a function for an operator, given by name or as an object."""
    if isinstance(operator, Sum):
        weights = [f"{weight:.3g}\\," for weight in operator.weights]
        if operator.match:  # all but the first energy are scaled
            weights[1:] = [weight + r"\beta\," for weight in weights[1:]]
        parts = zip(weights, operator.parts, strict=True)
        return f"({'+'.join(weight + energy(part, function) for weight, part in parts)})"
    return _ENERGIES.get(_name(operator), r"\mathcal E(@)").replace("@", function)


def _penalised(operator: object, function: str = "g") -> str:
    """The energy of a function, and the extra penalty on its norm."""
    return rf"{energy(operator, function)}+{MU}\|{function}\|_{{\mathcal H}}^2"


def _symbols(settings: Settings) -> str:
    """Explain the symbols: the kernel's width, the tangents, the graph's weights."""
    names = {_name(part) for part in getattr(settings.operator, "parts", (settings.operator,))}
    tangents = _TANGENTS if names & set(_ALONG_TANGENTS) else ""
    graph = r"W\text{: weights of the graph}" if "graph" in names else ""
    matched = getattr(settings.operator, "match", False)
    scale = r"\beta\text{: makes their traces equal}" if matched else ""
    return "; ".join(filter(None, (WIDTH, tangents, graph, scale)))


def space(settings: Settings, constant: bool) -> str:
    """The trial space, written as a span."""
    one = "1," if constant else ""
    if settings.space.landmarks == "fourier":
        waves = rf"\cos(\omega_1^\top x+b_1),\dots,\cos(\omega_{{{P}}}^\top x+b_{{{P}}})"
        return rf"\operatorname{{span}}\{{{one}{waves}\}}"
    return rf"\operatorname{{span}}\{{{one}k(\cdot,c_1),\dots,k(\cdot,c_{{{P}}})\}}"


def labels(settings: Settings) -> str:
    """The kernel Laplacian estimate of the Labels page."""
    n_passes = passes_of(settings)
    passes = rf"; \text{{then {n_passes} passes of thresholding}}" if n_passes else ""
    if n_passes and settings.estimate.linear and settings.energy.operator == AUTO:
        passes += r"\text{ and, from two labels of a class on, a linear part}"
    return _first_estimate(settings) + passes + _CANDIDATES * settings.labels.partial


def _first_estimate(settings: Settings) -> str:
    """The estimate before passes."""
    spec = settings.estimate
    rule = filters.get(spec.filter)
    penalty = _penalised(settings.operator)
    symbols = _symbols(settings)
    marked = re.sub(r"\\lambda(?![a-zA-Z])", lambda _: LAM, rule.formula)
    h = rf"{FILTER}(\gamma)={marked}"
    if spec.data_term == "all":
        estimate = rf"g=\sum_i\,{FILTER}(\gamma_i)\,E_\ell[{LABELS}e_i]\,e_i,\ {h}"
        modes = rf"\gamma_i,e_i\text{{: energies and modes of }}{penalty}\text{{ over }}"
        return rf"{estimate};\ {modes}{space(settings, spec.fit_intercept)};\ {symbols}"
    if spec.data_term == "poisson":
        load = rf"(S+{MU}K)c=a\sum_\ell\,({LABELS}-\bar y)\varphi,\ g=\varphi^\top c"
        forms = rf"c^\top Sc={energy(settings.operator)},\ c^\top Kc=\|g\|_{{\mathcal H}}^2"
        return rf"{load},\ {forms},\ g\in {space(settings, spec.fit_intercept)};\ {symbols}"
    if rule.name != "tikhonov":
        one = r"\text{constant}+" if spec.fit_intercept else ""
        estimate = rf"g={one}G(\cdot,X_\ell)\,\psi(G_{{\ell\ell}}/n_\ell)\,{LABELS}/n_\ell"
        psi = rf"\psi(s)={FILTER}(1/s)/s,\ {h}"
        representer = rf"G\text{{: kernel of the norm }}{penalty}\text{{ on }}"
        return rf"{estimate},\ {psi};\ {representer}{space(settings, False)};\ {symbols}"
    objective = rf"E_\ell|g-{LABELS}|^2+{LAM}({penalty})"
    on_nodes = r"\text{, or all }g\text{ on the nodes of }W\text{, without }\mu"
    on_nodes = on_nodes if may_be_on_nodes(settings) else ""
    unpenalised = r"; 1\text{ unpenalised}" if spec.fit_intercept else ""
    return (
        rf"g=\operatorname{{arg\,min}}\ {objective}\text{{ over }}"
        rf"g\in {space(settings, spec.fit_intercept)}{on_nodes}{unpenalised};\ {symbols}"
    )


def eigenfunctions(settings: Settings) -> str:
    """The modes of the Eigenfunctions page."""
    objective = _penalised(settings.operator, "e")
    return (
        rf"\gamma_i=\min\ {objective}\text{{, attained by }}e_i\text{{, over }}"
        rf"e\in {space(settings, True)}\text{{ with }}E_n\,e^2=1,\ "
        rf"e\perp e_0,\dots,e_{{i-1}};\ {_symbols(settings)}"
    )


_OVER = r"\text{ over }f\in @"


def _expansion(weights: str) -> str:
    """An estimate by its weights α of the kernel functions at the samples."""
    return rf"f=\frac1n\,\sum_i\,\alpha_i\,k(x_i,\cdot),\ {weights};\ {WIDTH}"


def _iterate(norm: str) -> str:
    """The m-th iterate of a Krylov method, with the least residual in a norm."""
    powers = r"\operatorname{span}\{y,K_ny,\dots,K_n^{\term{steps}{m}-1}y\}"
    objective = rf"\|{VALUES}-K_n\alpha\|{norm}\text{{ over }}\alpha\in{powers}"
    return _expansion(rf"\alpha=\operatorname{{arg\,min}}\ {objective}")


def _slopes(span: str) -> str:
    """The Hermite estimate over functions of the samples."""
    slopes = r"\term{slopes}{w}\,E\|\nabla f-t\|^2+\term{rho}{\rho}\|f\|_{\mathcal H}^2"
    functions = rf"\text{{ over }}f\in\operatorname{{span}}\{{{span}\}}"
    return rf"f=\operatorname{{arg\,min}}\ E|f-{VALUES}|^2+{slopes}{functions};\ {WIDTH}"


def _smooth(operator: str, over: str) -> str:
    """The minimiser of an operator's energy and the labels' squared error."""
    penalty = _penalised(operator, "f")
    return rf"f=\operatorname{{arg\,min}}\ E_\ell|f-{VALUES}|^2+{LAM}({penalty}){over};\ {WIDTH}"


# By topic or method; @ stands for the trial space.
REGRESSION = {
    "ridge": rf"f=\operatorname{{arg\,min}}\ E_n|f-{VALUES}|^2+\lambda"
    rf"\|f\|_{{\mathcal H}}^2;\ {WIDTH}",
    "cg": _iterate("_{K_n}"),
    "pls": _iterate(""),
    "pcr": _expansion(
        rf"K_n\alpha=\text{{the part of }}{VALUES}\text{{ in the first }}"
        r"\term{steps}{q}\text{ eigenvectors of }K_n"
    ),
    "boosting": _expansion(
        rf"\alpha\leftarrow\alpha+({VALUES}-K_n\alpha)/\|K_n\|,\ "
        r"\term{steps}{t}\text{ times from 0}"
    ),
    "hermite": _slopes(r"k(\cdot,x_i),\,\partial k(\cdot,x_i)"),
    "hermite_rough": _slopes(r"k(\cdot,x_i)"),  # of a kernel without second derivatives
    "exact": _smooth("laplacian", r"\text{ over all }f\in\mathcal H"),
    "galerkin": _smooth("laplacian", _OVER),
    "tangent": _smooth("tangent", _OVER) + f"; {_TANGENTS}",
}


def regression(settings: Settings, name: str) -> str:
    """The estimate of a topic or method of the Regression page."""
    line = REGRESSION[name].replace("@", space(settings, False))
    if name in kernel_filters.METHODS and settings.regression.unlabelled == "response":
        line += rf";\ n\text{{: all inputs}},\ {VALUES}=\frac{{n}}{{n_\ell}}(y_\ell,0,\dots,0)"
    return line


def as_html(latex: str, key: str) -> str:
    """Typeset a formula as HTML; every marked symbol has its explanation.

    Parameters
    ----------
    latex : str
        From one of the functions above.
    key : str
        Unique on the page.
    """
    number = count(1)

    def explain(name: str, symbol: str) -> str:
        return glossary.inline(name, symbol, f"{key}-{next(number)}")

    line = glossary.as_html(latex, term=explain)
    return (
        f'<div class="lv-line lv-formula" role="group" aria-label="What is computed">{line}</div>'
    )
