chapter "Installation"

started=${EPOCHREALTIME/[.,]/}
holds "both packages install" dpkg -i /box/debs/passd_*.deb /box/debs/pass-sandbox_*.deb
note "in $(milliseconds "${EPOCHREALTIME/[.,]/} - started") ms"
holds "nothing that they need is missing" none_of dpkg --audit
for unit in passd.service passd.socket passd-admin.socket; do
    holds "$unit runs" is $unit ActiveState active
    holds "$unit is started at boot" is $unit UnitFileState enabled
done
note "READY $(milliseconds "$(property passd.service ActiveEnterTimestampMonotonic) - $(property passd.service ExecMainStartTimestampMonotonic)") ms after its start"
holds "the box is not sealed unless an image asks for it" is passd-seal.service UnitFileState disabled
holds "the sandbox does not run unless it is set up" is pass-sandbox.service ActiveState inactive
holds "the socket for apps is open to all" mode /run/passd/passd.sock "666 root:root"
holds "the socket for operators is open to root and the group" mode /run/passd/admin.sock "660 root:passd"
holds "the folder of the sockets is root's" mode /run/passd "755 root:root"
holds "the store is the daemon's alone" mode /var/lib/passd "700 passd:passd"
holds "the account cannot log in" says ':/usr/sbin/nologin$' getent passwd passd
holds "the daemon runs as passd" says "^passd$" stat -c %U "/proc/$(property passd.service MainPID)"
for page in man1/passd-cli.1 man1/pass-sandbox.1 man5/passd.conf.5 man7/passd.7 man8/passd.8 man8/passd-setup.8; do
    holds "there is a manual page $page" test -s "/usr/share/man/$page.gz"
done
dead_links() {
    find /usr/share/doc/passd -name '*.md' | while read -r page; do
        grep -oE '\]\([^)# ]+' "$page" | cut -c 3- | grep -v '^https:' | while read -r target; do
            [ -e "${page%/*}/$target" ] || echo "$page: $target"
        done
    done
}
for guide in installing write-an-app troubleshooting fleet monitoring/README; do
    holds "there is the guide $guide" test -s "/usr/share/doc/passd/$guide.md"
done
holds "no link of a guide is dead" none_of dead_links
holds "the journal knows the messages" says "the new configuration has errors" journalctl --dump-catalog 842a771c565e7cca65cb174afb02b74c
programs=(passd passd-cli pass-sandbox)
# zsh reads all completions of the system once, which takes half a minute in an emulated machine.
zsh --no-rcs -c 'autoload -U compinit; compinit -D; for each; do echo "$each $_comps[$each]"; done' zsh "${programs[@]}" > /tmp/zsh 2>&1
for program in "${programs[@]}"; do
    holds "bash completes $program" bash --norc -c ". /usr/share/bash-completion/completions/$program && complete -p $program"
    holds "fish completes $program" says "help" env HOME=/tmp fish --command "complete --do-complete '$program --'"
    holds "zsh completes $program" grep -qx "$program _$program" /tmp/zsh
done
commit() { "$@" | sed -n 's/.*\<commit  *\([0-9a-f]\{12\}\(-dirty\)\?\).*/\1/p'; }
note "commit $(commit passd --version)"
for each in "passd-cli --version" "passd-cli status" "pass-sandbox --version"; do
    # shellcheck disable=SC2086
    holds "$each has the same commit" [ "$(commit $each)" = "$(commit passd --version)" ]
done

chapter "Pointing at nothing"

holds "the configuration is good" passd --check-config
holds "systemctl status reports that" says "no service configured" systemctl status passd.service
holds "the doctor says what to do" says "passd-setup" passd-cli doctor
holds "the daemon has no network" not [ "$(readlink "/proc/$(property passd.service MainPID)/ns/net")" = "$(readlink /proc/1/ns/net)" ]
own_records() { journalctl --quiet --no-pager --output cat _SYSTEMD_UNIT=passd.service _COMM=passd; }
holds "the daemon says that it is ready" await 10 says "^passd is ready" own_records
holds "a healthy daemon only reports that it is ready" none_of grep -v '^passd is ready' <(own_records)
note "exposure: $(systemd-analyze security --no-pager passd.service | sed -n 's/.*exposure level for [^:]*: //p')"
holds "its exposure is at most 1.0" systemd-analyze security --no-pager --threshold=10 passd.service
holds "its unit has no other warning" none_of journalctl --quiet --no-pager -u passd.service --priority warning
