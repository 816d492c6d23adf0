"""Parquet, after a look at what it declares: rows, columns, kinds, size after decompression."""

from __future__ import annotations

import numpy as np

from lapviz import progress
from lapviz.tables.kinds import column_of, numbers_column
from lapviz.tables.limits import MIB, Limits, refuse_larger
from lapviz.tables.names import tidy
from lapviz.tables.pages import BROKEN, largest_pages
from lapviz.tables.records import Column
from lapviz.tables.sources import Source, seekable

FOOTER = 16 * MIB  # bytes, decoded by Arrow before anything can be checked
BATCH = 1 << 21  # cells
TEXT = 8 * MIB  # bytes of the texts of a batch; longer ones are kept as a dictionary


def read_parquet(source: Source, limits: Limits) -> tuple[list[Column], list[str]]:
    """Columns and what was done."""
    import pyarrow as pa
    from pyarrow import parquet

    file = seekable(source, limits)
    try:
        _check_footer(file)
        flat = parquet.ParquetFile(file, thrift_string_size_limit=FOOTER).metadata
        schema = flat.schema.to_arrow_schema()
        used = _usable(schema)
        _check(flat, schema, used, file, limits)
        texts = [schema[i].name for i in used if _is_text(schema[i].type)]
        file.seek(0)
        reader = parquet.ParquetFile(file, read_dictionary=texts, thrift_string_size_limit=FOOTER)
        parts = _parts(reader, used, flat.num_rows, limits)
    except (pa.ArrowException, OSError, EOFError, UnicodeDecodeError, IndexError) as error:
        raise ValueError(BROKEN) from error
    names, said = tidy([schema[i].name for i in used])
    columns = []
    for place, name in enumerate(names):
        chunks, parts[place] = parts[place], []
        columns.append(_column(name, chunks, schema[used[place]].type))
        progress.report("Sorting out the columns", place + 1, len(names))
    left = [field.name for i, field in enumerate(schema) if i not in set(used)]
    done = [said] * bool(said)
    if left:
        done.append(
            f"{len(left)} column{'s' * (len(left) > 1)} left out, nested or of another kind: "
            f"{', '.join(tidy(left)[0][:5])}{', …' * (len(left) > 5)}."
        )
    return columns, done


def _check_footer(file) -> None:
    """The file's end is that of a Parquet file, with a description of bearable length."""
    size = file.seek(0, 2)
    file.seek(max(size - 8, 0))
    tail = bytes(file.read(8))
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] == b"PARE":
        raise ValueError("The Parquet file is encrypted: save it without encryption.")
    if tail[4:] != b"PAR1" or not 0 < length <= size - 12:
        raise ValueError(BROKEN)
    if length > FOOTER:
        raise ValueError(
            f"The Parquet file's description of itself has {length / MIB:.0f} MB: "
            "write it with fewer columns and larger row groups."
        )
    file.seek(0)


def _is_text(kind) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _usable(schema) -> list[int]:
    """Places of the columns that are numbers, texts, truth values or dates."""
    import pyarrow as pa

    is_kind = pa.types
    tests = (is_kind.is_integer, is_kind.is_floating, is_kind.is_decimal, is_kind.is_boolean,
             is_kind.is_date, is_kind.is_timestamp, is_kind.is_null, _is_text)  # fmt: skip
    return [i for i, field in enumerate(schema) if any(test(field.type) for test in tests)]


def _check(flat, schema, used: list[int], file, limits: Limits) -> None:
    if not used:
        raise ValueError(
            "No column of the Parquet file holds plain numbers, texts or dates: "
            "flatten its nested columns."
        )
    if len(set(schema.names)) < len(schema.names):
        raise ValueError("Columns of the Parquet file have the same name: rename them.")
    if len(used) > limits.columns:
        raise ValueError(
            f"The table has {len(used):,} columns, and at most {limits.columns:,} are read: "
            "keep the columns that matter."
        )
    if flat.num_rows < 1:
        raise ValueError("The table has columns and no rows: add rows, or choose another file.")
    if flat.num_rows > limits.rows:
        raise refuse_larger(f"The table has {flat.num_rows:,} rows, and {limits.rows:,} are read")
    if flat.num_rows * len(used) > limits.cells:
        raise refuse_larger(
            f"The table has {flat.num_rows * len(used):,} cells, and {limits.cells:,} are read"
        )
    wanted = {schema[i].name for i in used}
    declared = 0
    for group in map(flat.row_group, range(flat.num_row_groups)):
        for chunk in map(group.column, range(group.num_columns)):
            if chunk.path_in_schema in wanted:
                pages = largest_pages(file, chunk)
                declared += max(chunk.total_uncompressed_size, pages)
        if declared > limits.unpacked:
            raise refuse_larger(
                f"The Parquet file unpacks to {declared / MIB:,.0f} MB or more, "
                f"and at most {limits.unpacked / MIB:.0f} are read"
            )


def _parts(reader, used: list[int], n_rows: int, limits: Limits) -> list[list]:
    """The chunks of each column; batches are small, whatever the row groups are."""
    import pyarrow as pa

    names = [reader.schema_arrow[i].name for i in used]
    parts = [[] for _ in used]
    done = 0
    size = max(min(BATCH // len(used), 1 << 16), 256)
    for batch in reader.iter_batches(size, columns=names, use_threads=False):
        done += batch.num_rows
        if done > n_rows:
            raise pa.ArrowInvalid("more rows than declared")
        for place, name in enumerate(names):
            parts[place].append(_shrunk(batch.column(name), limits))
        progress.report("Reading the table", done, n_rows)
    if done < n_rows:
        raise pa.ArrowInvalid("fewer rows than declared")
    return parts


def _shrunk(chunk, limits: Limits):
    """The chunk as float64 array, or with a dictionary of what occurs in it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chunk.validate(full=True)  # a damaged file may have codes beyond its dictionary
    if pa.types.is_null(chunk.type):
        return np.full(len(chunk), np.nan)
    if not _is_text(chunk.type):
        return _as_float(chunk)
    chunk = chunk if pa.types.is_dictionary(chunk.type) else pc.dictionary_encode(chunk)
    lengths = np.asarray(pc.fill_null(pc.binary_length(chunk.dictionary), 0))
    if lengths.max(initial=0) > limits.cell:
        raise ValueError(f"A cell has more than {limits.cell:,} characters: leave that column out.")
    codes = np.asarray(pc.fill_null(chunk.indices, -1)).astype(np.int64)
    written_out = int(np.append(lengths, 0)[codes].sum())
    if written_out <= TEXT:
        return pc.cast(chunk, pa.string())
    present = np.unique(codes[codes >= 0])  # others are of other batches
    to = np.searchsorted(present, np.maximum(codes, 0)).astype(np.int32)
    texts = pc.cast(chunk.dictionary.take(pa.array(present)), pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(to, mask=codes < 0), texts)


def _as_float(chunk) -> np.ndarray:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = chunk.type
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        micro = pc.cast(pc.cast(chunk, pa.timestamp("us", getattr(kind, "tz", None)), safe=False),
                        pa.int64())  # fmt: skip
        days = np.array(pc.fill_null(micro, 0)) / 86400e6
    elif pa.types.is_boolean(kind):
        days = np.array(pc.fill_null(pc.cast(chunk, pa.int8()), 0)).astype(float)
    else:
        days = np.array(pc.fill_null(pc.cast(chunk, pa.float64(), safe=False), np.nan))
    days[np.asarray(pc.is_null(chunk))] = np.nan
    return days


def _column(name: str, chunks: list, kind) -> Column:
    import pyarrow as pa

    if not isinstance(chunks[0], np.ndarray):
        if any(pa.types.is_dictionary(chunk.type) for chunk in chunks):
            chunks = [chunk.dictionary_encode() for chunk in chunks]  # those that have none yet
        return column_of(name, pa.chunked_array(chunks))
    date = pa.types.is_date(kind) or pa.types.is_timestamp(kind)
    known = "date" if date else "boolean" * pa.types.is_boolean(kind)
    return numbers_column(name, np.concatenate(chunks), known)
