#!/usr/bin/env bash
# The files in kron-operator/integrations: Lua and CEL run in Python; the alerts by promtool of Debian's package.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

integrations() {
    local tools=$target/prometheus
    PROMTOOL=$(command -v promtool || echo "$tools/usr/bin/promtool")
    if [ ! -x "$PROMTOOL" ]; then
        # The tool alone: the package would also start a server.
        mkdir -p "$tools"
        apt_get update -qq
        (cd "$tools" && apt_get download -qq prometheus && dpkg-deb --extract prometheus_*.deb . && rm prometheus_*.deb)
    fi
    export PROMTOOL
    install_venv python3 "$target/integrations-venv" kron-operator/integrations/tests/requirements.txt
    "$target/integrations-venv/bin/python" -m pytest -q -p no:cacheprovider kron-operator/integrations/tests
}

step "integrations" integrations
