#!/usr/bin/env bash
# What a platform team installs: the files in kron-operator/integrations, of which Lua and CEL run in Python and the alerts by promtool of
# Debian's package; the chart and the manifests, by the helm and the kubectl of scripts/kubectl.sh; the command in repositories, by
# pre-commit and as a step of a workflow; and how a release is made.
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
    local programs
    programs=$(bash scripts/kubectl.sh)
    HELM=${programs:+$programs/helm} KUBECTL=${programs:+$programs/kubectl}
    export HELM=${HELM:-helm} KUBECTL=${KUBECTL:-kubectl}
    install_venv python3 "$target/integrations-venv" kron-operator/integrations/tests/requirements.txt
    "$target/integrations-venv/bin/python" -m pytest -q -p no:cacheprovider \
        kron-operator/integrations/tests kron-operator/tests/deploy
}

# The command of the build; without one, as where this script runs alone, it is built.
command_kron() { [ -x "$KRON" ] || cargo build "${workspace[@]}" --bin kron; }

repositories() {
    PATH=$target/integrations-venv/bin:$PATH python -m pytest -q -p no:cacheprovider \
        scripts/test_pre_commit.py scripts/test_action.py
}

# `zizmor` looks for what makes workflows and the action insecure.
release() {
    PATH=$target/integrations-venv/bin:$PATH python -m pytest -q -p no:cacheprovider scripts/test_release.py
}

export KRON=$target/debug/kron
need "command" command_kron
step "integrations" integrations
step "command in repositories" repositories
step "release" release
