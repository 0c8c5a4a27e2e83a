#!/usr/bin/env bash
# The page of `kron forecast -o html`, and the playground, in Chromium, which this script installs where it is missing (Debian's packages).
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

page() {
    install_programs chromium chromedriver=chromium-driver
    CHROMIUM=$(command -v chromium)
    CHROMEDRIVER=$(command -v chromedriver)
    export CHROMIUM CHROMEDRIVER
    install_venv python3 "$target/page-venv" kron-cli/tests/page/requirements.txt
    # For the file axe.min.js in it, which needs no other package.
    "$target/page-venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps axe-playwright-python==0.1.8
    build_workspace --quiet
    KRON=$target/debug/kron "$target/page-venv/bin/python" -m pytest -q -p no:cacheprovider kron-cli/tests/page
}

# The committed page is that of its sources. Its module may be older: a release compares that, too.
committed() {
    install_programs node=nodejs
    bash scripts/playground.sh --check-page docs/playground/index.html
}

# Without a toolchain for WebAssembly, there is no playground.
playground() {
    local code=0 file
    file=$(bash scripts/playground.sh) || code=$?
    [ "$code" != 3 ] || return 0
    [ "$code" = 0 ] || return "$code"
    KRON=$target/debug/kron PLAYGROUND=$file "$target/page-venv/bin/python" -m pytest -q -p no:cacheprovider kron-js/tests/playground
}

step "browser" page
step "playground: committed page" committed
step "playground" playground
