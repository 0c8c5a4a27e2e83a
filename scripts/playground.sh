#!/usr/bin/env bash
# Makes the playground: one HTML file with the WebAssembly module in it. Prints its path.
#
#     scripts/playground.sh [FILE]             default: target/playground/index.html
#     scripts/playground.sh --check-page FILE  ends with code 1 if the page of a file, without its module, has other sources; quick
#     scripts/playground.sh --check FILE       the same, and for the module, which every change of the crates in it makes old: for releases
#
# No two compilers give the same bytes, so the last line of the file has a hash of the sources of the module.
set -euo pipefail
cd "$(dirname "$0")/.."

sources() {
    local hash
    hash=$(PYTHONPATH=scripts python3 -c 'import go_module; print(go_module.sources("fleet"))')
    echo "<!-- kron-sources $hash -->"
}

case "${1:-}" in
--check | --check-page)
    node kron-js/playground/build.mjs --check "$2" || { echo "scripts/playground.sh $2 makes it again" >&2; exit 1; }
    [ "$1" = --check ] || exit 0
    wanted=$(sources)
    if [ "$(tail -n 1 "$2")" != "$wanted" ]; then
        echo "the module in $2 was made from other sources; scripts/playground.sh $2 makes it again" >&2
        exit 1
    fi
    exit 0
    ;;
esac
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
out=${1:-$target/playground/index.html}
wasm=$(bash scripts/wasm.sh --fleet)
mkdir -p "$(dirname "$out")"
python3 scripts/gz.py "$wasm" >"$wasm.gz"
node kron-js/playground/build.mjs "$wasm.gz" "$out"
sources >>"$out"
echo "$out"
