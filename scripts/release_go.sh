#!/usr/bin/env bash
# Makes the release of the Go module from the present commit: a commit beside the branch, which has the WebAssembly module and the owner's
# name in the paths, and the tag by which Go finds it. Nothing is pushed.
#
#     scripts/release_go.sh OWNER [WASM]
#
# WASM is the module, if it is built from that commit already.
set -euo pipefail
cd "$(dirname "$0")/.."
owner=${1:?usage: scripts/release_go.sh OWNER [WASM]}

[ -z "$(git status --porcelain)" ] || { echo "there are changes that are not committed" >&2; exit 1; }
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
tag=kron-go/v$version
! git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null || { echo "there is a tag $tag" >&2; exit 1; }
module=kron-go/internal/module/kron.wasm.gz
python3 scripts/go_module.py "${2:-$(bash scripts/wasm.sh)}"

# In a folder of its own: the branch and its files stay as they are.
folder=$(mktemp -d)
trap 'git worktree remove --force "$folder/release"; rm -rf "$folder"' EXIT
git worktree add --quiet --detach "$folder/release"
cp "$module" "$folder/release/$module"
(
    cd "$folder/release"
    git grep --files-with-matches --fixed-strings github.com/OWNER/ -- kron-go | xargs sed -i "s|github.com/OWNER/|github.com/$owner/|g"
    git add --force kron-go
    git commit --quiet --message "go: release $version" --message "With the WebAssembly module, since Go builds nothing but Go."
    git tag "$tag"
)
echo "to publish it: git push origin $tag"
