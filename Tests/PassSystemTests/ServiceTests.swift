// Tests the messages between the daemon and the service manager. A test that needs its own environment runs in a
// process of its own.

// Exit tests can pass values to their process only from Swift 6.3 on.
#if compiler(>=6.3)

    import CLinux
    import Dispatch
    import Glibc
    import PassTestTools
    import Testing

    @testable import PassSystem

    @Suite("operations.md §3: the service manager") struct ServiceTests {
        /// All received datagrams.
        private func messages(_ socket: Int32) -> [String] {
            var messages: [String] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return messages }
                messages.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }

        @Test func `the manager gets the daemon's notifications`() async throws {
            let folder = TemporaryDirectory()
            let path = folder.path + "/notify"
            let socket = try unixSocket(SOCK_DGRAM, boundTo: path)
            defer { close(socket) }
            await #expect(processExitsWith: .success) { [path = path as String] in
                setenv("NOTIFY_SOCKET", path, 1)
                ServiceNotification.status("two\nREADY=1\r\nlines").send()
                ServiceNotification.ready.send()
                ServiceNotification.reloading.send()
                ServiceNotification.watchdog.send()
                ServiceNotification.stopping.send()
                exit(0)
            }
            let said = messages(socket)
            try #require(said.count == 5)
            #expect(said[0] == "STATUS=two READY=1 lines")
            #expect(said[1] == "READY=1")
            #expect(said[2].hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
            #expect(said[3...] == ["WATCHDOG=1", "STOPPING=1"])
        }

        @Test func `without a manager nothing is sent and there is no watchdog`() async {
            await #expect(processExitsWith: .success) {
                unsetenv("NOTIFY_SOCKET")
                unsetenv("WATCHDOG_USEC")
                ServiceNotification.ready.send()
                exit(ServiceNotification.watchdogInterval == nil ? 0 : 1)
            }
        }

        @Test func `the watchdog is fed twice as often as required`() async {
            await #expect(processExitsWith: .success) {
                setenv("WATCHDOG_USEC", "30000000", 1)
                setenv("WATCHDOG_PID", "\(getpid())", 1)
                exit(ServiceNotification.watchdogInterval == .seconds(15) ? 0 : 1)
            }
        }

        @Test func `a daemon that was started by hand has no passed sockets`() async {
            await #expect(processExitsWith: .success) {
                unsetenv("LISTEN_FDS")
                exit(try SocketActivation.take().descriptors.isEmpty ? 0 : 1)
            }
        }

        @Test func `a child does not use the sockets that were passed to the daemon`() async {
            await #expect(processExitsWith: .success) {
                setenv("LISTEN_PID", "\(getpid())", 1)
                setenv("LISTEN_FDS", "1", 1)
                _ = try? SocketActivation.take()
                exit(getenv("LISTEN_FDS") == nil && getenv("LISTEN_PID") == nil ? 0 : 1)
            }
        }

        @Test func `wrong sockets are refused by name`() throws {
            let folder = TemporaryDirectory()
            let listening = try unixSocket(SOCK_STREAM, boundTo: folder.path + "/a", listening: true)
            let silent = try unixSocket(SOCK_STREAM, boundTo: folder.path + "/b")
            let datagrams = try unixSocket(SOCK_DGRAM, boundTo: folder.path + "/c")
            defer { for socket in [listening, silent, datagrams] { close(socket) } }
            let cases: [([(String, Int32)], SocketActivation.Fault)] = [
                ([("web", listening)], .unknownName("web")), ([("unknown", listening)], .unknownName("unknown")),
                ([("api", listening), ("api", listening)], .twice(.api)), ([("api", silent)], .notListening(.api)),
                ([("admin", datagrams)], .notListening(.admin)), ([("admin", 0)], .notListening(.admin)),
                ([("api", listening)], .missing(.admin)), ([("admin", listening)], .missing(.api)),
            ]
            for (passed, fault) in cases { #expect(throws: fault) { try SocketActivation(passed) } }
            let other = try unixSocket(SOCK_STREAM, boundTo: folder.path + "/d", listening: true)
            defer { close(other) }
            let taken = try SocketActivation([("api", listening), ("admin", other)])
            #expect(taken.descriptors == [.api: listening, .admin: other])
            for socket in [listening, other] { #expect(fcntl(socket, F_GETFL) & O_NONBLOCK != 0) }
        }

        @Test func `stored descriptors are returned by name`() throws {
            let folder = TemporaryDirectory()
            let numbers = [open("/dev/null", O_RDONLY | O_CLOEXEC), open("/dev/null", O_RDONLY | O_CLOEXEC)]
            let listening = try ["api", "admin"].map {
                try unixSocket(SOCK_STREAM, boundTo: folder.path + $0, listening: true)
            }
            defer { for number in listening + numbers { close(number) } }
            let taken = try SocketActivation([
                ("kept-a", numbers[0]), ("api", listening[0]), ("admin", listening[1]), ("kept-a", numbers[1]),
            ])
            #expect(taken.kept == ["a": numbers] && taken.descriptors.count == 2)
            #expect(throws: SocketActivation.Fault.unknownName("kep")) { try SocketActivation([("kep", listening[0])]) }
        }

        @Test func `a descriptor and its note are stored in one message, and can be removed`()
            async throws
        {
            let folder = TemporaryDirectory()
            let path = folder.path + "/notify"
            let socket = try unixSocket(SOCK_DGRAM, boundTo: path)
            defer { close(socket) }
            await #expect(processExitsWith: .success) { [path = path as String] in
                let isRefused = !DescriptorStore.keep(0, with: [1], as: "a")
                setenv("NOTIFY_SOCKET", path, 1)
                let isKept = DescriptorStore.keep(0, with: Array("note".utf8), as: "a")
                DescriptorStore.forget("a")
                exit(isRefused && isKept ? 0 : 1)
            }
            #expect(
                messages(socket) == ["FDSTORE=1\nFDNAME=kept-a", "FDSTOREREMOVE=1\nFDNAME=kept-a"])
        }

        @Test func `notes are read only from regular files of reasonable size`() throws {
            let folder = TemporaryDirectory()
            let file = open(folder.path + "/notes", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            let pipe = try unixSocket(SOCK_STREAM, boundTo: folder.path + "/s")
            defer { for number in [file, pipe] { close(number) } }
            #expect(write(file, "notes", 5) == 5)
            #expect(DescriptorStore.note(in: file, limit: 5) == Array("notes".utf8))
            #expect(DescriptorStore.note(in: file, limit: 4) == nil)
            #expect(DescriptorStore.note(in: pipe, limit: 5) == nil && DescriptorStore.note(in: -1, limit: 5) == nil)
        }

        enum Part { case connection, note, longNote, pipe }

        @Test(
            arguments: [
                ([.connection, .note], true), ([.note, .connection], true), ([.connection], false), ([.note], false),
                ([.connection, .connection], false), ([.note, .note], false), ([.connection, .longNote], false),
                ([.connection, .note, .note], false), ([.connection, .pipe], false), ([], false),
            ] as [([Part], Bool)])
        func `a connection is restored with exactly one note, and any other descriptor is closed`(
            _ parts: [Part], _ isTaken: Bool
        ) throws {
            let folder = TemporaryDirectory()
            var others: [Int32] = []
            defer { for number in others { close(number) } }
            let descriptors = try parts.enumerated().map { index, part -> Int32 in
                var ends: [Int32] = [-1, -1]
                switch part {
                case .connection:
                    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
                    others.append(ends[1])
                case .pipe:
                    try #require(pipe(&ends) == 0)
                    others.append(ends[1])
                case .note, .longNote:
                    ends[0] = open(folder.path + "/note\(index)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                    try #require(write(ends[0], "note and more", part == .note ? 4 : 13) > 0)
                }
                return ends[0]
            }
            let files = descriptors.map(Self.file)
            let taken = KeptDescriptors.take(descriptors, maxNoteSize: 4)
            #expect((taken?.note == Array("note".utf8)) == isTaken)
            // Meanwhile other tests open files, which may get the number of a closed file.
            for (descriptor, file) in zip(descriptors, files) {
                #expect((Self.file(descriptor) == file) == (descriptor == taken?.connection))
            }
            if let taken { close(taken.connection) }
        }

        /// The open file with this number; nil if there is none.
        private static func file(_ descriptor: Int32) -> [UInt64]? {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
        }

        @Test func `SIGTERM, SIGINT and SIGHUP are delivered on the queue, and none of them ends the process`() async {
            await #expect(processExitsWith: .success) {
                let queue = DispatchQueue(label: "tests")
                let signals = AsyncStream<ServiceSignal>.makeStream()
                let sources = SignalSources(queue: queue) { signal in
                    dispatchPrecondition(condition: .onQueue(queue))
                    signals.continuation.yield(signal)
                }
                for number in [SIGHUP, SIGPIPE, SIGINT, SIGTERM] { kill(getpid(), number) }
                var heard: Set<ServiceSignal> = []
                for await signal in signals.stream {
                    heard.insert(signal)
                    if heard.count == 3 { break }
                }
                sources.cancel()
                kill(getpid(), SIGTERM)
                exit(0)
            }
        }

        @Test func `memory is not dumped, and other processes cannot read it`() async {
            await #expect(processExitsWith: .success) {
                guard Hardening.forbidMemoryDumps() else { exit(1) }
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
                exit(limit.rlim_max == 0 && pass_get_dumpable() == 0 ? 0 : 1)
            }
        }

        @Test func `the soft limit of descriptors is raised as requested, up to the hard limit`() async {
            await #expect(processExitsWith: .success) {
                var limit = rlimit(rlim_cur: 100, rlim_max: 200)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let steps = [DescriptorLimit.raise(to: 50), DescriptorLimit.raise(to: 150), DescriptorLimit.raise()]
                exit(steps == [100, 150, 200] ? 0 : 1)
            }
        }
    }

#endif
