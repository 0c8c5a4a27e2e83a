#!/usr/bin/env bash
# Builds the command kron and installs it with its manual pages and completions for bash, zsh and fish.
#
#     kron-cli/install.sh --prefix /usr/local [--destdir STAGE] [--command FILE]
#
# --command installs a command that is built already. Without this script, `kron man` and `kron completions` write the same
# pages and completions.
set -euo pipefail
cd "$(dirname "$0")"

prefix=/usr/local destdir="" command=""
usage() { sed -n '2,7s/^# \{0,1\}//p' "$(basename "$0")"; }
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix | --destdir | --command)
      [ $# -ge 2 ] || { echo "install.sh: $1 needs a value" >&2; exit 2; }
      declare "${1#--}=$2"
      shift 2
      ;;
    -h | --help) usage; exit 0 ;;
    *) echo "install.sh: unknown argument $1" >&2; usage >&2; exit 2 ;;
  esac
done
for path in "$prefix" "${destdir:-/}" "${command:-/}"; do
  [ "${path#/}" != "$path" ] || { echo "install.sh: $path is not an absolute path" >&2; exit 2; }
done

if [ -z "$command" ]; then
  cargo build --release --locked --package kron-cli
  metadata=$(cargo metadata --locked --no-deps --format-version 1)
  command=$(sed 's/.*"target_directory":"\([^"]*\)".*/\1/' <<<"$metadata")/release/kron
fi

share="$destdir$prefix/share"
install -D -m 755 "$command" "$destdir$prefix/bin/kron"
# kubectl runs it as `kubectl kron`.
ln -sf kron "$destdir$prefix/bin/kubectl-kron"
"$command" man "$share/man/man1"
chmod 644 "$share"/man/man1/kron*.1
completions() {
  install -d "$(dirname "$2")"
  "$command" completions "$1" >"$2"
  chmod 644 "$2"
}
completions bash "$share/bash-completion/completions/kron"
completions zsh "$share/zsh/site-functions/_kron"
completions fish "$share/fish/vendor_completions.d/kron.fish"
echo "installed kron in $prefix/bin, with manual pages and completions in $prefix/share"
