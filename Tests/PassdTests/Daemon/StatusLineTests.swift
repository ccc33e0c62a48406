// Tests the status line of `systemctl status`. operations.md §3.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer
@testable import PassSystem

@Suite struct StatusLineTests {
    @Test(arguments: [
        (StatusLine(apps: 0, providers: []), "no apps, nobody is signed in"),
        (StatusLine(apps: 1, providers: ["North Cable"]), "1 app, signed in with North Cable"),
        (
            StatusLine(apps: 2, providers: ["North Cable"], openLogins: 1, nextPoll: .milliseconds(3200)),
            "2 apps, signed in with North Cable, 1 open login, next poll in 4 seconds"
        ),
        (
            StatusLine(apps: 2, providers: ["Alpen Tel", "North Cable"], openLogins: 2, nextPoll: .zero),
            "2 apps, signed in with Alpen Tel and North Cable, 2 open logins, polling"
        ),
        (StatusLine(apps: 0, providers: [], hasService: false), "no service configured, no apps, nobody is signed in"),
        (
            StatusLine(apps: 0, providers: ["A\nREADY=1\u{1B}[2J", "B", "C", "D", "E", "F"]),
            "no apps, signed in with A READY=1 [2J and B and C and D and 2 more"
        ),
        (
            StatusLine(apps: 0, providers: [], warnings: 1),
            "no apps, nobody is signed in, 1 warning, see passd-cli doctor"
        ),
        (
            StatusLine(apps: 0, providers: [], warnings: 2, instance: InstanceName("room1")),
            "no apps, nobody is signed in, 2 warnings, see passd-cli --instance room1 doctor"
        ),
    ]) func `the line describes the state of the daemon`(_ line: StatusLine, _ text: String) {
        #expect(line.text == text)
    }

    @Test func `the line follows the events, and an idle daemon is not woken`() async throws {
        let household = try await Household { $0.offersAll() }
        let lines = await household.statusLines()
        let visitor = try await household.app()
        try await visitor.call("getAuthentication")
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        await household.clock.advance(by: .seconds(1))
        #expect(lines.elements.last?.hasPrefix("1 app, nobody is signed in, 1 open login, next poll in ") == true)
        household.backend.script { $0.polls = [.success(.done(Sample.profile))] }
        await household.clock.advance(by: .seconds(10))
        _ = try await visitor.hear("setAuthenticationStatus")
        await household.clock.advance(by: .seconds(10))
        #expect(lines.elements.last == "1 app, signed in with North")
        #expect(household.clock.alarmCount == 1, "the end of the login")
        let count = lines.elements.count
        await household.clock.advance(by: .seconds(3600))
        #expect(lines.elements.count == count)
        try await visitor.call("logout")
        await household.clock.advance(by: .seconds(1))
        #expect(lines.elements.last == "1 app, nobody is signed in")
    }

    @Test func `many changes cause one line`() async throws {
        let household = try await Household()
        let lines = await household.statusLines()
        var visitors: [Visitor] = []
        for _ in 0..<20 { visitors.append(try await household.app()) }
        await household.clock.advance(by: .seconds(1))
        #expect(lines.elements == ["no apps, nobody is signed in", "20 apps, nobody is signed in"])
        for visitor in visitors { try await visitor.leave() }
    }

    @Test func `a poll that is due but not made is reported`() async throws {
        let household = try await Household { $0.offersAll() }
        let visitor = try await household.app()
        try await visitor.call("getAuthentication")
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        #expect(await household.hasMissedPoll(after: .zero) == false)
        #expect(await household.hasMissedPoll(after: .seconds(600)))
    }

    @Test(arguments: [
        (Confinement(network: true, units: true), [] as [String]),
        (Confinement(network: false, units: true), ["network"]),
        (Confinement(network: true, units: false), ["peer-unit"]),
    ]) func `the doctor says which facts the unit's sandbox hides from the daemon`(
        _ sight: Confinement, _ names: [String]
    ) async throws {
        var stanza = AppStanza.sample()
        stanza.allow = [AllowRule(text: "unit:a.service", conditions: [.unit("a.service")])]
        #expect(await (try Household(apps: [stanza])).checks(sight) == names)
        // If no stanza needs a hidden fact, no check is reported.
        #expect(await (try Household()).checks(sight) == names.filter { $0 == "network" })
    }
}

extension Household {
    fileprivate func statusLines() -> Recorder<String> {
        let lines = Recorder<String>()
        let status = ServiceStatus(clock, line: { [unowned self] in server.statusLine() }) { lines.append($0) }
        server.onChange = { status.changed() }
        status.tell()
        return lines
    }

    /// Lets the clock advance without firing alarms.
    fileprivate func hasMissedPoll(after delay: Duration) -> Bool {
        engine.hasMissedPoll(by: .zero - delay)
    }

    fileprivate func checks(_ sight: Confinement) -> [String] { server.reports.confinementChecks(sight).map(\.name) }
}
