"""Runs one trial of a TensorFlow input pipeline, in a process of its own, and
prints one line of JSON.

    python dataset.py WORK FILE TYPE SECONDS

WORK is tutorial (shards beside FILE: files shuffled, 8 interleaved, a shuffle
buffer of 10,000, batches of 1,024 parsed in parallel, 3 epochs), shuffled (FILE
through the same buffer, in batches), text, csv, fixed (lines, rows, records of 64
bytes of FILE, in batches), or of the folder gzip-shards beside FILE: small-shards
(32 in order), large-shard (one), large-interleaved (all eight).
"""

import glob
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402
from parse import SPECS  # noqa: E402
from trial import peak_kib, timed  # noqa: E402

AUTO = tf.data.AUTOTUNE


def tutorial(path):
    shards = sorted(glob.glob(os.path.join(os.path.dirname(path), "shards", "examples-*")))
    return (
        tf.data.Dataset.from_tensor_slices(shards)
        .shuffle(len(shards))
        .interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
        .shuffle(10_000)
        .batch(1_024)
        .map(lambda records: tf.io.parse_example(records, SPECS["examples"]), num_parallel_calls=AUTO)
        .prefetch(AUTO)
        .repeat(3)
        .map(lambda batch: batch["label"])
    )


def shuffled(path):
    return tf.data.TFRecordDataset(path).shuffle(10_000).batch(1_024).prefetch(AUTO)


def kind(path):
    return "GZIP" if path.endswith(".gz") else ""


def text(path):
    return tf.data.TextLineDataset(path, compression_type=kind(path)).batch(1_024).prefetch(AUTO)


def csv(path):
    types = [tf.int64, tf.float64, tf.string, "", tf.int64]
    rows = tf.data.experimental.CsvDataset(path, types, header=True).batch(1_024).prefetch(AUTO)
    return rows.map(lambda *columns: columns[1])


def fixed(path):
    return tf.data.FixedLengthRecordDataset(path, 64).batch(1_024).prefetch(AUTO)


def gzip_shards(path, name):
    return sorted(glob.glob(os.path.join(os.path.dirname(path), "gzip-shards", f"{name}-*")))


def records(files):
    return tf.data.TFRecordDataset(files, "GZIP")


def small_shards(path):
    return records(gzip_shards(path, "small")).batch(1_024).prefetch(AUTO)


def large_shard(path):
    return records(gzip_shards(path, "large")[:1]).batch(1_024).prefetch(AUTO)


def large_interleaved(path):
    files = tf.data.Dataset.from_tensor_slices(gzip_shards(path, "large"))
    return files.interleave(records, cycle_length=8, num_parallel_calls=AUTO).batch(1_024).prefetch(AUTO)


WORKS = {
    "tutorial": tutorial,
    "shuffled": shuffled,
    "text": text,
    "csv": csv,
    "fixed": fixed,
    "small-shards": small_shards,
    "large-shard": large_shard,
    "large-interleaved": large_interleaved,
}


def main():
    work, path, _, seconds = sys.argv[1:5]
    dataset = WORKS[work](path)
    spent = []

    def once():
        before = os.times()
        records = sum(int(batch.shape[0]) for batch in dataset)
        after = os.times()
        spent.append(after.user + after.system - before.user - before.system)
        return records

    records, times = timed(once, float(seconds))
    report = {"tensorflow": tf.__version__, "records": records, "peakKiB": peak_kib()}
    print(json.dumps({**report, "seconds": times, "processor": spent[1:]}))


if __name__ == "__main__":
    main()
