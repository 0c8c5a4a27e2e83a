#!/usr/bin/env bash
# Builds a Debian package of the command kron: manual pages, completions, and a systemd unit of `kron run`, which is not enabled.
# Needs dpkg-dev.
#
#     scripts/build_deb.sh --out DIR [--command FILE]
#
# --command packages a command that is built already. Prints the path of the package.
set -euo pipefail
cd "$(dirname "$0")/.."

out="" command=()
while [ $# -gt 0 ]; do
  case "$1" in
    --out) out=$(realpath -m "$2"); shift 2 ;;
    --command) command=(--command "$(realpath "$2")"); shift 2 ;;
    *) echo "build_deb.sh: unknown argument $1" >&2; exit 2 ;;
  esac
done
[ -n "$out" ] || { echo "build_deb.sh: --out DIR is missing" >&2; exit 2; }
command -v dpkg-shlibdeps >/dev/null || { echo "build_deb.sh: install dpkg-dev" >&2; exit 2; }

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/tree" doc="$work/tree/usr/share/doc/kron"

kron-cli/install.sh --prefix /usr --destdir "$tree" "${command[@]}" >&2
strip --strip-unneeded "$tree/usr/bin/kron"
# Debian's folder for zsh.
mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
gzip --best --no-name "$tree"/usr/share/man/man1/*.1
install -d "$tree/etc/kron.d" "$tree/usr/lib/systemd/system" "$doc/examples"
sed 's|/usr/local/bin/kron|/usr/bin/kron|' examples/runner/kron.service >"$tree/usr/lib/systemd/system/kron.service"
cp examples/runner/jobs.kron "$doc/examples/"
gzip --best --no-name --stdout CHANGELOG.md >"$doc/changelog.gz"
{
  echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
  echo "Upstream-Name: Kron"
  echo
  echo "Files: *"
  echo "Copyright: the authors of Kron"
  echo "License: Apache-2.0"
  sed -e 's/^$/./' -e 's/^/ /' LICENSE
} >"$doc/copyright"

# The libraries that the command loads, as dependencies.
install -d "$work/debian"
printf 'Source: kron\n\nPackage: kron\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$tree/usr/bin/kron" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
install -d "$tree/DEBIAN"
cat >"$tree/DEBIAN/control" <<END
Package: kron
Version: $version
Architecture: $architecture
Maintainer: the authors of Kron <kron@localhost>
Installed-Size: $(du --summarize --block-size=1024 --exclude=DEBIAN "$tree" | cut -f1)
Depends: ${depends:-libc6}
Section: admin
Priority: optional
Description: cron jobs with deterministic jitter
 Kron gives each cron job a window around its time, and chooses one start in it from a hash of the job's name. The command
 lists and explains the starts, checks job files, and runs their commands as a daemon.
 .
 The unit kron.service runs the job files in /etc/kron.d. It is not enabled when the package is installed.
END
# DPKG_ROOT is set when another root than / is installed to, where no systemd runs.
cat >"$tree/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ "$1" = configure ] && [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # An upgrade goes on with the new command.
  [ -z "$2" ] || systemctl try-restart kron.service
fi
END
cat >"$tree/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl disable --now kron.service
fi
END
cat >"$tree/DEBIAN/postrm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
END
chmod 755 "$tree"/DEBIAN/p*

mkdir -p "$out"
package="$out/kron_${version}_$architecture.deb"
dpkg-deb --build --root-owner-group -Zxz "$tree" "$package" >&2
echo "$package"
