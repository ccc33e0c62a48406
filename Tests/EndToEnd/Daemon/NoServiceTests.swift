// Tests a newly installed box without a configured service. Every program is a process of its own.

import FoundationEssentials
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@Suite("operations.md §2: a box without a service") struct NoServiceTests {
    /// Sets the service's origin.
    private func choose(_ origin: String, _ box: RunningBox) throws {
        _ = try box.stop()
        let file = box.scratch.file("passd.conf")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            .map { $0.hasPrefix("origin = ") ? "origin = \(origin)" : String($0) }
        box.scratch.write(lines.joined(separator: "\n") + "\n", to: "passd.conf")
        try box.start()
    }

    @Test(arguments: Interface.allCases)
    func `the daemon starts, logs little and says what is missing, and earlier logins return once a service is set`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox(interface: interface)
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        try choose("none", box)
        let asked = try box.journal().count
        let error = try #require(throws: RPCError.self) {
            try box.app().call("setRequestor", ["requestorID": "LUMENTV"])
        }
        #expect(error.name.text == "CFG404" && error.message.contains("[backend] origin"))
        let status = try box.cli(["status"])
        #expect(status.status == 0 && status.output.contains("none"), "\(status)")
        let doctor = try box.cli(["doctor"])
        #expect(doctor.status == 1 && doctor.output.contains("backend: No service is configured."), "\(doctor)")
        let check = try ChildProcess.run([
            RunningBox.builds + "passd", "--check-config", "--config", box.scratch.file("passd.conf"),
        ])
        #expect(check.status == 0 && check.errors.isEmpty)
        #expect(check.output.hasPrefix("files: \(box.scratch.file("passd.conf")) "), "\(check.output)")
        #expect(check.output.hasSuffix("\nconfiguration is good\n"), "\(check.output)")
        #expect(try box.journal().count == asked, "the service hears nothing")
        _ = try box.stop()
        #expect(box.daemon.errors.split(separator: "\n").count == 2, "\(box.daemon.errors)")
        try choose(box.sandbox.origin, box)
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == true)
    }
}
