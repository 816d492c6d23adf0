"""Short public names of modules.

``lapviz.landmarks`` is ``lapviz.spaces.landmarks``, and so on, so that folders can be rearranged
without breaking imports. A name is resolved at its first use, by attribute or by ``import``, and is
the same module object as under the full path.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec

PLACES = {
    "active": "estimates.queries",
    "bandwidths": "spaces.bandwidth",
    "eigenmaps": "graphs.eigenmaps",
    "filters": "estimates.filters",
    "fourier": "spaces.fourier",
    "graph_energies": "operators.graph",
    "hermite": "estimates.hermite",
    "invariances": "operators.invariances",
    "kernel_cg": "estimates.conjugate_gradient",
    "kernel_filters": "estimates.kernel_filters",
    "landmarks": "spaces.landmarks",
    "leverage": "spaces.leverage",
    "networks": "estimates.disentangling",
    "neural": "estimates.neural_training",
    "partial_labels": "estimates.partial",
    "representer": "estimates.exact",
    "selection": "estimates.leave_one_out",
    "stopping": "estimates.stopping",
    "tangents": "operators.tangents",
    "trial_spaces": "spaces",
    "truths": "datasets.truths",
}


class _Finder(MetaPathFinder, Loader):
    """Finder of ``lapviz.<name>`` under its full path."""

    def find_spec(self, fullname, path=None, target=None):
        package, _, name = fullname.partition(".")
        if package == __package__ and name in PLACES:
            return ModuleSpec(fullname, self, origin=PLACES[name])
        return None

    def create_module(self, spec):
        module = import_module(f"{__package__}.{spec.origin}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        spec = module.__spec__  # the import system has set that of the short name
        module.__spec__ = spec.loader_state if spec is not None else None


def install() -> None:
    """Make the short names importable; further calls have no effect."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
