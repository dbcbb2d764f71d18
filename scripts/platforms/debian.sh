# Functions that fetch from Debian without a change to this machine: apt works on a root of its own in $work, so that dpkg
# learns of no other architecture, and sources.list stays as it is.

# The mirror that this machine uses.
mirror() { apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -n 1; }

# apt_root ARCHITECTURE KIND: makes the root $work/apt-ARCHITECTURE for packages (KIND deb) or sources (deb-src), once.
apt_root() {
  apt=$work/apt-$1
  [ -e "$apt/ready" ] && return 0
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/files"
  : >"$apt/status"
  architecture=$1
  [ "$2" = deb ] || architecture=$(dpkg --print-architecture)
  cat >"$apt/apt.conf" <<END
APT::Architecture "$architecture";
APT::Architectures {"$architecture";};
APT::Sandbox::User "root";
Dir::State "$apt";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
END
  echo "$2 [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) bookworm main" >"$apt/sources.list"
  APT_CONFIG=$apt/apt.conf apt-get update
  touch "$apt/ready"
}

# packages_into FOLDER ARCHITECTURE PACKAGE...: unpacks packages of another architecture, without what they depend on.
packages_into() {
  target=$1
  apt_root "$2" deb
  shift 2
  mkdir -p "$target"
  (cd "$apt/files" && APT_CONFIG=$apt/apt.conf apt-get download "$@")
  for package; do dpkg -x "$(ls "$apt/files/${package}"_*.deb | tail -n 1)" "$target"; done
}

# source_of PACKAGE [PATTERN...]: unpacks what upstream released (of large sources, only the patterns) into
# $work/source/PACKAGE, once.
source_of() {
  source=$work/source/$1
  [ -d "$source" ] && return 0
  apt_root source deb-src
  wanted=$1
  shift
  (cd "$apt/files" && APT_CONFIG=$apt/apt.conf apt-get source --download-only "$wanted")
  mkdir -p "$source.part"
  tar -xf "$(ls "$apt/files/${wanted}"_*.orig.tar.* | grep -v '\.asc$' | head -n 1)" -C "$source.part" --strip-components=1 \
    ${1:+--wildcards} "$@"
  mv "$source.part" "$source"
}
