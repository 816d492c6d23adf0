"""One page for each public module, generated from the code: its docstring and its names."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

# Modules whose names are public, in the order of the pages; lapviz itself comes first.
MODULES = (
    "datasets", "truths", "tables", "pictures",
    "kernels", "spaces", "landmarks", "leverage", "bandwidths", "fourier", "networks",
    "operators", "tangents", "graph_energies", "invariances", "forms", "spectra", "bilinear",
    "estimates", "filters", "selection", "active", "representer", "hermite", "kernel_cg",
    "stopping", "kernel_filters", "partial_labels", "neural", "graphs", "eigenmaps",
    "fit", "metrics", "labels", "formulas", "progress", "memory", "figures", "scenes", "charts",
    "experiments.registry", "experiments.runs", "experiments.records",
)  # fmt: skip


def names_of(place: str) -> list[str]:
    """Public functions and classes of a module: those in ``__all__``, else those it defines."""
    module = importlib.import_module(f"lapviz.{place}" if place else "lapviz")
    declared = getattr(module, "__all__", None)
    names = declared if declared is not None else [n for n in vars(module) if n[0] != "_"]
    items = ((name, getattr(module, name)) for name in names)
    return sorted(
        name
        for name, item in items
        if (inspect.isfunction(item) or inspect.isclass(item))
        and (getattr(item, "__module__", "") or "").startswith("lapviz")
        and (declared is not None or item.__module__ == module.__name__)
    )


def pages() -> dict[str, list[str]]:
    """Public names by module; an object is listed under the first module that has it."""
    seen: list[object] = []
    names = {}
    for place in ("", *MODULES):
        module = importlib.import_module(f"lapviz.{place}" if place else "lapviz")
        new = [name for name in names_of(place) if getattr(module, name) not in seen]
        seen += [getattr(module, name) for name in new]
        names[place] = new
    return names


def write(app, config) -> None:
    """Write the pages before Sphinx collects its sources."""
    folder = Path(app.srcdir) / "api" / "made"
    folder.mkdir(parents=True, exist_ok=True)
    for place, names in pages().items():
        module = f"lapviz.{place}" if place else "lapviz"
        lines = [module, "=" * len(module), "", f".. automodule:: {module}", "   :no-index:", ""]
        if names:
            lines += [f".. currentmodule:: {module}", ""]
            lines += [".. autosummary::", "   :toctree: items", "   :nosignatures:", ""]
            lines += [f"   {name}" for name in names]
        _update(folder / f"{module}.rst", "\n".join(lines) + "\n")


def _update(path: Path, text: str) -> None:
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


# Docstrings write formulas as plain text, with |x| and names such as w_; in reStructuredText both
# would be references. Text in backquotes and code stay as they are.
_CODE = re.compile(r"(``.+?``|:\w+:`[^`]+`|`[^`]+`_*)")
_MARKUP = re.compile(r"(?<!\\)\||(?<=\w)_(?!\w)|(?<=/)\*")


def escape(app, what, name, obj, options, lines) -> None:
    """Escape formulas of a docstring that Sphinx would read as markup."""
    in_code = False
    for i, line in enumerate(lines):
        in_code = line.lstrip().startswith(">>>") or (in_code and bool(line.strip()))
        if not in_code:
            pieces = _CODE.split(line)
            pieces[::2] = [_MARKUP.sub(r"\\\g<0>", piece) for piece in pieces[::2]]
            lines[i] = "".join(pieces)


def skip(app, what, name, obj, skipped, options):
    """Leave out scikit-learn's methods of metadata routing, and the repeated class ``Config``."""
    if re.fullmatch(r"set_\w+_request|get_metadata_routing|Config", name) and what == "class":
        return True
    return None


def setup(app) -> None:
    """Write the pages at the beginning of a build."""
    app.connect("config-inited", write)
    app.connect("autodoc-process-docstring", escape, priority=900)
    app.connect("autodoc-skip-member", skip)
