// Tests that subscribers are told once about each problem that begins while the daemon runs. rpc.md §6.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct WarningTests {
    @Test func `a store that refuses changes is reported at once, and only once`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe", ["types": ["warning"]])
        household.vault.breakDown(VaultFault(.full, "no space"))
        let visitor = try await household.app()
        let warning = try await watcher.hear("event")
        #expect(warning["type"] == "warning")
        #expect(warning["data"]?["warning"]?["code"] == "store-unsaved")
        // Another refused change is not a new problem.
        try await visitor.call("logout")
        await household.server.lookForWarnings()
        await household.tell(.warning, ["warning": ["code": "end", "message": "", "remedy": ""]])
        #expect(try await watcher.hear("event")["data"]?["warning"]?["code"] == "end")
        // A problem that was solved and returns is new.
        household.vault.breakDown(nil)
        await household.engine.flush()
        await household.server.lookForWarnings()
        household.vault.breakDown(VaultFault(.full, "no space"))
        household.backend.script { $0.profiles = [:] }
        await household.logsIn()
        _ = try await household.app()
        #expect(try await watcher.hear("event")["data"]?["warning"]?["code"] == "store-unsaved")
    }

    @Test func `an unreachable service and a wrong clock are reported when they affect an app`() async throws {
        let household = try await Household { $0.prepare = .failure(BackendFault(.unreachable)) }
        await household.spoil()
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe", ["types": ["warning"]])
        let visitor = try await household.connect()
        _ = try await visitor.exchange("setRequestor", ["requestorID": "NEWS24"])
        var codes: Set<String> = []
        while codes.count < 4 {
            codes.insert(try await watcher.hear("event")["data"]?["warning"]?["code"]?.string ?? "")
        }
        #expect(codes == ["store-set-aside", "clock-wrong", "backend-unreachable", "configuration"])
    }

    @Test func `readiness is remembered and reported`() async throws {
        let household = try await Household()
        let watcher = try await household.connect(.admin)
        try await watcher.call("passd.subscribe", ["types": ["readiness"]])
        for word in [Status.Readiness.reloading, .ready] {
            await household.server.become(word)
            #expect(try await watcher.hear("event")["data"]?["readiness"]?.string == word.rawValue)
        }
    }
}
