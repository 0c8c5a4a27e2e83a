# Sourced by the scripts that test. It has their one build of the workspace, and what runs their parts, shows how long each takes,
# and counts its tests:
#
#     step NAME COMMAND...    runs a part; the script goes on after one that fails
#     need NAME COMMAND...    runs a part without which the others mean nothing: if it fails, the script ends
#     script FILE...          runs a script that has parts of its own, with its arguments
#     beside "FILE..."...     runs one script after the other while other parts run, also beside other such rows; `joined` waits for
#                             all of them and shows their output
#
# However the script ends, its last line is the sum `N passed, N failed`, below a table of its parts unless another script runs it. Its
# exit code is not 0 if a part failed.
# shellcheck shell=bash

# A run builds everything once, so what incremental builds record would cost time and disk and save none. A test that fails names
# its line without debug information.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=false CARGO_TERM_COLOR=never
# Numbers of `time` have a point.
export LC_ALL=C.UTF-8
# The extension for Python takes the symbols of the Python that loads it.
export PYO3_BUILD_EXTENSION_MODULE=1
# All tests use one build of the workspace: with other features, most of it would be built again.
workspace=(--locked --workspace --all-features)
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR=$target
mkdir -p "$target"

# All that is tested, whatever of it a script needs: with fewer targets, dependencies have fewer features and are built again. Not
# `--all-targets`, which would also build the programs as benches, and the extension for Python as a program of tests.
build_workspace() { cargo build "${workspace[@]}" --lib --bins --examples --tests --bench '*' "$@"; }

# Installs Debian's packages of programs that are missing: `program`, or `program=package` where the names differ. A package
# that has no program of its name is installed each time.
install_programs() {
    local missing=() program
    for program in "$@"; do
        command -v "${program%%=*}" >/dev/null || missing+=("${program##*=}")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    apt_get update -qq
    apt_get install -y -qq "${missing[@]}" >/dev/null
}

# One at a time: rows of scripts run beside each other.
apt_get() {
    local sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    flock "$target/apt-get.lock" $sudo apt-get "$@"
}

# Makes a virtual environment of a Python in a folder, with the packages of a file.
install_venv() {
    local python=$1 venv=$2 requirements=$3
    # Some distributions have venv in a separate package.
    [ -x "$venv/bin/pip" ] || "$python" -m venv "$venv" ||
        { install_programs python3-venv && "$python" -m venv "$venv"; }
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements"
}

parts_folder=$(mktemp -d)
# A line for each part. A script that another one runs gives its lines to that one in the end, and leaves the table to it.
parts=$parts_folder/parts
parts_of_caller=${KRON_TEST_PARTS:-}
export KRON_TEST_PARTS=$parts
parts_failed=
# The processes of the rows that run beside, in their order.
parts_beside=()
touch "$parts"
# The form of bash's `time`: seconds of the clock, and of the processors.
TIMEFORMAT='%R %U %S'

# Sets `part_passed`. Its callers must not ask whether it succeeds: bash then goes on after a command of a part that fails.
part() {
    local name=$1 log=$parts_folder/log code
    shift
    printf '\n== %s\n' "$name"
    set +e
    # In a process of its own, in which the first command that fails ends the part, and no more.
    { time { (trap - EXIT; set -e; "$@") </dev/null 2>&1 | tee "$log"; code=${PIPESTATUS[0]}; }; } 2>"$parts_folder/time"
    set -e
    python3 scripts/sum_tests.py add "$parts" "$name" "$code" "$parts_folder/time" "$log" && part_passed=yes || part_passed=
}

step() {
    part "$@"
    [ -n "$part_passed" ] || parts_failed=yes
}

need() {
    part "$@"
    [ -n "$part_passed" ] || exit 1
}

script() { bash "$@" || parts_failed=yes; }

beside() {
    (
        trap - EXIT INT
        trap 'kill "$running" && wait "$running"; exit 143' TERM
        failed=0
        for script in "$@"; do
            # shellcheck disable=SC2086 # a file and its arguments
            bash $script &
            running=$!
            wait "$running" || failed=1
        done
        exit "$failed"
    ) >"$parts_folder/beside${#parts_beside[@]}" 2>&1 </dev/null &
    parts_beside+=("$!")
}

joined() {
    local row
    for row in "${!parts_beside[@]}"; do
        wait "${parts_beside[row]}" || parts_failed=yes
        cat "$parts_folder/beside$row"
    done
    parts_beside=()
}

parts_end() {
    local code=$? table=--table
    trap - EXIT INT TERM
    [ ${#parts_beside[@]} = 0 ] || { kill "${parts_beside[@]}" 2>/dev/null || true; joined; }
    [ -z "$parts_failed" ] || code=1
    [ -z "$parts_of_caller" ] || table=
    python3 scripts/sum_tests.py sum "$parts" "$0" "$code" "$SECONDS" $table || code=1
    [ -z "$parts_of_caller" ] || cat "$parts" >>"$parts_of_caller"
    rm -rf "$parts_folder"
    exit "$code"
}
trap parts_end EXIT
# They end the script by its trap.
trap 'exit 130' INT
trap 'exit 143' TERM
