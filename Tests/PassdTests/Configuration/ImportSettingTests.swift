// Tests `[storage] import-from`. Its value is none, or the absolute path of a directory. operations.md §2.

import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct ImportSettingTests {
    @Test func `without the setting nothing is imported`() throws {
        #expect(Configuration.defaults.storage.importFrom == nil)
        #expect(try Workspace().load("[storage]\nimport-from = none\n").configuration.storage.importFrom == nil)
        let loaded = try Workspace().load("[storage]\nimport-from = /var/lib/entitlement\n")
        #expect(loaded.problems.isEmpty)
        #expect(loaded.configuration.storage.importFrom == "/var/lib/entitlement")
    }

    @Test(arguments: ["entitlement", "./x", "~/x", "None", "file:/x"])
    func `any other value is refused at the start`(text: String) throws {
        let loaded = try Workspace().load("[storage]\nimport-from = \(text)\n")
        #expect(!loaded.isUsable)
    }

    @Test func `a change of the setting waits for a restart`() throws {
        let old = try Workspace().load("")
        let new = try Workspace().load("[storage]\nimport-from = /x\n")
        guard case .accepted(let plan) = ReloadPlan.decide(from: old, to: new) else {
            Issue.record("refused")
            return
        }
        #expect(plan.needingRestart.map(\.name) == [Setting.Name("storage", "import-from")])
        #expect(plan.inForce.configuration.storage.importFrom == nil)
    }
}
