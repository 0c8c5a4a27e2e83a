#!/usr/bin/env bash
# Runs every test of the project. Needs Rust, gcc, g++, Python 3.11, and Chromium, jq, zsh and fish, which it installs by apt-get
# where they are missing; takes a time zone database for Python from PyPI where the system has none.
set -euo pipefail
cd "$(dirname "$0")/.."

zones='import zoneinfo; zoneinfo.ZoneInfo("Europe/Paris")'
python3 -c "$zones" 2>/dev/null || python3 -m pip install --quiet tzdata

# The golden vectors, computed independently of the Rust code.
python3 testing/data/vectors/oracle.py --check
python3 testing/data/vectors/math_oracle.py

# The cron corpus, computed again; the conformance kit with the same program; and that wrong answers are found.
python3 testing/conformance/make_cron_corpus.py --check
python3 testing/conformance/run.py --suite duration --suite name --suite plan -- python3 testing/conformance/oracle_driver.py
for wrong in "1 cat" "2 echo x" "2 no-such-program"; do
    code=0
    # shellcheck disable=SC2086 # words of a command
    python3 testing/conformance/run.py --suite name -- ${wrong#* } > /dev/null || code=$?
    [ "$code" = "${wrong%% *}" ] || { echo "the conformance kit ends with $code for ${wrong#* }"; exit 1; }
done

# Certificates of `kron spread`, checked without Kron; and that none of them holds after a change.
python3 scripts/check_spread.py --self-test

# Primed schedules, checked by trying out all answers.
python3 testing/data/prime/brute_force.py

# Instructions of hot calls against the recorded ones, where valgrind is installed.
python3 scripts/check_instructions.py

# Tests render the Helm chart by Helm, or by its library.
HELM_PYTHON=$(bash scripts/helm_python.sh)
export HELM_PYTHON KRON_HELM=required

# Tests run the commands of the operator's pages by kubectl and Helm, against the model of the API server.
KUBECTL_DIR=$(bash scripts/kubectl.sh)
export KUBECTL_DIR
[ -z "$KUBECTL_DIR" ] || export KRON_KUBECTL=required
# One of the commands pipes into jq.
command -v jq > /dev/null || { apt-get update -qq && apt-get install -y -qq jq > /dev/null; }

# Tests of completions run these shells.
for shell in zsh fish; do
    command -v "$shell" > /dev/null || { apt-get update -qq && apt-get install -y -qq "$shell" > /dev/null; }
done
export KRON_SHELLS=required

# More seeds of the simulation than without these variables.
export KRON_SIM_SEEDS=2000 KRON_SIM_REPEATED=20

# Every feature together, then the core as users without the standard library have it.
cargo test --locked --workspace --all-features
cargo test --locked --package kron-core --no-default-features --lib

# The core's benches run once each, as tests: their answers are checked, nothing is timed. test_ffi.sh runs the one of libkron.
benches=()
for bench in benches/benches/*.rs; do
    benches+=(--bench "$(basename "$bench" .rs)")
done
cargo test --locked --workspace --all-features "${benches[@]}"

# The core's examples, each of which checks what it prints, and the one of the README with its own dependencies. Like the
# command `kron` below, they are the build that the tests of the workspace use: with other features, all would be built again.
cargo build --locked --quiet --workspace --all-features --examples
for example in kron-core/examples/*.rs kron-fleet/examples/*.rs; do
    "${CARGO_TARGET_DIR:-target}/debug/examples/$(basename "$example" .rs)" > /dev/null
done
python3 scripts/check_readme.py

# Converted timers against systemd, where systemd-analyze is installed.
python3 scripts/check_timers.py

# A runner that is killed at random times: what became of every period, against an independent computation. Two minutes.
python3 scripts/check_runner.py

# The Debian package, where dpkg-dev is installed.
bash scripts/test_deb.sh

# Pages of forecasts in a browser.
bash scripts/test_html.sh

# Alerts, health checks and policies for clusters.
bash scripts/test_integrations.sh

# The core in C: C and C++ programs against an installed tree, plain, under sanitizers and under valgrind.
bash scripts/test_ffi.sh

# The core in Python: the wheel, its types, its tests.
bash scripts/test_py.sh
