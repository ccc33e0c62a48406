// Tests what is logged, and especially what must not be logged. operations.md §3; architecture.md §5 rules 6 and 8.

import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@testable import AccessEnabler
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct RecordTests {
    private static let news = RequestorID(rawValue: "NEWS24")
    private static let channel = ResourceID(rawValue: "what-people-watch")
    private static let marks = ResourceMarks(secret: Array("the secret of a box".utf8))
    private static let mark = marks.mark(of: channel)

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(event)" }
        let event: EngineEvent
        /// The line; nil if nothing is logged.
        let line: String?
    }

    private nonisolated static func menu(_ verdicts: [EngineEvent.Verdict]) -> EngineEvent {
        let hints = verdicts.map {
            EngineEvent.Hint(resource: channel, verdict: $0, cause: .init(decider: .service))
        }
        return .init(kind: .preauthorization(hints), requestor: news, provider: Sample.north, session: 3)
    }

    nonisolated static let cases: [Case] = [
        Case(event: .init(kind: .requestor, requestor: news, session: 1), line: nil),
        Case(
            event: .init(kind: .loginOpened(expires: 1), requestor: news, provider: Sample.north),
            line: "<6>a login is waiting for the viewer (requestor=NEWS24 provider=M1)"),
        Case(
            event: .init(kind: .loginOpened(expires: 1), requestor: news),
            line: "<6>a login is waiting for the viewer (requestor=NEWS24 provider=\"\")"),
        Case(
            event: .init(kind: .loginClosed(.expired), requestor: news, provider: Sample.north),
            line: "<5>a login is no longer waiting for the viewer (requestor=NEWS24 provider=M1 outcome=expired)"),
        Case(
            event: .init(kind: .signedIn(.sso), requestor: news, provider: Sample.north),
            line: "<5>the login state has changed (requestor=NEWS24 provider=M1 authenticated=yes reason=sso)"),
        Case(
            event: .init(
                kind: .authorization(channel, .denied), requestor: news, provider: Sample.north, session: 3,
                cause: .init(
                    decider: .service, source: "mvpd", code: "authorization_denied_by_parental_controls", trace: "t-1",
                    text: "Ask a grown-up.")),
            line: "<5>a resource was authorized or refused (session=3 requestor=NEWS24 provider=M1 "
                + "resource_hash=\(mark) authorized=no outcome=denied decided_by=service source=mvpd "
                + "code=authorization_denied_by_parental_controls trace=t-1 text=\"Ask a grown-up.\")"),
        Case(
            event: .init(
                kind: .authorization(channel, .undecided), requestor: news, provider: Sample.north, session: 3,
                cause: .init(code: "unreachable")),
            line: "<5>a resource was authorized or refused (session=3 requestor=NEWS24 provider=M1 "
                + "resource_hash=\(mark) authorized=no outcome=undecided code=unreachable)"),
        Case(
            event: .init(
                kind: .authorization(channel, .unauthenticated), requestor: news, session: 3,
                cause: .init(decider: .memory)),
            line: "<5>a resource was authorized or refused (session=3 requestor=NEWS24 provider=\"\" "
                + "resource_hash=\(mark) authorized=no outcome=unauthenticated decided_by=memory)"),
        Case(
            event: menu([.permitted]),
            line:
                "<5>an app was told which resources would be permitted (session=3 requestor=NEWS24 provider=M1 outcome=permitted "
                + "permitted=1 permitted_hashes=\(mark))"),
        Case(
            event: menu([.denied, .permitted, .denied, .unauthenticated]),
            line:
                "<5>an app was told which resources would be permitted (session=3 requestor=NEWS24 provider=M1 outcome=mixed permitted=1 "
                + "permitted_hashes=H denied=2 denied_hashes=\"H H\" unauthenticated=1 unauthenticated_hashes=H)"
                .replacing("H", with: mark)),
        Case(
            event: .init(
                kind: .requestorFailed, requestor: news, session: 3,
                cause: .init(code: "registration-refused", trace: "t-1", message: "It was revoked.")),
            line: "<5>an app could not start with its requestor (session=3 requestor=NEWS24 "
                + "code=registration-refused trace=t-1 says=\"It was revoked.\")"),
        Case(
            event: .init(kind: .status(.CFG429), requestor: news, session: 3),
            line: "<6>an app was told a status code (session=3 requestor=NEWS24 code=CFG429)"),
    ]

    @Test(arguments: cases) func `an event of the engine is one line`(_ trial: Case) throws {
        let log = try LogFile()
        log.journal.record(EventForm(trial.event, Self.marks))
        #expect(log.text == (trial.line.map { $0 + "\n" } ?? ""))
        #expect(!log.text.contains(Self.channel.rawValue))
    }

    @Test func `without the box's secret the hash of a resource cannot be computed`() {
        #expect(Self.mark.utf8.count == 16 && Self.mark != Digest.sha256(Self.channel.rawValue).prefix(16))
        #expect(ResourceMarks(secret: Array("the secret of another".utf8)).mark(of: Self.channel) != Self.mark)
        #expect(Self.marks.mark(of: ResourceID(rawValue: "what-people-watch2")) != Self.mark)
    }

    @Test func `of a very long menu only the first hashes are recorded, with the total number`() throws {
        let log = try LogFile()
        let resources = (0..<5000).map { ResourceID(rawValue: "channel-\($0)") }
        let hints = resources.map { EngineEvent.Hint(resource: $0, verdict: .undecided, cause: .init()) }
        log.journal.record(
            EventForm(
                .init(kind: .preauthorization(hints), requestor: Self.news, provider: Sample.north, session: 1),
                Self.marks))
        let text = log.text
        #expect(text.contains("outcome=undecided undecided=5000 undecided_hashes=") && text.utf8.count < 1000)
        let hashes = text.split(separator: "\"")[1].split(separator: " ")
        #expect(hashes == resources.prefix(32).map { Substring(Self.marks.mark(of: $0)) })
    }

    @Test func `during a whole visit no resource, token, code, statement or address is logged`() async throws {
        let household = try await Household { $0.offersAll() }
        let visitor = try await household.app()
        try await visitor.call("getAuthentication")
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        await household.usesCode()
        _ = try await visitor.hear("setAuthenticationStatus")
        let resource = JSONValue.string(Self.channel.rawValue)
        try await visitor.call("checkAuthorization", ["resource": resource])
        household.backend.script { $0.authorize = { _ in .failure(BackendFault(.serverError(500))) } }
        _ = try await visitor.exchange("getAuthorization", ["resource": resource])
        _ = try await visitor.exchange("checkPreauthorizedResources", ["resources": [resource]])
        _ = try await visitor.exchange(
            "setRequestor", ["requestorID": "OTHER", "softwareStatement": .string(Sample.statement)])
        try await visitor.call("logout")
        let text = household.log.text
        for line in [
            "a login is waiting", "no longer waiting", "a resource was authorized or refused", "status code",
            "policy denied",
        ] {
            #expect(text.contains(line), "\(line) in \(text)")
        }
        for secret in Sample.secrets + [Self.channel.rawValue, "service.test"] { #expect(!text.contains(secret)) }
    }

    @Test(
        arguments: [
            (.peerClosed, false), (.failed(errno: 104), false), (.requested("the daemon is stopping"), false),
            (.fault(.tooLarge(limit: 9)), true), (.outputOverflow(limit: 9), true), (.outputStalled, true),
            (.refused(.limit), true),
        ] as [(CloseReason, Bool)]) func `a disconnection is logged if the client did something wrong`(
            reason: CloseReason, isLogged: Bool
        ) async throws
    {
        let household = try await Household()
        let visitor = try await household.connect()
        try await visitor.call("passd.hello")
        await household.record(reason)
        #expect(household.log.text.contains("a client was disconnected") == isLogged)
    }

    @Test func `the user of an export or import is recorded, but not for a refused backup`()
        async throws
    {
        let household = try await Household()
        let visitor = try await household.connect(.admin)
        try await visitor.call("passd.export")
        try await visitor.call("passd.import", ["backup": "sealed"])
        _ = try await visitor.exchange("passd.import", ["backup": "x"])
        let who = "logins=1 peer_pid=\(getpid()) peer_uid=\(geteuid()) request="
        #expect(
            household.log.text.split(separator: "\n").filter { $0.hasPrefix("<5>") } == [
                "<5>a sealed backup of the store was exported (\(who)1 method=passd.export app=admin)",
                "<5>a backup has replaced the store; passd restarts with it (\(who)2 method=passd.import app=admin)",
            ])
    }

    @Test func `a client's text cannot forge a line`() async throws {
        let household = try await Household()
        let visitor = try await household.connect()
        #expect(
            try await visitor.exchange("setRequestor", ["requestorID": "A\n<3>fake\u{1B}[2J"]).fault == "INVALID_PARAMS"
        )
        #expect(household.log.text.isEmpty)
        #expect(
            try await visitor.exchange("setRequestor", ["requestorID": "A\u{2028}<3>fake\u{202E}"]).fault == "DENIED")
        let lines = household.log.text.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(
            lines.first?.unicodeScalars.allSatisfy { $0.value >= 0x20 && ![0x2028, 0x202E].contains($0.value) } == true)
    }
}

extension Household {
    fileprivate func record(_ reason: CloseReason) {
        for client in server.clients.all { log.journal.record(client, ended: reason) }
    }
}
