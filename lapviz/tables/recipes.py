"""Scripts that read a file again: the same arrays, or, of large files, a fit by Dask."""

from __future__ import annotations

import ast

from lapviz.tables.records import Roles


def script(roles: Roles, path: str) -> str:
    """Lines that define table, data, X, y and weights; by the roles of the columns."""
    options = [
        f"    features={_listed(roles.features)},",
        f"    label={_text(roles.label)},",
        f"    weight={_text(roles.weight)},",
        f'    missing="{roles.missing}",',
        f"    scale={roles.scale!r},",
        f'    task="{roles.task}",',
    ]
    text = "\n".join(
        [
            "from lapviz import tables",
            "",
            f"table = tables.read({_text(str(path))})",
            "data = table.prepare(",
            *options,
            ")",
            "X, y, weights = data.X, data.y, data.weights",
            "",
        ]
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
    end = str(path).lower()
    sep = ', sep="\\t"' if end.endswith((".tsv", ".tab")) else ""
    reader = "read_parquet" if end.endswith((".parquet", ".pq")) else "read_csv"
    names = "columns" if label is None else f"[*columns, {_text(label)}]"
    chosen = "" if label is None else f" if name != {_text(label)}"
    lines = [
        "import dask.dataframe as dd",
        "from distributed import Client",
        "",
        f"from lapviz import {'GalerkinEmbedding' if label is None else 'LaplacianClassifier'}",
        "",
        "",
        "def main():",
        f"    table = dd.{reader}({_text(str(path))}{sep})",
        f"    columns = [name for name in table.select_dtypes('number').columns{chosen}]",
        f"    table = table[{names}].dropna(subset=columns)",
        "    X = table[columns]",
        "    X = (X - X.mean()) / X.std()  # every column counts alike",
    ]
    if label is None:
        lines += [
            "    model = GalerkinEmbedding(random_state=0).fit(X)",
            "    print(model.eigenvalues_)",
            "    values = model.transform(X)  # lazy: written part by part",
        ]
    else:
        lines += [
            f"    y = table[{_text(label)}]",
            '    y = y.fillna(-1 if y.dtype.kind in "iuf" else "-1")  # unlabelled',
            "    model = LaplacianClassifier(random_state=0).fit(X, y)",
            "    print(model.report_)",
            "    values = model.predict(X)  # lazy: written part by part",
        ]
    lines += [
        '    dd.from_dask_array(values).to_csv("values-*.csv")',
        "",
        "",
        'if __name__ == "__main__":',
        '    with Client():  # this machine; Client("tcp://…") for a cluster',
        "        main()",
    ]
    text = "\n".join([*lines, ""])
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
