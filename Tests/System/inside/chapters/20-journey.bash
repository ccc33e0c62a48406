chapter "The sandbox by one command, and an app that starts the daemon"

holds "the daemon asks the sandbox" passd-setup sandbox viewer
holds "the sandbox is started at boot from now on" is pass-sandbox.service UnitFileState enabled
holds "a second time changes nothing" passd-setup sandbox viewer
holds "it says what is set up" says "origin = http://127.0.0.1:8642" passd-setup status
holds "a user that does not exist is refused" ends 64 passd-setup sandbox nobody-at-all
holds "an address with a line end is refused" ends 64 passd-setup service $'https://a.example\nburst = 99'
holds "users cannot set anything up" ends 77 viewer passd-setup none
systemctl stop passd.service
holds "the daemon is stopped" is passd.service ActiveState inactive
holds "the first app starts it, and is told that nobody is signed in" ends 3 lumen check
holds "it runs" is passd.service ActiveState active
runuser --user viewer -- passd-cli --requestor LUMENTV login --no-qr --provider NorthCable > /dev/null 2>&1 &
holds "systemctl status shows the state of a login" await 30 says "1 app, nobody is signed in, 1 open login, next poll in [0-9]+ s" systemctl status passd.service
kill $!
wait $! 2> /dev/null

chapter "Login and media token, as an unprivileged user"

mark=$(now)
holds "the viewer logs in by the code" sign_in
holds "the app is signed in" says "Signed in with NorthCable" lumen check
lumen authorize lumen-sports-1 > /tmp/token 2> /tmp/notes
holds "it gets a media token" test -s /tmp/token
holds "the token is valid for the resource" pass-sandbox verify "$(cat /tmp/token)" --resource lumen-sports-1
holds "an app of another programmer gets a token as well" news authorize news24-live
restart
holds "after a restart as well" news authorize news24-live
holds "with the earlier device key, which is valid" none_of records "$mark" PASSD_EVENT=SIGN_ON
holds "systemctl status shows who is signed in" says "signed in with North Cable" systemctl status passd.service
holds "the doctor finds nothing wrong" ends 0 passd-cli doctor
holds "the daemon may only talk to this machine" says "127.0.0.0/8" property passd.service IPAddressAllow

holds "there were no warnings" none_of records "$mark" --priority warning

chapter "The login is in the store and nowhere else"

# Single sign-on is off for the following chapters, which check that the box kept the login. Otherwise the service would find
# the login again.
printf '[sign-on]\nplatform-identity = none\n' > /etc/passd/passd.conf.d/40-test.conf
restart
holds "without single sign-on the viewer logs in again" sign_in
restart
holds "over a restart the login stays" signed_in
systemctl stop passd.service
mkdir /tmp/store && mv /var/lib/passd/* /tmp/store/
systemctl start passd.service
holds "without the store, nobody is signed in" ends 3 lumen check
systemctl stop passd.service
rm -rf /var/lib/passd/* && mv /tmp/store/* /var/lib/passd/
systemctl start passd.service
holds "with the store restored, the login is back" await 20 signed_in

chapter "Denied users"

holds "a user without a stanza is denied" ends 77 guest passd-cli --requestor LUMENTV check
holds "and reads why" says "matches this peer [(]user $(id -u guest)[)]" guest passd-cli --requestor LUMENTV check
holds "users cannot open the socket for operators" not viewer passd-cli status
holds "a member of the group passd can" setpriv --reuid guest --regid guest --groups "$(getent group passd | cut -d: -f3)" passd-cli status
holds "other users cannot read the store" not guest ls /var/lib/passd
holds "nor its memory" not guest cat "/proc/$(property passd.service MainPID)/environ"
