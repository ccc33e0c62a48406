// A box as its builder sets it up: a sandbox, a configuration with two apps of different programmers, and the daemon.
// Each program is a process of its own.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire

@testable import PassSandbox

final class RunningBox {
    let sandbox: RunningSandbox
    let scratch: TemporaryDirectory
    let socket: String
    let adminSocket: String
    private let folder: String
    private let base: String
    private(set) var daemon: ChildProcess
    private let options: [String]
    private let environment: [String: String]
    private let isForeign: Bool

    static let builds = String(program.dropLast("pass-sandbox".count))

    /// `settings` is added to the configuration.
    init(
        _ settings: String = "", interface: Interface = .v2, sandboxOptions: [String] = ["--seed", "1"],
        options: [String] = [], isThrottled: Bool = false, isForeign: Bool = false, environment: [String: String] = [:]
    ) throws {
        self.environment = environment
        self.isForeign = isForeign
        sandbox = try RunningSandbox(sandboxOptions + (isForeign ? ["--foreign"] : []), throttled: isThrottled)
        scratch = TemporaryDirectory()
        folder = scratch.path
        socket = folder + "/passd.sock"
        adminSocket = folder + "/admin.sock"
        for (app, requestors) in [("lumen-tv", "LUMENTV LUMENKIDS"), ("news24", "NEWS24"), ("summit", "SUMMITTV")] {
            let statement = try sandbox.control("/sandbox/statement", ["app": .string(interface.registered(app))])[
                "statement"]
            scratch.write(statement, to: "\(app).jwt")
            try FileManager.default.createDirectory(atPath: folder + "/apps.d", withIntermediateDirectories: true)
            scratch.write(
                """
                [app \(app)]
                requestors = \(requestors)
                software-statement = file:\(folder)/\(app).jwt
                allow = user:\(geteuid())
                may = entitlement observe

                """, to: "apps.d/\(app).conf")
        }
        base = """
            [backend]
            origin = \(sandbox.origin)
            \(isForeign ? "finish-url = \(try sandbox.pages)/activated" : "activation-url = \(sandbox.origin)/activate")
            protocol = \(interface.rawValue)
            \(isThrottled ? "" : "requests-per-second = 100\nburst = 1000")

            """
        scratch.write(base + settings + "\n", to: "passd.conf")
        self.options =
            ["--config", folder + "/passd.conf", "--socket", socket, "--state-dir", folder + "/state"] + options
        daemon = try ChildProcess([Self.builds + "passd"] + self.options, environment: environment)
        try awaitReady()
    }

    convenience init(_ scene: Scene) throws { try self.init(interface: scene.interface, isForeign: scene.isForeign) }

    private func awaitReady() throws {
        let isReady = becomesTrue { daemon.errors.contains("passd is ready") || daemon.hasEnded }
        guard isReady, !daemon.hasEnded else { throw TestFailure("passd does not start: \(daemon.errors)") }
    }

    /// Kills the daemon, as in a crash or a power failure.
    func kill() throws {
        daemon.signal(SIGKILL)
        _ = try daemon.wait()
    }

    /// Stops the daemon as a service manager does.
    func stop() throws -> ChildProcess.Ending {
        daemon.signal(SIGTERM)
        return try daemon.wait()
    }

    func start() throws {
        daemon = try ChildProcess([Self.builds + "passd"] + options, environment: environment)
        try awaitReady()
    }

    /// Replaces the settings that were added to the configuration, and adds lines to the stanza of an app. Returns what
    /// the reload has changed, and what waits for a restart.
    func reload(
        _ settings: String = "", app: String = "news24", adding lines: String = ""
    ) throws -> (changed: [String], waiting: [String]) {
        scratch.write(base + settings + "\n", to: "passd.conf")
        if !lines.isEmpty {
            let stanza = try String(contentsOfFile: scratch.file("apps.d/\(app).conf"), encoding: .utf8)
            scratch.write(stanza + lines + "\n", to: "apps.d/\(app).conf")
        }
        let result = try operatorsView().call("passd.reload")
        guard result["applied"] == true else { throw TestFailure("not reloaded: \(result)") }
        func list(_ name: String) -> [String] { result[name]?.array?.compactMap(\.string) ?? [] }
        return (list("changed"), list("waiting"))
    }

    func cli(_ words: [String], seconds: Double = 60) throws -> ChildProcess.Ending {
        try ChildProcess.run(
            [Self.builds + "passd-cli"] + words,
            environment: ["PASSD_SOCKET": socket, "PASSD_ADMIN_SOCKET": adminSocket], seconds: seconds)
    }

    func app(_ requestor: String? = nil) throws -> TestApp {
        let app = try TestApp(socket)
        if let requestor { _ = try app.call("setRequestor", ["requestorID": .string(requestor)]) }
        return app
    }

    func operatorsView() throws -> TestApp { try TestApp(adminSocket) }

    /// Logs in as the viewer does, on the real pages.
    func logIn(
        _ code: String, _ provider: String = "NorthCable", _ user: String = "ada", _ word: String = "lovelace"
    )
        throws
    {
        // At home the viewer types the code; elsewhere they scan the QR code of the app.
        let place = isForeign ? TestApp.address(of: code, socket) : code
        try open(place ?? code, provider, user, word)
    }

    /// Logs in at an address, as if its QR code had been scanned.
    func open(
        _ place: String, _ provider: String = "NorthCable", _ user: String = "ada", _ word: String = "lovelace"
    ) throws {
        let outcome = try passSandbox([
            "log-in", place, "--provider", provider, "--user", user, "--password", word, "--server", sandbox.origin,
        ])
        guard outcome.status == 0 else { throw TestFailure("log-in: \(outcome)") }
    }

    /// The paths that were requested from the sandbox.
    func journal() throws -> [String] {
        try sandbox.request("GET", "/sandbox/journal").json["requests"]?.array?.compactMap { $0["path"]?.string } ?? []
    }
}
