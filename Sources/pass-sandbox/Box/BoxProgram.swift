// A program of a box: started as a child that cannot outlive this one, with a file for what it says, and ended.

import CChild
import FoundationEssentials
import Glibc

final class BoxProgram {
    let name: String
    private let id: pid_t
    private let log: String
    /// The state that `waitpid` has reported.
    private var ending: Int32?

    private static let startTime = Duration.seconds(60)
    private static let endTime = Duration.seconds(10)
    /// What only concerns the program that a service manager starts.
    private static let ofServices = [
        "NOTIFY_SOCKET=", "LISTEN_", "WATCHDOG_", "JOURNAL_STREAM=", "CREDENTIALS_DIRECTORY=",
    ]

    init(_ name: String, words: [String], log: String) throws(Failure) {
        self.name = name
        self.log = log
        let output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw Failure(.failed, "\(log) cannot be written: \(lastError())") }
        defer { close(output) }
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
            .filter { entry in !Self.ofServices.contains { entry.hasPrefix($0) } }
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        id = pass_start_child(words[0], arguments, variables, output)
        guard id > 0 else {
            throw Failure(.failed, "\(words[0]) does not start: \(String(cString: strerror(-id)))")
        }
    }

    /// What it has said so far.
    var records: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// Whether it has ended, by itself or by a signal.
    var hasEnded: Bool {
        var state: Int32 = 0
        if ending == nil, waitpid(id, &state, WNOHANG) == id { ending = state }
        return ending != nil
    }

    /// Waits until it is ready. Returns false if a signal wants the end instead.
    func waits(_ signals: EndingSignals, until isReady: () -> Bool) throws(Failure) -> Bool {
        let deadline = ContinuousClock.now + Self.startTime
        while !isReady() {
            if let number = signals.wait(milliseconds: 20), number != SIGCHLD { return false }
            guard !hasEnded else { throw failure("\(name) does not start") }
            guard ContinuousClock.now < deadline else {
                throw failure("\(name) does not answer within \(Self.startTime.components.seconds) seconds")
            }
        }
        return true
    }

    func stop(_ signals: EndingSignals) {
        // The number of an ended process may be another one's by now.
        guard !hasEnded else { return }
        kill(id, SIGTERM)
        let deadline = ContinuousClock.now + Self.endTime
        while !hasEnded, ContinuousClock.now < deadline { _ = signals.wait(milliseconds: 20) }
        guard !hasEnded else { return }
        Terminal.warn("\(name) did not end within \(Self.endTime.components.seconds) seconds, and was killed")
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    /// The error that has how it ended and what it said last.
    func failure(_ what: String) -> Failure {
        let how = ending.map { state in
            state & 0x7F == 0 ? " (exit code \(state >> 8 & 0xFF))" : " (signal \(state & 0x7F))"
        }
        let last = records.split(separator: "\n").suffix(4).map { line in
            // Without the number of the level.
            line.hasPrefix("<") ? line.drop { $0 != ">" }.dropFirst() : line
        }
        return Failure(.failed, what + (how ?? "") + (last.isEmpty ? "" : ": " + last.joined(separator: "; ")))
    }
}
