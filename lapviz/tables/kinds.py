"""From the cells of a column to its kind and its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lapviz.tables import numbers
from lapviz.tables.names import HIDDEN
from lapviz.tables.records import Column

LEVELS = 100  # a text of more different values is no category, if they are many for its rows
SHARE = 0.05


def column_of(name: str, cells, decimal_comma: bool | None = None) -> Column:
    """The column of Arrow's strings, whatever they turn out to be.

    Parameters
    ----------
    name : str
    cells : pyarrow.ChunkedArray or Array of strings, dictionary-encoded or not; null is missing
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
        return replace(_numeric(name, _spread(truth[0], codes), "boolean"), words=truth[1])
    as_numbers = numbers.numbers_of(kept, decimal_comma)
    if as_numbers.known.any():
        counts = np.bincount(codes[codes >= 0], minlength=len(kept))
        others = int(counts[~as_numbers.known].sum())
        if others <= numbers.TOLERATED * counts.sum() and (~as_numbers.known).sum() <= 5:
            done = list(as_numbers.done)
            if others:
                which = ", ".join(map(repr, _short(kept.filter(pa.array(~as_numbers.known)))))
                done.append(f"{others:,} cell{'s' * (others > 1)} without a number ({which}) taken "
                            "as missing")  # fmt: skip
            return _numeric(name, _spread(as_numbers.values, codes), "", done)
    if (dated := numbers.dates_of(kept)) is not None:
        return _numeric(name, _spread(dated[0], codes), "date", [f"read as dates, {dated[1]}"])
    said = ""
    if as_numbers.mixed:
        said = "kept as text, since it mixes decimal points and commas"
    elif as_numbers.known.mean() > 0.5:
        which = ", ".join(map(repr, _short(kept.filter(pa.array(~as_numbers.known)))))
        said = f"kept as text, since not all its cells are numbers ({which})"
    return _text(name, codes, kept, said)


def numbers_column(name: str, values: np.ndarray, kind: str = "") -> Column:
    """The column of numbers, NaN where missing; ``kind`` "boolean" or "date" if it is one."""
    return _numeric(name, np.asarray(values, float), kind)


def _coded(cells) -> tuple[np.ndarray, object]:
    """Codes (-1 where null) and the different texts, trimmed and without control characters."""
    import pyarrow as pa
    import pyarrow.compute as pc

    codes, texts = _encoded(cells)
    texts = pc.utf8_trim_whitespace(pc.cast(texts, pa.string()))
    texts = pc.fill_null(pc.replace_substring_regex(texts, f"[{HIDDEN}]", ""), "")
    again = pc.dictionary_encode(texts)  # trimmed texts may be equal
    if len(again.dictionary) < len(texts):
        codes = np.where(codes < 0, -1, np.asarray(again.indices).astype(np.int32)[codes])
        texts = again.dictionary
    return codes, texts


def _encoded(cells) -> tuple[np.ndarray, object]:
    """Codes and different texts of chunks of texts or of chunks with dictionaries."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chunks = cells.chunks if isinstance(cells, pa.ChunkedArray) else [cells]
    if not pa.types.is_dictionary(cells.type):
        whole = pc.dictionary_encode(pa.concat_arrays(chunks))  # of one array; chunks are slow
        return np.asarray(pc.fill_null(whole.indices, -1)).astype(np.int32, copy=False), (
            whole.dictionary
        )
    whole = pc.dictionary_encode(pa.concat_arrays([chunk.dictionary for chunk in chunks]))
    to = np.append(np.asarray(pc.fill_null(whole.indices, -1)), -1).astype(np.int32)
    codes, start = [], 0
    for chunk in chunks:
        own = np.asarray(pc.fill_null(chunk.indices, -1)).astype(np.int64)
        codes.append(to[np.where(own < 0, -1, own + start)])
        start += len(chunk.dictionary)
    return np.concatenate(codes), whole.dictionary


def _spread(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    return np.append(values, np.nan)[codes]  # code -1 takes the last


def _numeric(name: str, values: np.ndarray, kind: str = "", done: Sequence[str] = ()) -> Column:
    infinite = np.isinf(values)
    done = list(done)
    if infinite.any():
        count = int(infinite.sum())
        values = np.where(infinite, np.nan, values)
        done.append(f"{count:,} infinite or too large number{'s' * (count > 1)} taken as missing")
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
    said = _sentence(name, done)
    return Column(name, kind, n_missing, len(different), bool(numbered), values, None, said)


def _text(name: str, codes: np.ndarray, texts, done: str) -> Column:
    import pyarrow as pa
    import pyarrow.compute as pc

    order = np.asarray(pc.sort_indices(texts)).astype(np.int64)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    codes = np.append(place, np.int32(-1))[codes]
    texts = texts.take(pa.array(order))
    n, m = int((codes >= 0).sum()), len(texts)
    if m == 1:
        kind = "constant"
    else:
        few = m <= LEVELS and m <= max(n / 2, 2) if n > 4 else m < n
        kind = "category" if few or (m <= SHARE * n and m <= 1000) else "text"
    identifier = m == n and n > 2
    said = _sentence(name, [done] if done else [])
    return Column(name, kind, len(codes) - n, m, identifier, codes, texts, said)


def _sentence(name: str, done: Sequence[str]) -> str:
    return f"Column {name!r}: {'; '.join(done)}." if done else ""


def _short(texts) -> list[str]:
    return [text if len(text) <= 20 else text[:19] + "…" for text in texts[:3].to_pylist()]
