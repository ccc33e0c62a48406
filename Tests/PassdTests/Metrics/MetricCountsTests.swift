// Tests the counters: all labels are from fixed lists, and all counters begin at 0.

import PassBackend
import PassProtocol
import Testing

@testable import AccessEnabler
@testable import PassDaemon
@testable import PassServer

@Suite struct MetricCountsTests {
    private let requestor = RequestorID(rawValue: "SECRET-REQUESTOR")
    private let provider = ProviderID(rawValue: "SECRET-PROVIDER")
    private let resource = ResourceID(rawValue: "SECRET-RESOURCE")

    private func event(_ verdict: EngineEvent.Verdict, _ decider: Decisions.Decider?) -> EngineEvent {
        event(
            .authorization(resource, verdict),
            EngineEvent.Cause(decider: decider, source: "SECRET-SOURCE", code: "SECRET-CODE", text: "SECRET-TEXT"))
    }

    private func event(_ kind: EngineEvent.Kind, _ cause: EngineEvent.Cause? = nil) -> EngineEvent {
        EngineEvent(kind: kind, requestor: requestor, provider: provider, session: 1, cause: cause)
    }

    @Test func `metrics with fixed labels exist from the start, and are 0`() {
        let counts = MetricCounts()
        for family: MetricFamily in [
            .registrationAttempts, .polls, .storeWrites, .failedStarts, .openedLogins, .closedLogins, .signIns,
            .endedLogins, .hints,
            .mediaTokens, .decisions,
        ] {
            let found = counts.counts(of: family)
            #expect(!found.isEmpty && found.values.allSatisfy { $0 == 0 }, "\(family.name)")
            #expect(found.keys.allSatisfy { $0.count == family.labels.count }, "\(family.name)")
        }
        #expect(counts.counts(of: .requests).isEmpty)
    }

    @Test func `events are counted by outcome and cause, without names`() {
        var counts = MetricCounts()
        for event: EngineEvent in [
            event(.loginOpened(expires: 0)), event(.loginClosed(.expired)), event(.loginClosed(.authenticated)),
            event(.signedIn(nil)), event(.signedIn(.sso)), event(.signedOut(.anotherDevice, by: "SECRET-APP")),
            event(.permitted, .service), event(.permitted, .service), event(.denied, .service),
            event(.unauthenticated, .memory), event(.undecided, nil),
            event(.requestorFailed, .init(code: "SECRET-CODE")),
            event(
                .preauthorization([
                    .init(resource: resource, verdict: .permitted, cause: .init(decider: .service)),
                    .init(resource: resource, verdict: .denied, cause: .init(decider: .service)),
                ])),
            event(.store("SECRET-REASON")), event(.status(SDKStatus(rawValue: "SECRET-STATUS"))),
        ] { counts.note(event) }
        #expect(counts.counts(of: .openedLogins)[[]] == 1)
        #expect(counts.counts(of: .failedStarts)[[]] == 1)
        #expect(counts.counts(of: .closedLogins)[["expired"]] == 1)
        #expect(counts.counts(of: .closedLogins)[["failed"]] == 0)
        #expect(counts.counts(of: .signIns).filter { $0.value > 0 } == [["login"]: 1, ["sso"]: 1])
        #expect(counts.counts(of: .endedLogins)[["another-device"]] == 1)
        #expect(
            counts.counts(of: .decisions).filter { $0.value > 0 } == [
                ["permitted", "service"]: 2, ["denied", "service"]: 1, ["unauthenticated", "memory"]: 1,
                ["undecided", "nobody"]: 1,
            ])
        #expect(counts.counts(of: .hints).filter { $0.value > 0 } == [["permitted"]: 1, ["denied"]: 1])
        #expect(!"\(counts)".contains("SECRET"))
    }

    @Test func `endpoints are counted separately up to a limit`() {
        var counts = MetricCounts()
        for number in 0..<100 { counts.request(to: "GET /\(number)", .success, lasting: .milliseconds(number)) }
        counts.request(to: "GET /1", .throttled, lasting: .seconds(1))
        #expect(counts.durations.count == MetricCounts.maxEndpoints + 1)
        #expect(counts.durations["other"]?.count == 100 - MetricCounts.maxEndpoints)
        #expect(counts.durations["GET /1"]?.count == 2)
        #expect(counts.counts(of: .requests)[["GET /1", "throttled"]] == 1)
    }

    @Test(
        arguments: [
            (.success(200), .success), (.success(302), .success), (.success(404), .refused),
            (.success(429), .throttled), (.success(503), .serverError), (.success(101), .unusableAnswer),
            (.failure(.timeout(wasSent: true)), .timeout), (.failure(.dns), .unreachable),
            (.failure(.proxy("proxy:3128", .refused(403))), .unreachable), (.failure(.tls(.expired)), .insecure),
            (.failure(.broken("x")), .unusableAnswer), (.failure(.closed), .cancelled),
        ] as [(Result<Int, HTTPFault>, MetricCounts.RequestOutcome)])
    func `each end of a request has an outcome`(end: Result<Int, HTTPFault>, outcome: MetricCounts.RequestOutcome) {
        #expect(MetricCounts.RequestOutcome(end) == outcome)
    }

    @Test func `the outcome of a call does not include the service's status, so that the values are few`() {
        var counts = MetricCounts()
        for status in 500..<600 { counts.question("authorize", fault: .serverError(status)) }
        counts.question("authorize", fault: .registrationRefused("SECRET"))
        counts.question("authorize", fault: nil)
        #expect(
            counts.counts(of: .questions) == [
                ["authorize", "server-error"]: 100, ["authorize", "registration-refused"]: 1,
                ["authorize", "success"]: 1,
            ])
    }

    @Test func `a duration falls into the first bucket that can hold it`() {
        var histogram = LatencyHistogram()
        for milliseconds in [0, 25, 26, 1000, 1001, 30_000, 30_001, 600_000] {
            histogram.add(.milliseconds(milliseconds))
        }
        let found = Dictionary(uniqueKeysWithValues: histogram.cumulative.map { ($0.bound, $0.count) })
        #expect(found["0.025"] == 2 && found["0.05"] == 3 && found["1.0"] == 4 && found["2.5"] == 5)
        #expect(found["30.0"] == 6 && found["+Inf"] == 8 && histogram.count == 8)
        #expect(histogram.sum == .milliseconds(662_053))
    }

    @Test func `an error is counted under a name from a fixed list`() {
        for (name, family) in [("CFG503", "CFG5xx"), ("CFG404", "CFG404"), ("MADE-UP", "other"), ("DENIED", "DENIED")] {
            #expect(ErrorName(text: name).family == family)
        }
    }
}
