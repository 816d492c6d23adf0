"""The stage in a Streamlit page: an interactive canvas, drawn in the browser.

What Python sends to it, and the file that it runs, are in :mod:`lapviz.figures.stage`; the sources
of that file are in ``js/`` here.
"""
