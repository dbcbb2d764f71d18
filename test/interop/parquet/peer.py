"""Reads and writes files of Parquet with pyarrow.

values FILE      prints the rows of FILE as JSON, bytes in hex and floats as their bits
write FILE       writes a table with columns of all types that features can hold
steps FILE       writes a table with lists of lists
refused FOLDER   writes a file of one column for each type that no feature can hold
"""

import datetime
import decimal
import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from pyarrow_rows import rows_of, text_of  # noqa: E402


def values(path):
    table = pq.read_table(path)
    rows = rows_of(table)
    file = pq.ParquetFile(path)
    print(
        json.dumps(
            {
                "schema": {field.name: str(field.type) for field in table.schema},
                "rows": rows,
                "metadata": text_of(file.metadata.metadata),
                "groups": file.metadata.num_row_groups,
            }
        )
    )


def write(path):
    table = pa.table(
        {
            "i8": pa.array([1, None, -128], pa.int8()),
            "i64": pa.array([-(2**63), None, 2**63 - 1], pa.int64()),
            "u64": pa.array([2**63 - 1, 0, None], pa.uint64()),
            "f16": pa.array([0.5, None, -0.0], pa.float16()),
            "f32": pa.array([float("nan"), None, -0.0], pa.float32()),
            "f64": pa.array([0.5, None, float("-inf")], pa.float64()),
            "yes": pa.array([True, None, False]),
            "text": pa.array(["a", None, "é"], pa.large_string()),
            "raw": pa.array([b"\xff", b"", None], pa.large_binary()),
            "fixed": pa.array([b"ab", None, b"cd"], pa.binary(2)),
            "list": pa.array([[1, 2], None, []], pa.large_list(pa.int32())),
            "pair": pa.array([[1.0, 2.0], None, [3.0, 4.0]], pa.list_(pa.float32(), 2)),
            "dict": pa.array(["x", None, "y"]).dictionary_encode(),
            "words": pa.array([["x", "y"], None, ["x"]], pa.list_(pa.string())),
        }
    )
    whole = pa.concat_tables([table] * 1000)
    pq.write_table(whole, path, row_group_size=700, compression="zstd", data_page_size=512, data_page_version="2.0")


def steps(path):
    table = pa.table(
        {
            "id": pa.array([1, 2]),
            "x": pa.array([[[1.0, 2.0], []], []], pa.list_(pa.list_(pa.float32()))),
        }
    )
    pq.write_table(table, path, compression="gzip", use_dictionary=False)


REFUSED = {
    "decimal": pa.array([decimal.Decimal("1.25")]),
    "timestamp": pa.array([datetime.datetime(2024, 3, 1)], pa.timestamp("us")),
    "date": pa.array([datetime.date(2024, 3, 1)]),
    "time": pa.array([datetime.time(12)]),
    "struct": pa.array([{"a": 1}]),
    "map": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())),
    "deep": pa.array([[[[1]]]]),
    "u64": pa.array([1, 2**63], pa.uint64()),
    "f64": pa.array([0.5, 0.1], pa.float64()),
    "nulls": pa.array([[1, None]]),
}


def refused(folder):
    for name, column in REFUSED.items():
        pq.write_table(pa.table({name: column}), f"{folder}/{name}.parquet")


{"values": values, "write": write, "steps": steps, "refused": refused}[sys.argv[1]](*sys.argv[2:])
