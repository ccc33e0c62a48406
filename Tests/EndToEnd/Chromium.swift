// Controls headless Chromium over a pair of pipes, with a NUL after each JSON message. Everything runs on the test's
// own thread, which reads the browser's messages until the right one arrives or the time is up.

import FoundationEssentials
import Glibc
import PassJSON
import PassTestTools

@testable import PassSandbox

struct ChromiumError: Error, CustomStringConvertible {
    let description: String
}

final class Chromium {
    static let path = "/usr/bin/chromium"

    private let process: ChildProcess
    private let profile = TemporaryDirectory()
    private let input: Int32
    private let output: Int32
    private var unread: [UInt8] = []
    private var lastID: Int64 = 0
    private var session: String?
    /// The addresses that the page has requested.
    private(set) var requests: [String] = []
    /// The browser's reports of failed scripts and violated policies.
    private(set) var complaints: [String] = []

    init() throws {
        guard access(Self.path, X_OK) == 0 else {
            throw ChromiumError(
                description: "\(Self.path) is missing: install the package \"chromium\" (apt-get install chromium)")
        }
        // Writing to a browser that has exited is an error, but must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let commands = try Self.pipe()
        let answers = try Self.pipe()
        process = try Self.start(profile: profile.path, reading: commands.read, writing: answers.write)
        close(commands.read)
        close(answers.write)
        input = commands.write
        output = answers.read
        let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? .null
        session = try call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]?.string
        for domain in ["Page", "Network", "Runtime", "Log"] { _ = try call(domain + ".enable") }
    }

    deinit {
        // The browser ends its helpers too, but the last helper may still write into the profile.
        session = nil
        _ = try? call("Browser.close", within: 5)
        let deadline = Deadline(5)
        while !deadline.isOver, !process.hasEnded { _ = try? read(until: Deadline(0.05)) }
        process.signal(SIGKILL)
        close(input)
        close(output)
        let lastWrites = Deadline(5)
        while !lastWrites.isOver, access(profile.path, F_OK) == 0 {
            try? FileManager.default.removeItem(atPath: profile.path)
        }
    }

    /// Both descriptors have higher numbers than the two that the browser expects.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw ChromiumError(description: "no pipe can be made") }
        let high = ends.map { end -> Int32 in
            defer { close(end) }
            return fcntl(end, F_DUPFD_CLOEXEC, 10)
        }
        return (high[0], high[1])
    }

    private static func start(profile: String, reading: Int32, writing: Int32) throws -> ChildProcess {
        var arguments = [
            path, "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(profile)/profile", "--no-first-run",
            "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-extensions", "--no-proxy-server", "--lang=en", "--hide-scrollbars",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        ]
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        return try ChildProcess(arguments, descriptors: [3: reading, 4: writing])
    }

    /// Sends a command and waits for its answer.
    func call(_ method: String, _ parameters: JSONValue = [:], within seconds: Double = 30) throws -> JSONValue {
        lastID += 1
        let id = lastID
        let message = JSONValue.members([
            "id": .int(id), "method": .string(method), "params": parameters,
            "sessionId": session.map(JSONValue.string),
        ])
        try write(message.bytes + [0])
        let deadline = Deadline(seconds)
        while !deadline.isOver {
            guard let answer = try read(until: deadline) else { continue }
            guard answer["id"]?.int == id else {
                note(answer)
                continue
            }
            if let error = answer["error"] { throw ChromiumError(description: "\(method): \(error.text)") }
            return answer["result"] ?? [:]
        }
        throw ChromiumError(description: "\(method): no answer within \(seconds) s")
    }

    /// Reads incoming messages. Returns at the first event or after a short time.
    func listen() throws {
        if let event = try read(until: Deadline(0.05)) { note(event) }
    }

    private func note(_ event: JSONValue) {
        let parameters = event["params"]
        switch event["method"]?.string {
        case "Network.requestWillBeSent":
            if let address = parameters?["request"]?["url"]?.string { requests.append(address) }
        case "Runtime.exceptionThrown": complaints.append(parameters?.text ?? "")
        case "Log.entryAdded":
            let entry = parameters?["entry"]
            // A page with a 4xx status is intended.
            if entry?["level"]?.string == "error", entry?["source"]?.string != "network" {
                complaints.append(entry?["text"]?.string ?? "")
            }
        default: break
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ChromiumError(description: "the browser has gone: " + log) }
            rest = rest.dropFirst(count)
        }
    }

    private func read(until deadline: Deadline) throws -> JSONValue? {
        while true {
            if let end = unread.firstIndex(of: 0) {
                let message = Array(unread[..<end])
                unread.removeFirst(end + 1)
                return try JSONReader.read(message, limits: JSONLimits(values: .max))
            }
            var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, deadline.millisecondsLeft) > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = Glibc.read(output, &buffer, buffer.count)
            guard count > 0 else { throw ChromiumError(description: "the browser has gone: " + log) }
            unread += buffer.prefix(count)
        }
    }

    private var log: String { String((process.output + process.errors).suffix(2000)) }
}

/// A deadline in real time, because a real browser uses real time.
struct Deadline {
    private let end: Double

    init(_ seconds: Double) { end = Self.now + seconds }

    var isOver: Bool { Self.now >= end }
    var millisecondsLeft: Int32 { Int32(max(0, (end - Self.now) * 1000)) }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
