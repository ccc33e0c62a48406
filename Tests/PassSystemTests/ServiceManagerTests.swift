// Tests the protocols of sd_notify(3), sd_watchdog_enabled(3) and sd_listen_fds(3). The environment belongs to the whole
// process, so each test has a process of its own.

import Glibc
import PassTestTools
import Synchronization
import Testing

@testable import PassSystem

@Suite("operations.md §3: what the service manager is told and tells") struct ServiceManagerTests {
    @Test func `a message with descriptors reaches a path and a name in the kernel alike`() async throws {
        let folder = TemporaryDirectory()
        let name = "passd-tests/" + folder.path
        for (address, socket) in [
            (folder.path + "/notify", try unixSocket(SOCK_DGRAM, boundTo: folder.path + "/notify")),
            ("@" + name, try abstractSocket(name)),
        ] {
            defer { close(socket) }
            await #expect(processExitsWith: .success) { [address = address as String] in
                setenv("NOTIFY_SOCKET", address, 1)
                let null = open("/dev/null", O_RDONLY)
                let isKept = DescriptorStore.keep(null, with: Array("note".utf8), as: "a")
                ServiceNotification.ready.send()
                exit(isKept ? 0 : 1)
            }
            let kept = try #require(Datagram.next(socket))
            defer { kept.close() }
            #expect(kept.text == "FDSTORE=1\nFDNAME=kept-a")
            try #require(kept.descriptors.count == 2)
            #expect(wholeContent(kept.descriptors[0]) == Array("note".utf8) && isSealed(kept.descriptors[0]))
            var facts = stat()
            #expect(fstat(kept.descriptors[1], &facts) == 0 && facts.st_rdev == 1 << 8 | 3, "the null device")
            let ready = try #require(Datagram.next(socket))
            #expect(ready.text == "READY=1" && ready.descriptors.isEmpty)
            #expect(Datagram.next(socket) == nil)
        }
    }

    @Test func `where nobody listens nothing is kept, nothing is awaited, and no descriptor stays open`() async throws {
        let folder = TemporaryDirectory()
        close(try unixSocket(SOCK_DGRAM, boundTo: folder.path + "/left"))
        close(try unixSocket(SOCK_STREAM, boundTo: folder.path + "/stream", listening: true))
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            let long = "/" + String(repeating: "x", count: 107)
            let addresses = [
                "", "@", "/", "notify", "vsock:2:1", "@" + long, long, folder + "/none", folder + "/left",
                folder + "/stream",
            ]
            // The runtime of the tests opens and closes a few of its own.
            let rounds = 8
            let before = (0..<512).count { fcntl($0, F_GETFD) >= 0 }
            for address in Array(repeating: addresses, count: rounds).joined() {
                setenv("NOTIFY_SOCKET", address, 1)
                ServiceNotification.ready.send()
                guard !DescriptorStore.keep(0, with: [1], as: "a"), !DescriptorStore.settle() else { exit(1) }
            }
            exit((0..<512).count { fcntl($0, F_GETFD) >= 0 } < before + rounds ? 0 : 2)
        }
    }

    @Test func `settling ends when the manager closes what it was given, and not before`() async throws {
        let folder = TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = folder.file("notify") as String] in
            let socket = try unixSocket(SOCK_DGRAM, boundTo: path)
            setenv("NOTIFY_SOCKET", path, 1)
            let isClosing = Atomic(false)
            OwnThread.run {
                guard let first = Datagram.next(socket, waits: true), first.text == "STOPPING=1",
                    let barrier = Datagram.next(socket, waits: true), barrier.text == "BARRIER=1",
                    barrier.descriptors.count == 1
                else { exit(1) }
                isClosing.store(true, ordering: .sequentiallyConsistent)
                barrier.close()
            }
            ServiceNotification.stopping.send()
            guard DescriptorStore.settle(within: .seconds(60)) else { exit(2) }
            exit(isClosing.load(ordering: .sequentiallyConsistent) ? 0 : 3)
        }
    }

    @Test func `settling does not wait for ever`() async throws {
        let folder = TemporaryDirectory()
        let path = folder.file("notify")
        let socket = try unixSocket(SOCK_DGRAM, boundTo: path)
        defer { close(socket) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            setenv("NOTIFY_SOCKET", path, 1)
            exit(DescriptorStore.settle(within: .milliseconds(20)) ? 1 : 0)
        }
        let barrier = Datagram.next(socket)
        barrier?.close()
        #expect(barrier?.text == "BARRIER=1")
    }

    /// `self` stands for the number of the process. The expected values are those of sd_watchdog_enabled, halved.
    @Test(
        arguments: [
            ("30000000", nil, .seconds(15)), ("30000000", "self", .seconds(15)), ("3", nil, .microseconds(1)),
            ("30000000", "1", nil), ("30000000", "", nil), ("0", nil, nil), ("-1", nil, nil), ("", nil, nil),
            ("1s", nil, nil), ("18446744073709551615", nil, nil), ("99999999999999999999", nil, nil),
            ("18446744073709551614", nil, .microseconds(9_223_372_036_854_775_807)),
        ] as [(String, String?, Duration?)])
    func `the watchdog is on only if the time is one and is for this process`(
        time: String, process: String?, interval: Duration?
    ) async {
        let expected = interval.map { "\($0)" } ?? "none"
        await #expect(processExitsWith: .success) {
            [time = time as String, process = process as String?, expected = expected as String] in
            setenv("WATCHDOG_USEC", time, 1)
            unsetenv("WATCHDOG_PID")
            if let process { setenv("WATCHDOG_PID", process == "self" ? "\(getpid())" : process, 1) }
            exit((ServiceNotification.watchdogInterval.map { "\($0)" } ?? "none") == expected ? 0 : 1)
        }
    }

    /// Process, number and names, and what is taken or the reason why not, as sd_listen_fds_with_names has it.
    @Test(
        arguments: [
            ("self", "2", "api:admin", "api=3 admin=4"), ("self", "1", "api", "api=3"),
            ("self", "2", nil, "unknown=3 unknown=4"), ("self", "2", "api:", "api=3 =4"),
            ("self", "2", "api", "fault \(EINVAL)"), ("self", "1", "api:admin", "fault \(EINVAL)"),
            ("1", "2", "api:admin", ""), (nil, "2", "api:admin", ""), ("self", nil, "api:admin", ""),
            ("x", "2", nil, "fault \(EINVAL)"), ("0", "2", nil, "fault \(EINVAL)"), ("-1", "2", nil, "fault \(EINVAL)"),
            ("self", "0", nil, "fault \(EINVAL)"), ("self", "-1", nil, "fault \(EINVAL)"),
            ("self", "", nil, "fault \(EINVAL)"), ("self", "two", nil, "fault \(EINVAL)"),
            ("self", "2147483647", nil, "fault \(EINVAL)"), ("self", "99999999999999999999", nil, "fault \(EINVAL)"),
            ("self", "2147483644", nil, "fault \(EBADF)"), ("self", "100000", "api:admin", "fault \(EBADF)"),
        ] as [(String?, String?, String?, String)])
    func `descriptors are taken if they are for this process, exist and have their names`(
        process: String?, count: String?, names: String?, expected: String
    ) async {
        await #expect(processExitsWith: .success) {
            [
                process = process as String?, count = count as String?, names = names as String?,
                expected = expected as String
            ] in
            let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
            // A descriptor that the runtime of the tests closes meanwhile leaves a gap, which the next attempt fills.
            for _ in 0..<20 {
                // 3 and 4 are open afterwards, as the lowest free numbers are taken.
                let opened = [open("/dev/null", O_RDONLY), open("/dev/null", O_RDONLY)]
                guard opened.allSatisfy({ $0 >= 3 }) else { exit(1) }
                for (name, value) in zip(variables, [process == "self" ? "\(getpid())" : process, count, names]) {
                    if let value { setenv(name, value, 1) } else { unsetenv(name) }
                }
                var taken: String
                do throws(PassedDescriptors.Fault) {
                    let passed = try PassedDescriptors.take()
                    taken = passed.map { "\($0.name)=\($0.descriptor)" }.joined(separator: " ")
                    guard passed.allSatisfy({ fcntl($0.descriptor, F_GETFD) & FD_CLOEXEC != 0 }) else { exit(2) }
                } catch { taken = "fault \(error.reason)" }
                guard variables.allSatisfy({ getenv($0) == nil }) else { exit(3) }
                if taken == expected { exit(0) }
            }
            exit(4)
        }
    }
}
