"""Optional packages, and the error message if one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

_NAMES = {"PIL": "Pillow", "dask": "Dask", "jax": "JAX", "plotly": "Plotly", "pyarrow": "PyArrow",
          "streamlit": "Streamlit", "playwright": "Playwright"}  # fmt: skip


def command(extra: str) -> str:
    """Shell command that installs an extra."""
    return f'pip install "lapviz-explorer[{extra}]"'


@contextmanager
def needed(extra: str, purpose: str) -> Iterator[None]:
    """Context manager for imports of an extra's packages; names the first one that is missing.

    Parameters
    ----------
    extra : str
        Name in ``[project.optional-dependencies]``.
    purpose : str
        What needs the packages: the beginning of a sentence, capitalised.

    Raises
    ------
    ImportError
        If a package is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "lapviz"):
            raise
        raise ImportError(_sentence(extra, purpose, package), name=package) from None


def missing(extra: str, purpose: str, *packages: str) -> str:
    """The message of :func:`needed` without an import; empty if all packages are installed."""
    package = next((package for package in packages if find_spec(package) is None), "")
    return package and _sentence(extra, purpose, package)


def _sentence(extra: str, purpose: str, package: str) -> str:
    name = _NAMES.get(package, package)
    return f"{purpose} needs {name}, which is not installed: `{command(extra)}`."


def pillow():
    """Pillow's module ``Image``.

    Raises
    ------
    ImportError
        If Pillow is missing.
    """
    with needed("plot", "A picture"):
        from PIL import Image
    return Image
