#!/usr/bin/env bash
# Fuzzes targets of fuzz/ with a stable compiler: scripts/fuzz.sh [--inputs N] [TARGET...], all targets without names. Prints a line
# for each target. The corpus of a target is kept in target/fuzz-corpus, so a later run continues it. A crash ends the script and
# leaves its input there.
set -euo pipefail
cd "$(dirname "$0")/.."

inputs=10000000
if [ "${1:-}" = --inputs ]; then
    inputs=$2
    shift 2
fi
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for file in fuzz/fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi

# Coverage as cargo-fuzz sets it, without the sanitizers, which need a nightly compiler. With --target, build scripts have none.
triple=$(rustc --print host-tuple)
RUSTFLAGS="--cfg fuzzing -C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=4 \
-C llvm-args=-sanitizer-coverage-inline-8bit-counters -C llvm-args=-sanitizer-coverage-pc-table \
-C llvm-args=-sanitizer-coverage-trace-compares -C debug-assertions -C overflow-checks"
export RUSTFLAGS
build=target/fuzz-coverage
cargo build --quiet --locked --release --manifest-path fuzz/Cargo.toml --target "$triple" --target-dir "$build"

for target in "${targets[@]}"; do
    corpus=target/fuzz-corpus/$target
    mkdir -p "$corpus"
    log=$corpus.log
    "$build/$triple/release/$target" -runs="$inputs" -max_len=4096 -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="target/fuzz-corpus/$target-" "$corpus" > "$log" 2>&1 || { tail -n 30 "$log"; exit 1; }
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    second=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    echo "$target: $executed inputs, $second a second, corpus of $(find "$corpus" -type f | wc -l)"
done
