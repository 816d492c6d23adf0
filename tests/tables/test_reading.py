"""Layouts, encodings, notations, kinds and roles, against the values written."""

from __future__ import annotations

import io

import numpy as np
import pytest

from lapviz import progress, tables


def read(text, **options):
    content = text.encode() if isinstance(text, str) else text
    return tables.read(io.BytesIO(content), **options)


def values(table):
    return [column.cells() for column in table.columns]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "  ", " \t"])
def test_separators(separator):
    rows = [["alpha", "beta", "gamma"], ["1", "-2.5", "u"], ["3", "4e-1", "v"], ["5", "7", "u"]]
    table = read("\n".join(separator.join(row) for row in rows) + "\n")
    assert table.names == ("alpha", "beta", "gamma")
    assert values(table) == [[1, 3, 5], [-2.5, 0.4, 7.0], ["u", "v", "u"]]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-32"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding, end):
    text = end.join(["größe;cañón", "1,5;é", "2,5;ü", "3;é"])
    table = read(text.encode(encoding))
    assert table.names == ("größe", "cañón")
    assert values(table) == [[1.5, 2.5, 3.0], ["é", "ü", "é"]]


@pytest.mark.slow
def test_lines_longer_than_a_chunk_and_cut_anywhere():
    class Dribble(io.RawIOBase):
        def __init__(self, content):
            self.content, self.position = content, 0

        def read(self, n=-1):
            step = min(n, 7)
            self.position += step
            return self.content[self.position - step : self.position]

    text = "a,b\r\n" + "".join(f"{i},“ö{i % 3}”\r\n" for i in range(500))
    table = tables.read(Dribble(text.encode()))
    assert values(table) == [list(range(500)), [f"“ö{i % 3}”" for i in range(500)]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_quoted_separators_quotes_and_line_ends(end):
    table = read('a,b\n"x,1\ny",1\n"say ""no""",2\nz,3\n'.replace("\n", end))
    assert values(table) == [["x,1\ny", 'say "no"', "z"], [1, 2, 3]]


@pytest.mark.parametrize("cell", ["u;v", "u|v", '"u;v"', '"u\tv"', "u;1"])
def test_marks_in_a_column_of_texts_are_no_separators(cell):
    lines = [f'{k}.5,{cell},"{k * k % 7}"' for k in range(12)]
    for header in ("id,tags,h", f"id,{cell},h")[: 1 + (cell[0] == '"')]:
        table = read("\n".join([header, *lines]))
        assert table.names[::2] == ("id", "h")
        assert values(table)[2] == [k * k % 7 for k in range(12)]


@pytest.mark.parametrize("header", ["a, b, c", ' "a",  "b", "c"'])
def test_spaces_before_quotation_marks_are_left_out(header):
    table = read("\n".join([header, *(f'{k}.5, "x, ""y"" {k}", "{k}.25" ' for k in range(9))]))
    assert table.names == ("a", "b", "c")
    assert [column[1] for column in values(table)] == [1.5, 'x, "y" 1', 1.25]
    assert table.done == ("Spaces before quotation marks left out.",)
    texts = ['p, ""q"", y', "p, q"]
    lines = (f'{k}.5,"{text}"\n{k}.5, "x" y\n' for k, text in enumerate(texts))
    table = read("a,b\n" + "".join(lines))
    assert values(table)[1] == ['p, "q", y', '"x" y', "p, q", '"x" y'], "these are parts of cells"
    assert table.done == ()


@pytest.mark.parametrize("title", ["My export", "Sales, Europe"])
def test_a_title_does_not_tell_the_separator(title):
    lines = (f"A{k};{k},5;2024-01-{k + 1:02d} 12:00" for k in range(12))
    table = read("\n".join([title, "name;price;day", *lines]))
    assert table.names == ("name", "price", "day")
    assert values(table)[1] == [k + 0.5 for k in range(12)]


@pytest.mark.parametrize("mark", list("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
def test_only_line_ends_end_lines(mark):
    cells = (f"{k}.5,{k}{mark * (k == 3)}.1,{k}.25" for k in range(12))
    table = read("\n".join([f"id,body{mark}mass,h", *cells]))
    assert table.names == ("id", "body mass", "h")
    assert values(table) == [[k + part for k in range(12)] for part in (0.5, 0.1, 0.25)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('"#","x"\n"1","2.5"\n"2","3.5"\n# remark\n', ("#", "x")),
        ('"% a","x"\n1,2.5\n2,3.5\n', ("% a", "x")),
        ("#1,a\n#2,b\n#3,c\n", ("#1", "a")),
        ("sep=;\n# made by hand\na;b\n1;2\n3;4\n", ("a", "b")),
        ("1,2\n3,4\n", ("column 1", "column 2")),
        ("x,2\ny,4\n", ("column 1", "column 2")),
        ("a,b\nx,y\nz,y\n", ("a", "b")),
        ("x,y\nx,z\nw,z\n", ("column 1", "column 2")),  # x is a value
        ("name,2019,2020\nu,1.5,2.5\nv,2.5,3.5\n", ("name", "2019", "2020")),
        ("u,2019,2020\nu,1999,2000\nv,1998,2001\n", ("column 1", "column 2", "column 3")),
        ("city;2020\nu;1400\nv;12\n", ("city", "2020")),
        ("name,kind,2020\nu,a,1.5\nv,a,\n", ("name", "kind", "2020")),
        ("u,2020\nv,1990\nw,12\n", ("column 1", "column 2")),
        ("u,a,2020\nv,a,12\nw,b,7\n", ("column 1", "column 2", "column 3")),  # a is a value
        (",2020\nv,12\nw,7\n", ("column 1", "column 2")),
        ("name,2019,31\nu,1.5,2.5\n", ("column 1", "column 2", "column 3")),
        ("sep=;\na;b\n1,5;2\n2,5;3\n", ("a", "b")),  # Excel's
        ("SEP=\t\na\tb\tc\n1\t2\tx\n3\t4\ty\n", ("a", "b", "c")),
        ("a,b\n1,x,\n2,y,\n", ("a", "b", "column 3")),  # rows end with a separator
        ("a b\nr1 1 2\nr2 3 4\n", ("row", "a", "b")),
        ("# x y\n1 2\n3 4\n", ("x", "y")),
        ("Title\n\na,b,c\n1,2,3\n4,5,6\n", ("a", "b", "c")),
        ("Sales 2024;;\n;;\na;b;c\n1;2;x\n4;5;y\n", ("a", "b", "c")),  # Excel's title
        ("Sales 2024\n;;\na;b;c\n1;2;x\n4;5;y\n", ("a", "b", "c")),
        ("a;;\n1;2;x\n4;5;y\n", ("a", "column 2", "column 3")),
        ("u;;\n;v;\nw;x;y\nz;x;y\n", ("u", "column 2", "column 3")),
        ("u;;\n1;2;3\n", ("u", "column 2", "column 3")),
        ("\n\na\n1\n2\n", ("a",)),
        ("0,1,2\n.5,3,x\n-1,2.5,y\n", ("0", "1", "2")),  # as pandas writes an array
        (",0,1,2\n0,.5,3,x\n1,-1,2.5,y\n", ("row", "0", "1", "2")),
        ("0,1,2\n3,4,5\n6,7,8\n", ("column 1", "column 2", "column 3")),
        ("0,1,3\n.5,3,x\n", ("column 1", "column 2", "column 3")),
    ],
)
def test_headers(text, names):
    assert read(text).names == names


@pytest.mark.parametrize(
    "first",
    ["PK", "PKID", "ORC_ID", "PARENT", "PAR1", "RDX", "RIFF", "BZh", "Rar!", "FEA1", "GIF87a",
     "ARROW1", "SQLite format 3", "MATLAB 5.0"],
)  # fmt: skip
def test_a_text_may_begin_like_a_binary_file(first):
    assert read(f"{first},height,species\n1.5,2,a\n2.5,4,b\n").names[0] == first


def test_the_end_mark_of_dos_makes_no_binary_file():
    assert read("ORC,b\r\n1.5,2\r\n2.5,4\r\n\x1a").names[0] == "ORC"


def test_rows_without_any_cell_at_the_end_are_left_out():
    table = read("a,b\n1,x\n,\n2,y\n, \n,\n")
    assert values(table) == [[1, None, 2], ["x", None, "y"]]
    assert "2 rows without any cell left out at the end." in table.done


NUMBERS = {
    "points": (["1.5", "-2", ".25", "3.", "1e3"], [1.5, -2, 0.25, 3, 1000]),
    "groups": (["1,234.5", "12", "1,234,567"], [1234.5, 12, 1234567]),
    "apostrophes": (["1'234.5", "12", "7"], [1234.5, 12, 7]),
    "commas": (["1,5", "-2", "1.234,25"], [1.5, -2, 1234.25]),
    "spaces": (["1 234,5", "12", "7\u00a0000"], [1234.5, 12, 7000]),
    "percent": (["12 %", "7%", "8.5 %"], [12, 7, 8.5]),
    "currency": (["$1,200", "$3", "$4.50"], [1200, 3, 4.5]),
    "minus": (["\u22123", "4", "5"], [-3, 4, 5]),
    "missing": (["1", "NA", "n/a", "-", "?", "null", "", "2.5"], [1, *[None] * 6, 2.5]),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_as_text(name):
    texts, expected = NUMBERS[name]
    column = read("x\tother\n" + "".join(f"{text}\tu\n" for text in texts)).columns[0]
    assert column.kind in ("real", "integer")
    assert column.cells() == expected
    assert column.n_missing == expected.count(None)


def test_a_notation_that_fits_both_follows_the_other_columns():
    assert values(read("x;y\n1,234;1,5\n2,345;2,5\n"))[0] == [1.234, 2.345]
    assert values(read("x;y\n1,234;1.5\n2,345;2.5\n"))[0] == [1234, 2345]
    assert values(read("x;y\n1.234;1,5\n2.345;2,5\n"))[0] == [1234, 2345]


def test_one_word_among_numbers_is_missing_and_reported():
    text = "x,y\n" + "".join(f"{i}.5,{i}\n" for i in range(40)) + "unknown,3\n"
    column = read(text).columns[0]
    assert (column.kind, column.n_missing) == ("real", 1)
    assert "'unknown'" in column.done
    few = read("x,y\n1,2\n2,3\nunknown,3\n").columns[0]
    assert few.kind == "text"


KINDS = {
    "real": ["0.5", "1", "2"],
    "integer": ["5", "9", "2", "5"],
    "category": ["u", "v", "u", "v", "u", "u"],
    "text": [f"a long remark, number {i}" for i in range(300)],
    "date": ["2020-02-29", "2021-01-31 12:00", "2022-12-31T06:00:00"],
    "boolean": ["yes", "no", "yes", ""],
    "constant": ["7", "7", "7"],
    "empty": ["", "NA", "-"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind):
    cells = KINDS[kind]
    column = read("x;other\n" + "".join(f"{cell};{i}\n" for i, cell in enumerate(cells))).columns[0]
    assert column.kind == kind
    assert column.n_distinct == len({*cells} - {"", "NA", "-"})


def test_dates_are_days_since_1970():
    iso = read("d,x\n1970-01-01,1\n2000-03-01 18:00,2\n1969-12-31T00:00:00+06:00,3\n").columns[0]
    np.testing.assert_allclose(iso.values, [0, 11017.75, -1.25])
    assert str(iso.cells()[1]) == "2000-03-01T18:00:00"
    parts = read("d,x\n2024-03-01 12:00:00.250,1\n2024-03-01 12:00:01,2\n").columns[0]
    assert [str(cell)[11:] for cell in parts.cells()] == ["12:00:00.250", "12:00:01.000"]
    assert parts.as_levels()[0][0] == "2024-03-01T12:00:00.250"
    day = read("d;x\n31.12.1969;1\n2.1.1970;2\n").columns[0]
    assert day.values.tolist() == [-1, 1]
    month = read("d,x\n12/31/1969,1\n1/2/1970,2\n").columns[0]
    assert month.values.tolist() == [-1, 1]
    for time, kind in (("24:00", "date"), ("23:59:60", "date"), ("25:00", "text"),
                       ("10:75", "text"), ("10:07:75", "text")):  # fmt: skip
        table = read(f"d,x\n2024-03-01 9:05,1\n2024-03-02 {time},2\n")
        assert table.columns[0].kind == kind, time
    ambiguous = read("d,x\n03/04/2020,1\n05/06/2020,2\n").columns[0]
    assert ambiguous.kind == "text"


@pytest.mark.parametrize(("other", "is_weight"), [("income", True), ("Height (cm)", False)])
def test_a_weight_beside_a_height_is_a_measurement(other, is_weight):
    lines = [f"{k + 150}.5,{k % 7 + 50},{'ab'[k % 2]}" for k in range(20)]
    roles = read("\n".join([f"{other},weight,sex", *lines])).roles
    assert roles.weight == ("weight" if is_weight else None)
    assert roles.features == (other, "weight")[: 2 - is_weight]
    assert read("\n".join([f"{other},sample_weight,sex", *lines])).roles.weight == "sample_weight"


@pytest.mark.parametrize(
    ("header", "cell", "reason"),
    [
        ("mpg,weight,acceleration", "1.5", "is beside 'mpg'"),
        ("a,Weight,Waist", "1.5", "is beside 'Waist'"),
        ("a,weight,sample_weight", "1.5", "is beside 'sample_weight'"),
        ("a,weight,b", "", "is missing or infinite in 1 row"),
        ("a,weight,b", "-1", "is negative in 1 row"),
    ],
)
def test_a_weight_that_is_a_measurement_is_a_feature_which_is_said(header, cell, reason):
    lines = [f"{k}.5,{k % 7 + 50.5},{k * k % 9}.5,{'uv'[k % 2]}" for k in range(20)]
    table = read("\n".join([f"{header},kind", f"7.5,{cell},2.5,u", *lines]))
    weights = [name for name in header.split(",") if name == "sample_weight"]
    assert table.roles.weight == (weights[0] if weights else None)
    assert table.roles.features == tuple(name for name in header.split(",") if name not in weights)
    name = header.split(",")[1]
    sentence = f"Column {name!r} is a feature and not used for weights, since it {reason}."
    assert sentence in table.prepare().done


def test_a_weight_that_is_not_used_for_weights_is_a_feature_or_named():
    lines = "\n".join(f"{k}.5,{k % 7 / 4},{'uv'[k % 2]}" for k in range(20))
    data = read(f"a,weight,kind\n{lines}").prepare(weight=None)
    assert (data.roles.features, data.roles.weight) == (("a", "weight"), None)
    data = read(f"a,sample_weight,kind\n{lines}").prepare(weight=None)
    assert (data.roles.features, data.roles.weight) == (("a",), None)
    assert "1 column not used as a feature: 'sample_weight' (real)." in data.done


def test_identifiers_are_not_suggested_as_features():
    text = "id,code,x,species\n" + "".join(f"{i},c{i},{i % 7},{'ab'[i % 2]}\n" for i in range(50))
    table = read(text)
    assert [column.identifier for column in table.columns] == [True, True, False, False]
    assert table.roles == tables.Roles(("x",), "species")


@pytest.mark.parametrize(
    ("header", "label"), [("x,city,churn", "churn"), ("x,churn,city", "city"), ("x,churn", "churn")]
)
def test_a_last_column_of_yes_and_no_is_the_label_rather_than_a_category(header, label):
    cells = {"x": "{i}.5", "city": "c{0}", "churn": "{1}"}
    line = ",".join(cells[name] for name in header.split(","))
    lines = (line.format(i % 4, ["yes", "no"][i % 3 == 0], i=i) for i in range(40))
    assert read("\n".join([header, *lines])).roles.label == label


def test_a_table_of_one_column_has_a_feature_whatever_its_name():
    values = "\n".join(f"{i * i % 17 - 8}.5" for i in range(40))
    assert read(f"weight\n{values}").roles == tables.Roles(("weight",), None)


@pytest.mark.parametrize(("header", "label"), [("x,y,kind", "kind"), ("a,y,kind", "y")])
def test_y_is_a_coordinate_beside_x_and_classes(header, label):
    lines = (f"{i % 7}.5,{i % 5}.25,{['up', 'down', ''][i % 3]}" for i in range(60))
    assert read("\n".join([header, *lines])).roles.label == label


def test_without_a_label_real_values_are_a_feature_and_classes_are_not():
    points = read("x,y\n" + "".join(f"{i % 7}.5,{i % 5}.25\n" for i in range(60)))
    assert points.roles == tables.Roles(("x",), "y")
    assert points.prepare(label=None).feature_names == ("x", "y")
    classes = read("x,z,species\n" + "".join(f"{i % 7}.5,{i}.5,{'uv'[i % 2]}\n" for i in range(60)))
    assert classes.prepare(label=None).feature_names == ("x", "z")


def test_a_flag_of_the_labelled_rows_is_no_feature():
    """As in the file of a drawing."""
    text = "x,y,class,labelled\n" + "".join(f"{i % 9}.5,{i % 5}.25,{i % 2},{i % 3 // 2}\n"
                                            for i in range(50))  # fmt: skip
    table = read(text)
    assert table.roles == tables.Roles(("x", "y"), "class")
    assert "1 column not used as a feature: 'labelled' (integer)." in table.prepare().done


@pytest.mark.parametrize(
    ("header", "label"),
    [("a,target,c,d", "target"), ("Label,b,c,d", "Label"), ("a,b,c,d", "d"), ("y,b,c,e", "y")],
)
def test_the_label_is_found_by_name_or_is_the_last_category(header, label):
    rows = "".join(f"{i % 9}.5,{i % 5}.25,{'uv'[i % 2]},{'wz'[i % 3 > 0]}\n" for i in range(30))
    roles = read(f"{header}\n{rows}").roles
    assert roles.label == label
    assert roles.features == tuple(name for name in header.split(",") if name != label)


@pytest.mark.parametrize(("labels", "label"), [("abc", "label"), ("aaa", "label"), ("", "y")])
def test_a_column_with_few_labels_is_the_label_by_its_name(labels, label):
    """One of each class, which looks like names of the rows, and one class alone."""
    cells = labels.ljust(40)
    rows = "".join(f"{i % 9}.5,{i % 5}.25,{cells[i].strip()}\n" for i in range(40))
    assert read(f"x,y,label\n{rows}").roles.label == label


def test_names_and_sources(tmp_path):
    path = tmp_path / "my table.csv"
    path.write_text("a,b\n1,2\n3,5\n")
    with path.open("rb") as file:
        tables_read = [tables.read(path), tables.read(str(path)), tables.read(file)]
    assert {table.name for table in tables_read} == {"my table.csv"}
    other = tables.read(path, "other")
    assert (other.name, other.file) == ("other", "other")
    with pytest.raises(ValueError, match="There is no column 'c': the table has 'a', 'b'"):
        tables_read[0].column("c")


@pytest.mark.slow
def test_it_reports_and_can_be_cancelled():
    content = b"a,b\n" + b"1.5,2\n" * 500_000
    reports = []
    with progress.listening(reports.append):
        read(content)
    shares = [report.share for report in reports if report.what == "Reading the table"]
    assert len(shares) >= 2
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def cancel(report):
        raise progress.Cancelled

    with progress.listening(cancel), pytest.raises(progress.Cancelled):
        read(content)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("p;q\n0,005;3\n0,012;4\n-0,120;5\n", [0.005, 0.012, -0.12]),
        ("p\tq\n1,250\t0,5\n2,500\t0,5\n", [1.25, 2.5]),
        ("p;q\n1,250;0,125\n2,500;0,250\n", [1.25, 2.5]),  # the other column tells
        ("p;q\n1.250;0,125\n2.500;0,250\n", [1250, 2500]),
        ("p;q\n950;0,125\n-2.500;0,250\n0;1,5\n", [950, -2500, 0]),
        ("p;q\n1.5;0,125\n2.500;0,250\n", [1.5, 2.5]),
        ('p,q\n"1,250",0.125\n"2,500",0.250\n', [1250, 2500]),
        ("p;q\n82.933;82.607,98\n35.050;63.871,94\n", [82933, 35050]),
        ("p;q\n82.933;82.607,98 €\n35.050;63.871,94 €\n", [82933, 35050]),
        ("p;q\n77.973;4,93e+00\n35.050;1,20e+01\n", [77973, 35050]),
        ("p;q\n21,869;2.248.278\n35,050;1.100.200\n", [21.869, 35.05]),
        ("p;q\n82,933;82,607.98 %\n35,050;63,871.94 %\n", [82933, 35050]),
        ("p; q\n1,250; 2,5\n3,500; 4,5 \n", [1.25, 3.5]),
        ("p;q\n13 792,951;1,25\n42 496,283;2,5\n", [13792.951, 42496.283]),
        ("p;q\n13'792.951;1.25\n42'496.283;2.5\n", [13792.951, 42496.283]),
    ],
)
def test_three_decimals_after_a_zero_are_no_thousands(text, values):
    assert read(text).column("p").values.tolist() == pytest.approx(values)


R_ROWS = 4 * ("7,89 62,4 a", "6,62 65,3 b", "7,10 61,0 a")


@pytest.mark.parametrize("text", [
    "\n".join(["mass width kind", *R_ROWS]),
    "\n".join(['"mass" "width" "kind"', *(f'"{i}" {row}' for i, row in enumerate(R_ROWS))]),
    "\n".join(["mass width n", *(row[:-1] + "3" for row in R_ROWS)]),
])  # fmt: skip
def test_spaces_separate_decimal_commas(text):
    """As R's write.table(…, dec=",") writes them, with row names and without."""
    table = read(text)
    assert table.names[-3:-1] == ("mass", "width")
    assert table.column("mass").values.tolist() == pytest.approx(4 * [7.89, 6.62, 7.1])
    assert table.column("width").values.tolist() == pytest.approx(4 * [62.4, 65.3, 61])
    titled = read("My long title\n" + "\n".join(f"{k},{k + 1},{k % 2}" for k in range(9)))
    assert len(titled.columns) == 3, "a title has spaces, too"


def test_thousands_that_may_be_decimals_are_said():
    done = read("p;q\n1,250;3\n2,500;4\n").column("p").done
    assert done.startswith("Column 'p': thousands separators removed (1,234 read as 1234")


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ("01 1 10", "leading zeros removed."),
        ("None mild severe mild", "cells 'None' taken as missing."),
        ("US NA DE nil", "cells 'NA', 'nil' taken as missing."),
        ("NA 0.5 10", ""),
        ("12% 13% 14% NA", "percent signs removed."),
        ("12% 13% 14% 0.15", "percent signs removed, which not all its numbers have."),
        (
            "2024-03-01T00:30+02:00 2024-03-02T00:30Z",
            "read as dates, year first, in UTC; counted in days from 1970-01-01.",
        ),
        ("01-02-2024 13-02-2024", "read as dates, day first; counted in days from 1970-01-01."),
        ("0 0.5 10", ""),
    ],
)
def test_what_is_lost_in_reading_is_said(cells, words):
    done = read("\n".join(["p,q", *(f"{cell},1" for cell in cells.split())])).column("p").done
    assert done == (f"Column 'p': {words}" if words else "")


def test_rows_are_numbered_without_those_that_are_left_out():
    table = read("a,b\n1,x\n2\n3,y\n4,x\n")
    assert values(table)[0] == [1, 3, 4]
    assert (
        table.done[0]
        == "1 row left out for not having 2 cells: the others are numbered without it."
    )


def test_an_index_without_a_name_is_no_feature():
    table = read("\n".join([",a,b", *(f"{3 * k},{k % 7}.5,{k % 2}" for k in range(50))]))
    assert table.names == ("row", "a", "b")
    assert "row" not in table.roles.features


def test_decimal_commas_are_named_also_where_all_numbers_have_thousands():
    done = " ".join(read("a;b\n1.473,86;1.234.567\n2.026,03;7.654.321\n").done)
    assert "'a': decimal commas read; thousands separators removed" in done
    assert "'b': thousands separators removed" in done
