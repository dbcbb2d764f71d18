#!/bin/sh
# Tests this package against TensorFlow 2.21, in both directions. Arguments go to Jest.
# Without TensorFlow, prints one line that says so; the golden files replace it.
set -u

root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root" || exit 1

if found=$("$root/scripts/tensorflow-venv.sh" 2>&1); then
  TFRECORD_TF_PYTHON=$found
  export TFRECORD_TF_PYTHON
  exec npx jest --config test/interop/jest.config.cjs "$@"
fi
echo "test:interop: no TensorFlow ($found): the golden files that it wrote stand in"
exec npx jest test/integration/golden.test.ts
