"""TensorFlow's side of the interop tests: one request a line on standard input
(JSON), one answer a line on standard output.

    {"op": "write", "file", "compression", "options", "flushAfter",
     "records": [[size, kind] or hex, ...]}
                             -> {"records", "sha256", "fileBytes"}
    {"op": "read", "file", "compression", "via": "iterator" | "dataset"}
                             -> {"records", "sha256", "error", "message"}

`sha256` is that of every record's length (8 bytes, little-endian) and data, one
behind the other. Kinds of data: "noise" does not compress, "text" does.
"""

import hashlib
import json
import os
import struct
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402


class Digest:
    def __init__(self):
        self.sha, self.records = hashlib.sha256(), 0

    def add(self, record):
        self.sha.update(struct.pack("<Q", len(record)))
        self.sha.update(record)
        self.records += 1

    def answer(self):
        return {"records": self.records, "sha256": self.sha.hexdigest()}


def noise(size, seed):
    return hashlib.shake_128(struct.pack("<QQ", size, seed)).digest(size)


def text(size, seed):
    line = b"record %d: all work and no play; " % seed
    return (line * (size // len(line) + 1))[:size]


def made(record, number):
    if isinstance(record, str):
        return bytes.fromhex(record)
    size, kind = record
    return {"noise": noise, "text": text}[kind](size, number)


def write(request):
    options = tf.io.TFRecordOptions(
        compression_type=request["compression"], **request.get("options", {})
    )
    digest = Digest()
    flush_after = request.get("flushAfter")
    with tf.io.TFRecordWriter(request["file"], options) as writer:
        for number, record in enumerate(request["records"]):
            record = made(record, number)
            writer.write(record)
            digest.add(record)
            if flush_after and (number + 1) % flush_after == 0:
                writer.flush()
    return {**digest.answer(), "fileBytes": os.path.getsize(request["file"])}


def iterator(path, compression):
    options = tf.io.TFRecordOptions(compression_type=compression)
    return tf.compat.v1.io.tf_record_iterator(path, options)


def dataset(path, compression):
    for batch in tf.data.TFRecordDataset(path, compression).batch(64):
        yield from batch.numpy()


def read(request):
    via = {"iterator": iterator, "dataset": dataset}[request.get("via", "iterator")]
    digest, error, message = Digest(), None, None
    try:
        for record in via(request["file"], request["compression"]):
            digest.add(record)
    except tf.errors.OpError as failure:
        error, message = type(failure).__name__, failure.message
    return {**digest.answer(), "error": error, "message": message}


def main():
    answers = os.fdopen(os.dup(1), "w")
    # Whatever else prints must not come between the answers.
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"write": write, "read": read}[request["op"]](request)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    main()
