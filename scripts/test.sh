#!/usr/bin/env bash
# The tests that everybody runs: every crate, C, Python and the vectors, on one development build of the workspace. Needs Rust,
# gcc, g++ and Python 3.11; gets packages of Python from PyPI. scripts/test_all.sh has the tests that take long or need more programs.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

conformance_kit() {
    python3 testing/conformance/run.py --suite duration --suite name --suite plan -- python3 testing/conformance/oracle_driver.py
    # Wrong answers are found.
    local wrong code
    for wrong in "1 cat" "2 echo x" "2 no-such-program"; do
        code=0
        # shellcheck disable=SC2086 # words of a command
        python3 testing/conformance/run.py --suite name -- ${wrong#* } >/dev/null || code=$?
        [ "$code" = "${wrong%% *}" ] || { echo "the conformance kit ends with $code for ${wrong#* }"; return 1; }
    done
}

# The examples of the libraries, each of which checks what it prints. The service has a test of its own.
examples() {
    local example
    for example in kron-core/examples/*.rs kron-fleet/examples/*.rs; do
        [ "$example" != kron-fleet/examples/service.rs ] || continue
        "$target/debug/examples/$(basename "$example" .rs)" >/dev/null
    done
}

# Guesses are compiled with the libraries of the build, which is not built again.
guesses() {
    build_workspace --quiet --message-format=json >"$target/build.json"
    python3 testing/guesses/rust/run.py "$target/build.json"
}

zones='import zoneinfo; zoneinfo.ZoneInfo("Europe/Paris")'
python3 -c "$zones" 2>/dev/null || python3 -m pip install --quiet tzdata || install_programs tzdata
install_programs cc=gcc c++=g++

# Both download, while programs in Python compute what the Rust code must answer.
beside "scripts/test_py.sh --tools"
cargo fetch --locked --quiet &

step "counting of tests" python3 scripts/sum_tests.py --self-test
step "golden vectors" python3 testing/data/vectors/oracle.py --check
step "golden vectors of functions" python3 testing/data/vectors/math_oracle.py
step "cron corpus" python3 testing/conformance/make_cron_corpus.py --check
step "files to adopt" python3 testing/data/adopt_check.py
step "conformance kit" conformance_kit
step "certificates of kron spread" python3 scripts/check_spread.py --self-test
step "kron run: the check of its faults" python3 scripts/check_runner_faults --self-test

need "build" build_workspace
joined
# Many tests in Rust use one processor.
beside scripts/test_ffi.sh scripts/test_py.sh
# The benches run once each; their answers are checked, nothing is timed.
step "Rust" cargo test "${workspace[@]}" --no-fail-fast --tests --bench '*'
step "Rust: examples in documentation" cargo test "${workspace[@]}" --no-fail-fast --doc
step "Rust: examples" examples
step "Rust: guesses" guesses
joined
