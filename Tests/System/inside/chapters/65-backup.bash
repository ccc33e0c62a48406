chapter "A backup is restored, and the daemon restarts with it"

backup=/tmp/passd-backup
restart
holds "a viewer is signed in" signed_in
mark=$(now)
holds "the operator takes a backup" says "^Written to $backup: [0-9]+ login" passd-cli export $backup
holds "only its owner can read it" mode $backup "600 root:root"
holds "it does not overwrite a file" not passd-cli export $backup
holds "users cannot take one" not viewer passd-cli export /tmp/theirs
# Once the service is told about the logout, it forgets the login.
systemctl stop pass-sandbox.service
holds "the viewer logs out" lumen logout
holds "nobody is signed in" not signed_in
former=$(property passd.service MainPID)
sed '2s/^./&&/' $backup > /tmp/damaged
holds "a damaged copy is refused" says "damaged or incomplete" passd-cli import --yes /tmp/damaged
holds "and changes nothing" is passd.service MainPID "$former"
holds "the backup is restored" says "^There (is|are) now [0-9]+ login" passd-cli import --yes $backup
holds "the daemon is another process" await 20 another_process "$former"
holds "started by the service manager, because it has ended with 75" is passd.service NRestarts 1
holds "the login is there again" await 20 signed_in
systemctl start pass-sandbox.service
holds "and the service accepts it" await 30 lumen authorize lumen-sports-1
for event in STORE_EXPORTED STORE_IMPORTED; do
    holds "the journal has $event with who it was" some_of records "$mark" PASSD_EVENT=$event PASSD_PEER_UID=0
done
holds "no unit failed" none_of systemctl --failed --no-legend --plain

chapter "Logins are restored on a new disk that has the old salt"

systemctl stop passd.socket passd-admin.socket passd.service
find /var/lib/passd -mindepth 1 ! -name salt -delete
systemctl start passd.socket passd-admin.socket passd.service
holds "without the store, nobody is signed in" await 20 ends 3 lumen check
holds "the backup is restored, with the same sealing key" says "^There (is|are) now [0-9]+ login" passd-cli import --yes $backup
holds "the login is there" await 20 signed_in
holds "and the service accepts it" await 30 lumen authorize lumen-sports-1
holds "the store has no problem" ends 1 says "vault-" passd-cli doctor
rm $backup /tmp/damaged
restart
