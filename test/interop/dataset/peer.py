"""TensorFlow's side of the dataset interop tests: one request a line on standard
input (JSON), one answer a line on standard output.

    {"pipelines": [{"lengths": [...] | "range": n, "stages": [[name, ...], ...]}]}
        -> [[element, ...] | {"error": name}, ...]

`lengths`: an interleave is the first stage, over inputs of these lengths; input i
gives 100 * i, 100 * i + 1 ... Elements are integers, or lists of them.
"""

import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402

Dataset = tf.data.Dataset
MOST = 400
MODULUS = 997


def numbers(first, count):
    return Dataset.range(first, first + count)


def interleave(dataset, cycle, block, most):
    return dataset.interleave(
        lambda x: numbers(100 * x, x % most), cycle_length=cycle, block_length=block
    )


def window(dataset, size, shift, stride, drop):
    windows = dataset.window(size, shift, stride, drop_remainder=drop)
    return windows.flat_map(lambda one: one.batch(size))


def zipped(dataset, count):
    pairs = Dataset.zip((dataset, Dataset.range(count)))
    return pairs.map(lambda x, y: (31 * x + y) % MODULUS)


def choose(dataset, count, period):
    choice = Dataset.range(10 * count).map(lambda i: (i // period) % 2)
    return Dataset.choose_from_datasets(
        [dataset, Dataset.range(count)], choice, stop_on_empty_dataset=False
    )


def bucket(dataset, most, low, high, first, second, third, drop):
    return dataset.bucket_by_sequence_length(
        lambda x: tf.cast(x % most, tf.int32),
        [low, high],
        [first, second, third],
        drop_remainder=drop,
    )


def pad(dataset, most, size, drop):
    rows = dataset.map(lambda x: tf.repeat(x, x % most))
    return rows.padded_batch(size, drop_remainder=drop)


STAGES = {
    "bucket": bucket,
    "pad": pad,
    "take": lambda d, n: d.take(n),
    "skip": lambda d, n: d.skip(n),
    "repeat": lambda d, n: d.repeat(n),
    "shard": lambda d, count, index: d.shard(count, index),
    "batch": lambda d, n, drop: d.batch(n, drop_remainder=drop),
    "unbatch": lambda d: d.unbatch(),
    "rebatch": lambda d, n, drop: d.rebatch(n, drop_remainder=drop),
    "window": window,
    "interleave": interleave,
    "zip": zipped,
    "choose": choose,
    "concatenate": lambda d, n: d.concatenate(Dataset.range(n)),
    "enumerate": lambda d: d.enumerate().map(lambda i, x: (31 * x + i) % MODULUS),
    "filter": lambda d, n: d.filter(lambda x: x % n != 0),
    "takeWhile": lambda d, n: d.take_while(lambda x: x % MODULUS < n),
    "flatMap": lambda d, n: d.flat_map(lambda x: numbers(100 * x, x % n)),
}


def source(pipeline):
    if "range" in pipeline:
        return Dataset.range(pipeline["range"])
    lengths = tf.constant(pipeline["lengths"], tf.int64)
    cycle, block = pipeline["interleave"]
    inputs = Dataset.range(len(pipeline["lengths"]))
    return inputs.interleave(
        lambda i: numbers(100 * i, lengths[i]), cycle_length=cycle, block_length=block
    )


def outcome(pipeline):
    dataset = source(pipeline)
    for name, *options in pipeline["stages"]:
        dataset = STAGES[name](dataset, *options)
    try:
        return [x.tolist() for x in dataset.take(MOST).as_numpy_iterator()]
    except tf.errors.OpError as error:
        return {"error": type(error).__name__}


for line in sys.stdin:
    print(json.dumps([outcome(p) for p in json.loads(line)["pipelines"]]), flush=True)
