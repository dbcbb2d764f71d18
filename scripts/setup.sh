#!/bin/sh
# Sets up a fresh clone, with one command, and reads records:
#
#   npm run setup
#
# Installs missing build tools (on Debian and Ubuntu as root; else it prints the command to run) and the packages of
# package-lock.json, builds the addon and the TypeScript, and reads examples/data.
set -eu
cd "$(dirname -- "$0")/.."

say() { printf '\n==> %s\n' "$1"; }
fail() {
  printf '\nsetup: %s\n' "$1" >&2
  exit 1
}

major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] || fail "Node 20 or newer is needed, this is $(node --version)"

# ---- compiler and libraries ------------------------------------------------------------------------------------
has_header() { printf '#include <%s>\n' "$1" | ${CXX:-c++} -E -x c++ - >/dev/null 2>&1; }
# True if the linker finds a library of exactly this name.
has_library() { [ -e "$(${CXX:-c++} -print-file-name="$1" 2>/dev/null)" ]; }

required=''
optional=''
if ! command -v "${CXX:-c++}" >/dev/null 2>&1; then
  # Without a compiler, libraries cannot be checked.
  required='g++ zlib1g-dev'
  optional='libdeflate-dev libisal-dev'
else
  { has_header zlib.h && has_library libz.a; } || required="$required zlib1g-dev"
  { has_header libdeflate.h && has_library libdeflate.a; } || optional="$optional libdeflate-dev"
  has_header isa-l/igzip_lib.h || optional="$optional libisal-dev"
fi
command -v cmake >/dev/null 2>&1 || required="$required cmake"
command -v make >/dev/null 2>&1 || command -v ninja >/dev/null 2>&1 || required="$required make"

# TFR_SETUP_SKIP names optional packages not to install.
for skipped in ${TFR_SETUP_SKIP:-}; do
  optional=$(printf ' %s ' "$optional" | sed "s/ $skipped / /")
done
lacking=$(echo $required $optional)

if [ -n "$lacking" ]; then
  line="apt-get install -y --no-install-recommends $lacking"
  if [ "$(uname -s)" = Linux ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "Installing $lacking"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # lists of package names
    if ! { apt-get update -q && apt-get install -q -y --no-install-recommends $lacking; }; then
      [ -n "$required" ] || echo "setup: went on without$optional" >&2
      # If an optional package failed, the required ones may still install.
      [ -z "$required" ] || apt-get install -q -y --no-install-recommends $required || fail "needed: sudo $line"
    fi
  elif [ -n "$required" ]; then
    fail "packages are missing; run this, then npm run setup again (docs/building.md has other systems):

  sudo $line"
  else
    printf '\nsetup: goes on without%s (compressed files are slower); to have them:\n\n  sudo %s\n' "$optional" "$line"
  fi
fi

# ---- packages, build, main job ---------------------------------------------------------------------------------
say 'Installing the npm packages'
npm ci --no-audit --no-fund

say 'Building'
npm run --silent build

say 'Reading examples/data/weather.tfrecord.gz'
node examples/read-records.mjs

printf '\nSet up. Next: npm test\n'
