// Tests single sign-on by the token of a program: the shipped example with the three real programs, and a program that
// fails.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("docs/sign-on-programs.md: a program that signs on") struct SignOnProgramTests {
    private let scratch: TemporaryDirectory
    private var path: String { scratch.file("token") }

    init() throws { scratch = TemporaryDirectory() }

    private func box() throws -> RunningBox {
        try RunningBox("[sign-on]\nplatform-identity = none\nservice-token = command:\(path)")
    }

    private func write(_ script: String) throws { chmod(scratch.write(script, to: "token"), 0o700) }

    @Test func `the example's token signs the second app in`() throws {
        let box = try box()
        let example = try String(contentsOfFile: repository + "Examples/sign-on/sandbox-service-token", encoding: .utf8)
        let script = example.replacing("http://127.0.0.1:8642", with: box.sandbox.origin)
            .replacing("exec pass-sandbox", with: "exec \(program)")
        #expect(script.contains(box.sandbox.origin) && script.contains("exec \(program)"))
        try write(script)
        // For the first token, the service makes a key, which takes long on a busy machine.
        try ChildProcess.run([path]).requireSuccess()
        let lumen = try box.app("LUMENTV")
        try box.logIn(try lumen.openLogin())
        try lumen.hearLogin()
        let news = try TestApp(box.socket)
        #expect(try news.call("setRequestor", ["requestorID": "NEWS24"])["authenticated"] == true)
        #expect(try news.call("listProfiles")["profiles"]?.array?.first?["type"] == "serviceTokenSSO")
        #expect(!box.daemon.errors.contains("sign-on is not available"))
    }

    @Test func `if the program fails, only the sign-on fails, and the failure is reported once`() throws {
        let box = try box()
        try write("#!/bin/sh\necho secret-words\nexit 3\n")
        let lumen = try box.app("LUMENTV")
        try box.logIn(try lumen.openLogin())
        try lumen.hearLogin()
        let news = try TestApp(box.socket)
        #expect(try news.call("setRequestor", ["requestorID": "NEWS24"])["authenticated"] == false)
        let told = box.daemon.errors.split(separator: "\n").filter { $0.contains("sign-on is not available") }
        #expect(told.count == 1 && told.first?.contains("it exited with status 3") == true)
        #expect(!box.daemon.errors.contains("secret-words"))
    }
}
