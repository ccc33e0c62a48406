// Tests the throttle under a virtual clock.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §15, rest-v1.md §11: the throttle") struct ThrottleTests {
    /// The published timeline, in milliseconds.
    static let timeline: [(at: Instant, passes: Bool)] = [
        (0, true), (300, true), (600, true), (900, true), (1200, true), (1300, true), (1400, true), (1500, true),
        (1600, true), (1700, true), (1800, true), (2100, true), (2200, true), (2400, false), (2600, false),
        (2800, false), (3100, true),
    ]

    @Test func `the throttle matches each row of the published timeline`() throws {
        let fixture = try SandboxFixture(throttled: true)
        let begin = fixture.clock.now
        for row in Self.timeline {
            fixture.clock.advance(.milliseconds(begin + row.at - fixture.clock.now))
            let response = fixture.send(.get("/api/v2/LUMENTV/configuration"))
            #expect(response.status == (row.passes ? 401 : 429), "at \(row.at) ms")
        }
    }

    @Test func `a refused request is answered with HTML, without an enhanced error and without Retry-After`() throws {
        let fixture = try SandboxFixture(throttled: true) { $0.settings.throttle.burst = 0 }
        _ = fixture.send(.get("/api/v2/LUMENTV/profiles"))
        let response = fixture.send(.get("/api/v2/LUMENTV/profiles", [Field("Accept", "application/json")]))
        #expect(response.status == 429)
        #expect(response.header("Content-Type")?.hasPrefix("text/html") == true)
        #expect(response.header("Retry-After") == nil)
        #expect(response.json == .null)
    }

    /// Expects that this many of forty requests at one moment pass.
    private func expect(_ expected: Int, _ throttle: inout Throttle, at time: Instant) {
        var count = 0
        for _ in 0..<40 where throttle.admits("a", at: time) { count += 1 }
        #expect(count == expected, "at \(time)")
    }

    @Test func `after an idle time an address has its burst again`() {
        var throttle = Throttle(.init())
        expect(11, &throttle, at: 0)
        expect(11, &throttle, at: 60_000)
    }

    @Test func `a one-time burst does not refill`() {
        var throttle = Throttle(.init(rate: 1, burst: 10, oneTimeBurst: true))
        expect(11, &throttle, at: 0)
        expect(1, &throttle, at: 60_000)
    }

    @Test func `a clock that is set back neither blocks an address nor gives it more`() {
        var throttle = Throttle(.init())
        expect(11, &throttle, at: 100_000)
        expect(0, &throttle, at: 50_000)
        expect(1, &throttle, at: 51_000)
    }

    @Test func `each address has its own bucket, and X-Forwarded-For gives the address`() throws {
        let fixture = try SandboxFixture(throttled: true) { $0.settings.throttle.burst = 0 }
        func status(_ headers: [Field]) -> Int { fixture.send(.get("/api/v2/LUMENTV/profiles", headers)).status }
        #expect(status([]) == 401)
        #expect(status([]) == 429)
        #expect(status([Field("X-Forwarded-For", "203.0.113.9")]) == 401)
        #expect(status([Field("X-Forwarded-For", "203.0.113.9, 10.0.0.1")]) == 429)
        #expect(status([Field("X-Forwarded-For", "203.0.113.10")]) == 401)
    }

    @Test(arguments: [
        ("/o/client/register", true), ("/o/client/token", true), ("/o/client/scopes", true),
        ("/api/v2/LUMENTV/sessions/ABC", true), ("/api/v2/LUMENTV/logout/NorthCable", true),
        ("/api/v2/authenticate/LUMENTV/ABC", false), ("/activate", false), ("/", false), ("/login/x", false),
        ("/sandbox/journal", false),
    ]) func `the service's calls are counted, but not the browser's calls and the control paths`(
        path: String, isCovered: Bool
    ) { #expect(Throttle.covers(path, strict: false) == isCovered) }

    @Test func `a flood of addresses does not make the table grow without limit`() {
        var throttle = Throttle(.init())
        var passed = 0
        for number in 0..<30_000 where throttle.admits("address \(number)", at: 0) { passed += 1 }
        #expect(passed == 30_000)
        #expect(throttle.count <= 10_000)
    }

    @Test func `the throttle can be switched off`() throws {
        let fixture = try SandboxFixture(throttled: false)
        for _ in 0..<40 { #expect(fixture.send(.get("/api/v2/LUMENTV/profiles")).status == 401) }
    }
}
