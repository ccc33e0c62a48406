chapter "Six mistakes: each is reported with a remedy, and the remedy helps"

# The output of the command must have both texts.
told() { # MESSAGE REMEDY COMMAND…
    local message=$1 remedy=$2
    shift 2
    says "$message" "$@" && says "$remedy" "$@"
}
check() { passd --check-config; }
well() { passd-cli doctor && passd --check-config && signed_in; }
test_file=/etc/passd/passd.conf.d/60-test.conf
holds "before, all is well" well

printf '[backend]\nbrust = 3\n' > $test_file
holds "a misspelt key is named, with file and line and the right one" told '60-test.conf:2: warning: unknown key "brust"' 'did you mean burst' check
holds "with --strict it counts" ends 78 passd --check-config --strict
holds "the doctor knows it after a reload" says '60-test.conf:2: unknown key' eval 'passd-cli reload; passd-cli doctor'
rm $test_file
passd-cli reload > /dev/null
holds "corrected, all is well" well

statement=$(sed -n 's/^software-statement = file://p' /etc/passd/apps.d/50-sandbox.conf | head -n 1)
mv "$statement" /tmp/statement.jwt
holds "a missing software statement is reported with its file" says 'software statement of app .* No such file' check
holds "with 78" ends 78 passd --check-config
passd-cli reload > /dev/null
holds "the doctor names the stanza to correct" told 'fail  app-.*No such file' 'Correct /etc/passd/apps.d/50-sandbox.conf:' passd-cli doctor
mv /tmp/statement.jwt "$statement"
passd-cli reload > /dev/null
holds "put back, all is well" well

holds "an app that runs as another user is denied" ends 77 guest passd-cli --requestor LUMENTV check
holds "policy explain says which app lists the requestor, and why the user does not match" told 'lists requestor LUMENTV, but does not match this peer' "rule user:viewer needs user [0-9]*, but the peer is user $(id -u guest)" passd-cli --requestor LUMENTV policy explain checkAuthentication --uid "$(id -u guest)"
holds "so does the journal" await 10 says 'lists requestor LUMENTV' journalctl --quiet --no-pager -u passd.service PASSD_EVENT=DENIED --output json
sed -n '/LUMENTV/,/^$/p' /etc/passd/apps.d/50-sandbox.conf > /tmp/stanza
{ echo '[app guest-tv]'; grep -h -E '^(requestors|software-statement) ' /tmp/stanza | sort -u | head -n 2; echo 'allow = user:guest'; } > /etc/passd/apps.d/60-test.conf
passd-cli reload > /dev/null
holds "with the user in allow it is let in" not ends 77 guest passd-cli --requestor LUMENTV check
rm /etc/passd/apps.d/60-test.conf
passd-cli reload > /dev/null

systemctl stop pass-sandbox.service
holds "a service that does not run is reported" told 'fail  backend: The service does not accept connections' 'Check host and port' passd-cli doctor
systemctl start pass-sandbox.service
holds "started, all is well" await 30 well

drop_in=/etc/systemd/system/passd.service.d/50-setup.conf
mv $drop_in /tmp/network.conf
systemctl daemon-reload
restart
holds "a unit without network access is reported" told 'fail  network: The systemd unit does not let the daemon use the network' 'See CONFINEMENT in passd' passd-cli doctor
mv /tmp/network.conf $drop_in
systemctl daemon-reload
restart
holds "opened, all is well" await 30 well

holds "the service is taken away" passd-setup none
holds "the doctor says which command chooses one" told 'fail  backend: No service is configured' 'passd-setup sandbox' passd-cli doctor
holds "that command is run" passd-setup sandbox viewer
holds "chosen again, all is well, and the viewer is still signed in" await 30 well

chapter "One file for support"

holds "it is written" passd-cli bugreport --output /tmp/report
holds "which only its owner can read" mode /tmp/report "600 root:root"
holds "with the journal and the units" eval 'grep -q PASSD_EVENT=STARTED /tmp/report && grep -q ActiveState=active /tmp/report'
holds "with the checks and the configuration in force" eval 'grep -q "pass  backend" /tmp/report && grep -q "origin = http://127.0.0.1:8642" /tmp/report'
holds "without the viewer's name, statements and keys" not grep -E 'lovelace|eyJ|PRIVATE KEY' /tmp/report
