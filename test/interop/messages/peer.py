"""TensorFlow's side of the tests of messages: one request a line on standard
input (JSON), one answer a line on standard output.

    {"op": "decode", "type": "Example" | "SequenceExample", "records": [hex, ...]}
        -> what protobuf parses of each, or null when it refuses; {"dropped": true}
           when it dropped an entry of a map for an unknown field inside
    {"op": "parse", "kinds": {name: "int64" | "float" | "bytes"}, "records": [hex, ...]}
        -> {name: [values of each record, ...]}, by tf.io.parse_example
    {"op": "json", "texts": [text, ...]}
        -> hex of what decode_json_example makes of each, or null
    {"op": "forms", "type", "records": [{"bytes", "json", "text"}, ...]}
        -> whether JSON and text give the message of the bytes, and protobuf's own
           JSON and text of it; for what it refuses, why:
           [{"json": bool or str, "text": bool or str, "theirs": {"json", "text"}}, ...]
    {"op": "features", "python": what toPython() prints, "files": [path, ...]}
        -> {"records": how many records TensorFlow parses by it}

Values: int64 as strings of digits, floats as the number of their 32 bits, bytes
in hex.
"""

import json
import os
import struct
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402
from google.protobuf import json_format, text_format  # noqa: E402
from google.protobuf.message import DecodeError  # noqa: E402
from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: E402
from tensorflow.core.util import event_pb2  # noqa: E402

TYPES = {
    "Example": tf.train.Example,
    "SequenceExample": tf.train.SequenceExample,
    "Event": event_pb2.Event,
}
DTYPES = {"int64": tf.int64, "float": tf.float32, "bytes": tf.string}


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


PLAIN = {"int64": str, "float": bits, "bytes": lambda value: value.hex()}


def feature(message):
    kind = message.WhichOneof("kind")
    if kind is None:
        return None
    kind = kind.removesuffix("_list")
    values = getattr(message, kind + "_list").value
    return {"kind": kind, "values": [PLAIN[kind](value) for value in values]}


def features(message):
    return {name: feature(value) for name, value in message.feature.items()}


def maps(message):
    if isinstance(message, tf.train.Example):
        return [message.features]
    return [message.context, message.feature_lists]


def dropped(message):
    return any(
        field.field_number == 1 and field.wire_type == 2
        for field in UnknownFieldSet(message)
    )


def decode(request):
    answers = []
    for record in request["records"]:
        try:
            message = TYPES[request["type"]].FromString(bytes.fromhex(record))
        except DecodeError:
            answers.append(None)
            continue
        if any(map(dropped, maps(message))):
            answers.append({"dropped": True})
        elif request["type"] == "Example":
            answers.append({"features": features(message.features)})
        else:
            lists = message.feature_lists.feature_list.items()
            answers.append(
                {
                    "context": features(message.context),
                    "featureLists": {
                        name: [feature(step) for step in steps.feature]
                        for name, steps in lists
                    },
                }
            )
    return answers


def parse(request):
    spec = {
        name: tf.io.VarLenFeature(DTYPES[kind])
        for name, kind in request["kinds"].items()
    }
    records = [bytes.fromhex(record) for record in request["records"]]
    batch = tf.io.parse_example(tf.constant(records, shape=[len(records)]), spec)
    answer = {}
    for name, kind in request["kinds"].items():
        rows = [[] for _ in records]
        values = batch[name].values.numpy()
        for (row, _), value in zip(batch[name].indices.numpy(), values):
            rows[row].append(PLAIN[kind](value))
        answer[name] = rows
    return answer


def from_json(request):
    answers = []
    for text in request["texts"]:
        try:
            answers.append(tf.io.decode_json_example(text).numpy().hex())
        except tf.errors.InvalidArgumentError:
            answers.append(None)
    return answers


def forms(request):
    kind = TYPES[request["type"]]
    answers = []
    for record in request["records"]:
        message = kind.FromString(bytes.fromhex(record["bytes"]))
        # Bytes are compared, because NaN is not equal to itself.
        wanted = message.SerializeToString(deterministic=True)
        same = {}
        for form, parse in (("json", json_format.Parse), ("text", text_format.Parse)):
            try:
                parsed = parse(record[form], kind())
            except (json_format.ParseError, text_format.ParseError) as error:
                same[form] = str(error)
            else:
                same[form] = parsed.SerializeToString(deterministic=True) == wanted
        theirs = {
            "json": json_format.MessageToJson(message, indent=None),
            "text": text_format.MessageToString(message),
        }
        answers.append({**same, "theirs": theirs})
    return answers


def stored(path):
    with open(path, "rb") as file:
        start = file.read(2)
    return {b"\x1f\x8b": "GZIP", b"\x78\x9c": "ZLIB"}.get(start, "")


def by_features(request):
    names = {}
    exec(request["python"], names)
    records = 0
    for path in request["files"]:
        for batch in tf.data.TFRecordDataset(path, stored(path)).batch(256):
            if "features" in names:
                tf.io.parse_example(batch, names["features"])
            else:
                tf.io.parse_sequence_example(
                    batch, names["context_features"], names["sequence_features"]
                )
            records += int(batch.shape[0])
    return {"records": records}


OPERATIONS = {
    "decode": decode,
    "parse": parse,
    "json": from_json,
    "forms": forms,
    "features": by_features,
}


def main():
    answers = os.fdopen(os.dup(1), "w")
    # Whatever else prints must not come between the answers.
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(OPERATIONS[request["op"]](request)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
