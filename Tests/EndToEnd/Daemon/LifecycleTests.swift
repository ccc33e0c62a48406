// Tests the daemon's operation: start, reload, stop, a second instance, a stale socket, a stranger.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("operations.md §1, §2") struct LifecycleTests {
    @Test func `SIGTERM ends the daemon with 0 and removes the sockets`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        try box.stop().requireSuccess()
        #expect(access(box.socket, F_OK) != 0 && access(box.adminSocket, F_OK) != 0)
        #expect(throws: (any Error).self) { try app.call("checkAuthentication") }
    }

    @Test func `the daemon ends with 0 while libcurl and OpenSSL are being loaded`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        for _ in 1...10 {
            try box.kill()
            try box.start()
            // The daemon answers from memory. Meanwhile a request to the service loads the libraries, but the stop does
            // not wait for the request.
            _ = try box.app("LUMENTV").call("checkAuthentication")
            try box.stop().requireSuccess()
            try box.start()
        }
    }

    @Test func `pending calls are answered before the end`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        _ = try box.sandbox.control("/sandbox/faults", ["faults": [["match": "GET /**", "delay": "500ms"]]])
        let call = try app.send("listProviders")
        // The request is under way when the signal comes.
        #expect(becomesTrue { (try? box.journal().contains { $0.hasSuffix("/configuration") }) == true })
        box.daemon.signal(SIGTERM)
        #expect(try app.answer(to: call)["providers"]?.array?.isEmpty == false)
        #expect(try box.daemon.wait().status == 0)
    }

    @Test func `a second daemon on the same store or the same socket is refused`() throws {
        let box = try RunningBox()
        mkdir(box.scratch.file("second"), 0o700)
        for (socket, store, hint) in [
            ("other.sock", "state", "is using the store"), ("passd.sock", "other", box.socket),
            ("passd.sock", "state", box.socket),
        ] {
            let second = try ChildProcess.run([
                RunningBox.builds + "passd", "--config", box.scratch.file("passd.conf"), "--socket",
                box.scratch.file("\(socket == "other.sock" ? "second/" : "")\(socket)"), "--state-dir",
                box.scratch.file(store),
            ])
            #expect(second.status == 1 && second.errors.contains(hint), "\(second)")
        }
        // The second instance has left nothing behind.
        #expect(access(box.scratch.file("other"), F_OK) != 0)
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
    }

    @Test func `the socket files of a dead daemon are replaced`() throws {
        let box = try RunningBox()
        try box.kill()
        #expect(access(box.socket, F_OK) == 0)
        try box.start()
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
    }

    @Test(arguments: [
        ("[backend]\norigin = http://service.example\n", "passd.conf:2: "),
        ("[limits]\nmessage-size = many\n", "passd.conf:2: "),
        ("[backend]\nprotocol = v3\n", "passd.conf:2: "),
    ])
    func `an invalid configuration is reported with file and line`(_ text: String, _ place: String) throws {
        let scratch = TemporaryDirectory()
        let file = scratch.write(text, to: "passd.conf")
        for words in [["--check-config"], ["--socket", scratch.file("s"), "--state-dir", scratch.file("state")]] {
            let outcome = try ChildProcess.run([RunningBox.builds + "passd", "--config", file] + words)
            #expect(outcome.status == 78 && outcome.errors.contains(place), "\(outcome)")
        }
    }

    @Test(arguments: [(["--gibberish"], "--help"), (["--sockte", "x"], "--socket"), (["--socket"], "needs a value")])
    func `a wrong flag ends the daemon with 64 and a hint at the right flag`(_ words: [String], _ hint: String) throws {
        let outcome = try ChildProcess.run([RunningBox.builds + "passd"] + words)
        #expect(outcome.status == 64 && outcome.errors.contains(hint), "\(outcome)")
    }

    @Test func `a reload accepts a valid configuration and refuses an invalid one, and logins stay`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        let admin = try box.operatorsView()
        // Takes away the app's right to a requestor.
        let stanza = try String(contentsOfFile: box.scratch.file("apps.d/lumen-tv.conf"), encoding: .utf8)
        box.scratch.write(
            stanza.replacing("LUMENTV LUMENKIDS", with: "LUMENKIDS"), to: "apps.d/lumen-tv.conf")
        box.daemon.signal(SIGHUP)
        #expect(becomesTrue { (try? app.errorName("checkAuthentication")) == "DENIED" })
        // Gives the right back, and reloads by the operator's call.
        box.scratch.write(stanza, to: "apps.d/lumen-tv.conf")
        let reloaded = try admin.call("passd.reload")
        #expect(reloaded["applied"] == true && reloaded["changed"] == ["app lumen-tv: changed"])
        #expect(reloaded["waiting"] == [])
        // The session has ended; the login has not.
        try app.call("setRequestor", ["requestorID": "LUMENTV"])
        #expect(try app.call("checkAuthentication")["authenticated"] == true)
        let configuration = try String(contentsOfFile: box.scratch.file("passd.conf"), encoding: .utf8)
        let shown = try box.cli(["config", "show", "--changed"])
        #expect(shown.status == 0 && shown.errors == "", "\(shown)")
        #expect(shown.output.contains("[backend]\norigin = \(box.sandbox.origin)"))
        #expect(shown.output.contains("# \(box.scratch.file("passd.conf")):2\n"))
        #expect(shown.output.contains("# --state-dir\n"))
        #expect(shown.output.contains("[app news24]  # \(box.scratch.file("apps.d/news24.conf")):1\n"))
        box.scratch.write(configuration + "\n[daemon]\nlog-level = info\n", to: "passd.conf")
        #expect(try box.cli(["config", "show"]).errors.contains("[daemon] log-level is info ("))
        box.scratch.write(configuration + "\n[limits]\nsessions-per-user = none\n", to: "passd.conf")
        let refused = try admin.call("passd.reload")
        #expect(refused["applied"] == false)
        #expect(refused["problems"]?.array?.first?.string?.contains("passd.conf:") == true)
        #expect(try app.call("checkAuthentication")["authenticated"] == true)
    }

    @Test func `an app whose statement cannot be read gets R400, and the others continue`() throws {
        let box = try RunningBox()
        unlink(box.scratch.file("news24.jwt"))
        _ = try box.stop()
        try box.start()
        let error = try #require(throws: RPCError.self) {
            try box.app().call("setRequestor", ["requestorID": "NEWS24"])
        }
        #expect(error.name.text == "R400" && error.message.contains("statement"))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
        let warnings = try box.operatorsView().call("passd.status")["warnings"]?.array ?? []
        #expect(warnings.contains { $0["message"]?.string?.contains("news24") == true })
    }

    @Test(.enabled(if: geteuid() == 0, "another user can only be played by root"))
    func `a user without a stanza is denied with the reason, and may still ask for its identity`() throws {
        let box = try RunningBox()
        chmod(box.scratch.path, 0o755)
        let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", RunningBox.builds + "passd-cli"]
        let stranger = try ChildProcess.run(
            words + ["--requestor", "LUMENTV", "check"], environment: ["PASSD_SOCKET": box.socket])
        #expect(stranger.status == 77 && stranger.errors.contains("65534"), "\(stranger)")
        let who = try ChildProcess.run(words + ["call", "passd.whoami"], environment: ["PASSD_SOCKET": box.socket])
        #expect(who.status == 0 && who.output.contains("65534"), "\(who)")
        let status = try ChildProcess.run(
            words + ["status"], environment: ["PASSD_SOCKET": box.socket, "PASSD_ADMIN_SOCKET": box.adminSocket])
        #expect(status.status != 0)
    }

    @Test func `the sessions of one user are limited, and the refusal names the limit`() throws {
        let box = try RunningBox("[limits]\nsessions-per-user = 3\n")
        let apps = try (0..<3).map { _ in try box.app("LUMENTV") }
        let refused = try RawPeer.connect(to: box.socket)
        let message = try refused.message()
        #expect(message["error"]?["data"]?["code"] == "LIMIT")
        #expect(message["error"]?["data"]?["details"]?["limit"] == "sessions-per-user")
        #expect(try apps[0].call("checkAuthentication")["authenticated"] == false)
    }

    @Test func `subscribers get all events, numbered without gaps`() throws {
        let box = try RunningBox()
        let watcher = try box.operatorsView()
        let first = try #require(try watcher.call("passd.subscribe")["seq"]?.int64)
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        try watcher.hear("event") { $0["type"] == "authentication" && $0["data"]?["authenticated"] == true }
        let rest = watcher.callbacks.filter { $0.name == "event" }.compactMap { $0.params["seq"]?.int64 }
        #expect(rest == rest.indices.map { first + 1 + Int64($0) })
        #expect(!watcher.callbacks.contains { "\($0.params)".contains("?code=") })
    }

    @Test func `an idle daemon logs only its start`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        _ = try app.call("checkAuthentication")
        _ = try box.stop()
        let lines = box.daemon.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(lines)")
    }
}
