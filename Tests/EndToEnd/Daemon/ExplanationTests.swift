// Tests that the support desk can explain to a viewer why something does not play. The test reads the printed lines,
// with the real programs on both interfaces.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassSandbox
import PassTestKit
import PassTestTools
import Testing

@Suite("rpc.md §7, operations.md §1: passd-cli why") struct ExplanationTests {
    private static func signedIn(_ interface: Interface, _ user: String, _ word: String) throws -> (RunningBox, TestApp)
    {
        let box = try RunningBox(interface: interface)
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin(), "NorthCable", user, word)
        try app.hearLogin()
        return (box, app)
    }

    private static func why(_ box: RunningBox, _ about: String) throws -> String {
        let ending = try box.cli(["why", about])
        #expect(ending.status == 0, "\(ending)")
        return ending.output
    }

    @Test(arguments: Interface.allCases) func `not in the package, with the provider's own words`(
        interface: Interface
    ) throws {
        let (box, app) = try Self.signedIn(interface, "noor", "nothing")
        #expect(try app.call("checkAuthorization", ["resource": "lumen-movies"])["authorized"] == false)
        let text = try Self.why(box, "lumen-movies")
        #expect(
            text.contains("play of lumen-movies: denied") && text.contains("The provider does not permit this play."),
            "\(text)")
        #expect(text.contains("The provider says: Your package does not include this channel."), "\(text)")
        #expect(
            text.contains("app lumen-tv, requestor LUMENTV, provider NorthCable, decided by the service"), "\(text)")
    }

    @Test func `parental control`() throws {
        let (box, app) = try Self.signedIn(.v2, "kim", "pingpong")
        #expect(try app.call("checkAuthorization", ["resource": "lumen-movies"])["authorized"] == false)
        let text = try Self.why(box, "lumen-tv")
        #expect(
            text.contains("parental controls") && text.contains("What to do: The viewer can change the limit"),
            "\(text)")
        #expect(text.contains("code authorization_denied_by_parental_controls"), "\(text)")
    }

    @Test func `a blackout`() throws {
        let (box, app) = try Self.signedIn(.v2, "ada", "lovelace")
        _ = try box.sandbox.control("/sandbox/degradation", ["rule": "AuthZNone", "provider": "NorthCable"])
        #expect(try app.call("checkAuthorization", ["resource": "lumen-sports-1"])["authorized"] == false)
        let text = try Self.why(box, "lumen-sports-1")
        #expect(text.contains("switched permissions off for this provider"), "\(text)")
    }

    @Test(arguments: Interface.allCases) func `a login that the provider has ended`(interface: Interface) throws {
        let (box, app) = try Self.signedIn(interface, "ada", "lovelace")
        _ = try box.sandbox.control("/sandbox/expire", ["kind": "login", "reason": "invalidated"])
        #expect(try app.call("checkAuthorization", ["resource": "lumen-sports-1"])["authorized"] == false)
        try app.hear("setAuthenticationStatus") { $0["status"] == 0 && $0["reason"] == "revoked" }
        let text = try Self.why(box, "LUMENTV")
        #expect(text.contains("login ended: revoked") && text.contains("The viewer must sign in again."), "\(text)")
    }

    @Test func `a statement that was revoked`() throws {
        let box = try RunningBox()
        _ = try box.sandbox.control("/sandbox/revoke", ["app": "lumen-tv"])
        let app = try box.app()
        let error = #expect(throws: RPCError.self) { try app.call("setRequestor", ["requestorID": "LUMENTV"]) }
        #expect(error?.name == .unanswered(.R400) && error?.remedy.contains("a new statement") == true)
        let text = try Self.why(box, "LUMENTV")
        #expect(text.contains("start of the app: failed") && text.contains("software statement was revoked"), "\(text)")
        #expect(text.contains("What to do: The viewer cannot repair this."), "\(text)")
        let doctor = try box.cli(["doctor"])
        #expect(doctor.status == 1)
        #expect(
            doctor.output.contains("fail  app-lumen-tv: LUMENTV: The service does not accept this app any more,"),
            "\(doctor.output)")
        #expect(doctor.output.contains("pass  app-news24: The app is registered; NEWS24 has "), "\(doctor.output)")
        #expect(doctor.output.contains("pass  backend: \(box.sandbox.origin) answers."), "\(doctor.output)")
    }

    @Test func `a bug report has no secret, no name of a viewer and nothing that was watched`() throws {
        let box = try RunningBox("[daemon]\nlog-level = debug\n[storage]\nsealing = none")
        let app = try box.app("LUMENTV")
        let code = try app.openLogin()
        try box.logIn(code, "NorthCable", "ada", "lovelace")
        try app.hearLogin()
        let permit = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        let token = try #require(permit["token"]?.string)
        _ = try app.call("checkAuthorization", ["resource": "lumen-movies"])
        let user = try #require(
            try app.call("getMetadata", ["key": "METADATA_USER_META", "userMetadataKey": "userID"])["metadata"]?.string)
        // On this box the log is the journal.
        box.scratch.write("#!/bin/sh\ncat '\(box.scratch.file("log"))'\n", to: "journalctl")
        box.scratch.write(box.daemon.errors, to: "log")
        chmod(box.scratch.file("journalctl"), 0o755)
        let path = "\(box.scratch.path):/usr/bin:/bin"
        let ending = try ChildProcess.run(
            [RunningBox.builds + "passd-cli", "bugreport", "--output", "-"],
            environment: ["PASSD_SOCKET": box.socket, "PASSD_ADMIN_SOCKET": box.adminSocket, "PATH": path])
        #expect(ending.status == 0)
        let report = ending.output
        #expect(
            report.contains("LUMENTV") && report.contains("play of resource-1: ") && report.contains("passd is ready"))
        let statement = try String(contentsOfFile: box.scratch.file("lumen-tv.jwt"), encoding: .utf8)
        // The contents of the store: credentials and access tokens, here without a seal.
        let store = try Data(contentsOf: URL(filePath: box.scratch.file("state/passd.db")))
        let words = Set(
            String(decoding: store, as: UTF8.self).split { !($0.isLetter || $0.isNumber || "-_.".contains($0)) }
                .filter { $0.utf8.count >= 24 }.map(String.init))
        #expect(words.count > 3, "the store contains secrets")
        for secret in [code, token, user, "lovelace", "lumen-sports-1", "lumen-movies", statement] + words {
            #expect(!report.contains(secret.split(separator: "\n").first ?? ""), "\(secret.prefix(12))…")
        }
    }

    @Test(arguments: [true, false])
    func `a refusal is explained after a restart and after a kill, but not after a logout`(
        isKilled: Bool
    ) throws {
        let (box, app) = try Self.signedIn(.v2, "noor", "nothing")
        #expect(try app.call("checkAuthorization", ["resource": "lumen-movies"])["authorized"] == false)
        let file = box.scratch.file("state/decisions")
        if isKilled {
            #expect(becomesTrue { access(file, F_OK) == 0 })
            try box.kill()
        } else {
            _ = try box.stop()
        }
        try box.start()
        let text = try Self.why(box, "lumen-movies")
        #expect(
            text.contains("play of lumen-movies: denied") && text.contains("The provider does not permit this play."),
            "\(text)")
        #expect(try !Self.why(box, "LUMENTV").contains("lumen-movies"), "the name is not on the disk")
        let again = try box.app("LUMENTV")
        _ = try again.call("logout")
        _ = try box.stop()
        try box.start()
        #expect(try box.cli(["why", "lumen-movies"]).status == 3)
        #expect(try Self.why(box, "LUMENTV").contains("The viewer was signed out by lumen-tv."))
    }

    @Test func `a journal's hash, a resource that no app requested, and a wrong number`() throws {
        let (box, app) = try Self.signedIn(.v2, "ada", "lovelace")
        #expect(try app.call("checkAuthorization", ["resource": "lumen-sports-1"])["authorized"] == true)
        // The daemon writes the log after the answer.
        #expect(becomesTrue { box.daemon.errors.contains("resource_hash=") })
        let mark = box.daemon.errors.split(separator: "resource_hash=").dropFirst().first?.prefix(16) ?? ""
        #expect(try Self.why(box, String(mark)).contains("play of lumen-sports-1: permitted"))
        let nothing = try box.cli(["why", "lumen-kids"])
        #expect(nothing.status == 3 && nothing.output.isEmpty && nothing.errors.contains("passd has no decisions"))
        let wrong = try box.cli(["why", "--limit", "0"])
        #expect(wrong.status == 64 && wrong.errors.contains("--limit 0"))
    }
}
