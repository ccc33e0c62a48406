// The checks of `passd.doctor` that ask the service. They find out whether the service answers, which time its clock has, and
// whether it accepts the apps. rpc.md §7.

import AccessEnabler
import PassConfiguration
import PassJSON
import PassProtocol

extension Reports {
    /// The time limit for all questions to the service together.
    private static let timeLimit = Duration.seconds(10)

    /// Asks the service, unless the operator wants no request (`isOffline`). Returns whether the service has answered now, and
    /// the checks if it has not.
    func lookAtService(isOffline: Bool) async -> (checks: [Doctor.Check], answers: Bool) {
        guard state.loaded.configuration.backend.origin != nil else {
            let remedy =
                "Run \"passd-setup service https://…\" for a real service, or \"passd-setup sandbox\" for the "
                + "sandbox on this machine."
            let check = Doctor.Check(
                "backend", .fail, message: "No service is configured.",
                remedy: self.remedy(remedy, about: ["[backend] origin"]))
            return ([check], false)
        }
        guard !isOffline else { return (contactChecks(isOffline: true), false) }
        do throws(BackendFault) {
            try await parts.service.look(parts.clock.boot.advanced(by: Self.timeLimit))
        } catch {
            switch error.kind {
            case .overloaded, .throttled, .cancelled:
                let reason = ReasonTable.reason(of: error.code)
                let check = Doctor.Check(
                    "backend", .warn, message: "The service was not asked. \(reason?.meaning ?? "")",
                    remedy: reason?.remedy)
                return ([check], false)
            default: break
            }
        }
        if case .reachable = parts.service.contact() { return ([], true) }
        return (contactChecks(), false)
    }

    /// The check of the last exchange's outcome, and the check of the clock. If `isOffline` is true, `doctor` itself has sent
    /// no request.
    func contactChecks(isOffline: Bool = false) -> [Doctor.Check] {
        switch parts.service.contact() {
        case .failing(let trouble, _, let last, _):
            let check = Doctor.Check(
                "backend", .fail,
                message: isOffline
                    ? "The last request to the service failed\(ago(last)): \(trouble.reason)."
                    : trouble.reason.asSentence,
                remedy: remedy(trouble.remedy, about: Self.wayToService))
            return [check] + (isOffline ? clockCheck : [])
        case .reachable(_, let last):
            let origin = state.loaded.configuration.backend.origin ?? ""
            let message = isOffline ? "The service answered the last request\(ago(last))." : "\(origin) answers."
            return [Doctor.Check("backend", .pass, message: message)] + clockCheck
        case .never where isOffline:
            return [Doctor.Check("backend", .warn, message: "The service has not been asked yet.")] + clockCheck
        case .never:
            // No exchange has ended, so the question has reached its deadline.
            let reason = ReasonTable.reason(of: BackendFault(.deadline).code)
            return [Doctor.Check("backend", .fail, message: reason?.meaning ?? "", remedy: reason?.remedy)]
        }
    }

    /// The age of an answer that was not asked for now, such as " 3 minutes ago".
    private func ago(_ time: BootTime) -> String {
        let age = time.duration(to: parts.clock.boot).components.seconds
        return age < 2 ? "" : " \(age.secondsInWords) ago"
    }

    /// The check of the clock; none while the service's date is not known.
    private var clockCheck: [Doctor.Check] {
        guard let offset = engine.clockOffset else {
            // A very large difference becomes the offset only after a second answer has confirmed it. Until then, the check
            // cannot say how large it is.
            return engine.clockIsWrong
                ? [
                    Doctor.Check(
                        "clock", .fail, message: "The clocks of this box and of the service differ by more than a day.",
                        remedy:
                            "Run: timedatectl set-ntp true. If the clock is still wrong after a minute, the administrator "
                            + "of the box has to set date and time zone.")
                ] : []
        }
        let seconds = Int64(clamping: offset.inMilliseconds.magnitude / 1000)
        guard engine.clockIsWrong else {
            let words = seconds < 2 ? "are equal" : "differ by \(seconds.secondsInWords)"
            return [Doctor.Check("clock", .pass, message: "The clocks of this box and of the service \(words).")]
        }
        let way = offset < .zero ? "ahead of" : "behind"
        return [
            Doctor.Check(
                "clock", .fail,
                message: "The clock of this box is \(seconds.secondsInWords) \(way) the service's clock.",
                remedy:
                    "Run: timedatectl set-ntp true. If the clock is still wrong after a minute, the administrator of the box "
                    + "has to set date and time zone. Until then, passd works with the "
                    + "service's clock, but other programs may fail.")
        ]
    }

    // MARK: Pages of a login

    private static let maxPages = 8

    /// Checks whether phones can open the pages of a login, and reach the hosts of the links of open codes.
    func loginPageChecks() async -> [Doctor.Check] {
        let deadline = parts.clock.boot.advanced(by: Self.timeLimit)
        let origin = state.loaded.configuration.backend.origin
        let configured = state.loaded.loginPages.map {
            (address: $0.address, setting: $0.setting, source: $0.setting ?? "")
        }
        let known = Set(configured.map { String($0.address.prefix { $0 != "?" && $0 != "#" }) })
        // If no page is configured, the service names one. The setting would replace it.
        let named = engine.codePages.filter { !known.contains($0) }.map {
            (address: $0, setting: Optional("activation-url"), source: "named by the service")
        }
        let links = engine.linkHosts.filter { $0 != origin }.map {
            (address: $0, setting: String?.none, source: "link of a code")
        }
        let pages = configured + named + links
        // A name leaves out the query of the address, because a query may contain a secret.
        let names = pages.map { "\($0.address.prefix { $0 != "?" }) (\($0.source))" }
        let looks = pages.prefix(Self.maxPages).map { page in
            Task { [look = parts.service.pageTrouble] in await look(page.address, page.setting, deadline) }
        }
        var checks: [Doctor.Check] = []
        for (name, look) in zip(names, looks) {
            let trouble = await look.value
            let who = trouble?.isOnlyHere == true ? "This box cannot open" : "Phones probably cannot open"
            let words = trouble.map { "\(who) \(name): \($0.reason)." } ?? "\(name) answers."
            let outcome = trouble.map { $0.isOnlyHere ? Doctor.Check.Outcome.warn : .fail } ?? .pass
            checks.append(Doctor.Check("login-page", outcome, message: words, remedy: trouble?.remedy))
        }
        if names.count > Self.maxPages {
            let rest = names.dropFirst(Self.maxPages).joined(separator: ", ")
            checks.append(
                Doctor.Check(
                    "login-page", .warn, message: "passd has not checked \(rest).", remedy: "Open them on a phone."))
        }
        return checks
    }

    // MARK: Apps

    func appChecks(tries: Bool, isOffline: Bool) async -> [Doctor.Check] {
        // Apps that only observe are not registered with the service.
        let stanzas = policyInForce.policy.stanzas.filter { $0.may.contains(.entitlement) }
        guard !stanzas.isEmpty else {
            return [
                Doctor.Check(
                    "apps", .warn, message: "There is no app stanza, so no app may do anything.",
                    remedy: "Add a stanza to apps.d.")
            ]
        }
        let trials =
            tries ? await rehearsals.tryOut(stanzas, until: parts.clock.boot.advanced(by: Self.timeLimit)) : [:]
        return stanzas.map { appCheck($0, trials[$0.name], wasMeant: !isOffline) }
    }

    private func appCheck(
        _ stanza: AppStanza, _ trial: Rehearsals.Trial?, wasMeant: Bool
    ) -> Doctor.Check {
        let name = "app-\(stanza.name)"
        func check(_ outcome: Doctor.Check.Outcome, _ message: String, remedy: String? = nil) -> Doctor.Check {
            Doctor.Check(name, outcome, message: message, remedy: remedy)
        }
        switch stanza.statement {
        case .unusable(let reason): return check(.fail, reason.asSentence, remedy: "Correct \(stanza.place).")
        case .absent where log.appsWithoutStatement.contains(stanza.name):
            let reason = ReasonTable.reason(of: "no-statement")
            return check(
                .fail, "The app cannot start: neither its stanza nor the app itself has a software statement.",
                remedy: reason?.remedy)
        case .absent: return check(.pass, "The stanza has no errors. The app sends its software statement itself.")
        case .present(let statement):
            let renewal = "Get a new statement from the service's operator, replace the old statement, and reload."
            let end = statement.claims.end(at: serviceDate)
            if let end, end.hasCome {
                return check(.fail, "The software statement \(end.text).", remedy: renewal)
            }
            var found = verdict(trial, statement.claims, wasMeant: wasMeant)
            let age = trial.map { ago($0.began) } ?? ""
            if !age.isEmpty { found.message += " passd asked the service\(age)." }
            guard let end, end.isSoon, found.outcome == .pass else {
                return check(found.outcome, found.message, remedy: found.remedy)
            }
            return check(.warn, "\(found.message) The software statement \(end.text).", remedy: renewal)
        }
    }

    var serviceDate: ServerTime { parts.clock.wall.advanced(by: engine.clockOffset ?? .zero) }

    private func verdict(
        _ trial: Rehearsals.Trial?, _ claims: StatementClaims, wasMeant: Bool
    ) -> (outcome: Doctor.Check.Outcome, message: String, remedy: String?) {
        guard let trial else {
            let words = "The stanza has no errors. passd did not ask the service about the app."
            return wasMeant ? (.warn, words, "Run this again when the service answers.") : (.pass, words, nil)
        }
        if let (requestor, fault) = trial.fault {
            let whose = requestor.map { "\($0): " } ?? ""
            let owner = claims.clientName.map { " The statement names \($0.onOneLine.cut(toBytes: 64))." } ?? ""
            guard fault.isAboutTheApp else {
                let reason = fault.reason ?? ReasonTable.reason(of: fault.code)?.meaning ?? fault.code
                return (
                    .warn, "passd could not check whether the service accepts the app: \(reason.withoutStop).",
                    "Run this again when the service answers."
                )
            }
            let reason = ReasonTable.reason(of: fault.code) ?? ReasonTable.reason(of: fault.kind.name)
            let meaning = (reason?.meaning ?? "The service refuses the app.").withoutStop
            return (.fail, "\(whose)\(meaning) (\(fault.marks)).\(owner)", reason?.remedy)
        }
        if let empty = trial.providers.first(where: { $0.count == 0 }) {
            return (
                .warn, "The app is registered, but \(empty.requestor) has no providers, so viewers cannot sign in.",
                "Ask the service's operator to connect \(empty.requestor) with providers."
            )
        }
        let numbers = trial.providers.map {
            "\($0.requestor) has \($0.count) \($0.count == 1 ? "provider" : "providers")"
        }.joined(separator: ", ")
        return (.pass, "The app is registered" + (numbers.isEmpty ? "." : "; \(numbers)."), nil)
    }
}

extension BackendFault {
    /// Whether the service refused this app. A failure of the service does not count.
    fileprivate var isAboutTheApp: Bool {
        switch kind {
        case .registrationRefused, .tokenRefused, .refused: true
        default: false
        }
    }

    /// The code, and the trace with which the service's support finds the request.
    var marks: String { code + (trace.map { ", trace \($0)" } ?? "") }
}
