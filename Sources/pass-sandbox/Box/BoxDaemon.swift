// The daemon of a box: started as a child that cannot outlive this program, asked until it answers, and ended.

import CChild
import FoundationEssentials
import Glibc

final class BoxDaemon {
    private let id: pid_t
    private let log: String
    private let socketPath: String
    /// The state that `waitpid` has reported.
    private var ending: Int32?

    static let socket = "passd.sock"
    static let log = "passd.log"
    private static let startTime = Duration.seconds(60)
    private static let endTime = Duration.seconds(10)
    /// What only concerns the program that a service manager starts.
    private static let ofServices = [
        "NOTIFY_SOCKET=", "LISTEN_", "WATCHDOG_", "JOURNAL_STREAM=", "CREDENTIALS_DIRECTORY=",
    ]

    init(_ program: String, in directory: BoxDirectory) throws(Failure) {
        log = directory.file(Self.log)
        socketPath = directory.file(Self.socket)
        let output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw Failure(.failed, "\(log) cannot be written: \(lastError())") }
        defer { close(output) }
        let words = [
            program, "--config", directory.file(BoxDirectory.configuration), "--socket", socketPath, "--state-dir",
            directory.file("state"),
        ]
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
            .filter { entry in !Self.ofServices.contains { entry.hasPrefix($0) } }
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        id = pass_start_child(program, arguments, variables, output)
        guard id > 0 else {
            throw Failure(.failed, "\(program) does not start: \(String(cString: strerror(-id)))")
        }
    }

    /// Whether the daemon has ended, by itself or by a signal.
    var hasEnded: Bool {
        var state: Int32 = 0
        if ending == nil, waitpid(id, &state, WNOHANG) == id { ending = state }
        return ending != nil
    }

    /// Waits until the daemon answers. Returns false if a signal wants the end instead.
    func becomesReady(_ signals: EndingSignals) throws(Failure) -> Bool {
        let deadline = ContinuousClock.now + Self.startTime
        var probe = Probe(socketPath)
        while !probe.isAnswered {
            if let number = signals.wait(milliseconds: 20), number != SIGCHLD { return false }
            guard !hasEnded else { throw failure("passd does not start") }
            guard ContinuousClock.now < deadline else {
                throw failure("passd does not answer within \(Self.startTime.components.seconds) seconds")
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
        Terminal.warn("passd did not end within \(Self.endTime.components.seconds) seconds, and was killed")
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    /// The error that has how the daemon ended and what it said last.
    func failure(_ what: String) -> Failure {
        let how = ending.map { state in
            state & 0x7F == 0 ? " (exit code \(state >> 8 & 0xFF))" : " (signal \(state & 0x7F))"
        }
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        let last = text.split(separator: "\n").suffix(4).map { line in
            // Without the number of the level.
            line.hasPrefix("<") ? line.drop { $0 != ">" }.dropFirst() : line
        }
        return Failure(.failed, what + (how ?? "") + (last.isEmpty ? "" : ": " + last.joined(separator: "; ")))
    }
}

/// A first call to the daemon. Any answer will do, since none comes before the daemon is ready.
private struct Probe: ~Copyable {
    private let path: String
    private var descriptor: Int32 = -1

    init(_ path: String) { self.path = path }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var isAnswered: Bool {
        mutating get {
            if descriptor < 0 { descriptor = Self.ask(path) }
            guard descriptor >= 0 else { return false }
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
            guard count == 0 || count < 0 && errno != EAGAIN && errno != EINTR else { return count > 0 }
            close(descriptor)
            descriptor = -1
            return false
        }
    }

    private static func ask(_ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let question = Array("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"passd.hello\"}\n".utf8)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected, send(descriptor, question, question.count, Int32(MSG_NOSIGNAL)) == question.count
        else {
            if descriptor >= 0 { close(descriptor) }
            return -1
        }
        return descriptor
    }
}
