"""People's own tables: files in, arrays for a fit, and tables out.

    table = read("penguins.csv")            # columns, kinds, a suggestion of roles
    data = table.prepare(label="species")   # X, y, weights, and a record of the steps
    X_new = data.apply(read("new.csv"))     # the same columns, the same statistics

A file that cannot be used raises ``ValueError`` with a one-sentence message.
"""

from lapviz.tables.limits import LIMITS, Limits
from lapviz.tables.output import csv_text, large_script, write_csv
from lapviz.tables.prepare import Prepared, Table
from lapviz.tables.reading import read
from lapviz.tables.records import KINDS, Column, Roles

__all__ = [
    "KINDS",
    "LIMITS",
    "Column",
    "Limits",
    "Prepared",
    "Roles",
    "Table",
    "csv_text",
    "large_script",
    "read",
    "write_csv",
]
