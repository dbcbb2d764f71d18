"""Writes examples/data: small TFRecord files of made-up weather observations.

    "$(scripts/tensorflow-venv.sh)" scripts/make-example-data.py

Stations, places and values are invented, by fixed formulas. TensorFlow's own writer
writes the files, and every run with the same version writes the same bytes.

    weather.tfrecord.gz              200 tf.train.Example, GZIP
    weather.tfrecord                 the first 20 of them, not compressed
    weather.tfrecord.zlib            all 200, ZLIB
    weather-00000-of-00002, -00001-  the 200 in two plain shards (`weather@2`)
    days.tfrecord.gz                 12 tf.train.SequenceExample: a day, hour by hour
"""

import datetime
import math
import os
import pathlib
import random

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf  # noqa: E402

DATA = pathlib.Path(__file__).resolve().parent.parent / "examples" / "data"

# (id, name, latitude, longitude, elevation in m): none of them exists.
STATIONS = [
    ("ST-01", "Harbour Light", 54.18, 7.88, 4),
    ("ST-02", "Mill Creek", 51.42, 9.65, 173),
    ("ST-03", "Kühlenberg", 47.91, 8.02, 1284),
    ("ST-04", "Old Observatory", 52.38, 13.06, 94),
    ("ST-05", "Lac d'Étoile", 46.25, 6.31, 372),
    ("ST-06", "Dune Ridge", 55.02, 8.41, 21),
    ("ST-07", "Granite Pass", 46.57, 8.57, 2106),
    ("ST-08", "Vineyard Slope", 49.99, 7.93, 148),
]
START = datetime.datetime(2024, 3, 1, tzinfo=datetime.timezone.utc)


def int64(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def floats(*values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def text(*values):
    encoded = [value.encode() for value in values]
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=encoded))


def temperature(station, hour, rng):
    """Returns degrees Celsius: colder at altitude, warmest at 14 h."""
    elevation = station[4]
    daily = 5.5 * math.cos((hour % 24 - 14) / 24 * 2 * math.pi)
    return round(9 - elevation * 0.0065 + daily + rng.uniform(-1, 1), 1)


def conditions(rain, wind):
    found = []
    if rain > 0:
        found.append("rain")
    if wind > 10:
        found.append("windy")
    return found


def observation(number, rng):
    station = STATIONS[number % len(STATIONS)]
    hour = number // len(STATIONS)
    time = int(START.timestamp()) + 3600 * hour
    wind = round(rng.uniform(0, 14), 1)
    rain = round(max(0.0, rng.uniform(-6, 4)), 1)
    feature = {
        "station": text(station[0]),
        "name": text(station[1]),
        "time": int64(time),
        "location": floats(station[2], station[3]),
        "elevation": int64(station[4]),
        "temperature": floats(temperature(station, hour, rng)),
        "humidity": floats(round(rng.uniform(0.35, 0.98), 2)),
        "wind": floats(wind, float(rng.randrange(0, 360, 10))),
        "rain": floats(rain),
        # Nanoseconds since 1970: beyond what a double counts exactly.
        "received": int64(time * 10**9 + rng.randrange(10**9)),
    }
    found = conditions(rain, wind)
    if found:
        feature["conditions"] = text(*found)
    return tf.train.Example(features=tf.train.Features(feature=feature))


def day(number, rng):
    station = STATIONS[number % len(STATIONS)]
    date = START + datetime.timedelta(days=number // len(STATIONS))
    hours = range(24) if number % 5 else range(0, 24, 3)
    lists = {
        "hour": [int64(hour) for hour in hours],
        "temperature": [floats(temperature(station, hour, rng)) for hour in hours],
        "conditions": [
            text(*conditions(rng.uniform(-3, 2), rng.uniform(0, 14))) for _ in hours
        ],
    }
    return tf.train.SequenceExample(
        context=tf.train.Features(
            feature={"station": text(station[0]), "date": text(f"{date:%Y-%m-%d}")}
        ),
        feature_lists=tf.train.FeatureLists(
            feature_list={
                name: tf.train.FeatureList(feature=features)
                for name, features in lists.items()
            }
        ),
    )


def write(name, messages, compression=""):
    path = str(DATA / name)
    with tf.io.TFRecordWriter(path, compression) as writer:
        for message in messages:
            # The order of a map's entries is fixed only in this mode.
            writer.write(message.SerializeToString(deterministic=True))


def main():
    DATA.mkdir(parents=True, exist_ok=True)
    rng = random.Random(20240301)
    observations = [observation(number, rng) for number in range(200)]
    write("weather.tfrecord.gz", observations, "GZIP")
    write("weather.tfrecord", observations[:20])
    write("weather.tfrecord.zlib", observations, "ZLIB")
    write("weather-00000-of-00002", observations[:100])
    write("weather-00001-of-00002", observations[100:])
    write("days.tfrecord.gz", [day(number, rng) for number in range(12)], "GZIP")
    for path in sorted(DATA.iterdir()):
        print(f"{path.stat().st_size:7} {path.name}")


if __name__ == "__main__":
    main()
