chapter "Upgrade"

holds "20 apps are connected" connect_clients 20
holds "and signed in" ask_clients "answered 20 yes 20"
process=$(property passd.service MainPID)
door=$(stat -c %i /run/passd/passd.sock)
echo "# a line of the integrator" >> /etc/passd/passd.conf
mark=$(now)
keep_asking
holds "the higher version installs" dpkg -i /box/later/later.deb
holds "apps that ask meanwhile notice at most a pause" noticed_a_pause
note "$(cat /tmp/said)"
holds "it is the higher version" says "later" dpkg-query --show passd
holds "the daemon is another process" another_process "$process"
holds "the socket is the same" [ "$(stat -c %i /run/passd/passd.sock)" = "$door" ]
holds "every app is answered over the connection it had, and still signed in" ask_clients "answered 20 yes 20"
disconnect_clients
holds "the integrator's line is still there" grep -q "a line of the integrator" /etc/passd/passd.conf
holds "nothing went wrong" none_of unit_records "$mark" --priority warning
holds "as before, it is enabled" is passd.service UnitFileState enabled
