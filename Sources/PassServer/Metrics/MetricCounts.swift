// The counts of the metrics since the start of the daemon. This type does no I/O. All labels come from fixed lists:
// enumerations, or names in the source. Counters with known labels are printed from the start with the value 0, because
// Prometheus does not count a counter's first value as an increase.

package import AccessEnabler
import PassProtocol

package struct MetricCounts: Sendable {
    package enum RequestOutcome: String, CaseIterable, Sendable {
        case success, refused, throttled
        case serverError = "server-error"
        case unreachable, timeout, insecure
        case unusableAnswer = "unusable-answer"
        case cancelled
    }

    package enum Registration: String, CaseIterable, Sendable { case accepted, refused, failed }

    package enum Poll: String, CaseIterable, Sendable { case pending, done, gone, failed }

    /// The max number of endpoints with their own counts. The service has fewer endpoints.
    static let maxEndpoints = 64
    /// The value of the label `decided_by` for a decision by neither the service nor passd's memory.
    private static let nobody = "nobody"

    /// For each metric, by its name in `MetricFamily`: the count for each combination of label values.
    private var counters: [String: [[String]: Int]] = [:]
    private(set) var durations: [String: LatencyHistogram] = [:]

    package init() {
        begin(.registrationAttempts, Registration.allCases.map { [$0.rawValue] })
        begin(.polls, Poll.allCases.map { [$0.rawValue] })
        begin(.storeWrites, [["success"]] + VaultFault.Kind.allCases.map { [$0.rawValue] })
        begin(.failedStarts, [[]])
        begin(.openedLogins, [[]])
        begin(.closedLogins, EngineEvent.LoginEnd.allCases.map { [$0.rawValue] })
        begin(.signIns, [["login"], [Callback.Reason.sso.rawValue]])
        begin(.endedLogins, LoginEndCause.allCases.map { [$0.rawValue] })
        begin(.hints, EngineEvent.Verdict.allCases.map { [$0.rawValue] })
        begin(.mediaTokens, [[]])
        begin(
            .decisions,
            EngineEvent.Verdict.allCases.flatMap { verdict in
                [Decisions.Decider.service, .memory].map { [verdict.rawValue, $0.rawValue] }
            } + [[EngineEvent.Verdict.undecided.rawValue, Self.nobody]])
    }

    /// The counts of a family, by the values of its labels.
    func counts(of family: MetricFamily) -> [[String]: Int] { counters[family.name] ?? [:] }

    // MARK: Counting

    /// Counts a request. `endpoint` is a method and the pattern of a path, without values.
    package mutating func request(to endpoint: String, _ outcome: RequestOutcome, lasting duration: Duration) {
        let isKnown = durations[endpoint] != nil || durations.count < Self.maxEndpoints
        let endpoint = isKnown ? endpoint : "other"
        durations[endpoint, default: LatencyHistogram()].add(duration)
        add(.requests, endpoint, outcome.rawValue)
    }

    package mutating func registration(_ outcome: Registration) { add(.registrationAttempts, outcome.rawValue) }

    /// Counts a question of the engine to the backend, by the name of the method of `EntitlementBackend`.
    mutating func question(_ name: String, fault: BackendFault.Kind?) {
        add(.questions, name, fault?.family ?? "success")
    }

    mutating func poll(_ outcome: Poll) { add(.polls, outcome.rawValue) }

    mutating func decided(_ decisions: [ServiceDecision]) {
        add(.mediaTokens, count: decisions.count { $0.token != nil })
    }

    package mutating func storeWrite(fault: VaultFault.Kind?) { add(.storeWrites, fault?.rawValue ?? "success") }

    mutating func note(_ event: EngineEvent) {
        switch event.kind {
        case .requestorFailed: add(.failedStarts)
        case .loginOpened: add(.openedLogins)
        case .loginClosed(let end): add(.closedLogins, end.rawValue)
        case .signedIn(let reason): add(.signIns, reason?.rawValue ?? "login")
        case .signedOut(let cause, _): add(.endedLogins, cause.rawValue)
        case .authorization(_, let verdict):
            add(.decisions, verdict.rawValue, event.cause?.decider?.rawValue ?? Self.nobody)
        case .preauthorization(let hints): for hint in hints { add(.hints, hint.verdict.rawValue) }
        default: break
        }
    }

    private mutating func begin(_ family: MetricFamily, _ labels: [[String]]) {
        counters[family.name] = Dictionary(uniqueKeysWithValues: labels.map { ($0, 0) })
    }

    private mutating func add(_ family: MetricFamily, _ labels: String..., count: Int = 1) {
        counters[family.name, default: [:]][labels, default: 0] += count
    }
}

extension BackendFault.Kind {
    /// The name of the fault, without the HTTP status of a server error.
    fileprivate var family: String { if case .serverError = self { "server-error" } else { name } }
}
