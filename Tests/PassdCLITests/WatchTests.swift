// Tests `watch`: events and callbacks as they arrive.

import PassJSON
import PassProtocol
import Testing

@testable import passd_cli

@Suite("rpc.md §6: watch")
struct WatchTests {
    static let subscription: JSONValue = ["seq": 17, "snapshot": ["readiness": "ready"]]
    static let event = Event(
        sequence: 18, type: .authentication, time: 1_700_000_000_000,
        data: JSONObject([("requestorID", "NEWS24"), ("authenticated", true)]))

    @Test func `events are lines until Ctrl-C, which is the usual end`() async throws {
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(Self.subscription, [.event(Self.event)])
        ])
        let console = RecordedConsole()
        async let ran = run(["watch"], daemon, console: console)
        try await console.written.wait(for: 1)
        console.signals.continuation.yield(2)
        let end = await ran
        #expect(end.exit == .done)
        #expect(end.out == "\(Moment.clock(Self.event.time))  authentication  requestorID=NEWS24  authenticated=true\n")
        #expect(end.err == "")
        #expect(daemon.methods == ["passd.subscribe"])
    }

    @Test func `with --json each is one object a line, the snapshot first; the daemon's end is 69`() async throws {
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

    @Test(arguments: [RPCError.denied("No observing"), .methodNotFound("passd.subscribe")])
    func `without events there are the callbacks of the requestor`(_ refusal: RPCError) async throws {
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
        #expect(end.err == "passd-cli: Showing callbacks only, events are not available: \(refusal.message)\n")
    }

    @Test func `who falls behind is told and tries later`() async throws {
        let overrun = Event(sequence: 19, type: .overrun, time: 0)
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(Self.subscription, [.event(overrun)])
        ])
        let ran = await run(["watch"], daemon)
        #expect(ran.exit == .tryLater)
        #expect(ran.err.contains("missed events"))
    }

    @Test func `a reader that has gone ends it quietly`() async throws {
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(Self.subscription, [.event(Self.event)])
        ])
        let ran = await run(["watch"], daemon, console: RecordedConsole(losing: .readerGone))
        #expect(ran.exit == .done)
        #expect(ran.err == "")
    }
}
