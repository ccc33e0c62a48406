chapter "Reload"

process=$(property passd.service MainPID)
mark=$(now)
printf '[limits]\nsessions-per-user = 3\n' > /etc/passd/passd.conf.d/60-test.conf
holds "a valid configuration is accepted" systemctl reload passd.service
holds "by the same process" is passd.service MainPID "$process"
holds "it is in force: three apps of a user get in" connect_clients 3
holds "and a fourth one does not" ends 75 lumen check
disconnect_clients
printf '[limits]\nsessions-per-user = many\n' > /etc/passd/passd.conf.d/60-test.conf
holds "a bad configuration fails the reload" not systemctl reload passd.service
holds "the daemon keeps running" is passd.service MainPID "$process"
holds "with the old one" signed_in
holds "the journal names file and line" await 10 says "60-test.conf:2" records "$mark"
holds "and tells what to do" await 10 says "Correct the file" records "$mark" --catalog
holds "passd-cli says the same" says "60-test.conf:2" passd-cli reload
holds "with 78" ends 78 passd-cli reload

chapter "A start with a bad configuration"

holds "it ends at once" not systemctl restart passd.service
holds "with 78" is passd.service ExecMainStatus 78
holds "and is not tried again" is passd.service NRestarts 0
rm /etc/passd/passd.conf.d/60-test.conf
systemctl reset-failed passd.service passd.socket passd-admin.socket
systemctl restart passd.socket passd-admin.socket
holds "corrected, it starts" restart
holds "with the logins" signed_in
