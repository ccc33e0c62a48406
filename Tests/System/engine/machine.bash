# The box as a virtual machine of QEMU: Debian's kernel for clouds, every cgroup controller, a TPM; no network, no input. The
# processor is emulated, because a nested /dev/kvm may hang.
# shellcheck shell=bash disable=SC2034,SC2154

machine_needs() {
    [ "$(uname -m)" = x86_64 ] || die "--machine is for x86-64"
    case $arch in
        amd64)
            qemu=(qemu-system-x86_64 -cpu max) console=ttyS0
            need qemu-system-x86_64 qemu-system-x86
            ;;
        arm64)
            # QEMU is much slower if each system call changes the page table.
            qemu=(qemu-system-aarch64 -M virt -cpu cortex-a72) console='ttyAMA0 kpti=off'
            need qemu-system-aarch64 qemu-system-arm
            need qemu-aarch64-static qemu-user-static
            ;;
    esac
    need mke2fs e2fsprogs
    need gcc gcc
    [ "$tpm" = 0 ] || need swtpm swtpm
}

machine_kernel() { build "$here/engine/kernel" "$store/kernels" "$suite" > "$dir/kernel"; }

# The machine's disk is a copy of the box's files, with a service that runs the command and then shuts down.
machine_disk() {
    local each units=$root/etc/systemd/system
    cp "$here/engine/machine-command" "$root/box/.machine"
    # A service of type oneshot would keep the boot from ending.
    printf '%s\n' '[Service]' Type=exec 'ExecStart=/bin/bash /box/.machine' \
        'ExecStopPost=/bin/systemctl --no-block poweroff' > "$units/box-command.service"
    mkdir -p "$units/multi-user.target.wants"
    ln -sfn ../box-command.service "$units/multi-user.target.wants/"
    ln -sfn /dev/null "$units/systemd-modules-load.service" # the system on the disk has no modules
    # systemd starts all generators at each reload, and they find nothing in a box.
    if [ "$arch" != amd64 ]; then
        mkdir -p "$root/etc/systemd/system-generators"
        for each in "$root"/usr/lib/systemd/system-generators/*; do
            ln -sfn /dev/null "$root/etc/systemd/system-generators/${each##*/}"
        done
    fi
    truncate -s $(($(du -sm "$root" | cut -f 1) * 5 / 4 + 1024))M "$dir/disk"
    mke2fs -q -F -t ext4 -d "$root" "$dir/disk" 2> "$dir/problem" || die "mke2fs: $(cat "$dir/problem")"
}

tpm_options=()
machine_tpm() {
    mkdir "$dir/tpm"
    spawn swtpm socket --tpm2 --terminate --tpmstate dir=tpm --ctrl type=unixio,path=tpm/control \
        < /dev/null > "$dir/console" 2>&1
    until [ -S tpm/control ]; do
        lives || die "swtpm ended early"
        sleep 0.05
    done
    tpm_options=(-chardev 'socket,id=tpm,path=tpm/control' -tpmdev 'emulator,id=tpm0,chardev=tpm'
        -device 'tpm-tis,tpmdev=tpm0')
}

# Reads the machine's third port: first the state after the boot and the time of the boot, then the command's status.
told() { sed -n "$1p" "$dir/events" 2> /dev/null || true; }

machine_run() {
    local kernel readers=() deadline state=''
    machine_kernel
    kernel=$(< "$dir/kernel")
    machine_disk
    gcc -shared -fPIC -O1 -o "$dir/clock.so" "$here/clock.c" || die "no hardware clock"
    cd "$dir" || die "$dir is gone" # the path of a socket must be short
    [ "$tpm" = 0 ] || machine_tpm
    # QEMU opens paths itself, which would truncate a file and fail for a socket. So it writes into pipes.
    exec 5> >(exec cat 7<&- 8<&- 9>&-)
    readers+=($!)
    exec 6> >(exec cat >&2 5>&- 7<&- 8<&- 9>&-)
    readers+=($!)
    deadline=$((SECONDS + 450))
    # The kernel may first divide the processors among sessions. In a container, each service is a session. So beside other boxes
    # the machine needs a session of its own with a higher share, or it does not boot in time.
    # Without no_timer_check, the kernel panics if this machine is so busy that the emulated timer is late at the boot.
    # shellcheck disable=SC2016 # the inner shell expands it
    spawn setsid bash -c '{ echo -5 > /proc/self/autogroup; } 2> /dev/null || true; exec "$@"' bash \
        env LD_PRELOAD="$dir/clock.so" "${qemu[@]}" -accel tcg,thread=multi -smp 2 -m 1024 -nodefaults -no-user-config \
        -display none -no-reboot -net none -kernel "$kernel/vmlinuz" -initrd "$kernel/initramfs" \
        -append "console=$console quiet panic=-1 mitigations=off no_timer_check systemd.show_status=0 rw" -serial file:serial \
        -drive file=disk,if=virtio,format=raw,cache=unsafe -device virtio-serial \
        -chardev file,id=output,path=/dev/fd/5 -device virtserialport,chardev=output \
        -chardev file,id=errors,path=/dev/fd/6 -device virtserialport,chardev=errors \
        -chardev file,id=events,path=events -device virtserialport,chardev=events \
        "${tpm_options[@]}" < /dev/null >> "$dir/console" 2>&1
    exec 5>&- 6>&-
    while lives && [ "$SECONDS" -lt "$deadline" ]; do
        sleep 0.1
        if [ -z "$state" ]; then
            state=$(told 1)
            [ -z "$state" ] || deadline=$((SECONDS + limit + 30))
            [[ $state != running* ]] || say "${state#running } s"
        elif [ -z "$outcome" ]; then
            outcome=$(told 2)
            [ -z "$outcome" ] || deadline=$((SECONDS + 60))
        fi
    done
    : "${outcome:=$(told 2)}"
    if ! lives; then
        wait "${readers[@]}" 2> /dev/null || true
    elif [[ $state = running* ]]; then
        : "${outcome:=124}"
    fi
    cat serial >> "$dir/console"
    [[ $state != degraded* ]] || die "the machine came up without ${state#degraded }"
    [ -n "$state" ] || die "the machine did not boot"
    [ -n "$outcome" ] || die "the machine went away under the command"
}

machine_results() {
    mkdir "$dir/results"
    if [ -e "$dir/events" ]; then
        e2fsck -p "$dir/disk" > /dev/null 2>&1 # for a machine that did not end properly
        debugfs -R "rdump /box/out $dir/results" "$dir/disk" > /dev/null 2>&1
        debugfs -R "rdump /var/log/journal $dir/results" "$dir/disk" > /dev/null 2>&1
    fi
    mkdir -p "$dir/results/out" "$dir/results/journal"
}
