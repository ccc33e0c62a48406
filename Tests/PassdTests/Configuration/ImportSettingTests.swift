// Tests `[storage] import-from`: none, or a directory by its absolute path. operations.md §2.

import Testing

@testable import PassConfiguration
@testable import PassPlatform
@testable import PassServer
@testable import passd

@Suite struct ImportSettingTests {
    @Test func `nothing is imported unless it is told where from`() throws {
        #expect(Configuration.defaults.storage.importFrom == nil)
        #expect(try Workspace().load("[storage]\nimport-from = none\n").configuration.storage.importFrom == nil)
        let loaded = try Workspace().load("[storage]\nimport-from = /var/lib/entitlement\n")
        #expect(loaded.problems.isEmpty)
        #expect(loaded.configuration.storage.importFrom == "/var/lib/entitlement")
    }

    @Test(arguments: ["entitlement", "./x", "~/x", "None", "file:/x"])
    func `anything else is refused at the start`(text: String) throws {
        let loaded = try Workspace().load("[storage]\nimport-from = \(text)\n")
        #expect(!loaded.isUsable)
    }

    @Test func `a change of it waits for a restart`() throws {
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
