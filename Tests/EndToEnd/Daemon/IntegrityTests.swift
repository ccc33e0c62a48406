// Tests `[storage] integrity-check` on a running box: which logins survive a start, and that no app has to register
// again.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("access-enabler.md §5.2, open-questions.md OQ-16") struct IntegrityTests {
    @Test func `clear ends every login at the next start, and the service does not restore it`() throws {
        let box = try RunningBox("[storage]\nintegrity-check = clear")
        try logIn(box)
        try box.stop().requireSuccess()
        try box.start()
        let app = try box.app("LUMENTV")
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        #expect(try registrations(box) == 1)
        #expect(box.daemon.errors.contains("vault-cleared") && tellsTheEnd(box))
        // A new login works as usual.
        try logIn(box)
    }

    @Test func `all keeps the logins of a sound store, and ends every login of a damaged store`() throws {
        let box = try RunningBox("[storage]\nintegrity-check = all")
        try logIn(box)
        try box.kill()
        try box.start()
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == true)
        try box.stop().requireSuccess()

        let store = box.scratch.file("state/passd.db")
        var bytes = Array(try Data(contentsOf: URL(filePath: store)))
        // Changes the application id in the header. Every row can still be read, but the file has been modified.
        bytes[68] ^= 0x10
        try Data(bytes).write(to: URL(filePath: store))
        try box.start()
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
        #expect(try registrations(box) == 1)
        #expect(box.daemon.errors.contains("vault-check-failed") && tellsTheEnd(box))
    }

    private func tellsTheEnd(_ box: RunningBox) -> Bool {
        box.daemon.errors.contains("(requestor=LUMENTV provider=NorthCable authenticated=no reason=store by=\"\")")
    }

    private func logIn(_ box: RunningBox) throws {
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
    }

    private func registrations(_ box: RunningBox) throws -> Int {
        try box.journal().count { $0.hasSuffix("/o/client/register") }
    }
}
