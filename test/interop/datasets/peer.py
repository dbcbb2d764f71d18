"""Prints the features and the rows of a file as Hugging Face's datasets reads them, as JSON."""

import json
import os
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

from datasets import Audio, load_dataset  # noqa: E402
from PIL.Image import Image  # noqa: E402


def plain(value):
    """A picture is its size and its pixels; the rest is as it is."""
    if isinstance(value, Image):
        return {"size": list(value.size), "pixels": list(value.convert("RGBA").tobytes())}
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return value


kind, path = sys.argv[1:]
with tempfile.TemporaryDirectory() as cache:
    rows = load_dataset(kind, data_files=path, split="train", cache_dir=cache)
    features = {name: repr(feature) for name, feature in rows.features.items()}
    # Sounds stay files: decoding them needs another package.
    for name, feature in rows.features.items():
        if isinstance(feature, Audio):
            rows = rows.cast_column(name, Audio(decode=False))
    values = [{name: plain(value) for name, value in row.items()} for row in rows]
    names = {name: feature.names for name, feature in rows.features.items() if hasattr(feature, "names")}
print(json.dumps({"features": features, "names": names, "rows": values}, ensure_ascii=False))
