// What the operator's reports say. Never a secret, never a code of a login.

import AccessEnabler
import PassBackend
import PassJSON
import PassProtocol
import PassSystem

extension House {
    func status() async -> Report {
        let health = await operations.storeHealth()
        let configuration = operations.loaded.configuration
        return Report(
            JSONObject([
                ("version", .string(daemonVersion)), ("uptime", .int(operations.uptime)),
                ("readiness", .string(operations.readiness.rawValue)),
                (
                    "backend",
                    [
                        "origin": .string(configuration.backend.origin ?? "none"),
                        "protocol": .string(configuration.backend.version.rawValue), "reachable": reachable,
                    ]
                ),
                ("clock", ["offset": engine.clockOffset.map { .int($0.inMilliseconds) } ?? .null]),
                (
                    "store",
                    [
                        "health": .string(storeWord(health)), "path": .string(configuration.storage.directory),
                    ]
                ),
                ("logins", .int(engine.openLogins.count)), ("sessions", .int(clients.count)),
                (
                    "warnings",
                    .array(warnings(health).map(\.json))
                ),
            ]))
    }

    private var reachable: JSONValue {
        switch operations.contact() {
        case .never: .null
        case .reachable: true
        case .failing: false
        }
    }

    private func storeWord(_ health: VaultHealth) -> String {
        if !health.isPersistent { return "memory only" }
        if engine.unsavedChanges > 0 { return "not all is saved" }
        return health.warnings.isEmpty ? "good" : "good, with warnings"
    }

    func warnings(_ health: VaultHealth) -> [VaultHealth.Warning] {
        var warnings = health.warnings + operations.warnings
        if engine.unsavedChanges > 0 {
            warnings.append(
                .init(
                    code: "store-unsaved", message: "Changes exist in memory alone.",
                    remedy: "Make room in the state directory; they are saved with the next change."))
        }
        if let problem = engine.identityProblem {
            warnings.append(
                .init(
                    code: "device-identity", message: "\(problem).",
                    remedy: "Restore the identity, or forget all logins and start anew."))
        }
        if engine.clockIsWrong {
            warnings.append(
                .init(
                    code: "clock-wrong", message: "The date of this box is more than five minutes off.",
                    remedy: "Set date and time zone; the daemon counts by the service's clock meanwhile."))
        }
        if case .failing(let reason, _, _) = operations.contact() {
            warnings.append(
                .init(
                    code: "backend-unreachable", message: "The last exchange with the service failed: \(reason).",
                    remedy: "Check the network and [backend] origin."))
        }
        warnings += operations.loaded.problems.map {
            .init(code: "configuration", message: "\($0).", remedy: "Correct the file and reload.")
        }
        return warnings
    }

    var sessionsReport: Report {
        let sessions = clients.values.sorted { $0.number < $1.number }.map { client in
            JSONValue.members([
                "session": .int(client.number),
                "identity": router.identity(of: client).json,
                "since": .int(client.since.milliseconds),
                "requestorID": client.session.requestor.map { .string($0.rawValue) },
                "client": client.introduction.map(JSONValue.string),
                "pendingCalls": .int(client.connection.pendingCalls),
            ])
        }
        return Report(JSONObject([("sessions", .array(sessions))]))
    }

    var tokensReport: Report {
        let tokens = engine.inventory.map { entry in
            JSONValue.members([
                "requestorID": .string(entry.requestor.rawValue), "provider": .string(entry.provider.rawValue),
                "kind": .string(entry.kind), "expires": .int(entry.expires.milliseconds),
            ])
        }
        return Report(JSONObject([("tokens", .array(tokens))]))
    }

    /// Named checks with their remedies.
    func examine() async -> Report {
        let health = await operations.storeHealth()
        var checks: [(String, String, String, String?)] = []
        for warning in warnings(health) { checks.append((warning.code, "warn", warning.message, warning.remedy)) }
        if health.isPersistent, engine.unsavedChanges == 0 {
            checks.append(("store", "pass", "The store takes changes.", nil))
        } else {
            checks.append(
                ("store", "fail", "Changes are not durable.", "Look at the state directory: space, mode, owner."))
        }
        checks.append(contact)
        checks += confinement(.current)
        if let helper = operations.platformHelper { checks.append(await examine(helper)) }
        let stanzas = router.policy.stanzas
        if stanzas.isEmpty {
            checks.append(
                ("apps", "warn", "No app stanza is there: nobody may do anything.", "Write one into apps.d."))
        }
        for stanza in stanzas {
            if case .unusable(let reason) = stanza.statement {
                checks.append(
                    ("app-\(stanza.name)", "fail", "\(reason.asSentence)", "Mend \(stanza.place)."))
            } else {
                checks.append(("app-\(stanza.name)", "pass", "Its stanza is in order.", nil))
            }
        }
        return Report(
            JSONObject([
                (
                    "checks",
                    .array(
                        checks.map { name, outcome, message, remedy in
                            .members([
                                "name": .string(name), "outcome": .string(outcome), "message": .string(message),
                                "remedy": remedy.map(JSONValue.string),
                            ])
                        })
                )
            ]))
    }

    private var contact: (String, String, String, String?) {
        guard operations.loaded.configuration.backend.origin != nil else {
            let remedy = "passd.conf(5), [backend] origin; \"passd-setup sandbox\" for the sandbox on this machine."
            return ("backend", "fail", "No service is chosen.", remedy)
        }
        return switch operations.contact() {
        case .never: ("backend", "warn", "The service was not asked yet.", "Use an app, then look again.")
        case .reachable: ("backend", "pass", "The service answers.", nil)
        case .failing(let reason, _, _):
            ("backend", "fail", "The service does not answer: \(reason).", "Check network and origin.")
        }
    }

    /// What the unit's sandbox keeps from us, where it matters.
    func confinement(_ sight: Confinement) -> [(String, String, String, String?)] {
        let conditions = router.policy.stanzas.flatMap(\.allow).flatMap(\.conditions)
        let remedy = "See passd(8), CONFINEMENT."
        var checks: [(String, String, String, String?)] = []
        if !sight.network {
            checks.append(("network", "fail", "The unit leaves no network to the daemon.", remedy))
        }
        if !sight.units, conditions.contains(where: { if case .unit = $0 { true } else { false } }) {
            checks.append(("peer-unit", "fail", "Units of clients cannot be seen; allow = unit: never holds.", remedy))
        }
        if !sight.executables, conditions.contains(where: { if case .executable = $0 { true } else { false } }) {
            checks.append(
                (
                    "peer-executable", "warn",
                    "Programs of other users cannot be seen; allow = executable: never holds for them.", remedy
                ))
        }
        return checks
    }

    private func examine(_ helper: PlatformHelper) async -> (String, String, String, String?) {
        do throws(PlatformFault) {
            let introduction = try await helper.introduction()
            return ("platform-helper", "pass", "\(introduction.name) \(introduction.version) answers.", nil)
        } catch {
            let reason = if case .unavailable(let reason) = error { reason } else { "It does not answer." }
            return ("platform-helper", "fail", reason, "Look at the log, and at [sign-on] partner.")
        }
    }

    /// OpenMetrics text. Label values are our own names.
    var metrics: String {
        var lines: [String] = []
        func add(_ name: String, _ type: String, _ help: String, _ samples: [(String, Int)]) {
            lines.append("# TYPE passd_\(name) \(type)")
            lines.append("# HELP passd_\(name) \(help)")
            let suffix = type == "counter" ? "_total" : ""
            for (labels, value) in samples { lines.append("passd_\(name)\(suffix)\(labels) \(value)") }
        }
        let counts = router.counts
        add("uptime_seconds", "gauge", "Since the start.", [("", Int(operations.uptime))])
        add("sessions", "gauge", "Connected apps.", [("", clients.count)])
        add("open_logins", "gauge", "Codes on screens.", [("", engine.openLogins.count)])
        add("logins", "gauge", "Logins that are stored.", [("", engine.inventory.count)])
        add("unsaved_changes", "gauge", "Changes in memory alone.", [("", engine.unsavedChanges)])
        add("calls", "counter", "Calls taken.", [("", counts.taken)])
        add("denied_calls", "counter", "Calls that policy refused.", [("", counts.denied)])
        add(
            "failed_calls", "counter", "Calls that ended in an error, by name.",
            counts.failed.sorted { $0.key < $1.key }.map { ("{name=\"\($0.key)\"}", $0.value) })
        return lines.joined(separator: "\n") + "\n# EOF\n"
    }
}

extension VaultHealth.Warning {
    var json: JSONValue { ["code": .string(code), "message": .string(message), "remedy": .string(remedy)] }
}

extension String {
    /// A reason as a sentence of its own.
    var asSentence: String { (first?.uppercased() ?? "") + dropFirst() + "." }
}
