// Tests the messages to the service manager, and the sockets and data from it. The environment belongs to the whole
// process, so each test has a process of its own.

// Exit tests can pass values to their process only from Swift 6.3 on.
#if compiler(>=6.3)

    import Glibc
    import PassTestTools
    import Synchronization
    import Testing

    @testable import PassSystem

    @Suite("operations.md §3: messages to and from the service manager") struct ServiceManagerTests {
        @Test func `a message with descriptors reaches both a path and a name in the kernel`() async throws {
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
                #expect(wholeContent(kept.descriptors[0]) == Array("note".utf8))
                var facts = stat()
                #expect(fstat(kept.descriptors[1], &facts) == 0 && facts.st_rdev == 1 << 8 | 3, "the null device")
                let ready = try #require(Datagram.next(socket))
                #expect(ready.text == "READY=1" && ready.descriptors.isEmpty)
                #expect(Datagram.next(socket) == nil)
            }
        }

        @Test func `without a listener nothing is stored, nothing is waited for, and no descriptor stays open`()
            async throws
        {
            let folder = TemporaryDirectory()
            close(try unixSocket(SOCK_DGRAM, boundTo: folder.path + "/left"))
            close(try unixSocket(SOCK_STREAM, boundTo: folder.path + "/stream", listening: true))
            await #expect(processExitsWith: .success) { [folder = folder.path as String] in
                let long = "/" + String(repeating: "x", count: 107)
                let addresses = [
                    "", "@", "/", "notify", "vsock:2:1", "@" + long, long, folder + "/none", folder + "/left",
                    folder + "/stream",
                ]
                // The tests' runtime opens and closes a few descriptors itself.
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

        @Test func `settle ends when the manager closes its copy of the descriptor, and not before`() async throws {
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

        @Test func `settle does not wait for ever`() async throws {
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

        /// The word `self` stands for the number of the process.
        @Test(
            arguments: [
                ("30000000", nil, .seconds(15)), ("30000000", "self", .seconds(15)), ("3", nil, .microseconds(1)),
                ("30000000", "1", nil), ("0", nil, nil), ("", nil, nil), ("1s", nil, nil),
                ("18446744073709551615", nil, nil),
            ] as [(String, String?, Duration?)])
        func `the watchdog is on only if the time is valid and meant for this process`(
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

        @Test(
            arguments: [
                ("self", "2", "api:admin", .notListening(.api)), ("self", "1", "web", .unknownName("web")),
                ("self", "2", "api", .unreadable(reason: EINVAL)), ("x", "2", nil, .unreadable(reason: EINVAL)),
                ("self", "100000", nil, .unreadable(reason: EBADF)), ("1", "2", "api:admin", nil),
            ] as [(String, String, String?, SocketActivation.Fault?)])
        func `descriptors are accepted if they are for this process, exist and have their names`(
            process: String, count: String, names: String?, fault: SocketActivation.Fault?
        ) async {
            let expected = fault.map { "\($0)" } ?? "none"
            await #expect(processExitsWith: .success) {
                [
                    process = process as String, count = count as String, names = names as String?,
                    expected = expected as String
                ] in
                // If the tests' runtime closes a descriptor meanwhile, there is a gap. The next attempt fills it.
                for _ in 0..<20 {
                    _ = [open("/dev/null", O_RDONLY), open("/dev/null", O_RDONLY)]
                    setenv("LISTEN_PID", process == "self" ? "\(getpid())" : process, 1)
                    setenv("LISTEN_FDS", count, 1)
                    if let names { setenv("LISTEN_FDNAMES", names, 1) } else { unsetenv("LISTEN_FDNAMES") }
                    var found = "none"
                    do throws(SocketActivation.Fault) { _ = try SocketActivation.take() } catch { found = "\(error)" }
                    guard getenv("LISTEN_FDS") == nil, getenv("LISTEN_PID") == nil else { exit(3) }
                    if found == expected { exit(0) }
                }
                exit(4)
            }
        }
    }

#endif
