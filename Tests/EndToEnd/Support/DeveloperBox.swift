// A `pass-sandbox box` as a developer starts it, on its own port.

import FoundationEssentials
import Glibc
import PassTestTools

final class DeveloperBox {
    let child: ChildProcess
    /// The variables of a shell that has evaluated the exports.
    let variables: [String: String]

    var socket: String { variables["PASSD_SOCKET"] ?? "" }
    var origin: String { variables["SANDBOX"] ?? "" }
    var directory: String { String(socket.dropLast("/passd.sock".count)) }

    init(_ options: [String] = [], listen: String? = "127.0.0.1:0", environment: [String: String] = [:]) throws {
        let place = listen.map { ["--listen", $0] } ?? []
        let child = try ChildProcess(
            [program, "box", "--catalog", shippedCatalogue] + place + options, environment: environment)
        _ = becomesTrue(within: 60) { child.output.hasSuffix("\n") || child.hasEnded }
        guard !child.hasEnded else { throw TestFailure("the box does not start: \(child.errors)") }
        self.child = child
        variables = try Self.evaluate(child.output, in: "sh")
    }

    /// Kills the box, which leaves its temporary directory behind.
    deinit { _ = try? stop() }

    static func evaluate(_ exports: String, in shell: String) throws -> [String: String] {
        let ending = try ChildProcess.run(
            [shell, "-c", "eval \"$(cat)\"; env"], input: exports, environment: ["PATH": "/usr/bin:/bin"])
        guard ending.status == 0, ending.errors.isEmpty else { throw TestFailure("\(shell): \(ending)") }
        return Dictionary(
            ending.output.split(separator: "\n").compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }, uniquingKeysWith: { $1 })
    }

    /// The programs of the box: the daemon, then the gateway if there is one.
    func children() throws -> [pid_t] {
        try String(contentsOfFile: "/proc/\(child.id)/task/\(child.id)/children", encoding: .utf8)
            .split(separator: " ").compactMap { pid_t($0) }
    }

    func daemon() throws -> pid_t {
        guard let id = try children().first else { throw TestFailure("the box has no daemon") }
        return id
    }

    /// Whether a process still runs, and is not a zombie.
    static func isRunning(_ id: pid_t) -> Bool {
        guard let facts = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let state = facts.split(separator: ")").last?.first(where: { $0 != " " })
        else { return false }
        return state != "Z" && state != "X"
    }

    /// Runs a program of the build as in the developer's shell.
    func run(_ words: String...) throws -> ChildProcess.Ending {
        try ChildProcess.run(["env"] + words, environment: variables)
    }

    func stop() throws -> ChildProcess.Ending {
        child.signal(SIGTERM)
        return try child.wait()
    }

    /// Logs in as the viewer that the box proposes.
    func logIn(isForeign: Bool = false) throws {
        let login = try run("passd-cli", "--requestor", "LUMENTV", "login", "--provider", "NorthCable", "--no-wait")
        let name = isForeign ? "Link" : "Code"
        let line = login.output.split(separator: "\n").first { $0.hasPrefix(name) }
        guard login.status == 0, let place = line?.split(separator: " ").last else {
            throw TestFailure("login: \(login)")
        }
        let outcome = try run(
            "pass-sandbox", "log-in", String(place), "--user", "ada", "--password", "lovelace",
            "--server", origin)
        guard outcome.status == 0 else { throw TestFailure("log-in: \(outcome)") }
        guard try becomesTrue({ try run("passd-cli", "--requestor", "LUMENTV", "check").status == 0 }) else {
            throw TestFailure("the viewer is not signed in")
        }
    }
}
