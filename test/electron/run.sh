#!/bin/sh
# Tests the package and its examples in a real Electron, under Xvfb. Arguments go to Jest. Where that is not possible,
# prints one line that says why, and runs nothing.
set -u

root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root" || exit 1

skip() {
  echo "test:electron: skipped, $1"
  exit 0
}

command -v Xvfb >/dev/null || skip 'no Xvfb (Debian: apt-get install xvfb)'
found=$(scripts/electron-runtime.sh 2>&1) || skip "$found"
missing=$(ldd "$found/electron" | awk '/not found/ { print $1 }' | tr '\n' ' ')
[ -z "$missing" ] || skip "Electron lacks ${missing}(Debian: apt-get install libgtk-3-0 libnss3 libasound2 libgbm1)"
TFRECORD_ELECTRON=$found
export TFRECORD_ELECTRON
exec npx jest --config test/electron/jest.config.cjs "$@"
