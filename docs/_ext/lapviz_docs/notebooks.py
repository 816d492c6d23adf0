"""Executed notebooks as pages: their text, code and stored outputs, through MyST."""

from __future__ import annotations

import base64
from pathlib import Path

import nbformat
from myst_parser.parsers.sphinx_ import MystParser

SUFFIXES = {"image/png": "png", "image/svg+xml": "svg", "image/jpeg": "jpg"}


def markdown(notebook, folder: Path, name: str, address: str) -> str:
    """A notebook as MyST Markdown; images are written to ``folder``.

    Parameters
    ----------
    notebook : nbformat notebook
        Executed, with outputs.
    folder : Path
        Folder for the images.
    name : str
        Prefix of the images' names.
    address : str
        Address of the folder in links of the page.
    """
    parts = []
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts.append(f"```python\n{cell.source}\n```")
            for k, output in enumerate(cell.outputs):
                parts.append(_output(output, folder, f"{name}-{i}-{k}", address))
    return "\n\n".join(parts) + "\n"


def _output(output, folder: Path, name: str, address: str) -> str:
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```"
    if output.output_type == "error":
        raise ValueError(f"The notebook has an error in it: {output.ename}.")
    for kind, suffix in SUFFIXES.items():
        if kind in output.data:
            folder.mkdir(parents=True, exist_ok=True)
            data = output.data[kind]
            raw = data.encode() if suffix == "svg" else base64.b64decode(data)
            (folder / f"{name}.{suffix}").write_bytes(raw)
            alt = output.metadata.get("alt", "The figure that the cell above makes")
            return f"![{alt}]({address}/{name}.{suffix})"
    return f"```text\n{output.data.get('text/plain', '').rstrip()}\n```"


class NotebookParser(MystParser):
    """Reads ``.ipynb`` files as pages."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document) -> None:
        env = document.settings.env
        page = env.doc2path(env.docname)
        folder = Path(env.srcdir) / "_made" / "notebooks"
        address = "/_made/notebooks"
        text = markdown(nbformat.reads(inputstring, 4), folder, Path(page).stem, address)
        super().parse(text, document)


def setup(app) -> None:
    """Register notebooks as sources."""
    app.add_source_suffix(".ipynb", "notebook", override=True)
    app.add_source_parser(NotebookParser)
