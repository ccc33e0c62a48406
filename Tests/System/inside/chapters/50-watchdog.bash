# hold.so lets a part of the daemon hang while the part's file in /run/hold exists.
mkdir -p /run/hold
drop_in 90-test << 'END'
[Service]
WatchdogSec=6
# Enough time to release the part before the daemon starts again.
RestartSec=5
Environment=LD_PRELOAD=/box/hold.so
END

in_order() { # PATTERN: the unit's records since the mark, in one line
    unit_records "$mark" --output cat | tr '\n' ' ' | grep -qE -- "$1"
}
# gets_stuck PART FILE COMMAND…: lets the part of FILE hang, and runs the command, which uses the daemon.
gets_stuck() {
    local part=$1 what=$2 apps=()
    shift 2
    chapter "A daemon that is stuck: its $part"
    restart
    holds "it works" await 20 signed_in
    process=$(property passd.service MainPID)
    mark=$(now)
    touch "/run/hold/$what"
    "$@"
    holds "the journal names the part" await 30 says "$part" records "$mark" PASSD_EVENT=STUCK
    holds "and no other one" not some_of grep -v "$part" <(records "$mark" PASSD_EVENT=STUCK --output cat)
    holds "and then the service manager ends the daemon" await 30 in_order "part=.?$part.*[Ww]atchdog timeout"
    rm "/run/hold/$what"
    holds "and starts it again" await 30 another_process "$process"
    holds "by itself" is passd.service NRestarts 1
    holds "it answers" await 20 ends 0 passd-cli status
    [ ${#apps[@]} -eq 0 ] || wait "${apps[@]}" 2> /dev/null
}
an_app() { # asks in the background
    "$@" > /dev/null 2>&1 &
    apps+=($!)
}
# Writes to the store hang now, and so do these calls.
both_store() {
    an_app lumen logout
    an_app news logout
}
an_app_connects() { an_app timeout 40 runuser --user viewer -- passd-cli --requestor LUMENTV check; }

gets_stuck "storage queue" disk both_store
# The logout could not be stored, so the login returns after the restart, unless the service already knows of the logout.
sign_in > /dev/null
holds "the catalogue explains it" says "check whether the disk is full or failing" records "$mark" --catalog
gets_stuck "engine queue" engine an_app_connects
holds "the logins are there" await 20 signed_in
gets_stuck "accept path" doors an_app_connects
holds "the logins are there" await 20 signed_in
gets_stuck "poller" alarms true
holds "the logins are there" await 20 signed_in

chapter "A daemon that is stuck: as a whole"

restart
holds "it works" await 20 signed_in
mark=$(now)
process=$(property passd.service MainPID)
kill -STOP "$process"
holds "the watchdog ends it" await 40 says "[Ww]atchdog timeout" unit_records "$mark"
holds "and it is started again" await 60 another_process "$process"
holds "with the logins" await 20 signed_in

chapter "A reload, as the service manager sees it"

touch /run/hold/files
systemctl --no-block reload passd.service
holds "while the daemon reads the files, it is reloading" await 10 is passd.service ActiveState reloading
rm /run/hold/files
holds "and then active again" await 20 is passd.service ActiveState active
mark=$(now)
touch /run/hold/files
kill -HUP "$(property passd.service MainPID)"
holds "also after a SIGHUP from another program, because the daemon itself reports it" await 10 is passd.service ActiveState reloading
rm /run/hold/files
holds "until it says that it is ready" await 20 is passd.service ActiveState active
holds "it was read" await 10 some_of records "$mark" PASSD_EVENT=RELOADED
if [ "$(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p')" -ge 253 ]; then
    drop_in 91-test <<< $'[Service]\nType=notify-reload\nExecReload=\nTimeoutStartSec=20'
    restart
    mark=$(now)
    holds "it reports when the reload began, for a service manager that waits for that" systemctl reload passd.service
    holds "and when it has ended" await 10 some_of records "$mark" PASSD_EVENT=RELOADED
    take_drop_in 91-test
    restart
fi

chapter "A stop, as the service manager sees it"

signed_in && lumen logout # a change that must be written
touch /run/hold/disk
kill -TERM "$(property passd.service MainPID)"
holds "a daemon that ends reports that" await 10 is passd.service ActiveState deactivating
rm /run/hold/disk
holds "and ends, which is not a failure" await 20 is passd.service ActiveState inactive
take_drop_in 90-test
rm -r /run/hold
systemctl start passd.service
signed_in || sign_in > /dev/null

chapter "A daemon that cannot start"

drop_in 90-test << 'END'
[Service]
ExecStartPre=/bin/false
# Lets this chapter end soon.
RestartSec=1
END
systemctl reset-failed passd.service
holds "it does not start" not systemctl restart passd.service
retried() { (($(property passd.service NRestarts) >= 8)); }
holds "systemd tries again and again" await 90 retried
holds "the socket for apps stays" is passd.socket ActiveState active
take_drop_in 90-test
holds "without the cause, the daemon starts by itself, with the logins" await 20 signed_in
holds "the status says how it ended meanwhile" says "exit [0-9]+" passd-cli status

chapter "A bad configuration, and an app that waits at the socket"

systemctl stop passd.service
printf '[daemon]\nlog-level = loud\n' > /etc/passd/passd.conf.d/45-test.conf
mark=$(now)
holds "the app is told that passd does not run" ends 69 timeout 30 runuser --user viewer -- passd-cli --requestor LUMENTV check
holds "the daemon has ended with 78" is passd.service ExecMainStatus 78
holds "it stays down" is passd.service ActiveState failed
holds "the socket, too, which says why" is passd.socket Result trigger-limit-hit
holds "the journal names the line" says "45-test.conf:2" unit_records "$mark"
starts=$(unit_records "$mark" --output cat | grep -c "45-test.conf:2")
holds "a further app is told at once" ends 69 timeout 5 runuser --user viewer -- passd-cli --requestor LUMENTV check
holds "and does not start it" [ "$(unit_records "$mark" --output cat | grep -c "45-test.conf:2")" -eq "$starts" ]
rm /etc/passd/passd.conf.d/45-test.conf
holds "with a good configuration, one command starts it" systemctl restart passd.service
holds "the login is there" await 20 signed_in

chapter "Growing delays between restarts"

drop_in 90-test < /usr/share/passd/passd.service.d/restart.conf
crashes() {
    process=$(property passd.service MainPID)
    kill -SEGV "$process"
    await 20 another_process "$process" && await 20 is passd.service ActiveState active
}
restart
holds "after a crash, systemd starts the daemon again" crashes
if [ "$(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p')" -ge 254 ]; then
    holds "this systemd knows the steps" is passd.service RestartSteps 7
    delay=$(property passd.service RestartUSecNext)
    holds "after a second crash, too" crashes
    holds "the delay grows" is_not passd.service RestartUSecNext "$delay"
    note "from $delay to $(property passd.service RestartUSecNext)"
else
    holds "an older systemd ignores the steps" is passd.service RestartSteps ""
    holds "and waits a second" is passd.service RestartUSec 1s
fi
take_drop_in 90-test
restart
holds "the login is there" await 20 signed_in
