"""The stage in a Streamlit page: an interactive canvas, drawn in the browser.

Its payloads and its built JavaScript file are in :mod:`lapviz.figures.stage`; the sources of that
file are in ``js/`` here.
"""
