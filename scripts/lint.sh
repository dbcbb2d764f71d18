#!/bin/sh
# Runs every check of style and types. Continues after a failure, so that one run shows all of them.
set -u
cd "$(dirname -- "$0")/.." || exit 1

failed=''
run() {
  "$@" || failed="$failed
  $*"
}

run node scripts/build-proto.mjs --check
run node scripts/build-options-page.mjs --check
run node node_modules/typescript/bin/tsc --noEmit
run node node_modules/typescript/bin/tsc --noEmit -p lib/view/page/tsconfig.json
run node scripts/eslint/check-rooms.mjs
run node scripts/eslint/check-circles.mjs
run node_modules/.bin/eslint --max-warnings 0 .
run node_modules/.bin/prettier --check --log-level warn .
run node scripts/lint-workflows.mjs
run sh scripts/lint-native.sh

[ -z "$failed" ] && exit 0
echo "lint failed:$failed" >&2
exit 1
