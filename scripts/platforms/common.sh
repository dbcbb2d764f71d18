# Sourced by the scripts of this folder. Sets root (the repository), here (this folder), work (downloads, sysroots and
# builds: .cache/platforms) and JOBS.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$(dirname -- "$here")")
work=$root/.cache/platforms
. "$root/scripts/jobs.sh"
# With relative paths of a sysroot, compilers search its folders in another order.
unset CCACHE_BASEDIR
mkdir -p "$work"

# The platforms that this folder builds, named as the loader names them.
PLATFORMS='linux-x64 linux-arm64 linux-x64-musl linux-arm64-musl win32-x64'
# No platform, and no addon: WebAssembly.
WASM=wasm32

# Sources the settings of platform $1. Each platform's file says what it sets; duckdb is DuckDB's name of the platform,
# where the extension is built.
use_platform() {
  platform=$1
  # Native code of this platform: its sysroot, its build, and what goes into the package.
  TFR_SYSROOT=$work/$platform/sysroot
  build=$work/$platform/build
  prebuilt=$root/prebuilds/$platform
  export TFR_SYSROOT
  configure=''
  duckdb=''
  case " $PLATFORMS $WASM " in
    *" $platform "*) . "$here/$platform.sh" ;;
    *)
      echo "$0: no platform $platform. There are: $PLATFORMS $WASM" >&2
      exit 2
      ;;
  esac
}
