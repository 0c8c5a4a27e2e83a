#!/usr/bin/env bash
# Runs every test of the Python package. Needs Rust and Python 3.10 or newer; installs the rest in a venv under target/.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=never
target="${CARGO_TARGET_DIR:-$PWD/target}"
venv="$PWD/target/py-venv"

step() { printf '\n-- python: %s\n' "$*"; }

step "tools"
# Some distributions pack venv apart.
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" ||
  { apt-get update -qq && apt-get install -y -qq python3-venv && python3 -m venv "$venv"; }
export VIRTUAL_ENV="$venv" PATH="$venv/bin:$PATH"
python -m pip install --quiet --disable-pip-version-check --requirement kron-py/requirements-test.txt

step "build"
# The command, to compare with: the same build that the tests of the workspace use.
cargo build --quiet --locked --package kron-cli
export KRON_COMMAND="$target/debug/kron"
# A wheel as users get it, installed as users install it.
wheels="$target/py-wheels"
rm -rf "$wheels"
maturin build --quiet --release --locked --manifest-path kron-py/Cargo.toml --out "$wheels"
python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/kron_py-*-abi3-*.whl

step "types"
cd kron-py
mypy --strict --python-version 3.11 tests/typed.py benchmarks
mypy --strict --python-version 3.11 --ignore-missing-imports ../examples/python
python -m mypy.stubtest kron

step "tests"
python -m pytest --quiet tests

step "benchmarks run once, nothing is timed"
python -m pytest --quiet --benchmark-disable benchmarks

printf '\npython: all passed on %s\n' "$(python --version)"
