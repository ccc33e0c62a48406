// Tests `watch`, which prints events and callbacks as they arrive.

import PassArguments
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassCLI

@Suite("rpc.md §6: watch")
struct WatchTests {
    static let subscription: JSONValue = ["seq": 17, "snapshot": ["readiness": "ready"]]
    static let event = Event(
        sequence: 18, type: .authentication, time: 1_700_000_000_000,
        data: JSONObject([("requestorID", "NEWS24"), ("authenticated", true)]))

    @Test func `events are printed as lines until Ctrl-C, which is the normal end`() async throws {
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(Self.subscription, [.event(Self.event)])
        ])
        let console = RecordedConsole()
        async let ran = run(["watch"], daemon, console: console)
        try await console.written.wait(for: 1)
        console.signals.continuation.yield(2)
        let end = await ran
        #expect(end.exit == .done)
        #expect(end.out == "\(Moment.clock(Self.event.time))  authentication  requestorID=NEWS24  authenticated=yes\n")
        #expect(end.err == "")
        #expect(daemon.methods == ["passd.subscribe"])
    }

    private struct Line: Sendable {
        let type: EventType
        let data: JSONValue
        let text: String
    }

    private static let lines: [Line] = [
        Line(
            type: .sessionOpened,
            data: ["session": 3, "identity": ["uid": 0, "gid": 0, "pid": 42, "app": "kodi"]],
            text: "session.opened  session=3  identity=kodi (user root, process 42)"),
        Line(
            type: .sessionOpened, data: ["identity": ["uid": 4_000_000_000, "pid": 42]],
            text: "session.opened  identity=user 4000000000, process 42"),
        Line(
            type: .requestorFailed, data: ["session": 3, "requestorID": "NEWS24", "code": "registration-refused"],
            text: "requestor.failed  session=3  requestorID=NEWS24  code=registration-refused"),
        Line(
            type: .hint,
            data: ["requestorID": "NEWS24", "resource": "film\u{1B}[2J", "outcome": "denied", "text": "Not yours."],
            text: "hint  requestorID=NEWS24  resource=film [2J  outcome=denied  text=Not yours."),
        Line(
            type: .loginOpened, data: ["requestorID": "NEWS24", "expires": 1_795_564_800_000],
            text: "login.opened  requestorID=NEWS24  expires=\(Moment.text(1_795_564_800_000))"),
        Line(
            type: .warning,
            data: ["warning": ["code": "CLOCK", "message": "The clock is wrong.", "remedy": "Set it."]],
            text: "warning  warning=The clock is wrong. Set it."),
        Line(
            type: .configuration, data: ["applied": false, "a": [["b": [1, 2], "c": nil]]],
            text: "configuration  applied=no  a=b 1, 2, c -"),
    ]

    @Test func `values are printed as words, not as JSON`() async throws {
        let events = try Self.lines.map { line in
            Event(sequence: 1, type: line.type, time: 0, data: try #require(line.data.object))
        }
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(Self.subscription, events.map { .event($0) })
        ])
        let console = RecordedConsole()
        async let ran = run(["watch"], daemon, console: console)
        try await console.written.wait(for: events.count)
        console.signals.continuation.yield(2)
        #expect(await ran.out == Self.lines.map { "\(Moment.clock(0))  \($0.text)\n" }.joined())
    }

    @Test func `with --json each event is one object per line, with the snapshot first, and the daemon's end is 69`()
        async throws
    {
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(
                Self.subscription, [.event(Self.event), .setToken("t", resource: "r")])
        ])
        let console = RecordedConsole()
        async let ran = run(["watch", "--json", "--requestor", "R"], daemon, console: console)
        try await console.written.wait(for: 3)
        daemon.hangUp()
        let end = await ran
        #expect(end.exit == .unreachable)
        let objects = try end.out.split(separator: "\n").map { try object("\($0)\n") }
        #expect(objects.map { $0["kind"]?.string } == ["snapshot", "event", "callback", "error"])
        #expect(objects[0]["data"] == Self.subscription)
        #expect(objects[1]["data"] == Self.event.json)
        #expect(objects[2]["data"] == ["name": "setToken", "params": ["token": "t", "resource": "r"]])
        #expect(daemon.params(of: "setRequestor").first?["requestorID"] == "R")
    }

    @Test(arguments: [RPCError.denied("No observing", remedy: "Ask."), .methodNotFound("passd.subscribe")])
    func `if events are refused, the requestor's callbacks are printed`(_ refusal: RPCError) async throws {
        let daemon = try ScriptedDaemon(["passd.subscribe": .error(refusal)])
        let console = RecordedConsole()
        async let ran = run(["watch"], daemon, console: console)
        try await daemon.heard.wait { $0.contains { $0.method == "setRequestor" } }
        daemon.tell(.setAuthenticationStatus(status: 0, .userNotAuthenticated, .logout))
        try await console.written.wait(for: 1)
        console.signals.continuation.yield(15)
        let end = await ran
        #expect(end.exit == .done)
        #expect(
            end.out.hasSuffix(
                "setAuthenticationStatus  status=0  errorCode=USER_NOT_AUTHENTICATED_ERROR  reason=logout\n"))
        #expect(end.err == "passd-cli: Showing only callbacks, because events are not available: \(refusal.message)\n")
    }

    @Test func `a watcher that is too slow is told and can retry later`() async throws {
        let overrun = Event(sequence: 19, type: .overrun, time: 0)
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(Self.subscription, [.event(overrun)])
        ])
        let ran = await run(["watch"], daemon)
        #expect(ran.exit == .tryLater)
        #expect(ran.err.contains("missed events"))
    }

    @Test func `a closed pipe ends watch without a message`() async throws {
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(Self.subscription, [.event(Self.event)])
        ])
        let ran = await run(["watch"], daemon, console: RecordedConsole(losing: .readerGone))
        #expect(ran.exit == .done)
        #expect(ran.err == "")
    }
}
