#!/usr/bin/env bash
# The tests that take long or need more programs than scripts/test.sh. `.ci/run` runs both. It installs by apt-get and from PyPI what
# it needs, except systemd-analyze and dpkg-dev: without them, their parts are left out. Variables set larger sizes, such as those of
# the scheduled workflow on GitHub:
#
#     KRON_SIM_SEEDS       how many seeds of the simulation to run, from 60 on
#     KRON_RUNNER_SEEDS    how many seeds of the runner with a disk that fails
#     KRON_FUZZ_INPUTS     how many programs of C functions to run
#     KRON_GO_FUZZ         for how long to give texts to the Go module, such as 10m
#     KRON_KILL_MINUTES    for how many minutes to kill `kron run` again and again
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

tests() { cargo test "${workspace[@]}" --no-fail-fast "$@"; }

# scripts/test.sh runs the 60 seeds before these.
simulation() {
    KRON_SIM_FIRST=60 KRON_SIM_SEEDS=${KRON_SIM_SEEDS:-200} KRON_SIM_REPEATED=20 tests --test simulation no_period_runs_twice
}

# Exhaustive searches, processes that are killed, large clusters. What is skipped are processes that tests start themselves.
ignored() {
    tests --lib --test suite --test simulation -- --ignored --skip runner_process --skip mounts::
    tests --test bugs --test scale
}

sizes() {
    KRON_RUNNER_SEEDS=${KRON_RUNNER_SEEDS:-500} KRON_FUZZ_INPUTS=${KRON_FUZZ_INPUTS:-400000} \
        tests --test suite -- disk::no_fault fuzz::c_surface
}

shells() {
    install_programs zsh fish
    KRON_SHELLS=required tests --test suite -- completions::
}

# The Helm chart, by Helm or its library; and the commands of the operator's pages, by kubectl and Helm on the model of the API server.
helm_and_kubectl() {
    install_programs jq
    HELM_PYTHON=$(bash scripts/helm_python.sh)
    KUBECTL_DIR=$(bash scripts/kubectl.sh)
    export HELM_PYTHON KUBECTL_DIR KRON_HELM=required
    [ -z "$KUBECTL_DIR" ] || export KRON_KUBECTL=required
    tests --test suite -- deploy:: pages::
}

# libFuzzer is C++.
fuzz_targets() {
    install_programs c++=g++
    cargo check --locked --manifest-path testing/fuzz/Cargo.toml --target-dir "$target/fuzz"
}

# A machine that cannot have valgrind counts no instructions.
instructions() {
    install_programs valgrind || true
    python3 scripts/check_instructions.py
}

# What waits more than it computes.
if [ "${1:-}" = --programs ]; then
    step "kron run, killed at random times" python3 scripts/check_runner.py --kron "$target/debug/kron" --minutes "${KRON_KILL_MINUTES:-2}"
    step "completions in shells" shells
    step "Helm and kubectl" helm_and_kubectl
    step "systemd" python3 scripts/check_timers.py
    step "rows of a real server, on the model" bash scripts/real_server.sh --workspace --rows corpus place starts --starts 20
    step "Debian package" bash scripts/test_deb.sh
    script scripts/test_html.sh
    script scripts/test_wasm.sh
    script scripts/test_go.sh
    script scripts/test_integrations.sh
    exit
fi

need "build" build_workspace
# Each of these rows uses about one processor.
beside "scripts/test_all.sh --programs"
beside "scripts/test_ffi.sh --long" "scripts/test_py.sh --long"
step "Rust: tests that take long" ignored
step "simulation" simulation
step "Rust: larger sizes" sizes
step "primed schedules, by trying out all" python3 testing/data/prime/brute_force.py
step "README" python3 scripts/check_readme.py
step "fuzz targets" fuzz_targets
step "instructions" instructions
joined
