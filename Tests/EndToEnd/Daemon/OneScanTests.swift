// Tests the link from a phone straight to the provider's login. The service has its pages on another host.

import PassJSON
import PassTestKit
import PassTestTools
import Testing

@Suite("ruling 43: one scan") struct OneScanTests {
    private static func box(_ interface: Interface) throws -> RunningBox {
        try RunningBox(interface: interface, isForeign: true)
    }

    private static func failedChecks(_ box: RunningBox) throws -> [String] {
        let checks = try box.operatorsView().call("passd.doctor")["checks"]?.array ?? []
        return checks.filter { $0["outcome"] == "fail" }.compactMap { $0["name"]?.string }
    }

    @Test(arguments: Interface.allCases)
    func `an address that the service refuses is named, and after a reload an app gets a new code with a link`(
        _ interface: Interface
    ) throws {
        let box = try Self.box(interface)
        _ = try box.reload("finish-url = https://unregistered.example/")
        let app = try box.app("LUMENTV")
        let refused = try app.openLogin()
        #expect(try app.call("checkAuthentication")["openLogin"]?["link"] == nil)
        #expect(try Self.failedChecks(box).contains("login-link"))
        _ = try box.reload()
        #expect(try Self.failedChecks(box).isEmpty)
        let other = try TestApp(box.socket)
        try other.call("setRequestor", ["requestorID": "LUMENTV"])
        let mended = try other.openLogin()
        #expect(mended != refused)
        #expect(try other.call("checkAuthentication")["openLogin"]?["link"]?.string?.isEmpty == false)
        try box.logIn(mended)
        try other.hearLogin()
    }

    @Test func `a domain that the service does not know is named by doctor and why, with the setting`() throws {
        let box = try Self.box(.v2)
        _ = try box.reload("domain-name = unregistered.example")
        let app = try box.app("LUMENTV")
        _ = try? app.openLogin()
        let view = try box.operatorsView()
        let checks = try view.call("passd.doctor")["checks"]?.array ?? []
        let check = try #require(checks.first { $0["name"] == "login" })
        #expect(check["outcome"] == "fail" && check["remedy"]?.string?.contains("domain-name") == true, "\(check)")
        let decision = try view.call("passd.decisions")["decisions"]?.array?.last
        #expect(decision?["kind"] == "login-failed" && decision?["code"] == "invalid_parameter_domain_name")
    }

    @Test(arguments: Interface.allCases)
    func `the link of a code survives a crash, and no file or record has it in plain text`(
        _ interface: Interface
    ) throws {
        let box = try Self.box(interface)
        let code = try box.app("LUMENTV").openLogin()
        let link = try #require(TestApp.address(of: code, box.socket))
        let records = box.daemon.errors
        try box.kill()
        #expect(!records.contains(code) && !records.contains(link))
        let files = try ChildProcess.run(["grep", "-rlF", "-e", code, "-e", link, box.scratch.file("state")])
        #expect(files.status == 1 && files.output.isEmpty, "\(files)")
        try box.start()
        let app = try box.app("LUMENTV")
        #expect(try app.openLogin() == code)
        #expect(TestApp.address(of: code, box.socket) == link)
        try box.logIn(code)
        try app.hearLogin()
    }
}
