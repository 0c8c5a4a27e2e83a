#!/usr/bin/env bash
# Checks the licences, versions and sources of all dependencies against deny.toml, and the advisories of RustSec where their
# database can be had. Says so and ends well where cargo-deny is not installed (`cargo install --locked cargo-deny`).
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v cargo-deny >/dev/null; then
    echo "cargo-deny is not installed: the dependencies are not checked"
    exit 0
fi
cargo-deny --locked --all-features check --hide-inclusion-graph licenses bans sources

# The database is a repository on GitHub, which may be out of reach.
if cargo-deny --locked --all-features fetch db >/dev/null 2>&1; then
    cargo-deny --locked --all-features check --hide-inclusion-graph --disable-fetch advisories
else
    echo "the database of advisories cannot be fetched: advisories are not checked"
fi
