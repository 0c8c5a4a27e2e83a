#!/usr/bin/env bash
# Tests of libkron: its Rust tests, then C and C++ programs against an installed tree, plain, under sanitizers and under
# valgrind. Needs Rust, Python 3.9, gcc and g++; installs valgrind, CMake and pkg-config by apt where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
command -v valgrind >/dev/null || missing+=(valgrind)
command -v cmake >/dev/null || missing+=(cmake)
command -v pkg-config >/dev/null || missing+=(pkg-config)
command -v gcc >/dev/null || missing+=(gcc)
command -v g++ >/dev/null || missing+=(g++)
if [ ${#missing[@]} -gt 0 ]; then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  # libc6-dbg: valgrind needs the symbols of the loader.
  $sudo apt-get install -y -qq "${missing[@]}" libc6-dbg >/dev/null
fi

target=$(cargo metadata --locked --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
work="$target/ffi-test" prefix="$target/ffi-test/install" tests=kron-ffi/tests/c
rm -rf "$work"
mkdir -p "$work"
step() { printf '\n-- %s\n' "$*"; }
fail() { echo "test_ffi: $*" >&2; exit 1; }

step "Rust: header, source, allocations, fuzz programs"
cargo test --locked --quiet --package kron-ffi --lib --tests

step "install"
kron-ffi/install.sh --prefix "$prefix"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
version=$(pkg-config --modversion kron)
[ -e "$prefix/lib/libkron.so.$version" ] || fail "no libkron.so.$version"
readelf -d "$prefix/lib/libkron.so" | grep "soname: \[libkron.so.$version\]" >/dev/null || fail "the soname is not the version"
nm -D --defined-only "$prefix/lib/libkron.so" | awk '{print $3}' | LC_ALL=C sort >"$work/symbols.txt"
LC_ALL=C sort kron-ffi/symbols.txt | diff - "$work/symbols.txt" || fail "the library exports other symbols than kron-ffi/symbols.txt"
echo "exports: $(wc -l <"$work/symbols.txt") symbols, as in the snapshot"

step "install --strip"
stripped="$work/stripped"
kron-ffi/install.sh --prefix "$stripped" --strip
for file in libkron.a "libkron.so.$version"; do
  [ "$(stat -c %s "$stripped/lib/$file")" -lt "$(stat -c %s "$prefix/lib/$file")" ] || fail "--strip does not make $file smaller"
done
if readelf -SW "$stripped/lib/libkron.a" | grep -E '\.(llvmbc|debug_info) ' >/dev/null; then fail "--strip leaves bitcode or debug information"; fi
nm -D --defined-only "$stripped/lib/libkron.so" | awk '{print $3}' | LC_ALL=C sort | diff "$work/symbols.txt" - ||
  fail "--strip removes symbols that programs need"
nm -g --defined-only "$stripped/lib/libkron.a" | awk 'NF == 3 {print $3}' | LC_ALL=C sort | diff "$work/symbols.txt" - ||
  fail "the stripped static library has other symbols than those of kron.h"
[ "$(stat -c %s "$stripped/lib/libkron.a")" -lt 12000000 ] || fail "the stripped static library has more than 12 MB"
du -h "$prefix/lib/libkron.a" "$stripped/lib/libkron.a" "$prefix/lib/libkron.so.$version" "$stripped/lib/libkron.so.$version"

step "native libraries"
native=$(cargo rustc --locked --package kron-ffi --lib --crate-type staticlib -- --print native-static-libs 2>&1 |
  sed -n 's/^note: native-static-libs: //p')
for file in kron-ffi/README.md kron-ffi/kron.pc.in; do
  grep -qF -- "$native" "$file" || fail "$file does not name the native libraries: $native"
done
cmake_libs=$(sed 's/-l//g' <<<"$native")
grep -qF "INTERFACE_LINK_LIBRARIES $cmake_libs)" kron-ffi/cmake/kron-config.cmake || fail "kron-config.cmake does not name $cmake_libs"
echo "native libraries: $native"

step "C and C++"
warnings=(-Wall -Wextra -Wpedantic -Werror)
c=(gcc -std=c99 -D_POSIX_C_SOURCE=200809L "${warnings[@]}" -g -O1)
shared=($(pkg-config --cflags --libs kron))
# Static, so that the sanitizers' allocator is the library's, too.
static=(-I"$prefix/include" "$prefix/lib/libkron.a" $native)
python3 $tests/make_misuse.py "$prefix/include/kron.h" >"$work/misuse.c"
python3 $tests/vectors.py testing/data/vectors >"$work/vectors.txt"
python3 $tests/make_examples.py kron-ffi/README.md >"$work/examples.c"
for name in $(cat kron-ffi/symbols.txt); do
  grep -qw "$name" $tests/*.c $tests/wrapper.cpp || fail "no C test uses $name"
  grep -qw "found = $name\|test_$name" "$work/misuse.c" || fail "no C test misuses $name"
done

# What is run: name, argument in plain runs, under sanitizers, under valgrind.
runs="abi:::
surface:::
many:::
tzdb:::
vectors:$work/vectors.txt:$work/vectors.txt:$work/vectors.txt
misuse:1000:100:5
lifetimes:61:367:18013
threads:100:20:2
examples:::"
source_of() { if [ -e "$work/$1.c" ]; then echo "$work/$1.c"; else echo "$tests/$1.c"; fi; }
while IFS=: read -r name plain sanitized grind; do
  "${c[@]}" -I$tests "$(source_of "$name")" "${shared[@]}" -lpthread -lm -o "$work/$name"
  "$work/$name" $plain
done <<<"$runs"
g++ -std=c++17 "${warnings[@]}" -g $tests/wrapper.cpp "${shared[@]}" -o "$work/wrapper"
"$work/wrapper"
"${c[@]}" -I$tests "$work/examples.c" -I"$stripped/include" "$stripped/lib/libkron.a" $native -o "$work/examples_stripped"
for name in surface many tzdb; do
  "${c[@]}" -I$tests $tests/$name.c -I"$stripped/include" "$stripped/lib/libkron.a" $native -o "$work/${name}_stripped"
  "$work/${name}_stripped"
done
"$work/examples_stripped"
# The header alone, as each language's strictest reader has it.
for standard in c99 c11 c17; do gcc -std=$standard "${warnings[@]}" -Wstrict-prototypes -fsyntax-only -x c "$prefix/include/kron.h"; done
for standard in c++17 c++20; do
  g++ -std=$standard "${warnings[@]}" -fsyntax-only -x c++ - <<<'#include "kron.hpp"' -I"$prefix/include"
done

step "AddressSanitizer and UndefinedBehaviorSanitizer"
sanitize=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
while IFS=: read -r name plain sanitized grind; do
  "${c[@]}" "${sanitize[@]}" -I$tests "$(source_of "$name")" "${static[@]}" -o "$work/$name.asan"
  nm "$work/$name.asan" | grep __asan_report >/dev/null || fail "$name was built without AddressSanitizer"
  "$work/$name.asan" $sanitized
done <<<"$runs"
g++ -std=c++17 "${warnings[@]}" "${sanitize[@]}" -g $tests/wrapper.cpp "${static[@]}" -o "$work/wrapper.asan"
"$work/wrapper.asan"
# The sanitizers must have been at work: two programs that are wrong on purpose.
for wrong in leak:LeakSanitizer use_after_free:heap-use-after-free; do
  name=${wrong%%:*}
  "${c[@]}" "${sanitize[@]}" -w $tests/$name.c "${static[@]}" -o "$work/$name.asan"
  if "$work/$name.asan" 2>"$work/$name.txt"; then fail "AddressSanitizer let $name pass"; fi
  grep -q "${wrong##*:}" "$work/$name.txt" || fail "AddressSanitizer did not say ${wrong##*:}"
done
echo "sanitizers: clean, and they found both programs that are wrong on purpose"

step "valgrind"
# The development build: what the optimiser reads ahead from unions, and does not use, looks like a mistake to valgrind.
cargo build --locked --quiet --package kron-ffi --lib
mkdir -p "$work/development"
cp "$target/debug/libkron.so" "$work/development/libkron.so.$version"
export LD_LIBRARY_PATH="$work/development"
while IFS=: read -r name plain sanitized grind; do
  valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=9 \
    "$work/$name" $grind || fail "valgrind found errors in $name"
done <<<"$runs"
valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=9 "$work/wrapper" ||
  fail "valgrind found errors in wrapper"
"${c[@]}" -w $tests/leak.c "${shared[@]}" -o "$work/leak"
if valgrind --quiet --leak-check=full --errors-for-leak-kinds=all --error-exitcode=9 "$work/leak" 2>"$work/leak.txt"; then
  fail "valgrind let the leak pass"
fi
export LD_LIBRARY_PATH="$prefix/lib"
echo "valgrind: no errors, zero leaks, and it found the one on purpose"

step "examples, by CMake's find_package and by pkg-config"
cmake -S kron-ffi/tests/cmake -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$work/cmake.txt" ||
  { cat "$work/cmake.txt"; fail "find_package(kron) does not work"; }
cmake --build "$work/cmake" --parallel 2 >>"$work/cmake.txt" || { cat "$work/cmake.txt"; fail "the examples do not build by CMake"; }
gcc -std=c99 "${warnings[@]}" examples/c/timer.c "${shared[@]}" -o "$work/timer"
want="2026-03-01T00:00:06Z  health/checkout                 2026-03-01T00:00:00Z"
for linkage in kron static; do
  "$work/cmake/next_$linkage" examples/fleet.kron 2026-03-01T00:00:00Z 8 >"$work/next.txt"
  [ "$(head -1 "$work/next.txt")" = "$want" ] && [ "$(wc -l <"$work/next.txt")" = 8 ] || fail "examples/c/next.c answers otherwise"
  "$work/cmake/fleet_$linkage" examples/fleet.kron 1772323200 1772323800 >"$work/fleet.txt"
  grep -q "^1772323206  2026-03-01T00:00:00Z  health/checkout$" "$work/fleet.txt" || fail "examples/cpp/fleet.cpp answers otherwise"
done
readelf -d "$work/cmake/next_kron" | grep "libkron.so.$version" >/dev/null || fail "next_kron does not load libkron.so.$version"
timeout 60 "$work/timer" a/b '@hourly @win(after,50m) @policy(deadline=5m)' 1772323200 3600 >"$work/timer.txt"
[ "$(grep -c '^execute 2026-03-01T0' "$work/timer.txt")" = 5 ] || { cat "$work/timer.txt"; fail "examples/c/timer.c answers otherwise"; }
echo "examples: next, timer and fleet answer as they should"

step "README"
# Its first C program, its compile line and its C++ program. Its other examples are the program `examples` above.
awk '/^```c$/ {on = !done; next} /^```$/ {done = done || on; on = 0} on' kron-ffi/README.md >"$work/hello.c"
line=$(sed -n 's/^cc hello.c/gcc hello.c/p' kron-ffi/README.md | head -1)
[ -n "$line" ] || fail "kron-ffi/README.md has no compile line"
(cd "$work" && eval "$line" && ./hello) >"$work/hello.txt"
says=$(awk '/^```console$/ {on = 1; next} /^```$/ {on = 0} on && !/^\$/' kron-ffi/README.md | head -1)
[ "$(cat "$work/hello.txt")" = "$says" ] || fail "the program of kron-ffi/README.md prints $(cat "$work/hello.txt"), not $says"
awk '/^```cpp$/ {on = 1; next} /^```$/ {on = 0} on' kron-ffi/README.md >"$work/hello.cpp"
g++ -std=c++17 "${warnings[@]}" "$work/hello.cpp" "${shared[@]}" -o "$work/hello_cpp"
"$work/hello_cpp" || fail "the C++ program of kron-ffi/README.md fails"
echo "README: $line"

step "overhead of a call"
cargo bench --locked --quiet --package kron-ffi --bench overhead -- --test >/dev/null
cargo bench --locked --quiet --package kron-ffi --bench overhead

printf '\ntest_ffi: libkron %s passed: Rust tests, C and C++, sanitizers, valgrind, examples, README\n' "$version"
