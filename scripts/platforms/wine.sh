#!/bin/sh
# wine.sh PROGRAM ARGUMENT...: runs a Windows program under wine, in a Windows of its own in .cache/platforms/wine. Under
# wine 8, standard output of Node must be a file: a pipe fails with EBADF.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
export WINEPREFIX="$here/../../.cache/platforms/wine" WINEDEBUG="${WINEDEBUG--all}" WINEARCH=win64
mkdir -p "$WINEPREFIX"
WINEPREFIX=$(cd "$WINEPREFIX" && pwd)
if [ ! -e "$WINEPREFIX/.ready" ]; then
  wine winecfg -v win10 >/dev/null 2>&1 && touch "$WINEPREFIX/.ready"
fi
out=$(mktemp) err=$(mktemp)
wine "$@" >"$out" 2>"$err" </dev/null
code=$?
cat "$out"
cat "$err" >&2
rm -f "$out" "$err"
exit $code
