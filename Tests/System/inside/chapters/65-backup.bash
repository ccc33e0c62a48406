chapter "A backup is brought back, and the daemon restarts with it"

backup=/tmp/passd-backup
restart
holds "somebody is signed in" signed_in
mark=$(now)
holds "the operator takes a backup" says "^Written to $backup: [0-9]+ login" passd-cli export $backup
holds "it is for its owner alone" mode $backup "600 root:root"
holds "it does not take the place of another" not passd-cli export $backup
holds "users cannot take one" not viewer passd-cli export /tmp/theirs
# A service that has heard of the logout does not know the login any more.
systemctl stop pass-sandbox.service
holds "the viewer logs out" lumen logout
holds "nobody is signed in" not signed_in
former=$(property passd.service MainPID)
sed '2s/^./&&/' $backup > /tmp/damaged
holds "a damaged copy is refused" says "damaged or incomplete" passd-cli import --yes /tmp/damaged
holds "and changes nothing" is passd.service MainPID "$former"
holds "the backup is brought back" says "^There (is|are) now [0-9]+ login" passd-cli import --yes $backup
holds "the daemon is another process" await 20 another_process "$former"
holds "started by the service manager, because it has ended with 75" is passd.service NRestarts 1
holds "the login is there again" await 20 signed_in
systemctl start pass-sandbox.service
holds "and counts at the service" await 30 lumen authorize lumen-sports-1
for event in STORE_EXPORTED STORE_IMPORTED; do
    holds "the journal has $event with who it was" some_of records "$mark" PASSD_EVENT=$event PASSD_PEER_UID=0
done
holds "no unit failed" none_of systemctl --failed --no-legend --plain

chapter "A disk that was set up anew gets its logins back"

systemctl stop passd.socket passd-admin.socket passd.service
find /var/lib/passd -mindepth 1 -delete
systemctl start passd.socket passd-admin.socket passd.service
holds "with the store gone nobody is signed in" await 20 ends 3 lumen check
holds "the backup is brought back, under the same sealing key" says "^There (is|are) now [0-9]+ login" passd-cli import --yes $backup
holds "the login is there" await 20 signed_in
holds "and counts at the service" await 30 lumen authorize lumen-sports-1
holds "the store has no problem" ends 1 says "vault-" passd-cli doctor
rm $backup /tmp/damaged
restart
