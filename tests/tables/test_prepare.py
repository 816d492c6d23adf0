"""X, y and weights from a table: by hand, by identities, and by the generated script."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lapviz import datasets, tables


def read(text):
    return tables.read(io.BytesIO(text.encode()))


@pytest.fixture
def mixed():
    """Numbers, a category of four levels, a boolean, missing cells, few labels, weights."""
    rng = np.random.default_rng(0)
    rows = []
    for i in range(400):
        number = "" if i % 40 == 3 else f"{rng.normal(5, 3):.4f}"
        level = "" if i % 50 == 7 else rng.choice(["u", "v", "w", "x"], p=[0.5, 0.3, 0.15, 0.05])
        label = ["low", "high"][i % 2] if i % 10 == 0 or i % 10 == 1 else ""
        rows.append(f"{number},{i % 13 * 1000},{level},{rng.choice(['yes', 'no'])},{label},{i % 3}")
    return read("a,b,c,d,class,weight\n" + "\n".join(rows))


def mean_square_distances(X):
    """Mean squared distance of all pairs of rows, column by column, by brute force."""
    return np.array([((x[:, None] - x) ** 2).mean() for x in X.T])


def test_numbers_are_standardised_after_imputation():
    table, roles = read("a,b\n1,10\n2,\n3,30\n10,20\n"), tables.Roles(("a", "b"))
    data = table.prepare(roles)
    a, b = np.array([1, 2, 3, 10.0]), np.array([10, 20, 30, 20.0])
    np.testing.assert_allclose(data.X, np.c_[(a - a.mean()) / a.std(), (b - b.mean()) / b.std()])
    assert "1 missing cell in 1 column replaced ('b': the median (20) in 1)." in data.done
    np.testing.assert_array_equal(table.prepare(roles, scale=False).X, np.c_[a, b])


def test_every_scaled_column_counts_alike(mixed):
    data = mixed.prepare()
    assert mixed.roles == tables.Roles(("a", "b", "c", "d"), "class", "weight")
    square = mean_square_distances(data.X)
    names = np.array([name.split(" = ")[0] for name in data.feature_names])
    for name in mixed.roles.features:
        assert square[names == name].sum() == pytest.approx(2, rel=1e-12)


def test_missing_categories_are_a_level_where_there_were_some_else_the_most_frequent():
    roles = tables.Roles(("c",), scale=False)
    incomplete = read("c,x\nu,1\nv,2\nu,3\n,4\n").prepare(roles)
    assert incomplete.feature_names == ("c = u", "c = v", "c = (missing)")
    assert incomplete.X.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]
    new = read("c,x\nv,1\n,2\nw,3\n")
    assert incomplete.apply(new).tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    sentence = "1 missing cell in 1 column replaced ('c': a level of its own in 1)."
    assert sentence in incomplete.done
    complete = read("c,x\nu,1\nv,2\nu,3\n").prepare(roles)
    assert complete.apply(new).tolist() == [[0, 1], [1, 0], [0, 0]]
    sentence = "1 missing in 'c' replaced by the most frequent level ('u')."
    assert sentence in complete.differences(new)


def test_apply_is_the_same_map(mixed):
    data = mixed.prepare()
    np.testing.assert_array_equal(data.apply(mixed), data.X)
    other = read("d,c,b,a,more\nyes,v,1000,2.5,7\nno,new,0,,8\n")
    X = data.apply(other)
    values = mixed.column("a").values.astype(float)
    filled = np.where(np.isnan(values), np.nanmedian(values), values)
    column = data.feature_names.index("a")
    assert X[0, column] == pytest.approx((2.5 - filled.mean()) / filled.std())
    indicators = [i for i, name in enumerate(data.feature_names) if name.startswith("c = ")]
    assert not X[1, indicators].any()
    assert data.differences(other) == (
        f"1 missing in 'a' replaced by the median ({np.nanmedian(values):.4g}).",
        "1 row with a level of 'c' that was not there before: none of its indicators is set.",
    )
    with pytest.raises(ValueError, match="There is no column 'd'"):
        data.apply(read("a,b,c\n1,2,u\n3,4,v\n"))
    with pytest.raises(ValueError, match="'a' held numbers and now holds text"):
        data.apply(read("a,b,c,d\nu,2,u,yes\nv,4,v,no\n"))


def test_levels_with_digits_are_found_in_a_file_of_numbers():
    """There is nothing else in its column, so that it is read as numbers."""
    data = read("c,x\n007,1\n010,2\nA12,3\n012,4\n").prepare(features=("c",), label=None)
    assert data.feature_names == ("c = 007", "c = 010", "c = 012", "c = A12")
    X = data.apply(read("c,x\n010,1\n007,2\n11,3\n"))
    assert (X > 0).tolist() == [[False, True, False, False], [True, False, False, False],
                                [False] * 4]  # fmt: skip
    both = read("c,x\n007,1\n7,2\nA,3\n07,4\n08,5\n008,6\n").prepare(features=("c",), label=None)
    X = both.apply(read("c,x\n7,1\n8,2\n"))
    assert (X > 0).sum(axis=1).tolist() == [1, 0], "the same text, and which of two levels?"
    assert X[0, both.feature_names.index("c = 7")] > 0


@pytest.mark.parametrize(
    ("levels", "cells"),
    [
        ("low 12% 50% high", "50% 12%"),
        ("low $5 $7.50 high", "$7.50 $5"),
        ("low 1e3 +1 high", "1e3 +1"),
        ("low 1,5 2,5 high", "2,5 1,5"),
        ("low 1.500 2.500 high", "2.500 1.500"),
    ],
)
def test_levels_of_numbers_beside_words_are_found_alone(levels, cells):
    data = read("c;x\n" + "".join(f"{level};{k}\n" for k in range(3) for level in levels.split()))
    data = data.prepare(features=("c",), label=None)
    X = data.apply(read("c;x\n" + "".join(f"{cell};1,5\n" for cell in cells.split())))
    expected = [[name == f"c = {cell}" for name in data.feature_names] for cell in cells.split()]
    assert (X > 0).tolist() == expected


def test_units_of_new_numbers_are_those_of_the_table_that_was_prepared():
    data = read("p,x\n" + 5 * "$5,1\n$6,2\n$7.5,3\n$9,4\n").prepare(features=("p",), scale=False)
    new = read("p,x\n$5,1\n6,2\n$100,3\n7,4\n8,5\n9,6\n")
    assert data.apply(new).tolist() == [[5], [6], [100], [7], [8], [9]]
    shares = read("p,x\n" + 3 * "0.1,1\n0.2,2\n0.3,3\n").prepare(features=("p",), scale=False)
    mixed = read("p,x\n0.12,1\n12%,2\n0.3,3\nhello,4\n")  # of a table without signs 12% is no 12
    np.testing.assert_allclose(shares.apply(mixed)[:, 0], [0.12, 0.2, 0.3, 0.2])


def test_rare_levels_are_merged_and_too_many_refused():
    frequent = [f"l{i:02}" for i in range(12)] * 100
    rare = [f"r{i}" for i in range(8)]
    table = read("c,x\n" + "\n".join(f"{level},{i}" for i, level in enumerate(frequent + rare)))
    data = table.prepare(features=("c",), label=None)
    assert len(data.feature_names) == 13
    assert data.feature_names[-1] == "c = other"
    named = read("c,x\n" + "\n".join(f"{c},1" for c in ["other", *frequent[1:], *rare] + [""] * 9))
    names = named.prepare(features=("c",), label=None, missing="impute").feature_names
    assert len(set(names)) == len(names)
    assert (data.X[-8:, -1] > 0).all()
    assert "8 rare levels of 'c' merged as 'other'." in data.done
    assert (data.apply(read("c,x\nunheard,1\nl01,2\n"))[0, :-1] == 0).all()
    assert mean_square_distances(data.X).sum() == pytest.approx(2)
    names = read("c,x\n" + "\n".join(f"name {i},{i}" for i in range(300)))
    with pytest.raises(ValueError, match="'c' has 300 distinct texts, too many"):
        names.prepare(features=("c",), label=None)


def test_a_category_that_would_be_refused_is_not_suggested_which_is_said():
    lines = [f"{i * i % 11 / 2},{'nsw'[i % 3]},shop {i % 80},{'uv'[i % 2]}" for i in range(1000)]
    table = read("\n".join(["size,region,shop,label", *lines]))
    data = table.prepare()
    assert data.roles.features == ("size", "region")
    reason = (
        "Column 'shop' has 80 distinct texts, too many for a category, as more than half of its "
        "cells would be 'other'"
    )
    assert f"{reason}, and is not a feature." in data.done
    with pytest.raises(ValueError, match=f"{reason}: leave it out of the features."):
        table.prepare(features=("size", "shop"))


def test_a_category_of_too_many_classes_is_not_suggested_as_the_label():
    lines = [f"{i % 9}.5,{i * i % 7},t{i % 150},{'uv'[i % 2]}" for i in range(3000)]
    table = read("\n".join(["a,b,type,kind", *lines]))
    assert table.prepare().roles == tables.Roles(("a", "b"), "kind")


@pytest.mark.parametrize(
    ("cells", "task", "names", "y"),
    [
        (["u", "", "v", "u"], "classes", ("u", "v"), [0, -1, 1, 0]),
        (["3", "", "1", "3"], "classes", ("1", "3"), [1, -1, 0, 1]),
        (["yes", "no", "", "no"], "classes", ("no", "yes"), [1, 0, -1, 0]),
        (["N", "Y", "", "N"], "classes", ("N", "Y"), [0, 1, -1, 0]),
        (["2020-02-29", "", "2021-01-31"], "classes", ("2020-02-29", "2021-01-31"), [0, -1, 1]),
        (["1.5", "", "2.5", "0.5"], "values", (), [1.5, np.nan, 2.5, 0.5]),
        (["", "", "", ""], "none", (), None),
    ],
)
def test_labels(cells, task, names, y):
    data = read("x;l\n" + "\n".join(f"{i}.5;{cell}" for i, cell in enumerate(cells))).prepare(
        features=("x",), label="l"
    )
    assert (data.task, data.class_names) == (task, names)
    np.testing.assert_array_equal(data.y, y)


def test_whole_numbers_are_classes_if_they_are_few_and_the_choice_can_be_made():
    table = read("x,l,m\n" + "\n".join(f"{i * i}.5,{i % 5},{i * 7 % 61}" for i in range(60)))
    few, many = (tables.Roles(("x",), label) for label in "lm")
    assert table.prepare(few).task == "classes"
    assert table.prepare(many).task == "values"
    assert table.prepare(few, task="values").y[6] == 1.0
    data = table.prepare(many, task="classes")
    assert data.task == "classes"
    assert np.array(data.class_names, float)[data.y].tolist() == [i * 7 % 61 for i in range(60)]
    assert table.prepare(few, task="none").y is None


def test_one_known_class_and_blanks_are_labels():
    table = tables.read(io.BytesIO(b"x,y,label\n1,4,a\n2,3,\n3,7,a\n4,4,\n"), "one.csv")
    data = table.prepare(label="label")
    assert (data.task, data.class_names, data.y.tolist()) == ("classes", ("a",), [0, -1, 0, -1])
    assert any("2 rows labelled by 'label' (1 class), 2 blank" in text for text in data.done)


REFUSED = [
    ({"features": ()}, "There is no feature.* All rows are equal in 'one', 'zero': take others"),
    ({"features": ("a", "a")}, "'a' has two roles"),
    ({"label": "a"}, "'a' has two roles"),
    ({"features": ("none",)}, "There is no column 'none'"),
    ({"features": ("empty",)}, "'empty' has no value"),
    ({"features": ("a", "empty"), "missing": "drop"}, "Every row lacks a feature"),
    ({"missing": "guess"}, "missing must be"),
    ({"task": "guess"}, "task must be"),
    ({"label": "one"}, "'one' has one class only"),
    ({"label": "names", "task": "values"}, "holds texts"),
    ({"label": "many"}, "'many' has 120 distinct values"),
    ({"weight": "negative"}, "'negative' are negative in 1 row"),
    ({"weight": "holes"}, "'holes' are missing or infinite in 1 row"),
    ({"weight": "zero"}, "All weights in 'zero' are 0"),
    ({"weight": "names"}, "'names' are not numbers"),
    ({"features": 5}, "features must be a tuple of names, got 5"),
    ({"labels": "a"}, r"A table is prepared with features, label.*'labels'"),
]


def test_a_suggested_label_that_is_named_as_a_feature_is_no_label():
    table = read("a,c\n" + "\n".join(f"{i}.5,{'xyz'[i % 3]}" for i in range(30)))
    assert table.roles.label == "c"
    data = table.prepare(features=("a", "c"))
    assert (data.task, data.roles.features, data.roles.label) == ("none", ("a", "c"), None)
    with pytest.raises(ValueError, match="Name columns by label="):
        table.prepare("c")
    with pytest.raises(ValueError, match="two roles"):
        table.prepare(features=("a", "c"), label="c")


@pytest.mark.parametrize(("changes", "sentence"), REFUSED)
def test_roles_that_cannot_be_used_are_refused(changes, sentence):
    rows = [f"{i}.5,,only,{'uv'[i % 2]},name {i},{i - 1},{i if i else ''},0" for i in range(120)]
    table = read("a,empty,one,names,many,negative,holes,zero\n" + "\n".join(rows))
    roles = tables.Roles(("a",))
    with pytest.raises(ValueError, match=sentence):
        table.prepare(roles, **changes)


def passengers(n=200, filled=20):
    """A table whose label by name is ``class``; few of its rows have a value of ``survived``."""
    rows = [f"{i if i % 3 else 1},{i * 7 % 61 / 4},{i % 2 if i < filled else ''},{'ABC'[i % 3]}"
            for i in range(n)]  # fmt: skip
    return read("passenger_id,fare,survived,class\n" + "\n".join(rows))


def test_naming_the_label_overrides_the_guess_and_frees_it():
    data = passengers().prepare(label="class")
    assert (data.roles.label, data.roles.features) == ("class", ("fare", "survived"))
    table = read("w,weight,class\n" + "\n".join(f"{i}.5,{i % 4},{'uv'[i % 2]}" for i in range(9)))
    assert table.prepare(label="weight").roles == tables.Roles(("w", "class"), "weight")


def test_repeated_row_ids_are_not_a_feature_unless_requested():
    table = passengers()
    start = "Column 'passenger_id' names rows (67 of its cells repeat another) and is "
    assert start + "not a feature." in table.prepare().done
    assert start + "a feature, as requested." in table.prepare(features=("passenger_id",)).done
    rows = "\n".join(f"r{max(i, 2)},{i * i % 11 / 2},{'uv'[i % 2]}" for i in range(30))
    sentences = [s for s in read("id,size,class\n" + rows).prepare().done if "'id'" in s]
    assert sentences == [
        "Column 'id' names rows (2 of its cells repeat another) and is not a feature."
    ]


def test_consecutive_whole_numbers_are_no_feature_which_is_said():
    rows = "\n".join(f"{i},{20 + i * 7 % 30},{i * i % 11 / 2},{'uv'[i % 2]}" for i in range(30))
    table = read("id,age,size,class\n" + rows)
    assert table.prepare().roles.features == ("size",)
    (sentence,) = [s for s in table.prepare().done if "consecutive" in s]
    assert sentence.startswith("Column 'age' ")
    assert not any("'age'" in s for s in table.prepare(features=("age", "size")).done)


def test_columns_that_are_no_feature_are_named():
    rows = "\n".join(f"2024-01-{i + 1:02d},{i * i % 11 / 2},7,{'uv'[i % 2]}" for i in range(28))
    table = read("day,size,one,class\n" + rows)
    sentence = "2 columns not used as a feature: 'day' (date), 'one' (constant)."
    assert sentence in table.prepare().done
    done = table.prepare(features=("day", "size", "one")).done
    assert not any("not used as a feature" in sentence for sentence in done)


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, {"missing": "drop"}, {"scale": False, "label": "b"}])
def test_the_script_makes_the_same_arrays(mixed, tmp_path, changes):
    path = tmp_path / 'it\'s "mine".csv'
    columns = {column.name: column.cells() for column in mixed.columns}
    path.write_text(tables.csv_text(columns))
    table = tables.read(path)
    roles = replace(table.roles, features=("a", "c", "d"))
    data = table.prepare(roles, **changes)
    namespace = {}
    exec(data.script(str(path)), namespace)
    for name in ("X", "y", "weights"):
        np.testing.assert_array_equal(namespace[name], getattr(data, name))


def test_the_sample_in_the_repository():
    """The sample is as docs/guide/your-data.md describes it."""
    table = tables.read(Path(__file__).parents[2] / "assets" / "penguins.csv")
    assert "2 comment or title lines were left out." in table.done
    data = table.prepare()
    assert table.roles.label == "species"
    assert "30 rows labelled by 'species' (3 classes), 314 blank and so unlabelled." in data.done
    assert any(text.startswith("19 missing cells in 5 columns replaced") for text in data.done)
    truth = tables.read(Path(datasets.__file__).parent / "data" / "penguins.csv").prepare()
    np.testing.assert_array_equal(data.X, truth.X)
    labelled = data.y >= 0
    np.testing.assert_array_equal(data.y[labelled], truth.y[labelled])


def test_few_new_rows_are_read_as_the_table_that_was_prepared():
    """One row does not tell that "yes" is a boolean, or which part of a date is the day."""
    flags = read("x,flag\n1.5,yes\n2.5,no\n3.5,yes\n4.2,no\n").prepare(features=("x", "flag"))
    np.testing.assert_array_equal(flags.apply(read("x,flag\n1.5,yes\n")), flags.X[:1])
    maybe = read("x,flag\n1.5,No\n2.5,maybe\n")
    assert flags.apply(maybe)[:, 1].tolist() == [-1.0, 0.0]
    assert flags.differences(maybe) == ("1 missing in 'flag' replaced by the median (0.5).",)
    with pytest.raises(ValueError, match="now holds text"):
        flags.apply(read("x,flag\n1.5,blue\n"))
    days = ["31/12/2020", "15/02/2021", "01/02/2021"]
    dates = read("x,day\n" + "\n".join(f"{i}.5,{day}" for i, day in enumerate(days)))
    dates = dates.prepare(features=("x", "day"))
    np.testing.assert_array_equal(dates.apply(read("x,day\n2.5,01/02/2021\n")), dates.X[2:])


def test_decimal_commas_are_not_applied_to_thousands():
    prepared = read("x;y\n1,5;1\n2,5;2\n3,123;4\n").prepare()
    np.testing.assert_array_equal(prepared.apply(read("x;y\n2,5;2\n")), prepared.X[1:2])
    with pytest.raises(ValueError, match="decimal marks in one table"):
        prepared.apply(read("x;y\n3,123;4\n"))
    assert np.isfinite(prepared.apply(read("x;y\n1 234;4\n"))).all(), "no comma, no conflict"


def test_thousands_are_not_applied_to_points_of_which_nothing_tells():
    prepared = read("x;n\n7,8;68.700\n3,25;12.100\n9,5;4.090\n").prepare()
    values = prepared.apply(read("x;n\n3,5;4.074\n7,25;35.050\n"))[:, 1]
    np.testing.assert_allclose(np.diff(values) * prepared.encoders[1].scale, 35050 - 4074)
    assert np.isfinite(prepared.apply(read("x;n\n3;4074\n7;35050\n"))).all()
    with pytest.raises(ValueError, match=r"Points in column 'n' may be decimal marks or"):
        prepared.apply(read("x;n\n3;4.074\n7;35.050\n"))


def test_minus_one_among_classes_is_said_to_be_a_class():
    prepared = read("x,label\n1.5,a\n2.5,b\n3.1,-1\n3.2,-1\n").prepare(label="label")
    assert prepared.class_names == ("-1", "a", "b")
    assert "-1 taken as a class" in prepared.done[-1]
