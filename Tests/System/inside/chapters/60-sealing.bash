chapter "A sealing key that only this box can open"

printf '[storage]\nsealing = none\n' > /etc/passd/passd.conf.d/45-clear.conf
restart
holds "while the configuration wants none, none is made" ends 78 passd-setup seal
holds "nor is anything of it left" none_of find /etc/passd -name 'sealing-key.cred*'
rm /etc/passd/passd.conf.d/45-clear.conf
holds "it is made, of a store in the clear as well" passd-setup seal
holds "the key file is gone, and the word that it counts" none_of find /var/lib/passd/passd.key /run/passd-key-file -maxdepth 0
holds "the doctor has nothing to say of keys" ends 1 says "vault-key" passd-cli doctor
holds "nobody else reads it" mode /etc/passd/sealing-key.cred "600 root:root"
holds "a second one is not made by accident" not passd-setup seal
holds "the logins of before are still there" await 20 signed_in
holds "a login anew" sign_in
holds "the daemon has the key" [ "$(stat -c %s /run/credentials/passd.service/passd.sealing-key)" -eq 32 ]
holds "users have not" not guest cat /run/credentials/passd.service/passd.sealing-key
holds "the store has no word of who logged in" ends 1 grep -rqaF "$code" /var/lib/passd
restart
holds "over a restart the logins stay" signed_in

chapter "The key is taken away"

mv /etc/passd/sealing-key.cred /etc/passd/sealing-key.away
restart
holds "the daemon does not have it any more" grep -qx none /run/credentials/passd.service/passd.sealing-key
holds "nor is it left anywhere" not test -e /run/credstore.encrypted/passd.sealing-key
mv /etc/passd/sealing-key.away /etc/passd/sealing-key.cred
restart
holds "put back, it is there again" [ "$(stat -c %s /run/credentials/passd.service/passd.sealing-key)" -eq 32 ]
holds "and the login with it" await 20 signed_in
holds "the key file of the time between does not count, and is told" says vault-key-unused passd-cli doctor
holds "nothing is left aside" none_of find /var/lib/passd -name 'passd.db.unreadable-*'

chapter "The key is lost"

rm /etc/passd/passd.conf.d/40-test.conf
restart
holds "a login that single sign-on would find again" sign_in
mark=$(now)
mv /var/lib/systemd/credential.secret /var/lib/systemd/credential.kept
holds "the daemon starts without it" restart
holds "it is not started by accident as another user" is passd.service User passd
holds "the journal says so" await 10 says "sealing key cannot be opened" journalctl --quiet --no-pager --since "$mark" -u passd-sealing-key.service
holds "the daemon tells what became of the logins" await 10 some_of records "$mark" --priority warning
holds "the doctor as well, with the remedy" says "sealed with a different key" passd-cli doctor
holds "nobody is signed in, since the device's key was sealed as well" ends 3 lumen check
printf '[sign-on]\nplatform-identity = none\n' > /etc/passd/passd.conf.d/40-test.conf
restart
holds "the viewer logs in again" sign_in
restart
holds "and stays so" signed_in
rm -f /var/lib/systemd/credential.secret
mv /var/lib/systemd/credential.kept /var/lib/systemd/credential.secret
holds "a new key is made when it is asked for" passd-setup seal --replace
holds "the login of the time without the key is taken along" await 20 signed_in
rm -f /var/lib/passd/passd.db.unreadable-*
restart
holds "with what was set aside removed, nothing is amiss with the store" ends 1 says "vault-" passd-cli doctor

chapter "What the key file has sealed, beside a sealing key"

mv /etc/passd/sealing-key.cred /etc/passd/sealing-key.away
restart
holds "a login without the key" sign_in
mv /etc/passd/sealing-key.away /etc/passd/sealing-key.cred
rm -f /var/lib/passd/passd.db.unreadable-*
restart
holds "with it, that does not count" not signed_in
holds "the doctor says what to do" says "passd-setup seal --key-file" passd-cli doctor
holds "which is done" passd-setup seal --key-file
holds "the login is there" await 20 signed_in
holds "the key file is gone, and the word" none_of find /var/lib/passd/passd.key /run/passd-key-file -maxdepth 0
restart
holds "and nothing is amiss" ends 1 says "vault-" passd-cli doctor

restart_with_directory() { rm /etc/passd/sealing-key.cred && mkdir /etc/passd/sealing-key.cred && restart; }
chapter "Keys where the service manager looks by itself"

for place in /etc/credstore.encrypted /etc/credstore /run/credstore; do
    mkdir -p $place
    echo "no key" > $place/passd.sealing-key
    holds "a bad one in $place is no reason not to start" restart
    holds "nor does it cost the login" await 20 signed_in
    rm $place/passd.sealing-key
done
cp /etc/passd/sealing-key.cred /tmp/key
echo "no key" > /etc/passd/sealing-key.cred
holds "nor is a damaged one in its own place" restart
holds "nor a directory" restart_with_directory
rmdir /etc/passd/sealing-key.cred
cp /tmp/key /etc/passd/sealing-key.cred
restart
signed_in || sign_in > /dev/null
rm -f /var/lib/passd/passd.db.unreadable-*
rm -f /var/lib/passd/passd.key
restart
