// A program that a test starts. Its output goes to files of its own, everything has a deadline, and no process is left
// behind.

import FoundationEssentials
import Glibc

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A folder of one test, deleted with this object.
final class Scratch: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/pass-sandbox-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure("no scratch folder: \(errno)") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: file(name), atomically: false, encoding: .utf8)
        return file(name)
    }
}

final class ChildProcess {
    struct Ending: Equatable {
        var status: Int32
        var output: String
        var errors: String
    }

    let id: pid_t
    private let scratch = try? Scratch()
    private var isGone = false

    init(
        _ words: [String], input: String = "", folder: String? = nil, environment: [String: String] = [:]
    ) throws {
        guard let scratch else { throw TestFailure("no scratch folder") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let writing = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, try scratch.write(input, to: "input"), O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, scratch.file("output"), writing, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, scratch.file("errors"), writing, 0o600)
        let words = (folder.map { ["env", "-C", $0] } ?? []) + words
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the test may have signals blocked, which the child should not inherit.
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let settings = ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") }.merging(environment) { $1 }
        var arguments = words.map { strdup($0) } + [nil]
        var variables = settings.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw TestFailure("\(words[0]) does not start: \(String(cString: strerror(code)))") }
        self.id = id
    }

    deinit {
        if !hasEnded {
            kill(id, SIGKILL)
            waitpid(id, &status, 0)
        }
    }

    private var status: Int32 = 0

    /// Whether it has ended, on its own or by a signal.
    var hasEnded: Bool {
        if !isGone { isGone = waitpid(id, &status, WNOHANG) == id }
        return isGone
    }

    var output: String { read("output") }
    var errors: String { read("errors") }

    private func read(_ name: String) -> String {
        scratch.flatMap { try? String(contentsOfFile: $0.file(name), encoding: .utf8) } ?? ""
    }

    func signal(_ number: Int32) { if !isGone { kill(id, number) } }

    /// Waits for the end. A program that has not ended in time is killed and fails the test. The status of a signal is
    /// negative.
    func wait(seconds: Double = 60) throws -> Ending {
        guard eventually(seconds: seconds, { hasEnded }) else {
            throw TestFailure("a program did not end within \(seconds) s: \(output) \(errors)")
        }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        return Ending(status: code, output: output, errors: errors)
    }

    static func run(
        _ words: [String], input: String = "", folder: String? = nil, environment: [String: String] = [:],
        seconds: Double = 60
    ) throws -> Ending {
        try ChildProcess(words, input: input, folder: folder, environment: environment).wait(seconds: seconds)
    }
}

/// Repeats a check until it succeeds or the time is up.
func eventually(seconds: Double = 30, _ isSo: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
        if try isSo() { return true }
        var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
        nanosleep(&pause, nil)
    } while ContinuousClock.now < end
    return false
}
