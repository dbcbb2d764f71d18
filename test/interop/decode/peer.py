"""TensorFlow's side of the decoders' interop tests: one request a line on standard
input (JSON), one answer a line on standard output.

    {"op": name of a function below, "cases": [{...}, ...]}
        -> [{"values": ...} or {"error": message}, ...]

Byte strings are hex. A tensor is {"shape", "data"}: hex of the little-endian
values, or for strings the list of their hex.
"""

import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

unhex = bytes.fromhex


def strings(value):
    if isinstance(value, str):
        return tf.constant(unhex(value), tf.string)
    return tf.constant([unhex(element) for element in value], tf.string)


def dtype_of(name):
    return tf.string if name == "bytes" else tf.dtypes.as_dtype(name)


def plain(tensor):
    array = tensor.numpy()
    if tensor.dtype == tf.string:
        # Not np.asarray of a scalar: its type S drops zeros at the end.
        values = array.reshape(-1).tolist() if tensor.shape.rank else [array]
        data = [value.hex() for value in values]
    else:
        # A bool read from bytes may hold any of them.
        array = np.asarray(array)
        if tensor.dtype == tf.bool:
            array = array.view(np.uint8) != 0
        data = np.ascontiguousarray(array).tobytes().hex()
    return {"shape": tensor.shape.as_list(), "data": data}


def decode_csv(case):
    defaults = []
    for column in case["defaults"]:
        dtype, value = dtype_of(column["dtype"]), column.get("default")
        if value is not None and dtype == tf.string:
            value = unhex(value)
        elif value is not None and dtype.is_integer:
            value = int(value)
        defaults.append(tf.constant([] if value is None else [value], dtype))
    columns = tf.io.decode_csv(
        strings(case["records"]),
        defaults,
        field_delim=case["fieldDelim"],
        use_quote_delim=case["useQuoteDelim"],
        na_value=unhex(case["naValue"]),
        select_cols=case.get("selectCols"),
    )
    return [plain(column) for column in columns]


def decode_raw(case):
    return plain(
        tf.io.decode_raw(
            strings(case["input"]),
            dtype_of(case["outType"]),
            little_endian=case["littleEndian"],
            fixed_length=case.get("fixedLength"),
        )
    )


def decode_compressed(case):
    return plain(tf.io.decode_compressed(strings(case["input"]), case["type"]))


def parse_tensor(case):
    return plain(tf.io.parse_tensor(unhex(case["input"]), dtype_of(case["dtype"])))


def serialize_tensor(case):
    dtype, shape = dtype_of(case["dtype"]), case["shape"]
    if dtype == tf.string:
        tensor = tf.reshape(strings(case["data"]), shape)
    else:
        values = np.frombuffer(unhex(case["data"]), dtype.as_numpy_dtype)
        tensor = tf.constant(values.reshape(shape))
    return tf.io.serialize_tensor(tensor).numpy().hex()


def decode_json_example(case):
    return tf.io.decode_json_example(unhex(case["input"])).numpy().hex()


OPERATIONS = [
    decode_csv,
    decode_raw,
    decode_compressed,
    parse_tensor,
    serialize_tensor,
    decode_json_example,
]


def outcome(operation, case):
    try:
        return {"values": operation(case)}
    except (tf.errors.OpError, ValueError, TypeError) as failure:
        return {"error": str(failure)}


def main():
    answers = os.fdopen(os.dup(1), "w")
    # Whatever else prints must not come between the answers.
    os.dup2(2, 1)
    operations = {operation.__name__: operation for operation in OPERATIONS}
    for line in sys.stdin:
        request = json.loads(line)
        operation = operations[request["op"]]
        answer = [outcome(operation, case) for case in request["cases"]]
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    main()
