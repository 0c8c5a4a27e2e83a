#!/usr/bin/env bash
# Builds the WebAssembly module kron-wasm, and prints the path of its file.
#
#     scripts/wasm.sh            by rustup's target wasm32-unknown-unknown, or by a Rust of Debian's where rustup cannot add it
#     scripts/wasm.sh --debian   by Debian's in any case
#     scripts/wasm.sh --fleet    with the questions about many jobs and about files; with --debian, this comes last
#
# Ends with code 3, and a line that says why, where neither can be had.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
triple=wasm32-unknown-unknown
# A folder of its own: the two kinds of Rust would build each other's files again.
export CARGO_TARGET_DIR=$target/wasm CARGO_INCREMENTAL=0
# Debian's Rust, unpacked: rustc of Debian unstable, with its own C library beside it.
folder=$target/wasm-toolchain
mkdir -p "$folder"
source scripts/debian.sh
no_rust() { unavailable "Rust for $triple" "$*"; }

# What `rustc` is: rustup's, or that of a distribution which has the target.
rustc_has_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ]; }

rustup_has_target() {
    command -v rustup >/dev/null || return 1
    rustup target list --installed 2>/dev/null | grep -qx $triple && return 0
    timeout 120 rustup target add $triple >"$folder/rustup.log" 2>&1
}

# The programs and libraries that rustc needs to start, and its standard libraries, of all packages on which it depends.
needed() {
    local one='rustc|libstd-rust-.*|libllvm[0-9]+|libc6|libgcc-s1|libstdc\+\+6|libz3-4|libedit2|libxml2(-[0-9]+)?|libicu[0-9]+|zlib1g'
    one+='|libzstd1|libffi[0-9]+|libtinfo6|liblzma5|libbsd0|libmd0'
    unstable_installs rustc libstd-rust-dev-wasm32 | grep -xE "$one"
}

# Debian's rustc, started by its own loader.
write_rustc() {
    local libraries=$folder/root/usr/lib
    cat >"$folder/rustc" <<END
#!/bin/sh
exec "$libraries/x86_64-linux-gnu/ld-linux-x86-64.so.2" --library-path "$libraries/x86_64-linux-gnu:$libraries" \\
    "$folder/root/usr/bin/rustc" --sysroot "$folder/root/usr" "\$@"
END
    chmod +x "$folder/rustc"
}

use_debian() {
    local linker
    linker=$(find "$(rustc --print sysroot)" -name rust-lld -type f | head -1)
    [ -n "$linker" ] || no_rust "this Rust has no rust-lld"
    [ "$(uname -m)" = x86_64 ] || no_rust "this is not a machine of the kind x86_64"
    unpack_unstable needed || no_rust "$(tail -1 "$folder/debian.log")"
    write_rustc
    "$folder/rustc" --version >"$folder/debian.log" 2>&1 || {
        rm -rf "$folder/root"
        no_rust "Debian's rustc does not start: $(tail -1 "$folder/debian.log")"
    }
    export RUSTC=$folder/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker CARGO_TARGET_DIR=$target/wasm/debian
}

command -v rustc >/dev/null || no_rust "there is no rustc"
if [ "${1:-}" = --debian ] || ! { rustc_has_target || rustup_has_target; }; then use_debian; fi
# Texts of panics name files. Where the machine keeps the sources of crates is not said.
export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=registry"
# Both modules are built as one file, so each is kept under a name of its own.
kind=jobs features=()
# The larger module reads files once, so what is beside the core is as small as it can be.
[ "${!#}" != --fleet ] || { kind=fleet; features=(--features fleet --config 'profile.wasm.opt-level="z"'); }
cargo build --quiet --locked --profile wasm --target $triple --package kron-wasm "${features[@]}" >&2
built=$CARGO_TARGET_DIR/$triple/wasm/kron_wasm
cp "$built.wasm" "${built}_$kind.wasm"
echo "${built}_$kind.wasm"
