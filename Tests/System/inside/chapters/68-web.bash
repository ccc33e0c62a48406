# This comes before the upgrade, because the gateway's package depends on the daemon's exact version.
chapter "Libraries from packages, and the example apps with them"

libraries() { dpkg -i /box/debs/{python3-passd,node-passd,libpassd0,libpassd-dev}_*.deb; }
holds "the libraries install" libraries
holds "nothing that they need is missing" none_of dpkg --audit
mkdir -p /home/viewer/app/node_modules
# The same files as with `npm install /usr/share/nodejs/passd`.
ln -s /usr/share/nodejs/passd /home/viewer/app/node_modules/passd
cp /usr/share/doc/node-passd/examples/app.js /home/viewer/app/app.mjs
cp /usr/share/doc/libpassd-dev/examples/app.c /home/viewer/app/
chown -R viewer: /home/viewer/app
# shellcheck disable=SC2046 # the flags are words
builds() { viewer sh -c 'cd /home/viewer/app && cc -Wall -Werror app.c -o app $(pkg-config --cflags --libs libpassd)'; }
holds "the example in C builds with the packaged header" builds

# Acts as the viewer: opens the address that an app shows.
opens_on_the_phone() {
    await 30 grep -q '^Open http' "$1" || { cat "$1" && return 1; }
    pass-sandbox log-in "$(sed -n 's/^Open \([^ ]*\).*/\1/p' "$1" | tail -n 1)" --provider NorthCable --user ada --password - <<< lovelace
}
as() { # USER COMMAND…: the process is the command itself
    local user=$1
    shift
    exec setpriv --reuid "$user" --regid "$user" --init-groups "$@"
}
for example in "python3 -B /usr/share/doc/python3-passd/examples/app.py" "node /home/viewer/app/app.mjs" /home/viewer/app/app; do
    lumen logout > /dev/null
    : > /tmp/example # removes the output of the previous example
    # shellcheck disable=SC2086 # a command and its words
    (as viewer $example NorthCable) > /tmp/example 2>&1 &
    app=$!
    children+=("$app")
    holds "the viewer signs in to ${example##*/}" opens_on_the_phone /tmp/example
    holds "it plays" await 30 grep -q '^lumen-sports-1: token' /tmp/example
    holds "another app signs out" lumen logout
    holds "the example is told" await 20 grep -q '^Signed out' /tmp/example
    kill "$app"
    wait "$app" 2> /dev/null
done

chapter "Web apps through the packaged gateway"

useradd --create-home kiosk
useradd --create-home intruder
mkdir -p /srv/webapp/node_modules
ln -s /usr/share/nodejs/passd /usr/share/nodejs/ws /srv/webapp/node_modules/
cp webapp.mjs /srv/webapp/
cat > /etc/passd/apps.d/60-test.conf << 'END'
[app lumen-web]
requestors = LUMENTV
software-statement = file:/etc/passd/sandbox/lumen-tv.jwt
allow = user:kiosk+origin:https://tv.lumen.example

[app news24-web]
requestors = NEWS24
software-statement = file:/etc/passd/sandbox/news24.jwt
allow = user:kiosk+unit:kiosk-browser.service+origin:https://tv.news24.example
END
# The service trusts the box's own key, so that both programmers share a login.
printf '[sign-on]\nplatform-identity = device-key\n' > /etc/passd/passd.conf.d/60-test.conf
restart
mark=$(now)
holds "the gateway installs" dpkg -i /box/debs/passd-web_*.deb
holds "nothing that it needs is missing" none_of dpkg --audit
holds "the stanzas of two web apps are read" systemctl reload passd.service
holds "the gateway's socket is open" is passd-web.socket ActiveState active
holds "and is opened at boot" is passd-web.socket UnitFileState enabled
systemctl stop passd-web.service
holds "the gateway does not run until a client connects" is passd-web.service ActiveState inactive

web_app() { # NAME, USER and further words: stores its process in `app`, and its output in /tmp/NAME
    local name=$1
    (as "$2" node /srv/webapp/webapp.mjs "${@:3}") > "/tmp/$name" 2>&1 &
    app=$!
    children+=("$app")
}
lumen logout > /dev/null
web_app lumen-web kiosk https://tv.lumen.example LUMENTV
lumen_web=$app
holds "the first web app starts it, shows an address, and the viewer signs in" opens_on_the_phone /tmp/lumen-web
holds "the gateway runs" is passd-web.service ActiveState active
holds "as a user of its own" says "^passd-web$" stat -c %U "/proc/$(property passd-web.service MainPID)"
holds "the web app is signed in" await 30 grep -q '^login: authenticated' /tmp/lumen-web
holds "it plays" await 30 grep -q '^played' /tmp/lumen-web
token() { sed -n 's/^played //p' "/tmp/$1" | tail -n 1; }
holds "with a media token that is good" pass-sandbox verify "$(token lumen-web)" --resource lumen-sports-1
holds "passd knows its origin" says '"origin":"https://tv.lumen.example","app":"lumen-web"' passd-cli --json sessions
holds "a browser can be a unit of its own" systemd-run --quiet --unit kiosk-browser --uid kiosk --collect \
    --property StandardOutput=file:/tmp/news24-web node /srv/webapp/webapp.mjs https://tv.news24.example NEWS24
news24_web=$(property kiosk-browser.service MainPID)
holds "the web app of another programmer is signed in without asking" await 30 grep -q '^played' /tmp/news24-web
holds "the viewer did not have to sign in again" not grep -q '^Open' /tmp/news24-web

refused() { # USER ORIGIN REQUESTOR
    (as "$1" node /srv/webapp/webapp.mjs "$2" "$3") > /tmp/refused 2>&1
    local status=$?
    cat /tmp/refused
    [ "$status" -eq 77 ] && grep -qx 'refused: DENIED' /tmp/refused
}
holds "another user is refused, even with the right origin" refused intruder https://tv.lumen.example LUMENTV
holds "so is root" refused root https://tv.lumen.example LUMENTV
holds "and another origin" refused kiosk https://tv.other.example LUMENTV
holds "and a web app with the requestor of the other one" refused kiosk https://tv.lumen.example NEWS24
holds "and the origin of a web app from outside of the unit of its browser" refused kiosk https://tv.news24.example NEWS24
holds "other programs of the browser's user are denied" ends 77 runuser --user kiosk -- passd-cli --requestor LUMENTV check
denied() { await 10 says "matches this peer [(]user $(id -u "$1"), origin $2[)]" records "$mark" PASSD_EVENT=DENIED --output cat; }
holds "the journal has that passd denied the other user" denied intruder https://tv.lumen.example
holds "and the other origin" denied kiosk https://tv.other.example

plays_again() { # NAME and process
    local before
    before=$(grep -c '^played' "/tmp/$1")
    kill -USR1 "$2"
    played_more() { [ "$(grep -c '^played' "/tmp/$1")" -gt "$before" ]; }
    await 30 played_more "$1"
}
former=$(property passd.service MainPID)
holds "passd is restarted" restart
holds "it is another process" another_process "$former"
holds "the web app can still play" plays_again lumen-web $lumen_web
holds "and so can the other one" plays_again news24-web "$news24_web"
former=$(property passd-web.service MainPID)
holds "the gateway is restarted" systemctl restart passd-web.service
holds "it is another process as well" is_not passd-web.service MainPID "$former"
holds "the web app has noticed" await 20 grep -q '^reconnected, signed in' /tmp/lumen-web
holds "and can still play" plays_again lumen-web $lumen_web
holds "with a media token that is good" pass-sandbox verify "$(token lumen-web)" --resource lumen-sports-1
systemctl kill --signal KILL passd-web.service
again() { [ "$(grep -c '^reconnected, signed in' /tmp/lumen-web)" -ge 2 ]; }
holds "after a kill, the gateway is started again" await 20 again
holds "and the other web app can still play, too" plays_again news24-web "$news24_web"
holds "a logout on the box" lumen logout
holds "is reported to one web app" await 20 grep -q '^signed out: logout' /tmp/lumen-web
holds "and to the other" await 20 grep -q '^signed out: logout' /tmp/news24-web
kill "$lumen_web" "$news24_web"

note "exposure: $(systemd-analyze security --no-pager passd-web.service | sed -n 's/.*exposure level for [^:]*: //p')"
holds "the exposure of the gateway is at most 1.0" systemd-analyze security --no-pager --threshold=10 passd-web.service
holds "the gateway's only warning in the journal is about the kill" none_of \
    grep -vE 'code=killed|Failed with result' <(journalctl --quiet --no-pager --since "$mark" --output cat -u passd-web.service --priority warning)

if [ -x /usr/bin/chromium ]; then
    chapter "The toy TV in a browser, through the packaged gateway"

    cat > /etc/passd/apps.d/61-test.conf << 'END'
[app toy-lumen-tv]
title = Lumen TV
requestors = LUMENTV
software-statement = file:/etc/passd/sandbox/lumen-tv.jwt
allow = user:kiosk+origin:http://127.0.0.1:8701

[app toy-news24]
title = News 24
requestors = NEWS24
software-statement = file:/etc/passd/sandbox/news24.jwt
allow = user:kiosk+origin:http://127.0.0.1:8702

[app toy-home]
requestors = LUMENTV
software-statement = file:/etc/passd/sandbox/lumen-tv.jwt
allow = user:kiosk+origin:http://127.0.0.1:8700
may = household observe entitlement
END
    # The test makes more requests than a viewer.
    printf '[backend]\nrequests-per-second = 100\nburst = 1000\n' > /etc/passd/passd.conf.d/61-test.conf
    mkdir -p /etc/systemd/system/pass-sandbox.service.d
    # shellcheck disable=SC2016 # systemd's variable
    printf '[Service]\nExecStart=\nExecStart=/usr/bin/pass-sandbox serve --state ${STATE_DIRECTORY}/state --no-throttle\n' \
        > /etc/systemd/system/pass-sandbox.service.d/61-test.conf
    systemctl daemon-reload
    systemctl restart pass-sandbox.service
    restart
    lumen logout > /dev/null
    holds "two apps play, share one login, and are told about changes, also by the first screen" \
        /box/web/source/Examples/tv/tests/walk --installed kiosk
    rm -r /etc/passd/{apps.d,passd.conf.d}/61-test.conf /etc/systemd/system/pass-sandbox.service.d
    systemctl daemon-reload
    systemctl restart pass-sandbox.service
    restart
fi

holds "no unit failed" none_of systemctl --failed --no-legend --plain
holds "the gateway is purged" dpkg --purge passd-web
holds "the port is closed" not bash -c ': < /dev/tcp/127.0.0.1/8643'
holds "no unit is left" none_of systemctl list-units --all --no-legend --plain 'passd-web*'
holds "nothing runs as its user" none_of find /proc -maxdepth 1 -user passd-web
holds "the libraries go" dpkg --purge libpassd-dev libpassd0 node-passd python3-passd
rm /etc/passd/apps.d/60-test.conf /etc/passd/passd.conf.d/60-test.conf
restart
holds "passd keeps running, and the viewer signs in" sign_in
