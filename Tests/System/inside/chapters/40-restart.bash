chapter "A restart with clients connected"

holds "20 apps are connected" connect_clients 20
holds "and signed in" ask_clients "answered 20 yes 20"
process=$(property passd.service MainPID)
started=${EPOCHREALTIME/[.,]/}
keep_asking
holds "the daemon is restarted" restart
note "in $(milliseconds "${EPOCHREALTIME/[.,]/} - started") ms"
holds "apps that ask meanwhile notice at most a pause" noticed_a_pause
note "$(cat /tmp/said)"
holds "it is another process" another_process "$process"
holds "every app is answered over the connection it had, and still signed in" ask_clients "answered 20 yes 20"
disconnect_clients
holds "when the apps have gone the service manager keeps nothing of them" await 20 is passd.service NFileDescriptorStore 0

chapter "A crash with clients connected"

mark=$(now)
# A thread of our own, because the main thread waits in a library.
process=$(property passd.service MainPID)
thread=$(grep -lx passd.storage "/proc/$process/task/"*/comm | cut -d/ -f5)
python3 -c "import ctypes; ctypes.CDLL(None).tgkill($process, $thread, 11)"
holds "it is started again" await 20 signed_in
holds "by the service manager, once" is passd.service NRestarts 1
holds "the journal has a record of the crash" some_of records "$mark" PASSD_EVENT=CRASHED
holds "the debug files are installed" dpkg -i /box/debug.deb
where() {
    local build addresses
    build=$(records "$mark" PASSD_EVENT=CRASHED --output json | sed -n 's/.*"PASSD_BUILD":"\([0-9a-f]*\)".*/\1/p')
    read -ra addresses < <(records "$mark" PASSD_EVENT=CRASHED --output cat | sed 's/.*; //')
    /box/where "$build" "${addresses[@]}"
}
holds "with them, the record leads to the source" says "Sources/PassThreads/WorkThread.swift:[0-9]+" where
dpkg --purge passd-dbgsym > /dev/null
holds "the status counts it, with the signal" says "SEGV 1" passd-cli status
holds "the metrics do, too" says 'passd_crashes[{]cause="SEGV"[}] 1' passd-cli metrics
