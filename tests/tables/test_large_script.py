"""The script for large tables runs, and gives the numbers of a fit in memory."""

import gzip

import numpy as np
import pytest

from lapviz import GalerkinEmbedding, LaplacianClassifier, tables
from tests.helpers import printed

pd = pytest.importorskip("pandas")
pytest.importorskip("dask.dataframe", reason='install the extra: pip install -e ".[dask]"')
pytest.importorskip("distributed")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "kind"),
    [pytest.param(None, "csv", marks=pytest.mark.long),
     ("kind", "csv"), ("kind", "parquet")],
)  # fmt: skip
def test_it_runs(tmp_path, label, kind):
    """With files that Dask joins where few of their columns are read; rows keep their order."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 3)), columns=["a", "b", "c"])
    frame["kind"] = np.where(frame.a > 0, "high", "low")
    frame.loc[~frame.index.isin(range(20, 280, 9)), "kind"] = None  # none in the first rows
    frame["whole"], frame["equal"] = np.arange(300) % 7, 1
    frame.loc[55, ["b", "whole"]] = np.nan
    frame["text"] = ["long text in a column that is no feature"] * 300
    for k, rows in enumerate(np.array_split(np.arange(300), [40, 45, 120, 121])):
        part = frame.iloc[rows]
        if kind == "csv":
            part.to_csv(tmp_path / f"rows-{k}.csv", index=False)
        else:  # labels as pandas' own classes, and a duration, which is no number
            part = part.astype({"kind": "category"}).assign(took=pd.Timedelta("1s"))
            part.to_parquet(tmp_path / f"rows-{k}.parquet", index=False)
    script = tables.large_script(f"rows-*.{kind}", label)
    assert "with Client():" in script
    script = script.replace("Client()", "Client(n_workers=1)")  # each takes seconds to start
    (tmp_path / "fit.py").write_text(script, encoding="utf-8")
    printed("fit.py", cwd=tmp_path, timeout=180)
    frame = frame.dropna(subset=["a", "b", "c"])
    X = frame[["a", "b", "c", "whole", "equal"]]
    X = (X - X.mean()) / X.std().replace(0.0, 1.0)
    parts = sorted(tmp_path.glob("values-*.csv"))
    written = pd.concat([pd.read_csv(part) for part in parts])
    np.testing.assert_allclose(written[["a", "b", "c"]], frame[["a", "b", "c"]])
    if label is None:
        expected = GalerkinEmbedding(random_state=0).fit_transform(X)
        names = [f"e{k}" for k in range(expected.shape[1])]
        np.testing.assert_allclose(written[names], expected, atol=1e-5)
    else:
        y = frame.kind.fillna("-1")
        expected = LaplacianClassifier(random_state=0).fit(X, y).predict(X)
        assert (written["predicted"] == expected).all()
        assert len(np.unique(expected)) == 2


@pytest.mark.parametrize("text", ["# penguins\na,b\n1,2\n3,4\n", "1,2\n3,4\n", "a b\n1 2\n3 4\n"])
def test_a_file_that_dask_would_misread_is_refused(tmp_path, text):
    file = tmp_path / "export.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match="one line of column names and have one separator: save"):
        tables.large_script(str(file))


def test_it_follows_the_file(tmp_path):
    file = tmp_path / "export.csv"
    file.write_text("a;b;kind\n1,5;2;x\n-0,25;3;y\n")
    assert "sep=';', decimal=','" in tables.large_script(str(file), "kind")
    assert "sep='|', decimal=','" in tables.large_script(str(file), sep="|")
    assert "thousands" not in tables.large_script(str(file))
    file.write_text("a;b\n1.234,50;2\n0,25;3\n")
    assert "decimal=',', thousands='.'" in tables.large_script(str(file))
    assert "thousands" not in tables.large_script(str(file), decimal="."), "they would be equal"
    file.write_text("a;b\n1.234,50;01.02.2024\n0,25;02.02.2024\n")
    assert "thousands" not in tables.large_script(str(file)), "dates would be numbers"
    for names in ("a; b; kind", '"a"; "b"; "kind"'):
        file.write_text(f"{names}\n1,5; 2,5; x\n-0,25; 3,5; y\n")
        script = tables.large_script(str(file), "kind")
        assert "sep=';', decimal=',', skipinitialspace=True" in script
        assert "skipinitialspace" not in tables.large_script(str(file), "kind", sep="|")
    file.write_text("a ,b ,kind \n1.5,2.5,x\n")
    with pytest.raises(ValueError, match="There is no column 'kind'"):
        tables.large_script(str(file), "kind")
    file.write_bytes(b"a;b\r1,5;2\r0,25;3\r")
    assert "sep=';', decimal=','" in tables.large_script(str(file)), "line ends of old Macs"
    file.write_text("a,b\n1,5\n", encoding="utf-16")
    with pytest.raises(ValueError, match=r"Dask reads no UTF-16: save export\.csv in UTF-8"):
        tables.large_script(str(file))
    file.write_bytes(gzip.compress(b"a,b\n1,5\n"))
    with pytest.raises(ValueError, match="This is a gzip file, not a table: unpack it"):
        tables.large_script(str(file))
    with pytest.raises(ValueError, match="is a folder: name its files"):
        tables.large_script(str(tmp_path))
    file.write_text("a,größe,€\n1,5,2\n2,25,3\n", encoding="cp1252")
    for label in ("größe", "€"):
        assert "encoding='cp1252'" in tables.large_script(str(file), label)
    with pytest.raises(ValueError, match=r"no column 'grösse': export\.csv has a, größe, €"):
        tables.large_script(str(file), "grösse")
    file.write_text("a,größe\n1,5\n2,25\n", encoding="utf-8-sig")
    assert "encoding=" not in tables.large_script(str(file), "a")
    file.write_text("a,b\n1,5\n2,25\n")
    assert not any(word in tables.large_script(str(file)) for word in ("sep=", "decimal="))
    assert "read_parquet('parts/*.parquet')" in tables.large_script("parts/*.parquet").replace(
        '"', "'"
    )
    assert "sep=" in tables.large_script("rows.tsv")
    with pytest.raises(ValueError, match="large_script"):
        raise tables.limits.refuse_larger("The table has 9 rows, and 8 are read")
