chapter "Whom the daemon can reach"

# Somebody of the network in the service's place: an address that is not a loopback one.
heard=/tmp/heard
python3 /box/inside/stranger.py 203.0.113.7 8443 $heard 2> /tmp/stranger &
children+=($!)
holds "there is somebody on the network" await 10 grep -qx listens $heard
printf '[backend]\norigin = https://203.0.113.7:8443\n' > /etc/passd/passd.conf.d/60-test.conf
holds "passd-setup names the file that stands over its own" says "over it: .*/60-test.conf" passd-setup status
network_of() { # NAME of the drop-in; without it as it is shipped
    rm -f /etc/systemd/system/passd.service.d/{50-setup,90-test}.conf
    [ $# -eq 0 ] || ln -s "/usr/share/passd/passd.service.d/$1.conf" /etc/systemd/system/passd.service.d/90-test.conf
    systemctl daemon-reload && restart
}
asked() { # whether anybody was heard after an app has asked
    : > $heard
    timeout 20 runuser --user viewer -- passd-cli --no-color --requestor LUMENTV --timeout 6 providers
    grep -qx heard $heard
}
network_of
holds "as it is shipped it reaches nobody" not asked
network_of sandbox
holds "with the network of the sandbox it reaches nobody else" not asked
network_of backend
holds "with the network open it does" asked
rm /etc/passd/passd.conf.d/60-test.conf
rm -f /etc/systemd/system/passd.service.d/90-test.conf
holds "back to the sandbox" passd-setup sandbox viewer
holds "with the logins" await 20 signed_in
