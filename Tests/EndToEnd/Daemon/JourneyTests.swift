// Tests the main path with the three real programs: a login on the phone, a media token for one app, and no second
// login for the next app.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("a viewer, two apps, one login") struct JourneyTests {
    @Test(arguments: Scene.allCases) func `a login on the phone lets one app play and signs the other in`(
        _ scene: Scene
    ) throws {
        let box = try RunningBox(scene)
        let news = try box.app("NEWS24")
        let lumen = try box.app("LUMENTV")
        #expect(try lumen.call("checkAuthentication")["authenticated"] == false)
        let code = try lumen.openLogin()
        // A second request returns the same login, now with the QR code of its page.
        for (form, beginning) in [("png", "iVBORw0KGgo"), ("svg", "<svg ")] {
            try lumen.call("setOptions", ["qr": .string(form)])
            let again = try lumen.call("getAuthentication")
            #expect(again["code"]?.string == code)
            #expect(again["qr"]?[form]?.string?.hasPrefix(beginning) == true)
        }
        #expect(try lumen.call("checkAuthentication")["openLogin"]?["code"]?.string == code)
        try box.logIn(code)
        try lumen.hear("setAuthenticationStatus") { $0["outcome"] == "authenticated" && $0["code"]?.string == code }
        // The other app is told at once and need not do anything.
        try news.hear("setAuthenticationStatus") { $0["reason"] == "sso" && $0["status"] == 1 }
        let permit = try lumen.call("getAuthorization", ["resource": "lumen-sports-1"])
        let token = try #require(permit["token"]?.string)
        #expect(try box.sandbox.control("/sandbox/verify", ["token": .string(token)])["result"] == "VALID_TOKEN")
        // An app that connects later is signed in by its setRequestor.
        let late = try TestApp(box.socket)
        let setup = try late.call("setRequestor", ["requestorID": "LUMENKIDS"])
        #expect(setup["authenticated"] == true && setup["provider"] == "NorthCable")
        let type = scene.interface.traits.headerSignOn ? "platformSSO" : "regular"
        #expect(try late.call("listProfiles")["profiles"]?.array?.first?["type"]?.string == type)
        // Each play gets its own token.
        let again = try lumen.call("getAuthorization", ["resource": "lumen-sports-1"])
        #expect(again["token"]?.string != token)
    }

    @Test(arguments: Scene.allCases) func `a logout in one app is reported to the other, and remains`(
        _ scene: Scene
    ) throws {
        let box = try RunningBox(scene)
        let (lumen, news) = (try box.app("LUMENTV"), try box.app("NEWS24"))
        try box.logIn(try lumen.openLogin())
        try news.hear("setAuthenticationStatus") { $0["reason"] == "sso" }
        #expect(try lumen.call("logout")["status"] == 0)
        try news.hear("setAuthenticationStatus") { $0["reason"] == "logout" && $0["status"] == 0 }
        #expect(try news.call("checkAuthentication")["authenticated"] == false)
        try box.kill()
        try box.start()
        for requestor in ["LUMENTV", "NEWS24"] {
            let setup = try TestApp(box.socket).call("setRequestor", ["requestorID": .string(requestor)])
            #expect(setup["authenticated"] == false)
        }
    }

    @Test(arguments: Scene.allCases) func `a denial is an answer with the provider's words`(
        _ scene: Scene
    ) throws {
        let box = try RunningBox(scene)
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin(), "NorthCable", "noor", "nothing")
        try app.hearLogin()
        let answer = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        #expect(answer["authorized"] == false && answer["errorCode"] == "USER_NOT_AUTHORIZED_ERROR")
        #expect(answer["error"]?["code"]?.string == "authorization_denied_by_mvpd")
        #expect(answer["display"]?.string == answer["error"]?["details"]?.string)
        #expect(answer["log"]?.string?.contains("authorization_denied_by_mvpd") == true)
        try app.hear("tokenRequestFailed") { $0["resource"] == "lumen-sports-1" && $0["display"] == answer["display"] }
        try app.hear("status") { $0["errorId"] == "Z100" }
    }

    @Test(arguments: Scene.allCases) func `a cancel ends the login, and the code is no longer polled`(
        _ scene: Scene
    ) throws {
        let box = try RunningBox(scene)
        let app = try box.app("LUMENTV")
        let code = try app.openLogin()
        #expect(try app.call("setSelectedProvider", ["providerID": .null])["state"] == "cancelled")
        try app.hear("setAuthenticationStatus") {
            $0["errorCode"] == "PROVIDER_NOT_SELECTED_ERROR" && $0["outcome"] == "cancelled"
        }
        try app.hear("status") { $0["errorId"] == "N005" }
        // If codes can be cancelled, the code no longer works; otherwise its login is not used.
        if scene.interface.traits.cancellableCode {
            #expect(throws: TestFailure.self) { try box.logIn(code) }
        } else {
            try box.logIn(code)
        }
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        #expect(try !box.journal().contains { $0.contains("/profiles/code/") })
    }

    @Test(arguments: Scene.allCases) func `a code that ends unused ends the login with N130`(
        _ scene: Scene
    ) throws {
        let box = try RunningBox(scene)
        let app = try box.app("LUMENTV")
        let code = try app.openLogin()
        _ = try box.sandbox.control("/sandbox/clock", ["advance": "31m"])
        try app.hear("status") { $0["errorId"] == "N130" }
        try app.hear("setAuthenticationStatus") {
            $0["errorCode"] == "GENERIC_AUTHENTICATION_ERROR" && $0["outcome"] == "expired" && $0["cause"] == "N130"
        }
        // The next login has another code.
        #expect(try app.openLogin() != code)
    }

    @Test(arguments: Scene.allCases, [SIGTERM, SIGKILL])
    func `a restart in the middle of a login loses nothing`(_ scene: Scene, _ signal: Int32) throws {
        let box = try RunningBox(scene)
        let app = try box.app("LUMENTV")
        let code = try app.openLogin()
        box.daemon.signal(signal)
        _ = try box.daemon.wait()
        app.close()
        try box.logIn(code)
        try box.start()
        // No app shows the code now, but the login is completed.
        let stored = becomesTrue {
            (try? box.operatorsView().call("passd.tokens")["tokens"]?.array?.count) == 1
        }
        #expect(stored)
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == true)
    }

    @Test(arguments: Scene.allCases) func `a login that was acknowledged right before kill -9 is still there`(
        _ scene: Scene
    ) throws {
        let box = try RunningBox(scene)
        for _ in 0..<3 {
            let app = try box.app("LUMENTV")
            try box.logIn(try app.openLogin())
            try app.hearLogin()
            try box.kill()
            // The login is also there while the service is unreachable.
            let faults: JSONValue = [
                "faults": [["match": "* /**", "status": 503]]
            ]
            try box.start()
            _ = try box.sandbox.control("/sandbox/faults", faults)
            let tokens = try box.operatorsView().call("passd.tokens")
            #expect(tokens["tokens"]?.array?.count == 1)
            _ = try box.sandbox.request("DELETE", "/sandbox/faults")
            let again = try box.app("LUMENTV")
            #expect(try again.call("checkAuthentication")["authenticated"] == true)
            #expect(try again.call("logout")["status"] == 0)
        }
    }

    @Test(arguments: Scene.allCases) func `a backend outage costs only waiting time`(
        _ scene: Scene
    ) throws {
        let box = try RunningBox(scene)
        let app = try box.app("LUMENTV")
        let code = try app.openLogin()
        _ = try box.sandbox.control("/sandbox/faults", ["faults": [["match": "* /**", "drop": true]]])
        #expect(try box.app().errorName("setRequestor", ["requestorID": "NEWS24"]).hasPrefix("CFG"))
        #expect(try box.operatorsView().call("passd.status")["backend"]?["reachable"] == false)
        _ = try box.sandbox.request("DELETE", "/sandbox/faults")
        try box.logIn(code)
        try app.hearLogin()
        #expect(try box.operatorsView().call("passd.status")["backend"]?["reachable"] == true)
    }

    @Test(arguments: Scene.allCases)
    func `the command line shows the code on the terminal, signs in, and gets a token`(_ scene: Scene) throws {
        let box = try RunningBox(scene)
        let login = try ChildProcess(
            [RunningBox.builds + "passd-cli", "--requestor", "LUMENTV", "login", "--provider", "NorthCable"],
            environment: ["PASSD_SOCKET": box.socket])
        let first = scene.isForeign ? "Link" : "Address"
        #expect(becomesTrue { login.output.contains(first) && login.output.hasSuffix("\n") })
        #expect(!login.output.contains("█"), "a pipe gets no picture")
        let line = try #require(login.output.split(separator: "\n").first { $0.hasPrefix(first) })
        let address = try #require(line.split(separator: " ").last)
        #expect(address.hasPrefix(box.sandbox.origin + "/activate?code=") != scene.isForeign)
        try box.open(String(address))
        let ending = try login.wait()
        #expect(ending.status == 0 && ending.output.contains("Signed in with North Cable."))
        #expect(try box.cli(["--requestor", "NEWS24", "check"]).status == 0)
        let token = try box.cli(["--requestor", "LUMENTV", "authorize", "lumen-sports-1"])
        let text = token.output.filter { !$0.isWhitespace }
        #expect(try box.sandbox.control("/sandbox/verify", ["token": .string(text)])["result"] == "VALID_TOKEN")
        #expect(try box.cli(["--requestor", "LUMENTV", "logout"]).status == 0)
        #expect(try box.cli(["--requestor", "NEWS24", "check"]).status == 3)
    }
}
