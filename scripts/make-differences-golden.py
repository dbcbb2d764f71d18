"""Writes test/golden/differences.json: TensorFlow's outcomes where ours differ.

    "$(scripts/tensorflow-venv.sh)" scripts/make-differences-golden.py

One case per line: {"row", "op", ... input, "out", "error" | "crash" | "hangs"}. `row` is
the id of a row of docs/from-tensorflow.md, section "Where we differ", which shows the
first case of that id; test/integration/docs/where-we-differ.test.ts compares all three.
`out` has the values, also those before an error, in a form for people: bytes are text.
Each case runs in a process that may crash, for at most HANG_SECONDS.
"""

import gzip
import importlib.util
import json
import os
import pathlib
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "test" / "golden"
HANG_SECONDS = 20

spec = importlib.util.spec_from_file_location("decoders", HERE / "make-decoder-golden.py")
decoders = importlib.util.module_from_spec(spec)
spec.loader.exec_module(decoders)
varint, field, h = decoders.varint, decoders.field, decoders.h

# ---- bytes


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def header(length):
    data = struct.pack("<Q", length)
    return data + masked(data)


def record(data):
    return header(len(data)) + data + masked(data)


A, B = record(b"foo"), record(b"defgh")
DAMAGED = A[:13] + b"X" + A[14:]


def gz(data):
    return gzip.compress(data, mtime=0)


def entry(key, *feature):
    return field(1, field(1, key) + field(2, b"".join(feature)))


def example(*entries):
    return field(1, b"".join(entries))


def ints(*values):
    return field(3, field(1, b"".join(varint(value) for value in values)))


def floats(*values):
    return field(2, field(1, struct.pack("<%df" % len(values), *values)))


def texts(*values):
    return field(1, b"".join(field(1, value) for value in values))


# ---- cases


def read(row, data, compression="", **rest):
    return {"row": row, "op": "read", "in": h(data), "compression": compression, **rest}


def parse(row, records, features, **rest):
    records = records if isinstance(records, list) else [records]
    return {"row": row, "op": "parse", "in": [h(one) for one in records], "spec": features, **rest}


def json_value(row, kind, value):
    return {"row": row, "op": "decode_json_example", "in": h(decoders.json_text(kind, value))}


VAR = {"a": {"type": "varLen", "dtype": "int64"}}
VAR_FLOAT = {"a": {"type": "varLen", "dtype": "float32"}}
FIX = {"a": {"type": "fixedLen", "dtype": "int64", "shape": []}}


def record_cases():
    both = A + B
    yield read("cut-header", A + B[:5])
    yield read("cut-header", A + bytes(11))
    yield read("short-file", b"hello")
    yield read("cut-stream", gz(both)[:-8], "GZIP")
    yield read("cut-stream", zlib.compress(both)[:-4], "ZLIB")
    yield read("cut-stream", gz(A)[:5], "GZIP")
    yield read("empty-member", gz(A) + gz(b"") + gz(B), "GZIP")
    yield read("empty-member", gz(b"") + gz(A), "GZIP")
    yield read("joined-zlib", zlib.compress(A) + zlib.compress(B), "ZLIB")
    yield read("trailing", zlib.compress(A) + b"xyz", "ZLIB")
    yield read("trailing", gz(A) + b"x", "GZIP")
    yield read("compression-found", gz(both))
    yield read("compression-found", zlib.compress(both))
    yield read("compression-name", both, "BZ2")
    yield read("compression-name", both, "gzip")
    yield {"row": "snappy", "op": "read", "in": "000000242804030009012cb099490e666f6f618abefe0509123400eab2043e64656667688055627d", "compression": "SNAPPY"}
    yield read("huge-length", A + header(2**40) + b"data")
    yield {"row": "skip-damage", "op": "ignore", "in": h(DAMAGED + B)}
    yield {"row": "skip-missing", "op": "ignore", "in": None}
    yield {"row": "skip-checks", "op": "skip", "in": h(DAMAGED + B)}
    yield {"row": "text-cr", "op": "text", "in": h("a\rb\r\nc\n"), "compression": ""}
    yield {"row": "text-cut", "op": "text", "in": h(gz(b"one\ntwo\nthree\n")[:-8]), "compression": "GZIP"}
    yield {"row": "no-match", "op": "files", "names": ["a.txt"], "pattern": "*.tfrecord"}
    yield {"row": "leftovers", "op": "files", "names": [".b.412-0123456789ab.tmp", ".c"], "pattern": ".*"}
    yield {"row": "leading-dot", "op": "files", "names": ["._b", ".b.crc", "b"], "pattern": "*"}
    yield {"row": "folders", "op": "files", "names": ["a/", "b"], "pattern": "*"}
    yield {"row": "two-stars", "op": "files", "names": ["a/b/c", "d"], "pattern": "**"}
    for name in ("writer-left", "writer-full", "shuffle-order", "minus-one", "old-cache", "float-range", "after-error"):
        yield {"row": name, "op": name}


def parse_cases():
    one = entry(b"a", ints(1))
    good = example(one)
    # The Features message claims more than there is.
    yield parse("clipped", b"\x0a" + varint(len(good) + 3) + good[2:], VAR)
    yield parse("clipped", example(b"\x0a" + varint(40) + one[2:]), VAR)
    yield parse("short-list", example(entry(b"a", b"\x1a\x04" + b"\x0a\x01\x01\x02")), VAR)
    yield parse("two-kinds", example(entry(b"a", ints(1), texts(b"x"))), VAR)
    yield parse("two-kinds", example(entry(b"a", floats(1), ints(2))), VAR_FLOAT)
    yield parse("kind-twice", example(entry(b"a", ints(1), ints(2))), VAR)
    yield parse("chunks", example(entry(b"a", field(3, field(1, b"\1") + field(1, b"\2")))), VAR)
    yield parse("chunks", example(entry(b"a", field(3, field(1, b"\1") + b"\x08\x02"))), VAR)
    yield parse("mixed-chunks", example(entry(b"a", field(3, b"\x08\x01" + field(1, b"\2")))), VAR)
    yield parse("bare-entry", example(field(1, field(1, b"b")), one), VAR)
    yield parse("bare-entry", example(field(1, b""), one), VAR)
    yield parse("bare-entry", example(field(1, field(2, ints(1))), one), VAR)
    yield parse("bare-entry", example(field(1, field(1, b"b") + field(1, b"a") + field(2, ints(5)))), VAR)
    yield parse("unknown-inside", example(b"\x10\x01", one), VAR)
    yield parse("unknown-inside", example(field(1, field(1, b"a") + field(2, ints(1)) + b"\x18\x01")), VAR)
    yield parse("unknown-inside", example(entry(b"a", b"\x20\x01", ints(1))), VAR)
    yield parse("unknown-inside", example(entry(b"a", field(3, b"\x10\x05" + field(1, b"\1")))), VAR)
    yield parse("unknown-group", good + b"\x1b\x08\x01\x1c", VAR)
    yield parse("no-field", good + b"\x00\x01", VAR)
    yield parse("no-field", good + b"\x1a\x7f", VAR)
    yield parse("cut-floats", example(entry(b"a", field(2, field(1, struct.pack("<f", 1.5) + b"\1")))), VAR_FLOAT)
    yield parse("kindless-last", example(one, entry(b"a")), FIX)
    # Other messages: a field that no Example has, the context of TF-Ranking's list, and TensorFlow Serving's log of a call.
    yield parse("other-type", field(3, b"value"), VAR)
    yield parse("other-type", field(2, example(entry(b"title", texts(b"hats")))), VAR)
    yield parse("other-type", field(6, field(1, field(1, field(1, b"ranker")))), VAR)
    sparse = {"s": {"type": "sparse", "dtype": "int64", "indexKey": "i", "valueKey": "v", "size": 10}}
    two_and_one = [example(entry(b"i", ints(1, 2)), entry(b"v", ints(5))), example(entry(b"i", ints(3)), entry(b"v", ints(6, 7)))]
    yield parse("parts-of-a-batch", two_and_one, sparse)
    yield parse("sparse-outside", example(entry(b"i", ints(12)), entry(b"v", ints(5))), sparse)
    ragged = {"r": {"type": "ragged", "dtype": "int64", "valueKey": "v", "partitions": [{"by": "rowSplits", "key": "p"}]}}
    yield parse("ragged-partitions", example(entry(b"v", ints(1, 2)), entry(b"p", ints(0, 1))), ragged)
    checked = {"r": {**ragged["r"], "validate": True}}
    yield parse("missing-splits", example(), checked, single=True)
    ids = {"r": {**ragged["r"], "partitions": [{"by": "valueRowIds", "key": "p"}]}}
    yield parse("row-ids", example(entry(b"v", ints(1)), entry(b"p", ints(2**26 + 1))), ids, rowsOnly=True)
    steps = field(2, field(1, field(2, field(1, ints(1))) + field(1, b"s")))
    lists = {"context": {}, "sequence": {"s": {"type": "varLen", "dtype": "int64"}}}
    yield parse("value-first", steps, lists)
    long_tag = b"\x8a\x80\x80\x80\x80\x00"
    yield parse("long-tags", long_tag + good[1:], VAR)
    yield parse("long-tags", b"\x0a" + bytes([good[1] | 0x80, 0x80, 0x80, 0x80, 0x80, 0]) + good[2:], VAR)
    required = {"context": {"c": {"type": "fixedLen", "dtype": "int64", "shape": []}}, "sequence": {}}
    yield parse("empty-batch", [], required)
    loose = example(entry(b"a", field(2, (b"\x0d" + struct.pack("<f", 1)) * 200_000)))
    yield {**parse("crashes", [], {"a": {"type": "fixedLen", "dtype": "float32", "shape": [2]}}), "looseFloats": 200_000}
    yield parse("crashes", example(entry(b"a", field(1, b"\x0a" + varint(0xFFFFFFFF) + b"\1"))), {"a": {"type": "varLen", "dtype": "bytes"}})
    zero = {"a": {"type": "fixedLenSequence", "dtype": "float32", "shape": [2, 0], "allowMissing": True}}
    yield parse("zero-step", example(entry(b"a", floats(1))), zero)
    assert len(loose) > 10**6


def decoder_cases():
    frame = "28b52ffd201081000030313233343536373839616263646566"
    compressed = lambda row, data, kind: {"row": row, "op": "decode_compressed", "in": data if isinstance(data, str) else h(data), "type": kind}
    yield compressed("inflate-cut", gz(b"all work")[:-8], "GZIP")
    yield compressed("inflate-cut", "", "ZLIB")
    yield compressed("inflate-trailing", zlib.compress(b"a") + b"xyz", "ZLIB")
    yield compressed("inflate-empty-member", gz(b"a") + gz(b"") + gz(b"b"), "GZIP")
    yield compressed("inflate-zlib-joined", zlib.compress(b"a") + zlib.compress(b"b"), "ZLIB")
    yield compressed("zstd-frames", frame + frame, "ZSTD")
    yield compressed("zstd-frames", "28b52ffd005829000068656c6c6f", "ZSTD")
    yield compressed("no-zstd", frame, "ZSTD")
    yield {"row": "nan-text", "op": "decode_csv", "in": [h("-nan")], "defaults": [{"dtype": "float32"}], "bits": True}
    yield json_value("json-digits", "int64List", "9007199254740993.0")
    yield json_value("json-infinite", "floatList", '"1e400"')
    yield json_value("json-numbers", "floatList", '"0x1p3"')
    yield json_value("json-numbers", "int64List", '"0x10"')
    yield json_value("json-numbers", "floatList", '" 1"')
    yield json_value("json-subnormal", "floatList", "1e-45")
    yield json_value("json-null", "int64List", "1,null")
    yield json_value("json-lists", "int64List", "[1],[2]")
    yield {"row": "json-packed", "op": "json_bytes", "in": h(decoders.json_text("int64List", "1,2"))}
    yield {"row": "json-lax", "op": "decode_json_example", "in": h("{features:{'feature':{a:{int64List:{value:[1,]}}}}}")}
    yield {"row": "json-lax", "op": "decode_json_example", "in": h('{"features":{},"features":{"feature":{"a":{"int64List":{"value":[1]}}}}}')}
    for raw in ("\0", "\n", "\x1f", "\\'", "\\U0001f600"):
        text = '{"features":{"feature":{"a%s":{"int64List":{"value":[1]}}}}}' % raw
        yield {"row": "json-lax", "op": "decode_json_example", "in": h(text)}
    shape = decoders.dims([0, 2**63 - 1])
    yield {"row": "tensor-dimension", "op": "parse_tensor", "in": h(b"\x08\x01" + shape), "dtype": "float32", "shapeOnly": True}
    fill = b"\x08\x01" + decoders.dims([2**25]) + field(5, struct.pack("<f", 1.5))
    yield {"row": "tensor-fill", "op": "parse_tensor", "in": h(fill), "dtype": "float32", "shapeOnly": True}


CASES = [record_cases, parse_cases, decoder_cases]

# ---- TensorFlow's side


def operations(folder):
    import tensorflow as tf

    sys.path.insert(0, str(HERE.parent / "test" / "interop" / "parse"))
    import peer as parse_peer

    Dataset = tf.data.Dataset

    def text(value):
        return value.decode() if isinstance(value, bytes) else value

    def plain(value):
        if isinstance(value, tf.SparseTensor):
            value = value.values
        if isinstance(value, tf.RaggedTensor):
            return [plain_list(one) for one in value.to_list()]
        return plain_list(value.numpy().tolist() if hasattr(value, "numpy") and hasattr(value.numpy(), "tolist") else value.numpy())

    def plain_list(value):
        return [plain_list(one) for one in value] if isinstance(value, list) else text(value)

    def file_of(case):
        path = os.path.join(folder, "file")
        if case["in"] is not None:
            pathlib.Path(path).write_bytes(bytes.fromhex(case["in"]))
        return path

    def collect(dataset):
        found = []
        try:
            for element in dataset:
                found.append(plain(element))
        except tf.errors.OpError as failure:
            return {"out": found, "error": type(failure).__name__}
        return {"out": found}

    def parse(case):
        records = [bytes.fromhex(one) for one in case["in"]]
        if "looseFloats" in case:
            values = (b"\x0d" + struct.pack("<f", 1)) * case["looseFloats"]
            records = [example(entry(b"a", field(2, values)))]
        given, features = tf.constant(records, tf.string, shape=[len(records)]), case["spec"]
        if "sequence" in features:
            context, lists, _ = tf.io.parse_sequence_example(
                given, parse_peer.features_of(features["context"]), parse_peer.features_of(features["sequence"]))
            return {"out": {name: plain(value) for name, value in {**context, **lists}.items()}}
        if case.get("single"):
            parsed = tf.io.parse_single_example(records[0], parse_peer.features_of(features))
        else:
            parsed = tf.io.parse_example(given, parse_peer.features_of(features))
        if case.get("rowsOnly"):
            return {"out": {name: int(value.nested_row_splits[1].shape[0]) - 1 for name, value in parsed.items()}}
        return {"out": {name: plain(value) for name, value in parsed.items()}}

    def json_example(case):
        made = tf.train.Example.FromString(tf.io.decode_json_example(bytes.fromhex(case["in"])).numpy())
        out = {}
        for name, feature in made.features.feature.items():
            values = getattr(feature, feature.WhichOneof("kind")).value
            out[name] = [text(value) if abs(value) != float("inf") else str(value) for value in values]
        return {"out": out}

    def files(case):
        for name in case["names"]:
            target = pathlib.Path(folder, name)
            (target if name.endswith("/") else target.parent).mkdir(parents=True, exist_ok=True)
            if not name.endswith("/"):
                target.write_bytes(b"")
        found = tf.io.matching_files(os.path.join(folder, case["pattern"])).numpy().tolist()
        return {"out": [os.path.relpath(name.decode(), folder) for name in found]}

    def writer_left(_):
        path = os.path.join(folder, "half.tfrecord")
        try:
            with tf.io.TFRecordWriter(path) as writer:
                writer.write(b"foo")
                raise KeyError
        except KeyError:
            pass
        return {"out": ["half.tfrecord"] if os.path.exists(path) else []}

    def writer_full(_):
        writer = tf.io.TFRecordWriter("/dev/full")
        writer.write(b"foo")
        try:
            writer.flush()
        except tf.errors.OpError:
            pass
        writer.close()
        return {"out": "closed"}

    def old_cache(_):
        path = os.path.join(folder, "cache")
        list(Dataset.range(2).cache(path))
        return collect(Dataset.range(3).cache(path))

    def float_range(_):
        value = tf.train.FloatList(value=[1e39]).value[0]
        return {"out": [str(value)]}

    def after_error(_):
        paths = [os.path.join(folder, name) for name in "ab"]
        for path, data in zip(paths, (DAMAGED, B)):
            pathlib.Path(path).write_bytes(data)
        elements, out = iter(tf.data.TFRecordDataset(paths)), []
        for _ in range(3):
            try:
                out.append(plain(next(elements)))
            except tf.errors.OpError:
                out.append("an error")
            except StopIteration:
                break
        return {"out": out}

    def decoder(name):
        run = decoders.operations()[name]

        def told(case):
            if case.get("shapeOnly"):
                return {"out": [str(size) for size in tf.io.parse_tensor(bytes.fromhex(case["in"]), tf.float32).shape]}
            found = run(case)
            if case.get("bits"):
                return {"out": found[0]["data"]}
            return {"out": text(bytes.fromhex(found["data"][0]))}

        return told

    return {
        "read": lambda case: collect(tf.data.TFRecordDataset(file_of(case), case["compression"])),
        "ignore": lambda case: collect(tf.data.TFRecordDataset(file_of(case)).ignore_errors()),
        "skip": lambda case: collect(tf.data.TFRecordDataset(file_of(case)).skip(1)),
        "text": lambda case: collect(tf.data.TextLineDataset(file_of(case), case["compression"])),
        "files": files,
        "parse": parse,
        "decode_json_example": json_example,
        "decode_compressed": decoder("decode_compressed"),
        "decode_csv": decoder("decode_csv"),
        "parse_tensor": decoder("parse_tensor"),
        "writer-left": writer_left,
        "writer-full": writer_full,
        "shuffle-order": lambda _: collect(Dataset.range(6).shuffle(6, seed=1, reshuffle_each_iteration=False)),
        "minus-one": lambda _: collect(Dataset.range(3).take(-1)),
        "old-cache": old_cache,
        "float-range": float_range,
        "after-error": after_error,
        "json_bytes": lambda case: {"out": tf.io.decode_json_example(bytes.fromhex(case["in"])).numpy().hex()},
    }


def work():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    answers = os.fdopen(os.dup(1), "w")
    # Other output must not come between the answers.
    os.dup2(2, 1)
    folder = tempfile.mkdtemp()
    known = operations(folder)
    answers.write("ready\n")
    answers.flush()
    for line in sys.stdin:
        case = json.loads(line)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        try:
            answer = known[case["op"]](case)
        except Exception as failure:  # pylint: disable=broad-except
            answer = {"error": type(failure).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    shutil.rmtree(folder, ignore_errors=True)


class Worker:
    """Runs TensorFlow in a process that is started again after a crash, and ended if it hangs."""

    def __init__(self):
        self.process = None

    def ask(self, case):
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, __file__, "--work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.process.stdout.readline()
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], HANG_SECONDS)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        if not ready:
            self.process.kill()
        self.process.wait()
        # The signal that ends it differs from run to run.
        self.process = None
        return {"crash": True} if ready else {"hangs": True}


def main():
    worker = Worker()
    lines = [
        json.dumps({**case, **worker.ask(case)}, separators=(",", ":"), ensure_ascii=False)
        for cases in CASES
        for case in cases()
    ]
    (GOLDEN / "differences.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(len(lines), "cases")


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--work"] else main()
