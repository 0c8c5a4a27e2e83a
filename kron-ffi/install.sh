#!/usr/bin/env bash
# Builds libkron and installs it: libraries, headers, pkg-config and CMake files. `cargo cinstall` of cargo-c does the same;
# this script needs only cargo.
#
#     kron-ffi/install.sh --prefix /usr/local [--libdir /usr/local/lib64] [--destdir STAGE] [--strip]
#
# The first build takes 2 to 5 minutes on two cores, and shows what cargo compiles; later ones take seconds.
#
# --strip removes from the libraries what linking and running do not need: debug information and, in the static library, LLVM
# bitcode and code that no function of kron.h uses. That makes the static library about 7 MB instead of 48 MB. Its only symbols
# are then those of kron.h, so that a program can contain other static libraries in Rust.
set -euo pipefail
cd "$(dirname "$0")"

prefix=/usr/local libdir="" destdir="" strip=""
usage() { sed -n '2,11s/^# \{0,1\}//p' "$(basename "$0")"; }
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix | --libdir | --destdir)
      [ $# -ge 2 ] || { echo "install.sh: $1 needs a directory" >&2; exit 2; }
      declare "${1#--}=$2"
      shift 2
      ;;
    --strip) strip=yes; shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "install.sh: unknown argument $1" >&2; usage >&2; exit 2 ;;
  esac
done
[ "${prefix#/}" != "$prefix" ] || { echo "install.sh: --prefix must be an absolute path, but is $prefix" >&2; exit 2; }
libdir="${libdir:-$prefix/lib}"

step() { echo "install.sh: $*" >&2; }

step "1/4 building libkron in release mode, which takes 2 to 5 minutes the first time"
cargo build --release --locked --package kron-ffi --lib
metadata=$(cargo metadata --locked --no-deps --format-version 1)
target=$(sed 's/.*"target_directory":"\([^"]*\)".*/\1/' <<<"$metadata")
version=$(sed -n 's/^#define KRON_VERSION "\(.*\)"$/\1/p' include/kron.h)
built="$target/release"

step "2/4 installing headers in $destdir$prefix/include, libraries in $destdir$libdir"
install -d "$destdir$prefix/include/kron" "$destdir$libdir/pkgconfig" "$destdir$libdir/cmake/kron"
install -m 644 include/kron.h include/kron.hpp "$destdir$prefix/include/"
install -m 644 include/kron/*.hpp "$destdir$prefix/include/kron/"
install -m 644 "$built/libkron.a" "$destdir$libdir/"
case "$(uname -s)" in
  Darwin)
    install -m 755 "$built/libkron.dylib" "$destdir$libdir/libkron.$version.dylib"
    install_name_tool -id "$libdir/libkron.$version.dylib" "$destdir$libdir/libkron.$version.dylib"
    ln -sf "libkron.$version.dylib" "$destdir$libdir/libkron.dylib"
    ;;
  *)
    # The soname is the full version until 1.0, so that the file itself is what programs load.
    install -m 755 "$built/libkron.so" "$destdir$libdir/libkron.so.$version"
    ln -sf "libkron.so.$version" "$destdir$libdir/libkron.so"
    ;;
esac
if [ -n "$strip" ]; then
  step "3/4 stripping the libraries"
  case "$(uname -s)" in
    Darwin) strip -S "$destdir$libdir/libkron.a" && strip -x "$destdir$libdir/libkron.$version.dylib" ;;
    *)
      one=$(mktemp -d)
      trap 'rm -rf "$one"' EXIT
      strip --strip-debug --remove-section=.llvmbc --remove-section=.llvmcmd -o "$one/all.a" "$destdir$libdir/libkron.a"
      # One object of everything that the functions of the header reach.
      ld -r --gc-sections $(sed 's/^/-u /' symbols.txt) "$one/all.a" -o "$one/kron.o"
      objcopy --keep-global-symbols=symbols.txt "$one/kron.o"
      strip --strip-unneeded "$one/kron.o"
      rm "$destdir$libdir/libkron.a"
      ar rcs "$destdir$libdir/libkron.a" "$one/kron.o"
      chmod 644 "$destdir$libdir/libkron.a"
      strip --strip-unneeded "$destdir$libdir/libkron.so.$version"
      ;;
  esac
else
  step "3/4 leaving debug information in the libraries; --strip removes it"
fi
step "4/4 installing kron.pc and the CMake package"
install -m 644 cmake/kron-config.cmake cmake/kron-config-version.cmake "$destdir$libdir/cmake/kron/"
sed -e "s|@PREFIX@|$prefix|" -e "s|@LIBDIR@|$libdir|" -e "s|@VERSION@|$version|" kron.pc.in >"$destdir$libdir/pkgconfig/kron.pc"
chmod 644 "$destdir$libdir/pkgconfig/kron.pc"
echo "installed libkron $version: headers in $prefix/include, libraries in $libdir"
