#!/usr/bin/env bash
# Fuzzes targets of testing/fuzz/ with a stable compiler: scripts/fuzz.sh [--inputs N] [TARGET...], all targets without names. Prints a line
# for each target. The corpus of a target is kept in target/fuzz-corpus, so a later run continues it. A crash ends the script and
# leaves its input there.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${CARGO_TARGET_DIR:-target}

inputs=10000000
if [ "${1:-}" = --inputs ]; then
    inputs=$2
    shift 2
fi
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for file in testing/fuzz/fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi

# Coverage as cargo-fuzz sets it, without the sanitizers, which need a nightly compiler. With --target, build scripts have none.
# Traced comparisons show the fuzzer which values a branch waits for, at half of the speed, and long inputs take long: a hundredth
# of the inputs is traced and has up to 4,096 bytes, the others have up to 512.
triple=$(rustc --print host-tuple)
coverage="--cfg fuzzing -C passes=sancov-module -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
-C llvm-args=-sanitizer-coverage-pc-table -C debug-assertions -C overflow-checks"
build() {
    RUSTFLAGS="$coverage $2" cargo build --quiet --locked --release --manifest-path testing/fuzz/Cargo.toml --target "$triple" \
        --target-dir "$folder/fuzz-$1"
}
build traced "-C llvm-args=-sanitizer-coverage-level=4 -C llvm-args=-sanitizer-coverage-trace-compares"
build plain "-C llvm-args=-sanitizer-coverage-level=3"

for target in "${targets[@]}"; do
    corpus=$folder/fuzz-corpus/$target
    mkdir -p "$corpus"
    executed=0
    began=$SECONDS
    for kind in traced plain; do
        if [ "$kind" = traced ]; then runs=$((inputs / 100)) length=4096; else runs=$((inputs - executed)) length=512; fi
        log=$corpus-$kind.log
        "$folder/fuzz-$kind/$triple/release/$target" -runs="$runs" -max_len="$length" -timeout=60 -rss_limit_mb=2048 \
            -print_final_stats=1 -artifact_prefix="$folder/fuzz-corpus/$target-" "$corpus" > "$log" 2>&1 || { tail -n 30 "$log"; exit 1; }
        executed=$((executed + $(sed -n 's/^stat::number_of_executed_units: *//p' "$log")))
    done
    echo "$target: $executed inputs in $((SECONDS - began)) s, corpus of $(find "$corpus" -type f | wc -l)"
done
