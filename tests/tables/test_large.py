"""Thirty and a hundred megabytes, read and fitted in a separate process."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

from tests.helpers import printed

CHILD = """
import json, sys
from pathlib import Path
from lapviz import LaplacianClassifier, tables
table = tables.read(sys.argv[1])
data = table.prepare()
n = table.n_rows
del table
model = LaplacianClassifier(operator="laplacian", random_state=0).fit(data.X, data.y)
correct = model.predict(data.X[:1000]) == (data.X[:1000, 0] > 0)
status = Path("/proc/self/status").read_text().split()
peak = int(status[status.index("VmHWM:") + 1]) // 1024
print(json.dumps([n, data.X.shape, float(correct.mean()), peak]))
"""


@pytest.mark.parametrize(
    ("times", "max_mb"),
    [pytest.param(3, 400, marks=pytest.mark.slow), pytest.param(10, 900, marks=pytest.mark.long)],
)
def test_memory_stays_in_proportion_to_the_rows(tmp_path, times, max_mb):
    rng, n = np.random.default_rng(0), 100_000
    columns = {f"x{i}": rng.normal(size=n).round(9) for i in range(8)}
    columns["colour"] = pa.array(np.array(["red", "green", "blue"])[rng.integers(0, 3, n)])
    labels = np.array(["a", "b"])[(columns["x0"] > 0).astype(int)]
    columns["label"] = pa.array(labels, mask=rng.random(n) > 0.01)
    path = tmp_path / "large.csv"
    csv.write_csv(pa.table(columns), path)  # writing a million numbers takes as long as reading
    head, _, rows = path.read_bytes().partition(b"\n")
    path.write_bytes(head + b"\n" + times * rows)
    assert path.stat().st_size > times * 9.4e6
    rows, shape, accuracy, peak = json.loads(printed("-c", CHILD, path))
    assert (rows, shape) == (times * n, [times * n, 11])
    assert accuracy > 0.9
    assert peak < max_mb
