// Tests that the device key is sealed in the store, and is lost with the sealing key.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §12.1: the device key is sealed") struct DeviceKeyTests {
    private func files(_ box: RunningBox) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: box.scratch.file("state"))
        return Dictionary(
            names.map { ($0, (try? Data(contentsOf: URL(filePath: box.scratch.file("state/" + $0)))) ?? Data()) }
        ) { first, _ in first }
    }

    private func isSignedOn(_ box: RunningBox) throws -> Bool {
        try TestApp(box.socket).call("setRequestor", ["requestorID": "NEWS24"])["authenticated"] == true
    }

    @Test func `the device key survives a kill, is stored only sealed, and signs on no viewer without the sealing key`()
        throws
    {
        let box = try RunningBox()
        let lumen = try box.app("LUMENTV")
        try box.logIn(try lumen.openLogin())
        try lumen.hearLogin()
        try box.kill()
        for (name, bytes) in try files(box) {
            #expect(bytes.firstRange(of: Data("PRIVATE KEY".utf8)) == nil, "\(name)")
        }
        // The only file that can open a copy of the directory.
        let key = try #require(try files(box)["passd.key"])
        unlink(box.scratch.file("state/passd.key"))
        try box.start()
        #expect(try !isSignedOn(box))
        #expect(box.daemon.errors.contains("vault-key-changed"))
        _ = try box.stop()
        // The key is back, and no viewer has logged in since it was lost.
        try key.write(to: URL(filePath: box.scratch.file("state/passd.key")))
        try box.start()
        #expect(try isSignedOn(box))
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == true)
        #expect(box.daemon.errors.contains("the store that was set aside is in use again"))
        #expect(try !box.cli(["doctor"]).output.contains("vault-"))
    }
}
