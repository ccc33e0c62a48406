# Parts that the scripts in this folder share: where the results are, Debian's archive, and commands with Debian's compiler.
# shellcheck shell=bash

if [ "$(id -u)" -ne 0 ]; then
    mkdir -p "$(dirname "${BASH_SOURCE[0]}")/../../.build/releases" # not root's
    exec sudo -n env ${TZ:+TZ="$TZ"} "$(realpath "$0")" "$@"
fi
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
store=$PWD/.build/arm64
mkdir -p "$store"

# Prints the sources of a release. sid has no security updates of its own.
sources() { # SUITE
    Tests/System/engine/archive "$1" | if [ "$1" = sid ]; then sed -n 1p; else cat; fi
}

# An error of the archive, not of the project: the status is EX_UNAVAILABLE.
unavailable() {
    echo "arm64: Debian's archive cannot supply $1" >&2
    exit 69
}

# Runs a command in the system that scripts/arm64/compiler made, with directories of this machine in it. The mounts end with it.
inside_compiler() { # PATH-INSIDE=DIRECTORY... -- COMMAND...
    unshare --mount --propagation private -- bash -euc '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/tmp"
        while [ "$1" != -- ]; do
            mkdir -p "$root${1%%=*}"
            mount --rbind "${1#*=}" "$root${1%%=*}"
            shift
        done
        shift
        exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/libexec/swift/bin:/usr/sbin:/usr/bin:/sbin:/bin ${SUDO_UID:+SUDO_UID="$SUDO_UID"} "$@"
    ' bash "$store/compiler" "$@"
}
