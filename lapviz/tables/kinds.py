"""Determine the kind and the values of a column from its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lapviz.tables import numbers
from lapviz.tables.names import HIDDEN, counted
from lapviz.tables.records import Column

LEVELS = 100  # distinct texts of a category at most, unless they are few for its rows
SHARE = 0.05  # distinct texts per row of such a larger category, at most
OTHERS = 5  # distinct texts tolerated among numbers


def column_of(name: str, cells, decimal_comma: bool | None = None, as_text: bool = False) -> Column:
    """Make a column from Arrow's strings: numbers, dates, booleans or text.

    Parameters
    ----------
    name : str
    cells : pyarrow.ChunkedArray of strings, dictionary-encoded or not; null is missing
    decimal_comma : bool or None
        Notation of the file's other columns, for numbers that fit both.
    as_text : bool
        Whether it stays text, of which only the empty cells are missing.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    codes, present, left_out = _coded(cells, [""] if as_text else sorted(numbers.MISSING))
    if not len(present):
        return Column(name, "empty", len(codes), 0, values=np.full(len(codes), np.nan))
    if as_text:
        return _text(name, codes, present)
    if (booleans := numbers.parse_booleans(present)) is not None:
        values, words = booleans
        return numbers_column(name, _by_code(values, codes), "boolean", words=words)
    parsed = numbers.parse_numbers(present, decimal_comma)
    others = pc.filter(present, pa.array(~parsed.is_number))
    examples = ", ".join(repr(text if len(text) <= 20 else text[:19] + "…")
                         for text in others[:3].to_pylist())  # fmt: skip
    if parsed.is_number.any():
        counts = np.bincount(codes[codes >= 0], minlength=len(present))
        n = int(counts[~parsed.is_number].sum())
        if n <= numbers.TOLERATED * counts.sum() and len(others) <= OTHERS:
            done = list(parsed.done)
            if n:
                done.append(f"{counted(n, 'cell')} without a number ({examples}) taken as missing")
            values = _by_code(parsed.values, codes)
            notes = {"notation": parsed.mark, "signed": parsed.signed}
            return numbers_column(name, values, "", done, **notes)
    if (dates := numbers.parse_dates(present)) is not None:
        days, order = dates
        has_zones = pc.any(pc.match_substring_regex(present, numbers.ZONE)).as_py()
        done = [
            f"read as dates, {order}" + ", in UTC" * bool(has_zones),
            "counted in days from 1970-01-01",
        ]
        return numbers_column(name, _by_code(days, codes), "date", done, notation=order)
    done = []
    if parsed.mixed:
        done.append("kept as text, since it mixes decimal points and commas")
    elif parsed.is_number.mean() > 0.5:
        done.append(f"kept as text, since not all its cells are numbers ({examples})")
    if left_out:  # among texts it may be a level
        done.append(f"cells {', '.join(map(repr, left_out))} taken as missing")
    return _text(name, codes, present, done)


def _coded(cells, missing: Sequence[str]) -> tuple[np.ndarray, Any, list[str]]:
    """Codes (-1 where missing), distinct texts, trimmed and without control characters, and words
    that stand for missing cells."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(cells.type):  # one array: encoding by chunks is slow
        cells = pa.chunked_array([pc.dictionary_encode(pa.concat_arrays(cells.chunks))])
    chunks = cells.unify_dictionaries().chunks
    codes = np.concatenate([np.asarray(pc.fill_null(chunk.indices, -1)) for chunk in chunks])
    texts = pc.utf8_trim_whitespace(chunks[0].dictionary)
    texts = pc.replace_substring_regex(texts, f"[{HIDDEN}]", "")
    trimmed = pc.dictionary_encode(texts)  # trimmed texts may be equal
    present = ~np.asarray(pc.is_in(trimmed.dictionary, pa.array(missing)))
    new_codes = np.where(present, np.cumsum(present) - 1, -1).astype(np.int32)
    # code -1 takes the last
    new_codes = np.append(new_codes[np.asarray(trimmed.indices)], np.int32(-1))
    left_out = filter(None, pc.filter(trimmed.dictionary, pa.array(~present)).to_pylist())
    return new_codes[codes], pc.filter(trimmed.dictionary, pa.array(present)), [*left_out]


def _by_code(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    return np.append(values, np.nan)[codes]  # code -1 takes the last, NaN


def numbers_column(
    name: str, values: np.ndarray, kind: str = "", done: Sequence[str] = (), **notes: Any
) -> Column:
    """Make a column from float64 numbers, NaN where missing.

    ``kind`` is "boolean", "date" or, for plain numbers, empty; ``done`` says what was done to read
    them, ``notes`` are the column's words, notation and signs.
    """
    infinite = np.isinf(values)
    done = list(done)
    if infinite.any():
        values = np.where(infinite, np.nan, values)
        count = counted(int(infinite.sum()), "infinite or too large number")
        done.append(f"{count} taken as missing")
    present = values[~np.isnan(values)]
    n_missing = len(values) - len(present)
    distinct = np.unique(present)
    integral = bool(len(present)) and bool(np.all(present == np.rint(present)))
    if not len(present):
        kind = "empty"
    elif len(distinct) == 1 and kind != "date":
        kind = "constant"
    elif not kind:
        kind = "integer" if integral else "real"
    if integral and np.abs(present).max() >= 2**53:
        done.append("whole numbers beyond 2^53 rounded")
    consecutive = (
        kind == "integer"
        and n_missing == 0
        and len(present) > 2
        and len(distinct) == len(present) == 1 + float(distinct[-1]) - float(distinct[0])
    )
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    values = single if np.array_equal(single, values, equal_nan=True) else values
    counts = n_missing, len(distinct), bool(consecutive)
    return Column(name, kind, *counts, values, done=_sentence(name, done), **notes)


def _text(name: str, codes: np.ndarray, texts, done: Sequence[str] = ()) -> Column:
    import pyarrow.compute as pc

    order = pc.sort_indices(texts)
    codes = np.append(np.argsort(order).astype(np.int32), np.int32(-1))[codes]
    texts = texts.take(order)
    n, m = int((codes >= 0).sum()), len(texts)
    if m == 1:
        kind = "constant"
    else:
        few = m <= LEVELS and m <= max(n / 2, 2) if n > 4 else m < n
        kind = "category" if few or (m <= SHARE * n and m <= 1000) else "text"
    identifier = m == n and n > 2
    counts = len(codes) - n, m, identifier
    return Column(name, kind, *counts, codes, texts, done=_sentence(name, done))


def _sentence(name: str, done: Sequence[str]) -> str:
    return f"Column {name!r}: {'; '.join(done)}." if done else ""
