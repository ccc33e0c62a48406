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
holds "the policy tells what would be decided" says "app news24: allow unit:news24.service" \
    passd-cli policy explain getAuthorization --unit news24.service --requestor NEWS24
holds "the app is signed in with the others" guest passd-cli --requestor NEWS24 check
holds "and by its unit" systemd-run --quiet --wait --pipe --collect --unit news24 --uid guest passd-cli --requestor NEWS24 check
holds "nothing is amiss with its stanza" says "pass +app-news24" passd-cli doctor
rm -r /usr/lib/passd/apps.d/news24.conf /usr/share/news24
systemctl reload passd.service

chapter "Backup and restore"

systemctl stop passd.service
tar --create --file /tmp/backup.tar --exclude=sealing-key.cred -C / var/lib/passd etc/passd
systemctl start passd.service
holds "after a backup the daemon goes on" signed_in
systemctl stop passd.service
rm -rf /var/lib/passd/*
systemctl start passd.service
holds "with the store gone nobody is signed in" ends 3 lumen check
systemctl stop passd.service
rm -rf /var/lib/passd/*
tar --extract --file /tmp/backup.tar --same-owner -C /
systemctl start passd.service
holds "restored, the login is there" signed_in

chapter "A real service"

holds "the daemon asks the service" passd-setup service https://sp.auth.example v1
holds "the network is open" says "AF_INET" property passd.service RestrictAddressFamilies
holds "the sandbox is not started any more" is pass-sandbox.service UnitFileState disabled
holds "nor does it run" is pass-sandbox.service ActiveState inactive
holds "its apps are gone" not test -e /etc/passd/apps.d/50-sandbox.conf
holds "an address that is none changes nothing" ends 78 passd-setup service http://sp.auth.example
holds "the service is still the one" says "https://sp.auth.example" passd-setup status
holds "back to nothing" passd-setup none
holds "nothing is set up" says "nothing set up" passd-setup status
holds "and to the sandbox" passd-setup sandbox viewer
holds "the logins are kept meanwhile" signed_in

chapter "Away with it"

holds "the packages go" dpkg --remove passd pass-sandbox
holds "the sockets are gone" not test -e /run/passd/passd.sock
holds "no unit failed" none_of systemctl --failed --no-legend --plain
holds "the store stays" test -s /var/lib/passd/passd.db
holds "and the configuration" test -e /etc/passd/passd.conf.d/50-setup.conf
holds "put back, they start" dpkg -i /box/later/passd.deb /box/debs/pass-sandbox_*.deb
holds "with the login" await 20 signed_in
holds "they are purged" dpkg --purge passd pass-sandbox
for path in /var/lib/passd /etc/passd /run/passd /var/lib/pass-sandbox /var/lib/private/pass-sandbox /usr/lib/passd \
    /usr/share/passd /etc/systemd/system/passd.service.d /etc/systemd/system/multi-user.target.wants/passd.service \
    /etc/systemd/system/multi-user.target.wants/pass-sandbox.service /etc/systemd/system/sockets.target.wants/passd.socket \
    /etc/systemd/system/sockets.target.wants/passd-admin.socket /run/credstore.encrypted/passd.sealing-key; do
    holds "nothing is left at $path" not test -e "$path"
done
holds "no unit is left" none_of systemctl list-units --all --no-legend --plain 'pass*'
holds "nothing runs as passd" none_of find /proc -maxdepth 1 -user passd
