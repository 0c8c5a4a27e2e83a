#!/usr/bin/env bash
# Tests the WebAssembly module and the package for JavaScript in node. Where its toolchain cannot be had, it says so and tests nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

# As Debian's node 18 has it.
node_tests() { node --test --test-reporter=tap "$@"; }

build() {
    install_programs node=nodejs npm
    local code=0
    bash scripts/wasm.sh >"$target/wasm.path" || code=$?
    # 3: there is no toolchain. The line above says why.
    [ "$code" != 3 ] || rm "$target/wasm.path"
    [ "$code" != 0 ] || bash scripts/wasm.sh --fleet >"$target/wasm_fleet.path" || code=$?
    [ "$code" = 3 ] || return "$code"
}

module() { KRON_WASM=$wasm node_tests kron-wasm/tests/module.test.mjs; }
conformance() {
    python3 testing/conformance/run.py -- node testing/conformance/wasm_driver.mjs "$wasm"
    python3 testing/conformance/run.py --suite kronjob -- node testing/conformance/wasm_driver.mjs "$(cat "$target/wasm_fleet.path")"
}

package() {
    install_programs chromium
    node kron-js/build.mjs "$wasm" "$(cat "$target/wasm_fleet.path")"
    CHROMIUM=$(command -v chromium) node_tests kron-js/tests/*.test.mjs
}

rm -f "$target/wasm.path"
if ! command -v npm >/dev/null && ! command -v apt-get >/dev/null; then
    echo "WebAssembly: skipped, there is no npm and no apt-get to install it"
    exit 0
fi
need "WebAssembly: build" build
[ -e "$target/wasm.path" ] || exit 0
wasm=$(cat "$target/wasm.path")
step "WebAssembly: module" module
step "WebAssembly: conformance" conformance
step "JavaScript" package
