chapter "An update that changes the store, and a rollback"

# A copy is read, because passd locks the store.
of_store() { # QUERY
    rm -rf /tmp/store && cp -r /var/lib/passd /tmp/store
    python3 -c 'import sqlite3, sys; print(*sqlite3.connect("/tmp/store/passd.db").execute(sys.argv[1]).fetchone())' "$1"
}
schema_is() { [ "$(of_store "PRAGMA user_version")" = "$1" ]; }
release() { dpkg -i "$1" && await 20 is passd.service ActiveState active; }
this_release=$(echo /box/debs/passd_*.deb)
holds "a viewer is signed in" sign_in
schema=$(of_store "PRAGMA user_version")
copy=passd.db.schema-$(of_store "SELECT value FROM about WHERE name = 'needs'")
holds "the next release is installed" release /box/later/first.deb
holds "it has converted the store" schema_is $((schema + 1))
holds "the login is kept" await 20 signed_in
holds "the viewer logs in again" sign_in
holds "the box goes back to this release" release "$this_release"
holds "which uses the store as it is" schema_is $((schema + 1))
holds "the login that the next release has stored is there" await 20 signed_in
holds "the store has no problem" ends 1 says "vault-" passd-cli doctor
holds "the viewer logs in again" sign_in
holds "the next release is installed again" release /box/later/first.deb
holds "the login that this release has stored is there" await 20 signed_in
holds "the store has no problem" ends 1 says "vault-" passd-cli doctor

chapter "A rollback over two releases"

holds "the release after the next is installed" release /box/later/second.deb
holds "it has converted the store" schema_is $((schema + 2))
holds "the login is kept" await 20 signed_in
holds "it has kept a copy of the store" mode "/var/lib/passd/$copy" "600 passd:passd"
holds "one release back" release /box/later/first.deb
holds "the login is there" await 20 signed_in
holds "the store has no problem" ends 1 says "vault-" passd-cli doctor
holds "two releases back" release "$this_release"
holds "this release does not use the store" await 20 ends 3 lumen check
holds "and does not change it" schema_is $((schema + 2))
holds "the doctor names the copy" says "/$copy is a copy from before the upgrade" passd-cli doctor
holds "and says how to use it" says "rename /var/lib/passd/$copy to /var/lib/passd/passd.db, and start passd" passd-cli doctor
# The commands of docs/installing.md.
use_the_copy() (
    systemctl stop passd.socket passd-admin.socket passd.service
    cd /var/lib/passd && mkdir newer && mv passd.db newer &&
        { ! [ -e passd.db-wal ] || mv passd.db-wal newer; } && mv "$copy" passd.db
    systemctl start passd.socket passd-admin.socket passd.service
)
holds "that is done" use_the_copy
holds "with the copy, the login is there" await 20 signed_in
holds "the doctor says that it is an earlier store" says "vault-older" passd-cli doctor
rm -r /var/lib/passd/newer /tmp/store
holds "the box is updated again" release /box/later/later.deb
holds "the login is there" await 20 signed_in
