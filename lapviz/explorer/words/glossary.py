"""The glossary: the field's terms in a sentence or two, for tooltips and links into the notes;
and what settings and their choices are called.

Two forms: :func:`help_text` for Streamlit's own ``help=``, and :func:`inline` for HTML by
``st.html``, whose explanation shows on hover, on keyboard focus and on a tap. The terms are in
:file:`glossary.toml`, the style of :func:`inline` in :file:`page.css`.
"""

from __future__ import annotations

import html
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lapviz import kernels
from lapviz.estimates import data_terms, filters
from lapviz.explorer.settings.records import ALONE, AUTO, OPERATORS, SETTINGS
from lapviz.explorer.settings.specs import FORMS, METHODS, PLANES, SHOWN, TOPICS, UNLABELLED
from lapviz.explorer.words.typeset import typeset

# Terms of the glossary that a control's help explains.
_GLOSSED = {
    "kernel": ("rkhs", "test_functions"),
    "landmarks": ("galerkin", "landmarks"),
    "operator": ("energy", "tangents"),
    "term": ("data_term", "poisson"),
    "intercept": ("constant",),
    "graph": ("graph",),
    "show": ("eigenfunction",),
    "ask": ("next_label",),
    "unlabelled": ("conjugate_gradient",),
}
TITLES = {
    "stratified": "Stratified",
    "uniform": "Uniform",
    "kmeans++": "k-means++",
    "knn": "k nearest neighbours",
    "dense": "All pairs",
    "harmonic": "Harmonic",
    "spreading": "Spreading",
    "leverage": "Leverage scores",
    "fourier": "Random waves (Fourier)",
    **SHOWN,
    **FORMS,
    AUTO: "From the data",
    "off": "Off",
    "energy": "Energy of the likeliest class",
    "change": "Change by the likeliest class",
    "scale": "Scale to class masses",
    "shift": "Shift to class masses",
    "standard": "Mean 0, variance 1",
    ALONE: "None",
    **{name: data_terms.get(name).title for name in data_terms.names()},
    **OPERATORS,
    **PLANES,
    **TOPICS,
    **METHODS,
    **UNLABELLED,
}


@dataclass(frozen=True)
class Term:
    """A term: title, explanation, anchor in the notes, and formula in LaTeX or ""."""

    title: str
    text: str
    anchor: str
    formula: str = ""


_LISTED = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text("utf-8"))
TERMS = {name: Term(**listed) for name, listed in _LISTED.items()}


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
        formula = f"h(\\gamma)={rule.formula}"
        return Term(f"{rule.title} filter", general.text, general.anchor, formula)
    if name not in TERMS:
        raise ValueError(f"There is no term {name!r} in the glossary.")
    return TERMS[name]


def link(name: str) -> str:
    """Address of the term's place in the notes, relative to any page."""
    return f"notes#{term(name).anchor}"


def help_text(*names: str) -> str:
    """Explanations as Markdown, for ``help=``: formulas in KaTeX, a link to the notes."""
    terms = {name: term(name) for name in names}
    return "\n\n".join(
        f"**{its.title}.** {its.text}{f' ${its.formula}$' if its.formula else ''} "
        f"[More in the notes]({link(name)})"
        for name, its in terms.items()
    )


def inline(name: str, shown: str, key: str) -> str:
    """HTML of a symbol with its explanation, for ``st.html``.

    Parameters
    ----------
    name : str
        Of a term; the stage lights the symbol up by it.
    shown : str
        HTML to show.
    key : str
        Makes the id of the explanation unique on the page.
    """
    its = term(name)
    formula = f'<span class="lv-math">{as_html(its.formula)}</span> ' if its.formula else ""
    return (
        f'<span class="lv-term" data-term="{name}" tabindex="0" aria-describedby="lv-{key}">'
        f'{shown}<span class="lv-tip" role="tooltip" id="lv-{key}">'
        f"<b>{html.escape(its.title)}.</b> {html.escape(its.text)} {formula}"
        f'<a href="{link(name)}">More in the notes</a></span></span>'
    )


def as_html(latex: str, **how: object) -> str:
    """A formula as HTML; of a filter or kernel that someone registered perhaps as it is written."""
    try:
        return typeset(latex, **how)
    except ValueError:
        return f"<code>{html.escape(latex)}</code>"


@cache
def help_of(name: str) -> str:
    """A setting's sentence, and the glossary's entries for the terms that it uses."""
    words = [SETTINGS[name].help if name in SETTINGS else ""]
    if name in _GLOSSED:
        words.append(help_text(*_GLOSSED[name]))
    return "\n\n".join(filter(None, words))


def title_of(value: str) -> str:
    """What a choice of a setting is called."""
    for registry in (kernels, filters):  # asked each time: a kernel may be registered later
        if value in registry.names():
            return registry.get(value).title
    return TITLES.get(value, value)
