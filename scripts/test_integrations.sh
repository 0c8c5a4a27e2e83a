#!/usr/bin/env bash
# The files in kron-operator/integrations: Lua and CEL run in Python; the alerts by promtool of Debian's package.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=${CARGO_TARGET_DIR:-$PWD/target}/prometheus
PROMTOOL=$(command -v promtool || echo "$tools/usr/bin/promtool")
if [ ! -x "$PROMTOOL" ]; then
    # The tool alone: the package would also start a server.
    mkdir -p "$tools"
    apt-get update -qq
    (cd "$tools" && apt-get download -qq prometheus && dpkg-deb --extract prometheus_*.deb . && rm prometheus_*.deb)
fi
export PROMTOOL

venv=target/integrations-venv
# Some distributions pack venv apart.
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" ||
    { apt-get update -qq && apt-get install -y -qq python3-venv && python3 -m venv "$venv"; }
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement kron-operator/integrations/tests/requirements.txt
"$venv/bin/python" -m pytest -q -p no:cacheprovider kron-operator/integrations/tests
