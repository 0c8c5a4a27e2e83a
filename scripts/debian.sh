# Sourced by the scripts that need a toolchain which the machine may lack. It takes packages of Debian unstable, and installs none:
#
#     say TEXT                         writes a line to standard error
#     unavailable WHAT WHY             says that there is no such toolchain, and ends the script with code 3
#     unpack_unstable COMMAND WORD...  unpacks the packages that a command names into $folder/root, unless they are there. It returns
#                                      an error, and the last line of $folder/debian.log says why
#     unstable PROGRAM ARGUMENT...     a program of apt, for that command
#
# The sourcing script sets `folder`, which is its own.
# shellcheck shell=bash

say() { echo "$(basename "$0" .sh): $*" >&2; }

unavailable() {
    say "skipped, there is no $1: $2"
    exit 3
}

# apt-get, or another program of apt, with sources and lists of its own and no installed packages: what it names is complete.
unstable() {
    local program=$1
    shift
    "$program" -qq -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$folder/lists" \
        -o Dir::Cache="$folder/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root -o APT::Install-Recommends=false "$@"
}

# What `apt-get install` would install.
unstable_installs() { unstable apt-get --simulate install "$@" | awk '$1 == "Inst" { print $2 }'; }

unpack_unstable() {
    [ -d "$folder/root" ] || unpack_packages "$@" >"$folder/debian.log" 2>&1
}

unpack_packages() {
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg mirror file packages
    command -v apt-get >/dev/null && [ -e $keyring ] || { echo "this is not Debian"; return 1; }
    # The mirror of the machine's own Debian.
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/?$' | head -1)
    [ -n "$mirror" ] || { echo "apt knows no mirror of Debian"; return 1; }
    rm -rf "$folder/new" "$folder/cache"
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/new"
    echo "deb [signed-by=$keyring] $mirror sid main" >"$folder/sources.list"
    unstable apt-get -o APT::Update::Error-Mode=any update && packages=$("$@") || { echo "the mirror $mirror does not answer"; return 1; }
    # shellcheck disable=SC2086 # names of packages
    (cd "$folder/cache/archives" && unstable apt-get download $packages) || { echo "$mirror gives no packages"; return 1; }
    for file in "$folder"/cache/archives/*.deb; do
        dpkg -x "$file" "$folder/new" || { echo "dpkg does not unpack $file"; return 1; }
    done
    rm -rf "$folder/cache" "$folder/lists"
    # Last: what an earlier run left behind is then complete.
    mv "$folder/new" "$folder/root"
}
