// Tests `passd-cli login` while the daemon is restarted.

import FoundationEssentials
import PassJSON
import PassSandbox
import PassTestKit
import PassTestTools
import Testing

@Suite("rpc.md §3: passd-cli login over a restart of the daemon") struct LoginRestartTests {
    private static func objects(_ text: String) -> [JSONValue] {
        text.split(separator: "\n").compactMap { try? JSONReader.read(Array($0.utf8)) }
    }

    /// Starts a login, and returns it with its code.
    private func login(_ box: RunningBox) throws -> (ChildProcess, code: String) {
        let words = ["--requestor", "LUMENTV", "--json", "login", "--provider", "NorthCable"]
        let login = try ChildProcess(
            [RunningBox.builds + "passd-cli"] + words, environment: ["PASSD_SOCKET": box.socket])
        #expect(becomesTrue { !Self.objects(login.output).isEmpty || login.hasEnded })
        let first = try #require(Self.objects(login.output).first, "\(login.errors)")
        #expect(first["kind"] == "login-code" && first["data"]?["expires"]?.int64 != nil)
        return (login, try #require(first["data"]?["code"]?.string))
    }

    @Test(arguments: [false, true])
    func `the login continues with the code on the screen, after a stop and after a crash`(isCrash: Bool) throws {
        let box = try RunningBox()
        let (login, code) = try login(box)
        if isCrash { try box.kill() } else { _ = try box.stop() }
        #expect(becomesTrue { login.errors.contains("connecting again") })
        try box.start()
        #expect(becomesTrue { login.errors.contains("the code is still valid") || login.hasEnded }, "\(login.errors)")
        try box.logIn(code)
        let ending = try login.wait()
        #expect(ending.status == 0, "\(ending)")
        let objects = Self.objects(ending.output)
        #expect(objects.map { $0["kind"] } == ["login-code", "login"])
        #expect(objects.last?["data"]?["authenticated"] == true)
    }

    @Test func `a viewer who signs in while the daemon is down is signed in`() throws {
        let box = try RunningBox()
        let (login, code) = try login(box)
        _ = try box.stop()
        try box.logIn(code)
        try box.start()
        let ending = try login.wait()
        #expect(ending.status == 0, "\(ending)")
        #expect(Self.objects(ending.output).last?["data"]?["authenticated"] == true)
    }

    @Test func `a code that ended while the daemon was down ends the login`() throws {
        let box = try RunningBox()
        let (login, _) = try login(box)
        _ = try box.stop()
        _ = try box.sandbox.control("/sandbox/expire", ["kind": "code"])
        try box.start()
        let ending = try login.wait()
        #expect(ending.status == 3, "\(ending)")
        #expect(Self.objects(ending.output).last?["data"]?["authenticated"] == false)
    }
}
