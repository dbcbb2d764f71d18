#!/bin/sh
# Prints the path of a Python interpreter with a package. If there is none,
# makes a virtual environment for it in .cache (git-ignored).
#
#   scripts/package-venv.sh NAME [REQUIREMENT...]     (what it needs beside it)
#
# TFRECORD_NAME_PYTHON (the name in capitals) names an interpreter to use
# instead; PYTHON names the one that makes the environment (python3). If the
# package cannot be installed, exits with code 1, and prints one line to stderr
# that says why.
set -u

package=$1
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
venv="$root/.cache/$package"
log="$root/.cache/$package.log"
variable=TFRECORD_$(printf '%s' "$package" | tr '[:lower:]' '[:upper:]')_PYTHON
given=$(printenv "$variable")

fail() {
  echo "package-venv: $1" >&2
  exit 1
}

has_package() {
  "$1" -c "import importlib.metadata as m; m.version('$package')" 2>/dev/null
}

if [ -n "$given" ]; then
  has_package "$given" || fail "$given has no $package"
  echo "$given"
  exit 0
fi
if has_package "$venv/bin/python"; then
  echo "$venv/bin/python"
  exit 0
fi

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || fail "no $python: install Python 3.10 or newer with venv"
mkdir -p "$root/.cache"
rm -rf "$venv"
"$python" -m venv "$venv" >"$log" 2>&1 || fail "$python -m venv failed (Debian: apt install python3-venv), see $log"
"$venv/bin/python" -m pip install --quiet --retries 0 "$@" >>"$log" 2>&1 ||
  fail "pip could not install $package, see $log"
echo "$venv/bin/python"
