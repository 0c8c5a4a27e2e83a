#!/usr/bin/env bash
# Prints the path of a program `go` that builds the module in kron-go/: an installed Go where it can fetch the modules that kron-go needs,
# or else Debian's packages of Go and of these modules. Call it as
#
#     "$(scripts/go.sh)" -C kron-go test ./...
#     scripts/go.sh --debian   takes Debian's in any case
#
# Ends with code 3, and a line that says why, where neither can be had.
set -euo pipefail
cd "$(dirname "$0")/.."

# Debian's Go, unpacked.
folder=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")/go-toolchain
mkdir -p "$folder"
source scripts/debian.sh
no_go() { unavailable Go "$*"; }

# A Go of at least the version that go.mod names. It is not to fetch another Go.
has_modules() {
    command -v go >/dev/null && GOTOOLCHAIN=local timeout 120 go -C kron-go mod download >"$folder/download.log" 2>&1
}

# Go, and the modules that go.mod requires.
needed() {
    unstable_installs golang-go golang-github-tetratelabs-wazero-dev golang-golang-x-sys-dev golang-github-robfig-cron-dev | grep '^golang-'
}

# The committed go.mod with each module at the version and in the folder that Debian has.
write_go_mod() {
    local source=$folder/root/usr/share/gocode/src module from
    cp kron-go/go.mod "$folder/go.mod"
    for module in github.com/tetratelabs/wazero golang.org/x/sys github.com/robfig/cron/v3; do
        # Debian's folders have no versions in their names.
        from=$source/${module%/v3}
        [ -e "$from/go.mod" ] || { echo "there is no $module in Debian's packages"; return 1; }
        echo "replace $module => $from" >>"$folder/go.mod"
        # A version that is newer than the one in go.mod may ask for a newer Go than kron-go does.
        sed -E -i "s/^go 1\.(2[6-9]|[3-9][0-9]).*/$(grep '^go ' kron-go/go.mod)/" "$from/go.mod"
    done
}

write_go() {
    local root
    root=$(echo "$folder"/root/usr/lib/go-*)
    [ -x "$root/bin/go" ] || { echo "Debian's packages have no program go"; return 1; }
    cat >"$folder/go" <<END
#!/bin/sh
export GOROOT="$root" GOPROXY=off GOSUMDB=off GOTOOLCHAIN=local GOFLAGS="\${GOFLAGS--modfile=$folder/go.mod}" GOCACHE="$folder/cache-of-go"
exec "$root/bin/go" "\$@"
END
    chmod +x "$folder/go"
}

use_debian() {
    unpack_unstable needed && write_go_mod >"$folder/debian.log" && write_go >"$folder/debian.log" || no_go "$(tail -1 "$folder/debian.log")"
    "$folder/go" version >"$folder/debian.log" 2>&1 || {
        rm -rf "$folder/root"
        no_go "Debian's Go does not start: $(tail -1 "$folder/debian.log")"
    }
    echo "$folder/go"
}

if [ "${1:-}" = --debian ] || ! has_modules; then
    use_debian
else
    command -v go
fi
