#!/usr/bin/env bash
# The page of `kron forecast -o html` in Chromium, which this script installs where it is missing (Debian's packages).
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
    apt-get update -qq
    apt-get install -y -qq chromium chromium-driver
fi
CHROMIUM=$(command -v chromium)
CHROMEDRIVER=$(command -v chromedriver)
export CHROMIUM CHROMEDRIVER

venv=target/page-venv
# Some distributions pack venv apart.
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" ||
    { apt-get update -qq && apt-get install -y -qq python3-venv && python3 -m venv "$venv"; }
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement kron-cli/tests/page/requirements.txt

# The same build that the tests of the workspace use.
cargo build --locked --quiet --workspace --all-features --bin kron
KRON=${CARGO_TARGET_DIR:-$PWD/target}/debug/kron "$venv/bin/python" -m pytest -q -p no:cacheprovider kron-cli/tests/page
