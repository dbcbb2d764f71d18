"""Reads and writes files of Arrow with pyarrow.

values FILE      prints the rows of FILE as JSON, bytes in hex and floats as their bits
write FILE KIND  writes a table, as IPC `file` or `stream`; a third argument names
                 a codec, or is `legacy` for the format before 0.15
deltas FILE      writes a stream whose dictionary grows
"""

import json
import os
import sys

import pyarrow as pa

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from pyarrow_rows import rows_of, text_of  # noqa: E402


def opened(path):
    with open(path, "rb") as file:
        is_file = file.read(6) == b"ARROW1"
    return pa.ipc.open_file(path) if is_file else pa.ipc.open_stream(path)


def values(path):
    table = opened(path).read_all()
    rows = rows_of(table)
    metadata = text_of(table.schema.metadata)
    print(json.dumps({"schema": [str(field) for field in table.schema], "rows": rows, "metadata": metadata}))


def write(path, kind, form=None):
    table = pa.table(
        {
            "i8": pa.array([1, None, -128], pa.int8()),
            "u64": pa.array([2**63 - 1, 0, None], pa.uint64()),
            "f64": pa.array([0.5, None, float("-inf")], pa.float64()),
            "yes": pa.array([True, None, False]),
            "text": pa.array(["a", None, "é"], pa.large_string()),
            "raw": pa.array([b"\xff", b"", None], pa.large_binary()),
            "fixed": pa.array([b"ab", None, b"cd"], pa.binary(2)),
            "list": pa.array([[1, 2], None, []], pa.large_list(pa.int32())),
            "pair": pa.array([[1.0, 2.0], None, [3.0, 4.0]], pa.list_(pa.float32(), 2)),
            "dict": pa.array(["x", None, "y"]).dictionary_encode(),
            "none": pa.nulls(3),
        }
    )
    # Parts of a larger table, in batches, so that positions do not begin at 0.
    whole = pa.concat_tables([table, table, table]).combine_chunks().slice(3, 6)
    with pa.OSFile(path, "wb") as sink:
        legacy = form == "legacy"
        options = pa.ipc.IpcWriteOptions(use_legacy_format=legacy, compression=None if legacy else form)
        writer = (pa.ipc.new_file if kind == "file" else pa.ipc.new_stream)(sink, whole.schema, options=options)
        with writer:
            writer.write_table(whole, max_chunksize=2)


def deltas(path):
    index = pa.array([0, 1, 0], pa.int32())
    parts = [pa.array(["x", "y"]), pa.array(["x", "y", "z"]), pa.array(["q", "r"])]
    batches = [pa.record_batch([pa.DictionaryArray.from_arrays(index, part)], ["d"]) for part in parts]
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_stream(sink, batches[0].schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)


{"values": values, "write": write, "deltas": deltas}[sys.argv[1]](*sys.argv[2:])
