"""TensorFlow's side of the parsing interop tests: one request a line on standard
input (JSON), one answer a line on standard output.

    {"cases": [{"form": "example" | "sequence", "single", "spec", "records",
                "canonical", "plain"}, ...]}
        -> [{"raw": outcome, "canonical": outcome or None}, ...]

`spec` has the form of specToJSON, for sequences {"context", "sequence"}; records
are hex. An outcome is {"values": {name: value}}, {"error": message}, or
{"surprise": message} for what no error of TensorFlow is. With `canonical` the
records are parsed a second time as the protobuf library reads and writes them,
or, where they are given, the `plain` records in their place.

Values: {"shape", "data"}, {"indices", "values", "shape"}, {"splits", "values"};
data is hex of the little-endian values, for strings the list of their hex.
"""

import base64
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from google.protobuf.message import DecodeError  # noqa: E402

PARTITIONS = {
    "rowSplits": tf.io.RaggedFeature.RowSplits,
    "rowLengths": tf.io.RaggedFeature.RowLengths,
    "rowStarts": tf.io.RaggedFeature.RowStarts,
    "rowLimits": tf.io.RaggedFeature.RowLimits,
    "valueRowIds": tf.io.RaggedFeature.ValueRowIds,
}


def dtype_of(feature):
    name = feature["dtype"]
    return tf.string if name == "bytes" else tf.dtypes.as_dtype(name)


def literal(dtype, value):
    if isinstance(value, list):
        return [literal(dtype, element) for element in value]
    if dtype == tf.int64:
        return int(value) if isinstance(value, str) else value
    if dtype == tf.string:
        if isinstance(value, dict):
            return base64.b64decode(value["base64"])
        return value.encode()
    return float(value)


def default_of(feature):
    if "default" not in feature:
        return None
    value = literal(dtype_of(feature), feature["default"])
    # TensorFlow keeps tensors of Python's scalars, one for 0.0 and -0.0.
    return np.array(value, np.float32) if feature["dtype"] == "float32" else value


def partition_of(partition):
    if partition["by"] == "uniformRowLength":
        return tf.io.RaggedFeature.UniformRowLength(partition["length"])
    return PARTITIONS[partition["by"]](partition["key"])


def feature_of(feature):
    dtype, kind = dtype_of(feature), feature["type"]
    if kind == "fixedLen":
        return tf.io.FixedLenFeature(feature["shape"], dtype, default_of(feature))
    if kind == "varLen":
        return tf.io.VarLenFeature(dtype)
    if kind == "fixedLenSequence":
        return tf.io.FixedLenSequenceFeature(
            feature["shape"],
            dtype,
            feature.get("allowMissing", False),
            default_of(feature),
        )
    if kind == "sparse":
        return tf.io.SparseFeature(
            feature["indexKey"],
            feature["valueKey"],
            dtype,
            feature["size"],
            feature.get("alreadySorted", False),
        )
    return tf.io.RaggedFeature(
        dtype,
        feature.get("valueKey"),
        [partition_of(partition) for partition in feature.get("partitions", [])],
        tf.dtypes.as_dtype(feature.get("rowSplitsDtype", "int32")),
        feature.get("validate", False),
    )


def features_of(spec):
    return {name: feature_of(feature) for name, feature in spec.items()} or None


def dense(tensor):
    array = tensor.numpy()
    if tensor.dtype == tf.string:
        # Not np.asarray of a scalar: its type S drops zeros at the end.
        values = array.reshape(-1).tolist() if tensor.shape.rank else [array]
        data = [value.hex() for value in values]
    else:
        data = np.ascontiguousarray(array).tobytes().hex()
    return {"shape": tensor.shape.as_list(), "data": data}


def plain(value):
    if isinstance(value, tf.SparseTensor):
        return {
            "indices": dense(value.indices)["data"],
            "values": dense(value.values)["data"],
            "shape": value.dense_shape.numpy().tolist(),
        }
    if isinstance(value, tf.RaggedTensor):
        return {
            "splits": [
                [splits.dtype.name, splits.numpy().tolist()]
                for splits in value.nested_row_splits
            ],
            "values": dense(value.flat_values),
        }
    return dense(value)


def parse(case, records):
    spec, single = case["spec"], case["single"]
    if case["form"] == "example":
        parser = tf.io.parse_single_example if single else tf.io.parse_example
        parts = {"": parser(records, features_of(spec))}
    else:
        parser = (
            tf.io.parse_single_sequence_example
            if single
            else tf.io.parse_sequence_example
        )
        found = parser(
            records, features_of(spec["context"]), features_of(spec["sequence"])
        )
        parts = dict(zip(("context", "sequence", "lengths"), found))
    return {
        f"{part}.{name}": plain(value)
        for part, values in parts.items()
        for name, value in values.items()
    }


def outcome(case, records):
    try:
        given = records[0] if case["single"] else tf.constant(records, tf.string)
        return {"values": parse(case, given)}
    except (tf.errors.OpError, ValueError, TypeError) as failure:
        return {"error": str(failure)[:500]}
    except Exception as failure:  # pylint: disable=broad-except
        return {"surprise": f"{type(failure).__name__}: {failure}"[:500]}


def canonical(case, records):
    message = {"example": tf.train.Example, "sequence": tf.train.SequenceExample}
    written = []
    for record in records:
        try:
            read = message[case["form"]].FromString(record)
        except DecodeError as failure:
            return {"error": f"protobuf: {failure}"}
        read.DiscardUnknownFields()
        written.append(read.SerializeToString(deterministic=True))
    return outcome(case, written)


def answer(case):
    records = [bytes.fromhex(record) for record in case["records"]]
    second = None
    if "plain" in case:
        second = outcome(case, [bytes.fromhex(record) for record in case["plain"]])
    elif case["canonical"]:
        second = canonical(case, records)
    return {"raw": outcome(case, records), "canonical": second}


def main():
    answers = os.fdopen(os.dup(1), "w")
    # Whatever else prints must not come between the answers.
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps([answer(case) for case in json.loads(line)["cases"]]))
        answers.write("\n")
        answers.flush()


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    main()
