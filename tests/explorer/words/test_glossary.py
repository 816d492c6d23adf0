"""The glossary and formula lines: every term links to the notes, formulas depend on settings."""

import re
from xml.etree.ElementTree import Element, fromstring

import pytest

from lapviz import filters, kernels
from lapviz.estimates import kernel_filters
from lapviz.explorer.pages.eigenfunctions import page as eigenfunctions_page
from lapviz.explorer.pages.notes import text as notes
from lapviz.explorer.settings.records import SETTINGS
from lapviz.explorer.stories import presets
from lapviz.explorer.words import formula_line, glossary
from lapviz.explorer.words.typeset import typeset
from lapviz.operators import Graph, Sum

BASE = presets.papers_for("four_circles")


def parsed(text: str) -> Element:
    """Parse HTML, in which all elements must be closed."""
    return fromstring(f"<p>{text}</p>")


def plain_text(latex: str) -> str:
    """A formula as plain text."""
    return re.sub(r"\s+", " ", "".join(parsed(typeset(latex)).itertext())).strip()


# ---- typesetting ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latex", "markup"),
    [
        (r"E_\ell|g-y|^2", "<i>E</i><sub><i>ℓ</i></sub>|<i>g</i>\u2212<i>y</i>|<sup>2</sup>"),
        (r"\|g\|_{\mathcal H}^2", "‖<i>g</i>‖<sub>ℋ</sub><sup>2</sup>"),
        (r"\frac{a+b}2", "(<i>a</i> +\u00a0<i>b</i>)/2"),
        (r"\text{if } a<b", "if <i>a</i> &lt;\u00a0<i>b</i>"),
        (r"\term{lam}{\lambda}", "<i>λ</i>"),
        (r"\mathcal{H}", "ℋ"),
        (r"\bar y", "<i>y\u0304</i>"),
    ],
)
def test_typeset(latex, markup):
    assert typeset(latex) == markup


@pytest.mark.parametrize("latex", [r"\unknown", "{a", "a}", "x^", r"\text a"])
def test_typeset_refuses_with_a_sentence(latex):
    with pytest.raises(ValueError, match=r"formula|command"):
        typeset(latex)


def test_text_in_a_formula_is_escaped():
    assert "<b>" not in typeset(r"\text{<b>}")


def test_formulas_of_all_filters_and_kernels_can_be_typeset():
    for registry in (filters, kernels):
        for name in registry.names():
            assert plain_text(registry.get(name).formula)


# ---- the glossary ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", glossary.TERMS)
def test_every_term(name):
    term = glossary.TERMS[name]
    assert term.anchor in notes.anchors()
    assert 1 <= term.text.count(".") <= 3
    assert len(term.text) < 200
    parsed(typeset(term.formula))
    text = glossary.explained(name)
    assert f"](notes#{term.anchor})" in text
    assert not term.formula or f"${term.formula}$" in text
    (symbol,) = parsed(glossary.inline(name, "<b>x</b>", "it"))
    tip = next(node for node in symbol.iter() if node.get("role") == "tooltip")
    assert (symbol.get("tabindex"), symbol.get("data-term")) == ("0", name)
    assert symbol.get("aria-describedby") == tip.get("id")  # for screen readers
    assert tip.find("a").get("href") == f"notes#{term.anchor}"


def test_the_required_terms_are_present():
    titles = " ".join(t.title.lower() for t in glossary.TERMS.values())
    for required in ("galerkin", "rkhs", "test functions", "landmarks", "data term", "filter",
                     "dirichlet energy", "kernel ridge", "graph laplacian", "effective dimension",
                     "tangents", "poisson load", "representer", "eigenfunction",
                     "null direction"):  # fmt: skip
        assert required in titles


# ---- formula lines --------------------------------------------------------------------------


def test_the_estimate_of_the_labelled_points():
    assert plain_text(formula_line.labels(BASE)) == (
        "g = arg min Eℓ|g−y|2 + λ(En‖∇g‖2 + μ‖g‖ℋ2) over g ∈ span{k(·, c1), …, k(·, cp)}; "
        "k of width σ"
    )


@pytest.mark.parametrize(
    ("changes", "present", "absent"),
    [
        ({"term": "all"}, "∑i h(γi) Eℓ[yei] ei, h(γ) = 1/(1 + λγ)", "arg min"),
        ({"term": "all", "filter": "heat"}, "h(γ) = exp(−λγ)", "1/(1 +"),
        ({"filter": "cutoff"}, "ψ(s) = h(1/s)/s, h(γ) = 1[λγ < 1]", "arg min"),
        ({"intercept": True}, "span{1, k(·, c1), …, k(·, cp)}; 1 unpenalised", "§"),
        ({"intercept": True, "filter": "heat"}, "g = constant + G", "§"),
        ({"operator": "tangent"}, "En‖P∇g‖2", "En‖∇g‖2"),
        ({"operator": "known"}, "P: projection on the tangents", "En‖∇g‖2"),
        ({"operator": "graph"}, "1/n g⊤(D−W)g", "∇"),
        ({"operator": Graph()}, "W: weights of the graph", "∇"),
        ({"operator": Sum(("laplacian", Graph()), (1.0, 0.5))},
         "(1 En‖∇g‖2 + 0.5 1/n g⊤(D−W)g)", "§"),
        ({"term": "poisson"}, "(S + μK)c = a∑ℓ (y−ȳ)φ", "λ"),
        ({"term": "poisson", "balance": "scale", "passes": 3}, "then 3 passes of", "λ"),
        ({"filter": "heat", "balance": "scale", "passes": 3}, "then 3 passes of", "arg min"),
        ({"landmarks": "fourier"}, "cos(ω1⊤x + b1)", "k(·"),
    ],
)  # fmt: skip
def test_the_formula_depends_on_the_settings(changes, present, absent):
    formula = plain_text(formula_line.labels(BASE.change(**changes)))
    assert present in formula
    assert absent not in formula


def test_eigenfunctions():
    formula = plain_text(formula_line.eigenfunctions(BASE.change(operator="tangent")))
    assert "γi = min En‖P∇e‖2 + μ‖e‖ℋ2" in formula
    assert "span{1, k(·, c1)" in formula
    assert "λ" not in formula
    mixed = Sum(("tangent", Graph()), (1.0, 0.5))
    formula = plain_text(formula_line.eigenfunctions(BASE.change(operator=mixed)))
    assert "P: projection on the tangents; W: weights of the graph" in formula
    matched = Sum(("laplacian", "tangent"), (1.0, 0.5), match=True)
    formula = plain_text(formula_line.eigenfunctions(BASE.change(operator=matched)))
    assert "(1 En‖∇e‖2 + 0.5 β En‖P∇e‖2)" in formula
    assert "β: makes their traces equal" in formula


def test_the_formula_of_eigenfunctions_stands_over_those_that_minimise_it():
    settings = presets.papers_for("half_moons").change(n=60, p=10)
    assert eigenfunctions_page._formula(settings)
    for change in ({"show": "graph"}, {"show": "diffusion"}, {"form": "rotation"}):
        assert eigenfunctions_page._formula(settings.change(**change)) == ""


@pytest.mark.parametrize("method", formula_line.REGRESSION)
def test_regression(method):
    formula = plain_text(formula_line.regression(BASE, method))
    assert ("arg min" in formula) == (method not in ("pcr", "boosting"))
    with_all_inputs = formula_line.regression(BASE.change(unlabelled="response"), method)
    has_response = "(yℓ, 0, …, 0)" in plain_text(with_all_inputs)
    assert has_response == (method in kernel_filters.METHODS)
    with_waves = plain_text(formula_line.regression(BASE.change(landmarks="fourier"), method))
    assert ("cos(" in with_waves) == (method in ("galerkin", "tangent"))
    assert ("m−1" in formula) == (method in ("cg", "pls"))
    assert ("∇f−t" in formula) == method.startswith("hermite")
    assert ("∂k" in formula) == (method == "hermite")
    # the norm's weight has the symbol of its slider
    assert (f"{SETTINGS['ridge'].symbol}‖f‖" in formula) == method.startswith("hermite")
    assert ("λ" in formula) == (
        method not in ("hermite", "hermite_rough", "cg", "pls", "pcr", "boosting")
    )
    assert ("q eigenvectors" in formula, "t times" in formula) == (
        method == "pcr", method == "boosting")  # fmt: skip


@pytest.mark.parametrize(
    "changes", [{}, {"term": "all"}, {"filter": "landweber"}, {"intercept": True}]
)
def test_every_symbol_of_a_slider_is_marked_and_explained(changes):
    page = parsed(formula_line.as_html(formula_line.labels(BASE.change(**changes)), "it"))
    symbols = [node for node in page.iter() if "data-term" in node.attrib]
    names = {node.get("data-term") for node in symbols}
    assert {"lam", "mu", "sigma", "p", "labels"} <= names <= set(glossary.TERMS)
    assert ("filter" in names) == bool({"term", "filter"} & changes.keys())
    ids = [node.get("id") for node in page.iter() if "id" in node.attrib]
    assert len(ids) == len(set(ids)) == len(symbols)
    assert all(node.get("tabindex") == "0" for node in symbols)


def test_a_formula_that_cannot_be_typeset_is_shown_as_source(monkeypatch):
    monkeypatch.setattr(type(filters.get("heat")), "formula", r"\mystery{<b>}")
    line = formula_line.as_html(formula_line.labels(BASE.change(filter="heat")), "it")
    assert "<code>" in line
    assert "<b>}" not in line
