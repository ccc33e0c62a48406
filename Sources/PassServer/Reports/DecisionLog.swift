// Keeps the last decisions in memory for `passd.decisions`, so that support can explain a refusal without a journal. Each kind
// of decision has its own limit, so that many hints or denied calls do not displace decisions about plays. Texts from other
// programs are cut. Refusals and ends of logins outlive a restart: see `DecisionLog+Restart.swift`. rpc.md §7.

import AccessEnabler
import PassJSON
import PassProtocol

@EngineActor final class DecisionLog {
    /// The max number of decisions of each kind.
    static let maxKept: [Decisions.Kind: Int] = [
        .play: 96, .hint: 64, .login: 48, .call: 48, .start: 32, .loginStart: 32, .logout: 16,
    ]
    /// The max size of a name or a text, in bytes. The rest is cut off.
    private static let maxTextSize = 512
    private static let maxNameSize = 256

    struct Entry {
        var number: UInt64
        var decision: Decisions.Decision
        /// The mark that the journal has in place of the resource's name.
        var mark: String?
        /// The time from which the next process no longer gets the entry.
        var end: BootTime

        /// Whether something was refused or has failed. A missing login does not count, because `status` already shows that
        /// nobody is signed in.
        var isRefusal: Bool {
            decision.outcome != EngineEvent.Verdict.permitted.rawValue
                && !(decision.outcome == EngineEvent.Verdict.unauthenticated.rawValue && decision.decidedBy == .memory)
        }

        /// Whether the other decision differs only in its time and its trace.
        func isAlike(_ other: Decisions.Decision, _ otherMark: String?) -> Bool {
            var other = other
            (other.time, other.times, other.since) = (decision.time, decision.times, decision.since)
            (other.trace, other.resource) = (decision.trace, decision.resource)
            return mark == otherMark && decision == other
        }
    }

    private let marks: ResourceMarks
    private let contact: () -> ServiceContact
    let clock: any EngineClock
    var entries: [Decisions.Kind: [Entry]] = [:]
    /// The number of the last entry. It does not begin at 0, because the lower numbers are for the entries of the last process.
    private(set) var count = UInt64(DecisionLog.maxLastingInAll)
    /// For each requestor, the number of the last entry that the next process must not get. The key nil means all requestors.
    var forgotten: [String?: UInt64] = [:]
    /// Nil until `resume`.
    var store: (any DecisionStore)?
    /// The time of the next save, and the alarm for it.
    var saving: (time: BootTime, alarm: any EngineAlarm)?
    /// The alarm for the sync after the last save.
    var syncing: (any EngineAlarm)?
    /// The numbers of the stored entries.
    var saved: [UInt64] = []
    /// The apps in the policy whose last start failed because neither the app nor its stanza has a statement.
    private(set) var appsWithoutStatement: Set<String> = []

    /// `contact` returns the outcome of the last exchange with the service.
    init(_ marks: ResourceMarks, contact: @escaping () -> ServiceContact, clock: any EngineClock) {
        self.marks = marks
        self.contact = contact
        self.clock = clock
    }

    /// The decisions that match the params, the newest last.
    func decisions(_ params: Decisions.Params) -> [Decisions.Decision] {
        let all = entries.values.joined()
        guard let about = params.about else { return Self.ordered(all, limit: params.limit) }
        // Resources are found by their marks, because kept names may be cut. `about` may be a name or a mark.
        let mark = marks.mark(of: ResourceID(rawValue: about))
        let matching = all.filter { entry in
            [entry.decision.app, entry.decision.requestorID].contains(about) || [about, mark].contains(entry.mark)
        }.map { entry in
            // An entry of the last process has only the mark.
            var entry = entry
            if entry.mark == mark { entry.decision.resource = Self.name(about) }
            return entry
        }
        // The answer also includes decisions about the requestor, because a resource may be refused because of its requestor.
        // For example, a login ended or did not begin, a call was denied, or a start failed.
        let requestors = Set(matching.compactMap(\.decision.requestorID))
        let numbers = Set(matching.map(\.number))
        let related = all.filter { entry in
            !numbers.contains(entry.number)
                && [.login, .loginStart, .call, .start, .logout].contains(entry.decision.kind)
                && entry.decision.requestorID.map(requestors.contains) == true
        }
        return Self.ordered(matching + related, limit: params.limit)
    }

    private static func ordered(_ entries: some Sequence<Entry>, limit: Int) -> [Decisions.Decision] {
        entries.sorted { $0.number < $1.number }.suffix(limit).map(\.decision)
    }

    /// The last refused or failed plays and starts, the newest last.
    func refusals(limit: Int) -> [Decisions.Decision] {
        Self.ordered([.play, .start].flatMap { entries[$0] ?? [] }.filter(\.isRefusal), limit: limit)
    }

    /// The resources of recent questions, the newest first. Leaves out resources if only their mark is known, and names that
    /// were cut.
    func resources(of requestor: String?, limit: Int) -> [String] {
        var seen: Set<ResourceID> = []
        var names: [String] = []
        let asked = [entries[.play] ?? [], entries[.hint] ?? []].joined().filter { $0.decision.resource != $0.mark }
            .sorted { $0.number > $1.number }
        for decision in asked.map(\.decision) where requestor == nil || decision.requestorID == requestor {
            guard let name = decision.resource, name.utf8.count < Self.maxNameSize - 3, names.count < limit else {
                continue
            }
            if seen.insert(ResourceID(rawValue: name)).inserted { names.append(name) }
        }
        return names
    }

    // MARK: Recording

    /// `app` is the app that asked.
    func note(_ event: EngineEvent, of app: String?) {
        let cause = event.cause
        func note(
            _ kind: Decisions.Kind, _ outcome: String, _ reason: RefusalReason, because cause: EngineEvent.Cause?,
            by party: String? = nil, about resource: ResourceID? = nil
        ) {
            var decision = decision(kind, outcome, because: reason)
            if let cause { decision.add(cause) }
            // Names from a damaged store may be very long, so they are cut.
            decision.app = app
            decision.requestorID = event.requestor.map { Self.name($0.rawValue) }
            decision.provider = event.provider.map { Self.name($0.rawValue) }
            decision.by = party
            keep(decision, about: resource)
        }
        switch event.kind {
        case .authorization(let resource, let verdict):
            note(.play, verdict.rawValue, reason(verdict, cause), because: cause, about: resource)
        case .preauthorization(let hints):
            for hint in hints.filter({ $0.verdict != .permitted }).prefix(Self.maxKept[.hint] ?? 0) {
                note(.hint, hint.verdict.rawValue, reason(hint), because: hint.cause, about: hint.resource)
            }
        case .requestorFailed:
            if let app, cause?.code == "no-statement" { appsWithoutStatement.insert(app) }
            note(.start, "failed", reason(.undecided, cause), because: cause)
        case .loginFailed: note(.loginStart, "failed", reason(.undecided, cause), because: cause)
        case .signedOut(let end, let party):
            // The next process must not get the decisions about this viewer, because the next viewer may be another person.
            if [.logout, .forgotten, .anotherDevice, .store].contains(end) { forget(event.requestor.map(\.rawValue)) }
            note(.login, end.rawValue, Self.end(end, by: party), because: cause, by: party)
        case .logoutRefused: note(.logout, "refused", Self.refusedLogout(cause), because: cause)
        case .requestor: if let app { appsWithoutStatement.remove(app) }
        default: break
        }
    }

    /// A call that policy denied.
    func note(_ audit: Audit) {
        var decision = decision(
            .call, "denied",
            because: (
                "Policy does not allow \(audit.method) to \(audit.who) of user \(audit.user): "
                    + Self.text(audit.rule).asSentence,
                "passd-cli policy explain shows which stanza would allow it."
            ))
        decision.decidedBy = .policy
        (decision.app, decision.requestorID) = (audit.app, audit.requestor.map(Self.name))
        keep(decision)
    }

    private func decision(
        _ kind: Decisions.Kind, _ outcome: String, because reason: RefusalReason
    ) -> Decisions.Decision {
        .init(
            time: clock.wall.milliseconds, kind: kind, outcome: outcome, reason: reason.meaning,
            remedy: reason.remedy.isEmpty ? nil : reason.remedy)
    }

    private func keep(_ decision: Decisions.Decision, about resource: ResourceID? = nil) {
        var decision = decision
        decision.resource = resource.map { Self.name($0.rawValue) }
        count += 1
        var kept = entries[decision.kind] ?? []
        let mark = resource.map(marks.mark)
        if let place = kept.lastIndex(where: { mayLast($0) && $0.isAlike(decision, mark) }) {
            let former = kept.remove(at: place).decision
            (decision.times, decision.since) = (former.times + 1, former.since ?? former.time)
        } else if kept.count >= Self.maxKept[decision.kind] ?? 0 {
            kept.removeFirst()
        }
        let entry = Entry(
            number: count, decision: decision, mark: mark, end: clock.boot.advanced(by: Self.lifetime))
        kept.append(entry)
        entries[decision.kind] = kept
        guard entry.isRefusal, Self.maxLasting[decision.kind] != nil else { return }
        // The end of a login has removed the stored decisions, so they are soon stored again.
        saveSoon(after: decision.times > 1 && decision.kind != .login ? Self.longPause : Self.pause)
    }

    static func name(_ text: String) -> String { text.cut(toBytes: maxNameSize) }
    static func text(_ text: String) -> String { text.onOneLine.cut(toBytes: maxTextSize) }

    // MARK: Plain words

    private func reason(_ verdict: EngineEvent.Verdict, _ cause: EngineEvent.Cause?) -> RefusalReason {
        if let trouble = trouble(behind: cause) { return trouble }
        if verdict == .permitted { return ("It was permitted.", "") }
        if cause?.decider == .service, cause?.code == "authenticated_profile_missing" {
            return (
                "The service no longer knows the viewer's login. It was ended elsewhere, for example on another device.",
                "The viewer must sign in again."
            )
        }
        if let known = cause?.code.flatMap(ReasonTable.reason) { return known }
        if let code = cause?.code, code.hasPrefix("server-error-") {
            return ReasonTable.reason(of: "internal_server_error") ?? Self.unknown
        }
        return verdict == .unauthenticated
            ? ReasonTable.reason(of: "authenticated_profile_missing") ?? Self.unknown : Self.unknown
    }

    /// Returns the reason in the words of `doctor` if the fault lies between box and service, for example in a proxy. Otherwise
    /// returns nil.
    private func trouble(behind cause: EngineEvent.Cause?) -> RefusalReason? {
        guard let cause, cause.decider == nil, Self.noAnswer.contains(cause.code ?? ""),
            case .failing(let trouble, _, _, _) = contact()
        else { return nil }
        return (trouble.reason.asSentence, trouble.remedy)
    }

    /// The codes of faults between box and service. For these, the outcome of the last exchange tells more than the code.
    private static let noAnswer: Set = ["unreachable", "deadline", "insecure", "unusable-answer"]

    private static let unknown: RefusalReason = (
        "The service gave a reason that passd does not know.", "Give code and trace to the operator of the service."
    )

    /// The reason of a hint, for people. If the service gave a code, the reason is the same as for a refused play.
    private func reason(_ hint: EngineEvent.Hint) -> RefusalReason {
        if hint.cause.code != nil { return reason(hint.verdict, hint.cause) }
        return switch hint.verdict {
        case .permitted, .denied:
            ("The provider would refuse this play.", "Play the resource to get the provider's reason.")
        case .unauthenticated: ("The viewer's login was no longer valid.", "The viewer must sign in again.")
        case .undecided:
            (
                "The service did not answer about this resource. Perhaps the resource needs no permission, or the "
                    + "service had a fault.",
                "Play the resource. If that fails, the refusal has the reason."
            )
        }
    }

    private static func refusedLogout(_ cause: EngineEvent.Cause?) -> RefusalReason {
        (
            "The service refuses to end the login. The login no longer counts on this box.",
            cause?.code == "invalid_parameter_redirect_url"
                ? "Set redirect-url to an address that is registered with the service."
                : "Give code and trace to the operator of the service."
        )
    }

    private static func end(_ cause: LoginEndCause, by: String?) -> RefusalReason {
        let who = by.map { $0 == "operator" ? " by the operator" : " by \(text($0))" } ?? ""
        let signIn = "The viewer must sign in again."
        return switch cause {
        case .expired: ("The login has expired.", signIn)
        case .revoked:
            (
                "The provider or the service has ended the login.",
                signIn + " If the login ends again, the viewer can ask the provider."
            )
        case .logout: ("The viewer was signed out\(who).", signIn)
        case .forgotten:
            (
                "The login was removed from this box\(who).",
                "An app gets the login back at the app's next start if the service still knows it. Otherwise the "
                    + "viewer must sign in again."
            )
        case .replaced: ("The login was ended for a new one.", "Finish the new login.")
        case .anotherDevice: ("The identity of this box has changed, and its logins no longer count.", signIn)
        case .store: ("The store of logins was checked, cleared or replaced\(who), or was damaged.", signIn)
        }
    }
}

extension Decisions {
    /// One decision. It contains no secrets. About the viewer it contains only the requested resource.
    struct Decision: Sendable, Equatable {
        /// The time in milliseconds since the epoch; for repeated decisions, the last time.
        var time: Int64
        /// The number of equal decisions. If there are several, `since` is the time of the first one.
        var times = 1
        var since: Int64?
        var kind: Kind
        /// The outcome: a verdict, the cause of an end, `denied`, `failed`, or `refused`.
        var outcome: String
        var decidedBy: Decider?
        var app: String?
        /// The app's title. It is added to an answer, and not kept.
        var title: String?
        var requestorID: String?
        var provider: String?
        var resource: String?
        /// The party that ended a login.
        var by: String?
        var source: String?
        var code: String?
        var trace: String?
        /// The provider's text for viewers.
        var text: String?
        /// The service's message for developers.
        var message: String?
        var reason: String
        var remedy: String?

        var json: JSONValue {
            .members([
                "time": .int(time), "times": times > 1 ? .int(Int64(times)) : nil, "since": since.map { .int($0) },
                "kind": .string(kind.rawValue), "outcome": .string(outcome),
                "decidedBy": decidedBy.map { .string($0.rawValue) }, "app": app.map(JSONValue.string),
                "title": title.map(JSONValue.string), "requestorID": requestorID.map(JSONValue.string),
                "provider": provider.map(JSONValue.string),
                "resource": resource.map(JSONValue.string), "by": by.map(JSONValue.string),
                "source": source.map(JSONValue.string), "code": code.map(JSONValue.string),
                "trace": trace.map(JSONValue.string), "text": text.map(JSONValue.string),
                "message": message.map(JSONValue.string), "reason": .string(reason),
                "remedy": remedy.map(JSONValue.string),
            ])
        }
    }
}

extension Decisions.Decision {
    /// Adds the decider and the service's text, cut to the limits.
    @EngineActor fileprivate mutating func add(_ cause: EngineEvent.Cause) {
        decidedBy = cause.decider
        (source, code) = (cause.source.map(DecisionLog.name), cause.code.map(DecisionLog.name))
        trace = cause.trace.map(DecisionLog.name)
        text = cause.text.map(DecisionLog.text)
        message = cause.message.map(DecisionLog.text)
        // A message that would only repeat the reason is left out.
        if message?.asSentence == reason { message = nil }
    }
}
