chapter "A box is reset for its next owner"

signed_in || sign_in > /dev/null
cp -a /var/lib/passd /tmp/before
cp -a /etc/passd/sealing-key.cred /tmp/former.cred
configured() { find /etc/passd -type f ! -name sealing-key.cred -exec sha256sum {} + | sort; }
configured > /tmp/configured
reset_said() { says "$1" cat /tmp/reset; }
holds "only root can do that" ends 77 viewer passd-setup reset --yes
holds "an unknown option is refused" ends 64 passd-setup reset --all
holds "the login is still there" signed_in
mark=$(now)
holds "root resets the box" passd-setup reset --yes
cp /tmp/said /tmp/reset
holds "it says what it did" reset_said "It is a new device without logins"
holds "and that the journal keeps its records" reset_said "The journal still has the records of before"
holds "the service was told" ends 1 reset_said "has not accepted"
holds "nobody is signed in" await 20 ends 3 lumen check
holds "nor by single sign-on" ends 3 news check
holds "the sealing key is another" not cmp -s /tmp/former.cred /etc/passd/sealing-key.cred
holds "the daemon has it" [ "$(stat -c %s /run/credentials/passd.service/passd.sealing-key)" -eq 32 ]
holds "the salt is another" not cmp -s /tmp/before/salt /var/lib/passd/salt
holds "only the daemon can read it" mode /var/lib/passd/salt "600 passd:passd"
holds "the logins of an older library are not imported for the next owner" mode /var/lib/passd/imported/forgotten "600 passd:passd"
holds "the configuration is the same" diff /tmp/configured <(configured)
holds "the store has no problem" ends 1 says "vault-" passd-cli doctor
holds "the sockets are open" is passd.socket ActiveState active
holds "no unit failed" none_of systemctl --failed --no-legend --plain
holds "the next owner logs in" sign_in

chapter "A copy of the disk from before the reset"

systemctl stop passd.socket passd-admin.socket passd.service
cp -a /var/lib/passd /tmp/after
rm -f /var/lib/passd/passd.db*
cp -a /tmp/before/passd.db* /var/lib/passd
systemctl start passd.socket passd-admin.socket passd.service
holds "the box cannot open it" says "sealed with a different key" passd-cli doctor
holds "and nobody is signed in" ends 3 lumen check
systemctl stop passd.socket passd-admin.socket passd.service
find /var/lib/passd -mindepth 1 -delete
cp -a /tmp/after/. /var/lib/passd
systemctl start passd.socket passd-admin.socket passd.service
holds "with its own store, the login is there" await 20 signed_in

chapter "A reset without the service, and with the journal"

systemctl stop pass-sandbox.service
mark=$(now)
holds "the box is reset" passd-setup reset --yes --journal
cp /tmp/said /tmp/reset
holds "it says which logout the service does not know" reset_said "has not accepted the logout of LUMENTV at NorthCable"
holds "the journal has no record of before" none_of journalctl --quiet --no-pager -u passd.service --until "$mark"
systemctl start pass-sandbox.service
holds "nobody is signed in, although the service still has the login" await 30 ends 3 lumen check
kill_daemon() { systemctl kill --signal=KILL passd.service; }
holds "the next owner logs in" sign_in
rm /var/lib/passd/salt
kill_daemon
holds "without its salt, the box is a stranger" await 30 ends 3 lumen check
holds "which the doctor reports" says "vault-salt-missing|salt was missing" passd-cli doctor
holds "a further reset mends that" passd-setup reset --yes
holds "the store has no problem" ends 1 says "vault-" passd-cli doctor
holds "the next owner logs in again" sign_in
rm -rf /tmp/before /tmp/after /tmp/former.cred /tmp/configured /tmp/reset
