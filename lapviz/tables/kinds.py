"""From the cells of a column to its kind and its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lapviz.tables import numbers
from lapviz.tables.names import HIDDEN, counted
from lapviz.tables.records import Column

LEVELS = 100  # a text of more different values is no category, if they are many for its rows
SHARE = 0.05
OTHERS = 5  # different texts that may stand among numbers


def column_of(name: str, cells, decimal_comma: bool | None = None) -> Column:
    """The column of Arrow's strings, whatever they turn out to be.

    Parameters
    ----------
    name : str
    cells : pyarrow.ChunkedArray of strings, dictionary-encoded or not; null is missing
    decimal_comma : bool or None
        What the file's other columns say of a notation that fits both.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    codes, texts = _coded(cells)
    missing = np.asarray(pc.is_in(texts, pa.array(sorted(numbers.MISSING))))
    kept = pc.filter(texts, pa.array(~missing))
    where = np.cumsum(~missing) - 1
    codes = np.where(codes < 0, -1, np.where(missing, -1, where).astype(np.int32)[codes])
    if not len(kept):
        return Column(name, "empty", len(codes), 0, values=np.full(len(codes), np.nan))
    if (truth := numbers.truths_of(kept)) is not None:
        return replace(numbers_column(name, _spread(truth[0], codes), "boolean"), words=truth[1])
    as_numbers = numbers.numbers_of(kept, decimal_comma)
    others = pc.filter(kept, pa.array(~as_numbers.known))
    few = ", ".join(repr(text if len(text) <= 20 else text[:19] + "…")
                    for text in others[:3].to_pylist())  # fmt: skip
    if as_numbers.known.any():
        counts = np.bincount(codes[codes >= 0], minlength=len(kept))
        n = int(counts[~as_numbers.known].sum())
        if n <= numbers.TOLERATED * counts.sum() and len(others) <= OTHERS:
            done = list(as_numbers.done)
            if n:
                done.append(f"{counted(n, 'cell')} without a number ({few}) taken as missing")
            return numbers_column(name, _spread(as_numbers.values, codes), "", done)
    if (dated := numbers.dates_of(kept)) is not None:
        return numbers_column(
            name, _spread(dated[0], codes), "date", [f"read as dates, {dated[1]}"]
        )
    why = ""
    if as_numbers.mixed:
        why = "kept as text, since it mixes decimal points and commas"
    elif as_numbers.known.mean() > 0.5:
        why = f"kept as text, since not all its cells are numbers ({few})"
    return _text(name, codes, kept, why)


def _coded(cells) -> tuple[np.ndarray, object]:
    """Codes (-1 where null) and the different texts, trimmed and without control characters."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(cells.type):  # of one array; chunks are slow
        whole = pc.dictionary_encode(pa.concat_arrays(cells.chunks))
        cells = pa.chunked_array([whole])
    chunks = cells.unify_dictionaries().chunks
    codes = np.concatenate([np.asarray(pc.fill_null(chunk.indices, -1)) for chunk in chunks])
    codes, texts = codes.astype(np.int32, copy=False), chunks[0].dictionary
    texts = pc.utf8_trim_whitespace(texts)
    texts = pc.replace_substring_regex(texts, f"[{HIDDEN}]", "")
    again = pc.dictionary_encode(texts)  # trimmed texts may be equal
    if len(again.dictionary) < len(texts):
        codes = np.where(codes < 0, -1, np.asarray(again.indices).astype(np.int32)[codes])
        texts = again.dictionary
    return codes, texts


def _spread(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    return np.append(values, np.nan)[codes]  # code -1 takes the last


def numbers_column(
    name: str, values: np.ndarray, kind: str = "", done: Sequence[str] = ()
) -> Column:
    """The column of float64 numbers, NaN where missing.

    ``kind`` is "boolean" or "date" if it is one, ``done`` what was done to read it, in words.
    """
    infinite = np.isinf(values)
    done = list(done)
    if infinite.any():
        values = np.where(infinite, np.nan, values)
        many = counted(int(infinite.sum()), "infinite or too large number")
        done.append(f"{many} taken as missing")
    held = values[~np.isnan(values)]
    n_missing = len(values) - len(held)
    different = np.unique(held)
    whole = bool(len(held)) and bool(np.all(held == np.rint(held)))
    if not len(held):
        kind = "empty"
    elif len(different) == 1 and kind != "date":
        kind = "constant"
    elif not kind:
        kind = "integer" if whole else "real"
    if whole and np.abs(held).max() >= 2**53:
        done.append("whole numbers beyond 2^53 rounded")
    numbered = (
        kind == "integer"
        and n_missing == 0
        and len(held) > 2
        and len(different) == len(held) == 1 + float(different[-1]) - float(different[0])
    )
    with np.errstate(over="ignore"):
        small = values.astype(np.float32)
    values = small if np.array_equal(small, values, equal_nan=True) else values
    sentence = _sentence(name, done)
    return Column(name, kind, n_missing, len(different), bool(numbered), values, None, sentence)


def _text(name: str, codes: np.ndarray, texts, done: str) -> Column:
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
    sentence = _sentence(name, [done] if done else [])
    return Column(name, kind, len(codes) - n, m, identifier, codes, texts, sentence)


def _sentence(name: str, done: Sequence[str]) -> str:
    return f"Column {name!r}: {'; '.join(done)}." if done else ""
