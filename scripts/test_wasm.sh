#!/usr/bin/env bash
# Tests the WebAssembly module in node. Where its toolchain cannot be had, it says so and tests nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

# As Debian's node 18 has it.
node_tests() { node --test --test-reporter=tap "$@"; }

module() {
    install_programs node=nodejs
    local code=0
    bash scripts/wasm.sh >"$target/wasm.path" || code=$?
    # 3: there is no toolchain. The line above says why.
    [ "$code" != 3 ] || return 0
    [ "$code" = 0 ] || return "$code"
    KRON_WASM=$(cat "$target/wasm.path") node_tests kron-wasm/tests/module.test.mjs
}

step "WebAssembly" module
