chapter "Installed without packages, by make install PREFIX=/usr/local"

hash -r
userdel passd
holds "nothing is left of the account" ends 2 getent passwd passd
cp --recursive --no-target-directory /box/tree /
holds "nothing of it is below /usr itself" none_of find /box/tree/usr -mindepth 1 -maxdepth 1 ! -name local
by_hand() { # as in docs/installing.md
    systemd-sysusers &&
        systemd-tmpfiles --create passd.conf &&
        journalctl --update-catalog &&
        systemctl daemon-reload &&
        systemctl enable --now passd.socket passd-admin.socket passd.service
}
mark=$(now)
holds "the commands of the guide set it up" by_hand
holds "the account is made" says '^passd:' getent passwd passd
holds "the metrics are written from there, too" systemctl start passd-metrics.service
holds "and say that it is up" grep '^passd_up 1$' /run/passd-metrics/passd.prom
holds "it runs" is passd.service ActiveState active
holds "from where it was installed" [ "$(readlink "/proc/$(property passd.service MainPID)/exe")" = /usr/local/sbin/passd ]
holds "its exposure is at most 1.0" systemd-analyze security --no-pager --threshold=10 passd.service
holds "the journal knows the messages" says "the new configuration has errors" journalctl --dump-catalog 842a771c565e7cca65cb174afb02b74c
holds "it asks the sandbox" passd-setup sandbox viewer
holds "which runs from there, too" says "^/usr/local/bin/pass-sandbox" readlink "/proc/$(property pass-sandbox.service MainPID)/exe"
holds "the viewer logs in" sign_in
lumen authorize lumen-sports-1 > /tmp/token 2> /tmp/notes
holds "the app gets a media token" pass-sandbox verify "$(cat /tmp/token)" --resource lumen-sports-1
holds "an instance is made" passd-setup --instance room1 create viewer
holds "it runs from there, too" [ "$(readlink "/proc/$(property passd@room1.service MainPID)/exe")" = /usr/local/sbin/passd ]
holds "and is deleted" passd-setup --instance room1 delete
holds "a reload works" systemctl reload passd.service
holds "and a key" passd-setup seal
holds "with which the login stays" await 20 signed_in
holds "the journal has no warnings" none_of records "$mark" --priority warning

chapter "Removal by hand"

take_away() { # as in docs/installing.md; there is no make here
    passd-setup none &&
        systemctl disable --now passd-seal.service passd-metrics.timer passd.socket passd-admin.socket passd.service &&
        (cd /box/tree && find usr -type f -printf '/%p\0') | xargs --null rm &&
        systemctl daemon-reload &&
        rm -rf /etc/passd /etc/systemd/system/passd.service.d /run/passd /run/passd-metrics /var/lib/passd /var/lib/passd-credstore &&
        rm -f /var/lib/prometheus/node-exporter/passd.prom &&
        rm -rf /var/lib/pass-sandbox /var/lib/private/pass-sandbox
}
holds "the commands of the guide do it" take_away
holds "no unit is left" none_of systemctl list-units --all --no-legend --plain 'pass*'
holds "nor one to be started" none_of find /etc/systemd/system -name '*pass*'
holds "no unit failed" none_of systemctl --failed --no-legend --plain
holds "nothing runs as passd" none_of find /proc -maxdepth 1 -user passd
