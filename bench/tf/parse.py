"""Runs one trial of TensorFlow's parsing, in a process of its own, and prints
one line of JSON.

    python parse.py WORK FILE TYPE SECONDS [BATCH]

WORK is the name of a spec (TFRecordDataset, batch, parse_example in a
parallel map, prefetch), sequences (the same with parse_sequence_example) or
single (parse_single_example in a parallel map, 20,000 records).
"""

import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402
from trial import peak_kib, timed  # noqa: E402

fixed, var, ragged = tf.io.FixedLenFeature, tf.io.VarLenFeature, tf.io.RaggedFeature
SPECS = {
    "examples": {
        "user_id": fixed([], tf.int64),
        "item_id": fixed([], tf.int64),
        "label": fixed([], tf.int64),
        "price": fixed([], tf.float32),
        "scores": fixed([8], tf.float32),
        "history": var(tf.int64),
        "country": fixed([], tf.string),
        "title": fixed([], tf.string),
        "session": fixed([], tf.string),
        "timestamp": fixed([], tf.int64),
    },
    "vectors": {"embedding": fixed([512], tf.float32), "tokens": fixed([256], tf.int64)},
    "images": {"image": fixed([], tf.string), "label": fixed([], tf.int64)},
    "wide": {
        **{f"int_{i:03}": fixed([], tf.int64) for i in range(400)},
        **{f"float_{i:03}": fixed([], tf.float32) for i in range(400)},
        **{f"bytes_{i:03}": fixed([], tf.string) for i in range(200)},
    },
    "skewed": {"id": fixed([], tf.int64), "ids": var(tf.int64), "weights": var(tf.float32)},
    "skewedRagged": {"id": fixed([], tf.int64), "ids": ragged(tf.int64), "weights": ragged(tf.float32)},
    "lists": {"values": fixed([10_000], tf.int64)},
    "listsVar": {"values": var(tf.int64)},
}
CONTEXT = {"id": fixed([], tf.int64), "lang": fixed([], tf.string)}
SEQUENCE = {
    "tokens": tf.io.FixedLenSequenceFeature([], tf.int64),
    "weights": var(tf.float32),
}
FIRST = {
    "examples": "label",
    "vectors": "tokens",
    "images": "label",
    "wide": "int_000",
    "skewed": "id",
    "skewedRagged": "id",
    "lists": "values",
    "listsVar": "values",
}


def parallel(dataset, parse):
    return dataset.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def parsed(work, path, compression, batch):
    records = tf.data.TFRecordDataset(path, compression)
    if work == "single":
        spec = {k: v for k, v in SPECS["examples"].items() if k not in ("history", "scores")}
        return parallel(records.take(20_000), lambda record: tf.io.parse_single_example(record, spec)["label"])
    if work == "sequences":
        return parallel(
            records.batch(batch), lambda batch: tf.io.parse_sequence_example(batch, CONTEXT, SEQUENCE)
        )
    return parallel(records.batch(batch), lambda batch: tf.io.parse_example(batch, SPECS[work]))


def count(work, dataset):
    records = 0
    for element in dataset:
        if work == "single":
            records += 1
        elif work == "sequences":
            records += element[0]["id"].shape[0]
        else:
            records += element[FIRST[work]].shape[0]
    return records


def main():
    work, path, compression, seconds = sys.argv[1:5]
    batch = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    dataset = parsed(work, path, compression, batch)
    spent = []

    def once():
        before = os.times()
        records = count(work, dataset)
        after = os.times()
        spent.append(after.user + after.system - before.user - before.system)
        return records

    records, times = timed(once, float(seconds))
    report = {"tensorflow": tf.__version__, "records": records, "peakKiB": peak_kib()}
    print(json.dumps({**report, "seconds": times, "processor": spent[1:]}))


if __name__ == "__main__":
    main()
