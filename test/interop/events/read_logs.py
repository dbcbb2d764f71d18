"""Reads log folders as TensorBoard does, and prints a line of JSON for each:

`--packages` in place of folders prints the folder of TensorBoard's packages.

    {"runs": {run: {tag: [[step, wall time, form of the value], ...]}}, "legacy": {run: {tag: ...}}}

A value is a string: the tensor's type, its shape, and hex of its bytes; `legacy` are the scalars of the older accumulator.
"""

import json
import logging
import os
import sys

import numpy as np
from tensorboard.backend.event_processing import event_accumulator
from tensorboard.backend.event_processing import plugin_event_multiplexer
from tensorboard.util import tensor_util

logging.disable(logging.CRITICAL)


def form(proto):
    array = tensor_util.make_ndarray(proto)
    if array.dtype == object:
        return ["bytes", list(array.shape), [value.hex() for value in array.reshape(-1).tolist()]]
    return [str(array.dtype), list(array.shape), array.tobytes().hex()]


def runs_of(folder):
    multiplexer = plugin_event_multiplexer.EventMultiplexer(size_guidance={"tensors": 0})
    multiplexer.AddRunsFromDirectory(folder).Reload()
    runs = {}
    for run in multiplexer.Runs():
        accumulator = multiplexer.GetAccumulator(run)
        runs[run] = {}
        for tag in accumulator.Tags()["tensors"]:
            metadata = accumulator.summary_metadata.get(tag)
            plugin = metadata.plugin_data.plugin_name if metadata else ""
            events = [[e.step, e.wall_time, *form(e.tensor_proto)] for e in accumulator.Tensors(tag)]
            runs[run][tag] = {"plugin": plugin, "events": events}
    return runs


def legacy_of(folder, runs):
    legacy = {}
    for run in runs:
        path = folder if run == "." else f"{folder}/{run}"
        accumulator = event_accumulator.EventAccumulator(path, size_guidance={"scalars": 0})
        accumulator.Reload()
        legacy[run] = {
            tag: [[e.step, e.wall_time, np.float64(e.value).tobytes().hex()] for e in accumulator.Scalars(tag)]
            for tag in accumulator.Tags()["scalars"]
        }
    return legacy


if sys.argv[1:] == ["--packages"]:
    # .../tensorboard/util/tensor_util.py
    print(os.path.dirname(os.path.dirname(os.path.dirname(tensor_util.__file__))))
    sys.exit()

for folder in sys.argv[1:]:
    runs = runs_of(folder)
    print(json.dumps({"runs": runs, "legacy": legacy_of(folder, runs)}))
