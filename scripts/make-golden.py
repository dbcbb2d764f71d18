"""Writes test/golden: TFRecord files by TensorFlow's own writer, and golden.json.

`contents` has small files, each content in each compression; `large` has records
around the sizes of buffers; `options` has one content by different writer options.

    "$(scripts/tensorflow-venv.sh)" scripts/make-golden.py

Contents come from fixed formulas, so every run with the same TensorFlow writes
the same bytes. golden.json says how each file was written, and lists its records
in order. A record is described by its size, its SHA-256 and, up to 64 bytes, its
hex. `repeat` is the number of equal records in a row.
"""

import hashlib
import json
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf  # noqa: E402

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "test" / "golden"
SUFFIX = {"": "", "GZIP": ".gz", "ZLIB": ".zlib"}
HEX_LIMIT = 64
SIZE_LIMIT = 300_000


def noise(size, seed):
    """Returns `size` bytes that do not compress."""
    blocks = (size + 31) // 32
    stream = b"".join(
        hashlib.sha256(b"%d/%d" % (seed, block)).digest() for block in range(blocks)
    )
    return stream[:size]


def pattern(size):
    """Returns `size` bytes that compress well, by the formula of the CRC vectors."""
    period = bytes((7 * i + 3) & 255 for i in range(256))
    return (period * (size // 256 + 1))[:size]


def contents():
    """Returns the records of each file, by name."""
    small = [b"foo", b"bar", b"", b"xxxx", "grüße".encode()]
    return {
        "none": [],
        "foo-bar": [b"foo", b"bar"],
        "five": small,
        "one-empty": [b""],
        "many-empty": [b""] * 500,
        "edges": [noise(size, size) for size in (0, 1, 7, 8, 11, 12, 13, 15, 16, 63, 64, 65, 255, 1023, 4096)],
        "many-small": [b"%d." % i for i in range(100)],
    }


def large_contents():
    """Returns the records of files that are written only compressed."""
    return {
        "around-64k": [pattern(65536 + d) for d in (-17, -16, -12, -1, 0, 1, 12)],
        "around-256k": [pattern(262144 + d) for d in (-17, -1, 0, 1)],
        "around-1m": [pattern(1048576 + d) for d in (-17, -16, -1, 0, 1)],
        "five-mib": [pattern(5 << 20), b"behind"],
    }


def variants():
    """Writes files with options that change the layout of the compressed stream."""
    return {
        "level-0": ("GZIP", {"compression_level": 0}),
        "level-1": ("GZIP", {"compression_level": 1}),
        "level-9": ("GZIP", {"compression_level": 9}),
        "zlib-level-0": ("ZLIB", {"compression_level": 0}),
        "zlib-window-9": ("ZLIB", {"window_bits": 9}),
        "zlib-window-12": ("ZLIB", {"window_bits": 12}),
        "mem-level-1": ("GZIP", {"mem_level": 1}),
        "filtered": ("GZIP", {"compression_strategy": 1}),
        "huffman-only": ("GZIP", {"compression_strategy": 2}),
        "run-length": ("GZIP", {"compression_strategy": 3}),
        "fixed-codes": ("ZLIB", {"compression_strategy": 4}),
        "small-buffers": ("GZIP", {"input_buffer_size": 16, "output_buffer_size": 16}),
    }


def write(folder, name, contents_name, records, compression="", flush_after=None, **options):
    path = GOLDEN / folder / f"{name}.tfrecord{SUFFIX[compression]}"
    writer_options = tf.io.TFRecordOptions(compression_type=compression, **options)
    with tf.io.TFRecordWriter(str(path), writer_options) as writer:
        for number, record in enumerate(records):
            writer.write(record)
            if flush_after is not None and number % flush_after == 0:
                writer.flush()
    if flush_after is not None:
        options["flush_after"] = flush_after
    return entry(path, [contents_name], compression, options)


def concatenated(name, parts, compression):
    """Writes files that are several files of TensorFlow's writer, joined."""
    suffix = SUFFIX[compression]
    folder = GOLDEN / "contents"
    path = folder / f"{name}.tfrecord{suffix}"
    path.write_bytes(
        b"".join((folder / f"{part}.tfrecord{suffix}").read_bytes() for part in parts)
    )
    return entry(path, parts, compression, {"concatenated": True})


def entry(path, contents_names, compression, options):
    return {
        "file": path.relative_to(GOLDEN).as_posix(),
        "compression": {"": "none", "GZIP": "gzip", "ZLIB": "zlib"}[compression],
        "fileBytes": path.stat().st_size,
        "contents": contents_names,
        "options": options,
    }


def describe(records):
    listed = []
    for record in records:
        item = {"bytes": len(record), "sha256": hashlib.sha256(record).hexdigest()}
        if len(record) <= HEX_LIMIT:
            item["hex"] = record.hex()
        if listed and listed[-1]["sha256"] == item["sha256"]:
            listed[-1]["repeat"] = listed[-1].get("repeat", 1) + 1
        else:
            listed.append(item)
    return listed


def main():
    for folder in ("contents", "large", "options"):
        (GOLDEN / folder).mkdir(parents=True, exist_ok=True)
        for old in (GOLDEN / folder).glob("*.tfrecord*"):
            old.unlink()
    small, large = contents(), large_contents()
    mixed = [noise(300, 1), pattern(5000), b"", b"text " * 400, noise(1, 2)]
    # Plain, yet the first bytes are those of a zlib stream (78 9c).
    looks_like_zlib = [noise(40_056, 3), b"behind"]
    files = [
        write("contents", name, name, records, compression)
        for name, records in small.items()
        for compression in SUFFIX
    ]
    files += [
        write("large", name, name, records, compression)
        for name, records in large.items()
        for compression in ("GZIP", "ZLIB")
    ]
    files += [
        write("options", name, "mixed", mixed, compression, **options)
        for name, (compression, options) in variants().items()
    ]
    files += [
        write("contents", "flushed", "many-small", small["many-small"], compression, flush_after=10)
        for compression in SUFFIX
    ]
    files.append(write("contents", "looks-like-zlib", "looks-like-zlib", looks_like_zlib))
    files += [
        concatenated("two-in-one", ["five", "edges"], compression)
        for compression in SUFFIX
    ]
    described = {
        **small,
        **large,
        "mixed": mixed,
        "looks-like-zlib": looks_like_zlib,
    }
    manifest = {
        "tensorflow": tf.__version__,
        "script": "scripts/make-golden.py",
        "contents": {name: describe(records) for name, records in described.items()},
        "files": sorted(files, key=lambda item: item["file"]),
    }
    (GOLDEN / "golden.json").write_text(json.dumps(manifest, indent=1) + "\n")
    total = sum(item["fileBytes"] for item in files)
    print(f"{len(files)} files, {total} bytes in {GOLDEN}")
    if total > SIZE_LIMIT:
        raise SystemExit(f"more than {SIZE_LIMIT} bytes")


if __name__ == "__main__":
    main()
