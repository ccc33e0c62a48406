// Tests what the support desk sees in thirteen situations, before and after a reboot of the box: the command, the right answer,
// and the time until the answer. If PASSD_SUPPORT_TABLE names a file, each test adds its row to that file.

import FoundationEssentials
import Glibc
import PassJSON
import PassTestKit
import PassTestTools
import Testing

@Suite("operations.md §1: what support sees", .serialized) struct SupportTableTests {
    struct Situation: Sendable, CustomTestStringConvertible {
        let name: String
        let command: [String]
        /// Parts of the answer, from any line.
        let answer: [String]
        /// Makes the situation. The box stays in it after a reboot.
        let make: @Sendable () throws -> Scenario
        /// Makes the situation again after the reboot, if it does not last.
        var again: @Sendable (RunningBox) throws -> Void = { _ in }

        var testDescription: String { name }
    }

    /// A box, and the programs that it needs.
    struct Scenario {
        let box: RunningBox
        var portal: Portal?
    }

    @Test(arguments: situations) func `the answer is right before and after a reboot`(situation: Situation) throws {
        let scenario = try situation.make()
        let before = try Self.ask(scenario.box, situation)
        _ = try scenario.box.stop()
        try scenario.box.start()
        try situation.again(scenario.box)
        let after = try Self.ask(scenario.box, situation)
        try Self.write(
            "| \(situation.name) | `passd-cli \(situation.command.joined(separator: " "))` | "
                + "\(after.answer) | \(before.seconds) | \(after.seconds) |\n")
        #expect(before.seconds < 15 && after.seconds < 15)
    }

    /// Runs the command. Returns its answer without the checks that passed, as one line, and the seconds until the answer.
    private static func ask(
        _ box: RunningBox, _ situation: Situation
    ) throws -> (answer: String, seconds: Double) {
        let begin = ContinuousClock.now
        let ending = try box.cli(situation.command)
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        for part in situation.answer { #expect(ending.output.contains(part), "\(ending)") }
        let lines = ending.output.split(separator: "\n").filter { !$0.hasPrefix("pass ") }
        return (lines.joined(separator: "<br>"), (seconds * 10).rounded() / 10)
    }

    private static func write(_ row: String) throws {
        guard let path = ProcessInfo.processInfo.environment["PASSD_SUPPORT_TABLE"] else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(file) }
        #expect(Array(row.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } > 0)
    }

    // MARK: The situations

    private static let situations: [Situation] = [
        Situation(
            name: "not in the package", command: ["why", "lumen-movies"],
            answer: [
                "denied", "The provider does not permit this play.", "Your package does not include this channel.",
                "The viewer can ask the provider to add the channel.",
            ]
        ) {
            let (box, app) = try signedIn("noor", "nothing")
            #expect(try app.call("checkAuthorization", ["resource": "lumen-movies"])["authorized"] == false)
            return Scenario(box: box)
        },
        Situation(
            name: "login revoked by the provider", command: ["why", "LUMENTV"],
            answer: [
                "login ended: revoked", "The provider or the service has ended the login.",
                "The viewer must sign in again.",
            ]
        ) {
            let (box, app) = try signedIn()
            _ = try box.sandbox.control("/sandbox/expire", ["kind": "login", "reason": "invalidated"])
            #expect(try app.call("checkAuthorization", ["resource": "lumen-sports-1"])["authorized"] == false)
            try app.hear("setAuthenticationStatus") { $0["status"] == 0 && $0["reason"] == "revoked" }
            return Scenario(box: box)
        },
        Situation(
            name: "name service dead", command: ["doctor"],
            answer: [
                "This box cannot find the address of the service (DNS).", "restart the router",
                "getent hosts debian.org",
            ]
        ) {
            Scenario(box: try RunningBox("[backend]\norigin = https://service.invalid"))
        },
        Situation(
            name: "captive portal, plain", command: ["doctor"],
            answer: [
                "redirects to portal.hotel.example, as a captive portal does",
                "Is the box in a hotel or on guest Wi-Fi?",
            ]
        ) {
            let portal = try Portal(hasTLS: false)
            return Scenario(box: try RunningBox("[backend]\norigin = http://127.0.0.1:\(portal.port)"), portal: portal)
        },
        Situation(
            name: "captive portal with TLS", command: ["doctor"],
            answer: [
                "Another system may have answered in place of the service,",
                "Is the box in a hotel or on guest Wi-Fi?",
                "the administrator of the box has to install the package ca-certificates,",
            ]
        ) {
            let portal = try Portal(hasTLS: true)
            return Scenario(box: try RunningBox("[backend]\norigin = https://127.0.0.1:\(portal.port)"), portal: portal)
        },
        Situation(
            name: "clock behind", command: ["doctor"],
            answer: [
                "The clock of this box is", "behind the service's clock.",
                "Run: timedatectl set-ntp true. If the clock is still wrong after a minute, the administrator of the box has to set date and time zone.",
            ]
        ) {
            Scenario(box: try skewed("2d"))
        },
        Situation(
            name: "clock ahead", command: ["doctor"],
            answer: [
                "The clock of this box is", "ahead of the service's clock.",
                "Run: timedatectl set-ntp true. If the clock is still wrong after a minute, the administrator of the box has to set date and time zone.",
            ]
        ) {
            Scenario(box: try skewed("-2d"))
        },
        Situation(
            name: "statement revoked", command: ["why", "LUMENTV"],
            answer: [
                "start of the app: failed", "The service does not accept this app any more,",
                "The viewer cannot repair this.",
            ]
        ) {
            let box = try RunningBox()
            _ = try box.sandbox.control("/sandbox/revoke", ["app": "lumen-tv"])
            _ = try? box.app("LUMENTV")
            return Scenario(box: box)
        },
        Situation(
            name: "signed out elsewhere", command: ["why", "LUMENTV"],
            answer: ["The service no longer knows the viewer's login.", "The viewer must sign in again."]
        ) {
            let (box, app) = try signedIn()
            try fault(box, "error", "authenticated_profile_missing")
            _ = try? app.call("checkAuthorization", ["resource": "lumen-sports-1"])
            return Scenario(box: box)
        },
        Situation(
            name: "left the home network", command: ["why", "lumen-sports-1"],
            answer: ["The box has left this home,", "The viewer must sign in again, this time with a password."]
        ) {
            let (box, app) = try signedIn()
            try fault(box, "error", "authorization_denied_by_hba_policies")
            _ = try? app.call("checkAuthorization", ["resource": "lumen-sports-1"])
            return Scenario(box: box)
        },
        Situation(
            name: "too many requests (429)", command: ["why", "lumen-sports-1"],
            answer: ["The service got too many requests, and asks passd to wait.", "Wait a few seconds and try again."]
        ) {
            let (box, app) = try signedIn()
            try fault(box, "status", 429)
            _ = try? app.call("checkAuthorization", ["resource": "lumen-sports-1"])
            return Scenario(box: box)
        },
        Situation(
            name: "disk full", command: ["doctor"],
            answer: ["passd cannot write changes to the disk.", "Do not restart passd or the box", "free space"],
            make: {
                let box = try RunningBox()
                try fillDisk(box)
                return Scenario(box: box)
            }, again: fillDisk),
        Situation(
            name: "dead page for the code", command: ["doctor"],
            answer: [
                "Phones probably cannot open", "there is no such page (status 404)", "The viewer cannot repair this.",
                "compare activation-url with",
            ]
        ) {
            let box = try RunningBox()
            _ = try box.reload("[backend]\nactivation-url = \(box.sandbox.origin)/no/such/page")
            return Scenario(box: box)
        },
    ]

    private static func signedIn(_ user: String = "ada", _ word: String = "lovelace") throws -> (RunningBox, TestApp) {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin(), "NorthCable", user, word)
        try app.hearLogin()
        return (box, app)
    }

    /// A box whose service has another date.
    private static func skewed(_ difference: String) throws -> RunningBox {
        let box = try RunningBox()
        _ = try box.sandbox.control(
            "/sandbox/faults", ["faults": [["match": "* /**", "dateSkew": .string(difference)]]])
        return box
    }

    /// All decisions of the service have this fault.
    private static func fault(_ box: RunningBox, _ effect: String, _ value: JSONValue) throws {
        _ = try box.sandbox.control(
            "/sandbox/faults", ["faults": [["match": "POST /api/v2/*/decisions/authorize/*", effect: value]]])
    }

    /// A limit of the size of files simulates a full disk.
    private static func fillDisk(_ box: RunningBox) throws {
        try ChildProcess.run(["prlimit", "--pid", "\(box.daemon.id)", "--fsize=1:"]).requireSuccess()
        let app = try box.app("LUMENTV")
        _ = try app.openLogin()
    }
}

/// A captive portal: every request is redirected to its login page.
final class Portal {
    let port: Int
    private let program: ChildProcess
    private let scratch = TemporaryDirectory()

    init(hasTLS: Bool) throws {
        let (key, certificate) = (scratch.file("key.pem"), scratch.file("certificate.pem"))
        if hasTLS {
            try ChildProcess.run([
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                "/CN=portal.hotel.example", "-keyout", key, "-out", certificate,
            ]).requireSuccess()
        }
        scratch.write(Self.text, to: "portal.py")
        let child = try ChildProcess(["python3", scratch.file("portal.py")] + (hasTLS ? [certificate, key] : []))
        _ = becomesTrue { child.output.hasSuffix("\n") || child.hasEnded }
        guard let port = Int(child.output.dropLast()) else {
            throw TestFailure("the portal does not start: \(child.errors)")
        }
        (self.port, program) = (port, child)
    }

    private static let text = """
        import http.server, ssl, sys

        class Portal(http.server.BaseHTTPRequestHandler):
            def answer(self):
                self.send_response(302)
                self.send_header("Location", "http://portal.hotel.example/login")
                self.send_header("Content-Length", "0")
                self.end_headers()
            do_GET = do_POST = do_DELETE = answer

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Portal)
        if len(sys.argv) > 1:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()

        """
}
