// Builds the operator's reports. They never contain a secret or the code of a login. rpc.md §7.

import AccessEnabler
import PassConfiguration
import PassJSON
import PassProtocol
import PassSystem
import PassWire

@EngineActor final class Reports {
    let parts: ServerParts
    let state: DaemonState
    let clients: ConnectedClients
    let policyInForce: PolicyInForce
    let counts: CallCounter
    let log: DecisionLog
    let rehearsals: Rehearsals

    var engine: Engine { parts.engine }

    init(
        parts: ServerParts, state: DaemonState, clients: ConnectedClients, policyInForce: PolicyInForce,
        counts: CallCounter, log: DecisionLog
    ) {
        self.parts = parts
        self.state = state
        self.clients = clients
        self.policyInForce = policyInForce
        self.counts = counts
        self.log = log
        rehearsals = Rehearsals(parts.engine, clock: parts.clock)
    }

    /// The state at the beginning of a subscription. The events change it from then on.
    var snapshot: JSONObject {
        JSONObject([
            ("readiness", .string(state.readiness.rawValue)), ("sessions", .int(clients.count)),
            ("signedIn", .bool(!engine.currentLogins.isEmpty)),
            ("openCodes", .array(engine.openLoginKeys.map { .string($0.requestor.rawValue) })),
        ])
    }

    func status() async -> JSONValue {
        let health = await parts.storeHealth()
        let configuration = state.loaded.configuration
        return .members([
            "version": .string(PassdVersion.text), "commit": ProgramBuild.commit.map(JSONValue.string),
            "build": ProgramBuild.id.map(JSONValue.string),
            "uptime": .int(state.uptime),
            "readiness": .string(state.readiness.rawValue),
            "backend": .members([
                "origin": .string(configuration.backend.origin ?? "none"),
                "protocol": .string(configuration.backend.version.rawValue),
                "reachable": isReachable.map(JSONValue.bool) ?? .null,
                "lastContact": parts.service.contact().lastAnswer.map(date), "lastFailure": lastFailure.map(date),
            ]),
            "clock": ["offset": engine.clockOffset.map { .int($0.inMilliseconds) } ?? .null],
            "signIn": loginWays.map { .string($0.text) },
            "store": ["health": .string(storeWord(health)), "path": .string(configuration.storage.directory)],
            "signedIn": .array(engine.currentLogins.map(login)), "openCodes": .int(engine.openLoginKeys.count),
            "refusals": .array(log.refusals(limit: Self.maxRefusals).map(\.json)), "sessions": .int(clients.count),
            "warnings": .array(warnings(health).map(\.json)),
        ])
    }

    private func login(_ key: ProfileKey, _ profile: Profile) -> JSONValue {
        .members([
            "requestorID": .string(key.requestor.rawValue), "provider": .string(key.provider.rawValue),
            "name": .string(engine.name(of: key.provider, for: key.requestor)), "kind": .string(profile.kind.name),
            "expires": .int(engine.boxDate(profile.end)), "confirmed": engine.confirmed(key).map(date),
        ])
    }

    private static let maxRefusals = 3

    /// The date in milliseconds since the epoch, by the box's own clock.
    private func date(_ time: BootTime) -> JSONValue { .int(milliseconds(time)) }

    func milliseconds(_ time: BootTime) -> Int64 {
        parts.clock.wall.advanced(by: .zero - time.duration(to: parts.clock.boot)).milliseconds
    }

    private var lastFailure: BootTime? {
        if case .failing(_, _, let last, _) = parts.service.contact() { last } else { nil }
    }

    var isReachable: Bool? {
        switch parts.service.contact() {
        case .never: nil
        case .reachable: true
        case .failing: false
        }
    }

    private func storeWord(_ health: VaultHealth) -> String {
        if !health.isPersistent { return "memory only" }
        if engine.unsavedChanges > 0 { return "some changes not saved yet" }
        return health.warnings.isEmpty ? "good" : "good, with warnings"
    }

    func warnings(_ health: VaultHealth) -> [VaultHealth.Warning] {
        (boxWarnings(health) + serviceWarnings + logoutWarnings + configurationWarnings()).map(addressed)
    }

    func boxWarnings(_ health: VaultHealth) -> [VaultHealth.Warning] {
        var warnings = health.warnings + state.startWarnings
        if !recentCrashes.isEmpty {
            let causes = Dictionary(grouping: recentCrashes, by: \.cause).sorted { $0.key < $1.key }
                .map { "\($0.key) \($0.value.count)" }.joined(separator: ", ")
            warnings.append(
                .init(
                    code: "crashes", message: "passd has crashed in the last seven days: \(causes).",
                    remedy:
                        "See journalctl -u \(unit) -x PASSD_EVENT=CRASHED, and send the file of passd-cli bugreport."))
        }
        if engine.unsavedChanges > 0, !health.isRefused {
            warnings.append(
                .init(
                    code: "store-unsaved", message: "Some changes are only in memory.",
                    remedy:
                        "The check \"store\" says what to do. passd writes the changes as soon "
                        + "as it can."
                ))
        }
        warnings += state.socketFaults.map {
            VaultHealth.Warning(
                code: "app-socket", message: "A socket for an app in a container cannot be made: \($0).",
                remedy: "Correct the path, and reload. See APPS IN CONTAINERS in passd.conf(5).")
        }
        if let problem = engine.identityProblem {
            warnings.append(
                .init(
                    code: "device-identity", message: problem.asSentence,
                    remedy: remedy(
                        "Restore the source that [device] identity names. If that is impossible, run passd-cli "
                            + "forget --all; the viewers then have to log in again.",
                        about: ["[device] identity"])))
        }
        return warnings
    }

    /// The crashes of the last seven days, by the box's clock. Crashes with a time in the future are left out, because the
    /// clock was wrong at the time of the crash, or is wrong now.
    var recentCrashes: [Crash] {
        let now = parts.clock.wall.milliseconds / 1000
        return parts.crashes.filter { (now - CrashLog.memory...now).contains($0.time) }
    }

    /// Warnings about the service. The report of `doctor` leaves them out, because it has its own checks for them.
    private var serviceWarnings: [VaultHealth.Warning] {
        var warnings: [VaultHealth.Warning] = []
        if engine.clockIsWrong {
            warnings.append(
                .init(
                    code: "clock-wrong", message: "The clock of this box is more than five minutes off.",
                    remedy:
                        "Run: timedatectl set-ntp true. If the clock is still wrong after a minute, the administrator of the box "
                        + "has to set date and time zone. Until then, passd works with the "
                        + "service's clock."))
        }
        if case .failing(let trouble, _, _, _) = parts.service.contact() {
            warnings.append(
                .init(
                    code: "backend-unreachable", message: "The last request to the service failed: \(trouble.reason).",
                    remedy: remedy(trouble.remedy, about: Self.wayToService)))
        }
        return warnings
    }

    /// Logouts that the service refuses or has not accepted yet. The box has ended these logins, but the service has not.
    /// Ruling 44.
    var logoutWarnings: [VaultHealth.Warning] {
        var warnings: [VaultHealth.Warning] = []
        let (refused, untaken) = (engine.refusedLogouts, engine.untakenLogouts)
        let effect = "These logins do not count on this box, but the service still has them."
        if let first = refused.first {
            let isAboutRedirect = first.fault.code == "invalid_parameter_redirect_url"
            warnings.append(
                .init(
                    code: "logout-refused",
                    message: "The service refuses the logout of \(Self.named(refused)). \(effect)",
                    remedy: isAboutRedirect
                        ? remedy(
                            "Set redirect-url in [backend] or in the app's stanza to an address that is registered with "
                                + "the service.", about: ["[backend] redirect-url"])
                        : "Give code and trace to the operator of the service. passd sends the logout again before the "
                            + "next login at this provider, and after a restart of passd."))
        }
        if !untaken.isEmpty {
            warnings.append(
                .init(
                    code: "logout-waiting",
                    message: "The service has not accepted the logout of \(Self.named(untaken)). \(effect)",
                    remedy:
                        "passd repeats the logout by itself. If the problem persists, give code and trace to the "
                        + "operator of the service."))
        }
        return warnings
    }

    /// Names the requestors and providers of the logouts, and the code and trace of the first logout's refusal.
    private static func named(_ logouts: [Engine.OwedLogout]) -> String {
        let logins = Set(logouts.map { "\($0.requestor) at \($0.provider)".onOneLine.cut(toBytes: 128) }).sorted()
        let shown = logins.prefix(maxRefusedLogouts).joined(separator: ", ")
        let rest = logins.count > maxRefusedLogouts ? " and \(logins.count - maxRefusedLogouts) more" : ""
        let fault = logouts.first?.fault
        let trace = fault?.trace.map { ", trace \($0.onOneLine.cut(toBytes: 64))" } ?? ""
        return "\(shown)\(rest) (\((fault?.code ?? "").onOneLine.cut(toBytes: 64))\(trace))"
    }

    private static let maxRefusedLogouts = 4

    var sessions: JSONValue { ["sessions": .array(clients.inOrder.map(session))] }

    private func session(_ client: ConnectedClient) -> JSONValue {
        let login = client.session.signedInWith
        let open = [client.session.openStep, client.subscription.map { _ in .events }]
        return .members([
            "session": .int(client.number), "identity": policyInForce.identity(of: client).json,
            "since": .int(client.since.milliseconds),
            "requestorID": client.session.requestor.map { .string($0.rawValue) },
            "provider": login.map { .string($0.id.rawValue) }, "providerName": login.map { .string($0.name) },
            "client": client.introduction.map(JSONValue.string),
            "pendingCalls": .int(client.connection.pendingCalls),
            "open": .strings(open.compactMap(\.?.rawValue)),
        ])
    }

    var tokens: JSONValue {
        let tokens = engine.inventory.map { key, profile -> JSONValue in
            [
                "requestorID": .string(key.requestor.rawValue), "provider": .string(key.provider.rawValue),
                "kind": .string(profile.kind.name), "expires": .int(engine.boxDate(profile.end)),
            ]
        }
        return ["tokens": .array(tokens)]
    }
}

extension VaultHealth.Warning {
    /// The JSON form of `Status.warning`.
    var json: JSONValue { ["code": .string(code), "message": .string(message), "remedy": .string(remedy)] }

    /// Returns this warning as a check of `doctor`.
    func check(_ outcome: Doctor.Check.Outcome = .warn, named name: String? = nil) -> Doctor.Check {
        Doctor.Check(name ?? code, outcome, message: message, remedy: remedy)
    }
}

extension VaultHealth {
    /// Whether passd refuses the store, because a newer version of passd has written it. In this case, the disk has no fault.
    var isRefused: Bool { warnings.contains { $0.code == "vault-newer-schema" } }
}
