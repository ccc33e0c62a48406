// Tests the identification of peers.

// Exit tests can pass values to their process only from Swift 6.3 on.
#if compiler(>=6.3)

    import Dispatch
    import Glibc
    import PassTestTools
    import Synchronization
    import Testing

    @testable import PassSystem

    @Suite("architecture.md §5 rule 2: identity comes from the kernel") struct PeerTests {
        @Test func `a child process is known by its process ID, its user, its groups and its unit`() async throws {
            let folder = TemporaryDirectory()
            let path = folder.path + "/socket"
            let listener = try unixSocket(SOCK_STREAM, boundTo: path, listening: true)
            defer { close(listener) }
            let meeting = Meeting(listener)
            await #expect(processExitsWith: .success) { [path = path as String] in
                let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                guard unixAddress(path, { connect(connection, $0, $1) }) == 0 else { exit(1) }
                var number = getpid()
                send(connection, &number, 4, 0)
                // Waits until the other side has finished.
                recv(connection, &number, 4, 0)
                exit(0)
            }
            let (alive, number, gone) = try meeting.outcome()
            #expect(alive.process == number && number != getpid())
            #expect(alive.user == getuid() && alive.group == getgid())
            #expect(alive.supplementaryGroups.sorted() == Self.ownGroups.sorted())
            #expect(alive.unit == ProcessFacts.unit(of: getpid()))
            #expect(
                gone.process == number && gone.user == alive.user,
                "the kernel's facts remain after the process has ended")
            #expect(gone.unit == nil, "its number may now belong to another process")
        }

        private static var ownGroups: [gid_t] {
            var groups = [gid_t](repeating: 0, count: 1024)
            return Array(groups.prefix(Int(max(0, getgroups(1024, &groups)))))
        }

        @Test func `only a connected Unix socket has an identity`() throws {
            let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(datagrams) }
            #expect(throws: PeerCredentials.Fault.self) { try PeerCredentials(of: -1) }
            let identity = try? PeerCredentials(of: datagrams)
            #expect(identity?.unit == nil)
        }

        @Test(
            arguments: [
                ("0::/system.slice/news24.service\n", "news24.service", nil),
                ("0::/system.slice/system-getty.slice/getty@tty1.service\n", "getty@tty1.service", nil),
                ("0::/user.slice/user-1000.slice/session-2.scope\n", "session-2.scope", nil),
                (
                    "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-kodi.service\n",
                    "user@1000.service",
                    "app-kodi.service"
                ),
                ("0::/user.slice/user-1000.slice/user@1000.service/init.scope\n", "user@1000.service", "init.scope"),
                // A service with delegation may name its sub-groups.
                ("0::/system.slice/evil.service/system.slice/news24.service\n", "evil.service", nil),
                ("0::/system.slice/docker.service/news24.service", "docker.service", nil),
                ("0::/machine.slice/payload/news24.service\n", nil, nil), ("0::/\n", nil, nil), ("", nil, nil),
                ("0::/system.slice/evil.service/\u{301}news24.service\n", "evil.service", nil),
                ("0::/system.slice/\u{301}.slice/news24.service\n", "news24.service", nil),
                ("0::/init.scope\n", "init.scope", nil),
                // Version 1 of control groups, and both versions at once.
                ("3:cpuset:/\n1:name=systemd:/system.slice/news24.service\n0::/\n", "news24.service", nil),
                ("2:cpu:/system.slice/wrong.service\n1:name=systemd:/\n0::/system.slice/a.service\n", "a.service", nil),
                ("0::/system.slice/_cgroup.service\n", "cgroup.service", nil),
                ("0::/system.slice/a:b.service\n", "a:b.service", nil), ("nonsense\n0:\n", nil, nil),
            ] as [(String, String?, String?)]) func `the unit is the unit that systemd named`(
                text: String, system: String?, user: String?
            )
        {
            let unit = PeerUnit(cgroup: text)
            #expect(unit?.system == system)
            #expect(unit?.user == user)
        }
    }

    /// Accepts one connection on a thread of its own. Records the peer during the connection, the number that the peer
    /// reports, and the peer after its end.
    private final class Meeting: Sendable {
        typealias Outcome = Result<(PeerCredentials, pid_t, PeerCredentials), any Error>

        private let queue = DispatchQueue(label: "tests.meeting")
        private let result = Mutex<Outcome?>(nil)

        init(_ listener: Int32) {
            queue.async {
                let outcome = Outcome { try Self.meet(listener) }
                self.result.withLock { $0 = outcome }
            }
        }

        /// Returns after the other side has ended.
        func outcome() throws -> (PeerCredentials, pid_t, PeerCredentials) {
            queue.sync {}
            return try #require(result.withLock { $0 }).get()
        }

        private static func meet(_ listener: Int32) throws -> (PeerCredentials, pid_t, PeerCredentials) {
            let connection = accept(listener, nil, nil)
            defer { close(connection) }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            var number: pid_t = 0
            recv(connection, &number, 4, 0)
            let alive = try PeerCredentials(of: connection)
            shutdown(connection, Int32(SHUT_WR))
            var rest: UInt8 = 0
            while recv(connection, &rest, 1, 0) > 0 {}
            // The connection ends slightly before the process does.
            while kill(number, 0) == 0, (try PeerCredentials(of: connection)).unit != nil { sched_yield() }
            return (alive, number, try PeerCredentials(of: connection))
        }
    }

#endif
