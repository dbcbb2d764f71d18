"""Runs one trial of TensorFlow, in a process of its own, and prints one line of
JSON.

    python trial.py WORK FILE TYPE SECONDS [TARGET TARGET_TYPE LEVEL]

WORK is one of
    batch     TFRecordDataset.batch(1024), eager loop over the batches
    eager     TFRecordDataset, eager loop, one by one: the first 20,000 records
    iterator  tf.compat.v1.io.tf_record_iterator
    write     TFRecordWriter, of FILE's records to TARGET
    shards    ten TFRecordWriters in turn, of FILE's records to the folder TARGET
TYPE is '' or GZIP. The first pass is not timed. Timed passes follow for about
SECONDS: at least three.
"""

import json
import os
import shutil
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402


def iterate(path, compression):
    options = tf.io.TFRecordOptions(compression_type=compression)
    return tf.compat.v1.io.tf_record_iterator(path, options)


def read_batch(path, compression):
    records = 0
    for batch in tf.data.TFRecordDataset(path, compression).batch(1024):
        records += batch.shape[0]
    return records


def read_eager(path, compression):
    records = 0
    for _ in tf.data.TFRecordDataset(path, compression).take(20_000):
        records += 1
    return records


def read_iterator(path, compression):
    records = 0
    for _ in iterate(path, compression):
        records += 1
    return records


def write(records, target, compression, level):
    options = tf.io.TFRecordOptions(compression_type=compression, compression_level=level)
    with tf.io.TFRecordWriter(target, options) as writer:
        for record in records:
            writer.write(record)
    return len(records)


def write_shards(records, target, compression, level):
    options = tf.io.TFRecordOptions(compression_type=compression, compression_level=level)
    os.mkdir(target)
    writers = [tf.io.TFRecordWriter(f"{target}/{i}", options) for i in range(10)]
    for i, record in enumerate(records):
        writers[i % 10].write(record)
    for writer in writers:
        writer.close()
    return len(records)


def size_of(path):
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(entry.stat().st_size for entry in os.scandir(path))


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)


def timed(work, seconds, prepare=lambda: None):
    prepare()
    count = work()
    times = []
    while sum(times) < seconds or len(times) < 3:
        prepare()
        start = time.perf_counter()
        if work() != count:
            raise SystemExit("the passes differ")
        times.append(time.perf_counter() - start)
    return count, times


def peak_kib():
    """Returns the largest resident size. Not ru_maxrss, which starts at the parent's."""
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith("VmHWM")).split()[1])


def main():
    work, path, compression, seconds = sys.argv[1:5]
    report = {"tensorflow": tf.__version__}
    if work in ("write", "shards"):
        writing = write if work == "write" else write_shards
        target, target_type, level = sys.argv[5:8]
        records = list(iterate(path, compression))

        def prepare():
            remove(target)

        count, times = timed(
            lambda: writing(records, target, target_type, int(level) if level else None),
            float(seconds),
            prepare,
        )
        report["fileBytes"] = size_of(target)
        remove(target)
    else:
        read = {"batch": read_batch, "eager": read_eager, "iterator": read_iterator}[work]
        count, times = timed(lambda: read(path, compression), float(seconds))
    print(json.dumps({**report, "records": count, "peakKiB": peak_kib(), "seconds": times}))


if __name__ == "__main__":
    main()
