chapter "An app of the guide, beside those of the sandbox"

mkdir -p /usr/share/news24
pass-sandbox statement news24 > /usr/share/news24/statement.jwt
cat > /usr/lib/passd/apps.d/news24.conf << 'END'
[app news24]
requestors = NEWS24
software-statement = file:/usr/share/news24/statement.jwt
allow = unit:news24.service user:guest
END
holds "its stanza is good" passd --check-config
holds "and read" systemctl reload passd.service
holds "policy explain shows the decision" says "app news24: allow unit:news24.service" \
    passd-cli policy explain getAuthorization --unit news24.service --requestor NEWS24
holds "the app is accepted, and is told that nobody is signed in" ends 3 guest passd-cli --requestor NEWS24 check
holds "and by its unit" ends 3 systemd-run --quiet --wait --pipe --collect --unit news24 --uid guest passd-cli --requestor NEWS24 check
holds "its stanza is good" says "pass +app-news24" passd-cli doctor
rm -r /usr/lib/passd/apps.d/news24.conf /usr/share/news24
systemctl reload passd.service

chapter "Backup and restore"

# The commands of docs/installing.md, while an app reconnects repeatedly.
impatient() { while :; do lumen check > /dev/null 2>&1 && echo yes || echo no; done >> /tmp/tries; }
tried_again() { [ "$(wc -l < /tmp/tries)" -ge "$1" ]; }
is_left_alone() {
    local tries
    tries=$(wc -l < /tmp/tries)
    await 60 tried_again $((tries + 5)) && is passd.service ActiveState inactive && is passd.socket ActiveState inactive
}
cd /tmp || exit
impatient &
children+=($!)
holds "an app uses it" await 20 grep -q yes /tmp/tries

systemctl stop passd.socket passd-admin.socket passd.service
holds "stopped for the backup, the daemon is not started by an app" is_left_alone
(umask 077; tar --create --file backup.tar -C / var/lib/passd etc/passd)
holds "only root can read the backup" mode backup.tar "600 root:root"
systemctl start passd.socket passd-admin.socket passd.service
holds "then the daemon runs again" await 20 signed_in

systemctl stop passd.socket passd-admin.socket passd.service
find /var/lib/passd -mindepth 1 -delete
systemctl start passd.socket passd-admin.socket passd.service
holds "without the store, nobody is signed in" await 20 ends 3 lumen check

systemctl stop passd.socket passd-admin.socket passd.service
holds "stopped for the restore, it is not started either" is_left_alone
find /var/lib/passd -mindepth 1 -delete
tar --extract --file backup.tar --same-owner -C /
systemctl start passd.socket passd-admin.socket passd.service
holds "restored, the login is there" await 20 signed_in
: > /tmp/tries
holds "and the app has it" await 20 grep -q yes /tmp/tries
kill "${children[-1]}"
cd /box/inside || exit

chapter "A real service"

# A systemctl whose first daemon-reload is slow, so that the operator can interrupt passd-setup at that time.
is_undone() {
    local before status=0
    before=$(passd-setup status)
    printf '#!/bin/sh\n[ "$1" != daemon-reload ] || [ -e /tmp/reloading ] || { touch /tmp/reloading; read -r _ < /tmp/gate; }
        exec /usr/bin/systemctl "$@"\n' > /tmp/slow/systemctl
    PATH=/tmp/slow:$PATH passd-setup none &
    await 20 test -e /tmp/reloading && kill -TERM $! && echo > /tmp/gate
    wait $! || status=$?
    [ "$status" -eq 143 ] && [ "$(passd-setup status)" = "$before" ]
}
mkdir /tmp/slow
touch /tmp/slow/systemctl
chmod +x /tmp/slow/systemctl
mkfifo /tmp/gate

md5sum /etc/passd/sandbox/*.jwt > /tmp/statements
holds "the daemon asks the service" passd-setup service https://sp.auth.example v1
holds "the network is open" says "AF_INET" property passd.service RestrictAddressFamilies
holds "the sandbox is no longer started" is pass-sandbox.service UnitFileState disabled
holds "nor does it run" is pass-sandbox.service ActiveState inactive
own=/etc/systemd/system/passd.service.d/50-setup.conf
cp --remove-destination /usr/share/passd/passd.service.d/backend.conf $own
sed -i 's/^IPAddressAllow=.*/IPAddressAllow=192.0.2.53/' $own
holds "the network can be narrowed by a file in the link's place" says "network: as set in $own" passd-setup status
holds "its apps are gone" not test -e /etc/passd/apps.d/50-sandbox.conf
holds "a refused address changes nothing" ends 78 passd-setup service http://sp.auth.example
holds "the service is still the same" says "https://sp.auth.example" passd-setup status
holds "which keeps that file" passd-setup service https://sp.auth.example
holds "with its addresses" says "192.0.2.53" property passd.service IPAddressAllow
holds "back to nothing" passd-setup none
holds "nothing is set up" says "nothing set up" passd-setup status
holds "and to the sandbox, with the earlier users" passd-setup sandbox
holds "the statements are the same as before" md5sum --check --quiet /tmp/statements
holds "and to the service, with the earlier network" passd-setup service https://sp.auth.example
holds "which is narrow" says "192.0.2.53" property passd.service IPAddressAllow
rm $own
holds "without that file it is open" passd-setup service https://sp.auth.example
holds "and status says so" says "network: open" passd-setup status
holds "interrupted, it changes nothing" is_undone
holds "the sandbox again" passd-setup sandbox
holds "the logins are kept meanwhile" signed_in
in_an_image() { unshare --mount sh -c 'mount -t tmpfs tmpfs /run/systemd && "$@"' - "$@"; }
holds "in an image, it only writes files" says "when the system starts" in_an_image passd-setup none
holds "and no service is restarted" says "http://127.0.0.1:8642" passd-cli status
holds "a key is not made there" ends 69 in_an_image passd-setup seal --replace
holds "for the sandbox as well" in_an_image passd-setup sandbox
holds "all is as before" ends 0 passd-setup sandbox
holds "and signed in" signed_in

chapter "Removal of the packages"

holds "there is an instance, too" passd-setup --instance room1 create viewer
holds "which asks the sandbox" passd-setup --instance room1 sandbox viewer
holds "with numbers" systemctl enable --now passd-metrics@room1.timer
holds "which are written" systemctl start passd-metrics@room1.service
holds "the packages go" dpkg --remove passd pass-sandbox
holds "the sockets are gone" not test -e /run/passd/passd.sock
holds "and those of the instance" not test -e /run/passd@room1/passd.sock
holds "nothing runs as its user" none_of find /proc -maxdepth 1 -user passd-room1
holds "no unit failed" none_of systemctl --failed --no-legend --plain
holds "the store stays" test -s /var/lib/passd/passd.db
holds "that of the instance, too" test -s /var/lib/passd@room1/passd.db
holds "and the configuration" test -e /etc/passd/passd.conf.d/50-setup.conf
holds "installed again, they start" dpkg -i /box/later/later.deb /box/debs/pass-sandbox_*.deb
holds "with the login" await 20 signed_in
holds "the instance runs again" await 20 is passd@room1.service ActiveState active
rm /etc/passd/passd.conf.d/40-test.conf
holds "they are purged" dpkg --purge passd pass-sandbox
for path in /var/lib/passd /etc/passd /run/passd /run/passd-metrics /var/lib/pass-sandbox /var/lib/private/pass-sandbox /usr/lib/passd \
    /usr/share/passd /etc/systemd/system/passd.service.d /etc/systemd/system/multi-user.target.wants/passd.service \
    /etc/systemd/system/multi-user.target.wants/pass-sandbox.service /etc/systemd/system/sockets.target.wants/passd.socket \
    /etc/systemd/system/sockets.target.wants/passd-admin.socket /run/passd-sealing-key /var/lib/passd-credstore \
    /var/lib/passd@room1 /etc/passd@room1 /run/passd@room1 /etc/systemd/system/passd@room1.service.d \
    /etc/systemd/system/multi-user.target.wants/passd@room1.service /etc/systemd/system/sockets.target.wants/passd@room1.socket \
    /etc/systemd/system/sockets.target.wants/passd-admin@room1.socket /run/passd-metrics@room1 \
    /etc/systemd/system/timers.target.wants/passd-metrics@room1.timer; do
    holds "nothing is left at $path" not test -e "$path"
done
holds "nor the links of the metrics" none_of find /var/lib/prometheus/node-exporter -name 'passd*'
holds "no unit is left" none_of systemctl list-units --all --no-legend --plain 'pass*'
holds "nothing runs as passd" none_of find /proc -maxdepth 1 -user passd
holds "nor as the user of the instance" none_of find /proc -maxdepth 1 -user passd-room1
