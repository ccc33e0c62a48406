// The programs of a box: the daemon and the gateway. Each is a child process with its own log. A child cannot outlive this
// program. This program waits until the children are ready, and restarts a child that ends.

import CChild
import FoundationEssentials
import Glibc
import PassArguments

final class BoxProgram {
    let name: String
    private(set) var starts = 0
    private let words: [String]
    private let log: String
    private(set) var id: pid_t = 0
    /// The exit status from `waitpid`; nil while the program runs.
    private var ending: Int32?
    private var endings: [ContinuousClock.Instant] = []

    private static let startTime = Duration.seconds(60)
    private static let endTime = Duration.seconds(10)
    private static let restarts = 10
    private static let restartTime = Duration.seconds(10)
    /// Prefixes of the environment variables that a service manager sets for this program only. The children do not get these
    /// variables.
    private static let ofServices = [
        "NOTIFY_SOCKET=", "LISTEN_", "WATCHDOG_", "JOURNAL_STREAM=", "CREDENTIALS_DIRECTORY=",
    ]

    init(_ name: String, words: [String], log: String) throws(Failure) {
        self.name = name
        self.words = words
        self.log = log
        try start(emptying: O_TRUNC)
    }

    private func start(emptying: Int32 = 0, words: [String]? = nil) throws(Failure) {
        let words = words ?? self.words
        let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | emptying, 0o600)
        guard output >= 0 else { throw Failure(.failed, "\(log) cannot be written: \(lastError())") }
        defer { close(output) }
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
            .filter { entry in !Self.ofServices.contains { entry.hasPrefix($0) } }
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        let started = pass_start_child(words[0], arguments, variables, output)
        guard started > 0 else {
            throw Failure(.failed, "\(words[0]) does not start: \(String(cString: strerror(-started)))")
        }
        (id, ending) = (started, nil)
        starts += 1
    }

    /// Restarts the program, as the service manager of a real box does. Throws if the program has ended too often.
    func startAgain(words: [String]? = nil) throws(Failure) {
        let now = ContinuousClock.now
        endings = endings.filter { now - $0 < Self.restartTime } + [now]
        guard endings.count < Self.restarts else {
            throw failure("\(name) has ended \(Self.restarts) times in \(Self.restartTime.components.seconds) seconds")
        }
        let ending = how
        try start(words: words)
        Terminal.warn("\(name) has ended\(ending), and was restarted as process \(id)")
    }

    /// The program's log so far.
    var records: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// Whether the program has ended, by itself or by a signal.
    var hasEnded: Bool {
        var state: Int32 = 0
        if ending == nil, waitpid(id, &state, WNOHANG) == id { ending = state }
        return ending != nil
    }

    /// Waits until the program is ready, and returns true. Also returns true if the program was killed after a restart. Returns
    /// false if a signal ends the wait.
    func waits(_ signals: EndingSignals, until isReady: () -> Bool) throws(Failure) -> Bool {
        let deadline = ContinuousClock.now + Self.startTime
        while !isReady() {
            if let number = signals.wait(milliseconds: 20), number != SIGCHLD { return false }
            guard !hasEnded else {
                // A developer may kill the program at any time while the box runs.
                if starts > 1, wasKilled { return true }
                throw failure("\(name) does not start")
            }
            guard ContinuousClock.now < deadline else {
                throw failure("\(name) does not answer within \(Self.startTime.components.seconds) seconds")
            }
        }
        return true
    }

    func stop(_ signals: EndingSignals) {
        // The process number of an ended program may belong to another process.
        guard !hasEnded else { return }
        kill(id, SIGTERM)
        let deadline = ContinuousClock.now + Self.endTime
        while !hasEnded, ContinuousClock.now < deadline { _ = signals.wait(milliseconds: 20) }
        guard !hasEnded else { return }
        Terminal.warn("\(name) did not end within \(Self.endTime.components.seconds) seconds, and was killed")
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    private var wasKilled: Bool { ending.map { $0 & 0x7F != 0 } == true }

    private var how: String {
        guard let ending else { return "" }
        return ending & 0x7F == 0 ? " (exit code \(ending >> 8 & 0xFF))" : " (signal \(ending & 0x7F))"
    }

    /// The error, with the exit code or signal of the program, and its last warnings and errors. The log has more.
    private func failure(_ what: String) -> Failure {
        let lines = records.split(separator: "\n")
        let severe = lines.filter { line in (0...4).contains { line.hasPrefix("<\($0)>") } }.suffix(3)
        let last = (severe.isEmpty ? lines.suffix(1) : severe).map { line in
            // Drops the level, such as `<4>`, before the text.
            let text = line.hasPrefix("<") ? line.drop { $0 != ">" }.dropFirst() : line
            return text.count > 300 ? text.prefix(300) + "…" : text
        }
        return Failure(.failed, what + how + (last.isEmpty ? "" : ": " + last.joined(separator: "; ")))
    }
}

// The daemon of a box. It is polled until it answers.

struct BoxDaemon {
    let program: BoxProgram
    private let socketPath: String

    static let socket = "passd.sock"
    static let log = "passd.log"

    init(_ path: String, in directory: BoxDirectory) throws(Failure) {
        socketPath = directory.file(Self.socket)
        let words = [
            path, "--config", directory.file(BoxDirectory.configuration), "--socket", socketPath, "--state-dir",
            directory.file("state"),
        ]
        program = try BoxProgram("passd", words: words, log: directory.file(Self.log))
    }

    func becomesReady(_ signals: EndingSignals) throws(Failure) -> Bool {
        var probe = Probe(socketPath)
        return try program.waits(signals) { probe.isAnswered }
    }
}

/// A first call to the daemon. Any answer shows that the daemon is ready.
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

// The gateway of a box: passd-web. Through it, web apps reach the box's daemon.

struct BoxGateway {
    let program: BoxProgram
    private let path: String
    private let socket: String

    static let log = "passd-web.log"

    init(_ path: String, port: UInt16, in directory: BoxDirectory) throws(Failure) {
        self.path = path
        socket = directory.file(BoxDaemon.socket)
        program = try BoxProgram(
            "passd-web", words: Self.words(path, socket: socket, port: String(port)), log: directory.file(Self.log))
    }

    private static func words(_ path: String, socket: String, port: String) -> [String] {
        [path, "--socket", socket, "--port", port]
    }

    func becomesReady(_ signals: EndingSignals) throws(Failure) -> Bool {
        do throws(Failure) {
            return try program.waits(signals) { addresses.count == program.starts }
        } catch {
            guard program.records.contains(String(cString: strerror(EADDRINUSE))) else { throw error }
            throw Failure(error.code, error.message + "; choose another port with --web-port")
        }
    }

    /// Restarts the gateway at the same port, because pages know the port.
    func startAgain() throws(Failure) {
        let port = address?.split(separator: ":").last.map(String.init)
        try program.startAgain(words: port.map { Self.words(path, socket: socket, port: $0) })
    }

    var address: String? { addresses.last }

    /// The addresses that the gateway has reported, one for each start.
    private var addresses: [String] {
        let mark = "<5>listening at "
        // A line without an end may be incomplete.
        return program.records.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }
}
