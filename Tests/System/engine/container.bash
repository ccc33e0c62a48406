# The box as a container of systemd-nspawn: with this machine's kernel, and only a loopback network.
# shellcheck shell=bash disable=SC2034,SC2154

container_needs() {
    need systemd-nspawn systemd-container
    need nsenter util-linux
}

leader=''
inside() { nsenter --target "$leader" --all --wdns=/ -- env -i ${TERM:+TERM="$TERM"} "$@" 7<&- 8<&- 9>&-; }

# The container's PID 1 is the child of nspawn, once the child has become systemd.
find_leader() {
    local pids=() pid
    read -r -a pids < "/proc/$child/task/$child/children" || true
    for pid in "${pids[@]}"; do
        [ "$(cat "/proc/$pid/comm" 2> /dev/null)" != systemd ] || leader=$pid
    done
}

container_boot() {
    local state='' start=${EPOCHREALTIME/[.,]/} deadline=$((SECONDS + 120))
    # The host may have no service manager that could register the container, so the container stays in the cgroup in which it
    # is started. With nspawn's defaults for BPF, keyrings and locked memory, systemd would silently ignore IPAddressDeny=.
    spawn env -i PATH="$PATH" systemd-nspawn --quiet --boot --directory="$root" --machine="$name" \
        --register=no --keep-unit --settings=no --private-network --resolv-conf=off --timezone=off --link-journal=no \
        --capability=CAP_IPC_LOCK,CAP_BPF,CAP_PERFMON --system-call-filter='@memlock @keyring bpf' --console=pipe \
        "${options[@]}" -- --log-target=journal --show-status=no < /dev/null >> "$dir/console" 2>&1
    until [ "$state" = running ]; do
        lives || die "systemd-nspawn ended early"
        [ "$SECONDS" -lt "$deadline" ] || die "systemd did not get up in two minutes; it is ${state:-not to be asked}"
        sleep 0.05
        [ -n "$leader" ] || find_leader
        [ -S "/proc/$leader/root/run/systemd/private" ] || continue
        state=$(inside systemctl is-system-running < /dev/null 2> /dev/null) || true
        [ "$state" != degraded ] ||
            die "the box came up without $(inside systemctl list-units --failed --plain --no-legend --no-pager)"
    done
    say "$(inside systemctl --version < /dev/null | sed -n '1s/ (.*//p') is running after $(since "$start")"
}

# Switches the box off, so that it can boot again.
container_end() {
    end_processes
    wait "$child" 2> /dev/null || true
    child='' birth='' leader='' outcome=''
    find "$group" -depth -type d -exec rmdir {} +
    mkdir "$group"
    rm -f "$root/box/.status"
}

container_run() {
    local boot options=()
    # A private /run for nspawn's files.
    mount -t tmpfs -o mode=755 box /run
    # The machine ID of a read-only box comes from outside, as from a boot loader.
    if [ "$read_only" = 1 ]; then
        # nspawn makes the root read-only before it looks up other mounts, so their sources have another path.
        mkdir "$dir/files"
        mount --bind "$root" "$dir/files"
        options=(--read-only --bind="$dir/files/var:/var" --bind="$dir/files/box:/box" --uuid="$(< /proc/sys/kernel/random/uuid)")
    fi
    for ((boot = 1; boot <= boots; boot++)); do
        [ "$boot" = 1 ] || container_end
        container_boot
        container_command
        [ "$outcome" = 0 ] || return 0
    done
}

container_command() {
    local way=--pipe client start status=0
    start=$SECONDS
    [ ! -t 7 ] || [ ! -t 1 ] || way=--pty
    # The outer limit is for a PID 1 that no longer answers.
    inside timeout --foreground --kill-after=5 $((limit + 15)) \
        systemd-run --quiet --wait --collect "$way" --service-type=exec --unit=box-command \
        ${TERM:+--setenv=TERM="$TERM"} --setenv=BOOT="$boot" bash /box/.command <&7 &
    client=$!
    wait "$client" || status=$?
    outcome=$(cat "$root/box/.status" 2> /dev/null) && return
    [ $((SECONDS - start)) -ge "$limit" ] || die "the box went away under the command (systemd-run: $status)"
    outcome=124
}
