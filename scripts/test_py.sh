#!/usr/bin/env bash
# Runs every test of the Python package. Needs Rust and Python 3.11 or newer; installs the rest in a venv under target/.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=never
target="${CARGO_TARGET_DIR:-$PWD/target}"
venv="$PWD/target/py-venv"

step() { printf '\n-- python: %s\n' "$*"; }

step "tools"
# Some distributions have venv in a separate package.
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" ||
  { apt-get update -qq && apt-get install -y -qq python3-venv && python3 -m venv "$venv"; }
export VIRTUAL_ENV="$venv" PATH="$venv/bin:$PATH"
python -m pip install --quiet --disable-pip-version-check --requirement kron-py/requirements-test.txt
# IANA 2026f, a later release than the compiled-in one. It has a separate directory because two releases of a package
# cannot be installed at once.
next_release="$target/tzdata-2026.6"
[ -d "$next_release/tzdata" ] ||
  python -m pip install --quiet --disable-pip-version-check --no-deps --target "$next_release" tzdata==2026.6
export KRON_TZDATA_2026F="$next_release/tzdata"

step "build"
# The command, to compare with: the same build that the tests of the workspace use.
cargo build --locked --quiet --workspace --all-features --bin kron
export KRON_COMMAND="$target/debug/kron"
# A wheel as users get it, installed as users install it.
wheels="$target/py-wheels"
rm -rf "$wheels"
maturin build --quiet --release --locked --manifest-path kron-py/Cargo.toml --out "$wheels"
python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/kron_py-*-abi3-*.whl
! python -m zipfile -l "$wheels"/kron_py-*-abi3-*.whl | grep __pycache__ || { echo "the wheel has compiled files"; exit 1; }
# The sdist has the licence and the README; the tests look for them in the wheel.
maturin sdist --manifest-path kron-py/Cargo.toml --out "$wheels" >/dev/null 2>&1
for file in LICENSE README.md; do
  tar -tzf "$wheels"/kron_py-*.tar.gz | grep -E "^kron_py-[^/]*/$file$" >/dev/null || { echo "the sdist has no $file"; exit 1; }
done

step "types"
cd kron-py
mypy --strict --python-version 3.11 tests/typed.py benchmarks stub_docs.py python/kron/{aio,airflow,apscheduler,celery}.py
mypy --strict --python-version 3.11 --ignore-missing-imports ../examples/python
# Airflow is in a separate venv.
python -m mypy.stubtest --mypy-config-file pyproject.toml --allowlist stubtest_allowlist.txt kron

step "tests"
python -m pytest --quiet tests

step "tests on the oldest Python"
# Which machines do not all have.
oldest=
for candidate in python3.10 "$HOME"/.pyenv/versions/3.10.*/bin/python3.10; do
  # A shim of pyenv is found, and fails if its version is not chosen.
  if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
    oldest=$candidate
  fi
done
if [ -n "$oldest" ]; then
  [ -x "$target/oldest-venv/bin/pip" ] || "$oldest" -m venv "$target/oldest-venv"
  "$target/oldest-venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement requirements-test.txt
  "$target/oldest-venv/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps \
    "$wheels"/kron_py-*-abi3-*.whl
  "$target/oldest-venv/bin/python" -m pytest --quiet -p no:cacheprovider tests
else
  echo "Python 3.10 is not here: not tested"
fi

step "conformance kit"
python ../testing/conformance/run.py -- python ../testing/conformance/kron_driver.py

step "kron.airflow on Airflow itself"
# In a separate venv: Airflow pins the versions of many other packages.
airflow="$target/airflow-venv"
[ -x "$airflow/bin/pip" ] || python -m venv "$airflow"
"$airflow/bin/python" -m pip install --quiet --disable-pip-version-check --requirement requirements-airflow.txt
"$airflow/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/kron_py-*-abi3-*.whl
# Airflow's own warnings are not ours to fix.
KRON_AIRFLOW=1 AIRFLOW_HOME="$airflow/home" "$airflow/bin/python" -m pytest --quiet --override-ini filterwarnings=default \
  -p no:cacheprovider tests/test_airflow.py

step "benchmarks run once, nothing is timed"
python -m pytest --quiet --benchmark-disable benchmarks

printf '\npython: all passed on %s\n' "$(python --version)"
