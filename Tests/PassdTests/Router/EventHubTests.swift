// Tests that events are numbered without gaps, are sent only if requested, and that a slow subscriber is told.
// rpc.md §6.

import AccessEnabler
import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct EventHubTests {
    private static func isConsecutive(_ numbers: [Int64], after first: Int64?) -> Bool {
        numbers == Array(((first ?? 0) + 1)...((first ?? 0) + Int64(max(1, numbers.count))))
    }

    @Test func `events are numbered without gaps from the snapshot on`() async throws {
        let household = try await Household { $0.offersAll() }
        let watcher = try await household.connect()
        let begin = try await watcher.call("passd.subscribe")
        #expect(begin["snapshot"]?["sessions"] == 1)
        let visitor = try await household.app()
        try await visitor.call("getAuthentication")
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        #expect(try await watcher.exchange("passd.whoami").answer["error"] == nil)
        let again = try await watcher.exchange("passd.subscribe")
        #expect(again.answer["result"]?["snapshot"]?["openCodes"] == ["NEWS24"])
        let last = try #require(again.answer["result"]?["seq"]?.int64)

        let other = try await household.connect()
        try await other.leave()
        var (types, numbers): ([String], [Int64]) = ([], [])
        while types.last != "session.closed" {
            let event = try await watcher.hear("event")
            types.append(event["type"]?.string ?? "")
            numbers.append(event["seq"]?.int64 ?? 0)
        }
        #expect(types == ["session.opened", "session.closed"])
        #expect(Self.isConsecutive(numbers, after: last))
    }

    @Test func `a login is reported from its code to its end`() async throws {
        let household = try await Household { $0.offersAll() }
        let watcher = try await household.connect()
        let begin = try await watcher.call("passd.subscribe")["seq"]?.int64
        let visitor = try await household.app()
        try await visitor.call("getAuthentication")
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        await household.usesCode()
        _ = try await visitor.hear("setAuthenticationStatus")
        try await visitor.call("getAuthorization", ["resource": "channel-1"])
        try await visitor.call("logout")
        try await visitor.leave()

        var (types, numbers, text): ([String], [Int64], String) = ([], [], "")
        while types.last != "session.closed" {
            let event = try await watcher.hear("event")
            types.append(event["type"]?.string ?? "")
            numbers.append(event["seq"]?.int64 ?? 0)
            text += event.text
        }
        #expect(Self.isConsecutive(numbers, after: begin))
        for type in ["session.opened", "requestor", "login.opened", "login.closed", "authentication", "authorization"] {
            #expect(types.contains(type), "\(type) in \(types)")
        }
        for secret in Sample.secrets { #expect(!text.contains(secret)) }
        #expect(!text.contains("service.test"), "the address contains the code")
    }

    @Test(arguments: [
        ("authorization_denied_by_mvpd", "Not in your package."),
        ("authorization_denied_by_parental_controls", "Ask a grown-up."),
        ("authorization_denied_by_degradation_rule", "Blacked out in your region."),
    ])
    func `a denial is reported with the service's words`(code: String, text: String) async throws {
        let household = try await Household {
            $0.profiles = [RequestorID(rawValue: "NEWS24"): .success([Sample.profile])]
            $0.authorize = { _ in
                .failure(
                    BackendFault(
                        .refused(
                            ServiceError(status: 403, code: code, actionName: "none", details: text, trace: "t-7"))))
            }
        }
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe", ["types": ["authorization"]])
        let app = try await household.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        let event = try await watcher.hear("event")
        #expect(event["data"]?["authorized"] == false)
        #expect(event["data"]?["decidedBy"] == "service")
        #expect(event["data"]?["code"]?.string == code)
        #expect(event["data"]?["text"]?.string == text)
        #expect(event["data"]?["trace"] == "t-7")
    }

    @Test func `a failed start is reported with its cause`() async throws {
        let household = try await Household { $0.prepare = .failure(BackendFault(.registrationRefused("invalid"))) }
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe", ["types": ["requestor.failed"]])
        let app = try await household.connect()
        _ = try await app.exchange("setRequestor", ["requestorID": "NEWS24"])
        let event = try await watcher.hear("event")
        #expect(event["type"] == "requestor.failed" && event["data"]?["requestorID"] == "NEWS24")
        #expect(event["data"]?["session"]?.int64 != nil && event["data"]?["code"]?.string?.isEmpty == false)
    }

    @Test func `apps do not learn of denied calls, and operators get a limited number of short events`() async throws {
        let household = try await Household { $0.offersAll() }
        let (operators, observer) = (try await household.connect(.admin), try await household.connect())
        for watcher in [operators, observer] {
            try await watcher.call("passd.subscribe", ["types": ["denied", "requestor"]])
        }
        let app = try await household.connect()
        let long = String(repeating: "R", count: 200)
        for _ in 0..<310 { _ = try await app.exchange("setRequestor", ["requestorID": .string(long)]) }
        try await app.call("setRequestor", ["requestorID": "NEWS24"])
        var count = 0
        while case let event = try await operators.hear("event"), event["type"] == "denied" {
            count += 1
            #expect((event["data"]?["requestorID"]?.string?.utf8.count ?? .max) <= 200)
            #expect((event["data"]?["reason"]?.string?.utf8.count ?? .max) < 5000)
        }
        #expect(count == 300)
        #expect(try await observer.hear("event")["type"] == "requestor")
    }

    @Test func `a call that policy denies is reported, and events name app and client`() async throws {
        let household = try await Household { $0.offersAll() }
        let watcher = try await household.connect(.admin)
        try await watcher.call("passd.subscribe", ["types": ["denied", "requestor"]])
        let app = try await household.connect()
        try await app.call("passd.hello", ["client": ["name": "script", "version": "1.2"]])
        _ = try await app.exchange("setRequestor", ["requestorID": "ELSEWHERE"])
        let denial = try await watcher.hear("event")
        #expect(denial["type"] == "denied" && denial["data"]?["method"] == "setRequestor")
        #expect(denial["data"]?["requestorID"] == "ELSEWHERE" && denial["data"]?["client"] == "script 1.2")
        #expect(denial["data"]?["session"]?.int64 != nil && denial["data"]?["reason"]?.string?.isEmpty == false)
        try await app.call("setRequestor", ["requestorID": "NEWS24"])
        let chosen = try await watcher.hear("event")
        #expect(chosen["type"] == "requestor" && chosen["data"]?["client"] == "script 1.2")
        #expect(chosen["data"]?["app"]?.string?.isEmpty == false)
    }

    @Test func `hints that do not permit are reported, and of a long menu only the first`() async throws {
        let household = try await Household {
            $0.offersAll()
            $0.profiles = [RequestorID(rawValue: "NEWS24"): .success([Sample.profile])]
            $0.preauthorize = { resource in
                .success(
                    ServiceDecision(
                        resource: resource, isAuthorized: resource.rawValue == "free", source: .mvpd,
                        error: resource.rawValue == "free"
                            ? nil
                            : ServiceError(
                                status: 403, code: "preauthorization_denied_by_mvpd", actionName: "none",
                                details: "Not in your package.", trace: "t-7")))
            }
        }
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe", ["types": ["hint", "configuration"]])
        let app = try await household.app()
        let menu = ["free"] + (1...70).map { "show-\($0)" }
        try await app.call("checkPreauthorizedResources", ["resources": .array(menu.map { .string($0) })])
        await household.tell(.configuration, ["applied": true])
        var told: [JSONValue] = []
        while told.last?["type"] != "configuration" { told.append(try await watcher.hear("event")) }
        #expect(told.dropLast().map { $0["data"]?["resource"]?.string } == (1...64).map { "show-\($0)" })
        let data = told[0]["data"]
        #expect(data?["outcome"] == "denied" && data?["provider"] == "M1" && data?["requestorID"] == "NEWS24")
        #expect(data?["text"] == "Not in your package." && data?["trace"] == "t-7")
    }

    @Test func `a denial to an app without a login is reported as the daemon's own`() async throws {
        let household = try await Household()
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe", ["types": ["authorization"]])
        let app = try await household.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        let event = try await watcher.hear("event")
        #expect(event["data"]?["authorized"] == false)
        #expect(event["data"]?["decidedBy"] == "memory")
        #expect(event["data"]?["provider"] == nil)
    }

    @Test func `only requested types are sent, and a second subscription replaces the first`()
        async throws
    {
        let household = try await Household()
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe", ["types": ["readiness", "requestor"]])
        _ = try await household.app()
        #expect(try await watcher.hear("event")["type"] == "requestor")
        try await watcher.call("passd.subscribe", ["types": ["configuration"]])
        _ = try await household.app()
        await household.tell(.configuration, ["applied": true])
        #expect(try await watcher.hear("event")["type"] == "configuration")
    }

    @Test func `no event comes after unsubscribe`() async throws {
        let household = try await Household()
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe")
        try await watcher.call("passd.unsubscribe")
        await household.tell(.configuration, ["applied": true])
        #expect(try await watcher.exchange("passd.whoami").callbacks == [])
    }

    @Test func `setOptions without callbacks does not stop events`() async throws {
        let household = try await Household()
        let watcher = try await household.app()
        try await watcher.call("passd.subscribe", ["types": ["configuration"]])
        try await watcher.call("setOptions", ["callbacks": false])
        await household.tell(.configuration, ["applied": true])
        #expect(try await watcher.exchange("checkAuthentication").heard == ["event"])
    }

    /// Many more events than a socket can hold, in one turn of the queue.
    private static let flood = 5000

    @Test func `a slow subscriber gets every event up to the overrun, and then the end of the stream`() async throws {
        let household = try await Household()
        await household.leaveTime()
        let slow = try await household.connect()
        let begin = try await slow.call("passd.subscribe", ["types": ["configuration"]])["seq"]?.int64
        await household.tell(.configuration, ["applied": true, "why": .string(filling)], times: Self.flood)
        var (types, numbers): ([JSONValue?], [Int64]) = ([], [])
        while let message = try await slow.next() {
            types.append(message["params"]?["type"])
            numbers.append(message["params"]?["seq"]?.int64 ?? 0)
        }
        #expect(types.last == "overrun")
        #expect(types.dropLast().allSatisfy { $0 == "configuration" })
        #expect(types.count < Self.flood)
        #expect(Self.isConsecutive(numbers, after: begin), "the overrun has the number of the first lost event")
        // Other subscribers continue.
        try await household.connect().call("passd.subscribe")
    }

    @Test func `if an event causes a disconnection, the disconnection is reported after that event`() async throws {
        let household = try await Household()
        var watchers: [Visitor] = []
        for _ in 1...8 {
            let watcher = try await household.connect()
            try await watcher.call("passd.subscribe", ["types": ["readiness", "session.closed"]])
            watchers.append(watcher)
        }
        let gone = try await household.connect()
        try await gone.call("passd.subscribe", ["types": ["configuration", "readiness"]])
        await household.crowdOut(gone, filling)
        for watcher in watchers {
            let events = [try await watcher.hear("event"), try await watcher.hear("event")]
            #expect(events.map { $0["type"] } == ["readiness", "session.closed"])
            #expect(events[0]["seq"]?.int64.map { $0 + 1 } == events[1]["seq"]?.int64)
        }
    }

    private let filling = String(repeating: "x", count: 1000)
}

extension Household {
    /// Gives clients that must leave enough time to read the rest.
    fileprivate func leaveTime() { server.state.loaded.configuration.limits.connection.drainTime = .seconds(3600) }

    /// Publishes all events in one turn of the engine's queue.
    func tell(_ type: EventType, _ data: JSONValue, times: Int = 1) {
        for _ in 0..<times { server.hub.tell(type, data.object ?? JSONObject()) }
    }

    /// The last subscriber has too much unread data and leaves. The daemon notices this only at the next event.
    fileprivate func crowdOut(_ visitor: Visitor, _ filling: String) {
        guard let connection = server.clients.all.max(by: { $0.number < $1.number })?.connection else { return }
        while connection.backlog <= 1 << 20 { tell(.configuration, ["applied": true, "why": .string(filling)]) }
        visitor.leaveAtOnce()
        tell(.readiness, ["readiness": "ready"])
    }
}
