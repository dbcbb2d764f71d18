"""Runs one trial of TensorFlow's encoding, in a process of its own, and prints
one line of JSON.

    python encode.py WORK FILE TYPE SECONDS EXAMPLE

WORK is messages (SerializeToString of existing tf.train.Examples) or values (an
Example is made from each row of numpy columns and Python lists, and serialized).
EXAMPLE names the features: examples or vectors.
"""

import itertools
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from trial import peak_kib, timed  # noqa: E402

RECORDS = {"examples": 20_480, "vectors": 2_048}
NUMBERS = {"float_list": np.float32, "int64_list": np.int64}
feature = tf.train.Feature
LISTS = {
    "bytes_list": lambda values: feature(bytes_list=tf.train.BytesList(value=values)),
    "float_list": lambda values: feature(float_list=tf.train.FloatList(value=values)),
    "int64_list": lambda values: feature(int64_list=tf.train.Int64List(value=values)),
}


def columns_of(messages):
    """Returns, by name, the feature's constructor and the values of each row."""
    columns = {}
    for name, first in messages[0].features.feature.items():
        kind = first.WhichOneof("kind")
        rows = [getattr(m.features.feature[name], kind).value for m in messages]
        made = [np.array(row, NUMBERS[kind]) if kind in NUMBERS else list(row) for row in rows]
        columns[name] = (LISTS[kind], made)
    return columns


def encode_values(columns, count):
    for i in range(count):
        features = {name: make(rows[i]) for name, (make, rows) in columns.items()}
        tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def main():
    work, path, compression, seconds, example = sys.argv[1:6]
    options = tf.io.TFRecordOptions(compression_type=compression)
    records = tf.compat.v1.io.tf_record_iterator(path, options)
    messages = [
        tf.train.Example.FromString(record)
        for record in itertools.islice(records, RECORDS[example])
    ]
    columns = columns_of(messages)

    def once():
        if work == "messages":
            for message in messages:
                message.SerializeToString()
        else:
            encode_values(columns, len(messages))
        return len(messages)

    count, times = timed(once, float(seconds))
    report = {"tensorflow": tf.__version__, "records": count, "peakKiB": peak_kib()}
    print(json.dumps({**report, "seconds": times}))


if __name__ == "__main__":
    main()
