// The program as a process, for tests of signals, pipes and exit codes.

import Dispatch
import Glibc
import PassTestKit
import PassWire

final class Child: Sendable {
    struct Failed: Error { let errno: Int32 }

    let id: pid_t
    /// The output, as it arrives.
    let output = Recorder<String>()
    let errors = Recorder<String>()
    private let ends = Recorder<Int32>()

    /// Without a reader, standard output is a closed pipe. Socket pairs serve as pipes, since no other child can
    /// inherit them.
    init(_ words: [String], environment: [String: String] = [:], isRead: Bool = true) throws {
        let (readOutput, writeOutput) = try Descriptor.pair()
        let (readErrors, writeErrors) = try Descriptor.pair()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writeOutput, 1)
        posix_spawn_file_actions_adddup2(&actions, writeErrors, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the test may have signals blocked or ignored, which the child should not inherit.
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = ([Self.program] + words).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, Self.program, &actions, &attributes, &arguments, &variables)
        close(writeOutput)
        close(writeErrors)
        guard code == 0 else {
            close(readOutput)
            close(readErrors)
            throw Failed(errno: code)
        }
        let started = id
        self.id = started
        if isRead { Self.read(readOutput, into: output) } else { close(readOutput) }
        Self.read(readErrors, into: errors)
        DispatchQueue(label: "test.child").async { [ends] in
            var status: Int32 = 0
            while waitpid(started, &status, 0) < 0, errno == EINTR {}
            ends.append(status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F))
        }
    }

    deinit { if ends.elements.isEmpty { kill(id, SIGKILL) } }

    func signal(_ number: Int32) { if ends.elements.isEmpty { kill(id, number) } }

    /// The exit code, or the negative number of the signal that ended it.
    func end() async throws -> Int32 { try await ends.wait(for: 1)[0] }

    /// It is in the same folder as the tests' own program; with `swift test` the bundle names the folder.
    private static let program: String = {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        let folder = bundle.split(separator: "/").prefix { !$0.hasSuffix(".xctest") }
        return (bundle.hasPrefix("/") ? "/" : "") + (folder + ["passd-cli"]).joined(separator: "/")
    }()

    private static func read(_ descriptor: Int32, into recorder: Recorder<String>) {
        DispatchQueue(label: "test.child.output").async {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                recorder.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
            close(descriptor)
        }
    }
}
