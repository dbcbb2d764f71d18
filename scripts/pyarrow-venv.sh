#!/bin/sh
# Prints the path of a Python interpreter with pyarrow. If there is none, makes
# a virtual environment for it in .cache (git-ignored).
#
# TFRECORD_PYARROW_PYTHON names an interpreter to use instead; PYTHON names the
# one that makes the environment (python3). If pyarrow cannot be installed,
# exits with code 1, and prints one line to stderr that says why.
set -u

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
venv="$root/.cache/pyarrow"
log="$root/.cache/pyarrow.log"

fail() {
  echo "pyarrow-venv: $1" >&2
  exit 1
}

has_pyarrow() {
  "$1" -c 'import importlib.metadata as m; m.version("pyarrow")' 2>/dev/null
}

if [ -n "${TFRECORD_PYARROW_PYTHON:-}" ]; then
  has_pyarrow "$TFRECORD_PYARROW_PYTHON" || fail "$TFRECORD_PYARROW_PYTHON has no pyarrow"
  echo "$TFRECORD_PYARROW_PYTHON"
  exit 0
fi
if has_pyarrow "$venv/bin/python"; then
  echo "$venv/bin/python"
  exit 0
fi

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || fail "no $python: install Python 3.10 or newer with venv"
mkdir -p "$root/.cache"
rm -rf "$venv"
"$python" -m venv "$venv" >"$log" 2>&1 || fail "$python -m venv failed (Debian: apt install python3-venv), see $log"
"$venv/bin/python" -m pip install --quiet --retries 0 "pyarrow" >>"$log" 2>&1 || fail "pip could not install pyarrow, see $log"
echo "$venv/bin/python"
