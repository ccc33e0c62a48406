chapter "The network of the daemon"

# A server in place of the service, on an address that is not loopback.
heard=/tmp/heard
python3 /box/inside/stranger.py 203.0.113.7 8443 $heard 2> /tmp/stranger &
children+=($!)
holds "there is a server on the network" await 10 grep -qx listens $heard
printf '[backend]\norigin = https://203.0.113.7:8443\n' > /etc/passd/passd.conf.d/60-test.conf
holds "passd-setup names the file that overrides its own" says "overridden by: .*/60-test.conf" passd-setup status
network_of() { # NAME of the drop-in, or nothing for the shipped state
    rm -f /etc/systemd/system/passd.service.d/{50-setup,90-test}.conf
    [ $# -eq 0 ] || ln -s "/usr/share/passd/passd.service.d/$1.conf" /etc/systemd/system/passd.service.d/90-test.conf
    systemctl daemon-reload && restart
}
an_app_asks() { timeout 30 runuser --user viewer -- passd-cli --no-color --requestor LUMENTV --timeout 6 providers; }
was_asked() { grep -qx heard $heard; }
for network in "" sandbox; do
    holds "the daemon runs with ${network:-no} network" network_of $network
    holds "an app is told that the service cannot be reached" not an_app_asks
    holds "and the server got no connection" not was_asked
done
holds "the daemon runs with the network open" network_of backend
holds "an app asks" not an_app_asks
holds "and the server gets a connection" await 10 was_asked
rm /etc/passd/passd.conf.d/60-test.conf
rm -f /etc/systemd/system/passd.service.d/90-test.conf
holds "back to the sandbox" passd-setup sandbox viewer
holds "with the logins" await 20 signed_in

chapter "A service that has its pages on another host"

mkdir -p /etc/systemd/system/pass-sandbox.service.d
cat > /etc/systemd/system/pass-sandbox.service.d/90-test.conf << 'END'
[Service]
ExecStart=
ExecStart=/usr/bin/pass-sandbox serve --state ${STATE_DIRECTORY}/state --foreign
END
systemctl daemon-reload
holds "it runs" systemctl restart pass-sandbox.service
pages() { journalctl --boot --unit pass-sandbox --output cat | sed -n 's,^ *viewers log in at *\(.*\)/link$,\1,p' | tail -n 1; }
holds "it reports the address of its pages" await 20 says "^http://localhost:" pages
printf '[backend]\nactivation-url = none\nfinish-url = %s/activated\n[sign-on]\nplatform-identity = device-key\n' "$(pages)" \
    > /etc/passd/passd.conf.d/60-test.conf
restart
holds "the viewer logs in by a scan alone" sign_in
holds "on another host than the daemon's requests" says "^http://localhost:[0-9]+/enter/" echo "$page"
lumen authorize lumen-sports-1 > /tmp/token 2> /tmp/notes
holds "the app gets a media token" pass-sandbox verify "$(cat /tmp/token)" --resource lumen-sports-1
holds "an app of another programmer is signed in" news check
holds "the doctor finds no problem" ends 0 passd-cli doctor
rm /etc/passd/passd.conf.d/60-test.conf
rm -r /etc/systemd/system/pass-sandbox.service.d
systemctl daemon-reload && systemctl restart pass-sandbox.service
restart
holds "back at the sandbox, the viewer is still signed in" await 20 signed_in
