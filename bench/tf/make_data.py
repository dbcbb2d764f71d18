"""Writes the benchmark's data with TensorFlow's writer, from fixed seeds.

    python make_data.py FOLDER

Leaves in FOLDER, each also as .gz (GZIP, level 6):
    examples.tfrecord   200,000 tf.train.Examples of 10 features, 250 to 300 bytes,
                        that GZIP shrinks to about 0.3
    large.tfrecord      2,000 records of 100,000 bytes that do not compress
    tiny.tfrecord       1,000,000 records of 100 bytes
    vectors.tfrecord    20,000 Examples of 512 floats and 256 integers
    sequences.tfrecord  50,000 SequenceExamples of 5 to 15 steps
    images.tfrecord     1,000 Examples with 100,000 bytes
and, plain only:
    photos.tfrecord     24 Examples with 10,000,000 bytes
    wide.tfrecord       1,500 Examples of 1,000 features
    skewed.tfrecord     30,000 Examples of two lists with 0 to 9 values, one in
                        300 with 10,000
    hashes.tfrecord     1,000 Examples of 10,000 integers of 64 bits
    tokens.tfrecord     1,500 Examples of 10,000 integers below 50,000
and data.json (records, payload bytes, file bytes). Makes them only if this version
of the script did not write data.json.

If FOLDER/gzip-shards is missing, makes it, with GZIP files of one member each:
    small-00 to small-31   12 MiB of the Examples of examples.tfrecord, inflated
    large-0 to large-7     20,000 records of 4,000 bytes, half text and half noise
"""

import contextlib
import itertools
import json
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
VERSION = 4
WORDS = [b"amber", b"birch", b"cedar", b"delta", b"ember", b"fjord", b"grove", b"heath"]


def examples(np, tf):
    """Yields Examples like rows of a table: skewed ids, random floats, few strings."""
    count = 200_000
    rng = np.random.default_rng(1)
    user = rng.zipf(1.4, count) % 50_000
    item = rng.integers(0, 2_000, count)
    label = rng.integers(0, 2, count)
    price = np.round(rng.gamma(2.0, 15.0, count))
    scores = rng.random((count, 8), dtype=np.float32)
    history = rng.integers(0, 16_384, (count, 10))
    lengths = rng.integers(1, 11, count)
    words = rng.integers(0, len(WORDS), (count, 2))
    sessions = [rng.bytes(18) for _ in range(count)]
    feature, example = tf.train.Feature, tf.train.Example
    int64, floats, blobs = tf.train.Int64List, tf.train.FloatList, tf.train.BytesList
    for i in range(count):
        name = WORDS[words[i, 0]] + b" " + WORDS[words[i, 1]]
        message = example(
            features=tf.train.Features(
                feature={
                    "user_id": feature(int64_list=int64(value=[user[i]])),
                    "item_id": feature(int64_list=int64(value=[item[i]])),
                    "label": feature(int64_list=int64(value=[label[i]])),
                    "price": feature(float_list=floats(value=[price[i]])),
                    "scores": feature(float_list=floats(value=scores[i])),
                    "history": feature(int64_list=int64(value=history[i, : lengths[i]])),
                    "country": feature(bytes_list=blobs(value=[name[:2]])),
                    "title": feature(bytes_list=blobs(value=[name + b" " + name[::-1]])),
                    "session": feature(bytes_list=blobs(value=[sessions[i]])),
                    "timestamp": feature(int64_list=int64(value=[1_700_000_000 + i])),
                }
            )
        )
        yield message.SerializeToString(deterministic=True)


def large(np, tf):
    rng = np.random.default_rng(2)
    for _ in range(2_000):
        yield rng.bytes(100_000)


def tiny(np, tf):
    """Yields records: half text of a small alphabet, half noise."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        text = rng.integers(97, 105, (10_000, 60), dtype=np.uint8)
        noise = rng.integers(0, 256, (10_000, 40), dtype=np.uint8)
        block = np.concatenate([text, noise], axis=1).tobytes()
        for start in range(0, len(block), 100):
            yield block[start : start + 100]


def message(tf, **values):
    kinds = {"b": "bytes_list", "f": "float_list", "i": "int64_list"}
    lists = {"b": tf.train.BytesList, "f": tf.train.FloatList, "i": tf.train.Int64List}
    return {
        key[2:]: tf.train.Feature(**{kinds[key[0]]: lists[key[0]](value=value)}) for key, value in values.items()
    }


def vectors(np, tf):
    rng = np.random.default_rng(4)
    for _ in range(20_000):
        feature = message(tf, f_embedding=rng.random(512, dtype=np.float32), i_tokens=rng.integers(0, 50_000, 256))
        yield tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)


def sequences(np, tf):
    rng = np.random.default_rng(5)
    for i in range(50_000):
        steps = int(rng.integers(5, 16))
        tokens = [message(tf, i_x=[int(t)])["x"] for t in rng.integers(0, 50_000, steps)]
        weights = [message(tf, f_x=rng.random(2, dtype=np.float32))["x"] for _ in range(steps)]
        example = tf.train.SequenceExample(
            context=tf.train.Features(feature=message(tf, i_id=[i], b_lang=[WORDS[i % 8][:2]])),
            feature_lists=tf.train.FeatureLists(
                feature_list={
                    "tokens": tf.train.FeatureList(feature=tokens),
                    "weights": tf.train.FeatureList(feature=weights),
                }
            ),
        )
        yield example.SerializeToString(deterministic=True)


def images(np, tf):
    rng = np.random.default_rng(6)
    for i in range(1_000):
        feature = message(tf, b_image=[rng.bytes(100_000)], i_label=[i % 10])
        yield tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)


def photos(np, tf):
    rng = np.random.default_rng(7)
    for i in range(24):
        feature = message(tf, b_image=[rng.bytes(10_000_000)], i_label=[i])
        yield tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)


def wide(np, tf):
    rng = np.random.default_rng(8)
    for i in range(1_500):
        values = {f"i_int_{k:03}": [int(v)] for k, v in enumerate(rng.integers(0, 5_000, 400))}
        values.update({f"f_float_{k:03}": [v] for k, v in enumerate(rng.random(400))})
        values.update({f"b_bytes_{k:03}": [b"value%d" % (i % 50)] for k in range(200)})
        feature = message(tf, **values)
        yield tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)


def skewed(np, tf):
    rng = np.random.default_rng(9)
    for i in range(30_000):
        count = 10_000 if i % 300 == 150 else int(rng.integers(0, 10))
        ids, weights = rng.integers(0, 1 << 40, count), rng.random(count, dtype=np.float32)
        feature = message(tf, i_id=[i], i_ids=ids, f_weights=weights)
        yield tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)


def hashes(np, tf):
    rng = np.random.default_rng(10)
    for _ in range(1_000):
        feature = message(tf, i_values=rng.integers(-(1 << 63), (1 << 63) - 1, 10_000))
        yield tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)


def tokens(np, tf):
    rng = np.random.default_rng(11)
    for _ in range(1_500):
        feature = message(tf, i_values=rng.integers(0, 50_000, 10_000))
        yield tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString(deterministic=True)


def gzip_shards(folder):
    target = folder / "gzip-shards"
    if target.exists():
        return
    import numpy as np
    import tensorflow as tf

    making = folder / "gzip-shards.making"
    making.mkdir(exist_ok=True)
    level = tf.io.TFRecordOptions(compression_type="GZIP", compression_level=6)
    found = list(tf.compat.v1.io.tf_record_iterator(str(folder / "examples.tfrecord")))
    records = itertools.cycle(found)
    for shard in range(32):
        with tf.io.TFRecordWriter(str(making / f"small-{shard:02}.tfrecord.gz"), level) as writer:
            written = 0
            while written < 12 << 20:
                record = next(records)
                writer.write(record)
                written += len(record) + 16
    rng = np.random.default_rng(12)
    for shard in range(8):
        with tf.io.TFRecordWriter(str(making / f"large-{shard}.tfrecord.gz"), level) as writer:
            for _ in range(20_000):
                writer.write(rng.integers(97, 105, 2_000, dtype=np.uint8).tobytes() + rng.bytes(2_000))
    making.rename(target)


PLAIN_ONLY = (photos, wide, skewed, hashes, tokens)


def main():
    folder = pathlib.Path(sys.argv[1])
    facts = folder / "data.json"
    if not facts.exists() or json.loads(facts.read_text()).get("version") != VERSION:
        sets(folder, facts)
    gzip_shards(folder)


def sets(folder, facts):
    import numpy as np
    import tensorflow as tf

    folder.mkdir(parents=True, exist_ok=True)
    found = {"version": VERSION, "tensorflow": tf.__version__, "sets": {}}
    for make in (examples, large, tiny, vectors, sequences, images, *PLAIN_ONLY):
        plain = folder / f"{make.__name__}.tfrecord"
        packed = folder / f"{make.__name__}.tfrecord.gz"
        level = tf.io.TFRecordOptions(compression_type="GZIP", compression_level=6)
        records, payload, shortest, longest = 0, 0, 1 << 62, 0
        with contextlib.ExitStack() as stack:
            writers = [stack.enter_context(tf.io.TFRecordWriter(str(plain)))]
            if make not in PLAIN_ONLY:
                writers.append(stack.enter_context(tf.io.TFRecordWriter(str(packed), level)))
            for record in make(np, tf):
                for writer in writers:
                    writer.write(record)
                records += 1
                payload += len(record)
                shortest, longest = min(shortest, len(record)), max(longest, len(record))
        sizes = plain.stat().st_size, packed.stat().st_size if make not in PLAIN_ONLY else 0
        found["sets"][make.__name__] = {
            "records": records,
            "payloadBytes": payload,
            "shortest": shortest,
            "longest": longest,
            "plainBytes": sizes[0],
            "gzipBytes": sizes[1],
        }
        print(make.__name__, found["sets"][make.__name__], round(sizes[1] / sizes[0], 3), file=sys.stderr)
    facts.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
