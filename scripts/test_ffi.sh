#!/usr/bin/env bash
# Tests libkron by programs in C and C++.
#
#     scripts/test_ffi.sh            programs against the libraries of the workspace's development build, and guesses (testing/guesses)
#     scripts/test_ffi.sh --long     the same under sanitizers and valgrind; then the release build, as it is installed, and programs
#                                    that find it by CMake and pkg-config
#
# Needs Rust, Python 3.9, gcc and g++; the long part also valgrind, CMake and pkg-config. Installs by apt what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

work=$target/ffi-test tests=kron-ffi/tests/c
version=$(sed -n 's/^#define KRON_VERSION "\(.*\)"$/\1/p' kron-ffi/include/kron.h)
# The folder of the libraries of the workspace's build, under the names of installed ones.
built=$work/development
# The folder of an installed libkron, and of one without debug information.
prefix=$work/install stripped=$work/stripped
# What a program that is linked statically needs.
native=$(sed -n 's/^Libs.private: //p' kron-ffi/kron.pc.in)
warnings=(-Wall -Wextra -Wpedantic -Werror)
c=(gcc -std=c99 -D_POSIX_C_SOURCE=200809L "${warnings[@]}" -g -O1 -I$tests)
cpp=(g++ -std=c++17 "${warnings[@]}" -g)
development=(-Ikron-ffi/include -L"$built" -Wl,-rpath,"$built" -lkron)
# Static, so that the sanitizers' allocator is the library's, too.
# shellcheck disable=SC2206 # words of a command
static=(-Ikron-ffi/include "$built/libkron.a" $native)
fail() { echo "test_ffi: $*" >&2; exit 1; }

# The programs: name, argument in plain runs, under sanitizers, under valgrind.
programs="abi:::
surface:::
many:::
host:::
tzdb:::
vectors:$work/vectors.txt:$work/vectors.txt:$work/vectors.txt
misuse:1000:100:5
lifetimes:61:367:18013
threads:100:20:2
examples:::"

source_of() { if [ -e "$work/$1.c" ]; then echo "$work/$1.c"; else echo "$tests/$1.c"; fi; }

prepare() {
  install_programs gcc g++
  build_workspace --quiet
  mkdir -p "$built"
  cp "$target/debug/libkron.a" "$built/libkron.a"
  cp "$target/debug/libkron.so" "$built/libkron.so.$version"
  ln -sf "libkron.so.$version" "$built/libkron.so"
  python3 $tests/make_misuse.py kron-ffi/include/kron.h >"$work/misuse.c"
  python3 $tests/vectors.py testing/data/vectors >"$work/vectors.txt"
  python3 $tests/make_examples.py docs/reference/c.md >"$work/examples.c"
}

# The symbols that a shared library exports.
exports() { nm -D --defined-only "$1" | awk '{print $3}' | LC_ALL=C sort; }

symbols() {
  LC_ALL=C sort kron-ffi/symbols.txt >"$work/symbols.txt"
  exports "$built/libkron.so" | diff "$work/symbols.txt" - || fail "the library exports other symbols than kron-ffi/symbols.txt"
  readelf -d "$built/libkron.so" | grep "soname: \[libkron.so.$version\]" >/dev/null || fail "the soname is not the version"
  local name
  while read -r name; do
    grep -qw "$name" $tests/*.c || fail "no C test uses $name"
    grep -qw "found = $name\|test_$name" "$work/misuse.c" || fail "no C test misuses $name"
  done <kron-ffi/symbols.txt
  echo "exports: $(wc -l <"$work/symbols.txt") symbols, as in the snapshot"
}

headers() {
  local standard
  # As each language's strictest reader has them.
  for standard in c99 c11 c17; do
    gcc -std=$standard "${warnings[@]}" -Wstrict-prototypes -fsyntax-only -x c kron-ffi/include/kron.h
  done
  for standard in c++17 c++20; do
    g++ -std=$standard "${warnings[@]}" -fsyntax-only -x c++ - <<<'#include "kron.hpp"' -Ikron-ffi/include
  done
}

plain_runs() {
  local name plain sanitized grind
  while IFS=: read -r name plain sanitized grind; do
    "${c[@]}" "$(source_of "$name")" "${development[@]}" -lpthread -lm -o "$work/$name"
    "$work/$name" $plain
  done <<<"$programs"
  for name in wrapper objects; do
    "${cpp[@]}" $tests/$name.cpp "${development[@]}" -lpthread -o "$work/$name"
    "$work/$name"
  done
  "${c[@]}" $tests/unload.c -Ikron-ffi/include -ldl -o "$work/unload"
  "$work/unload" "$built/libkron.so"
  "${c[@]}" "$work/examples.c" "${static[@]}" -o "$work/examples_static"
  "$work/examples_static"
}

# A program of examples/: its folder, its name, what it is linked with.
example() {
  local compiler=("${c[@]}") folder=$1 name=$2
  [ "$folder" = c ] || compiler=("${cpp[@]}")
  "${compiler[@]}" "examples/$folder/$name.$folder" "${@:3}" -o "$work/$name"
}

examples_answer() {
  local want="2026-03-01T00:00:06Z  health/checkout                 2026-03-01T00:00:00Z" next=$1 fleet=$2
  "$next" examples/fleet.kron 2026-03-01T00:00:00Z 8 >"$work/next.txt"
  [ "$(head -1 "$work/next.txt")" = "$want" ] && [ "$(wc -l <"$work/next.txt")" = 8 ] || fail "examples/c/next.c answers otherwise"
  "$fleet" examples/fleet.kron 1772323200 1772323800 >"$work/fleet.txt"
  grep -q "^2026-03-01T00:00:06Z  2026-03-01T00:00:00Z  health/checkout$" "$work/fleet.txt" || fail "examples/cpp/fleet.cpp answers otherwise"
}

guesses() {
  python3 testing/guesses/run_c.py c "$work" gcc -std=c11 -D_GNU_SOURCE SOURCE "${development[@]}"
  python3 testing/guesses/run_c.py cpp "$work" g++ -std=c++20 SOURCE "${development[@]}" -lpthread
}

examples() {
  example c next "${development[@]}"
  example cpp fleet "${development[@]}"
  example c timer "${development[@]}"
  examples_answer "$work/next" "$work/fleet"
  timeout 60 "$work/timer" a/b '@hourly @win(after,50m) @policy(deadline=5m)' 1772323200 3600 >"$work/timer.txt"
  [ "$(grep -c '^execute 2026-03-01T0' "$work/timer.txt")" = 5 ] || { cat "$work/timer.txt"; fail "examples/c/timer.c answers otherwise"; }
  example cpp daemon "${development[@]}" -lpthread
  python3 $tests/daemon_test.py "$work/daemon" "$work/fleet" 4
}

# The daemon of examples/cpp, killed and started again for a minute.
killed_daemon() {
  example cpp fleet "${development[@]}"
  example cpp daemon "${development[@]}" -lpthread -fsanitize=thread
  python3 $tests/daemon_test.py "$work/daemon" "$work/fleet" 45
}

sanitizers() {
  local sanitize=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  local name plain sanitized grind wrong
  export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
  while IFS=: read -r name plain sanitized grind; do
    "${c[@]}" "${sanitize[@]}" "$(source_of "$name")" "${static[@]}" -o "$work/$name.asan"
    nm "$work/$name.asan" | grep __asan_report >/dev/null || fail "$name was built without AddressSanitizer"
    "$work/$name.asan" $sanitized
  done <<<"$programs"
  for name in wrapper objects; do
    "${cpp[@]}" "${sanitize[@]}" $tests/$name.cpp "${static[@]}" -o "$work/$name.asan"
    "$work/$name.asan"
  done
  # The sanitizers must have been at work: two programs that are wrong on purpose.
  for wrong in leak:LeakSanitizer use_after_free:heap-use-after-free; do
    name=${wrong%%:*}
    "${c[@]}" "${sanitize[@]}" -w $tests/$name.c "${static[@]}" -o "$work/$name.asan"
    if "$work/$name.asan" 2>"$work/$name.txt"; then fail "AddressSanitizer let $name pass"; fi
    grep -q "${wrong##*:}" "$work/$name.txt" || fail "AddressSanitizer did not say ${wrong##*:}"
  done
}

tools() {
  # libc6-dbg: valgrind needs the symbols of the loader.
  command -v valgrind >/dev/null || install_programs valgrind libc6-dbg
  install_programs cmake pkg-config
}

# The development build: what the optimiser reads ahead from unions, and does not use, looks like a mistake to valgrind.
valgrind_runs() {
  local check=(valgrind --quiet --leak-check=full --errors-for-leak-kinds=all --error-exitcode=9 "--suppressions=$tests/valgrind.supp")
  local name plain sanitized grind
  while IFS=: read -r name plain sanitized grind; do
    "${check[@]}" --show-leak-kinds=all "$work/$name" $grind || fail "valgrind found errors in $name"
  done <<<"$programs"
  # Each day of 10,000 years would take valgrind minutes.
  for name in wrapper "objects 1009"; do
    "${check[@]}" --show-leak-kinds=all "$work/"$name || fail "valgrind found errors in $name"
  done
  "${c[@]}" -w $tests/leak.c "${development[@]}" -o "$work/leak"
  if "${check[@]}" "$work/leak" 2>"$work/leak.txt"; then fail "valgrind let the leak pass"; fi
}

install() {
  kron-ffi/install.sh --prefix "$prefix"
  kron-ffi/install.sh --prefix "$stripped" --strip
  exports "$prefix/lib/libkron.so" | diff "$work/symbols.txt" - || fail "the installed library exports other symbols"
  local file
  for file in libkron.a "libkron.so.$version"; do
    [ "$(stat -c %s "$stripped/lib/$file")" -lt "$(stat -c %s "$prefix/lib/$file")" ] || fail "--strip does not make $file smaller"
  done
  if readelf -SW "$stripped/lib/libkron.a" | grep -E '\.(llvmbc|debug_info) ' >/dev/null; then fail "--strip leaves bitcode or debug information"; fi
  exports "$stripped/lib/libkron.so" | diff "$work/symbols.txt" - || fail "--strip removes symbols that programs need"
  nm -g --defined-only "$stripped/lib/libkron.a" | awk 'NF == 3 {print $3}' | LC_ALL=C sort | diff "$work/symbols.txt" - ||
    fail "the stripped static library has other symbols than those of kron.h"
  [ "$(stat -c %s "$stripped/lib/libkron.a")" -lt 12000000 ] || fail "the stripped static library has more than 12 MB"
  du -h "$prefix/lib/libkron.a" "$stripped/lib/libkron.a" "$prefix/lib/libkron.so.$version" "$stripped/lib/libkron.so.$version"
}

native_libraries() {
  # Those of Rust's standard library: Kron adds none, or the programs below could not be linked.
  local found
  found=$(echo "pub fn nothing() {}" | rustc --crate-type staticlib --print native-static-libs -o "$work/nothing.a" - 2>&1 |
    sed -n 's/^note: native-static-libs: //p')
  [ "$found" = "$native" ] || fail "kron-ffi/kron.pc.in names $native, and not the native libraries: $found"
  grep -qF -- "$native" kron-ffi/README.md || fail "kron-ffi/README.md does not name the native libraries: $native"
  grep -qF "INTERFACE_LINK_LIBRARIES ${native//-l/})" kron-ffi/cmake/kron-config.cmake ||
    fail "kron-config.cmake does not name ${native//-l/}"
}

# Programs with the release build: the shared library, and the static one without what linking does not need.
installed_runs() {
  local name plain sanitized grind
  export LD_LIBRARY_PATH="$prefix/lib"
  while IFS=: read -r name plain sanitized grind; do
    # Their run path is that of the development build.
    "${c[@]}" "$(source_of "$name")" -I"$prefix/include" -L"$prefix/lib" -lkron -lpthread -lm -o "$work/${name}_installed"
    "$work/${name}_installed" $plain
  done <<<"$programs"
  for name in surface many tzdb examples; do
    "${c[@]}" "$(source_of $name)" -I"$stripped/include" "$stripped/lib/libkron.a" $native -o "$work/${name}_stripped"
    "$work/${name}_stripped"
  done
}

cmake_examples() {
  cmake -S kron-ffi/tests/cmake -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$work/cmake.txt" ||
    { cat "$work/cmake.txt"; fail "find_package(kron) does not work"; }
  cmake --build "$work/cmake" --parallel 2 >>"$work/cmake.txt" || { cat "$work/cmake.txt"; fail "the examples do not build by CMake"; }
  local linkage
  for linkage in kron static; do
    examples_answer "$work/cmake/next_$linkage" "$work/cmake/fleet_$linkage"
  done
  readelf -d "$work/cmake/next_kron" | grep "libkron.so.$version" >/dev/null || fail "next_kron does not load libkron.so.$version"
}

# The n-th block of a language in the first page.
block() { awk -v start="^\`\`\`$1\$" -v want="$2" '$0 ~ start {on = ++n == want; next} /^```$/ {on = 0} on' kron-ffi/README.md; }

# The programs of the first page answer as it says. Takes the two programs.
readme_answers() {
  block console 1 | sed 1d >"$work/says.txt"
  "$1" | diff "$work/says.txt" - || fail "the program in C++ of kron-ffi/README.md prints something else"
  "$2" >"$work/says_c.txt"
  diff <(cut -d' ' -f1 "$work/says.txt") <(cut -d' ' -f1 "$work/says_c.txt") || fail "the program in C of kron-ffi/README.md prints something else"
  grep -q " starts at 1772410163$" "$work/says_c.txt" || fail "the program in C of kron-ffi/README.md prints something else"
}

# The lines of the first page that link from the build tree, with the folder of this build in the place of target/release. Then its
# other examples in C++.
readme() {
  local lines line
  block cpp 1 >"$work/hello.cpp"
  block c 1 >"$work/hello.c"
  [ "$(wc -l <"$work/hello.cpp")" -le 15 ] && [ "$(wc -l <"$work/hello.c")" -le 15 ] || fail "a first program has more than 15 lines"
  "${c[@]}" "$work/hello.c" "${development[@]}" -o "$work/hello_c"
  mapfile -t lines < <(sed -n "/target\/release/ {/^c++\|^ln/p}" kron-ffi/README.md)
  [ "${#lines[@]}" = 3 ] || fail "kron-ffi/README.md has ${#lines[@]} lines that link from the build tree, not 3"
  for line in "${lines[@]}"; do
    line=${line//'$PWD/target/release'/$work/tree} line=${line//target\/release/$work/tree}
    line=${line//kron-ffi\/include/$PWD/kron-ffi/include}
    mkdir -p "$work/tree"
    cp "$target/debug/libkron.a" "$target/debug/libkron.so" "$work/tree/"
    (cd "$work" && rm -f hello && eval "${line/c++ /g++ }") || fail "this line of kron-ffi/README.md fails: $line"
    case "$line" in c++*) readme_answers "$work/hello" "$work/hello_c" ;; esac
  done
  {
    printf '#include <cassert>\n#include <kron.hpp>\nint main() {\n'
    local n
    for n in 2 3; do printf '{\n%s\n}\n' "$(block cpp $n)"; done
    printf '}\n'
  } >"$work/page.cpp"
  "${cpp[@]}" "$work/page.cpp" "${development[@]}" -o "$work/page"
  "$work/page" || fail "an example in C++ of kron-ffi/README.md fails"
}

# The compile lines of the first page with an installed library, also one that is staged and has another folder for libraries.
pkg_config() {
  export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
  local line lines
  [ "$(pkg-config --modversion kron)" = "$version" ] || fail "pkg-config does not know libkron $version"
  diff -r kron-ffi/include "$prefix/include" || fail "other headers are installed"
  block cpp 1 >"$work/hello.cpp"
  block c 1 >"$work/hello.c"
  mapfile -t lines < <(grep -F '$(pkg-config' kron-ffi/README.md | sed 's/ -o hello$//')
  [ "${#lines[@]}" = 2 ] || fail "kron-ffi/README.md has ${#lines[@]} lines with pkg-config, not 2"
  for line in "${lines[@]}"; do
    case "$line" in c++*) line="g++ ${line#c++ } -o hello" ;; *) line="gcc ${line#cc } -o hello_c" ;; esac
    (cd "$work" && eval "$line") || fail "this line of kron-ffi/README.md fails: $line"
  done
  readme_answers "$work/hello" "$work/hello_c"
  # shellcheck disable=SC2046 # words of a command
  "${cpp[@]}" "$work/hello.cpp" $(pkg-config --cflags kron) "$stripped/lib/libkron.a" $(pkg-config --libs --static kron | sed 's/-L[^ ]*\|-lkron//g') -o "$work/hello_static"
  env -u LD_LIBRARY_PATH "$work/hello_static" >/dev/null || fail "a program that pkg-config links statically does not run"
  kron-ffi/install.sh --prefix /opt/kron --libdir /opt/kron/lib64 --destdir "$work/stage"
  [ -e "$work/stage/opt/kron/lib64/libkron.so" ] && [ -e "$work/stage/opt/kron/include/kron/job.hpp" ] || fail "--destdir or --libdir is not followed"
  cmake -S kron-ffi/tests/cmake -B "$work/cmake_stage" -Dkron_DIR="$work/stage/opt/kron/lib64/cmake/kron" >"$work/cmake.txt" ||
    { cat "$work/cmake.txt"; fail "kron-config.cmake does not find a moved libkron in lib64"; }
}

rm -rf "$work"
mkdir -p "$work"
need "C: libraries of the workspace's build" prepare
need "C: exported symbols" symbols
need "C: programs" plain_runs
if [ "${1:-}" != --long ]; then
  step "C: headers" headers
  step "C: guesses" guesses
  step "C: first page" readme
  step "C: examples" examples
else
  step "C: sanitizers" sanitizers
  step "C: killed daemon" killed_daemon
  need "C: tools" tools
  step "C: valgrind" valgrind_runs
  need "C: installation" install
  step "C: native libraries" native_libraries
  step "C: programs with the installed library" installed_runs
  step "C: examples by CMake" cmake_examples
  step "C: pkg-config" pkg_config
fi
