#!/bin/sh
# Prints the path of a Python interpreter with the package duckdb in a version. If there is none, makes a virtual
# environment for it in .cache (git-ignored).
#
#   scripts/duckdb-venv.sh [VERSION]      (the newest)
#
# PYTHON names the interpreter that makes the environment (python3). If the version cannot be installed, exits with code 1,
# and prints one line to stderr that says why.
set -u

version=${1:-}
name=duckdb${version:+-$version}
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
venv="$root/.cache/$name"
log="$root/.cache/$name.log"

fail() {
  echo "duckdb-venv: $1, see $log" >&2
  exit 1
}

if ! "$venv/bin/python" -c 'import duckdb' 2>/dev/null; then
  mkdir -p "$root/.cache"
  rm -rf "$venv"
  "${PYTHON:-python3}" -m venv "$venv" >"$log" 2>&1 || fail "python3 -m venv failed (Debian: apt install python3-venv)"
  "$venv/bin/python" -m pip install --quiet --retries 0 "duckdb${version:+==$version}" >>"$log" 2>&1 ||
    fail "pip could not install $name"
fi
echo "$venv/bin/python"
