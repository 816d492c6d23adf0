"""Read Parquet in a separate process, since a damaged file can crash the decoder.

    file's bytes ─> stdin of the child ─> numbers and coded texts ─> Arrow's stream ─> columns

Before anything is decoded, what the file declares is checked: rows, columns, kinds, size after
decompression. Numbers, dates and booleans become float64, texts dictionaries. An error message
travels in the metadata of an empty batch; nothing is pickled. The child's memory and processor
time are limited where the system supports it; without processes (in a browser) the file is decoded
in place.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from lapviz import progress
from lapviz.tables.kinds import column_of, numbers_column
from lapviz.tables.limits import MIB, NO_ROOM, Limits, refuse_larger
from lapviz.tables.names import counted, unique_names
from lapviz.tables.pages import BROKEN, declared_bytes
from lapviz.tables.records import Column
from lapviz.tables.sources import Source, seekable

ADDRESSES = 3 << 30  # address space of the child, in bytes
SECONDS = 120  # processor time of the child
FOOTER = 16 * MIB  # largest footer: Arrow decodes it before anything can be checked
BATCH = 1 << 21  # cells in a batch
YEARS = -719162, 2932897  # days from 1970 to the years 1 and 10000: texts have no other dates
PER_DAY = {"s": 86400, "ms": 86400e3, "us": 86400e6}


def read_parquet(source: Source, limits: Limits) -> tuple[list[Column], list[str]]:
    """Read columns and sentences on what was done."""
    import pyarrow as pa

    file = seekable(source, limits)
    paths = filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "ARROW_DEFAULT_MEMORY_POOL": "system",  # reserves no address space in advance
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-P", "-m", "lapviz.tables.parquet", json.dumps(asdict(limits))]
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment,
        )  # fmt: skip
    except (OSError, ValueError):
        sink = pa.BufferOutputStream()
        write_decoded(file, limits, sink)
        return _columns(pa.BufferReader(sink.getvalue()))
    assert child.stdin is not None  # both are pipes
    assert child.stdout is not None
    try:
        shutil.copyfileobj(file, child.stdin, MIB)
        child.stdin.close()
        return _columns(child.stdout)
    except (OSError, EOFError, pa.ArrowException) as error:
        raise ValueError(BROKEN) from error
    finally:
        child.kill()
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError):  # unwritten bytes have no reader
                pipe.close()
        child.wait()


def _columns(stream) -> tuple[list[Column], list[str]]:
    """Read the child's stream batch by batch, then determine the kind of each column."""
    import pyarrow as pa
    import pyarrow.compute as pc

    reader = pa.ipc.open_stream(stream)
    schema, header = reader.schema, reader.schema.metadata or {}
    n_rows, start = int(header.get(b"rows", 0)), 0
    is_text = [pa.types.is_dictionary(field.type) for field in schema]
    parts: list[Any] = [[] if text else np.empty(n_rows) for text in is_text]
    for batch, metadata in reader.iter_batches_with_custom_metadata():
        if metadata and b"error" in metadata:
            raise ValueError(metadata[b"error"].decode())
        batch.validate(full=True)
        stop = start + batch.num_rows
        if stop > n_rows:
            raise ValueError(BROKEN)
        for part, column in zip(parts, batch.columns, strict=True):
            if isinstance(part, np.ndarray):
                part[start:stop] = column
            else:  # a copy, so that the batch can be freed
                codes = np.array(pc.fill_null(column.indices, -1))
                codes = pa.array(codes, mask=codes < 0)
                part.append(pa.DictionaryArray.from_arrays(codes, column.dictionary))
        start = stop
        progress.report("Reading the table", start, n_rows)
    if start < n_rows or not n_rows:
        raise ValueError(BROKEN)
    names, renamed = unique_names(schema.names)
    done, columns = [renamed] * bool(renamed), []
    for i, (name, field) in enumerate(zip(names, schema, strict=True)):
        part, parts[i] = parts[i], None
        if is_text[i]:
            columns.append(column_of(name, pa.chunked_array(part)))
        else:
            columns.append(numbers_column(name, part, (field.metadata or {})[b"kind"].decode()))
        progress.report("Sorting out the columns", i + 1, len(names))
    left_out = json.loads(header[b"left"])
    if left_out:
        done.append(
            f"{counted(len(left_out), 'column')} left out, nested or of another kind: "
            f"{', '.join(unique_names(left_out)[0][:5])}{', …' * (len(left_out) > 5)}."
        )
    return columns, done


def write_decoded(file, limits: Limits, sink) -> None:
    """Write a file's columns, or an error message, as Arrow's stream; the child's work."""
    import pyarrow as pa

    schema, writer, message = pa.schema([]), None, ""
    try:
        schema, batches = _decoded(file, limits)
        writer = pa.ipc.new_stream(sink, schema)
        for batch in batches:
            writer.write_batch(batch)
    except pa.ArrowNotImplementedError:
        message = "A column has a type that is not read, such as 128 bits: convert it first."
    except (pa.ArrowException, OSError, EOFError, UnicodeDecodeError, IndexError):
        message = BROKEN
    except MemoryError:
        message = NO_ROOM
    except ValueError as error:
        message = str(error)
    writer = writer or pa.ipc.new_stream(sink, schema)
    if message:
        empty = pa.RecordBatch.from_pylist([], schema)
        writer.write_batch(empty, custom_metadata={"error": message})
    writer.close()


def _decoded(file, limits: Limits) -> tuple[Any, Iterator]:
    """Check the file; return schema and batches of the columns that can be used."""
    import pyarrow as pa
    from pyarrow import parquet

    _check_footer(file)
    metadata = parquet.ParquetFile(file, thrift_string_size_limit=FOOTER).metadata
    schema = metadata.schema.to_arrow_schema()
    kinds = {field.name: _kind(field.type) for field in schema}
    names = [name for name in schema.names if kinds[name] is not None]
    _check(metadata, schema, names, file, limits)
    texts = [name for name in names if kinds[name] == "text"]
    left_out = [name for name in schema.names if kinds[name] is None]
    file.seek(0)
    reader = parquet.ParquetFile(file, read_dictionary=texts, thrift_string_size_limit=FOOTER)
    types = dict.fromkeys(names, pa.float64())
    types |= dict.fromkeys(texts, pa.dictionary(pa.int32(), pa.string()))
    out = pa.schema(
        [pa.field(name, types[name], metadata={"kind": kinds[name]}) for name in names],
        metadata={"rows": str(metadata.num_rows), "left": json.dumps(left_out)},
    )
    size = max(min(BATCH // len(names), 1 << 16), 256)  # small whatever the row groups
    batches = reader.iter_batches(size, columns=names, use_threads=False)
    columns = ([_plain(batch.column(name), limits) for name in names] for batch in batches)
    return out, (pa.record_batch(arrays, schema=out) for arrays in columns)


def _kind(type_) -> str | None:
    """Kind of an Arrow type: "text", "date", "boolean", "" for numbers; None for others."""
    from pyarrow import types

    coded = types.is_dictionary(type_)
    type_ = type_.value_type if coded else type_
    kinds = {
        "text": (types.is_string, types.is_large_string),
        "date": (types.is_date, types.is_timestamp),
        "boolean": (types.is_boolean,),
        "": (types.is_integer, types.is_floating, types.is_decimal, types.is_null),
    }
    kind = next((kind for kind, tests in kinds.items() if any(test(type_) for test in tests)), None)
    return None if coded and kind != "text" else kind


def _check_footer(file) -> None:
    """Check that the file ends with a Parquet footer of acceptable length."""
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
            f"The Parquet file's metadata takes {length / MIB:.0f} MB: "
            "write it with fewer columns and larger row groups."
        )
    file.seek(0)


def _check(metadata, schema, names: list[str], file, limits: Limits) -> None:
    if not names:
        raise ValueError(
            "No column of the Parquet file holds plain numbers, texts or dates: "
            "flatten its nested columns."
        )
    if len(set(schema.names)) < len(schema.names):
        raise ValueError("Columns of the Parquet file have the same name: rename them.")
    limits.check_columns(len(names))
    n_rows, n_cells = metadata.num_rows, metadata.num_rows * len(names)
    if n_rows < 1:
        raise ValueError("The table has columns and no rows: add rows, or choose another file.")
    for count, limit, noun in ((n_rows, limits.rows, "rows"), (n_cells, limits.cells, "cells")):
        if count > limit:
            raise refuse_larger(f"The table has {count:,} {noun}, and {limit:,} are read")
    declared, used = 0, set(names)
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for chunk in map(group.column, range(group.num_columns)):
            if chunk.path_in_schema in used:
                pages = declared_bytes(file, chunk)
                declared += max(chunk.total_uncompressed_size, pages)
        if declared > limits.unpacked:
            raise refuse_larger(
                f"The Parquet file unpacks to {declared / MIB:,.0f} MB or more, "
                f"and at most {limits.unpacked / MIB:.0f} are read"
            )


def _plain(chunk, limits: Limits):
    """Convert a chunk to float64 (days since 1970 for dates) or to a dictionary of its texts."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chunk.validate(full=True)  # a damaged file may have codes beyond its dictionary
    kind = _kind(chunk.type)
    if kind != "text":
        unit = getattr(chunk.type, "unit", "ms")
        unit = "us" if unit == "ns" else unit  # others stay: their microseconds may overflow
        if kind == "date":
            ticks = pa.timestamp(unit, getattr(chunk.type, "tz", None))
            chunk = pc.cast(pc.cast(chunk, ticks, safe=False), pa.int64())
        elif pa.types.is_decimal(chunk.type):  # by their digits, as the nearest numbers
            chunk = pc.cast(chunk, pa.string())
        values = pc.cast(chunk, pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        if kind == "date":
            days = values / PER_DAY[unit]
            values = np.where((days < YEARS[0]) | (days >= YEARS[1]), np.inf, days)
        return pa.array(values)
    chunk = chunk if pa.types.is_dictionary(chunk.type) else pc.dictionary_encode(chunk)
    if (pc.max(pc.binary_length(chunk.dictionary)).as_py() or 0) > limits.cell:
        raise ValueError(f"A cell has more than {limits.cell:,} characters: leave that column out.")
    present = pc.drop_null(pc.unique(chunk.indices))
    texts = pc.cast(chunk.dictionary.take(present), pa.string())
    return pa.DictionaryArray.from_arrays(pc.index_in(chunk.indices, present), texts)


def main() -> None:
    """Run the child: a file on stdin, Arrow's stream on stdout."""
    with suppress(ImportError):  # not on every system
        import resource

        for name, bound in (("AS", ADDRESSES), ("CPU", SECONDS), ("CORE", 0)):
            key = getattr(resource, f"RLIMIT_{name}")
            _, hard = resource.getrlimit(key)
            soft = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
            resource.setrlimit(key, (soft, hard))
    limits = Limits(**json.loads(sys.argv[1]))
    write_decoded(io.BytesIO(sys.stdin.buffer.read()), limits, sys.stdout.buffer)


if __name__ == "__main__":
    main()
