// Tests which decisions outlive a restart: refusals and ends of logins, few and not for long, without names of resources. What
// a logout or an operator has ended is not kept.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Synchronization
import Testing

@testable import PassServer

@Suite("rpc.md §7, storage-layouts §3.4: decisions after a restart") @EngineActor struct LastingDecisionTests {
    private nonisolated static let refusal = ServiceError(
        status: 403, code: "authorization_denied_by_mvpd", actionName: "none", details: "Call us.", trace: "t-7")

    /// Stands for the file of the vault.
    private final class Kept: DecisionStore {
        private let state = Mutex<(texts: [String?], synced: [String?])>(([], []))
        var text: String? { state.withLock { $0.texts.last ?? nil } }
        var writes: Int { state.withLock(\.texts.count) }
        /// The texts at the syncs.
        var synced: [String?] { state.withLock(\.synced) }
        var hasDecisions: Bool { text != nil }
        func keepDecisions(_ text: String?) { state.withLock { $0.texts.append(text) } }
        func syncDecisions() { state.withLock { $0.synced.append($0.texts.last ?? nil) } }
    }

    private let kept = Kept()

    /// A daemon that begins with what the last one has kept. The provider refuses each play.
    private func household(at date: Int64? = nil, refuses: Bool = true) async throws -> Household {
        let household = try await Household(apps: [.sample("news24", ["NEWS24", "SPORT"])]) {
            $0.offersAll()
            $0.profiles = [Sample.news: .success([Sample.profile]), Sample.sport: .success([Sample.profile])]
            if refuses { $0.authorize = { _ in .failure(BackendFault(.refused(Self.refusal))) } }
        }
        if let date { household.clock.setDate(date) }
        household.server.resumeDecisions(kept.text, store: kept)
        return household
    }

    private func decisions(_ params: JSONValue = [:], of household: Household) async throws -> [JSONValue] {
        try await household.connect(.admin).call("passd.decisions", params)["decisions"]?.array ?? []
    }

    @Test func `a refused play is kept within five seconds, and explained after the restart`() async throws {
        let first = try await household()
        let app = try await first.app()
        for _ in 0..<2 { try await app.call("checkAuthorization", ["resource": "channel-1"]) }
        #expect(kept.text == nil)
        first.clock.advance(by: .seconds(5))
        await eventually { [kept] in kept.text != nil }
        #expect(kept.text?.contains("channel-1") == false, "a mark stands for the name")

        let second = try await household(at: first.clock.wall.milliseconds)
        let again = try await second.app()
        let before = try #require(try await decisions(of: second).first)
        let mark = try #require(before["resource"]?.string)
        #expect(mark.utf8.count == 16 && before["kind"] == "play" && before["times"] == 2)
        #expect(try await decisions(["about": "channel-1"], of: second).first?["resource"] == "channel-1")
        #expect(before["code"] == "authorization_denied_by_mvpd" && before["trace"] == "t-7")
        #expect(before["text"] == "Call us." && before["provider"] == "M1" && before["app"] == "news24")
        #expect(try await decisions(["about": .string(mark)], of: second).first == before)
        #expect(try await second.connect(.admin).call("passd.status")["refusals"]?.array?.count == 1)
        try await again.call("checkAuthorization", ["resource": "channel-1"])
        let found = try await decisions(["about": "channel-1"], of: second).filter { $0["kind"] == "play" }
        #expect(found.count == 1 && found.first?["times"] == 3 && found.first?["resource"] == "channel-1")
    }

    @Test func `permitted plays and denied calls are not kept, and the number is limited`() async throws {
        let first = try await household(refuses: false)
        let app = try await first.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        _ = try? await first.connect().call("setRequestor", ["requestorID": "STRANGE"])
        await first.server.saveDecisions()
        #expect(kept.text == nil)
        first.backend.script { $0.authorize = { _ in .failure(BackendFault(.refused(Self.refusal))) } }
        for number in 0..<60 { try await app.call("checkAuthorization", ["resource": .string("r\(number)")]) }
        await first.server.saveDecisions()
        let second = try await household(at: first.clock.wall.milliseconds)
        let found = try await decisions(of: second)
        #expect(found.count == DecisionLog.maxLasting[.play])
        let newest = try await decisions(["about": "r59"], of: second).first
        #expect(newest?["resource"] == "r59" && found.last?["time"] == newest?["time"])
        #expect(DecisionLog.maxLasting.values.reduce(0, +) == DecisionLog.maxLastingInAll)
    }

    @Test func `nothing is kept for more than seven days`() async throws {
        let first = try await household()
        let app = try await first.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        await first.server.saveDecisions()
        let day: Int64 = 24 * 3600 * 1000
        let now = first.clock.wall.milliseconds
        #expect(try await decisions(of: household(at: now + 7 * day)).count == 1)
        #expect(try await decisions(of: household(at: now - 20_000 * day)).count == 1, "the clock is not set yet")
        let late = try await household(at: now + 7 * day + 1)
        #expect(try await decisions(of: late).isEmpty)
        late.clock.advance(by: .seconds(5))
        await eventually { [kept] in kept.text == nil }
    }

    private func pass(days: Int, of household: Household) async {
        for _ in 0..<days {
            let before = kept.writes
            household.clock.advance(by: .seconds(24 * 3600))
            await eventually { [kept] in kept.writes > before }
        }
    }

    @Test(arguments: [0, 3650])
    func `a running daemon removes a decision after seven days, also if its date is in the future`(
        daysAhead: Int64
    ) async throws {
        let first = try await household()
        let app = try await first.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        await first.server.saveDecisions()
        let now = first.clock.wall.milliseconds - daysAhead * 24 * 3600 * 1000
        let second = try await household(at: now)
        second.clock.advance(by: .seconds(5))
        await pass(days: 5, of: second)
        #expect(kept.text != nil)
        // A restart does not begin another seven days.
        await second.server.saveDecisions()
        let third = try await household(at: second.clock.wall.milliseconds)
        #expect(try await decisions(of: third).count == 1)
        third.clock.advance(by: .seconds(5))
        await pass(days: 1, of: third)
        #expect(kept.text != nil)
        await pass(days: 1, of: third)
        #expect(kept.text == nil)
        let writes = kept.writes
        third.clock.advance(by: .seconds(30 * 24 * 3600))
        _ = try await decisions(of: third)
        #expect(kept.writes == writes, "nothing is kept, so nothing has to be done")
    }

    @Test func `the decisions are synced once, ten seconds after they were saved`() async throws {
        let household = try await household()
        household.clock.advance(by: .seconds(5))
        await eventually { [kept] in kept.writes == 1 }
        household.clock.advance(by: .seconds(60))
        #expect(kept.synced.isEmpty, "nothing was saved")
        let app = try await household.app()
        for number in 1...2 {
            try await app.call("checkAuthorization", ["resource": .string("channel-\(number)")])
            household.clock.advance(by: .seconds(5))
            await eventually { [kept] in kept.writes == 1 + number }
        }
        household.clock.advance(by: .milliseconds(4999))
        #expect(kept.synced.isEmpty)
        household.clock.advance(by: .milliseconds(1))
        await eventually { [kept] in kept.synced == [kept.text] }
        household.clock.advance(by: .seconds(3600))
        _ = try await decisions(of: household)
        #expect(kept.synced.count == 1 && kept.writes == 3)
    }

    @Test func `if only the number of times changes, the file is replaced after five minutes`() async throws {
        let household = try await household()
        let app = try await household.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        household.clock.advance(by: .seconds(5))
        await eventually { [kept] in kept.writes == 1 }
        for _ in 0..<3 {
            household.clock.advance(by: .seconds(20))
            try await app.call("checkAuthorization", ["resource": "channel-1"])
        }
        household.clock.advance(by: .seconds(259))
        _ = try await decisions(of: household)
        #expect(kept.writes == 1)
        household.clock.advance(by: .seconds(1))
        await eventually { [kept] in kept.writes == 2 }
        #expect(kept.text?.contains("\"times\":4") == true)
    }

    @Test(arguments: [true, false])
    func `after a logout, the stored decisions are without its refusals before the answer`(
        isOperator: Bool
    ) async throws {
        let household = try await household()
        let app = try await household.app()
        let view = try household.connect(.admin)
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        household.clock.advance(by: .seconds(5))
        await eventually { [kept] in kept.writes == 1 }
        func end() async throws {
            if isOperator { try await view.call("passd.logoutAll") } else { try await app.call("logout") }
        }
        try await end()
        #expect(kept.writes == 2 && kept.text?.contains("\"play\"") != true)
        try await end()
        let writes = kept.writes
        for _ in 0..<3 { try await end() }
        #expect(kept.writes == writes, "an app that logs out again and again does not wear out the disk")
    }

    @Test func `an end of logins that removes the file leaves the decisions about other requestors`() async throws {
        let household = try await household()
        let app = try await household.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        await household.server.saveDecisions()
        let text = try #require(kept.text)
        // The end of an earlier login, which was not in use, removes the file.
        kept.keepDecisions(nil)
        try await household.connect(.admin).call("passd.forget", ["requestorID": "SPORT"])
        #expect(kept.text?.contains("\"play\"") == true, "\(text)")
    }

    enum End: CaseIterable, Sendable { case logout, logoutAll, forget, forgetOther, provider, providerAndLogout }

    @Test(arguments: End.allCases) func `a logout leaves only itself, and other ends of logins leave everything`(
        end: End
    ) async throws {
        let first = try await household()
        let app = try await first.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        await first.server.saveDecisions()
        let view = try first.connect(.admin)
        switch end {
        case .logout: try await app.call("logout")
        case .logoutAll: try await view.call("passd.logoutAll")
        case .forget: try await view.call("passd.forget", ["requestorID": "NEWS24"])
        case .forgetOther: try await view.call("passd.forget", ["requestorID": "SPORT"])
        case .provider, .providerAndLogout:
            first.backend.script { script in
                let error = ServiceError(
                    status: 403, code: "authenticated_profile_invalidated", actionName: "authentication")
                script.authorize = { _ in .failure(BackendFault(.refused(error))) }
            }
            try await app.call("checkAuthorization", ["resource": "channel-1"])
            if end == .providerAndLogout { try await app.call("logout") }
        }
        await first.server.saveDecisions()
        let now = try await decisions(of: first)
        #expect(now.contains { $0["kind"] == "play" }, "until the restart, everything can be explained")
        let second = try await household(at: first.clock.wall.milliseconds)
        let kinds = Set(try await decisions(of: second).compactMap { $0["kind"]?.string })
        let expected: Set<String> =
            switch end {
            case .logout, .logoutAll, .forget: ["login-ended"]
            case .forgetOther: ["play"]
            case .provider: ["play", "login-ended"]
            case .providerAndLogout: []
            }
        #expect(kinds == expected)
    }

    @Test func `after a logout, an equal refusal does not count the former ones`() async throws {
        let first = try await household()
        let app = try await first.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        try await first.connect(.admin).call("passd.forget", ["requestorID": "NEWS24"])
        let again = try await first.app()
        try await again.call("checkAuthorization", ["resource": "channel-1"])
        await first.server.saveDecisions()
        let second = try await household(at: first.clock.wall.milliseconds)
        let plays = try await decisions(of: second).filter { $0["kind"] == "play" }
        #expect(plays.count == 1 && plays.first?["times"] == nil && plays.first?["since"] == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", "[1, {}, {\"kind\": \"play\"}]", "[[",
        #"[{"time": 1, "kind": "dance", "outcome": "denied", "reason": "No."}]"#,
    ]) func `a text of another form is ignored`(text: String) async throws {
        kept.keepDecisions(text)
        #expect(try await decisions(of: household()).isEmpty)
    }

    @Test func `absurd numbers are clamped`() async throws {
        let most = "\(Int64.max)"
        kept.keepDecisions(
            """
            [{"time": \(most), "times": \(most), "since": 0, "kind": "play", "outcome": "denied", "reason": "No.",
            "decidedBy": "nobody", "resource": "0011223344556677"}]
            """)
        let found = try await decisions(of: household())
        #expect(found.first?["times"] == .int(1 << 32) && found.first?["decidedBy"] == nil)
    }
}
