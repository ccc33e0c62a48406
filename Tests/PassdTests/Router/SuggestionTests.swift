// Tests suggestions for completion. They come from memory, without a request, and only for peers with the right to see
// them.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassServer

@Suite("rpc.md §6: passd.suggestions, and §7: what a session has open") @EngineActor struct SuggestionTests {
    @Test func `requestors come from the policy, and an operator gets all of them`() async throws {
        let household = try await Household(apps: [.sample(), .sample("sport", ["SPORT", "NEWS24"], user: 4_000_000)])
        let own = try await household.connect().call("passd.suggestions")
        #expect(own == ["requestors": ["NEWS24"], "providers": [], "resources": []])
        let all = try await household.connect(.admin).call("passd.suggestions")
        #expect(all["requestors"] == ["NEWS24", "SPORT"])
        let stranger = try await Household(apps: [.sample(user: 4_000_000)]).connect().call("passd.suggestions")
        #expect(stranger == ["requestors": [], "providers": [], "resources": []])
    }

    @Test func `providers come from the lists for apps, and only operators see resources`() async throws {
        let household = try await Household { $0.offersAll() }
        let app = try await household.app()
        #expect(try await app.call("passd.suggestions")["providers"] == [])
        try await app.call("listProviders")
        try await app.call("setSelectedProvider", ["providerID": "M1"])
        let own = try await app.call("passd.suggestions", ["requestorID": "NEWS24"])
        #expect(own["providers"]?.array?.count == 2 && own["providers"]?.array?.contains("M1") == true)
        #expect(try await app.call("passd.suggestions", ["requestorID": "OTHER"])["providers"] == [])

        _ = try await app.call("getAuthentication")
        household.usesCode()
        _ = try await app.hear("setAuthenticationStatus")
        for name in ["channel-1", "caf\u{E9}", "channel-1", String(repeating: "x", count: 300)] {
            try await app.call("checkAuthorization", ["resource": .string(name)])
        }
        let admin = try household.connect(.admin)
        #expect(try await admin.call("passd.suggestions")["resources"] == ["channel-1", "caf\u{E9}"])
        #expect(try await admin.call("passd.suggestions", ["requestorID": "OTHER"])["resources"] == [])
        #expect(try await app.call("passd.suggestions")["resources"] == [])
    }

    @Test func `no request is sent, and no app is registered`() async throws {
        let household = try await Household()
        let before = household.backend.calls.elements.count
        try await household.connect().call("passd.suggestions", ["requestorID": "NEWS24"])
        #expect(household.backend.calls.elements.count == before)
    }

    @Test func `a session shows what it has open, and at which provider the viewer is signed in`() async throws {
        let household = try await Household { $0.offersAll() }
        let (app, admin) = (try await household.app(), try household.connect(.admin))
        func session() async throws -> JSONValue {
            try #require(try await admin.call("passd.sessions")["sessions"]?.array?.first)
        }
        let first = try await session()
        #expect(first["open"] == [] && first["provider"] == nil)
        _ = try await app.call("getAuthentication")
        #expect(try await session()["open"] == ["choice"])
        _ = try await app.call("passd.subscribe")
        _ = try await app.call("setSelectedProvider", ["providerID": "M1"])
        #expect(try await session()["open"] == ["code", "events"])
        household.usesCode()
        _ = try await app.hear("setAuthenticationStatus")
        let last = try await session()
        #expect(last["open"] == ["events"] && last["provider"] == "M1")
        #expect(last["providerName"]?.string?.isEmpty == false)
    }
}
