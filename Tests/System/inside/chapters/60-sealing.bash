chapter "A sealing key that only this box can open"

printf '[storage]\nsealing = none\n' > /etc/passd/passd.conf.d/45-clear.conf
restart
holds "if the configuration forbids a key, none is made" ends 78 passd-setup seal
holds "and no file of it is left" none_of find /etc/passd -name 'sealing-key.cred*'
rm /etc/passd/passd.conf.d/45-clear.conf
holds "a key is made, also for an unsealed store" passd-setup seal
holds "the key file is gone, and so is its permission" none_of find /var/lib/passd/passd.key /run/passd-key-file -maxdepth 0
holds "the doctor reports no problem with keys" ends 1 says "vault-key" passd-cli doctor
holds "only root can read it" mode /etc/passd/sealing-key.cred "600 root:root"
sha256sum /etc/passd/sealing-key.cred > /tmp/key
holds "a second time changes nothing" passd-setup seal
holds "it says so" says "already sealed with /etc/passd/sealing-key.cred" passd-setup seal
holds "the key is the same" sha256sum --check --quiet /tmp/key
holds "the earlier logins are still there" await 20 signed_in
holds "the viewer logs in again" sign_in
holds "the daemon has the key" [ "$(stat -c %s /run/credentials/passd.service/passd.sealing-key)" -eq 32 ]
holds "users cannot read it" not guest cat /run/credentials/passd.service/passd.sealing-key
holds "the store does not contain the code in clear text" ends 1 grep -rqaF "$code" /var/lib/passd
restart
holds "over a restart the logins stay" signed_in

chapter "The key is taken away"

mv /etc/passd/sealing-key.cred /etc/passd/sealing-key.away
restart
holds "the daemon no longer has it" grep -qx none /run/credentials/passd.service/passd.sealing-key
holds "and it is not left in memory" not test -e /run/passd-sealing-key
mv /etc/passd/sealing-key.away /etc/passd/sealing-key.cred
restart
holds "put back, it is there again" [ "$(stat -c %s /run/credentials/passd.service/passd.sealing-key)" -eq 32 ]
holds "and the login with it" await 20 signed_in
holds "the key file made meanwhile does not count, and is reported" says vault-key-unused passd-cli doctor
holds "no store was set aside" none_of find /var/lib/passd -name 'passd.db.unreadable-*'

chapter "The key is lost"

rm /etc/passd/passd.conf.d/40-test.conf
restart
holds "the viewer logs in, and single sign-on could find that login again" sign_in
mark=$(now)
mv /var/lib/systemd/credential.secret /var/lib/systemd/credential.kept
holds "the daemon starts without it" restart
holds "it is not started by accident as another user" is passd.service User passd
holds "the journal says so" await 10 says "sealing key cannot be decrypted" journalctl --quiet --no-pager --since "$mark" -u passd-sealing-key.service
holds "the daemon reports the lost logins" await 10 some_of records "$mark" --priority warning
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
holds "the login made without the key is kept" await 20 signed_in
rm -f /var/lib/passd/passd.db.unreadable-*
restart
holds "without the store that was set aside, there is no problem" ends 1 says "vault-" passd-cli doctor

chapter "A login sealed with the key file, and a sealing key"

mv /etc/passd/sealing-key.cred /etc/passd/sealing-key.away
restart
holds "a login without the key" sign_in
mv /etc/passd/sealing-key.away /etc/passd/sealing-key.cred
rm -f /var/lib/passd/passd.db.unreadable-*
restart
holds "with the key, that login does not count" not signed_in
holds "the doctor says what to do" says "passd-setup seal --key-file" passd-cli doctor
holds "which is done" passd-setup seal --key-file
holds "the login is there" await 20 signed_in
holds "the key file is gone, and so is its permission" none_of find /var/lib/passd/passd.key /run/passd-key-file -maxdepth 0
restart
holds "and there is no problem" ends 1 says "vault-" passd-cli doctor

restart_with_directory() { rm /etc/passd/sealing-key.cred && mkdir /etc/passd/sealing-key.cred && restart; }
chapter "Keys in the service manager's own directories"

for place in /etc/credstore.encrypted /etc/credstore /run/credstore; do
    mkdir -p $place
    echo "no key" > $place/passd.sealing-key
    holds "the daemon starts despite a bad key in $place" restart
    holds "and the login is kept" await 20 signed_in
    rm $place/passd.sealing-key
done
from=/etc/passd/sealing-key.cred
for place in /usr/lib/credstore.encrypted /usr/local/lib/credstore.encrypted /run/credstore.encrypted /etc/credstore.encrypted /var/lib/passd-credstore; do
    mkdir -p $place
    mv $from $place/passd.sealing-key
    from=$place/passd.sealing-key
    restart
    holds "the daemon uses the key in $place" await 20 signed_in
    holds "the setup names it" says "sealing: $from" passd-setup status
    holds "no second key is made" passd-setup seal
done
mv $from /tmp/key
echo "no key" > /etc/passd/sealing-key.cred
holds "the daemon starts despite a damaged key in its own place" restart
holds "no other key is made by accident" ends 1 passd-setup seal
holds "and despite a directory in its place" restart_with_directory
rmdir /etc/passd/sealing-key.cred
cp /tmp/key /etc/passd/sealing-key.cred
restart
signed_in || sign_in > /dev/null
rm -f /var/lib/passd/passd.db.unreadable-*
rm -f /var/lib/passd/passd.key
restart
