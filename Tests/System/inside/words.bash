# The commands for the chapters. All users, files and clocks of a box exist only for the test.

checks=0 failures=0 children=()

chapter() { printf '\n%s\n' "$*"; }
note() { echo "  note  $*"; }

# holds SENTENCE COMMAND…: the command must end with 0. Its output is shown only if it does not.
holds() {
    local sentence=$1 begun=$SECONDS
    shift
    checks=$((checks + 1))
    if "$@" > /tmp/said 2>&1; then # not in a subshell, because some commands set variables
        echo "  ok    $sentence$([ $((SECONDS - begun)) -lt 4 ] || echo " ($((SECONDS - begun)) s)")"
    else
        failures=$((failures + 1))
        echo "  FAIL  $sentence"
        echo "        $*"
        tail -n 20 /tmp/said | sed 's/^/        | /'
    fi
}
# ends STATUS COMMAND…: the command must end with exactly this status.
ends() {
    local wanted=$1 status=0
    shift
    "$@" || status=$?
    [ "$status" -eq "$wanted" ] || { echo "it ended with $status, not with $wanted" && return 1; }
}
not() { ! "$@"; }
# await SECONDS COMMAND…: the command must end with 0 within the time. The pauses grow, because boxes run at the same time and
# many of these commands cost more than what they wait for.
await() {
    local deadline=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000)) tries=0
    shift
    until "$@" > /dev/null 2>&1; do
        if [ "${EPOCHREALTIME/[.,]/}" -ge "$deadline" ]; then
            echo "not in time: $*"
            "$@"
            return 1
        fi
        tries=$((tries + 1))
        if [ "$tries" -lt 10 ]; then sleep 0.05; else sleep 0.3; fi
    done
}
# says PATTERN COMMAND…: the command's output must match the pattern. Its status does not matter.
says() {
    local pattern=$1 said
    shift
    said=$("$@" 2>&1) || true
    grep -qE -- "$pattern" <<< "$said" || { echo "$said" && return 1; }
}
milliseconds() { echo $((($1) / 1000)); }

property() { systemctl show --value --property "$2" "$1"; }
is() { [ "$(property "$1" "$2")" = "$3" ] || { echo "$2 of $1 is $(property "$1" "$2")" && return 1; }; }
# There is a main process, and it is another process than before.
another_process() { [ "$(property passd.service MainPID)" != "$1" ] && is_not passd.service MainPID 0; }
is_not() { not is "$@" > /dev/null; }
mode() { [ "$(stat -c '%a %U:%G' "$1")" = "$2" ] || { stat -c '%n %a %U:%G' "$1" && return 1; }; }
# The daemon's own records since MARK, by their fields.
records() { journalctl --sync && journalctl --quiet --no-pager --since "$1" _SYSTEMD_UNIT=passd.service "${@:2}"; }
unit_records() { journalctl --sync && journalctl --quiet --no-pager --since "$1" -u passd.service "${@:2}"; }
none_of() {
    local said
    said=$("$@")
    [ -z "$said" ] && return
    echo "$said" && return 1
}
some_of() { [ -n "$("$@")" ]; }
now() { date '+%F %T.%6N'; } # not a cursor, because journalctl skips the first record after a cursor

viewer() { runuser --user viewer -- "$@"; }
guest() { runuser --user guest -- "$@"; }
lumen() { viewer passd-cli --no-color --requestor LUMENTV "$@"; }
news() { viewer passd-cli --no-color --requestor NEWS24 "$@"; }
signed_in() { lumen check > /dev/null; }

# Acts as the viewer: reads the code and the link from the screen, or the address if there is no link, and logs in on the phone.
# Sets `page` and `code`.
# No viewer is signed in before.
sign_in() {
    rm -f /tmp/login
    lumen logout
    lumen login --no-qr --provider NorthCable > /tmp/login 2> /tmp/progress &
    local app=$!
    await 60 grep -q '^Code' /tmp/login || { cat /tmp/progress && kill "$app" && return 1; }
    code=$(sed -n 's/^Code *//p' /tmp/login)
    page=$(sed -n 's/^Link *//p; s/^Address *//p' /tmp/login | head -n 1)
    echo "$code" >> /tmp/codes
    echo lovelace | pass-sandbox log-in "$page" --provider NorthCable --user ada --password - || return 1
    wait "$app"
}

# Apps that stay connected, each on a connection of its own.
connect_clients() {
    coproc CLIENTS { exec runuser --user viewer -- python3 /box/inside/clients.py "$1" LUMENTV 2>&1; }
    children+=("$CLIENTS_PID")
    local line
    read -r -t 60 line <&"${CLIENTS[0]}"
    echo "$line"
    [ "$line" = ready ]
}
# ask_clients WANTED: all clients get an answer over their connections.
ask_clients() {
    local line
    echo ask >&"${CLIENTS[1]}"
    read -r -t 60 line <&"${CLIENTS[0]}"
    echo "$line"
    [[ $line == "$1 after "* ]]
}
# Between these two commands, the clients send requests one after the other. All must be answered, each within ten seconds. PAUSE is
# another pattern for the seconds, for an emulated processor.
keep_asking() { echo keep >&"${CLIENTS[1]}"; }
noticed_a_pause() {
    local line
    echo enough >&"${CLIENTS[1]}"
    read -r -t 90 line <&"${CLIENTS[0]}"
    echo "$line"
    [[ $line =~ ^broken\ 0\ worst\ ${PAUSE:-[0-9]}\. ]]
}
disconnect_clients() {
    local process=${CLIENTS_PID:-}
    [ -n "$process" ] || return
    kill "$process" 2> /dev/null
    wait "$process" 2> /dev/null
}

# Restarts by an operator do not count against the daemon's limit of starts.
restart() {
    systemctl reset-failed passd.service
    systemctl restart passd.service
}
drop_in() { # NAME, and the text on standard input
    mkdir -p /etc/systemd/system/passd.service.d
    cat > "/etc/systemd/system/passd.service.d/$1.conf"
    systemctl daemon-reload
}
take_drop_in() {
    rm -f "/etc/systemd/system/passd.service.d/$1.conf"
    systemctl daemon-reload
}

# The end of a test. Prints the number of successful checks, and returns 1 if not all succeeded.
result() {
    printf '\n%s of %s hold\n' "$((checks - failures))" "$checks"
    [ "$failures" -eq 0 ] && [ "$checks" -gt 0 ]
}
