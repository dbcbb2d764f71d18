#!/bin/sh
# Prints the path of a Python interpreter with TensorFlow 2.21. If there is none,
# makes a virtual environment for it in .cache (git-ignored).
#
#   python="$(scripts/tensorflow-venv.sh)" && "$python" scripts/make-golden.py
#
# TFRECORD_TF_PYTHON names an interpreter to use instead; PYTHON names the one
# that makes the environment (python3). If TensorFlow cannot be installed, exits
# with code 1, prints nothing to stdout, and one line to stderr that says why.
set -u

version=2.21.0
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
venv="$root/.cache/tensorflow-2.21"
log="$root/.cache/tensorflow-2.21.log"

fail() {
  echo "tensorflow-venv: $1" >&2
  exit 1
}

# Read from the package's metadata, because importing TensorFlow takes seconds.
found_version() {
  "$1" -c 'from importlib.metadata import version
for name in ("tensorflow-cpu", "tensorflow"):
    try:
        print(version(name)); break
    except Exception: pass' 2>/dev/null
}

if [ -n "${TFRECORD_TF_PYTHON:-}" ]; then
  found=$(found_version "$TFRECORD_TF_PYTHON")
  [ "$found" = "$version" ] ||
    fail "TFRECORD_TF_PYTHON ($TFRECORD_TF_PYTHON) has TensorFlow '${found:-none}', not $version"
  echo "$TFRECORD_TF_PYTHON"
  exit 0
fi

if [ "$(found_version "$venv/bin/python")" = "$version" ]; then
  echo "$venv/bin/python"
  exit 0
fi

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || fail "no $python: install Python 3.10 to 3.13 with venv"
mkdir -p "$root/.cache"
rm -rf "$venv"
"$python" -m venv "$venv" >"$log" 2>&1 || fail "$python -m venv failed (Debian: apt install python3-venv), see $log"
"$venv/bin/python" -m pip install --quiet --retries 0 "tensorflow-cpu==$version" >>"$log" 2>&1 ||
  fail "pip could not install tensorflow-cpu==$version, see $log"
echo "$venv/bin/python"
