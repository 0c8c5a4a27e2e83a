#!/usr/bin/env bash
# Tests the Go module. Where its toolchain or that of the WebAssembly module cannot be had, it says so and tests nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

build() {
    local code=0
    { bash scripts/go.sh >"$target/go.path" && bash scripts/wasm.sh >"$target/wasm.path"; } || code=$?
    # 3: there is no toolchain. The line above says why.
    [ "$code" != 3 ] || rm "$target/go.path"
    [ "$code" = 3 ] || return "$code"
    [ -e "$target/go.path" ] || return 0
    python3 scripts/go_module.py "$(cat "$target/wasm.path")"
    # By cgo, for the race detector.
    install_programs gcc
}

sources() {
    local wrong
    wrong=$("$("$go" env GOROOT)/bin/gofmt" -l kron-go)
    [ -z "$wrong" ] || { echo "gofmt: $wrong"; return 1; }
    "$go" -C kron-go vet ./...
    python3 scripts/go_module.py --check
}

tests() { CGO_ENABLED=1 "$go" -C kron-go test -race -v ./...; }

# As everywhere, and as where wazero does not compile.
conformance() {
    "$go" -C kron-go build -o "$target/go-conformance" ./internal/conformance
    python3 testing/conformance/run.py -- "$target/go-conformance"
    python3 testing/conformance/run.py -- "$target/go-conformance" --interpreted
}

fuzz() { "$go" -C kron-go test -v -run '^$' -fuzz FuzzParser -fuzztime "${KRON_GO_FUZZ:-10s}" .; }
benchmarks() { "$go" -C kron-go test -run '^$' -bench . -benchtime 1x ./...; }

rm -f "$target/go.path"
need "Go: build" build
[ -e "$target/go.path" ] || exit 0
go=$(cat "$target/go.path")
step "Go: format and vet" sources
step "Go: tests" tests
step "Go: conformance" conformance
step "Go: fuzz test" fuzz
step "Go: benchmarks" benchmarks
