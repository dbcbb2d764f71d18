"""Writes TensorBoard's logs in all forms of TensorFlow's writers, at random.

    write_logs.py FOLDER LOGS PACKAGES

makes LOGS log folders in FOLDER, with several runs and files each. PACKAGES is the
folder of TensorBoard's packages, which some of TensorFlow's writers need.
"""

import os
import random
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
# Behind its own packages.
sys.path.append(sys.argv[3])
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

v1 = tf.compat.v1
PNG = tf.io.encode_png(np.zeros([2, 3, 3], np.uint8)).numpy()


def second_form(folder, rng):
    """The ops of TensorFlow 2: everything is a tensor."""
    writer = tf.summary.create_file_writer(folder)
    with writer.as_default():
        for step in sorted(rng.sample(range(1000), rng.randrange(1, 12))):
            tf.summary.scalar("loss", rng.random(), step=step)
            tf.summary.scalar("exact/0.1", 0.1, step=step)
            if rng.random() < 0.3:
                tf.summary.histogram("weights", np.random.normal(size=[50]), step=step, buckets=5)
                tf.summary.text("note", ["a **b**", "ü"], step=step)
                tf.summary.text("single", "x", step=step)
                tf.summary.image("picture", np.zeros([2, 4, 5, 3]), step=step, max_outputs=2)
                tf.summary.audio("sound", np.zeros([2, 8, 1], np.float32), 8000, step=step)
                tf.summary.write("raw", np.arange(6, dtype=rng.choice(["int64", "float64", "int8"])).reshape(2, 3), step=step)
                tf.summary.write("alone", np.float32(3), step=step)
    writer.close()


def first_values(rng, step):
    values = [v1.Summary.Value(tag="loss", simple_value=rng.random())]
    if rng.random() < 0.5:
        values.append(v1.Summary.Value(tag="acc", simple_value=rng.choice([0.0, -0.0, float("nan"), float("inf"), 0.1])))
    if rng.random() < 0.3:
        histo = v1.HistogramProto(min=-1, max=3, num=5, sum=4, sum_squares=9)
        histo.bucket_limit.extend([-1e308, 0.0, 2.5, 1.7e308])
        histo.bucket.extend([0, 2, 3, 0] if rng.random() < 0.8 else [0, 0, 0, 0])
        values.append(v1.Summary.Value(tag="weights", histo=histo))
        image = v1.Summary.Image(height=2, width=3, colorspace=3, encoded_image_string=PNG)
        values.append(v1.Summary.Value(tag="picture", image=image))
        audio = v1.Summary.Audio(sample_rate=8000, num_channels=1, length_frames=8, encoded_audio_string=b"RIFF", content_type="audio/wav")
        values.append(v1.Summary.Value(tag="sound", audio=audio))
    return v1.Summary(value=values)


def first_form(folder, rng):
    """The file writer of TensorFlow 1, whose sessions restart."""
    with tf.Graph().as_default():
        step = 0
        for session in range(rng.randrange(1, 4)):
            writer = v1.summary.FileWriter(folder, filename_suffix=f".{session}")
            writer.add_session_log(tf.compat.v1.SessionLog(status=v1.SessionLog.START), step)
            if rng.random() < 0.3:
                writer.add_graph(tf.Graph(), step)
            for _ in range(rng.randrange(1, 10)):
                writer.add_summary(first_values(rng, step), step)
                step += rng.randrange(1, 4)
            writer.close()
            step = max(0, step - rng.randrange(0, 8))


def old_form(folder, rng):
    """Files of version 1, or of none, in which steps go back."""
    os.makedirs(folder, exist_ok=True)
    for part in range(rng.randrange(1, 4)):
        with tf.io.TFRecordWriter(f"{folder}/events.out.tfevents.{part:03d}") as writer:
            version = rng.choice([None, "brain.Event:1", "brain.Event:2", "unknown"])
            if version is not None:
                writer.write(v1.Event(wall_time=1.5, file_version=version).SerializeToString())
            step = rng.randrange(20)
            for i in range(rng.randrange(12)):
                step = max(-2, step + rng.choice([1, 1, 1, -3]))
                event = v1.Event(wall_time=i + 0.25, step=step)
                kind = rng.random()
                if kind < 0.8:
                    event.summary.CopyFrom(first_values(rng, step))
                elif kind < 0.9:
                    event.session_log.status = rng.choice([1, 1, 2])
                else:
                    event.graph_def = b""
                writer.write(event.SerializeToString())


folder, count = sys.argv[1], int(sys.argv[2])
rng = random.Random(7)
np.random.seed(7)
for log in range(count):
    for run in ["", "train", "eval/deep"]:
        form = rng.choice([second_form, first_form, first_form, old_form])
        for _ in range(rng.randrange(1, 3) if form is second_form else 1):
            form(os.path.join(folder, str(log), run), rng)
