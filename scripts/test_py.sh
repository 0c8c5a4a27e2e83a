#!/usr/bin/env bash
# Tests the Python package.
#
#     scripts/test_py.sh            its tests, on the extension of the workspace's development build
#     scripts/test_py.sh --long     the wheel, as users install it: its tests also on the oldest Python, its types, Airflow
#     scripts/test_py.sh --tools    only installs what the tests need
#
# Needs Rust and Python 3.11 or newer; installs the rest in virtual environments below target/.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

venv=$target/py-venv
wheels=$target/py-wheels
# The package with the extension of the workspace's build.
development=$target/py-development
# IANA 2026e, another release than the compiled-in one. It has a separate folder because two releases of a package cannot be
# installed at once.
other_release=$target/tzdata-2026.5
# Of the command, to compare with.
export KRON_COMMAND=$target/debug/kron KRON_TZDATA_2026E=$other_release/tzdata
tests=(-m pytest --quiet -p no:cacheprovider)

tools() {
    install_venv python3 "$venv" kron-py/requirements-test.txt
    [ -d "$other_release/tzdata" ] ||
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$other_release" tzdata==2026.5
}

build() {
    build_workspace --quiet
    rm -rf "$development"
    mkdir -p "$development"
    cp -r kron-py/python/kron "$development/kron"
    cp "$target/debug/lib_kron.so" "$development/kron/_kron.abi3.so"
}

# Runs a Python with the package of the workspace's build.
python_with_build() { PYTHONPATH=$development "$venv/bin/python" "$@"; }

tests_of_build() {
    # Those marked `installed` are about the wheel.
    cd kron-py
    python_with_build "${tests[@]}" -m "not installed" tests
    # The benchmarks run once each; nothing is timed.
    python_with_build "${tests[@]}" --benchmark-disable benchmarks
}

conformance() { python_with_build testing/conformance/run.py -- "$venv/bin/python" testing/conformance/kron_driver.py; }

wheel() {
    rm -rf "$wheels"
    export VIRTUAL_ENV=$venv
    # Without thin LTO, which takes minutes and changes nothing that is tested.
    "$venv/bin/maturin" build --quiet --profile library --locked --manifest-path kron-py/Cargo.toml --out "$wheels"
    ! "$venv/bin/python" -m zipfile -l "$wheels"/kron_py-*-abi3-*.whl | grep __pycache__ || { echo "the wheel has compiled files"; return 1; }
    # The sdist has the licence and the README; the tests look for them in the wheel.
    "$venv/bin/maturin" sdist --manifest-path kron-py/Cargo.toml --out "$wheels" >/dev/null 2>&1
    local file
    for file in LICENSE README.md; do
        tar -tzf "$wheels"/kron_py-*.tar.gz | grep -E "^kron_py-[^/]*/$file$" >/dev/null || { echo "the sdist has no $file"; return 1; }
    done
    install_wheel "$venv"
}

install_wheel() {
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/kron_py-*-abi3-*.whl
}

types() {
    cd kron-py
    local mypy=("$venv/bin/python" -m mypy --strict --python-version 3.11)
    "${mypy[@]}" tests/typed.py benchmarks stub_docs.py python/kron/{aio,airflow,apscheduler,celery}.py
    "${mypy[@]}" --ignore-missing-imports ../examples/python ../testing/guesses/python/run.py
    # Attributes that only raise an error, which names another one, are in no stub.
    "$venv/bin/python" -c 'from kron import _synonyms
for owner, words in _synonyms._ATTRIBUTES.items():
    for name in words:
        print(f"kron.{owner}.{name}", f"kron._kron.{owner}.{name}", sep="\n")' >"$target/stubtest_synonyms.txt"
    # Airflow is in a separate environment.
    "$venv/bin/python" -m mypy.stubtest --mypy-config-file pyproject.toml --allowlist stubtest_allowlist.txt \
        --allowlist "$target/stubtest_synonyms.txt" --ignore-unused-allowlist kron
}

# The oldest Python that the package supports, which not all machines have.
oldest_python() {
    local candidate
    for candidate in python3.10 "$HOME"/.pyenv/versions/3.10.*/bin/python3.10; do
        # A shim of pyenv is found, and fails if its version is not chosen.
        if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then echo "$candidate"; return; fi
    done
}

tests_of_wheel() {
    local oldest
    oldest=$(oldest_python)
    cd kron-py
    if [ -z "$oldest" ]; then
        echo "Python 3.10 is not here: not tested"
        "$venv/bin/python" "${tests[@]}" tests
        return
    fi
    "$venv/bin/python" "${tests[@]}" -m installed tests
    install_venv "$oldest" "$target/oldest-venv" requirements-test.txt
    install_wheel "$target/oldest-venv"
    "$target/oldest-venv/bin/python" "${tests[@]}" tests
}

airflow() {
    # In a separate environment: Airflow pins the versions of many other packages.
    local venv_of_airflow=$target/airflow-venv
    install_venv "$venv/bin/python" "$venv_of_airflow" kron-py/requirements-airflow.txt
    install_wheel "$venv_of_airflow"
    cd kron-py
    # Airflow's own warnings are not ours to fix.
    KRON_AIRFLOW=1 AIRFLOW_HOME="$venv_of_airflow/home" "$venv_of_airflow/bin/python" "${tests[@]}" \
        --override-ini filterwarnings=default tests/test_airflow.py
}

need "Python: tools" tools
case "${1:-}" in
    --tools) ;;
    --long)
        need "Python: wheel" wheel
        step "Python: tests of the wheel" tests_of_wheel
        step "Python: types" types
        step "Python: Airflow" airflow
        ;;
    *)
        need "Python: extension of the workspace's build" build
        step "Python: tests" tests_of_build
        step "Python: conformance kit" conformance
        ;;
esac
