chapter "Three instances beside the daemon of the box"

useradd --create-home third
# All instances use one address, whose requests the sandbox would limit.
mkdir -p /etc/systemd/system/pass-sandbox.service.d
cat > /etc/systemd/system/pass-sandbox.service.d/90-test.conf << 'END'
[Service]
ExecStart=
ExecStart=/usr/bin/pass-sandbox serve --state ${STATE_DIRECTORY}/state --no-throttle
END
systemctl daemon-reload && systemctl restart pass-sandbox.service

in_room() { # NAME USER VERB…: an app of the user asks this instance
    local room=$1 user=$2
    shift 2
    runuser --user "$user" -- passd-cli --no-color --instance "$room" --requestor LUMENTV "$@"
}
room1() { in_room room1 viewer "$@"; }
room2() { in_room room2 guest "$@"; }
room3() { in_room room3 third "$@"; }
signs_in() { (lumen() { "$room" "$@"; } && room=$1 && sign_in); }
declare -A user=([room1]=viewer [room2]=guest [room3]=third)
process_of() { property "passd@$1.service" MainPID; }
as_daemon_of() { setpriv --reuid "passd-$1" --regid "passd-$1" --clear-groups "${@:2}"; }
as_operator_of() { # GROUP COMMAND…
    setpriv --reuid guest --regid guest --groups "$(getent group "$1" | cut -d: -f3)" "${@:2}"
}

for name in ../etc . A a_b 'a b' a@b abcdefghijklmnopqrstu metrics; do
    holds "\"$name\" is refused as a name" ends 64 passd-setup --instance "$name" create
    holds "and passd-cli refuses it, too" ends 64 passd-cli --instance "$name" status
done
holds "an instance that was not made cannot be set up" ends 69 passd-setup --instance room1 sandbox viewer
holds "or started" not systemctl start passd@room1.service
holds "which is no failure of a unit" none_of systemctl --failed --no-legend --plain
started=${EPOCHREALTIME/[.,]/}
for room in room1 room2 room3; do
    holds "$room is made" passd-setup --instance $room create "${user[$room]}"
    for unit in passd@$room.service passd@$room.socket passd-admin@$room.socket; do
        holds "$unit runs" is "$unit" ActiveState active
        holds "$unit is started at boot" is "$unit" UnitFileState enabled
    done
    holds "its store is its own daemon's alone" mode /var/lib/passd@$room "700 passd-$room:passd-$room"
    holds "its daemon runs as a user of its own" says "^passd-$room\$" stat -c %U "/proc/$(process_of $room)"
    holds "its socket is open to its own group" mode /run/passd@$room/passd.sock "660 root:passdapp-$room"
    holds "that for operators to its operators" mode /run/passd@$room/admin.sock "660 root:passd-$room"
    holds "it has limits of its own" is passd@$room.service MemoryMax 268435456
    holds "of tasks, too" is passd@$room.service TasksMax 64
done
note "all three in $(milliseconds "${EPOCHREALTIME/[.,]/} - started") ms"
holds "a second time changes nothing" passd-setup --instance room1 create viewer
holds "they are in one slice" is passd@room2.service Slice system-passd.slice
holds "the exposure of one is at most 1.0" systemd-analyze security --no-pager --threshold=10 passd@room3.service
holds "the doctor of one says how this one is set up" says "passd-setup --instance room3 service" passd-cli --instance room3 doctor
for room in room1 room2 room3; do
    holds "$room asks the sandbox" passd-setup --instance $room sandbox "${user[$room]}"
done
holds "they are listed" says "^room2 active" passd-setup list
holds "passd-setup tells of one" says "origin = http://127.0.0.1:8642" passd-setup --instance room2 status
holds "the configuration of one is checked" says "configuration is good" passd --instance room2 --check-config

stanza=/etc/passd@room1/apps.d/90-test.conf
printf '[app boxed]\nrequestors = LUMENTV\nallow = socket:boxed\n' > $stanza
holds "an instance makes sockets for apps in containers" systemctl reload passd@room1.service
holds "in a directory of its own" mode /run/passd-apps@room1 "700 passd-room1:passd-room1"
holds "which identify the app" says '"app": ?"boxed"' env PASSD_SOCKET=/run/passd-apps@room1/boxed/passd.sock passd-cli call passd.whoami
holds "other daemons do not have this socket" not stat /run/passd-apps/boxed /run/passd-apps@room2/boxed
rm $stanza
systemctl reload passd@room1.service

chapter "A login belongs to one instance"

holds "on the box, the viewer is signed in" signed_in
for room in room1 room2 room3; do
    holds "in $room, nobody is signed in" ends 3 $room check
done
holds "a viewer logs in in room1" signs_in room1
holds "and is signed in there" says "Signed in with NorthCable" room1 check
room1 authorize lumen-sports-1 > /tmp/token 2> /tmp/notes
holds "the app there gets a media token" pass-sandbox verify "$(cat /tmp/token)" --resource lumen-sports-1
holds "in room2, nobody is signed in" ends 3 room2 check
holds "and no play is permitted" not room2 authorize lumen-sports-1
holds "nor in room3" ends 3 room3 check
python3 - << 'END'
import urllib.request
urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:8642/sandbox/journal", method="DELETE"))
END
devices() { # the number of instances that the service has seen
    python3 - << 'END'
import json, urllib.request
with urllib.request.urlopen("http://127.0.0.1:8642/sandbox/journal") as answer:
    requests = json.load(answer)["requests"]
print(len({value for request in requests for name, value in request["headers"].items()
           if name.lower() == "ap-device-identifier"}))
END
}
holds "a viewer logs in in room2" signs_in room2
holds "and in room3" signs_in room3
room1 authorize lumen-movies > /tmp/token 2> /tmp/notes
lumen authorize lumen-movies > /tmp/token 2> /tmp/notes
holds "to the service they are three devices, and the box a fourth" says '^4$' devices
holds "a logout in room2" room2 logout
holds "ends the login there" ends 3 room2 check
holds "but not in room1" room1 check
holds "nor in room3" room3 check
holds "nor on the box" signed_in
holds "a viewer logs in in room2 again" signs_in room2
decisions_of() { journalctl --sync && journalctl --quiet --no-pager _SYSTEMD_UNIT="passd@$1.service" PASSD_EVENT=AUTHORIZATION; }
holds "the journal has the decisions of room1" await 10 some_of decisions_of room1
holds "apart from those of room3" none_of decisions_of room3

chapter "Each has its own metrics"

collector=/var/lib/prometheus/node-exporter
mkdir -p $collector
numbers_of() { grep -q "^passd_up{box=\"$1\"} $2\$" "$collector/passd@$1.prom"; }
holds "those of room1 are enabled" systemctl enable --now passd-metrics@room1.timer
holds "and there within a minute" await 70 numbers_of room1 1
holds "all of them with its name" none_of grep -v -e '^#' -e 'box="room1"' $collector/passd@room1.prom
holds "and none of room2" not test -e $collector/passd@room2.prom
holds "those of room3 are written once" systemctl start passd-metrics@room3.service
holds "with its own name" numbers_of room3 1
holds "there are none of an instance that was not made" not systemctl start passd-metrics@room9.service
systemctl reset-failed 'passd-metrics@*'
holds "their user may not ask by itself" ends 77 runuser --user passd-metrics -- passd-cli --instance room1 metrics
holds "the exposure of one is at most 1.0" systemd-analyze security --no-pager --threshold=10 passd-metrics@room1.service

chapter "One is restored from its backup"

others="$(process_of room1) $(process_of room3)"
holds "the logins of room2 are exported" passd-cli --instance room2 export /tmp/room2
holds "room1 does not import them" says "sealed with another key" passd-cli --instance room1 import --yes /tmp/room2
# Once the service is told about the logout, it forgets the login.
systemctl stop pass-sandbox.service
holds "the viewer logs out in room2" room2 logout
holds "and is not signed in there" not room2 check
former=$(process_of room2)
systemctl reset-failed passd@room2.service
holds "its backup is restored" says "^There is now 1 login" passd-cli --instance room2 import --yes /tmp/room2
restarted_room2() { is_not passd@room2.service MainPID "$former" && is passd@room2.service NRestarts 1; }
holds "the service manager starts room2 again" await 20 restarted_room2
holds "with the login" await 20 room2 check
systemctl start pass-sandbox.service
holds "which the service accepts" await 30 room2 authorize lumen-sports-1
holds "the others did not notice" [ "$(process_of room1) $(process_of room3)" = "$others" ]
holds "no unit failed" none_of systemctl --failed --no-legend --plain
rm /tmp/room2

chapter "Instances cannot reach each other"

may_not_connect() { says "may not connect to /run/passd@$1/passd.sock" in_room "$1" "$2" check; }
holds "the user of room1 may not open the socket of room2" may_not_connect room2 viewer
holds "nor of room3" may_not_connect room3 viewer
holds "nor the user of room2 that of room1" may_not_connect room1 guest
holds "which ends with 77" ends 77 in_room room1 guest check
holds "nor without passd-cli" not guest python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("/run/passd@room1/passd.sock")'
holds "an app finds its instance by the environment" runuser --user viewer -- env PASSD_SOCKET=/run/passd@room1/passd.sock \
    passd-cli --requestor LUMENTV check
holds "users cannot open the socket for operators" not viewer passd-cli --instance room1 status
holds "nor operators of the box" ends 77 as_operator_of passd passd-cli --instance room1 status
holds "operators of room1 can" as_operator_of passd-room1 passd-cli --instance room1 status
holds "and not that of room2" ends 77 as_operator_of passd-room1 passd-cli --instance room2 status
holds "nor that of the box" ends 77 as_operator_of passd-room1 passd-cli status
holds "the daemon of room1 reads its store" as_daemon_of room1 cat /var/lib/passd@room1/passd.db
for there in /var/lib/passd@room2/passd.db /var/lib/passd/passd.db /etc/passd@room2/identity /etc/passd@room2/sandbox/lumen-tv.jwt \
    "/proc/$(process_of room2)/environ" /run/credentials/passd@room2.service/passd.sealing-key; do
    holds "and not $there" not as_daemon_of room1 cat "$there"
done

chapter "One is killed, sealed and reloaded, and the others do not notice"

export PASSD_SOCKET=/run/passd@room1/passd.sock
holds "5 apps are connected to room1" connect_clients 5
unset PASSD_SOCKET
before="$(process_of room1) $(process_of room3) $(property passd.service MainPID)"
former=$(process_of room2)
keep_asking
kill -KILL "$former"
another_in_room2() { is_not passd@room2.service MainPID "$former" && is passd@room2.service ActiveState active; }
holds "room2 is killed, and started again" await 60 another_in_room2
holds "with its login" await 20 room2 check
holds "the logins of room3 are exported" passd-cli --instance room3 export /tmp/room3
holds "room3 gets a sealing key" passd-setup --instance room3 seal
holds "it has it" [ "$(stat -c %s /run/credentials/passd@room3.service/passd.sealing-key)" -eq 32 ]
holds "and no key file" none_of find /var/lib/passd@room3 -name passd.key
holds "its login stays" await 20 room3 check
holds "the earlier export is sealed with another key" says "sealed with another key" passd-cli --instance room3 import --yes /tmp/room3
rm /tmp/room3
holds "room1 has none" grep -qx none /run/credentials/passd@room1.service/passd.sealing-key
holds "room2 is reloaded" systemctl reload passd@room2.service
holds "the apps of room1 noticed nothing" noticed_a_pause
note "$(cat /tmp/said)"
disconnect_clients
holds "the other processes are the same" \
    [ "$(process_of room1) $(property passd.service MainPID)" = "${before% * *} ${before##* }" ]
holds "a viewer is signed in on the box" signed_in

chapter "An upgrade, and the end of instances"

former=$(process_of room1)
holds "a package is installed over the one that is there" dpkg -i /box/later/later.deb
is_another() { is_not passd@room1.service MainPID "$former" && is passd@room1.service ActiveState active; }
holds "room1 is another process" await 20 is_another
for room in room1 room2 room3; do
    holds "in $room, the login is there" await 20 $room check
done
holds "room2 loses its service" passd-setup --instance room2 none
holds "the sandbox stays for the others" is pass-sandbox.service ActiveState active
holds "room3 is deleted" passd-setup --instance room3 delete
holds "the link to its metrics is removed" not test -L $collector/passd@room3.prom
for path in /run/passd-metrics@room3 /etc/passd@room3 /var/lib/passd@room3 /run/passd@room3 /etc/systemd/system/passd@room3.service.d \
    /etc/systemd/system/multi-user.target.wants/passd@room3.service /run/passd-sealing-key@room3; do
    holds "nothing is left at $path" not test -e "$path"
done
holds "nothing runs as its user" none_of find /proc -maxdepth 1 -user passd-room3
holds "made again" passd-setup --instance room3 create third
holds "for the sandbox" passd-setup --instance room3 sandbox third
holds "it is another device, and nobody is signed in" ends 3 room3 check
holds "room1 is reset" passd-setup --instance room1 reset --yes
holds "nobody is signed in there" await 20 ends 3 room1 check
holds "passd on the box keeps its login" signed_in
# The metrics of room1 are being written when it is deleted.
mkdir -p /run/systemd/system/passd-metrics@room1.service.d
printf '[Service]\nExecStartPre=/bin/sleep 60\n' > /run/systemd/system/passd-metrics@room1.service.d/slow.conf
systemctl daemon-reload && systemctl start --no-block passd-metrics@room1.service
holds "the numbers of room1 are being written" await 10 is passd-metrics@room1.service ActiveState activating
for room in room1 room2 room3; do
    holds "$room is deleted" passd-setup --instance $room delete
done
rm -r /run/systemd/system/passd-metrics@room1.service.d
systemctl daemon-reload
holds "none is listed" none_of passd-setup list
holds "no unit of theirs is left" none_of systemctl list-units --all --no-legend --plain 'passd@*' 'passd-admin@*' 'passd-metrics@*'
holds "nor numbers" none_of find $collector /etc/systemd/system -name 'passd*@room*'
holds "no unit failed" none_of systemctl --failed --no-legend --plain
holds "passd on the box keeps running" signed_in
rm -r /etc/systemd/system/pass-sandbox.service.d
systemctl daemon-reload && systemctl restart pass-sandbox.service
holds "with the sandbox as before" await 30 pass-sandbox statement lumen-tv
# The starts of the upgrade must not count in the next chapters.
systemctl reset-failed passd.service
