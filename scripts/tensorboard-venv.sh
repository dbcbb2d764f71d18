#!/bin/sh
# Prints the path of a Python interpreter with TensorBoard. If there is none,
# makes a virtual environment for it in .cache (git-ignored).
#
# TFRECORD_TENSORBOARD_PYTHON names an interpreter to use instead; PYTHON names
# the one that makes the environment (python3). If TensorBoard cannot be
# installed, exits with code 1, and prints one line to stderr that says why.
set -u

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
venv="$root/.cache/tensorboard"
log="$root/.cache/tensorboard.log"

fail() {
  echo "tensorboard-venv: $1" >&2
  exit 1
}

has_tensorboard() {
  "$1" -c 'import importlib.metadata as m; m.version("tensorboard")' 2>/dev/null
}

if [ -n "${TFRECORD_TENSORBOARD_PYTHON:-}" ]; then
  has_tensorboard "$TFRECORD_TENSORBOARD_PYTHON" || fail "$TFRECORD_TENSORBOARD_PYTHON has no tensorboard"
  echo "$TFRECORD_TENSORBOARD_PYTHON"
  exit 0
fi
if has_tensorboard "$venv/bin/python"; then
  echo "$venv/bin/python"
  exit 0
fi

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || fail "no $python: install Python 3.10 or newer with venv"
mkdir -p "$root/.cache"
rm -rf "$venv"
"$python" -m venv "$venv" >"$log" 2>&1 || fail "$python -m venv failed (Debian: apt install python3-venv), see $log"
"$venv/bin/python" -m pip install --quiet --retries 0 "tensorboard" "setuptools<81" >>"$log" 2>&1 ||
  fail "pip could not install tensorboard, see $log"
echo "$venv/bin/python"
