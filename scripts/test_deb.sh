#!/usr/bin/env bash
# Builds the Debian package of the debug build of kron, installs it below a folder, uses it, and removes it.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v dpkg-shlibdeps >/dev/null || { echo "test_deb: not tested, as dpkg-dev is not installed"; exit 0; }

# The same build that the tests of the workspace use.
cargo build --locked --quiet --workspace --all-features --lib --bins --examples --tests --bench '*'
target=$(cargo metadata --locked --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
work="$target/deb" root="$target/deb/root"
rm -rf "$work"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
fail() { echo "test_deb: $*" >&2; exit 1; }
dpkg_root() {
  dpkg --root="$root" --log=/dev/null --force-not-root --force-script-chrootless --force-depends --force-bad-path "$@" \
    >"$work/dpkg.txt" 2>&1 || { cat "$work/dpkg.txt"; fail "dpkg $*"; }
}

package=$(scripts/build_deb.sh --out "$work" --command "$target/debug/kron" 2>"$work/build.txt") || { cat "$work/build.txt"; fail "no package"; }
dpkg-deb --info "$package" >"$work/info.txt"
grep -q '^ Depends: .*libc6' "$work/info.txt" || fail "the package does not depend on libc6"
dpkg_root --install "$package"

kron="$root/usr/bin/kron"
"$kron" next '0 1 * * * @win(after,3h)' --name db/backup --at 2026-03-01T00:00:00Z -c 1 >"$work/next.txt" || fail "kron does not run"
[ "$("$root/usr/bin/kubectl-kron" --version)" = "$("$kron" --version)" ] || fail "kubectl has no plugin kron"
# A page for each command, that formats without warnings.
commands=$("$kron" --help | sed -n '/^Commands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p' | grep -v '^help$')
[ "$(wc -w <<<"$commands")" -ge 15 ] || fail "kron --help lists $commands"
for page in kron $(sed 's/^/kron-/' <<<"$commands"); do
  file="$root/usr/share/man/man1/$page.1.gz"
  [ -s "$file" ] || fail "no manual page $page"
  if command -v groff >/dev/null; then
    said=$(zcat "$file" | groff -man -Tutf8 -ww -z 2>&1) || fail "groff: $page"
    [ -z "$said" ] || fail "$page: $said"
  fi
done
bash -c "source '$root/usr/share/bash-completion/completions/kron' && complete -p kron" >/dev/null || fail "bash has no completions"
head -1 "$root/usr/share/zsh/vendor-completions/_kron" | grep -q '^#compdef kron' || fail "zsh has no completions"
[ -s "$root/usr/share/fish/vendor_completions.d/kron.fish" ] || fail "fish has no completions"
unit="$root/usr/lib/systemd/system/kron.service"
grep -q '^ExecStart=/usr/bin/kron run /etc/kron.d ' "$unit" || fail "the unit does not run /usr/bin/kron"
[ -d "$root/etc/kron.d" ] || fail "no /etc/kron.d"
grep -q 'Apache License' "$root/usr/share/doc/kron/copyright" || fail "no licence"
"$kron" lint -f "$root/usr/share/doc/kron/examples/jobs.kron" >/dev/null || fail "the example has findings"
files=$(dpkg-deb --fsys-tarfile "$package" | tar -t | wc -l)

dpkg_root --remove kron
left=$(find "$root" -path "$root/var/lib/dpkg" -prune -o \( -type f -o -type l \) -print)
[ -z "$left" ] || fail "a removed package leaves $left"
echo "test_deb: $(basename "$package") passed: $files files installed, used and removed"
