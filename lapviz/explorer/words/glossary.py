"""The glossary, and the titles of settings and their choices.

The glossary explains the field's terms in a sentence or two, for tooltips and links into the notes.
It has two forms: :func:`explained` for Streamlit's ``help=``, and :func:`inline` for ``st.html``,
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
    "kmeans++": "k-means++",
    "knn": "k nearest neighbours",
    "dense": "All pairs",
    "leverage": "Leverage scores",
    "fourier": "Random waves (Fourier)",
    **SHOWN,
    **FORMS,
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

    @property
    def address(self) -> str:
        """Address in the notes, relative to any page."""
        return f"notes#{self.anchor}"


_LISTED = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text("utf-8"))
TERMS = {name: Term(**listed) for name, listed in _LISTED.items()}


def explained(name: str) -> str:
    """Explain a term in Markdown for ``help=``: formula in KaTeX, link to the notes."""
    term = TERMS[name]
    formula = f" ${term.formula}$" if term.formula else ""
    return f"**{term.title}.** {term.text}{formula} [More in the notes]({term.address})"


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
    term = TERMS[name]
    formula = f'<span class="lv-math">{as_html(term.formula)}</span> ' if term.formula else ""
    return (
        f'<span class="lv-term" data-term="{name}" tabindex="0" aria-describedby="lv-{key}">'
        f'{shown}<span class="lv-tip" role="tooltip" id="lv-{key}">'
        f"<b>{html.escape(term.title)}.</b> {html.escape(term.text)} {formula}"
        f'<a href="{term.address}">More in the notes</a></span></span>'
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
    own = [SETTINGS[name].help] if name in SETTINGS else []
    return "\n\n".join([*own, *map(explained, _GLOSSED.get(name, ()))])


def title_of(value: str) -> str:
    """Title of a choice of a setting."""
    for registry in (kernels, filters):  # not cached: a kernel may be registered later
        if value in registry.names():
            return registry.get(value).title
    return TITLES.get(value, value.capitalize())
