#!/usr/bin/env bash
# Makes the playground: one HTML file with the WebAssembly module in it. Prints its path.
#
#     scripts/playground.sh [FILE]      default: target/playground/index.html
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
out=${1:-$target/playground/index.html}
wasm=$(bash scripts/wasm.sh --fleet)
mkdir -p "$(dirname "$out")"
node kron-js/playground/build.mjs "$wasm" "$out"
echo "$out"
