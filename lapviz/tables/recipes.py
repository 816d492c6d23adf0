"""Scripts that read a file again: the same arrays, or, of large files, a fit by Dask."""

from __future__ import annotations

import ast

from lapviz.tables.records import Roles

_PREPARE = """from lapviz import tables

table = tables.read({path})
data = table.prepare(
    features={features},
    label={label},
    weight={weight},
    missing="{missing}",
    scale={scale},
    task="{task}",
)
X, y, weights = data.X, data.y, data.weights
"""
_LARGE = """import dask.dataframe as dd
from distributed import Client

from lapviz import {estimator}


def main():
    table = dd.{reader}({path}{sep})
    columns = [name for name in table.select_dtypes('number').columns{chosen}]
    table = table[{names}].dropna(subset=columns)
    X = table[columns]
    X = (X - X.mean()) / X.std()  # every column counts alike
{fit}    dd.from_dask_array(values).to_csv("values-*.csv")


if __name__ == "__main__":
    with Client():  # this machine; Client("tcp://…") for a cluster
        main()
"""
_EMBED = """    model = GalerkinEmbedding(random_state=0).fit(X)
    print(model.eigenvalues_)
    values = model.transform(X)  # lazy: written part by part
"""
_CLASSIFY = """    y = table[{label}]
    y = y.fillna(-1 if y.dtype.kind in "iuf" else "-1")  # unlabelled
    model = LaplacianClassifier(random_state=0).fit(X, y)
    print(model.report_)
    values = model.predict(X)  # lazy: written part by part
"""


def script(roles: Roles, path: str) -> str:
    """Lines that define table, data, X, y and weights; by the roles of the columns."""
    text = _PREPARE.format(
        path=_text(str(path)),
        features=_listed(roles.features),
        label=_text(roles.label),
        weight=_text(roles.weight),
        missing=roles.missing,
        scale=roles.scale,
        task=roles.task,
    )
    ast.parse(text)
    return text


def large_script(path: str, label: str | None = None) -> str:
    """Write the script that fits a table too large to be read whole, by Dask.

    Parameters
    ----------
    path : str
        A CSV, TSV or Parquet file, or a pattern such as "parts/*.parquet".
    label : str, optional
        Column of the classes, blank where unlabelled; without one eigenfunctions are learnt.

    Returns
    -------
    str
        Python, on the public names; needs ``pip install "dask[dataframe]" distributed``.
    """
    end, literal = str(path).lower(), _text(label)
    text = _LARGE.format(
        estimator="GalerkinEmbedding" if label is None else "LaplacianClassifier",
        reader="read_parquet" if end.endswith((".parquet", ".pq")) else "read_csv",
        path=_text(str(path)),
        sep=', sep="\\t"' if end.endswith((".tsv", ".tab")) else "",
        chosen="" if label is None else f" if name != {literal}",
        names="columns" if label is None else f"[*columns, {literal}]",
        fit=_EMBED if label is None else _CLASSIFY.format(label=literal),
    )
    ast.parse(text)
    return text


def _text(text: str | None) -> str:
    """A literal, in double quotes where that is plain."""
    literal = repr(text)
    return f'"{text}"' if literal == f"'{text}'" and '"' not in literal else literal


def _listed(names: tuple[str, ...]) -> str:
    """A tuple of names, a few a line."""
    words = [_text(name) for name in names]
    line = f"({', '.join(words)}{',' * (len(names) == 1)})"
    if len(line) <= 80:
        return line
    return "(\n" + "".join(f"        {word},\n" for word in words) + "    )"
