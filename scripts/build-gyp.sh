#!/bin/sh
# Builds the addon from binding.gyp with the node-gyp that npm brings, in a copy of the sources (node-gyp and cmake-js
# both use build/), and loads it. NODEDIR is the folder with include/node (by default that of the node in use).
set -eu
cd "$(dirname -- "$0")/.."
. scripts/jobs.sh

copy=build-gyp
mkdir -p "$copy"
rm -rf "$copy/native" "$copy/scripts"
cp -Rp native scripts binding.gyp package.json "$copy"
[ -e "$copy/node_modules" ] || ln -s ../node_modules "$copy/node_modules"

gyp=$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js
[ -f "$gyp" ] || gyp=$(dirname "$(readlink -f "$(command -v npm)")")/../node_modules/node-gyp/bin/node-gyp.js
nodedir=${NODEDIR:-$(dirname "$(dirname "$(command -v node)")")}
[ -d "$nodedir/include/node" ] || { echo "build-gyp: no $nodedir/include/node: set NODEDIR" >&2; exit 1; }

cd "$copy"
node "$gyp" rebuild --nodedir="$nodedir" --jobs="$JOBS"
node -e '
  const addon = require("./build/Release/tfrecord.node");
  if (addon.crc32c(Buffer.from("123456789"), 0) !== 0xe3069283) throw new Error("crc32c is wrong");
  console.log("loads, crc32c is right:", JSON.stringify(addon.info()));'
../scripts/check-symbols.sh "$PWD/build/Release/tfrecord.node"
