"""Runs one trial of a conversion as users write it around TensorFlow, in a
process of its own, and prints one line of JSON.

    python convert.py WORK FILE TYPE SECONDS TARGET

WORK is
    parquet-batches  parse_example of 4,096 records, pyarrow's ParquetWriter
    parquet-one      Example.FromString of each record of tf.data (20,000)
    parquet-iterator the same with tf_record_iterator (50,000)
    arrow-batches    parse_example of 4,096 records to pyarrow record batches
    jsonl-one        a line of JSON for each record of tf.data (20,000)
    jsonl-iterator   the same with tf_record_iterator (50,000)
    from-jsonl       an Example for each line of JSON, by TFRecordWriter (20,000)
    images-batches   parse_example of 64 pictures and labels, ParquetWriter
    copy, gzip       the records of FILE to TARGET, by TFRecordWriter (100,000)
"""

import itertools
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402
from parse import SPECS  # noqa: E402
from trial import iterate, peak_kib, timed  # noqa: E402

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    pa = None

TYPES = {tf.int64: "int64", tf.float32: "float32", tf.string: "binary"}


def arrow_column(value):
    """A parsed feature as an Arrow array: nested where it has several values."""
    if isinstance(value, tf.SparseTensor):
        ragged = tf.RaggedTensor.from_sparse(value)
        return pa.ListArray.from_arrays(ragged.row_splits.numpy().astype("int32"), ragged.flat_values.numpy())
    array = value.numpy()
    if array.ndim == 1:
        return pa.array(array)
    flat = pa.array(array.reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, array.shape[1])


def batches(path, compression, spec, size):
    parsed = (
        tf.data.TFRecordDataset(path, compression)
        .batch(size)
        .map(lambda records: tf.io.parse_example(records, spec), num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )
    for features in parsed:
        names = sorted(features)
        yield pa.record_batch([arrow_column(features[name]) for name in names], names=names)


def parquet_batches(path, compression, target, spec, size):
    records, writer = 0, None
    for batch in batches(path, compression, spec, size):
        writer = writer or pq.ParquetWriter(target, batch.schema)
        writer.write_batch(batch)
        records += batch.num_rows
    writer.close()
    return records


def arrow_batches(path, compression, spec):
    return sum(batch.num_rows for batch in batches(path, compression, spec, 4_096))


def one_by_one(path, compression, iterator):
    if iterator:
        return itertools.islice(iterate(path, compression), 50_000)
    return (record.numpy() for record in tf.data.TFRecordDataset(path, compression).take(20_000))


def row_of(record):
    row = {}
    for name, feature in tf.train.Example.FromString(record).features.feature.items():
        kind = feature.WhichOneof("kind")
        row[name] = list(getattr(feature, kind).value)
    return row


def parquet_one(path, compression, target, iterator):
    rows = [row_of(record) for record in one_by_one(path, compression, iterator)]
    pq.write_table(pa.Table.from_pylist(rows), target)
    return len(rows)


def jsonl_one(path, compression, target, iterator):
    records = 0
    with open(target, "w", encoding="utf-8") as lines:
        for record in one_by_one(path, compression, iterator):
            row = row_of(record)
            for name, values in row.items():
                row[name] = [value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in values]
            lines.write(json.dumps(row))
            lines.write("\n")
            records += 1
    return records


def feature_of(values):
    first = values[0] if values else b""
    if isinstance(first, str):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value.encode() for value in values]))
    if isinstance(first, float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def from_jsonl(lines, path, compression, target):
    """Converts `lines`, which the first call writes."""
    if not os.path.exists(lines):
        jsonl_one(path, compression, lines, False)
    records = 0
    with open(lines, encoding="utf-8") as rows, tf.io.TFRecordWriter(target) as writer:
        for line in rows:
            features = {name: feature_of(values) for name, values in json.loads(line).items()}
            example = tf.train.Example(features=tf.train.Features(feature=features))
            writer.write(example.SerializeToString())
            records += 1
    return records


def copy(path, compression, target, target_type):
    options = tf.io.TFRecordOptions(compression_type=target_type)
    records = 0
    with tf.io.TFRecordWriter(target, options) as writer:
        for record in itertools.islice(iterate(path, compression), 100_000):
            writer.write(record)
            records += 1
    return records


def main():
    work, path, compression, seconds, target = sys.argv[1:6]
    lines = f"{target}.lines-{os.getpid()}"
    run = {
        "parquet-batches": lambda: parquet_batches(path, compression, target, SPECS["examples"], 4_096),
        "parquet-one": lambda: parquet_one(path, compression, target, False),
        "parquet-iterator": lambda: parquet_one(path, compression, target, True),
        "arrow-batches": lambda: arrow_batches(path, compression, SPECS["examples"]),
        "jsonl-one": lambda: jsonl_one(path, compression, target, False),
        "jsonl-iterator": lambda: jsonl_one(path, compression, target, True),
        "from-jsonl": lambda: from_jsonl(lines, path, compression, target),
        "images-batches": lambda: parquet_batches(path, compression, target, SPECS["images"], 64),
        "copy": lambda: copy(path, compression, target, ""),
        "gzip": lambda: copy(path, compression, target, "GZIP"),
    }[work]
    if pa is None and not work.startswith(("jsonl", "from-jsonl", "copy", "gzip")):
        raise SystemExit("pyarrow is not installed")

    def prepare():
        if os.path.exists(target):
            os.unlink(target)

    count, times = timed(run, float(seconds), prepare)
    report = {"tensorflow": tf.__version__, "records": count, "peakKiB": peak_kib(), "seconds": times}
    if os.path.exists(lines):
        os.unlink(lines)
    if os.path.exists(target):
        report["fileBytes"] = os.path.getsize(target)
        os.unlink(target)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
