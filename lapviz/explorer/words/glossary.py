"""The glossary, and the titles of settings and their choices.

The glossary explains the field's terms in a sentence or two, for tooltips and links into the notes.
It has two forms: :func:`help_text` for Streamlit's ``help=``, and :func:`inline` for ``st.html``,
whose explanation is shown on hover, on keyboard focus and on a tap. The terms are in
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
from lapviz.estimates.kernel_filters import METHODS
from lapviz.explorer.settings.records import ALONE, OPERATORS, SETTINGS
from lapviz.explorer.settings.specs import FORMS, PLANES, SHOWN, TOPICS, UNLABELLED
from lapviz.explorer.words.typeset import typeset

# Glossary terms that the help of a control includes.
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
    "off": "Off",
    "energy": "Energy of the likeliest class",
    "change": "Change by likeliest class",
    "scale": "Scale to class masses",
    "shift": "Shift to class masses",
    "standard": "Mean 0, variance 1",
    ALONE: "None",
    **{name: term.title for name, term in data_terms.TERMS.items()},
    **OPERATORS,
    **PLANES,
    **TOPICS,
    **METHODS,
    **UNLABELLED,
}


@dataclass(frozen=True)
class Term:
    """A term: title, explanation, anchor in the notes, and LaTeX formula or ""."""

    title: str
    text: str
    anchor: str
    formula: str = ""


_LISTED = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text("utf-8"))
TERMS = {name: Term(**listed) for name, listed in _LISTED.items()}


def term(name: str) -> Term:
    """Return a term; ``"filter:heat"`` is the filter of that name, with its formula.

    Raises
    ------
    ValueError
        If there is no such term.
    """
    kind, _, filter_name = name.partition(":")
    if kind == "filter" and filter_name:
        rule, general = filters.get(filter_name), TERMS["filter"]
        formula = f"h(\\gamma)={rule.formula}"
        return Term(f"{rule.title} filter", general.text, general.anchor, formula)
    if name not in TERMS:
        raise ValueError(f"There is no term {name!r} in the glossary.")
    return TERMS[name]


def link(name: str) -> str:
    """Address of the term in the notes, relative to any page."""
    return f"notes#{term(name).anchor}"


def help_text(*names: str) -> str:
    """Explain terms in Markdown for ``help=``, with formulas in KaTeX and links to the notes."""
    terms = {name: term(name) for name in names}
    return "\n\n".join(
        f"**{entry.title}.** {entry.text}{f' ${entry.formula}$' if entry.formula else ''} "
        f"[More in the notes]({link(name)})"
        for name, entry in terms.items()
    )


def inline(name: str, shown: str, key: str) -> str:
    """Return the HTML of a symbol with its explanation, for ``st.html``.

    Parameters
    ----------
    name : str
        Name of the term, by which the stage highlights the symbol.
    shown : str
        HTML of the symbol.
    key : str
        Makes the explanation's id unique on the page.
    """
    entry = term(name)
    formula = f'<span class="lv-math">{as_html(entry.formula)}</span> ' if entry.formula else ""
    return (
        f'<span class="lv-term" data-term="{name}" tabindex="0" aria-describedby="lv-{key}">'
        f'{shown}<span class="lv-tip" role="tooltip" id="lv-{key}">'
        f"<b>{html.escape(entry.title)}.</b> {html.escape(entry.text)} {formula}"
        f'<a href="{link(name)}">More in the notes</a></span></span>'
    )


def as_html(latex: str, **options: object) -> str:
    """Typeset a formula as HTML, or show its source if a registered class uses other LaTeX."""
    try:
        return typeset(latex, **options)
    except ValueError:
        return f"<code>{html.escape(latex)}</code>"


@cache
def help_of(name: str) -> str:
    """The help of a setting, followed by the glossary entries of its terms."""
    parts = [SETTINGS[name].help if name in SETTINGS else ""]
    if name in _GLOSSED:
        parts.append(help_text(*_GLOSSED[name]))
    return "\n\n".join(filter(None, parts))


def title_of(value: str) -> str:
    """Title of a choice of a setting."""
    for registry in (kernels, filters):  # not cached: a kernel may be registered later
        if value in registry.names():
            return registry.get(value).title
    return TITLES.get(value, value)
