"""Sphinx configuration: `python -m sphinx -W --keep-going -b html docs docs/_build`."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # examples are small: threads would only wait

from lapviz_docs.live import MADE  # noqa: E402

import lapviz  # noqa: E402

MADE.mkdir(exist_ok=True)

project = "lapviz"
author = "The lapviz founders"
copyright = "the lapviz founders, MIT licence"
release = version = lapviz.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
    "lapviz_docs",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext", ".ipynb": "notebook"}
exclude_patterns = ["_build", "_made/**", "_ext/**", "examples/**", "gallery/**/*.ipynb"]
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
myst_ref_domains = ["std"]
html_math_renderer = "mathml"

html_theme = "pydata_sphinx_theme"
html_static_path = ["_static", "_made"]
html_css_files = ["lapviz.css"]
html_js_files = ["lapviz.js"]
html_title = "lapviz"
html_context = {"default_mode": "auto"}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
}

autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_attributes_as_param_list = True
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r".*\.py$",
    "image_scrapers": ("lapviz_docs.live.scrape",),
    "capture_repr": (),
    "reset_modules": (),
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 10_000,
    "remove_config_comments": True,
    "notebook_extensions": set(),
    "show_signature": False,
    "write_computation_times": False,
    "parallel": False,
}
