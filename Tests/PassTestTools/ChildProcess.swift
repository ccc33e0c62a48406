// A program that a test starts. Its output goes to files of its own, every wait has a deadline, and the program never
// outlives the test.

import FoundationEssentials
public import Glibc
import Synchronization
import Testing

/// A failure of the test's own setup, not of the code under test.
public struct TestFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// Held while a program starts or a file is written. Otherwise a program that starts during a write would inherit the
/// open file. As long as the program has the file open for writing, the file cannot be executed ("Text file busy").
let spawning = Mutex(())

public final class ChildProcess: Sendable {
    public struct Ending: Equatable, Sendable {
        /// The exit code, or minus the number of the signal that ended the program.
        public var status: Int32
        public var output: String
        public var errors: String

        public init(status: Int32, output: String, errors: String) {
            (self.status, self.output, self.errors) = (status, output, errors)
        }

        /// Throws, with all known details, if the program did not exit with 0.
        public func requireSuccess() throws {
            guard status == 0 else { throw TestFailure("a program ended with \(status): \(output) \(errors)") }
        }
    }

    public let id: pid_t
    private let files = TemporaryDirectory()
    /// The exit code; nil until the end of the program is noticed.
    private let ending = Mutex<Int32?>(nil)

    /// Starts a program from `PATH`. It inherits only the given descriptors, under the given numbers. The descriptors
    /// of the test must have higher numbers, and must be closed on exec.
    public init(
        _ words: [String], input: String = "", folder: String? = nil, environment: [String: String] = [:],
        descriptors: [Int32: Int32] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let writing = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, files.write(input, to: "input"), O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, files.file("output"), writing, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, files.file("errors"), writing, 0o600)
        for (number, descriptor) in descriptors { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the test may block or ignore signals. The child must not inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = (folder.map { ["env", "-C", $0] } ?? []) + words
        let settings = ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") }.merging(environment) { $1 }
        var arguments = words.map { strdup($0) } + [nil]
        var variables = settings.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var id: pid_t = 0
        let code = spawning.withLock { _ in
            posix_spawnp(&id, words[0], &actions, &attributes, &arguments, &variables)
        }
        guard code == 0 else { throw TestFailure("\(words[0]) does not start: \(String(cString: strerror(code)))") }
        self.id = id
    }

    deinit {
        guard !hasEnded else { return }
        kill(id, SIGKILL)
        _ = waitpid(id, nil, 0)
    }

    /// Whether the program has ended, on its own or by a signal.
    public var hasEnded: Bool {
        ending.withLock { ending in
            var status: Int32 = 0
            if ending == nil, waitpid(id, &status, WNOHANG) == id {
                ending = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
            }
            return ending != nil
        }
    }

    /// The output until now.
    public var output: String { String(decoding: files.read("output"), as: UTF8.self) }
    public var errors: String { String(decoding: files.read("errors"), as: UTF8.self) }

    public func signal(_ number: Int32) { if !hasEnded { kill(id, number) } }

    /// Waits for the end. If the program has not ended by the deadline, the test fails and the program is ended.
    public func wait(seconds: Double = 60) throws -> Ending {
        guard becomesTrue(within: seconds, { hasEnded }), let status = ending.withLock({ $0 }) else {
            throw TestFailure("a program did not end within \(seconds) s: \(output) \(errors)")
        }
        return Ending(status: status, output: output, errors: errors)
    }

    /// Like `wait`, for tests that must not block their thread.
    public func end() async throws -> Ending {
        await eventually("the program did not end") { self.hasEnded }
        return try wait(seconds: 0)
    }

    public static func run(
        _ words: [String], input: String = "", folder: String? = nil, environment: [String: String] = [:],
        seconds: Double = 60
    ) throws -> Ending {
        try ChildProcess(words, input: input, folder: folder, environment: environment).wait(seconds: seconds)
    }
}
