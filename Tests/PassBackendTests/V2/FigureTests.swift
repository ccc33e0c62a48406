// Tests absurd numbers. They must not crash the daemon, and their effect is limited.

import AccessEnabler
import PassJSON
import Testing

@testable import PassBackend

@Suite("rest-v2.md §1.3, §20: absurd numbers") struct FigureTests {
    private static let day: Int64 = 24 * 3600 * 1000
    private static let strange: [Int64] = [.min, .min + 1, -1, 0, 1, 99_999_999_999_999, .max - 1, .max]

    private func read<Answer: ServiceAnswer>(_ type: Answer.Type, _ text: String) throws -> Answer {
        try type.read(HTTPResponse(status: 200, body: Array(text.utf8))).get()
    }

    private func login(_ notBefore: String, _ notAfter: String) throws -> OpenLogin? {
        let answer = try read(
            SessionAnswer.self,
            #"{"actionName": "resume", "code": "ABC", "notBefore": \#(notBefore), "notAfter": \#(notAfter)}"#)
        guard case .showCode(let login) = try answer.step(try Origin("https://sp.example"), style: .secondScreen) else {
            return nil
        }
        return login
    }

    @Test(arguments: [
        (#""1795564800000""#, #""1795566600000""#, 1_800_000), ("1795564800000", "1795651200000", day),
        ("1795564800000", "1795651200001", day), ("1795564800000", #""99999999999999""#, day),
        ("0", "9223372036854775807", day), ("-9223372036854775808", "9223372036854775807", day),
        ("9223372036854775807", "-9223372036854775808", 0), ("9223372036854775807", "9223372036854775807", 0),
        ("1795564800000", "1795564799999", 0), ("1795564800000", "-1", 0), ("-5", "-1", 0),
    ]) func `a code is valid for at most a day, and never ends before it begins`(
        notBefore: String, notAfter: String, life: Int64
    ) throws {
        let login = try #require(try login(notBefore, notAfter))
        #expect(login.notBefore.duration(to: login.notAfter) == .milliseconds(life))
    }

    @Test(arguments: strange, strange) func `times that are far apart cause no overflow`(
        one: Int64, other: Int64
    ) throws {
        let times = try [#"["\#(one)"]"#, "[\(other)]"].map {
            try #require(JSONValue(answer: Array($0.utf8))?.array?.first?.time)
        }
        let apart = times[0].duration(to: times[1])
        #expect(times[0].advanced(by: apart) == times[1])
        #expect((one < other) == (times[0] < times[1]) || times[0] == times[1])
        let login = try #require(try login(#""\#(one)""#, "\(other)"))
        #expect((0...Self.day).contains(login.notBefore.duration(to: login.notAfter).inMilliseconds))
    }

    @Test(arguments: ["99999999999999999999", "1e300", "-1e300", #""1e3""#, #""""#, "null", "{}", "1.5", #""NaN""#])
    func `an invalid number of milliseconds is refused`(text: String) {
        #expect(JSONValue(answer: Array("[\(text)]".utf8))?.array?.first?.time == nil)
    }

    @Test(arguments: [
        "1e300", "99999999999999999999", "9223372036854775807", #""inf""#, #""1e999""#, "0.000001", "5e-324",
    ]) func `E10: a token with any positive life is valid`(life: String) async throws {
        let box = try Box { request, _ in
            request.url.path == ScriptedService.token
                ? .answer(200, #"{"access_token": "a", "expires_in": \#(life), "created_at": -1e300}"#) : nil
        }
        try await box.backend.prepare(box.caller())
        let ends = try #require(box.vault.registrations.values.first?.accessTokenEnds)
        #expect((0...7 * Self.day).contains(ends.milliseconds - box.clock.wall.milliseconds))
    }

    @Test(arguments: ["-1", "-1e300", "-9223372036854775808", "0", #""nan""#, #""-inf""#, "null", "[]"])
    func `a token without a life is invalid`(life: String) async throws {
        let box = try Box { request, _ in
            request.url.path == ScriptedService.token
                ? .answer(200, #"{"access_token": "a", "expires_in": \#(life)}"#) : nil
        }
        #expect(try await box.fault { try await box.backend.prepare(box.caller()) } == .unusableAnswer)
    }

    @Test(arguments: strange) func `a stored token may have any expiry`(ends: Int64) async throws {
        let vault = MemoryVault()
        let key = try Box().caller().registration
        try await vault.commit([
            .registration(
                key,
                StoredRegistration(
                    clientID: "c", clientSecret: Secret("s"), accessToken: Secret("t"),
                    accessTokenEnds: ServerTime(milliseconds: ends)))
        ])
        let box = try Box(vault: vault)
        try await box.backend.prepare(box.caller())
        #expect(box.service.tokens == (ends > box.clock.wall.milliseconds ? 0 : 1))
    }

    @Test(arguments: [
        "Fri, 31 Dec 9999 23:59:60 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 0000 00:00:00 GMT",
        "Sun, 31 Feb 2026 10:00:00 GMT", "Sun, 99 Nov 9999 99:99:99 GMT", "-1", "",
    ]) func `an answer may have any date`(date: String) async throws {
        let box = try Box { request, _ in
            request.url.path == ScriptedService.token
                ? .dated(201, #"{"access_token": "a", "expires_in": 21600}"#, date) : nil
        }
        for _ in 0..<2 { try await box.backend.prepare(box.caller()) }
        #expect(box.service.tokens == 1)
    }

    @Test(arguments: [Double.nan, -.infinity, .infinity, -1, 0, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func `an absurd rate gives a possible interval`(rate: Double) {
        let settings = RequestBudget.Settings(requestsPerSecond: rate)
        #expect(settings.interval >= .milliseconds(1) && settings.interval <= .seconds(1050))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .seconds(-1)])
    func `an absurd timeout gives a valid number of milliseconds`(duration: Duration) {
        #expect((0...Int(Int32.max)).contains(duration.milliseconds))
    }
}
