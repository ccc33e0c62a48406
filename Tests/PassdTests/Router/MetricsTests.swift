// Tests `passd.metrics`. It counts events of the daemon, and does not describe viewers.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("rpc.md §7: passd.metrics") struct MetricsTests {
    /// The samples by name and labels.
    private func samples(_ admin: Visitor) async throws -> [String: Double] {
        let answer = try await admin.call("passd.metrics")
        let lines = try #require(answer["text"]?.string).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            uniqueKeysWithValues: try lines.map { line in
                let space = try #require(line.lastIndex(of: " "))
                return (String(line[..<space]), try #require(Double(line[space...].dropFirst())))
            })
    }

    @Test func `calls are counted, and failures under the names of their errors`() async throws {
        let household = try await Household()
        let admin = try await household.connect(.admin)
        let fresh = try await samples(admin)
        #expect(fresh["passd_sessions"] == 1)
        #expect(fresh["passd_calls_total"] == 1)
        #expect(fresh["passd_denied_calls_total"] == 0)

        await household.logsIn()
        let visitor = try await household.app()
        for requestor in ["A", "B"] {
            #expect(try await visitor.exchange("setRequestor", ["requestorID": .string(requestor)]).fault == "DENIED")
        }
        #expect(try await visitor.exchange("nope").fault == "METHOD_NOT_FOUND")
        #expect(try await visitor.exchange("handleExternalURL", ["url": "x"]).fault == "FLOW_CONFLICT")
        let later = try await samples(admin)
        #expect(later["passd_sessions"] == 2)
        #expect(later["passd_logins"] == 1)
        #expect(later["passd_calls_total"] == 7)
        #expect(later["passd_denied_calls_total"] == 2)
        #expect(later["passd_failed_calls_total{name=\"DENIED\"}"] == 2)
        #expect(later["passd_failed_calls_total{name=\"METHOD_NOT_FOUND\"}"] == 1)
        #expect(later["passd_failed_calls_total{name=\"FLOW_CONFLICT\"}"] == 1)
    }

    @Test func `a login, its polls, a play and a logout are counted, without names`() async throws {
        let household = try await Household { $0.offersAll() }
        let admin = try await household.connect(.admin)
        let visitor = try await household.app()
        _ = try await visitor.call("getAuthentication")
        _ = try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        #expect(try await samples(admin)["passd_open_logins"] == 1)
        await household.usesCode()
        _ = try await visitor.hear("setAuthenticationStatus")
        _ = try await visitor.call("getAuthorization", ["resource": "SECRET-RESOURCE"])
        household.backend.script { $0.authorize = { _ in .failure(BackendFault(.serverError(503))) } }
        _ = try await visitor.exchange("checkAuthorization", ["resource": "SECRET-RESOURCE"])
        _ = try await visitor.call("logout")
        let found = try await samples(admin)
        for (name, value) in [
            ("passd_opened_logins_total", 1), ("passd_closed_logins_total{outcome=\"authenticated\"}", 1),
            ("passd_closed_logins_total{outcome=\"expired\"}", 0), ("passd_polls_total{outcome=\"done\"}", 1),
            ("passd_sign_ins_total{by=\"login\"}", 1), ("passd_ended_logins_total{cause=\"logout\"}", 1),
            ("passd_decisions_total{outcome=\"permitted\",decided_by=\"service\"}", 1),
            ("passd_decisions_total{outcome=\"undecided\",decided_by=\"nobody\"}", 1),
            ("passd_media_tokens_total", 1), ("passd_questions_total{question=\"authorize\",outcome=\"success\"}", 1),
            ("passd_questions_total{question=\"authorize\",outcome=\"server-error\"}", 1),
            ("passd_questions_total{question=\"beginLogin\",outcome=\"success\"}", 1),
            ("passd_open_logins", 0), ("passd_logins", 0), ("passd_store_persistent", 1), ("passd_up", 1),
        ] { #expect(found[name] == Double(value), "\(name)") }
        #expect(found["passd_store_writes_total{outcome=\"success\"}"] ?? 0 > 0)
        #expect(found["passd_store_writes_total{outcome=\"full\"}"] == 0)
        let named = Sample.secrets + ["SECRET", "NEWS24", "M1", "North", "news24", "service.test"]
        for name in named { #expect(!found.keys.contains { $0.contains(name) }, "\(name)") }
    }

    @Test func `the state of service, store and clock is reported`() async throws {
        let household = try await Household()
        let admin = try await household.connect(.admin)
        let fresh = try await samples(admin)
        #expect(fresh["passd_service_reachable"] == nil && fresh["passd_clock_offset_seconds"] == nil)
        var load = ServiceLoad()
        (load.available, load.keptForViewers, load.waiting, load.pauses) = (3, 2, 4, 5)
        (load.paused, load.registrations) = (.milliseconds(1500), 6)
        let now = household.clock.boot
        await household.daemon.report(
            load, .failing(ServiceTrouble(reason: "SECRET", remedy: "SECRET"), since: now, last: now))
        household.vault.loseDisk()
        household.vault.breakDown(VaultFault(.full, "SECRET disk"))
        await household.engine.learn(household.clock.wall.advanced(by: .seconds(-400)))
        await household.logsIn()
        _ = try await household.app()
        let found = try await samples(admin)
        for (name, value) in [
            ("passd_service_reachable", 0), ("passd_budget_requests{share=\"anybody\"}", 3),
            ("passd_budget_requests{share=\"viewers\"}", 2), ("passd_queued_requests", 4),
            ("passd_request_pauses_total", 5), ("passd_request_pause_seconds_total", 1.5), ("passd_registrations", 6),
            ("passd_store_persistent", 0), ("passd_clock_offset_seconds", -400),
            ("passd_warnings{code=\"backend-unreachable\"}", 1), ("passd_warnings{code=\"clock-wrong\"}", 1),
            ("passd_build_info{version=\"\(PassdVersion.text)\",protocol=\"v2\"}", 1),
        ] as [(String, Double)] { #expect(found[name] == value, "\(name)") }
        #expect(found["passd_store_writes_total{outcome=\"full\"}"] ?? 0 > 0)
        #expect(found["passd_unsaved_changes"] ?? 0 > 0)
        #expect(!found.keys.contains { $0.contains("SECRET") })
    }

    @Test func `observers get the numbers, and other clients need the operators' socket`() async throws {
        for (may, isAllowed) in [(Set([Capability.observe]), true), ([.entitlement], false), ([.admin], false)] {
            let visitor = try await Household(apps: [.sample(may: may)]).connect()
            if isAllowed {
                #expect(try await visitor.call("passd.metrics")["text"]?.string?.contains("passd_up 1\n") == true)
            } else {
                #expect(try await visitor.exchange("passd.metrics").fault == "DENIED")
            }
            #expect(try await visitor.exchange("passd.status").fault == "METHOD_NOT_FOUND")
        }
    }

    @Test func `the numbers of an instance have the instance's name`() async throws {
        let household = try await Household(instance: InstanceName("room1"))
        let found = try await samples(try await household.connect(.admin))
        #expect(found["passd_up{box=\"room1\"}"] == 1 && found.keys.allSatisfy { $0.contains("{box=\"room1\"") })
    }
}
