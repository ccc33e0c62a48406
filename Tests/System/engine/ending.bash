# Ends a box in all cases. Its processes are in one cgroup. The cgroup shows when the last process has ended, and can kill the
# processes that remain. Mounts need no cleanup, because they are in the namespace of the script.
# shellcheck shell=bash disable=SC2034,SC2154

group='' dir='' child='' birth='' outcome='' root=''

# Takes the lock for this name. Its holder owns the folder and the cgroup.
take_name() { # NAME [wait]
    dir=$store/boxes/$1
    group=/sys/fs/cgroup/passd-box-$1-$(cksum <<< "$store" | cut -d ' ' -f 1)
    exec 9> "$dir.lock"
    until flock -n 9; do
        [ "${2:-}" = wait ] || return 1
        sleep 0.2
    done
}

since() {
    local tenths=$(((${EPOCHREALTIME/[.,]/} - $1) / 100000))
    echo "$((tenths / 10)).$((tenths % 10)) s"
}

# The ID of a process may be used again after its end, so the start time is compared, too.
born() { sed 's/.*) //' "/proc/$1/stat" 2> /dev/null | cut -d ' ' -f 20 || true; }
lives() { [ -n "$birth" ] && [ "$(born "$child")" = "$birth" ]; }

# Runs a program in the background and in the box's cgroup. The program ends with this script.
spawn() {
    (
        exec 7<&- 8<&- 9>&-
        echo "$BASHPID" > "$group/cgroup.procs"
        exec setpriv --pdeathsig TERM -- "$@"
    ) &
    child=$!
    birth=$(born "$child")
}

await_empty_group() { # SECONDS
    local tries=$(($1 * 20))
    while grep -qs '^populated 1' "$group/cgroup.events"; do
        [ $((tries--)) -gt 0 ] || return 1
        sleep 0.05
    done
}

# nspawn shuts the box down properly after SIGTERM. If a run was killed, the kernel has sent the signal to its processes.
end_processes() {
    [ -d "$group" ] || return 0
    ! lives || kill -TERM "$child"
    await_empty_group 20 && return
    say "the box does not end by itself"
    echo 1 > "$group/cgroup.kill"
    await_empty_group 10 || say "there are processes that do not end, in $group"
}

take_away() {
    if [ -d "$group" ]; then
        say "used the processors for $(($(sed -n 's/^usage_usec //p' "$group/cpu.stat") / 1000000)) s"
        find "$group" -depth -type d -exec rmdir {} +
    fi
    ! mountpoint -q "$dir/files" || umount "$dir/files" || umount -l "$dir/files"
    ! mountpoint -q "$dir/root" || umount "$dir/root" || umount -l "$dir/root"
    rm -rf --one-file-system "$dir"
}

bring_results() {
    local files=$root/box/out records=$root/var/log/journal
    if [ "$engine" = machine ]; then
        machine_results
        files=$dir/results/out records=$dir/results/journal
    fi
    if [ -n "$out" ]; then
        mkdir -p "$out"
        cp -r "$files/." "$out/"
    fi
    if [ -n "$journal" ]; then
        mkdir -p "$(dirname "$journal")"
        journalctl --directory="$records" --no-pager --no-hostname -o short-precise > "$journal"
    fi
    [ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID" ${out:+"$out"} ${journal:+"$journal"}
}

finish() {
    local status=$?
    trap - EXIT
    trap '' INT TERM HUP
    set +e # from now on, a failure must not stop the cleanup
    if [ -z "$outcome" ]; then
        outcome=125
        say "THE BOX DID NOT RUN: a command of its script ended with $status"
    fi
    end_processes
    [ -z "$child" ] || wait "$child" 2> /dev/null
    if mountpoint -q "$dir/root"; then
        bring_results || say "the results could not be brought"
    fi
    if [ "$outcome" = 125 ] && [ -s "$dir/console" ]; then tail -n 40 "$dir/console" | sed 's/^/box: console: /' >&2; fi
    take_away || say "$dir or $group is still there"
    say "ended with $outcome after $(since "$begin")"
    exit "$outcome"
}

clean_up_after_killed_runs() {
    local lock busy=0 names=("$name")
    if [ -z "$name" ]; then
        names=()
        for lock in "$store"/boxes/*.lock; do
            [ ! -e "$lock" ] || names+=("$(basename "$lock" .lock)")
        done
    fi
    for name in "${names[@]}"; do
        if take_name "$name"; then
            end_processes
            take_away
        else
            busy=1
            say "$name is running"
        fi
    done
    [ "$fresh" = 0 ] || [ "$busy" = 1 ] || rm -rf --one-file-system "$store/roots" "$store/kernels"
}
