# What chapters of a life need besides the packages. Needs the variables packages and work, two directories. Makes $work/later
# with a package later.deb of a higher version, and $work/tree with the same programs, installed by `make install` below
# another prefix. The function `package` makes further versions.
# shellcheck shell=bash disable=SC2154

dpkg-deb --raw-extract "$packages"/passd_*.deb "$work/contents"
package() { # SUFFIX-OF-THE-VERSION
    sed "s/^Version: .*/&+$1/" "$work/control" > "$work/contents/DEBIAN/control"
    mkdir -p "$work/later"
    dpkg-deb --root-owner-group -Znone --build "$work/contents" "$work/later/$1.deb" > /dev/null
}
cp "$work/contents/DEBIAN/control" "$work/control"
package later
mkdir "$work/programs"
for each in "$packages"/*.deb; do
    dpkg-deb --extract "$each" "$work/unpacked"
done
cp "$work"/unpacked/usr/*bin/* "$work/programs/"
make --silent --directory ../.. install-built BUILT="$work/programs" DESTDIR="$work/tree" PREFIX=/usr/local
