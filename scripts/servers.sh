#!/bin/sh
# Installs the servers that tests start on loopback (nginx, s3rver, OpenStack Swift, Azurite, the storage emulator of
# firebase-tools, Slurm, PostgreSQL), the clients of their stores and of HTTP, and DBOS, into a cached folder:
# $TFRECORD_SERVERS, or tfrecord-native/servers in the user's cache. Nothing is installed into the system, and no service starts. A server that cannot be installed is
# named in one line, and a file .refused says so to its tests, which are skipped even with TFR_REQUIRE_TOOLS=1.
set -u
folder=${TFRECORD_SERVERS:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/tfrecord-native/servers}
mkdir -p "$folder" && cd "$folder" || exit 0

# npm_folder NAME PACKAGE@VERSION... : packages of npm in a folder of their own. Their scripts would fetch more.
npm_folder() {
  name=$1
  shift
  [ "$(cat "$name/.installed" 2>/dev/null)" = "$*" ] && return
  rm -rf "$name" && mkdir "$name" && echo '{ "private": true }' >"$name/package.json"
  if (cd "$name" && npm install --ignore-scripts --no-audit --no-fund "$@" >npm.log 2>&1); then
    echo "$*" >"$name/.installed"
  else
    touch "$name/.refused"
    echo "servers: skipped $name, npm cannot install $*"
  fi
}
# The clients of Node 20.
npm_folder clients @aws-sdk/client-s3@3.1175.0 @google-cloud/storage@7.22.0 @azure/storage-blob@12.32.0
npm_folder dbos @dbos-inc/dbos-sdk@5.3.0 pg@8.23.1
npm_folder undici undici@7.30.2
npm_folder s3rver s3rver@3.7.1
npm_folder azurite azurite@3.35.0
npm_folder firebase firebase-tools@15.34.2

# debian_folder NAME PACKAGE... : packages of Debian and what they need, unpacked and not installed.
debian_folder() {
  name=$1
  shift
  [ "$(cat "$name/.installed" 2>/dev/null)" = "$*" ] && return
  rm -rf "$name" && mkdir "$name"
  if (
    cd "$name" &&
      apt-get install -s --no-install-recommends "$@" 2>/dev/null | awk '/^Inst/ { print $2 }' >packages &&
      # shellcheck disable=SC2046 # a list
      apt-get -o APT::Sandbox::User=root download $(cat packages) >apt.log 2>&1 &&
      for archive in *.deb; do dpkg -x "$archive" . || exit 1; done
  ); then
    rm -f "$name"/*.deb
    echo "$*" >"$name/.installed"
  else
    touch "$name/.refused"
    echo "servers: skipped $name, apt-get cannot download it (apt-get update)"
  fi
}
debian_folder nginx nginx
debian_folder postgresql postgresql
debian_folder slurm slurm-wlm munge
debian_folder swift swift-proxy swift-account swift-container swift-object
exit 0
