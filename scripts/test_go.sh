#!/usr/bin/env bash
# Tests the Go module. Where its toolchain or that of the WebAssembly module cannot be had, it says so and tests nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

build() {
    local code=0
    { bash scripts/go.sh >"$target/go.path" && bash scripts/wasm.sh >"$target/wasm.path"; } || code=$?
    if [ "$code" != 0 ]; then
        # 3: there is no toolchain. The line above says why.
        rm "$target/go.path"
        [ "$code" = 3 ] || return "$code"
        return 0
    fi
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

fuzz() { "$go" -C kron-go test -v -run '^$' -fuzz FuzzParser -fuzzminimizetime 1x -fuzztime "${KRON_GO_FUZZ:-5s}" .; }
benchmarks() { "$go" -C kron-go test -run '^$' -bench . -benchtime 1x ./...; }

# As a program gets the module: from the files of the tag alone.
release() {
    local folder=$target/go-release owner=somebody modules=kron-go/go.mod
    rm -rf "$folder"
    git clone --quiet . "$folder"
    git -C "$folder" config user.email tests@example.org
    git -C "$folder" config user.name tests
    bash "$folder/scripts/release_go.sh" $owner "$(cat "$target/wasm.path")"
    git -C "$folder" -c advice.detachedHead=false checkout --quiet "$(git -C "$folder" tag --list 'kron-go/*')"
    python3 "$folder/scripts/go_module.py" --check
    mkdir "$folder/program"
    # Where Debian has the modules that it needs, if it is Debian's Go.
    [ "$go" != "$target/go-toolchain/go" ] || modules=$target/go-toolchain/go.mod
    sed "s|^module .*|module program|" "$modules" >"$folder/program/go.mod"
    cp kron-go/go.sum "$folder/program/"
    cat >>"$folder/program/go.mod" <<END
require github.com/$owner/kron/kron-go v0.0.0
replace github.com/$owner/kron/kron-go => ../kron-go
END
    cat >"$folder/program/main.go" <<END
package main

import (
	"fmt"
	"time"

	kron "github.com/$owner/kron/kron-go"
)

func main() {
	job, err := kron.Parse("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)")
	if err != nil {
		panic(err)
	}
	fmt.Println(job.Next(time.Unix(1772366400, 0)).UTC())
}
END
    [ "$(GOFLAGS=-mod=mod "$go" -C "$folder/program" run .)" = "2026-03-02 00:09:23 +0000 UTC" ]
}

rm -f "$target/go.path"
need "Go: build" build
[ -e "$target/go.path" ] || exit 0
go=$(cat "$target/go.path")
step "Go: format and vet" sources
step "Go: tests" tests
step "Go: conformance" conformance
step "Go: fuzz test" fuzz
step "Go: benchmarks" benchmarks
step "Go: release" release
