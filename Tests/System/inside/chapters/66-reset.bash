chapter "A box is reset for its next owner"

# With single sign-on, the service would give a login of the former device back.
printf '[sign-on]\nplatform-identity = device-key\n' > /etc/passd/passd.conf.d/40-test.conf
restart
sign_in > /dev/null
news check > /dev/null
cp -a /var/lib/passd /tmp/before
cp -a /etc/passd/sealing-key.cred /tmp/former.cred
configured() { find /etc/passd -type f ! -name sealing-key.cred -exec sha256sum {} + | sort; }
configured > /tmp/configured
reset_said() { says "$1" cat /tmp/reset; }
holds "only root can do that" ends 77 viewer passd-setup reset --yes
holds "an unknown option is refused" ends 64 passd-setup reset --all
holds "without a terminal, it needs --yes" ends 64 passd-setup reset < /dev/null
holds "the login is still there" signed_in
mark=$(now)
holds "root resets the box" passd-setup reset --yes
cp /tmp/said /tmp/reset
holds "it says what it did" reset_said "It is a new device without logins"
holds "and that the journal keeps its records" reset_said "The journal still has the earlier records"
holds "the service was told" reset_said "^Ended [1-9][0-9]* login"
holds "and has accepted it" ends 1 reset_said "has not accepted|could not be told"
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
holds "no unit is masked" is passd.service LoadState loaded
holds "the next owner logs in" sign_in
printf '[sign-on]\nplatform-identity = none\n' > /etc/passd/passd.conf.d/40-test.conf
restart
holds "a second reset at the same time is refused" ends 75 flock /run/passd-setup.passd.lock passd-setup reset --yes
holds "a state directory in use is not emptied" ends 69 passd-setup reset --yes --directory=/var/lib/passd
holds "nor another directory" ends 69 passd-setup reset --yes --directory=/etc/passd
sign_in > /dev/null
holds "the login is still there" signed_in

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

chapter "A reset that is interrupted, and a directory elsewhere"

mkdir -p /tmp/slow
printf '#!/bin/sh\ntouch /tmp/slow/reached\nexec sleep 1\n' > /tmp/slow/sync
chmod +x /tmp/slow/sync
PATH=/tmp/slow:$PATH passd-setup reset --yes > /tmp/reset 2>&1 &
reset=$!
await 60 test -e /tmp/slow/reached
holds "during the deletion, nothing can start passd" not systemctl start passd.service
kill "$reset"
holds "an interrupted reset fails" ends 143 wait "$reset"
holds "it says what to do" says "the reset is not complete; run it again" cat /tmp/reset
holds "passd runs" is passd.service ActiveState active
holds "its sockets are open" is passd.socket ActiveState active
rm -r /tmp/slow
holds "a further reset is complete" passd-setup reset --yes
systemctl --quiet mask passd.service
holds "a box whose unit is masked is reset" passd-setup reset --yes
holds "the unit stays masked" is passd.service LoadState masked
systemctl --quiet unmask passd.service
systemctl start passd.socket passd-admin.socket passd.service
install -d -o passd -g passd -m 0700 /srv/passd-elsewhere
printf '[storage]\ndirectory = /srv/passd-elsewhere\n' > /etc/passd/passd.conf.d/41-test.conf
mkdir -p /etc/systemd/system/passd.service.d
printf '[Service]\nReadWritePaths=/srv/passd-elsewhere\n' > /etc/systemd/system/passd.service.d/41-test.conf
systemctl daemon-reload
restart
holds "the viewer logs in" sign_in
cp /srv/passd-elsewhere/salt /tmp/former.salt
systemctl stop passd.socket passd-admin.socket passd.service
holds "without an answer of passd, nothing is deleted" ends 69 passd-setup reset --yes
holds "the salt is the same" cmp /tmp/former.salt /srv/passd-elsewhere/salt
systemctl start passd.socket passd-admin.socket passd.service
chown root /srv/passd-elsewhere
holds "nor in a directory of another user" ends 69 passd-setup reset --yes
chown passd /srv/passd-elsewhere
touch /var/lib/passd/crashes
holds "the box is reset" passd-setup reset --yes
holds "the salt is another" not cmp -s /tmp/former.salt /srv/passd-elsewhere/salt
holds "nobody is signed in" await 20 ends 3 lumen check
holds "the usual directory is empty, too" not test -e /var/lib/passd/crashes
rm /etc/passd/passd.conf.d/41-test.conf /etc/systemd/system/passd.service.d/41-test.conf /tmp/former.salt
systemctl daemon-reload
restart
rm -rf /srv/passd-elsewhere
holds "the next owner logs in" sign_in

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
